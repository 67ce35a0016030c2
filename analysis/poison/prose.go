package poison

import "strings"

// mode says how the text of a unit is to be read.
type mode uint8

const (
	orders     mode = iota // directives, agents.md, positive demos, loose text: imperatives bind
	statements             // claims, reasons: only what is asserted binds
	documents              // loose text and demonstrations: only imperatives and "must" bind
)

// reader runs the prose rules over one text.
type reader struct {
	*prose
	mode mode
	kind Kind
	// strict is set for text that has no business giving orders at all
	// (comments, decoded text, titles).
	strict bool
	hits   []hit
	// dead are the slots and tokens from which a frame cannot be completed.
	dead map[[2]int]struct{}
}

func (r *reader) hit(rule string, sev Severity, i, j int, msg string) {
	j = min(max(i, j), len(r.toks)-1)
	r.hits = append(r.hits, hit{rule, sev, r.toks[i].start, r.toks[j].end, msg, false})
}

// next finds the first token in (i, i+gap] of clause k that has any of c.
// Punctuation does not count towards the gap.
func (r *reader) next(k, i, gap int, c concept) int {
	seen := 0
	for j := i + 1; j < r.clauses[k].to && seen < gap; j++ {
		t := &r.toks[j]
		if t.kind == punct {
			continue
		}
		seen++
		if t.c.has(c) {
			return j
		}
	}
	return -1
}

func (r *reader) prev(k, i, gap int, c concept) int {
	seen := 0
	for j := i - 1; j >= r.clauses[k].from && seen < gap; j-- {
		t := &r.toks[j]
		if t.kind == punct {
			continue
		}
		seen++
		if t.c.has(c) {
			return j
		}
	}
	return -1
}

// bounds are the tokens of the sentence of clause k.
func (r *reader) bounds(k int) (from, to int) {
	s := r.sents[r.clauses[k].sentence]
	return s[0], s[1]
}

// has reports whether the sentence of clause k holds any of the words.
func (r *reader) has(k int, words *wordSet) bool {
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		if words.has(r.toks[j].text) {
			return true
		}
	}
	return false
}

// says reports whether the sentence of clause k holds one of the words.
func (r *reader) says(k int, words ...string) bool {
	from, to := r.bounds(k)
	return r.anyOf(from, to, words)
}

// clauseSays reports whether clause k holds one of the words.
func (r *reader) clauseSays(k int, words ...string) bool {
	return r.anyOf(r.clauses[k].from, r.clauses[k].to, words)
}

func (r *reader) anyOf(from, to int, words []string) bool {
	for j := from; j < min(to, len(r.toks)); j++ {
		t := r.toks[j].text
		for _, w := range words {
			if t == w {
				return true
			}
		}
	}
	return false
}

// inClause reports whether clause k holds any of the words.
func (r *reader) inClause(k int, words *wordSet) bool {
	for j := r.clauses[k].from; j < r.clauses[k].to; j++ {
		if words.has(r.toks[j].text) {
			return true
		}
	}
	return false
}

// acts reports whether the verb at i is done: affirmed, not in a subordinate
// "before x-ing", and in a statement only under a modal, as an order at the
// start, or with the agent as its subject.
func (r *reader) acts(k, i int) bool {
	if (r.toks[i].quoted || r.toks[i].code && !r.strict) && !r.usesQuote(k, i) {
		return false
	}
	if r.polarityAt(k, i) != affirmed {
		return false
	}
	for j := max(r.clauses[k].from, i-2); j < i; j++ {
		switch r.toks[j].text {
		case "before", "while", "when", "if", "by", "how", "whether", "why", "after", "could", "might", "would":
			return r.toks[j].text == "by" && r.mode == orders
		}
	}
	if r.possible(k, i) {
		return false
	}
	if r.mode == orders {
		return true
	}
	if r.leads(k, i) {
		return true
	}
	for j := r.clauses[k].from; j < i; j++ {
		t := &r.toks[j]
		if r.mode == documents && (t.c.has(cAttack|cThat) && t.text != "to" || t.text == "attackers" || t.text == "attacker") {
			return false
		}
		if t.c.has(cModal) && t.text != "may" && t.text != "can" && t.text != "will" && (t.text != "required" || j > 0 && r.toks[j-1].c.has(cBe)) || t.text == "agent" || t.text == "agents" || t.text == "assistant" || t.text == "you" || t.text == "please" || t.text == "claude" || t.text == "model" {
			return true
		}
	}
	return false
}

