package capture

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// A form is the shape of a source (Part 10), which says how far a unit reaches.
type form uint8

const (
	page form = iota // any other note: each bullet, paragraph or code block
	philosophy
	priorities
	feedback
	project
	reference
	logbook
	marketing
)

var forms = map[string]form{
	"philosophy": philosophy, "takes": philosophy, "priorities": priorities, "feedback": feedback, "project": project,
	"reference": reference, "log": logbook, "logs": logbook, "changelog": logbook, "journal": logbook, "marketing": marketing,
}

// formOf reads the shape from the frontmatter's type, the words of the file's name,
// or its folder, in this order.
func formOf(name, typ string) form {
	if f, ok := forms[typ]; ok {
		return f
	}
	dir, base := path.Split(name)
	for _, s := range []string{strings.TrimSuffix(base, path.Ext(base)), path.Base(dir)} {
		for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) }) {
			if f, ok := forms[w]; ok {
				return f
			}
		}
	}
	return page
}

// maxCited is how many sources a unit cites.
const maxCited = 20

// A raw is a unit as it was cut, before anything was decided about it.
type raw struct {
	form       form
	source     string
	line, last int
	text       string   // what it says first, one line
	more       []string // what else it says
	reasons    []string // what it gives as its reason
	sources    []Source // what it cites
	body       string   // an artifact
	valence    string   // of an artifact, "" where nobody said
	narration  bool     // under a heading of things that were done
}

// all is everything the unit says.
func (r *raw) all() string {
	return strings.Join(append(append([]string{r.text, r.body}, r.more...), r.reasons...), "\n")
}

// cut divides a note into units.
func cut(n Note) []raw {
	ps, typ := pieces(n.Text)
	f := formOf(n.Path, typ)
	c := carver{form: f, source: n.Path}
	switch f {
	case feedback, reference:
		c.whole(ps)
	case project:
		c.sections(ps)
	default:
		c.each(ps)
	}
	return c.out
}

type carver struct {
	form    form
	source  string
	out     []raw
	open    bool   // further prose belongs to the last unit
	section string // the heading above, lower case
	valence string // of the examples below the heading
	done    bool   // the heading says that what follows was done
	level   int    // of the heading that said so
}

func (c *carver) new(p *piece) *raw {
	c.out = append(c.out, raw{form: c.form, source: c.source, line: p.line, last: p.last, narration: c.done})
	return &c.out[len(c.out)-1]
}

// whole makes one unit of all pieces.
func (c *carver) whole(ps []piece) {
	var r *raw
	for i := range ps {
		p := &ps[i]
		if p.kind == heading && p.level == 1 && len(ps) > 1 {
			continue // the note's title
		}
		if r == nil {
			r = c.new(p)
			if p.kind == code {
				r.body = p.text
			} else {
				r.text = unlabelled(p.text)
				r.more = append(r.more, p.nested...)
			}
			continue
		}
		r.last = p.last
		c.attach(r, p)
	}
}

// sections makes one unit of each second-level section, where there are several.
func (c *carver) sections(ps []piece) {
	var starts []int
	for i, p := range ps {
		if p.kind == heading && p.level == 2 {
			starts = append(starts, i)
		}
	}
	if len(starts) < 2 {
		c.whole(ps)
		return
	}
	if slices.ContainsFunc(ps[:starts[0]], func(p piece) bool { return p.kind != heading }) {
		c.whole(ps[:starts[0]])
	}
	for i, s := range starts {
		end := len(ps)
		if i+1 < len(starts) {
			end = starts[i+1]
		}
		c.whole(ps[s+1 : end])
	}
}

// attach adds a piece to a unit: as its reason or source where it says that it is
// one, else as something more.
func (c *carver) attach(r *raw, p *piece) {
	if p.kind == code {
		r.more = append(r.more, p.text)
		return
	}
	for _, s := range append([]string{p.text}, p.nested...) {
		if why, ok := labelled(s, "why", "reason", "because", "rationale"); ok {
			r.reasons = append(r.reasons, why)
		} else if src, ok := labelled(s, "source", "sources"); ok && sourceOf(src).Title != "" && len(r.sources) < maxCited {
			r.sources = append(r.sources, sourceOf(src))
		} else {
			r.more = append(r.more, s)
		}
	}
}

// each makes a unit of every bullet, paragraph, quote and code block; what says
// that it is the reason of the one before belongs to that one.
func (c *carver) each(ps []piece) {
	for i := range ps {
		p := &ps[i]
		if p.kind == heading {
			c.heading(p)
			continue
		}
		if c.valence != "" {
			c.example(p)
			continue
		}
		if c.form == marketing {
			c.inSection(p)
			continue
		}
		bold, rest := principle(p.text)
		switch {
		case c.form == philosophy && bold != "" && p.kind != code:
			r := c.new(p)
			r.text = bold
			if rest != "" {
				r.reasons = append(r.reasons, rest)
			}
			r.more = append(r.more, p.nested...)
			c.open = true
		case c.open:
			r := &c.out[len(c.out)-1]
			r.last = p.last
			if p.kind != paragraph && p.kind != quote || len(p.nested) > 0 {
				c.attach(r, p)
				continue
			}
			if src, ok := labelled(p.text, "source", "sources"); ok && sourceOf(src).Title != "" && len(r.sources) < maxCited {
				r.sources = append(r.sources, sourceOf(src))
			} else if why, ok := labelled(p.text, "why", "reason", "because", "rationale"); ok {
				r.reasons = append(r.reasons, why)
			} else {
				r.reasons = append(r.reasons, p.text)
			}
		case c.form != logbook && len(c.out) > 0 && c.explains(p):
			r := &c.out[len(c.out)-1]
			r.last = p.last
			c.attach(r, p)
		default:
			r := c.new(p)
			if p.kind == code {
				r.body = p.text
				continue
			}
			r.text = p.text
			q := piece{nested: p.nested}
			for _, s := range q.nested {
				c.attach(r, &piece{text: s})
			}
		}
	}
}

