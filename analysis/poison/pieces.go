package poison

import (
	"slices"
	"strings"
)

// join puts pieces together and judges what they spell.
func (p *pool) join(u *Unit, r *reader, used []mention) (Finding, bool) {
	low := lowerASCII(u.Text)
	joins := r.all.has(cJoin) || containsAny(low, []string{"before the", "after the", "followed by", "then the", "in order", "each", "both", "together"})
	decodes := r.all.has(cDecode)
	template := containsAny(low, templates)
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
		if t := &r.toks[i]; t.kind != punct && !stopWords.has(t.text) {
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
			if i, ok := words[w]; ok && ordinals[w] == 0 && !everyday.has(w) {
				n++
				at = i
			}
		}
		if n > 0 && (def.index > 0 || def.fragment()) {
			pieces = append(pieces, mention{def: d, at: at, start: r.toks[at].start})
		}
	}
	if len(pieces) > maxPieces {
		pieces = p.strongest(u, pieces)
	}
	if len(pieces) == 0 {
		return Finding{}, false
	}
	return p.concat(u, pieces, low)
}

// strongest keeps, of more parts than can be tried in every order, those that look
// cut out of something: one quoted or coded, or of a few words, with a place in a
// series. Statements that only share words with the order are left.
func (p *pool) strongest(u *Unit, pieces []mention) []mention {
	var strong []mention
	for _, m := range pieces {
		if d := &p.defs[m.def]; d.index > 0 && p.cutOut([]mention{m}) || pieceLike(d) || d.thing && hasCommand(d.literal) {
			strong = append(strong, m)
		}
	}
	if len(strong) < 2 {
		return pieces[:maxPieces]
	}
	if len(strong) > maxSeries {
		quoted := 0
		for _, m := range strong {
			if pieceLike(&p.defs[m.def]) {
				quoted++
			}
		}
		if quoted > maxSeries {
			p.limit(u, 0, len(u.Text), "more parts belong together than the analysis puts together")
		}
		strong = strong[:maxSeries]
	}
	return strong
}

// templates are words for a text with slots.
var templates = []string{"template", "fill", "placeholder", "slot", "blank", "skeleton", "form letter", "variables", "substitut"}

// fragment reports a definition that may be a piece of something: it is
// numbered, named by an exact name, or looks cut out.
func (d *definition) fragment() bool {
	return d.index > 0 && strings.Count(d.literal, " ") < 6 || d.exact != "" || d.literal != d.value || pieceLike(d) || strings.ContainsAny(d.literal, "|~$/\\=")
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
				if tried[text] {
					continue
				}
				if len(text) > maxAssembled {
					if p.cutOut(sel) {
						p.limit(u, 0, len(u.Text), "the parts of an order make more text than the analysis reads")
					}
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
		if d.thing || pieceLike(d) || d.exact != "" || quoted(d.unit.Text) || d.literal != d.value || d.index > 0 && len(strings.Fields(d.literal)) <= 3 {
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
	if s := hot().sweep(text, false); s.loud || s.sym&(sHigh|sControl) != 0 || tongue(s.heat, s.sym, text) {
		for _, h := range proseRules(text, orders, OtherFile, true).hits {
			if h.sev >= Warning {
				return h.rule, true
			}
		}
	}
	low := lowerASCII(text)
	if strings.Contains(low, "://") && containsAny(low, []string{"curl ", "wget ", "| sh", "|sh", "| bash", "|bash", "bash ", "eval"}) || containsAny(low, []string{"rm -rf", "|bash", "| bash"}) {
		return "remote-exec", true
	}
	return "", false
}

// mayJoin reports the words of an order that joins or decodes something and runs
// it: without them there is nothing for blind to find.
func mayJoin(text string) bool {
	joined := false
	for w := range strings.FieldsFuncSeq(lowerASCII(text), func(r rune) bool { return r < 0x80 && fold[byte(r)] == 0 }) {
		if joined && runParts.has(w) {
			return true
		}
		joined = joined || joinVerbs.has(w) || decodeVerbs.has(w)
	}
	return false
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
			if join < 0 && (joinVerbs.has(t.text) || t.c.has(cDecode) && decodeVerbs.has(t.text)) && r.acts(k, i) && !r.noun(k, i) {
				join = i
			}
			if join >= 0 && i > join && runParts.has(t.text) && r.acts(k, i) {
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
		if blindObjects.has(r.toks[j].text) {
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

// noun reports that the word at i, which can be a verb, names a thing where it
// stands: "the string", "in base64", "a comment string".
func (r *reader) noun(k, i int) bool {
	switch r.toks[i].text {
	case "string", "chain", "piece", "base64", "reverse", "glue", "merge", "splice", "put":
	default:
		return false
	}
	if i == r.clauses[k].from {
		return false
	}
	prev := &r.toks[i-1]
	return prev.kind != punct && !adverbs.has(prev.text) && prev.text != "to" && prev.text != "must" && prev.text != "should" && prev.text != "you"
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
			if ordinals[w] > 0 || everyday.has(w) {
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
		if len(g) > maxPieces {
			g = p.strongest(p.defs[g[0].def].unit, g)
		}
		if len(g) < 2 {
			continue
		}
		f, ok := p.concat(p.defs[g[0].def].unit, g, "")
		if !ok || covered(found, f) || covered(out, f) {
			continue
		}
		if len(f.Related) > 1 {
			f.Pack, f.File, f.Start, f.End = f.Related[0].Pack, f.Related[0].File, f.Related[0].Start, f.Related[0].End
			f.Related = f.Related[1:]
			out = append(out, f)
		}
	}
	return out
}
