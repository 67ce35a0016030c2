package pack

import (
	"strings"
	"unicode"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A Routing is agents.md: which capability files to load for which task (Part 2).
type Routing struct {
	Text string
	// Always is the heading of the `Always load` section, empty when there is none.
	Always text.Span
	// AlwaysEnd is where a further item of that section belongs.
	AlwaysEnd int
	Items     []Route // items of the section
	Rows      []Route // rows of the routing tables
	// TableEnd is behind the last table row (header and ruler count), 0 without a table.
	TableEnd int
	Title    text.Span // the first heading

	names map[string]bool // of all routes, without memory/
}

// A Route is a place that names files to load.
type Route struct {
	Line  text.Span // without its break
	Task  string    // first cell of a row, description of an item
	Cell  text.Span // what names the files: last cell of a row, first word of an item
	Files []FileRef
}

// A FileRef is one file name in a route, as written.
type FileRef struct {
	text.Span
	Name string
	Kind RefKind
}

// RefKind tells what makes a FileRef a file name.
type RefKind uint8

const (
	// RefName is a word that looks like a file name.
	RefName RefKind = iota
	// RefLink is the target of a Markdown link, relative to agents.md.
	RefLink
	// RefGuess is all of a cell in which no word looks like a file name, taken
	// so that a name without its ending is not silently no route.
	RefGuess
)

// ParseRouting reads agents.md. Anything it does not know is skipped: the file
// is prose for an agent, and only its list and tables bind.
func ParseRouting(src string) *Routing {
	r := &Routing{Text: src, names: map[string]bool{}}
	p := routingParser{r: r, src: src}
	at := 0
	if strings.HasPrefix(src, text.BOM) {
		at = len(text.BOM)
	}
	for at < len(src) {
		end, next := text.LineEnd(src, at)
		p.line(text.Span{Start: at, End: end}, next)
		at = next
	}
	for _, routes := range [][]Route{r.Items, r.Rows} {
		for i := range routes {
			for _, f := range routes[i].Files {
				r.names[FileOf(f.Name)] = true
			}
		}
	}
	return r
}

// FileOf is the capability file that a route means: routes may, as links do,
// name the folder.
func FileOf(name string) string {
	return strings.TrimPrefix(strings.TrimPrefix(name, "./"), MemoryDir+"/")
}

type routingParser struct {
	r        *Routing
	src      string
	inAlways bool
	fence    string // of the code block that is open
	table    int    // lines of the current table seen so far
}

func (p *routingParser) line(span text.Span, next int) {
	r := p.r
	line := parser.TrimSpace(p.src[span.Start:span.End])
	if p.code(line) {
		return
	}
	if !p.isRow(line, next) {
		p.table = 0
		switch {
		case strings.HasPrefix(line, "#"):
			p.heading(line, span)
		case p.inAlways && bullet(line) > 0:
			r.Items = append(r.Items, parseItem(p.src, span))
			r.AlwaysEnd = span.End
		}
		return
	}
	p.table++
	r.TableEnd = span.End
	if p.table > 2 || p.table == 2 && !isRuler(line) {
		r.Rows = append(r.Rows, parseRow(p.src, span))
	}
}

// code reports whether the line is part of a code block.
func (p *routingParser) code(line string) bool {
	if p.fence != "" {
		if strings.HasPrefix(line, p.fence) && strings.Trim(line, p.fence[:1]) == "" {
			p.fence = ""
		}
		return true
	}
	if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
		p.fence = line[:len(line)-len(strings.TrimLeft(line, line[:1]))]
		return true
	}
	return false
}

// isRow: a table's lines start with a pipe, or the table has a ruler as its
// second line and goes on as long as lines hold a pipe.
func (p *routingParser) isRow(line string, next int) bool {
	if strings.HasPrefix(line, "|") {
		return true
	}
	if !strings.Contains(line, "|") {
		return false
	}
	if p.table > 0 {
		return true
	}
	end, _ := text.LineEnd(p.src, next)
	ruler := parser.TrimSpace(p.src[next:end])
	return strings.Contains(ruler, "|") && isRuler(ruler)
}

func (p *routingParser) heading(line string, span text.Span) {
	r := p.r
	if r.Title == (text.Span{}) {
		r.Title = span
	}
	h := strings.ToLower(strings.Trim(line, "#*_: \t\u00a0"))
	p.inAlways = h == "always load"
	if p.inAlways && r.Always == (text.Span{}) {
		r.Always, r.AlwaysEnd = span, span.End
	}
}

