package poison

import (
	"cmp"
	"slices"
	"strings"
)

// UnitFacts is what [Facts] found out about one unit. It is immutable, relative
// to the unit's text and independent of everything else, so it can be kept as
// long as the text does not change.
type UnitFacts struct {
	hits  []hit
	fixes [][2]int // deletions, parallel to hits where start >= 0
	roles role
}

// role says what a unit may contribute to an assembly.
type role uint8

const (
	actor     role = 1 << iota // joins, decodes, fills or runs something by name
	sensitive                  // names a secret, an address, a command or a fragment of one
	antidote                   // a negative demonstration with a payload
	series                     // one piece of a numbered series
	caller                     // runs an example by name
	speller                    // reads words or letters out of other units
	pointer                    // names a unit by its place: "the second source"
	cue                        // speaks of a cipher
)

// Hits reports how many verdicts the facts hold.
func (f *UnitFacts) Hits() int {
	if f == nil {
		return 0
	}
	return len(f.hits)
}

// flagged reports a verdict that counts.
func (f *UnitFacts) flagged() bool {
	for i := range f.hits {
		if f.hits[i].sev >= Warning {
			return true
		}
	}
	return false
}

// Facts reads one unit. It returns nil when there is nothing to keep, which for
// ordinary text takes one pass over its bytes. It is a pure function of the
// unit's text, kind and facets.
func Facts(u *Unit) *UnitFacts {
	s := hot().sweep(u.Text, u.Type == "claim")
	s.loud = s.loud || u.Kind != Raw && tongue(s.heat, s.sym, u.Text)
	if !interesting(s, u) {
		return nil
	}
	f := &UnitFacts{}
	if u.Kind == Raw {
		f.bytes(u, s.heat, s.sym)
	} else {
		f.prose(u, s)
	}
	if len(f.hits) == 0 && f.roles == 0 {
		return nil
	}
	return f
}

// bytes runs the rules that look at the text as written.
func (f *UnitFacts) bytes(u *Unit, sum heat, sym symbol) {
	kind := Loose
	switch {
	case u.Type == "demonstration":
		kind = DemoBody
	case u.Type != "":
		kind = Content
	case !strings.HasPrefix(u.File, "memory/") && u.File != "agents.md":
		kind = OtherFile
	}
	var add []hit
	if sym&sHigh != 0 {
		for _, h := range hiddenHits(u.Text, u.Offset == 0) {
			if h.raise && h.sev == Warning && hidesKeyword(u.Text, h.start, h.end) {
				h.sev = Error
				h.msg += " inside a keyword"
			}
			f.hits = append(f.hits, h.hit)
			for len(f.fixes) < len(f.hits)-1 {
				f.fixes = append(f.fixes, [2]int{-1, 0})
			}
			f.fixes = append(f.fixes, [2]int{h.start, h.end})
		}
		add = append(add, lookalikes(u.Text)...)
	}
	if sym&sAngle != 0 || sym&sEscape != 0 || sym&sHigh != 0 {
		add = append(add, markers(u.Text)...)
	}
	if sym&sAngle != 0 || sum.has(hTurn) {
		add = append(add, delimiters(u.Text, kind)...)
	}
	if sym&(sAngle|sParen) != 0 || sum.has(hGap) {
		add = append(add, markupHits(u.Text, kind)...)
	}
	if !u.negative() {
		if strings.Contains(u.Text, "data:") {
			add = append(add, dataURIs(u.Text)...)
		}
		if sum.has(hLong|hNumbers) || sym&(sEscape|sHash) != 0 || sum.has(hDecode) {
			add = append(add, encodedHits(u.Text)...)
		}
	}
	f.hits = append(f.hits, add...)
}

// hidesKeyword reports whether invisible characters split a word the rules
// know.
func hidesKeyword(text string, s, e int) bool {
	from, to := s, e
	for from > 0 && (isAlnum(text[from-1]) || text[from-1] >= 0x80) && s-from < 40 {
		from--
	}
	for to < len(text) && (isAlnum(text[to]) || text[to] >= 0x80) && to-e < 40 {
		to++
	}
	l, _ := readable(text[from:to])
	w := lowerASCII(strings.Trim(l.text, ".,;:"))
	return len(w) > 2 && from < s && to > e && (lex().words[w]&(cOverride|cRules|cHost|cSecret|cConceal|cExec|cSend|cFetch|cShell|cGuard|cPersist|cObey) != 0 || commandNames.has(w))
}

