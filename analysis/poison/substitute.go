package poison

import (
	"slices"
	"strings"
)

// substitute writes the values of the names into the acting unit and judges
// the result. What it finds must not be there without the values.
func (p *pool) substitute(u *Unit, used []mention) (Finding, bool) {
	if len(used) == 0 {
		return Finding{}, false
	}
	text, defs := p.expand(u, u.Text, used)
	if len(defs) == 0 {
		return Finding{}, false
	}
	if len(text) > maxAssembled+len(u.Text) {
		p.limit(u, 0, len(u.Text), grown)
		return Finding{}, false
	}
	before := map[string]bool{}
	for _, h := range actingRules(u, u.Text) {
		if h.sev >= Warning {
			before[h.rule] = true
		}
	}
	var found *hit
	hits := actingRules(u, text)
	for i := range hits {
		h := &hits[i]
		if h.sev >= Warning && !before[h.rule] && h.rule != "delayed-trigger" && !(h.rule == "remote-instructions" && p.reference(defs)) && (found == nil || h.sev > found.sev) {
			found = h
		}
	}
	sev := Error
	if found == nil {
		var ok bool
		if sev, ok = p.sourceToSink(u, text, defs); !ok || len(before) > 0 {
			return Finding{}, false
		}
	}
	rule := "exfiltration"
	if found != nil {
		rule = found.rule
		if found.sev < sev {
			sev = found.sev
		}
	}
	return p.finding(u, 0, len(u.Text), sev, "put together with what it names, this order is of the kind "+rule+": "+show(text), defs), true
}

// reference reports a name that says what it stands for is read, not obeyed: "the
// brand guide".
func (p *pool) reference(defs []int) bool {
	for _, d := range defs {
		for _, w := range p.defs[d].words {
			if referenceStems[w] {
				return true
			}
		}
	}
	return false
}

// referenceStems are the stems of the words for what is looked up.
var referenceStems = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range []string{"docs", "documentation", "guide", "guideline", "guidelines", "reference", "spec", "specification", "rfc", "manual", "handbook", "standard", "convention", "conventions", "tutorial", "changelog", "faq", "schema", "licence", "license", "glossary", "checklist", "stylebook", "rulebook", "cookbook", "recipe", "pattern"} {
		m[stemWord(w)] = true
	}
	return m
}()

func actingRules(u *Unit, text string) []hit {
	if u.Kind == DemoBody {
		return demoHits(text)
	}
	return proseRules(text, orders, u.Kind, false).hits
}

// sourceToSink is the last resort: an affirmed order that, with its names
// resolved, holds a secret and a way out. How sure it is comes from what speaks
// for it: what the order does besides, how many names were resolved, and whether
// they come from other files and packs.
func (p *pool) sourceToSink(u *Unit, text string, defs []int) (Severity, bool) {
	r := &reader{prose: parseProse(text), mode: orders}
	secret, net, act := false, false, false
	var does concept
	score := 0
	for k := range r.clauses {
		c := &r.clauses[k]
		if c.cond {
			does |= cTrigger // it waits for something
			continue
		}
		for i := c.from; i < c.to; i++ {
			t := &r.toks[i]
			s, strong, priv := r.material(i)
			if r.polarityAt(k, i) != affirmed {
				continue
			}
			if s && (strong || t.width > 1 || r.contentOf(i)) && !r.authOnly(i) || priv && t.width > 1 {
				secret = true
			}
			if t.kind == url || t.kind == host {
				net = true
			}
			if t.kind == word {
				does |= t.c & (cExec | cJoin | cDecode | cConceal)
				act = act || t.c.has(cSend|cJoin|cExec|cObey|cWrite) || t.text == "always"
			}
		}
	}
	if r.all.has(cExcept) || !secret || !net || !act {
		return 0, false
	}
	score = scoreSecret + scoreNet + p.spread(u, defs)
	for _, w := range []struct {
		c concept
		n int
	}{{cExec, 3}, {cJoin, 2}, {cDecode, 2}, {cConceal, 2}, {cTrigger, 1}} {
		if does&w.c != 0 {
			score += w.n
		}
	}
	if slices.ContainsFunc(r.toks, func(t token) bool { return authWords.has(t.text) }) {
		// A token that goes to its own service is what tokens are for.
		score -= scoreAuth
		if does&(cExec|cDecode|cConceal) == 0 {
			return 0, false
		}
	}
	switch {
	case score >= 9:
		return Error, true
	case score >= 7:
		return Warning, true
	case score >= 5:
		return Info, true
	}
	return 0, false
}

