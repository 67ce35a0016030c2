package poison

import (
	"slices"
	"strings"
)

const (
	maxDefinitions = 4000
	maxActors      = 2000
	// maxPieces is how many parts are put together at once, maxSeries how many of
	// those that look cut out of something.
	maxPieces    = 12
	maxSeries    = 64
	maxAssembled = 16 << 10
	// maxMentions is how many names of other units one order may use.
	maxMentions = 1024
)

// pool is everything an assembly can draw on.
type pool struct {
	need  *need
	units []*Unit
	defs  []definition
	// byWord indexes definitions by the stems of their names.
	byWord map[string][]int
	// spare are definitions of no thing. They fill slots of templates, and what
	// they say may be a cipher.
	spare  []definition
	bySlot map[string][]int
	// names holds the names of all definitions.
	names keySet
	demos []*Unit // demonstrations with bodies
	ids   keySet  // of negative ones
	held  map[*Unit]string
	cuts  []Finding // the limits that were reached, each once
	known map[int]*resolved
	// cues is the text of all units that speak of ciphers, and cueUnits these.
	cues     string
	cueUnits []*Unit
	stamps   []int // see mentions
	stamp    int
}

// assemble looks for payloads that only exist across units. What it puts
// together is things: an address, a secret, a command, a piece of one. Where no
// unit holds any, it ends with the facts and reads no text.
func assemble(in Input) []Finding {
	need := wanted(in)
	if need.nothing() {
		return nil
	}
	p := &pool{need: need, byWord: map[string][]int{}, held: map[*Unit]string{}, known: map[int]*resolved{}}
	if need.alone() {
		return p.unseen(in)
	}
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
	each(need.block, func(u *Unit) bool {
		if u.Kind != Raw {
			p.units = append(p.units, u)
		}
		return true
	})
	if len(p.units) == 0 {
		return nil
	}
	for _, u := range p.units {
		s := hot().sweep(u.Text, u.Type == "claim")
		if s.class.has(kCue) {
			if low := lowerASCII(u.Text); containsAny(low, cipherCues) {
				p.cues = addCues(p.cues, low)
				p.cueUnits = append(p.cueUnits, u)
			}
		}
		if u.Kind == DemoBody || u.Type == "demonstration" && u.Kind == Content {
			p.demos = append(p.demos, u)
			if u.negative() && u.Illustrates != "" {
				p.ids.add(strings.FieldsFunc(lowerASCII(u.Illustrates), separates)...)
			}
		}
		if len(p.defs) > maxDefinitions {
			p.limit(u, 0, len(u.Text), manyDefinitions)
			break
		}
		if u.Kind == ManifestString && !labelled(u.Text) || u.Kind == RouteCell || u.negative() || !defines(u, s) {
			continue
		}
		ciphers := need.roles&cue != 0 && (need.roles&speller != 0 || mayDecode(u.Text))
		for _, d := range define(u) {
			switch d.thing = substance(u, d.value); {
			case d.thing || d.path || d.fragment():
				p.define(d)
			case ciphers || need.fills:
				p.spare = append(p.spare, d)
			}
		}
	}
	p.bridges()
	if need.fills {
		p.slots()
	}
	out := p.actors(in)
	out = append(out, p.seriesAlone(out)...)
	out = append(out, p.ciphered(out)...)
	return append(out, p.cuts...)
}

// actors tries every assembly for the units that act.
func (p *pool) actors(in Input) []Finding {
	if n := *p.need; p.names.n == 0 {
		if n.roles &^= cue; n.alone() {
			return p.unseen(in)
		}
	}
	var out []Finding
	actors := 0
	for _, u := range p.units {
		if !canAct(u) {
			continue
		}
		o, ok := p.order(u)
		if !ok {
			continue
		}
		if actors++; actors > maxActors {
			p.limit(u, 0, len(u.Text), "the pack holds more orders than the analysis puts together")
			break
		}
		out = append(out, p.act(&o)...)
	}
	return out
}

// unseen looks for orders that put parts together which no unit holds.
func (p *pool) unseen(in Input) []Finding {
	var out []Finding
	for i, u := range in.Units {
		if f := in.Facts[i]; f == nil || f.roles&actor == 0 || !canAct(u) || !mayJoin(u.Text) {
			continue
		}
		r := &reader{prose: parseProse(u.Text), mode: orders, kind: u.Kind}
		if f, ok := p.blind(u, r, nil); ok {
			out = append(out, f)
		}
	}
	return out
}