// prose runs the rules about meaning.
func (f *UnitFacts) prose(u *Unit, sw swept) {
	sym := sw.sym
	text := u.Text
	if u.Kind == RouteCell || u.Kind == AlwaysLoad {
		f.hits = append(f.hits, routes(u)...)
	}
	f.roles = roles(u, sw.heat, sw.class, sym)
	run := func(text string) []hit { return unitRules(u, text) }
	var raw []hit
	if sym&(sHigh|sControl) != 0 || gated(u, sw) {
		raw = run(text)
	}
	f.hits = append(f.hits, raw...)
	if sym&(sHigh|sEscape) != 0 {
		if l, changed := readable(text); changed {
			for _, h := range run(l.text) {
				h.start, h.end = l.at(h.start), l.at(h.end)
				if !sameHit(raw, h) {
					layer := layerRule(text[h.start:max(h.start, min(h.end, len(text)))])
					f.hits = append(f.hits, h, hit{layer, Error, h.start, h.end, "hides from plain reading: " + h.msg, false})
				}
			}
		}
	}
	if u.Kind == DemoBody && u.negative() {
		if len(f.hits) > 0 || len(demoHits(text)) > 0 {
			f.roles |= antidote
		}
		f.hits = nil
	}
	switch u.Kind {
	case ManifestString, FrontmatterValue, Legend, TableCell:
		f.hits = append(f.hits, oddPlace(u, f.hits)...)
	case YAMLComment:
		f.hits = appendHidden(f.hits, strings.TrimLeft(text, "# "), 0, len(text), "a comment in the frontmatter")
	}
}

// gated reports whether the rules about meaning have to read the unit.
func gated(u *Unit, sw swept) bool {
	switch u.Kind {
	case Content, Reason, Loose, OtherFile, DemoBody:
		return sw.loud
	}
	return true
}

// layerRule names the trick that kept a hit from the raw text.
func layerRule(s string) string {
	if strings.ContainsAny(s, "&\\") && !strings.ContainsFunc(s, invisible) && isASCII(s) {
		return "encoded-payload"
	}
	if strings.ContainsFunc(s, invisible) {
		return "hidden-unicode"
	}
	if isASCII(s) {
		return "encoded-payload"
	}
	return "homoglyph"
}

func sameHit(hits []hit, h hit) bool {
	for _, o := range hits {
		if o.rule == h.rule {
			return true
		}
	}
	return false
}

// unitRules applies prose and command rules as the unit's kind asks.
func unitRules(u *Unit, text string) []hit {
	switch u.Kind {
	case DemoBody:
		return demoHits(text)
	case Content:
		m := orders
		if u.Type == "claim" {
			m = statements
		}
		if u.Type == "demonstration" {
			if u.negative() {
				return nil
			}
			return demoHits(text)
		}
		return proseRules(text, m, Content, false).hits
	case Reason:
		if u.negative() {
			return nil
		}
		return proseRules(text, statements, Reason, false).hits
	case AgentsLine, TableCell, AlwaysLoad:
		return proseRules(text, orders, u.Kind, false).hits
	case ManifestString, FrontmatterValue, Legend:
		return proseRules(text, orders, u.Kind, true).hits
	case Loose, OtherFile:
		hits := proseRules(text, documents, u.Kind, false).hits
		return append(hits, fenced(text)...)
	}
	return nil
}

// demoHits judges the body of a demonstration that is to be imitated: all of
// it as commands, and as prose.
func demoHits(text string) []hit {
	hits := commandHits(text)
	r := proseRules(spoken(text), documents, DemoBody, false)
	for _, h := range r.hits {
		if !sameHit(hits, h) {
			hits = append(hits, h)
		}
	}
	if s, e, ok := forgedConsent(text); ok {
		hits = append(hits, hit{"authority-spoof", Error, s, e, "imitates a consent or a tool result", false})
	}
	return hits
}

