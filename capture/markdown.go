package capture

import (
	"strings"
	"unicode"
)

type kind uint8

const (
	paragraph kind = iota
	heading
	bullet
	quote
	code
	table
)

// A piece is a block of a note. Lines count from 1; last is the piece's last one.
type piece struct {
	kind       kind
	level      int    // of a heading
	text       string // one line; the letters between the fences for code
	nested     []string
	line, last int
	afterBlank bool
}

// pieces cuts a note into blocks. typ is the `type` of its frontmatter.
func pieces(s string) (out []piece, typ string) {
	c := cutter{lines: strings.Split(s, "\n")}
	if len(c.lines) > 0 && strings.TrimRight(c.lines[0], " \t") == "---" {
		typ = c.frontmatter()
	}
	for c.at < len(c.lines) {
		c.next()
	}
	return c.out, typ
}

type cutter struct {
	lines []string
	at    int
	blank bool
	out   []piece
}

func (c *cutter) frontmatter() (typ string) {
	for i := 1; i < len(c.lines); i++ {
		l := strings.TrimRight(c.lines[i], " \t")
		if l == "---" || l == "..." {
			c.at = i + 1
			return typ
		}
		if v, ok := strings.CutPrefix(strings.TrimSpace(l), "type:"); ok && typ == "" {
			typ = strings.ToLower(strings.Trim(strings.TrimSpace(v), `"'`))
		}
	}
	return "" // it never ends: no frontmatter
}

func (c *cutter) add(p piece) {
	p.last = c.at
	p.afterBlank = c.blank
	c.blank = false
	if p.kind == code || p.text != "" {
		c.out = append(c.out, p)
	}
}

func (c *cutter) next() {
	l := c.lines[c.at]
	t := strings.TrimSpace(l)
	from := c.at + 1
	switch {
	case t == "":
		c.at++
		c.blank = true
	case strings.HasPrefix(t, "<!--"):
		for c.at < len(c.lines) && !strings.Contains(c.lines[c.at], "-->") {
			c.at++
		}
		c.at++
	case fenceOf(t) != "":
		c.at++
		body := c.fenced(fenceOf(t), len(l)-len(strings.TrimLeft(l, " ")))
		c.add(piece{kind: code, text: body, line: from})
	case headingLevel(t) > 0:
		c.at++
		n := headingLevel(t)
		c.add(piece{kind: heading, level: n, text: clean(strings.TrimRight(strings.TrimSpace(t[n:]), "# ")), line: from})
	case isRule(t):
		c.at++
	case bulletLen(l) > 0:
		c.bullet(from)
	case t[0] == '>':
		var parts []string
		for c.at < len(c.lines) && strings.HasPrefix(strings.TrimSpace(c.lines[c.at]), ">") {
			parts = append(parts, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(c.lines[c.at]), ">")))
			c.at++
		}
		c.add(piece{kind: quote, text: clean(strings.Join(parts, " ")), line: from})
	case t[0] == '|':
		var rows []string
		for c.at < len(c.lines) && strings.HasPrefix(strings.TrimSpace(c.lines[c.at]), "|") {
			rows = append(rows, clean(c.lines[c.at]))
			c.at++
		}
		c.add(piece{kind: table, text: rows[0], nested: rows[1:], line: from})
	default:
		var parts []string
		for c.at < len(c.lines) && (len(parts) == 0 || c.goesOn()) {
			parts = append(parts, strings.TrimSpace(c.lines[c.at]))
			c.at++
		}
		c.add(piece{kind: paragraph, text: clean(strings.Join(parts, " ")), line: from})
	}
}

// goesOn reports whether the current line continues a paragraph.
func (c *cutter) goesOn() bool {
	l := c.lines[c.at]
	t := strings.TrimSpace(l)
	return t != "" && !labels(t) && headingLevel(t) == 0 && bulletLen(l) == 0 && fenceOf(t) == "" && t[0] != '>' && !isRule(t) && !strings.HasPrefix(t, "<!--")
}

// labels reports whether a line opens with a label, such as **Why:**, which starts
// something of its own without a blank line before it.
func labels(t string) bool {
	if _, ok := labelled(t, "why", "reason", "rationale", "source", "sources"); ok {
		return true
	}
	rest, ok := strings.CutPrefix(t, "**")
	if !ok {
		return false
	}
	label, after, ok := strings.Cut(rest, "**")
	return ok && (strings.HasSuffix(label, ":") || strings.HasPrefix(after, ":"))
}

