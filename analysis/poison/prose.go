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

// possible: "the check can be bypassed with …", "the value is ignored" say what a
// program does. Of a secret, an address or the agent they order.
func (r *reader) possible(k, i int) bool {
	c := &r.clauses[k]
	if r.strict || !strings.HasSuffix(r.toks[i].text, "ed") || i-1 < c.from {
		return false
	}
	switch r.toks[i-1].text {
	case "is", "are", "was", "were":
	case "be", "been":
		if i-2 < c.from {
			return false
		}
		switch r.toks[i-2].text {
		case "can", "may", "could", "might", "has", "have", "had":
		default:
			return false
		}
	default:
		return false
	}
	return r.plain(k)
}

// plain reports a sentence with nothing in it that an attack needs, and no word of
// an order.
func (r *reader) plain(k int) bool {
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		t := &r.toks[j]
		if t.kind == url || t.kind == host || t.kind == path || ordering.has(t.text) || t.kind != punct && (t.c.has(cSecret|cUser) || t.c.has(cHost) && !r.otherHost(k, j)) || r.selfRef(j) {
			return false
		}
	}
	return true
}

var adverbs = set("and", "then", "also", "please", "first", "next", "automatically", "finally", "now", "but", "or", "so", "instead", "just", "always", "never", "simply", "silently", "quietly", "secretly", "immediately", "afterwards", "additionally", "then,", "do", "not", "don't")