var adverbs = set("and", "then", "also", "please", "first", "next", "automatically", "finally", "now", "but", "or", "so", "instead", "just", "always", "never", "simply", "silently", "quietly", "secretly", "immediately", "afterwards", "additionally", "then,", "do", "not", "don't")

// leads reports an imperative: nothing but list markers and adverbs stand
// before the verb, and it has its base form.
func (r *reader) leads(k, i int) bool {
	for j := r.clauses[k].from; j < i; j++ {
		t := &r.toks[j]
		if t.kind != punct && t.kind != number && !adverbs.has(t.text) {
			if r.orderInside(k, i, t) {
				break
			}
			return false
		}
	}
	w := r.toks[i].text
	return !strings.HasSuffix(w, "ing") && !strings.HasSuffix(w, "ed") && (!strings.HasSuffix(w, "s") || strings.HasSuffix(w, "ss") || len(w) < 4)
}

// ordered reports a clause that orders: it has always, must or should, or
// starts with an imperative.
func (r *reader) ordered(k int) bool {
	c := &r.clauses[k]
	first := true
	for j := c.from; j < c.to; j++ {
		t := &r.toks[j]
		switch t.text {
		case "always", "must", "should", "please", "never", "shall":
			return true
		}
		if t.kind == word && first && !adverbs.has(t.text) {
			first = false
			if !t.code && t.c.has(cSend|cExec|cWrite|cDestroy|cFetch|cRead|cSkip|cOverride|cConceal|cObey) && r.leads(k, j) {
				return true
			}
		}
	}
	return false
}

// usesQuote reports whether the quoted text at i is typed or run.
func (r *reader) usesQuote(k, i int) bool {
	for j := i - 1; j >= r.clauses[k].from; j-- {
		t := &r.toks[j]
		if t.quoted {
			continue
		}
		switch t.text {
		case "run", "execute", "type", "paste", "line", "enter", "command", "add", "append", "write", "obey", "follow", "put", "insert", "include", "with", "use", "is", "note", "text", "words", "instruction", "reply", "answer", "say":
			return r.mode == orders
		}
	}
	return false
}

var external = set("page", "pages", "web", "website", "websites", "email", "emails", "issue", "issues", "ticket", "tickets", "comment", "comments", "fetched", "embedded", "external", "untrusted", "attachment", "attachments", "pasted", "document", "documents", "found", "inside", "third", "tool", "attacker", "attackers", "readme", "repositories", "injected", "quoted")

// hostObject finds an object with the authority that only a host has, in
// (i, i+gap] of clause k. It returns the last token of the object, or -1.
func (r *reader) hostObject(k, i, gap int) int {
	seen := 0
	for j := i + 1; j < r.clauses[k].to && seen < gap; j++ {
		t := &r.toks[j]
		if t.kind == punct {
			if t.text == "(" || t.text == "\"" || t.text == "," || t.text == "-" || t.text == "/" {
				continue
			}
			break
		}
		seen++
		switch {
		case t.c.has(cHost):
			if r.ownArtefact(k, j) {
				continue
			}
			return min(j+int(t.width)-1, r.clauses[k].to-1)
		case t.c.has(cRules) && !r.styled(k, i, j) && !r.gerund(j):
			if j > 0 && r.toks[j-1].text == "their" && r.says(k, "packs", "operator", "host", "users", "files") {
				return j
			}
			if p := r.prev(k, j, 4, cPrior); p > i-2 && p >= 0 && !(thingRules.has(r.toks[j].text) && thingPrior.has(r.toks[p].text) && !r.theirs(k, j)) || r.givenBy(k, j) {
				return j
			}
		}
	}
	return -1
}

var adjuncts = set("file", "files", "format", "section", "sections", "template", "schema", "table", "heading", "copy", "page", "example", "examples", "test", "tests", "wording", "text", "length", "log", "logs", "name", "names", "type", "types", "history", "field", "fields", "error", "errors", "warning", "warnings", "output")