// bullet reads a list item: its text, and the lines below it that are indented.
func (c *cutter) bullet(from int) {
	l := c.lines[c.at]
	n := bulletLen(l)
	indent := len(l) - len(strings.TrimLeft(l, " \t"))
	parts := []string{strings.TrimSpace(l[n:])}
	var nested []string
	c.at++
	for c.at < len(c.lines) {
		l := c.lines[c.at]
		t := strings.TrimSpace(l)
		in := len(l) - len(strings.TrimLeft(l, " \t"))
		if t == "" {
			// An indented line behind blank ones still belongs to the item.
			k := c.at
			for k < len(c.lines) && strings.TrimSpace(c.lines[k]) == "" {
				k++
			}
			if k == len(c.lines) || len(c.lines[k])-len(strings.TrimLeft(c.lines[k], " \t")) <= indent+1 {
				break
			}
			c.at = k
			nested = append(nested, "")
			continue
		}
		if in <= indent && !c.goesOn() {
			break
		}
		if b := bulletLen(l); b > 0 || in > indent && (t[0] == '>' || fenceOf(t) != "" || len(nested) > 0) {
			nested = append(nested, inQuotes(t[max(0, b-in):]))
		} else {
			parts = append(parts, t)
		}
		c.at++
	}
	c.add(piece{kind: bullet, text: clean(uncheck(strings.Join(parts, " "))), nested: compact(nested), line: from})
}

// inQuotes shows a line that is a quotation by its `>` as one by its marks.
func inQuotes(t string) string {
	t = strings.TrimSpace(t)
	q, ok := strings.CutPrefix(t, ">")
	if q = clean(q); ok && q != "" && quotations(q) == nil {
		return "“" + q + "”"
	}
	return q
}

func compact(in []string) (out []string) {
	for _, s := range in {
		if s != "" {
			out = append(out, s)
		}
	}
	return out
}

// fenced returns the letters between two fences, without the fence's own indent.
func (c *cutter) fenced(fence string, indent int) string {
	var body []string
	for c.at < len(c.lines) {
		l := c.lines[c.at]
		c.at++
		if t := strings.TrimSpace(l); strings.HasPrefix(t, fence) && strings.Trim(t, fence[:1]) == "" {
			break
		}
		for range indent {
			l = strings.TrimPrefix(l, " ")
		}
		body = append(body, l)
	}
	return strings.TrimRight(strings.Join(body, "\n"), "\n")
}

func fenceOf(t string) string {
	if !strings.HasPrefix(t, "```") && !strings.HasPrefix(t, "~~~") {
		return ""
	}
	n := len(t) - len(strings.TrimLeft(t, t[:1]))
	if t[0] == '`' && strings.Contains(t[n:], "`") {
		return ""
	}
	return t[:n]
}

func headingLevel(t string) int {
	n := len(t) - len(strings.TrimLeft(t, "#"))
	if n == 0 || n > 6 || n < len(t) && t[n] != ' ' && t[n] != '\t' {
		return 0
	}
	return n
}

func isRule(t string) bool {
	s := strings.ReplaceAll(t, " ", "")
	return len(s) >= 3 && (strings.Trim(s, "-") == "" || strings.Trim(s, "*") == "" || strings.Trim(s, "_") == "" || strings.Trim(s, "=") == "")
}

// bulletLen is the length of what opens a list item, its indent included.
func bulletLen(l string) int {
	i := len(l) - len(strings.TrimLeft(l, " \t"))
	n := i
	switch {
	case n < len(l) && strings.IndexByte("-*+", l[n]) >= 0:
		n++
	default:
		for n < len(l) && n < i+9 && '0' <= l[n] && l[n] <= '9' {
			n++
		}
		if n == i || n == len(l) || l[n] != '.' && l[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(l) && l[n] != ' ' && l[n] != '\t' || isRule(strings.TrimSpace(l)) {
		return 0
	}
	return n
}

func uncheck(s string) string {
	for _, box := range []string{"[ ] ", "[x] ", "[X] "} {
		if rest, ok := strings.CutPrefix(s, box); ok {
			return rest
		}
	}
	return s
}

// clean takes out what only the wiki understands: links to its pages become their
// words, comments and block names go. White space becomes single spaces.
func clean(s string) string {
	s = uncomment(s)
	var b strings.Builder
	for {
		i := strings.Index(s, "[[")
		j := -1
		if i >= 0 {
			j = strings.Index(s[i:], "]]")
		}
		if j < 0 {
			break
		}
		target := s[i+2 : i+j]
		if _, words, ok := strings.Cut(target, "|"); ok {
			target = words
		} else {
			target = target[strings.LastIndexByte(target, '/')+1:]
		}
		b.WriteString(strings.TrimSuffix(s[:i], "!") + target)
		s = s[i+j+2:]
	}
	b.WriteString(s)
	words := strings.FieldsFunc(b.String(), unicode.IsSpace)
	if n := len(words); n > 1 && len(words[n-1]) > 1 && words[n-1][0] == '^' {
		words = words[:n-1]
	}
	return strings.Join(words, " ")
}

// uncomment takes out comments of HTML; one that never ends takes the rest along.
func uncomment(s string) string {
	if !strings.Contains(s, "<!--") {
		return s
	}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<!--")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		_, s, _ = strings.Cut(rest, "-->")
	}
}