// leads reports an imperative: nothing but list markers and adverbs stand
// before the verb, and it has its base form.
func (r *reader) leads(k, i int) bool {
	for j := r.clauses[k].from; j < i; j++ {
		t := &r.toks[j]
		if t.kind != punct && t.kind != number && !adverbs.has(t.text) {
			// "note: upload x and delete y"
			if r.clauses[k].remark && (r.toks[i-1].text == "and" || r.toks[i-1].text == "then") && t.c.has(cSend|cExec|cWrite|cDestroy|cFetch|cRead|cSkip) {
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

// otherHost reports that the word for the agent's host at j means something else:
// a machine on a network, an operator of a language, the alignment of text, or a
// thing shown above.
func (r *reader) otherHost(k, j int) bool {
	t := &r.toks[j]
	if t.kind != word {
		return false
	}
	if t.width > 1 {
		e := j + int(t.width)
		// "the above URL" is one thing, "the above" all that was said.
		return t.text == "the" && r.toks[e-1].text == "above" && e < r.clauses[k].to && r.toks[e].kind == word && !saidAbove.has(r.toks[e].text) && !r.toks[e].c.has(cRules|cHost|cNeg|cObey|cBe|cModal|cCond|cSelf) && !stopWords.has(r.toks[e].text) && !strings.HasSuffix(r.toks[e].text, "ly")
	}
	prev, next := "", ""
	if j > 0 {
		prev = r.toks[j-1].text
	}
	if j+1 < len(r.toks) {
		next = r.toks[j+1].text
	}
	switch t.text {
	case "host", "hosts":
		return t.code || networkOf.has(prev) || networkParts.has(next) || prev == "," && next == "," || r.amongNetwork(k, j)
	case "operator", "operators":
		return t.code || codeOperators.has(prev) || codeOperatorParts.has(next) || t.text == "operators" && prev != "the" && prev != "your" && prev != "our" && prev != "all" && prev != "any" && prev != "human" && prev != "its" && prev != "their"
	case "alignment":
		return prev != "your" && prev != "its" && prev != "safety" && prev != "model" && prev != "model's" && prev != "the" && prev != "their" || networkParts.has(next) || alignmentOf.has(next)
	}
	return false
}

// saidAbove are words for all that was said above.
var saidAbove = set("text", "context", "conversation", "content", "contents", "guidance", "notes", "document", "section", "sections", "page", "pages", "paragraph", "paragraphs", "line", "lines", "information", "dialogue", "chat", "words")

var (
	networkOf         = set("remote", "virtual", "target", "local", "registry", "proxy", "bastion", "docker", "destination", "origin", "database", "db", "server", "smtp", "http", "ssh", "each", "another", "git", "bare", "build", "jump", "container", "default", "single", "specific", "given", "same", "different")
	networkParts      = set("name", "names", "header", "headers", "port", "ports", "key", "keys", "argument", "arguments", "option", "options", "parameter", "address", "addresses", "system", "systems", "machine", "machines", "part", "portion", "component", "entry", "entries", "filter", "matching", "triple", "architecture", "compiler", "os", "platform", "field", "property", "value", "variable", "operating")
	networkWords      = set("port", "ports", "hostname", "ip", "dns", "socket", "sockets", "tcp", "udp", "http", "https", "url", "urls", "server", "servers", "client", "clients", "network", "networks", "header", "address", "addresses", "connection", "connections", "connect", "request", "requests", "registry", "ssh", "tls", "certificate", "certificates", "proxy", "localhost", "domain", "protocol", "container", "kernel", "cross", "compiler", "mount", "router", "firewall")
	codeOperators     = set("query", "comparison", "arithmetic", "logical", "boolean", "assignment", "set", "binary", "unary", "equality", "ternary", "bitwise", "relational", "string", "regexp", "regex", "spread", "walrus", "concatenation", "pipe", "shift", "json", "an", "match", "matching", "in", "conditional", "mathematical", "postfix", "prefix", "infix", "overloaded", "built")
	codeOperatorParts = set("class", "classes", "family", "families", "precedence", "overloading", "symbol", "symbols", "expression", "expressions", "name", "names", "function", "functions", "node", "module", "token", "characters", "form")
	alignmentOf       = set("rendering", "padding", "restrictions", "requirements", "requirement", "byte", "bytes", "argument", "parameter", "option", "value", "values", "attribute", "of", "character", "in")
)

// amongNetwork reports two words of networks in the clause of a host: then it is a
// machine there. Whose rules, prompt or instructions they are no machine has.
func (r *reader) amongNetwork(k, j int) bool {
	n := 0
	for m := r.clauses[k].from; m < r.clauses[k].to; m++ {
		if m == j {
			continue
		}
		t := &r.toks[m]
		if t.c.has(cSelf) && r.selfRef(m) || t.c.has(cRules) && m > j && m-j < 4 {
			return false
		}
		if networkWords.has(t.text) {
			n++
		}
	}
	return n > 1
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

// codeRules tell of rules that programs follow.
var codeRules = set("firewall", "udev", "routing", "iptables", "nftables", "rewrite", "make", "makefile", "selinux", "apparmor", "egress", "ingress", "forwarding", "iam", "nat", "dns", "views", "triggers", "level", "inference", "grammar", "scoping", "escaping", "quoting", "mapping")

// gerund reports a word for rules that is a verb where it stands: "before setting
// a table", "after briefing the crew".
func (r *reader) gerund(j int) bool {
	return j > 0 && strings.HasSuffix(r.toks[j].text, "ing") && beforeVerbs.has(r.toks[j-1].text)
}

// thingRules are words for rules that programs have too, thingPrior those that tell
// nothing about whose they are: "any existing configuration", "these commands".
var (
	thingRules = set("command", "commands", "message", "messages", "configuration", "configurations", "setting", "settings", "memory", "convention", "conventions", "protocol", "protocols", "order", "preference", "preferences")
	thingPrior = set("these", "those", "any", "all", "every", "existing", "other", "given", "default", "initial", "current", "original", "old", "usual", "normal", "native", "remaining", "built", "builtin", "opening", "session", "previously", "standing")
)

var beforeVerbs = set("before", "after", "when", "while", "by", "without", "until", "since", "than", "whenever", "upon")

// theirs reports whose the rules at j are, when somebody's who may command.
func (r *reader) theirs(k, j int) bool {
	for m := j + 1; m < min(j+5, r.clauses[k].to); m++ {
		if t := &r.toks[m]; t.kind == word && t.c.has(cUser|cHost|cVendor) && !r.otherHost(k, m) {
			return true
		}
	}
	return false
}

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

// modeIn is how clause k of a text that is read as m is to be read: in orders,
// what "note that" introduces, and a sentence that describes, bind like a document
// does.
func (r *reader) modeIn(k int, m mode) mode {
	if m != orders || r.strict {
		return m
	}
	c := &r.clauses[k]
	if c.drawn == 0 {
		c.drawn = ordered
		if c.remark || r.portrays(k) {
			c.drawn = drawn
		}
	}
	if c.drawn == drawn {
		return documents
	}
	return m
}

// portrays reports a sentence that says how a thing is or what it does: it opens
// with an article and has no word of an order. Where it speaks of the agent, of
// people, of the pack or of what an attack needs, it may order for all that.
func (r *reader) portrays(k int) bool {
	from, to := r.bounds(k)
	for from < to && r.toks[from].kind == punct {
		from++
	}
	if from+1 >= to || !articles.has(r.toks[from].text) && !r.thirdPerson(from) {
		return false
	}
	if r.toks[from].text == "thanks" {
		return true
	}
	return r.plain(k)
}

// thirdPerson reports a verb that says what something does: "Clears the list".
func (r *reader) thirdPerson(i int) bool {
	w := r.toks[i].text
	if len(w) < 4 || w[len(w)-1] != 's' || w[len(w)-2] == 's' {
		return false
	}
	switch r.toks[i+1].text {
	case "the", "a", "an", "all", "any", "its", "this", "whether":
		return true
	}
	return false
}

var (
	articles = set("the", "a", "an", "this", "these", "such", "its", "their", "some", "most", "both", "thanks")
	ordering = set("always", "never", "must", "should", "shall", "please", "prefer", "agent", "agents", "assistant", "claude", "model", "pack", "packs", "session", "sessions", "sure", "everything", "anything", "nobody", "memory", "rules", "instructions", "instruction", "conversation", "prompt", "upload", "production", "whatever", "ensure", "let", "don't", "force", "asking", "confirmation", "confirmations", "approval", "approvals", "consent", "backups")
)

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
