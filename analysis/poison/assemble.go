package poison

import (
	"slices"
	"strings"
)

const (
	maxDefinitions = 4000
	maxActors      = 2000
	maxPieces      = 12
	maxAssembled   = 16 << 10
)

// pool is everything an assembly can draw on.
type pool struct {
	units []*Unit
	defs  []definition
	// byWord indexes definitions by the stems of their names.
	byWord map[string][]int
	demos  []*Unit // demonstrations with bodies
	held   map[*Unit]string
	cut    bool // some limit was hit
	// cues is the text of all units that speak of ciphers, and cueUnits these.
	cues     string
	cueUnits []*Unit
}

// assemble looks for payloads that only exist across units.
func assemble(in Input) []Finding {
	p := &pool{byWord: map[string][]int{}, held: map[*Unit]string{}}
	each := in.All
	if each == nil {
		each = func(_ func(string) bool, yield func(*Unit) bool) {
			for _, u := range in.Units {
				if !yield(u) {
					return
				}
			}
		}
	}
	want, ok := wanted(in)
	if !ok {
		return nil
	}
	each(want, func(u *Unit) bool {
		if u.Kind != Raw {
			p.units = append(p.units, u)
		}
		return true
	})
	if len(p.units) == 0 {
		return nil
	}
	for _, u := range p.units {
		if low := lowerASCII(u.Text); len(p.cues) < maxAssembled && containsAny(low, cipherCues) {
			p.cues += low + "\n"
			p.cueUnits = append(p.cueUnits, u)
		}
		if u.Kind == DemoBody || u.Type == "demonstration" && u.Kind == Content {
			p.demos = append(p.demos, u)
		}
		if len(p.defs) > maxDefinitions {
			p.cut = true
			break
		}
		if u.Kind == ManifestString || u.Kind == RouteCell || u.negative() || !defines(u) {
			continue
		}
		p.defs = append(p.defs, define(u)...)
	}
	p.bridges()
	for i := range p.defs {
		d := &p.defs[i]
		for _, w := range d.words {
			p.byWord[w] = append(p.byWord[w], i)
		}
		if d.exact != "" {
			p.byWord[d.exact] = append(p.byWord[d.exact], i)
		}
	}
	var out []Finding
	actors := 0
	for _, u := range p.units {
		if !canAct(u) {
			continue
		}
		if actors++; actors > maxActors {
			p.cut = true
			break
		}
		out = append(out, p.act(u)...)
	}
	out = append(out, p.seriesAlone(out)...)
	out = append(out, p.ciphered(out)...)
	if p.cut {
		u := p.units[0]
		out = append(out, Finding{Rule: "fragment-assembly", Severity: Error, Place: Place{Pack: u.Pack, File: u.File, Start: u.Offset, End: u.Offset + min(1, len(u.Text)), Message: "not fully analysed: the pack holds more definitions and orders than the analysis puts together"}, Related: []Place{place(p.units[len(p.units)-1], 0, 1, "the analysis stopped before the end of the pack")}})
	}
	return out
}

// defines reports whether a unit's definitions can matter to any verdict: it
// names something sensitive or a piece of a series, or it gives a name in
// quotes. Ordinary statements define a great many things, and putting those into
// ordinary orders finds nothing but noise.
func defines(u *Unit) bool {
	h, sym := hot().sweep(u.Text)
	return roles(u, h, sym)&(sensitive|series) != 0 || gate(h, sym, u.Type == "claim") || sym&(sQuote|sTick|sAngle|sBrace|sDollar) != 0 || quoted(u.Text)
}

// quoted reports typographic quotes.
func quoted(s string) bool {
	return strings.Contains(s, "\u201c") || strings.Contains(s, "\u00ab") || strings.Contains(s, "\u201e") || strings.Contains(s, "\u300c")
}

// bridges adds the definitions that say what a thing is by the name of another
// one: "the suitcase is what the green folder holds".
func (p *pool) bridges() {
	var keys keySet
	for i := range p.defs {
		if worthExpanding(p.defs[i].value) {
			keys.addName(&p.defs[i])
		}
	}
	if keys.n == 0 {
		return
	}
	for _, u := range p.units {
		if len(p.defs) > maxDefinitions {
			p.cut = true
			return
		}
		if u.Type == "directive" || u.Type == "goal" || u.Kind == ManifestString || u.Kind == RouteCell || u.negative() || defines(u) || !keys.in(u.Text) {
			continue
		}
		for _, d := range define(u) {
			if keys.in(d.value) {
				p.defs = append(p.defs, d)
			}
		}
	}
}