// explains reports whether a piece is labelled as the reason or source of the one
// before it.
func (c *carver) explains(p *piece) bool {
	if p.kind == code {
		return false
	}
	if _, ok := labelled(p.text, "why", "reason", "because", "rationale"); ok {
		return true
	}
	src, ok := labelled(p.text, "source", "sources")
	return ok && sourceOf(src).Title != ""
}

// inSection collects what stands under one heading.
func (c *carver) inSection(p *piece) {
	if !c.open {
		r := c.new(p)
		if p.kind == code {
			r.body = p.text
		} else {
			r.text = p.text
			r.more = append(r.more, p.nested...)
		}
		c.open = true
		return
	}
	r := &c.out[len(c.out)-1]
	r.last = p.last
	c.attach(r, p)
}

// example makes a demonstration of a piece below a heading of examples.
func (c *carver) example(p *piece) {
	if len(c.out) > 0 && p.kind == paragraph {
		if last := &c.out[len(c.out)-1]; last.valence != "" && c.open {
			if why, ok := labelled(p.text, "why", "reason", "because", "rationale", "note"); ok {
				last.reasons = append(last.reasons, why)
				last.last = p.last
				return
			}
		}
	}
	r := c.new(p)
	r.valence = c.valence
	r.body = p.text
	c.open = true
	for _, s := range p.nested {
		if why, ok := labelled(s, "why", "reason", "because", "rationale", "note"); ok {
			r.reasons = append(r.reasons, why)
		} else {
			r.body += "\n" + s
		}
	}
}

func (c *carver) heading(p *piece) {
	c.open = false
	h := strings.ToLower(p.text)
	c.section = h
	c.valence = valenceOf(h)
	if c.done && p.level > c.level {
		return
	}
	c.done = c.form == priorities && strings.Contains(h, "shipped")
	c.level = p.level
}

// valenceOf reads headings such as "Approved examples".
func valenceOf(h string) string {
	if !strings.Contains(h, "example") {
		return ""
	}
	for w := range strings.FieldsFuncSeq(h, func(r rune) bool { return !unicode.IsLetter(r) }) {
		switch w {
		case "approved", "good":
			return "positive"
		case "rejected", "bad", "banned":
			return "negative"
		}
	}
	return ""
}

// principle splits a text that opens with bold words.
func principle(s string) (bold, rest string) {
	for _, mark := range []string{"**", "__"} {
		if t, ok := strings.CutPrefix(s, mark); ok {
			if i := strings.Index(t, mark); i > 0 {
				return strings.TrimSpace(strings.TrimSuffix(t[:i], ":")), strings.TrimLeft(t[i+2:], " :—–-")
			}
		}
	}
	return "", s
}

// labelled returns what follows a label such as "**Why:**".
func labelled(s string, labels ...string) (string, bool) {
	t := strings.TrimLeft(s, "*_ ")
	for _, l := range labels {
		if len(t) <= len(l) || !strings.EqualFold(t[:len(l)], l) {
			continue
		}
		rest := strings.TrimLeft(t[len(l):], "*_ ")
		if rest, ok := strings.CutPrefix(rest, ":"); ok {
			rest = strings.TrimSpace(strings.TrimLeft(rest, "*_ "))
			return rest, rest != ""
		}
	}
	return "", false
}

func unlabelled(s string) string {
	if rest, ok := labelled(s, "rule", "principle", "fact", "goal"); ok {
		return rest
	}
	return s
}

// sourceOf reads "Title, https://…" or "[Title](https://…)". It is its own short code.
func sourceOf(s string) Source {
	s = strings.TrimSpace(s)
	if t, ok := strings.CutPrefix(s, "["); ok {
		if title, rest, ok := strings.Cut(t, "]("); ok {
			url, _, _ := strings.Cut(rest, ")")
			return Source{title, title, url}
		}
	}
	title, url := s, ""
	if i := strings.Index(s, "http"); i > 0 {
		title, url = strings.TrimRight(s[:i], " ,;:(<"), strings.TrimRight(s[i:], ".)>")
	} else if i == 0 {
		return Source{}
	}
	title = strings.TrimRight(title, ".")
	if strings.ContainsAny(title, "[]") || strings.Contains(title, ": ") {
		return Source{}
	}
	return Source{title, title, url}
}