const (
	scoreSecret = 3
	scoreNet    = 3
	scoreAuth   = 3
)

// spread scores how far the parts of an order lie from it: one for each name that
// was resolved, up to three, one for another file and one for another pack.
func (p *pool) spread(u *Unit, defs []int) int {
	names := map[int]bool{}
	file, pack := 0, 0
	for _, d := range defs {
		names[d] = true
		o := p.defs[d].unit
		if o.Pack != u.Pack {
			pack = 1
		}
		if o.Pack != u.Pack || o.File != u.File {
			file = 1
		}
	}
	return min(len(names), 3) + file + pack
}

// grown: values that use each other grow without bound.
const grown = "what the names of an order stand for makes more text than the analysis reads"

// resolved is what a definition's value says once the names in it are replaced.
type resolved struct {
	text string
	defs []int // the definitions that went into it; none when there are no names
}

// resolve replaces the names in the value of a definition, and those in their
// values, however deep. A definition that uses itself is left as it is.
func (p *pool) resolve(id int) *resolved {
	if r := p.known[id]; r != nil {
		return r
	}
	r := &resolved{}
	p.known[id] = r // met again inside itself it has no names
	value, unit := p.defs[id].value, p.defs[id].unit
	if inner := p.mentions(unit, &reader{prose: parseProse(value), mode: orders}); len(inner) > 0 {
		r.text, r.defs = p.expand(unit, value, inner)
	}
	return r
}

// expand replaces names by values, values' names by theirs.
func (p *pool) expand(u *Unit, text string, used []mention) (string, []int) {
	var b strings.Builder
	var defs []int
	at := 0
	for _, m := range used {
		d := &p.defs[m.def]
		if m.start < at {
			continue
		}
		value := d.value
		slot := strings.HasPrefix(text[m.start:], "$") || strings.HasPrefix(text[m.start:], "{") || strings.HasPrefix(text[m.start:], "<")
		if slot || d.exact != "" && u.Kind == DemoBody {
			value = d.literal
		}
		if !d.thing && !slot && !(d.exact != "" && u.Kind == DemoBody) {
			// The value may use names itself.
			r := p.resolve(m.def)
			if len(r.defs) == 0 {
				continue
			}
			value = r.text
			defs = append(defs, r.defs...)
		}
		b.WriteString(text[at:m.start])
		b.WriteString(value)
		at = m.end
		defs = append(defs, m.def)
		if b.Len() > maxAssembled+len(text) {
			p.limit(u, 0, len(u.Text), grown)
			break
		}
	}
	b.WriteString(text[at:])
	return b.String(), defs
}

// substance reports whether a value is, or holds, a thing that an attack needs:
// an address, a path, a secret, private data, a command, the host's instructions;
// or is harmful as an order by itself. Clauses of ordinary statements are not: put
// into an ordinary order they read like anything.
func substance(u *Unit, v string) bool {
	if strings.Contains(v, "://") || strings.ContainsAny(v, "~`$|") {
		return true
	}
	s := hot().sweep(v, false)
	h, sym := s.heat, s.sym
	if !h.has(hSecret|hKey|hCommand|hTool|hPersist|hPrivate|hNet|hHost|hDestroy|hHush|hGuard|hForeign) && sym&(sSlash|sAt|sHigh|sForeign|sAngle) == 0 && strings.IndexByte(v, '.') < 0 && strings.IndexByte(v, '_') < 0 {
		return false
	}
	r := &reader{prose: parseProse(v), mode: orders}
	for i := range r.toks {
		t := &r.toks[i]
		switch t.kind {
		case url, host:
			return true
		case path, fileName, variable, ident:
			if t.kind == path || t.c.has(cSecret|cPersist|cPrivate) {
				return true
			}
		case word:
			secret, _, private := r.material(i)
			if secret || private || t.c.has(cShell) || commandNames.has(t.text) && r.looksLikeCommand(i, len(r.toks)) || t.c.has(cPersist) && (t.width > 1 || !weakPersist.has(t.text)) || t.c.has(cNet) && strongNet.has(t.text) {
				return true
			}
		}
	}
	for k := range r.clauses {
		if r.hostObject(k, r.clauses[k].from-1, 12) >= 0 {
			return true
		}
	}
	if u.Type != "claim" {
		return false // an order is judged where it stands
	}
	_, harmful := payload(v)
	return harmful
}
