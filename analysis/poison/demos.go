package poison

import "strings"

// fill completes a template in a demonstration with the values of claims.
func (p *pool) fill(u *Unit, r *reader) (Finding, bool) {
	for _, d := range p.demos {
		if d.Illustrates != "" && !p.namesDemo(r, d) && !strings.Contains(lowerASCII(u.Text), "template") {
			continue
		}
		dr := &reader{prose: parseProse(d.Text), mode: orders, kind: DemoBody}
		used := p.mentions(d, dr)
		text, defs := p.expand(&Unit{Kind: DemoBody, Pack: d.Pack, File: d.File, Offset: d.Offset, Text: d.Text}, d.Text, used)
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
	at, _ := p.demoNamed(r, d)
	return at >= 0
}

// demoNamed returns the bytes of the order that name a demonstration, at < 0
// when nothing does.
func (p *pool) demoNamed(r *reader, d *Unit) (at, end int) {
	low := lowerASCII(r.text)
	if d.Illustrates != "" {
		l := lowerASCII(d.Illustrates)
		for _, spelled := range [...]string{l, strings.ReplaceAll(l, "-", " ")} {
			if at := strings.Index(low, spelled); at >= 0 {
				return at, at + len(spelled)
			}
		}
		words := strings.FieldsFunc(l, func(c rune) bool { return c == '-' || c == '_' || c == ' ' })
		n, first := 0, -1
		for _, w := range words {
			if len(w) <= 2 {
				continue
			}
			if i := r.stemAt(stemWord(w)); i >= 0 {
				n++
				if first < 0 || i < first {
					first = i
				}
			}
		}
		if n >= 2 && n == len(words) || len(words) == 1 && n == 1 && len(words[0]) > 3 && containsAny(low, []string{"example", "demo", "template", "snippet", "block", "sample"}) {
			return r.toks[first].start, r.toks[first].end
		}
	}
	name := lowerASCII(d.File[strings.LastIndexByte(d.File, '/')+1:])
	if at := strings.Index(low, name); at >= 0 && containsAny(low, []string{"example", "demo", "snippet", "block", "command", "listing", "script", "negative", "rejected"}) {
		return at, at + len(name)
	}
	if d.negative() {
		for _, phrase := range negativeDemos {
			if at := strings.Index(low, phrase); at >= 0 {
				return at, at + len(phrase)
			}
		}
	}
	return -1, -1
}

// negativeDemos are words for demonstrations of what not to do.
var negativeDemos = []string{
	"rejected example", "negative example", "bad example", "anti-example", "anti example", "negative demo", "rejected demo", "unsafe example",
	"wrong example", "forbidden example", "example marked", "counter-example", "counterexample", "what the negative", "crossed-out", "bad demo",
	"rejected one", "rejected snippet", "rejected command", "rejected block", "do-not example", "example of what not",
}

func (r *reader) stemAt(s string) int {
	for i := range r.toks {
		if stemWord(r.toks[i].text) == s {
			return i
		}
	}
	return -1
}

// carriesOut reports whether an order has what stands in bytes at to end done.
// The clause that names it decides when it has such a verb, in either direction
// ("use the signed image, and never repeat the old one"), else any clause does
// ("open the old one and do what it shows"). Words of the name are no verbs.
func (r *reader) carriesOut(at, end int) bool {
	naming := -1
	for i := range r.toks {
		if r.toks[i].end > at {
			naming = int(r.owner[i])
			break
		}
	}
	runs := false
	for k := range r.clauses {
		found := false
		for i := r.clauses[k].from; i < r.clauses[k].to; i++ {
			t := &r.toks[i]
			if t.kind != word || t.quoted || t.start >= at && t.end <= end || !t.c.has(cExec|cObey) && !reviveVerbs.has(t.text) {
				continue
			}
			found = true
			if r.acts(k, i) && !r.clauses[k].cond {
				if k == naming {
					return true
				}
				runs = true
			}
		}
		if k == naming && found {
			return false
		}
	}
	return runs
}

// revive: an order carries out a negative demonstration.
func (p *pool) revive(u *Unit, r *reader) (Finding, bool) {
	if u.Kind == DemoBody || !r.all.has(cExec|cObey|cRef) && !p.ids.in(u.Text) || r.anyIn(0, len(r.toks), warns) {
		return Finding{}, false
	}
	for _, d := range p.demos {
		if !d.negative() {
			continue
		}
		at, end := p.demoNamed(r, d)
		if at < 0 || !r.carriesOut(at, end) {
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

// warns are words of orders that hold a demonstration up as a warning.
var warns = set("warning", "reject", "refuse", "avoid", "mistake", "compare", "unlike", "instead", "flag", "warn", "against", "spot", "recognise", "recognize", "explain")

var reviveVerbs = set("go", "work", "walk", "play", "act", "rehearse", "stage", "give", "live", "obey", "let", "set", "put", "run", "execute", "use", "copy", "follow", "apply", "do", "repeat", "perform", "paste", "reproduce", "imitate", "type", "start", "replay", "reuse", "carry", "try", "enter", "take", "treat", "issue", "launch", "invoke", "mirror", "adopt", "emulate")