// ownArtefact reports that the host's name only qualifies something an author
// may change: "the operator's manual", "user message copy".
func (r *reader) ownArtefact(k, j int) bool {
	if r.otherHost(k, j) {
		return true
	}
	e := j + int(r.toks[j].width)
	if j > 0 && r.toks[j].kind == word && codeRules.has(r.toks[j-1].text) {
		return true // "every row-level security policy"
	}
	if e < r.clauses[k].to && r.toks[e].kind == word && adjuncts.has(r.toks[e].text) && r.toks[j].kind == word {
		return r.toks[e].text != "history"
	}
	return r.toks[j].c.has(cStyle)
}

// styled reports a word between i and j, or next to j, that makes the rules at
// j the author's own.
func (r *reader) styled(k, i, j int) bool {
	for m := max(i+1, j-3); m < j; m++ {
		if r.toks[m].c.has(cStyle) && !r.toks[m].c.has(cPrior) && r.toks[m].text != "default" {
			return true
		}
	}
	if j+1 < r.clauses[k].to && (r.toks[j+1].c.has(cStyle) || adjuncts.has(r.toks[j+1].text)) && r.toks[j+1].kind == word {
		return true
	}
	// "existing rules, views and triggers", "firewall rules"
	if j+2 < r.clauses[k].to && r.toks[j+1].text == "," && codeRules.has(r.toks[j+2].text) || j > 0 && codeRules.has(r.toks[j-1].text) {
		return true
	}
	// "rules of the old style guide"
	if j+2 < r.clauses[k].to && (r.toks[j+1].text == "of" || r.toks[j+1].text == "for" || r.toks[j+1].text == "about" || r.toks[j+1].text == "on" || r.toks[j+1].text == "in" || r.toks[j+1].text == "from") {
		for m := j + 2; m < min(j+6, r.clauses[k].to); m++ {
			if r.toks[m].c.has(cStyle) && !r.toks[m].c.has(cHost) || codeRules.has(r.toks[m].text) {
				return true
			}
		}
	}
	return false
}

// gerund reports a word for rules that is a verb where it stands: "before setting
// a table", "after briefing the crew".
func (r *reader) gerund(j int) bool {
	return j > 0 && strings.HasSuffix(r.toks[j].text, "ing") && beforeVerbs.has(r.toks[j-1].text)
}

var beforeVerbs = set("before", "after", "when", "while", "by", "without", "until", "since", "than", "whenever", "upon")

var yours = []string{"you", "your", "were", "have", "been", "user", "operator", "host", "agent", "system"}

// givenBy reports "rules you were given", "instructions from the operator".
func (r *reader) givenBy(k, j int) bool {
	for m := j + 1; m < min(j+8, r.clauses[k].to); m++ {
		t := &r.toks[m]
		switch t.text {
		case "given", "loaded", "received", "told", "earlier", "before", "above", "previously", "beforehand", "preceding":
			if thingRules.has(r.toks[j].text) && !r.anyOf(j, m+4, yours) {
				continue // "messages received during copy-in mode"
			}
			return true
		}
		if t.c.has(cHost) && !r.otherHost(k, m) && (r.toks[m-1].text == "the" || r.toks[m-1].text == "in" || r.toks[m-1].text == "from" || r.toks[m-1].text == "by" || t.kind == fileName) {
			return true
		}
	}
	return false
}

// selfRef reports whether token j names the pack itself.
func (r *reader) selfRef(j int) bool {
	t := &r.toks[j]
	if t.c.has(cSelf) && (t.width > 1 || t.text == "pack") {
		return true
	}
	if t.text != "this" && t.text != "these" && t.text != "our" {
		return false
	}
	for m := j + 1; m < min(j+4, len(r.toks)); m++ {
		if r.toks[m].kind != word {
			return false
		}
		if selfNouns.has(r.toks[m].text) {
			// "this cached memory" is a computer's.
			return r.toks[m].text != "memory" || m == j+1
		}
	}
	return false
}

var selfNouns = set("pack", "notes", "memory", "memories", "directives", "skill", "document", "rulebook", "handbook", "file", "instructions", "rules", "playbook")

