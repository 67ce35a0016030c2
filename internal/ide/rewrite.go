package ide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// rewrites are the changes of form that keep what the primitive at the span says.
func rewrites(f *File, span text.Span) []Action {
	it, ok := primitiveAt(f, span)
	if !ok || it.Type() == parser.Unknown {
		return nil
	}
	var out []Action
	add := func(title string, edits ...analysis.FileEdit) {
		out = append(out, Action{Title: title, Kind: KindRewrite, Edits: edits})
	}
	edit := func(start, end int, s string) analysis.FileEdit {
		return analysis.FileEdit{Path: f.Rel, Span: text.Span{Start: it.Offset + start, End: it.Offset + end}, New: s}
	}
	if at, s, ok := missingDefaults(it.Block); ok {
		add("Fill in the default facets", edit(at, at, s))
	}
	if at, end, ok := trailingDefaults(it.Block); ok {
		add("Leave out the default facets", edit(at, end, ""))
	}
	switch word := it.Word(); it.Written() {
	case "demo":
		add("Write `demonstration` in full", edit(word.Start, word.End, "demonstration"))
	case "demonstration":
		add("Shorten to `demo`", edit(word.Start, word.End, "demo"))
	}
	if it.Type() == parser.Demonstration && !it.Unclosed() {
		out = append(out, braces(f, it, edit)...)
	}
	if it.HasReason() {
		return out
	}
	if !it.Unclosed() {
		end := it.PrimitiveEnd()
		e := edit(end, end, newline(f)+"  > ")
		e.Hole = text.Span{Start: len(e.New), End: len(e.New)}
		out = append(out, Action{Title: "Add a reason", Kind: KindRewrite, Edits: []analysis.FileEdit{e}})
	}
	return out
}

// missingDefaults returns the defaults that are left out at the right end of a
// tag whose other facets are in order.
func missingDefaults(b *parser.Block) (at int, s string, ok bool) {
	facets, specs := b.Facets(), b.Type().Facets()
	if !inOrder(facets, specs) {
		return 0, "", false
	}
	var add []string
	for _, spec := range specs[len(facets):] {
		if spec.Default == "" {
			break
		}
		add = append(add, spec.Default)
	}
	if len(add) == 0 {
		return 0, "", false
	}
	s = strings.Join(add, ", ")
	if n := len(facets); n > 0 {
		return facets[n-1].End, ", " + s, true
	}
	return b.Word().End, " " + s, b.FacetString().Start == b.FacetString().End || strings.TrimSpace(b.Text()[b.FacetString().Start:b.FacetString().End]) == ""
}

// trailingDefaults returns the range of the facets at the right end that say
// nothing but their default.
func trailingDefaults(b *parser.Block) (start, end int, ok bool) {
	facets, specs := b.Facets(), b.Type().Facets()
	if !inOrder(facets, specs) {
		return 0, 0, false
	}
	keep := len(facets)
	for keep > 0 && specs[keep-1].Default != "" && facets[keep-1].Text == specs[keep-1].Default {
		keep--
	}
	if keep == len(facets) {
		return 0, 0, false
	}
	start = b.Word().End
	if keep > 0 {
		start = facets[keep-1].End
	}
	return start, facets[len(facets)-1].End, true
}

func inOrder(facets []parser.Token, specs []parser.FacetSpec) bool {
	if len(facets) > len(specs) {
		return false
	}
	for i := range facets {
		if !specs[i].Allows(facets[i].Text) {
			return false
		}
	}
	return true
}

// braces offers the other of the two forms of a demonstration.
func braces(f *File, it parser.Item, edit func(start, end int, s string) analysis.FileEdit) []Action {
	nl := newline(f)
	tag := it.Tag().End
	if !it.Brace() {
		h := it.Head()
		body := it.Text()[h.Start:h.End]
		if strings.TrimSpace(body) == "" || strings.TrimSpace(body) == "}" {
			return nil
		}
		return []Action{{Title: "Write the demonstration between braces", Kind: KindRewrite, Edits: []analysis.FileEdit{
			edit(tag, h.End, " {"+nl+body+nl+"}"),
		}}}
	}
	a := Action{Title: "Write the demonstration on one line", Kind: KindRewrite}
	body := it.Text()[it.Body().Start:it.Body().End]
	line := strings.TrimSpace(body)
	switch {
	case strings.ContainsAny(line, "\r\n"):
		a.Disabled = "the demonstration has several lines"
	case line == "":
		a.Disabled = "the demonstration is empty"
	case strings.HasSuffix(line, "{"):
		a.Disabled = "a line that ends in { would open a brace"
	case strings.TrimSpace(it.Text()[it.Head().Start:it.Head().End]) != "{":
		a.Disabled = "text stands before the brace"
	default:
		end, _ := text.LineEnd(it.Text(), it.Body().End)
		if close, _ := text.LineEnd(it.Text(), nextLine(it.Text(), it.Body().End)); close > end {
			end = close
		}
		a.Edits = []analysis.FileEdit{edit(tag, end, " "+line)}
	}
	return []Action{a}
}

// nextLine returns the start of the line behind the one that holds at.
func nextLine(s string, at int) int {
	_, next := text.LineEnd(s, at)
	return next
}

func newline(f *File) string { return text.Newline(f.Tree.Slice(text.Span{End: 64 << 10})) }

// moves offers to move the primitive at the span to each other capability file.
func moves(f *File, span text.Span) []Action {
	it, ok := primitiveAt(f, span)
	if !ok || it.Unclosed() || it.Type() == parser.Unknown {
		return nil
	}
	var out []Action
	for _, name := range moveTargets(f) {
		out = append(out, Action{Title: fmt.Sprintf("Move to %s", name), Kind: KindMove, Name: nameMove + name})
	}
	return out
}

func moveTargets(f *File) []string {
	var out []string
	for _, other := range f.View.Pack.Capabilities() {
		if other.Path != f.Rel && other.Tree.Format() == parser.V04 && other.Tree.Summary().Open == 0 {
			out = append(out, other.Name())
		}
	}
	slices.Sort(out)
	return out
}