const manyDefinitions = "the pack holds more definitions than the analysis puts together"

// limit notes that a bound was reached, once for each: what is behind it is not
// judged, and a gate must not take that for clean.
func (p *pool) limit(u *Unit, start, end int, why string) {
	msg := unfinished + ": " + why
	for i := range p.cuts {
		if p.cuts[i].Message == msg {
			return
		}
	}
	f := Finding{Rule: "fragment-assembly", Severity: Error, Place: place(u, start, end, msg)}
	if n := len(p.units); n > 0 {
		f.Related = []Place{place(p.units[n-1], 0, 1, "the pack goes on to here")}
	}
	p.cuts = append(p.cuts, f)
}

// define enters a definition.
func (p *pool) define(d definition) {
	i := len(p.defs)
	p.defs = append(p.defs, d)
	p.names.addName(&d)
	if len(d.words) > 1 && pieceLike(&d) {
		// One of a row is called by what tells it from the others: "green, blue and red".
		p.names.add(d.words[0])
	}
	for _, w := range d.words {
		p.byWord[w] = append(p.byWord[w], i)
	}
	if d.exact != "" {
		p.byWord[d.exact] = append(p.byWord[d.exact], i)
	}
}

// slots enters the spare definitions under what slots may be called.
func (p *pool) slots() {
	p.bySlot = map[string][]int{}
	for _, d := range p.spare {
		if len(p.defs) > maxDefinitions {
			p.limit(d.unit, d.start, d.end, manyDefinitions)
			return
		}
		if len(d.words) != 1 && d.exact == "" {
			continue
		}
		i := len(p.defs)
		p.defs = append(p.defs, d)
		if len(d.words) == 1 {
			p.bySlot[d.words[0]] = append(p.bySlot[d.words[0]], i)
		}
		if d.exact != "" {
			p.bySlot[d.exact] = append(p.bySlot[d.exact], i)
		}
	}
}

// separates cuts the label of a demonstration into words.
func separates(r rune) bool { return r == '-' || r == '_' || r == ' ' || r == '.' }

// labelled reports a string of the manifest that says what a name stands for: a
// source "bill: ~/x", where an ordinary one is a title or an address.
func labelled(s string) bool {
	name, value, ok := strings.Cut(s, ": ")
	return ok && name != "" && len(name) < 60 && !strings.Contains(name, "/") && (strings.Contains(value, "://") || strings.HasPrefix(value, "~/") || strings.HasPrefix(value, "/") || strings.ContainsAny(value, "`$|") || strings.Contains(value, "/."))
}

// defines reports whether a unit's definitions can matter to any verdict: it
// names something sensitive or a piece of a series, or it gives a name in
// quotes. Ordinary statements define a great many things, and putting those into
// ordinary orders finds nothing but noise.
func defines(u *Unit, s swept) bool {
	return u.Kind == Legend && s.sym&sColon != 0 && s.sym&sSlash != 0 || s.loud || roles(u, s.heat, s.class, s.sym)&(sensitive|series) != 0 || s.sym&(sQuote|sTick|sAngle|sBrace|sDollar) != 0 || quoted(u.Text)
}

// quoted reports typographic quotes.
func quoted(s string) bool {
	return strings.Contains(s, "\u201c") || strings.Contains(s, "\u00ab") || strings.Contains(s, "\u201e") || strings.Contains(s, "\u300c")
}

// bridges adds the definitions that say what a thing is by the name of another
// one: "the suitcase is what the green folder holds".
func (p *pool) bridges() {
	if p.names.n == 0 {
		return
	}
	keys := p.names
	for _, u := range p.units {
		if len(p.defs) > maxDefinitions {
			p.limit(u, 0, len(u.Text), manyDefinitions)
			return
		}
		if u.Type == "directive" || u.Type == "goal" || u.Kind == ManifestString || u.Kind == RouteCell || u.negative() || !keys.in(u.Text) {
			continue
		}
		for _, d := range define(u) {
			if keys.in(d.value) && !substance(u, d.value) && !d.path && !d.fragment() {
				p.define(d)
			}
		}
	}
}

// need is what the facts say an assembly has to look at.
type need struct {
	roles role // of all units
	names keySet
	// harm: an order does harm, whose condition may be set elsewhere.
	harm  bool
	fills bool // an order fills a template
}

