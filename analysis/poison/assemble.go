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

// keySet holds the first four letters of the words of names.
type keySet struct {
	bits [1 << 11]uint32
	n    int
}

func keyHash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s) && i < 4; i++ {
		f := fold[s[i]]
		if s[i] >= 0x80 {
			f = s[i]
		}
		h = (h ^ uint32(f)) * 16777619
	}
	return h ^ h>>16
}

// addName enters the longest word of a name.
func (k *keySet) addName(d *definition) {
	best := ""
	for _, w := range append([]string{d.exact}, d.words...) {
		for p := range strings.FieldsFuncSeq(w, func(r rune) bool { return r < 0x80 && fold[byte(r)] == 0 }) {
			if len(p) > len(best) && !everyday[p] {
				best = p
			}
		}
	}
	if best == "" {
		return
	}
	h := keyHash(best)
	k.bits[h>>5&(1<<11-1)] |= 1 << (h & 31)
	k.n++
}

// in reports whether a text has a word that starts like one of the names.
func (k *keySet) in(s string) bool {
	if k.n == 0 {
		return false
	}
	for i := 0; i < len(s); {
		for i < len(s) && fold[s[i]] == 0 && s[i] < 0x80 {
			i++
		}
		w := i
		for i < len(s) && (fold[s[i]] != 0 || s[i] >= 0x80) {
			i++
		}
		if i > w {
			if h := keyHash(s[w:min(i, w+4)]); k.bits[h>>5&(1<<11-1)]&(1<<(h&31)) != 0 {
				return true
			}
		}
	}
	return false
}

func spellCue(low string) bool {
	return containsAny(low, []string{"first word", "opening word", "leading word", "starting word", "initial word", "last word", "final word", "closing word", "first letter", "initial letter", "initials", "acrostic", "leading letter", "opening letter", "first character", "capital letter", "second word", "third word", "last letter", "final letter"}) || refCue(low)
}

// refCue: "the second source", "the third rule of": positions count over units
// that nothing else would ask for.
func refCue(low string) bool {
	return containsAny(low, []string{"first source", "second source", "third source", "fourth source", "last source", "first entry", "second entry", "third entry", "first rule", "second rule", "third rule", "last rule", "first claim", "second claim", "third claim", "last claim", "first fact", "second fact", "first directive", "second directive", "opening rule", "opening line", "first item", "second item", "third item", "first example", "second example", "first line of", "second line of"})
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

// mention is a use of a definition's name in an acting unit.
type mention struct {
	def        int
	start, end int // bytes of the name in the unit
	at         int // token
}

// mentions finds the definitions whose names the unit uses.
func (p *pool) mentions(u *Unit, r *reader) []mention {
	cand := map[int]bool{}
	for i := range r.toks {
		t := &r.toks[i]
		if t.kind == punct {
			continue
		}
		for _, key := range []string{stemWord(t.text), stemWord(strings.Trim(t.text, "${}<>")), strings.Trim(t.text, "${}<>"), t.text} {
			for _, d := range p.byWord[key] {
				cand[d] = true
			}
		}
	}
	var out []mention
	ids := make([]int, 0, len(cand))
	for d := range cand {
		ids = append(ids, d)
	}
	slices.Sort(ids)
	for _, d := range ids[:min(len(ids), 256)] {
		def := &p.defs[d]
		if def.unit == u || def.unit.Kind == u.Kind && def.unit.Offset == u.Offset && def.unit.File == u.File && def.unit.Pack == u.Pack {
			continue
		}
		for from := 0; from < len(r.toks); {
			m, ok := findNameFrom(r, def, from)
			if !ok {
				break
			}
			m.def = d
			out = append(out, m)
			for from < len(r.toks) && r.toks[from].start < m.end {
				from++
			}
		}
	}
	slices.SortFunc(out, func(a, b mention) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.def - b.def
	})
	return out
}

