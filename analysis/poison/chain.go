package poison

import "strings"

// chain: another unit sets the condition of a harmful order.
func (p *pool) chain(u *Unit, r *reader) (Finding, bool) {
	harm := ""
	for _, h := range actingRules(u, u.Text) {
		if h.sev >= Warning {
			harm = h.rule
		}
	}
	if harm == "" {
		return Finding{}, false
	}
	for k := range r.clauses {
		c := &r.clauses[k]
		if !c.cond {
			continue
		}
		words := map[string]bool{}
		for i := c.from; i < c.to; i++ {
			if t := &r.toks[i]; t.kind == word && !stopWords.has(t.text) && !t.c.has(cCond) && !everyday.has(stemWord(t.text)) && len(t.text) > 3 {
				words[stemWord(t.text)] = true
			}
		}
		if len(words) < 2 {
			continue
		}
		for _, s := range p.units {
			if s == u || s.Kind != Content && s.Kind != Loose && s.Kind != Reason || s.Type == "demonstration" || s.File == u.File && s.Offset == u.Offset {
				continue
			}
			sp := parseProse(s.Text)
			n := 0
			seen := map[string]bool{}
			for i := range sp.toks {
				if sp.clauses[sp.owner[i]].cond {
					continue // it waits for the same and sets nothing
				}
				w := stemWord(sp.toks[i].text)
				if words[w] && !seen[w] {
					seen[w] = true
					n++
				}
			}
			if n >= 2 && n*3 >= len(words)*2 && (sp.all.has(cTrigger|cValue) || strings.ContainsAny(s.Text, "\"“")) {
				return Finding{
					Rule: "fragment-assembly", Severity: Warning, Place: place(u, 0, len(u.Text), "its condition is set elsewhere, and the order behind it is of the kind "+harm),
					Related: []Place{place(s, 0, len(s.Text), "sets the condition")},
				}, true
			}
		}
	}
	return Finding{}, false
}
