package pack

import (
	"strings"

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
}

// ParseRouting reads agents.md. Anything it does not know is skipped: the file
// is prose for an agent, and only its list and tables bind.
func ParseRouting(src string) *Routing {
	r := &Routing{Text: src}
	inAlways, inCode := false, false
	table := 0 // lines of the current table seen so far
	at := 0
	if strings.HasPrefix(src, text.BOM) {
		at = len(text.BOM)
	}
	for at < len(src) {
		end, next := text.LineEnd(src, at)
		span := text.Span{Start: at, End: end}
		line := parser.TrimSpace(src[at:end])
		at = next
		if strings.HasPrefix(line, "```") || strings.HasPrefix(line, "~~~") {
			inCode = !inCode
		}
		if inCode {
			continue
		}
		isRow := strings.HasPrefix(line, "|")
		if !isRow {
			table = 0
		}
		switch {
		case strings.HasPrefix(line, "#"):
			if r.Title == (text.Span{}) {
				r.Title = span
			}
			h := strings.ToLower(parser.TrimSpace(strings.TrimLeft(line, "#")))
			inAlways = strings.TrimSuffix(h, ":") == "always load"
			if inAlways && r.Always == (text.Span{}) {
				r.Always, r.AlwaysEnd = span, end
			}
		case isRow:
			table++
			r.TableEnd = end
			if table > 2 || table == 2 && !isRuler(line) {
				r.Rows = append(r.Rows, parseRow(src, span))
			}
		case inAlways && line != "" && (line[0] == '-' || line[0] == '*' || line[0] == '+'):
			r.Items = append(r.Items, parseItem(src, span))
			r.AlwaysEnd = end
		}
	}
	return r
}

// Routes are the items and rows in file order of each.
func (r *Routing) Routes() []Route {
	if r == nil {
		return nil
	}
	return append(append([]Route(nil), r.Items...), r.Rows...)
}

func isRuler(line string) bool {
	return strings.Trim(line, "|-: \t") == "" && strings.Contains(line, "-")
}

func parseRow(src string, span text.Span) Route {
	cells := splitCells(src, span)
	rt := Route{Line: span}
	if len(cells) == 0 {
		return rt
	}
	rt.Task = src[cells[0].Start:cells[0].End]
	rt.Cell = cells[len(cells)-1]
	rt.Files = fileNames(src, rt.Cell)
	return rt
}

// splitCells cuts a table row at pipes that no backslash escapes.
func splitCells(src string, span text.Span) []text.Span {
	var cells []text.Span
	start := -1
	for i := span.Start; i < span.End; i++ {
		switch src[i] {
		case '\\':
			i++
		case '|':
			if start >= 0 {
				cells = append(cells, trimSpan(src, text.Span{Start: start, End: i}))
			}
			start = i + 1
		}
	}
	if start >= 0 && start < span.End {
		if last := trimSpan(src, text.Span{Start: start, End: span.End}); last.Len() > 0 {
			cells = append(cells, last)
		}
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
	body.Start++ // the bullet
	body = trimSpan(src, text.Span{Start: min(body.Start, body.End), End: body.End})
	s := src[body.Start:body.End]
	n := len(s)
	for _, sep := range []string{" — ", " – ", " - ", ": "} {
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

// fileNames are the words of a cell that look like file names. A cell without
// one is itself taken as the name, so that a typo is not silently no route.
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
		if w := src[i:j]; strings.HasSuffix(strings.ToLower(w), ".md") || strings.ContainsAny(w, `/\`) {
			out = append(out, FileRef{text.Span{Start: i, End: j}, w})
		}
		i = j
	}
	if out == nil && cell.Len() > 0 {
		out = []FileRef{{cell, src[cell.Start:cell.End]}}
	}
	return out
}

func isNameSep(c byte) bool {
	switch c {
	case ' ', '\t', ',', ';', '`', '"', '\'', '(', ')', '[', ']', '<', '>', '*', '+', '&':
		return true
	}
	return false
}