// proseRules judges the text. Rules add to r.hits.
func proseRules(text string, m mode, kind Kind, strict bool) *reader {
	if len(text) <= maxChunk {
		return proseChunk(text, m, kind, strict)
	}
	var all *reader
	for s := 0; s < len(text); {
		e := chunkEnd(text, s)
		r := proseChunk(text[s:e], m, kind, strict)
		for i := range r.hits {
			r.hits[i].start += s
			r.hits[i].end += s
		}
		if all == nil {
			all = r
		} else {
			all.hits = append(all.hits, r.hits...)
			all.all |= r.all
		}
		s = e
	}
	return all
}

// maxChunk is how much text is read at once. Longer texts are read piece by
// piece, cut where a sentence ends, so that cost stays linear.
const maxChunk = 16 << 10

func chunkEnd(text string, s int) int {
	e := s + maxChunk
	if e >= len(text) {
		return len(text)
	}
	for i := e; i > s+maxChunk/2; i-- {
		if text[i-1] == '\n' || text[i-1] == ' ' && i > 1 && text[i-2] == '.' {
			return i
		}
	}
	for i := e; i > s+maxChunk/2; i-- {
		if text[i-1] == ' ' {
			return i
		}
	}
	return e
}

func proseChunk(text string, m mode, kind Kind, strict bool) *reader {
	r := &reader{prose: parseProse(text), mode: m, kind: kind, strict: strict}
	r.judge(hot().sweep(text, true))
	return r
}

// judge runs the rules that what was swept has words for.
func (r *reader) judge(s swept) {
	h, sym, text := s.heat, s.sym, r.text
	link := sym&sColon != 0 && sym&sSlash != 0 || sym&sAt != 0 || strings.IndexByte(text, '.') > 0
	whole := r.mode
	for k := range r.clauses {
		r.mode = r.modeIn(k, whole)
		if h.has(hOver|hWeak) || h.has(hSelf|hDoc) {
			r.override(k)
		}
		if h.has(hAuth|hGrant|hClear|hTurn) || s.class.has(kConsent|kSpeaks) {
			r.authority(k)
		}
		if h.has(hConceal | hHush | hTell | hNaught) {
			r.conceal(k)
		}
		if h.has(hPersist|hPlace) || sym&sTilde != 0 {
			r.persist(k)
		}
		if h.has(hGuard | hAsk | hGrant | hSkip) {
			r.safety(k)
		}
		if link || h.has(hTool|hReg|hAlso) {
			r.hijack(k)
		}
		if h.has(hObey | hRun | hFetch) {
			r.remote(k)
		}
		if h.has(hSecret|hKey|hLaw) || sym&(sSlash|sTilde|sDollar) != 0 {
			r.secrets(k)
		}
		if h.has(hSecret|hKey|hPrivate|hNet) || link {
			r.exfil(k)
		}
		if h.has(hDestroy) {
			r.destroy(k)
		}
		if link {
			r.supply(k)
		}
	}
	r.mode = whole
	if r.cut > 0 && len(r.hits) == 0 && r.mode == orders && r.all.has(cURL|cNet) && r.all.has(cSecret|cPrivate|cExec|cRules) {
		r.hit("fragment-assembly", Error, r.cut-1, r.cut, unfinished+": a sentence is longer than the analysis reads in one")
	}
	r.frames(gateFrames(s.class, sym))
	if sym&(sTick|sPipe|sSlash|sTilde|sDollar|sEquals|sAngle) != 0 || h.has(hCommand|hTool) {
		r.code()
	}
	if h.has(hFlag) {
		r.flags()
	}
	if link || h.has(hImage) {
		r.images()
	}
	if len(r.hits) > 0 || h.has(hTrigger) {
		r.trigger()
	}
	if h.has(hForeign) || sym&sHigh != 0 && otherScript(text) || sym&(sHigh|sForeign) != 0 && !r.english() {
		r.foreign()
	}
}

// otherScript reports a letter of a script other than Latin. Typographic signs,
// symbols and emoji are none: they stand in English text all the time.
func otherScript(s string) bool {
	for _, c := range s {
		if c >= 0x370 && (c < 0x2000 || c >= 0x2c00) && c < 0x1f000 && (c < 0xfe00 || c > 0xfe0f) {
			return true
		}
	}
	return false
}

// english reports a function word that only English has.
func (r *reader) english() bool {
	for i := range r.toks {
		switch r.toks[i].text {
		case "the", "and", "of", "with", "for", "that", "this", "are", "is":
			return true
		}
	}
	return false
}