// wanted reads the facts. Names are those that sensitive units and pieces of
// series define.
func wanted(in Input) *need {
	n := &need{}
	for i, u := range in.Units {
		f := in.Facts[i]
		if f == nil || u.Kind == Raw {
			continue
		}
		n.roles |= f.roles
		n.harm = n.harm || canAct(u) && f.flagged()
		n.fills = n.fills || f.roles&actor != 0 && containsAny(lowerASCII(u.Text), templates)
		if f.roles&antidote != 0 && u.Illustrates != "" {
			n.names.add(strings.FieldsFunc(lowerASCII(u.Illustrates), separates)...)
		}
		if f.roles&(sensitive|series) == 0 || u.negative() || u.Kind == ManifestString && !labelled(u.Text) || u.Kind == RouteCell {
			continue
		}
		for _, d := range define(u) {
			if d.path || d.fragment() || substance(u, d.value) {
				n.names.addName(&d)
			}
		}
	}
	return n
}

// nothing reports that nothing can come of an assembly.
func (n *need) nothing() bool {
	return n.names.n == 0 && n.roles&(actor|speller|pointer|cue) == 0 && n.roles&(antidote|caller) != antidote|caller && !n.harm
}

// alone reports that the units with facts say it all: parts are joined out of
// sight.
func (n *need) alone() bool {
	return n.names.n == 0 && n.roles&(speller|pointer|cue) == 0 && n.roles&(antidote|caller) != antidote|caller && !n.harm && !n.fills
}

// block reports whether a block belongs into the pool: those with a role,
// demonstrations, and those that may use a name that a sensitive unit defines.
func (n *need) block(text string) bool {
	if n.roles&(speller|pointer|cue) != 0 || n.harm || strings.HasPrefix(text, "[demo") || n.names.in(text) {
		return true
	}
	s := hot().sweep(text, true)
	h, sym := s.heat, s.sym
	return sym&(sHigh|sTypo) != 0 && quoted(text) || roles(&Unit{Kind: Content, Type: "directive", Text: text}, h, s.class, sym) != 0 || roles(&Unit{Kind: Content, Type: "claim", Text: text}, h, s.class, sym) != 0
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

// order is a unit that acts, with what its words say it may do.
type order struct {
	unit                   *Unit
	does                   role
	chains, revives, joins bool
}

// order reports whether a unit uses a name, or its words say that it reads, joins
// or revives something: only then is it parsed.
func (p *pool) order(u *Unit) (order, bool) {
	s := hot().sweep(u.Text, false)
	o := order{unit: u, does: roles(u, s.heat, s.class, s.sym)}
	o.chains = p.need.harm && s.loud
	o.revives = p.need.roles&antidote != 0 && (s.loud || o.does&caller != 0 || p.ids.in(u.Text))
	o.joins = o.does&actor != 0 && (len(p.defs) > 0 || mayJoin(u.Text))
	return o, o.chains || o.revives || o.joins || o.does&(speller|pointer) != 0 || p.names.in(u.Text)
}

// act tries every assembly for one acting unit.
func (p *pool) act(o *order) []Finding {
	u, does := o.unit, o.does
	r := &reader{prose: parseProse(u.Text), mode: orders, kind: u.Kind}
	used := p.mentions(u, r)
	if does&pointer != 0 {
		used = append(used, p.ordinalRefs(u, r)...)
	}
	slices.SortFunc(used, func(a, b mention) int { return a.start - b.start })
	if f, ok := p.substitute(u, used); ok {
		return []Finding{f}
	}
	var out []Finding
	if len(p.defs) > 0 && (o.joins || len(used) > 1 || p.row(r)) {
		if f, ok := p.join(u, r, used); ok {
			return append(out, f)
		}
	}
	if o.revives {
		if f, ok := p.revive(u, r); ok {
			out = append(out, f)
		}
	}
	if does&speller != 0 {
		if f, ok := p.spell(u, r); ok {
			out = append(out, f)
		}
	}
	if o.chains {
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

// row reports an order that names two or more pieces of a row by what tells them
// apart: of "the red crate" and "the green crate", red and green.
func (p *pool) row(r *reader) bool {
	if !r.all.has(cJoin) {
		return false
	}
	heads := map[string]int{}
	for i := range r.toks {
		t := &r.toks[i]
		if t.kind != word || stopWords.has(t.text) {
			continue
		}
		for _, id := range p.byWord[stemWord(t.text)] {
			d := &p.defs[id]
			if n := len(d.words); n > 1 && n < 4 && d.words[0] == stemWord(t.text) && pieceLike(d) {
				if heads[d.words[n-1]]++; heads[d.words[n-1]] > 1 {
					return true
				}
			}
		}
	}
	return false
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