// wanted decides which blocks an assembly has to look at: those with a role,
// demonstrations, and those that may use a name that a sensitive unit defines.
// ok is false when nothing can come of it.
func wanted(in Input) (want func(string) bool, ok bool) {
	var keys keySet
	defs, actors, all := 0, false, false
	for i, u := range in.Units {
		f := in.Facts[i]
		if f == nil || u.Kind == Raw || f.roles == 0 {
			continue
		}
		if f.roles&(actor|series) != 0 || f.roles&caller != 0 {
			actors = true
			all = all || spellCue(lowerASCII(u.Text))
		}
		if f.roles&antidote != 0 {
			actors = true
		}
		if f.roles&(sensitive|series) == 0 || u.negative() {
			continue
		}
		for _, d := range define(u) {
			defs++
			keys.addName(&d)
		}
	}
	if defs == 0 && !actors {
		return nil, false
	}
	return func(block string) bool {
		if all || strings.HasPrefix(block, "[demo") || keys.in(block) {
			return true
		}
		h, sym := hot().sweep(block)
		return sym&sHigh != 0 || roles(&Unit{Kind: Content, Type: "directive", Text: block}, h, sym) != 0 || roles(&Unit{Kind: Content, Type: "claim", Text: block}, h, sym) != 0
	}, true
}

func canAct(u *Unit) bool {
	switch u.Kind {
	case AgentsLine, Loose, Reason, TableCell, AlwaysLoad:
		return true
	case Content:
		return u.Type == "directive" || u.Type == "goal" || u.Type == ""
	case DemoBody:
		return !u.negative()
	}
	return false
}

func place(u *Unit, s, e int, msg string) Place {
	return Place{Pack: u.Pack, File: u.File, Start: u.Offset + min(s, len(u.Text)), End: u.Offset + min(max(e, s+1), len(u.Text)), Message: msg}
}

// act tries every assembly for one acting unit.
func (p *pool) act(u *Unit) []Finding {
	r := &reader{prose: parseProse(u.Text), mode: orders, kind: u.Kind}
	used := p.mentions(u, r)
	used = append(used, p.ordinalRefs(u, r)...)
	h, sym := hot().sweep(u.Text)
	does, acting := roles(u, h, sym), gate(h, sym, false)
	if len(used) == 0 && does == 0 && !acting && !spellCue(lowerASCII(u.Text)) {
		return nil // names nothing, joins nothing, runs nothing
	}
	slices.SortFunc(used, func(a, b mention) int { return a.start - b.start })
	if f, ok := p.substitute(u, used); ok {
		return []Finding{f}
	}
	var out []Finding
	if does&actor != 0 || len(used) > 1 {
		if f, ok := p.join(u, r, used); ok {
			return append(out, f)
		}
	}
	if f, ok := p.revive(u, r); ok {
		out = append(out, f)
	}
	if f, ok := p.spell(u, r); ok {
		out = append(out, f)
	}
	if acting {
		if f, ok := p.chain(u, r); ok {
			out = append(out, f)
		}
	}
	if len(out) == 0 {
		if f, ok := p.blind(u, r, used); ok {
			out = append(out, f)
		}
	}
	return out
}

func (p *pool) finding(u *Unit, s, e int, sev Severity, msg string, defs []int) Finding {
	f := Finding{Rule: "fragment-assembly", Severity: sev, Place: place(u, s, e, msg)}
	seen := map[[2]int]bool{}
	for _, d := range defs {
		def := &p.defs[d]
		key := [2]int{def.unit.Offset + def.start, d}
		if seen[key] {
			continue
		}
		seen[key] = true
		f.Related = append(f.Related, place(def.unit, def.start, def.end, "defines a part: "+show(def.literal)))
	}
	return f
}

// covered reports whether the fragments of f already are part of a finding.
func covered(found []Finding, f Finding) bool {
	for _, o := range found {
		for _, r := range o.Related {
			for _, s := range f.Related {
				if r.File == s.File && r.Start == s.Start && r.Pack == s.Pack {
					return true
				}
			}
		}
	}
	return false
}