// spoken blanks the lines that somebody else says in a dialogue: what a user
// or an attacker asks for in a demonstration is not what the agent does.
func spoken(text string) string {
	if strings.IndexByte(text, ':') < 0 {
		return text
	}
	b := []byte(text)
	for i := 0; i < len(text); {
		e := lineEnd(text, i)
		line := lowerASCII(strings.TrimLeft(text[i:e], " \t*>-\""))
		for _, who := range []string{"user", "customer", "attacker", "visitor", "human", "client", "email", "page", "ticket", "guest", "web page", "caller", "comment", "issue", "request", "prompt", "q", "question", "stranger", "student", "reader", "input", "mail", "message", "before", "bad", "wrong", "don't"} {
			if rest, ok := strings.CutPrefix(line, who); ok && strings.HasPrefix(strings.TrimLeft(rest, "* "), ":") {
				for k := i; k < e; k++ {
					b[k] = ' '
				}
			}
		}
		i = e + 1
	}
	return string(b)
}

// fenced judges code blocks of a document.
func fenced(text string) []hit {
	var out []hit
	for i := 0; ; {
		at := strings.Index(text[i:], "```")
		if at < 0 {
			return out
		}
		s := i + at
		nl := strings.IndexByte(text[s:], '\n')
		if nl < 0 {
			return out
		}
		e := strings.Index(text[s+nl:], "```")
		if e < 0 {
			return out
		}
		for _, h := range commandHits(text[s+nl : s+nl+e]) {
			h.start += s + nl
			h.end += s + nl
			if h.rule == "remote-exec" || h.rule == "destructive" || h.rule == "supply-chain" || h.rule == "persistence" || h.rule == "tool-hijack" || h.rule == "secret-access" {
				// What a person may copy from a manual is no order to an agent.
				h.docs = true
			}
			out = append(out, h)
		}
		i = s + nl + e + 3
	}
}

// oddPlace marks orders in strings that only label things.
func oddPlace(u *Unit, hits []hit) []hit {
	for _, h := range hits {
		if h.sev >= Warning {
			return []hit{{"odd-place", Warning, h.start, h.end, "gives orders where only a label belongs", false}}
		}
	}
	r := parseProse(u.Text)
	if len(r.toks) < 4 {
		return nil
	}
	order, act := -1, -1
	for i := range r.toks {
		t := &r.toks[i]
		switch t.text {
		case "always", "never", "must", "please", "ignore", "obey":
			if order < 0 {
				order = i
			}
		}
		if t.kind == word && order >= 0 && i > order && t.c.has(cSend|cExec|cFetch|cOverride|cObey|cWrite|cDestroy|cRead) {
			act = i
		}
	}
	if order >= 0 && act >= 0 && (r.all.has(cURL|cSecret|cPersist|cShell) || r.toks[order].text == "ignore" || r.toks[order].text == "obey" || u.Kind == ManifestString || u.Kind == FrontmatterValue || u.Kind == Legend) {
		return []hit{{"odd-place", Warning, r.toks[order].start, r.toks[act].end, "gives orders where only a label belongs", false}}
	}
	if u.Kind == TableCell && containsAny(lowerASCII(u.Text), []string{"before reading the request", "last rule", "above all other", "overrides", "whatever the request", "ignore the other rows", "ignore other rows", "regardless of the task", "instead of the other"}) {
		return []hit{{"odd-place", Warning, 0, len(u.Text), "a routing row gives orders beside its task", false}}
	}
	return nil
}