// ordinalRefs resolves "the second source listed in content-strategy.md", "the
// first rule of copy-voice.md".
func (p *pool) ordinalRefs(u *Unit, r *reader) []mention {
	var out []mention
	for i := 0; i+1 < len(r.toks); i++ {
		n, ok := ordinals[r.toks[i].text]
		if !ok || r.toks[i].text == "a" || r.toks[i].text == "i" {
			continue
		}
		kind := refNouns[stemWord(r.toks[i+1].text)]
		if kind == 0 {
			continue
		}
		file, end := "", i+1
		for j := i + 2; j < min(len(r.toks), i+10); j++ {
			if r.toks[j].kind == fileName {
				file, end = r.toks[j].text, j
				break
			}
		}
		k := 0
		var last, hit *Unit
		for _, s := range p.units {
			if s == u || file != "" && lowerASCII(s.File[strings.LastIndexByte(s.File, '/')+1:]) != file {
				continue
			}
			switch kind {
			case 1:
				if s.Kind != Legend {
					continue
				}
				// The url belongs to the title before it.
				if strings.Contains(s.Text, "://") && last != nil {
					if k == n {
						hit = s
					}
					continue
				}
			case 2:
				if s.Kind != Content && s.Kind != DemoBody {
					continue
				}
			case 3:
				if s.Kind != DemoBody && s.Type != "demonstration" {
					continue
				}
			}
			k++
			last = s
			if k == n || n >= 90 {
				hit = s
			}
		}
		if hit == nil {
			continue
		}
		p.defs = append(p.defs, definition{unit: hit, value: strings.TrimSpace(hit.Text), literal: strings.TrimSpace(hit.Text), end: len(hit.Text), path: true})
		out = append(out, mention{def: len(p.defs) - 1, start: r.toks[i].start, end: r.toks[end].end, at: i})
	}
	return out
}

var refNouns = map[string]int{"sourc": 1, "source": 1, "entry": 1, "legend": 1, "rul": 2, "rule": 2, "claim": 2, "fact": 2, "directiv": 2, "directive": 2, "line": 2, "item": 2, "note": 2, "exampl": 3, "example": 3, "demo": 3, "demonstration": 3, "sampl": 3, "sample": 3}

// findName finds the name of a definition in r: the exact name, or all its
// words close to each other.
func findName(r *reader, d *definition) (mention, bool) { return findNameFrom(r, d, 0) }

func findNameFrom(r *reader, d *definition, from int) (mention, bool) {
	if d.exact != "" && (d.path || !strings.Contains(d.exact, " ")) {
		for i := from; i < len(r.toks); i++ {
			t := strings.Trim(r.toks[i].text, "${}<>`'\" ")
			if t == d.exact || d.path && strings.HasSuffix(t, "/"+d.exact) {
				return mention{start: r.toks[i].start, end: r.toks[i].end, at: i}, true
			}
		}
	}
	if d.path || len(d.words) == 0 {
		return mention{}, false
	}
	if len(d.words) == 1 {
		// A slot of a template may have any name.
		for i := from; i < len(r.toks); i++ {
			if t := &r.toks[i]; t.kind == variable && stemWord(strings.Trim(t.text, "${}<> ")) == d.words[0] {
				return mention{start: t.start, end: t.end, at: i}, true
			}
		}
	}
	// Words of a single-word name must not be everyday words.
	if len(d.words) == 1 && d.exact == "" && (len(d.words[0]) < 3 || everyday[d.words[0]]) {
		return mention{}, false
	}
	best := mention{start: -1}
	for i := from; i < len(r.toks); i++ {
		if stemWord(r.toks[i].text) != d.words[0] && !contains(d.words, stemWord(r.toks[i].text)) {
			continue
		}
		left := len(d.words)
		seen := map[string]bool{}
		first, last := i, i
		for j := i; j < min(len(r.toks), i+2*len(d.words)+6); j++ {
			t := &r.toks[j]
			if t.kind == punct && (t.text == "." || t.text == ";") {
				break
			}
			w := stemWord(t.text)
			if contains(d.words, w) && !seen[w] {
				seen[w] = true
				left--
				last = j
			}
			if left == 0 {
				break
			}
		}
		distinct := map[string]bool{}
		for _, w := range d.words {
			distinct[w] = true
		}
		if len(seen) == len(distinct) {
			// The first place, as tight as it can be read there.
			if best.start >= 0 && r.toks[first].start > best.end {
				break
			}
			if best.start < 0 || last-first < r.tokDistance(best) {
				best = mention{start: r.toks[first].start, end: r.toks[last].end, at: first}
			}
		}
	}
	return best, best.start >= 0
}

func (r *reader) tokDistance(m mention) int {
	n := 0
	for i := range r.toks {
		if r.toks[i].start >= m.start && r.toks[i].end <= m.end {
			n++
		}
	}
	return n - 1
}

func contains(list []string, w string) bool { return slices.Contains(list, w) }

// everyday words are no names by themselves.
var everyday = set("plan", "team", "user", "file", "task", "app", "rule", "page", "product", "goal", "list", "step", "test", "project", "agent", "code", "work", "time", "day", "week", "price", "customer", "pack", "system", "build", "release", "branch", "draft", "post", "email", "mail", "tool", "data", "line", "voice", "tone", "copy", "brand", "word", "note", "report", "answer", "question", "session", "number", "result", "it", "they", "we", "he", "she", "that", "this", "one", "style", "format", "review", "commit", "change", "issue", "ticket", "version", "api", "url", "link", "company", "office")