// bullet is the length of the marker that opens a list item, 0 without one.
func bullet(line string) int {
	n := 0
	switch {
	case line == "":
		return 0
	case line[0] == '-' || line[0] == '*' || line[0] == '+':
		n = 1
	default:
		for n < len(line) && n < 9 && '0' <= line[n] && line[n] <= '9' {
			n++
		}
		if n == 0 || n == len(line) || line[n] != '.' && line[n] != ')' {
			return 0
		}
		n++
	}
	if n < len(line) && line[n] != ' ' && line[n] != '\t' {
		return 0
	}
	return n
}

// Routes are the items and rows in file order of each.
func (r *Routing) Routes() []Route {
	if r == nil {
		return nil
	}
	return append(append([]Route(nil), r.Items...), r.Rows...)
}

// Names reports whether some route names the capability file.
func (r *Routing) Names(name string) bool { return r != nil && r.names[name] }

func isRuler(line string) bool {
	return strings.Trim(line, "|-: \t") == "" && strings.Contains(line, "-")
}

// parseRow: the last cell names the files (S2.31). A row of one cell has a task
// and no files.
func parseRow(src string, span text.Span) Route {
	cells := splitCells(src, span)
	rt := Route{Line: span}
	if len(cells) == 0 {
		return rt
	}
	rt.Task = src[cells[0].Start:cells[0].End]
	rt.Cell = cells[len(cells)-1]
	if len(cells) > 1 {
		rt.Files = fileNames(src, rt.Cell)
	}
	return rt
}

// splitCells cuts a table row at pipes that no backslash escapes. The pipes at
// both ends of the row may be left out.
func splitCells(src string, span text.Span) []text.Span {
	span = trimSpan(src, span)
	start := span.Start
	if start < span.End && src[start] == '|' {
		start++
	}
	var cells []text.Span
	for i := start; i < span.End; i++ {
		switch src[i] {
		case '\\':
			i++
		case '|':
			cells = append(cells, trimSpan(src, text.Span{Start: start, End: i}))
			start = i + 1
		}
	}
	if start < span.End {
		cells = append(cells, trimSpan(src, text.Span{Start: start, End: span.End}))
	}
	return cells
}

func trimSpan(src string, s text.Span) text.Span {
	t := src[s.Start:s.End]
	lead := len(t) - len(strings.TrimLeft(t, " \t"))
	return text.Span{Start: s.Start + lead, End: s.Start + lead + len(strings.Trim(t, " \t"))}
}

func parseItem(src string, span text.Span) Route {
	body := trimSpan(src, span)
	body.Start += bullet(src[body.Start:body.End])
	body = trimSpan(src, body)
	s := src[body.Start:body.End]
	n := len(s)
	for _, sep := range []string{" — ", " – ", " - ", ": ", " ("} {
		if i := strings.Index(s, sep); i >= 0 && i < n {
			n = i
		}
	}
	rt := Route{Line: span, Cell: text.Span{Start: body.Start, End: body.Start + n}}
	if n < len(s) {
		rt.Task = strings.TrimLeft(s[n:], " —–-:")
	}
	rt.Cell = trimSpan(src, rt.Cell)
	rt.Files = fileNames(src, rt.Cell)
	return rt
}

// fileNames are the words of a cell that look like file names.
func fileNames(src string, cell text.Span) []FileRef {
	var out []FileRef
	for i := cell.Start; i < cell.End; {
		if isNameSep(src[i]) {
			i++
			continue
		}
		j := i
		for j < cell.End && !isNameSep(src[j]) {
			j++
		}
		ref := FileRef{Span: text.Span{Start: i, End: j}}
		if i >= cell.Start+2 && src[i-2:i] == "](" {
			ref.Kind = RefLink
		}
		// A name may end a sentence, or stand in emphasis.
		for ref.Start < ref.End && strings.IndexByte(".:!?_", src[ref.End-1]) >= 0 {
			ref.End--
		}
		ref.Name = src[i:ref.End]
		switch {
		case !looksLikeFile(ref.Name):
		case ref.Kind == RefLink && len(out) > 0 && FileOf(ref.Name) == out[len(out)-1].Name:
			// `[x.md](memory/x.md)` is one reference.
		default:
			out = append(out, ref)
		}
		i = j
	}
	if out == nil && hasWord(src[cell.Start:cell.End]) {
		out = []FileRef{{cell, src[cell.Start:cell.End], RefGuess}}
	}
	return out
}

func looksLikeFile(w string) bool {
	return len(w) > 3 && strings.EqualFold(w[len(w)-3:], ".md") || strings.ContainsAny(w, `/\`) || strings.HasPrefix(w, "..")
}

func hasWord(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

func isNameSep(c byte) bool {
	switch c {
	case ' ', '\t', ',', ';', '`', '"', '\'', '(', ')', '[', ']', '<', '>', '*', '+', '&', '|':
		return true
	}
	return false
}