// routes judges the file names of a routing row or always-load item.
func routes(u *Unit) []hit {
	var out []hit
	for i := 0; i < len(u.Text); {
		for i < len(u.Text) && strings.IndexByte(" \t,`|*-—()<>[]\"'", u.Text[i]) >= 0 {
			i++
		}
		s := i
		for i < len(u.Text) && strings.IndexByte(" \t,`|()<>[]\"'", u.Text[i]) < 0 {
			i++
		}
		w := strings.TrimRight(u.Text[s:i], ".;")
		if w == "" {
			continue
		}
		l := lowerASCII(w)
		escapes := strings.HasPrefix(l, "/") && len(l) > 1 || strings.HasPrefix(l, "~") || strings.Contains(l, "../") || l == ".." || strings.Contains(l, `..\`) || strings.Contains(l, "://") || strings.HasPrefix(l, "$") || strings.HasPrefix(l, "file:") || len(l) > 2 && l[1] == ':' && l[2] == '\\' || strings.HasPrefix(l, "%2e%2e") || strings.Contains(l, "%2e%2e%2f") || strings.Contains(l, "..%2f") || strings.HasPrefix(l, `\\`)
		if !escapes && (strings.HasPrefix(l, ".") && len(l) > 2 && l[1] != '/' && !strings.HasPrefix(l, "..")) && u.Kind == RouteCell {
			escapes = true
		}
		if escapes {
			out = append(out, hit{"route-escape", Error, s, s + len(w), "a route leads out of the pack", false})
			if pathConcept(l).has(cSecret) {
				out = append(out, hit{"secret-access", Error, s, s + len(w), "a route loads secrets into the context", false})
			}
		}
		if u.Kind == AlwaysLoad {
			break
		}
	}
	if u.Kind == AlwaysLoad {
		return append(out, oddPlace(&Unit{Kind: TableCell, Text: u.Text}, nil)...)
	}
	return out
}

// Input is what [Judge] works on. Units holds, in load order, at least every
// unit with facts; Facts runs parallel to it. All, when set, yields the units of
// every pack in load order; it is only called when some unit could be part of an
// assembly, and may leave out the units of blocks that want turns down.
type Input struct {
	Units []*Unit
	Facts []*UnitFacts
	All   func(want func(block string) bool, yield func(*Unit) bool)
}

// Judge turns facts into findings: the verdicts on single units and what only
// shows when units are put together. The result is sorted by pack, file,
// offset and rule, and is the same for the same units in any order of files.
func Judge(in Input) []Finding {
	var out []Finding
	var roles role
	for i, u := range in.Units {
		f := in.Facts[i]
		if f == nil {
			continue
		}
		roles |= f.roles
		out = append(out, findings(u, f)...)
	}
	if roles != 0 {
		out = append(out, assemble(in)...)
	}
	slices.SortStableFunc(out, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(a.Pack, b.Pack), cmp.Compare(a.File, b.File), cmp.Compare(a.Start, b.Start), cmp.Compare(a.Rule, b.Rule), cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.End, b.End))
	})
	return dedupe(out)
}

func findings(u *Unit, f *UnitFacts) []Finding {
	var out []Finding
	for i, h := range f.hits {
		start, end := max(0, min(h.start, len(u.Text))), max(0, min(h.end, len(u.Text)))
		if end <= start {
			end = min(len(u.Text), start+1)
		}
		if h.docs && u.Kind == OtherFile {
			h.sev = Info
		}
		g := Finding{Rule: h.rule, Severity: h.sev, Place: Place{Pack: u.Pack, File: u.File, Start: u.Offset + start, End: u.Offset + end, Message: h.msg}}
		if i < len(f.fixes) && f.fixes[i][0] >= 0 {
			x := f.fixes[i]
			g.Fix, g.Title = []Edit{{u.Offset + x[0], u.Offset + x[1], ""}}, "Delete the invisible characters"
		}
		if h.rule == "marker-forge" && strings.HasPrefix(u.Text[start:], "<!--") {
			g.Fix, g.Title = []Edit{{u.Offset + start, u.Offset + start + 4, "&lt;!--"}}, "Write the marker as text"
		}
		out = append(out, g)
	}
	return out
}

// Structure judges what only the text of a whole capability file shows: a brace
// that ends a demonstration early, a second frontmatter.
func Structure(file, text string) []Finding {
	var out []Finding
	for _, h := range reopened(text) {
		out = append(out, Finding{Rule: h.rule, Severity: h.sev, Place: Place{File: file, Start: h.start, End: h.end, Message: h.msg}})
	}
	return out
}

// dedupe keeps one finding per rule and place; a whole and its part are one.
func dedupe(in []Finding) []Finding {
	out := in[:0]
	for _, f := range in {
		same := -1
		for i := len(out) - 1; i >= 0 && out[i].File == f.File && out[i].Pack == f.Pack && i >= len(out)-40; i-- {
			o := &out[i]
			if o.Rule == f.Rule && f.Start < o.End && f.End > o.Start {
				same = i
				break
			}
		}
		if same < 0 {
			out = append(out, f)
			continue
		}
		if o := &out[same]; f.Severity > o.Severity || f.Severity == o.Severity && len(f.Related) > len(o.Related) {
			if len(f.Related) == 0 {
				f.Related = o.Related
			}
			if len(f.Fix) == 0 {
				f.Fix, f.Title = o.Fix, o.Title
			}
			f.Start = min(f.Start, o.Start)
			*o = f
		}
	}
	return out
}