// substitute writes the values of the names into the acting unit and judges
// the result. What it finds must not be there without the values.
func (p *pool) substitute(u *Unit, used []mention) (Finding, bool) {
	if len(used) == 0 {
		return Finding{}, false
	}
	text, defs := p.expand(u, u.Text, used, 0)
	if len(defs) == 0 || len(text) > maxAssembled {
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
		if h.sev >= Warning && !before[h.rule] && h.rule != "delayed-trigger" && (found == nil || h.sev > found.sev) {
			found = h
		}
	}
	sev := Error
	if found == nil {
		var ok bool
		if ok, sev = sourceToSink(u, text); !ok || len(before) > 0 {
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

func actingRules(u *Unit, text string) []hit {
	if u.Kind == DemoBody {
		return demoHits(text)
	}
	return proseRules(text, orders, u.Kind, false).hits
}

// sourceToSink is the last resort: an affirmed order that, with its names
// resolved, holds a secret and a way out.
func sourceToSink(_ *Unit, text string) (bool, Severity) {
	r := &reader{prose: parseProse(text), mode: orders}
	secret, net, act := false, false, false
	for k := range r.clauses {
		c := &r.clauses[k]
		if c.cond {
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
			if t.kind == word && (t.c.has(cSend|cJoin|cExec|cObey|cWrite) || t.text == "always") {
				act = true
			}
		}
	}
	if r.all.has(cExcept) || !secret || !net || !act {
		return false, 0
	}
	for i := range r.toks {
		if authWords[r.toks[i].text] {
			return false, 0
		}
	}
	return true, Error
}

// expand replaces names by values, values' names by theirs, up to depth four.
func (p *pool) expand(u *Unit, text string, used []mention, depth int) (string, []int) {
	var b strings.Builder
	var defs []int
	at := 0
	for _, m := range used {
		d := &p.defs[m.def]
		if m.start < at {
			continue
		}
		value := d.value
		if strings.HasPrefix(text[m.start:], "$") || strings.HasPrefix(text[m.start:], "{") || strings.HasPrefix(text[m.start:], "<") || d.exact != "" && u.Kind == DemoBody {
			value = d.literal
		}
		if !worthExpanding(value) && u.Kind != DemoBody && !strings.HasPrefix(text[m.start:], "$") && !strings.HasPrefix(text[m.start:], "{") {
			// The value may use names itself.
			inner := p.mentions(d.unit, &reader{prose: parseProse(value), mode: orders})
			if depth >= 3 || len(inner) == 0 {
				continue
			}
			v, more := p.expand(d.unit, value, inner, depth+1)
			if len(more) == 0 {
				continue
			}
			value = v
			defs = append(defs, more...)
		}
		b.WriteString(text[at:m.start])
		b.WriteString(value)
		at = m.end
		defs = append(defs, m.def)
		if b.Len() > maxAssembled {
			break
		}
	}
	b.WriteString(text[at:])
	return b.String(), defs
}

// worthExpanding keeps definitions out that could not change a verdict.
func worthExpanding(v string) bool {
	low := lowerASCII(v)
	if strings.Contains(low, "://") || strings.ContainsAny(v, "~`$|") || strings.Contains(low, ".env") || commandLike(low) {
		return true
	}
	var sum concept
	for w := range strings.FieldsFuncSeq(low, func(r rune) bool {
		return !(r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '\'')
	}) {
		sum |= lex().words[strings.Trim(w, ".")]
	}
	return sum.has(cSecret | cPrivate | cURL | cShell | cPersist | cOverride | cHost | cExec | cSend | cNet | cDestroy | cConceal | cFetch | cGuard)
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

// join puts pieces together and judges what they spell.
func (p *pool) join(u *Unit, r *reader, used []mention) (Finding, bool) {
	low := lowerASCII(u.Text)
	joins := r.all.has(cJoin) || containsAny(low, []string{"before the", "after the", "followed by", "then the", "in order", "each", "both", "together"})
	decodes := r.all.has(cDecode)
	template := containsAny(low, []string{"template", "fill", "placeholder", "slot", "blank", "skeleton", "form letter", "variables", "substitut"})
	if !joins && !decodes && !template {
		return Finding{}, false
	}
	if r.negatedOrder() {
		return Finding{}, false
	}
	if template {
		if f, ok := p.fill(u, r); ok {
			return f, true
		}
	}
	var pieces []mention
	pieces = append(pieces, used...)
	// Pieces that share a noun with the order.
	have := map[int]bool{}
	for _, m := range pieces {
		have[m.def] = true
	}
	words := map[string]int{}
	for i := range r.toks {
		if t := &r.toks[i]; t.kind != punct && !stopWords[t.text] {
			if _, ok := words[stemWord(t.text)]; !ok {
				words[stemWord(t.text)] = i
			}
		}
	}
	for d := range p.defs {
		def := &p.defs[d]
		if have[d] || def.path || def.unit == u {
			continue
		}
		n, at := 0, 0
		for _, w := range def.words {
			if i, ok := words[w]; ok && ordinals[w] == 0 && !everyday[w] {
				n++
				at = i
			}
		}
		if n > 0 && (def.index > 0 || n >= 2 || def.exact != "" || pieceLike(def)) {
			pieces = append(pieces, mention{def: d, at: at, start: r.toks[at].start})
		}
	}
	if len(pieces) == 0 || len(pieces) > 60 {
		return Finding{}, false
	}
	return p.concat(u, pieces, low)
}

// pieceLike reports a value that looks cut out of something.
func pieceLike(d *definition) bool {
	return strings.ContainsAny(d.value, "\"`") || encodedPiece(d.literal) && !strings.Contains(d.literal, " ")
}

// negatedOrder reports an order that as a whole forbids.
func (r *reader) negatedOrder() bool {
	for k := range r.clauses {
		c := &r.clauses[k]
		if c.cond {
			continue
		}
		for i := c.from; i < c.to; i++ {
			if r.toks[i].c.has(cJoin|cDecode|cExec|cObey) && r.toks[i].kind == word {
				return r.polarityAt(k, i) != affirmed
			}
		}
	}
	return false
}

// concat tries the orders, separators and transforms that the acting unit may
// mean.
func (p *pool) concat(u *Unit, pieces []mention, low string) (Finding, bool) {
	if len(pieces) > maxPieces {
		pieces = pieces[:maxPieces]
	}
	byIndex := slices.Clone(pieces)
	slices.SortStableFunc(byIndex, func(a, b mention) int { return p.defs[a.def].index - p.defs[b.def].index })
	byMention := slices.Clone(pieces)
	slices.SortStableFunc(byMention, func(a, b mention) int { return a.start - b.start })
	byLoad := slices.Clone(pieces)
	slices.SortStableFunc(byLoad, func(a, b mention) int { return a.def - b.def })
	ordersList := [][]mention{byIndex, byMention, byLoad}
	if len(pieces) == 2 {
		ordersList = append(ordersList, []mention{pieces[1], pieces[0]})
	}
	tried := map[string]bool{}
	for _, o := range ordersList {
		var indexed []mention
		for _, m := range o {
			if p.defs[m.def].index > 0 {
				indexed = append(indexed, m)
			}
		}
		for _, sel := range [][]mention{o, indexed} {
			if len(sel) == 0 {
				continue
			}
			for _, sep := range []string{"", " "} {
				var b strings.Builder
				for k, m := range sel {
					if k > 0 {
						b.WriteString(sep)
					}
					b.WriteString(p.defs[m.def].literal)
				}
				text := b.String()
				if tried[text] || len(text) > maxAssembled {
					continue
				}
				tried[text] = true
				rule, shown, ok := p.spells(text, low, len(sel))
				if !ok || !p.cutOut(sel) && !hasCommand(shown) {
					continue
				}
				defs := make([]int, 0, len(sel))
				for _, m := range sel {
					defs = append(defs, m.def)
				}
				return p.finding(u, 0, len(u.Text), Error, "the parts it puts together make text of the kind "+rule+": "+show(shown), defs), true
			}
		}
	}
	return Finding{}, false
}

// cutOut reports whether one of the parts shows that it is one: it is quoted,
// coded, has a name of its own or stands alone as a single piece of a series.
// Values of ordinary statements, put one behind the other, can read like anything.
func (p *pool) cutOut(sel []mention) bool {
	for _, m := range sel {
		d := &p.defs[m.def]
		if pieceLike(d) || d.exact != "" || quoted(d.unit.Text) || d.literal != d.value || len(strings.Fields(d.literal)) <= 3 {
			return true
		}
	}
	return false
}

func hasCommand(text string) bool { return len(commandHits(text)) > 0 }

// spells judges an assembled text, as it is and under the transforms the order
// names.
func (p *pool) spells(text, low string, n int) (rule, shown string, ok bool) {
	if n > 1 {
		if rule, ok := payload(text); ok {
			return rule, text, true
		}
	}
	for _, t := range transforms(text, low) {
		if rule, ok := payload(t); ok {
			return rule, t, true
		}
	}
	return "", "", false
}

// payload is actionFacts for a text that an agent is told to carry out.
func payload(text string) (string, bool) {
	if len(strings.TrimSpace(text)) < 6 {
		return "", false
	}
	for _, h := range commandHits(text) {
		if h.sev >= Warning {
			return h.rule, true
		}
	}
	r := proseRules(text, orders, OtherFile, true)
	for _, h := range r.hits {
		if h.sev >= Warning {
			return h.rule, true
		}
	}
	low := lowerASCII(text)
	if strings.Contains(low, "://") && containsAny(low, []string{"curl ", "wget ", "| sh", "|sh", "| bash", "|bash", "bash ", "eval"}) || containsAny(low, []string{"rm -rf", "|bash", "| bash"}) {
		return "remote-exec", true
	}
	return "", false
}

// transforms applies what the order's words call for.
func transforms(text, low string) []string {
	var out []string
	if d, ok := base64Text(strings.Map(noSpace, text)); ok {
		out = append(out, d)
	}
	if d, ok := hexText(strings.Map(noSpace, text)); ok {
		out = append(out, d)
	}
	for _, d := range decodings(text) {
		out = append(out, d.text)
	}
	if containsAny(low, []string{"revers", "backward", "right to left", "mirror", "end to start", "last to first", "flip"}) {
		out = append(out, reverse(text), reverseWords(text))
	}
	if containsAny(low, []string{"rot13", "rot 13", "rot-13", "caesar", "shift", "rotate", "thirteen"}) {
		out = append(out, rot13(text))
	}
	if containsAny(low, []string{"first letter", "initial", "acrostic"}) {
		out = append(out, segment(initials(text)))
	}
	if containsAny(low, []string{"every second word", "every other word", "alternate word"}) {
		out = append(out, everyNth(text, 2, 0), everyNth(text, 2, 1))
	}
	if strings.Contains(low, "every third word") {
		out = append(out, everyNth(text, 3, 0), everyNth(text, 3, 2))
	}
	return out
}

func noSpace(r rune) rune {
	if r == ' ' || r == '\n' || r == '\t' {
		return -1
	}
	return r
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func reverseWords(s string) string {
	w := strings.Fields(s)
	slices.Reverse(w)
	return strings.Join(w, " ")
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func initials(s string) string {
	var b strings.Builder
	for w := range strings.FieldsSeq(s) {
		for _, r := range w {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				b.WriteRune(r)
				break
			}
		}
	}
	return strings.ToLower(b.String())
}

func everyNth(s string, n, off int) string {
	var out []string
	for i, w := range strings.Fields(s) {
		if i%n == off {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

var small = set("the", "to", "a", "of", "all", "and", "in", "at", "keys", "them", "it", "your", "file", "host", "me", "my", "you", "rule", "rules", "old", "env", "dot")

// segment cuts a run of letters into words the vocabulary knows.
func segment(s string) string {
	n := len(s)
	if n == 0 || n > 400 {
		return s
	}
	cost := make([]int, n+1)
	back := make([]int, n+1)
	for i := 1; i <= n; i++ {
		cost[i] = cost[i-1] + 10
		back[i] = i - 1
		for l := 1; l <= 14 && l <= i; l++ {
			w := s[i-l : i]
			if lex().words[w] == 0 && !small[w] || l == 1 && w != "a" {
				continue
			}
			if c := cost[i-l] + 1 + max(0, 4-l); c < cost[i] {
				cost[i], back[i] = c, i-l
			}
		}
	}
	var words []string
	for i := n; i > 0; i = back[i] {
		words = append(words, s[back[i]:i])
	}
	slices.Reverse(words)
	return strings.Join(words, " ")
}

// fill completes a template in a demonstration with the values of claims.
func (p *pool) fill(u *Unit, r *reader) (Finding, bool) {
	for _, d := range p.demos {
		if d.Illustrates != "" && !p.namesDemo(r, d) && !strings.Contains(lowerASCII(u.Text), "template") {
			continue
		}
		dr := &reader{prose: parseProse(d.Text), mode: orders, kind: DemoBody}
		used := p.mentions(d, dr)
		text, defs := p.expand(&Unit{Kind: DemoBody}, d.Text, used, 0)
		if len(defs) == 0 {
			continue
		}
		rule, ok := payload(text)
		if !ok {
			continue
		}
		if _, already := payload(d.Text); already {
			continue
		}
		f := p.finding(u, 0, len(u.Text), Error, "the template it fills becomes text of the kind "+rule+": "+show(text), defs)
		f.Related = append([]Place{place(d, 0, len(d.Text), "the template")}, f.Related...)
		return f, true
	}
	return Finding{}, false
}

// namesDemo reports whether the order names a demonstration: by its illustrates
// label, by its file, or by what it is.
func (p *pool) namesDemo(r *reader, d *Unit) bool {
	low := lowerASCII(r.text)
	if d.Illustrates != "" {
		l := lowerASCII(d.Illustrates)
		if strings.Contains(low, l) || strings.Contains(low, strings.ReplaceAll(l, "-", " ")) {
			return true
		}
		words := strings.FieldsFunc(l, func(c rune) bool { return c == '-' || c == '_' || c == ' ' })
		n := 0
		for _, w := range words {
			if len(w) > 2 && r.hasStem(stemWord(w)) {
				n++
			}
		}
		if n >= 2 && n == len(words) {
			return true
		}
		if len(words) == 1 && n == 1 && len(words[0]) > 3 && containsAny(low, []string{"example", "demo", "template", "snippet", "block", "sample"}) {
			return true
		}
	}
	name := d.File[strings.LastIndexByte(d.File, '/')+1:]
	if strings.Contains(low, lowerASCII(name)) && containsAny(low, []string{"example", "demo", "snippet", "block", "command", "listing", "script", "negative", "rejected"}) {
		return true
	}
	if !d.negative() {
		return false
	}
	return containsAny(low, []string{"rejected example", "negative example", "bad example", "anti-example", "anti example", "negative demo", "rejected demo", "unsafe example", "wrong example", "forbidden example", "example marked", "counter-example", "counterexample", "what the negative", "crossed-out", "bad demo", "rejected one", "rejected snippet", "rejected command", "rejected block", "do-not example", "example of what not"})
}

func (r *reader) hasStem(s string) bool {
	for i := range r.toks {
		if stemWord(r.toks[i].text) == s {
			return true
		}
	}
	return false
}

// revive: an order carries out a negative demonstration.
func (p *pool) revive(u *Unit, r *reader) (Finding, bool) {
	if u.Kind == DemoBody || !r.all.has(cExec|cObey|cRef) {
		return Finding{}, false
	}
	for _, d := range p.demos {
		if !d.negative() || !p.namesDemo(r, d) {
			continue
		}
		runs := false
		for k := range r.clauses {
			for i := r.clauses[k].from; i < r.clauses[k].to; i++ {
				t := &r.toks[i]
				if t.kind == word && !t.quoted && (t.c.has(cExec|cObey) || reviveVerbs[t.text]) && r.acts(k, i) && !r.clauses[k].cond {
					runs = true
				}
			}
		}
		if !runs {
			continue
		}
		rule, ok := p.holds(d)
		if !ok {
			continue
		}
		return Finding{
			Rule: "fragment-assembly", Severity: Error, Place: place(u, 0, len(u.Text), "carries out a negative demonstration, which holds text of the kind "+rule),
			Related: []Place{place(d, 0, len(d.Text), "the demonstration: "+show(d.Text))},
		}, true
	}
	return Finding{}, false
}

// holds is the kind of payload in a demonstration; every order that names one
// asks, so the answer is kept.
func (p *pool) holds(d *Unit) (string, bool) {
	if r, ok := p.held[d]; ok {
		return r, r != ""
	}
	rule, ok := payload(d.Text)
	if !ok {
		if hits := demoHits(d.Text); len(hits) > 0 {
			rule, ok = hits[0].rule, true
		}
	}
	if !ok {
		rule = ""
	}
	p.held[d] = rule
	return rule, ok
}

var reviveVerbs = set("run", "execute", "use", "copy", "follow", "apply", "do", "repeat", "perform", "paste", "reproduce", "imitate", "type", "start", "replay", "reuse", "carry", "try", "enter", "take", "treat", "issue", "launch", "invoke", "mirror", "adopt", "emulate")

// spell: the order reads first words, initials or the like out of other units.
func (p *pool) spell(u *Unit, r *reader) (Finding, bool) {
	low := lowerASCII(u.Text)
	type reading struct {
		cue []string
		get func(string) string
		sep string
	}
	firstWord := func(s string) string { return nth(s, 0) }
	lastWord := func(s string) string { f := strings.Fields(s); return strings.Trim(nthOf(f, len(f)-1), ".,;:!?\"'") }
	readings := []reading{
		{[]string{"first word", "opening word", "leading word", "starting word", "initial word"}, firstWord, " "},
		{[]string{"last word", "final word", "closing word"}, lastWord, " "},
		{[]string{"first letter", "initial letter", "initials", "acrostic", "leading letter", "opening letter", "first character", "capital letter"}, func(s string) string { return initials(firstWord(s)) }, ""},
		{[]string{"second word"}, func(s string) string { return nth(s, 1) }, " "},
		{[]string{"third word"}, func(s string) string { return nth(s, 2) }, " "},
		{[]string{"last letter", "final letter"}, func(s string) string {
			w := lastWord(s)
			if w == "" {
				return ""
			}
			return w[len(w)-1:]
		}, ""},
	}
	for _, rd := range readings {
		if !containsAny(low, rd.cue) || r.negatedOrder() || !r.all.has(cObey|cExec|cRead|cDecode|cJoin) {
			continue
		}
		var sources []*Unit
		for _, s := range p.units {
			if s == u || s.Kind != Content && s.Kind != Loose && s.Kind != Reason && s.Kind != Legend && s.Kind != TableCell || s.Text == "" {
				continue
			}
			if !p.inScope(low, s) {
				continue
			}
			sources = append(sources, s)
		}
		if len(sources) < 2 {
			continue
		}
		var words []string
		for _, s := range sources {
			words = append(words, rd.get(s.Text))
		}
		text := strings.Join(words, rd.sep)
		cands := []string{text, reverseWords(text)}
		if rd.sep == "" {
			cands = []string{segment(strings.ToLower(text))}
		}
		msg, sev := "", Error
		for _, c := range cands {
			if rule, ok := payload(c); ok {
				msg = "the words it reads out of other units make text of the kind " + rule + ": " + show(c)
				break
			}
			if rule, ok := actionFacts(c, 1); ok {
				msg = "the words it reads out of other units make text of the kind " + rule + ": " + show(c)
				break
			}
		}
		if msg == "" {
			if !containsAny(low, []string{"obey", "follow", "carry out", "do what", "execute", "run ", "act on", "treat as"}) {
				continue
			}
			msg, sev = "reads an order out of words that other units hide: "+show(cands[0]), Warning
		}
		f := Finding{Rule: "fragment-assembly", Severity: sev, Place: place(u, 0, len(u.Text), msg)}
		for i, s := range sources {
			if i == 16 {
				break
			}
			f.Related = append(f.Related, place(s, 0, min(len(s.Text), 24), "gives "+show(words[i])))
		}
		return f, true
	}
	return Finding{}, false
}

// inScope limits a reading to the file or the kind of unit the order names.
func (p *pool) inScope(low string, s *Unit) bool {
	name := lowerASCII(s.File[strings.LastIndexByte(s.File, '/')+1:])
	if strings.Contains(low, ".md") {
		return strings.Contains(low, name)
	}
	if stem := strings.TrimSuffix(name, ".md"); strings.Contains(low, strings.ReplaceAll(stem, "-", " ")) {
		return true
	}
	switch {
	case strings.Contains(low, "claim") || strings.Contains(low, "fact"):
		return s.Type == "claim"
	case strings.Contains(low, "legend") || strings.Contains(low, "source"):
		return s.Kind == Legend
	case strings.Contains(low, "reason"):
		return s.Kind == Reason
	case strings.Contains(low, "directive") || strings.Contains(low, "rule"):
		return s.Type == "directive"
	}
	return s.Kind == Content
}

func nth(s string, i int) string { return strings.Trim(nthOf(strings.Fields(s), i), ".,;:!?\"'") }

func nthOf(f []string, i int) string {
	if i < 0 || i >= len(f) {
		return ""
	}
	return f[i]
}

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
			if t := &r.toks[i]; t.kind == word && !stopWords[t.text] && !t.c.has(cCond) && !everyday[stemWord(t.text)] && len(t.text) > 3 {
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

// blind: parts are joined or decoded and run, and the parts are not in sight.
func (p *pool) blind(u *Unit, r *reader, used []mention) (Finding, bool) {
	if u.Kind == DemoBody {
		return Finding{}, false
	}
	join, run, part := -1, -1, -1
	for k := range r.clauses {
		c := &r.clauses[k]
		if c.cond {
			continue
		}
		for i := c.from; i < c.to; i++ {
			t := &r.toks[i]
			if t.kind == path || t.kind == fileName || t.code {
				return Finding{}, false
			}
			if t.kind != word || t.quoted {
				continue
			}
			if join < 0 && (joinVerbs[t.text] || t.c.has(cDecode) && decodeVerbs[t.text]) && r.acts(k, i) {
				join = i
			}
			if join >= 0 && i > join && runParts[t.text] && r.acts(k, i) {
				run = i
			}
			if t.c.has(cPart | cRef) {
				part = i
			}
		}
	}
	if join < 0 || run < 0 || part < 0 {
		return Finding{}, false
	}
	obj := false
	for j := run + 1; j < min(len(r.toks), run+8); j++ {
		if blindObjects[r.toks[j].text] {
			obj = true
		}
	}
	if !obj || r.userAsked(0) {
		return Finding{}, false
	}
	return Finding{
		Rule: "fragment-assembly", Severity: Warning,
		Place:   place(u, r.toks[join].start, r.toks[run].end, "puts a text together out of parts and carries it out unseen"),
		Related: []Place{place(u, r.toks[run].start, r.toks[min(run+4, len(r.toks)-1)].end, "carries out the result")},
	}, true
}

var (
	joinVerbs    = set("join", "concatenate", "combine", "assemble", "merge", "glue", "stitch", "splice", "piece", "string", "reassemble", "put", "connect", "fuse", "chain", "reconstruct", "rebuild")
	decodeVerbs  = set("decode", "reverse", "decipher", "unscramble", "decrypt", "unpack", "deobfuscate", "decompress", "base64", "unrot")
	runParts     = set("run", "execute", "obey", "eval", "evaluate", "carry", "perform", "follow", "launch", "pipe", "invoke", "pass", "enter", "feed", "source", "start")
	blindObjects = set("result", "it", "them", "outcome", "output", "text", "whole", "command", "line", "sentence", "that", "bash", "sh", "shell", "terminal", "out", "python", "what", "sum", "phrase")
)

// seriesAlone: numbered pieces that spell a payload without anybody joining
// them in sight.
func (p *pool) seriesAlone(found []Finding) []Finding {
	groups := map[string][]mention{}
	var keys []string
	for i := range p.defs {
		d := &p.defs[i]
		if d.index == 0 || d.path {
			continue
		}
		for _, w := range d.words {
			if ordinals[w] > 0 || everyday[w] {
				continue
			}
			if groups[w] == nil {
				keys = append(keys, w)
			}
			groups[w] = append(groups[w], mention{def: i, start: i})
		}
	}
	var out []Finding
	for _, k := range keys {
		g := groups[k]
		if len(g) < 2 || len(g) > maxPieces {
			continue
		}
		f, ok := p.concat(p.defs[g[0].def].unit, g, "")
		if !ok || covered(found, f) || covered(out, f) {
			continue
		}
		if len(f.Related) > 1 {
			f.Start, f.End = f.Related[0].Start, f.Related[0].End
			f.Related = f.Related[1:]
			out = append(out, f)
		}
	}
	return out
}

var cipherCues = []string{"rot13", "rot 13", "rot-13", "thirteen", "caesar", "cipher", "backward", "revers", "right to left", "mirror", "base64", "base 64", "hex", "ascii", "character code", "code point"}

// ciphered: a text that is a payload once the transform applied that the pack
// itself speaks of.
func (p *pool) ciphered(found []Finding) []Finding {
	if len(p.cueUnits) == 0 {
		return nil
	}
	var out []Finding
	for i := range p.defs {
		d := &p.defs[i]
		if d.path || len(d.literal) < 10 {
			continue
		}
		if _, plain := payload(d.literal); plain {
			continue
		}
		for _, t := range transforms(d.literal, p.cues) {
			rule, ok := payload(t)
			if !ok {
				continue
			}
			f := p.finding(d.unit, d.start, d.end, Error, "decoded as the pack says, this is text of the kind "+rule+": "+show(t), nil)
			for _, u := range p.cueUnits {
				if u != d.unit && len(f.Related) < 4 {
					f.Related = append(f.Related, place(u, 0, len(u.Text), "speaks of the encoding"))
				}
			}
			for _, u := range p.units {
				if u != d.unit && canAct(u) && len(f.Related) < 6 {
					if m, ok := findName(&reader{prose: parseProse(u.Text)}, d); ok {
						f.Related = append(f.Related, place(u, m.start, m.end, "uses it"))
					}
				}
			}
			if len(f.Related) == 0 {
				f.Related = append(f.Related, place(d.unit, 0, len(d.unit.Text), "speaks of the encoding"))
			}
			if !covered(found, f) {
				out = append(out, f)
			}
			break
		}
	}
	return out
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
