package ide

import (
	"strings"

	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// FoldKind is what a folding range holds.
type FoldKind uint8

// The kinds of folding ranges.
const (
	FoldRegion FoldKind = iota
	FoldImports
)

// Fold is a range that can be folded, from within its first line to the end of
// its last.
type Fold struct {
	Span text.Span
	Kind FoldKind
}

// Folds returns the folding ranges of a file: frontmatter, legend, primitives of
// several lines and brace bodies, or the objects and arrays of a manifest.
func Folds(f *File) []Fold {
	var out []Fold
	add := func(s text.Span, kind FoldKind) {
		if strings.ContainsAny(f.Tree.Slice(s), "\r\n") {
			out = append(out, Fold{s, kind})
		}
	}
	switch {
	case f.Kind == session.Manifest:
		foldJSON(f.Manifest().Object(), add)
	case f.Kind == session.Agents:
		r := f.View.Pack.Routing
		if r == nil {
			break
		}
		add(text.Span{Start: r.Always.Start, End: r.AlwaysEnd}, FoldRegion)
		if n := len(r.Rows); n > 1 {
			add(text.Span{Start: r.Rows[0].Line.Start, End: r.Rows[n-1].Line.End}, FoldRegion)
		}
	case f.Capability():
		for it := range f.Tree.All() {
			switch it.Kind() {
			case parser.Frontmatter, parser.Legend:
				add(it.At(parser.Rel{Start: it.Start(), End: it.End()}), FoldImports)
			case parser.Primitive:
				add(it.At(parser.Rel{Start: it.Start(), End: it.PrimitiveEnd()}), FoldRegion)
				if it.Brace() && it.HasReason() && !it.Unclosed() {
					// The body alone, so that the annotation stays in view.
					end, _ := text.LineEnd(it.Text(), nextLine(it.Text(), it.Body().End))
					add(it.At(parser.Rel{Start: it.Start(), End: end}), FoldRegion)
				}
			}
		}
	}
	return out
}

func foldJSON(n *jsontree.Node, add func(text.Span, FoldKind)) {
	if n == nil {
		return
	}
	if n.Kind == jsontree.Object || n.Kind == jsontree.Array {
		add(pack.NodeSpan(n), FoldRegion)
	}
	for _, e := range n.Elems {
		foldJSON(e, add)
	}
	for i := range n.Members {
		foldJSON(n.Members[i].Value, add)
	}
}

// Selections returns the spans around an offset, each within the next, from the
// smallest part that means something to the whole file.
func Selections(f *File, offset int) []text.Span {
	var out []text.Span
	add := func(s text.Span) {
		if s.Start > offset || offset > s.End || s.Len() == 0 {
			return
		}
		if n := len(out); n > 0 && (out[n-1] == s || s.Start > out[n-1].Start || s.End < out[n-1].End) {
			return
		}
		out = append(out, s)
	}
	switch {
	case f.Kind == session.Manifest:
		var chain []text.Span
		selectJSON(f.Manifest().Object(), offset, &chain)
		for i := len(chain) - 1; i >= 0; i-- {
			add(chain[i])
		}
	case f.Kind == session.Agents && f.View.Pack.Routing != nil:
		for _, rt := range f.View.Pack.Routing.Routes() {
			for _, ref := range rt.Files {
				add(ref.Span)
			}
			add(rt.Cell)
			add(rt.Line)
		}
		add(lineSpan(f.Tree, offset))
	case f.Capability():
		if it, ok := f.block(offset); ok {
			selectBlock(it, offset, add)
		}
	default:
		add(lineSpan(f.Tree, offset))
	}
	add(text.Span{End: f.Tree.Len()})
	return out
}

func selectBlock(it parser.Item, offset int, add func(text.Span)) {
	src := it.Text()
	switch it.Kind() {
	case parser.Primitive:
		add(it.At(it.Word()))
		for _, tok := range it.Facets() {
			if _, r := it.Illustrates(); contains(r, offset-it.Offset) {
				add(it.At(r))
			}
			add(it.At(tok.Rel))
		}
		add(it.At(parser.Rel{Start: it.Tag().Start + 1, End: max(it.Tag().Start+1, it.Tag().End-1)}))
		add(it.At(it.Tag()))
		for c := range it.Citations {
			add(it.At(c.Rel))
			add(it.At(c.Reason))
		}
		for r := range it.Reasons {
			add(it.At(r))
		}
		if it.Brace() {
			addLine(it, src, offset, add)
			add(it.At(it.Body()))
		} else {
			add(it.At(it.Head()))
		}
		addLine(it, src, offset, add)
		add(it.At(parser.Rel{Start: it.Start(), End: it.PrimitiveEnd()}))
	case parser.Legend:
		entries, _ := it.LegendEntries()
		for _, e := range entries {
			add(it.At(e.CodeRel))
			add(it.At(e.TitleRel))
			add(it.At(e.URLRel))
			add(it.At(parser.Rel{Start: e.Line.Start, End: e.End}))
		}
	case parser.Frontmatter:
		fm := pack.ParseFrontmatter(it.Block)
		for _, e := range fm.Entries {
			for _, c := range e.Children {
				add(it.At(c.KeyRel))
				add(it.At(c.ValueRel))
			}
			add(it.At(e.KeyRel))
			add(it.At(e.ValueRel))
		}
		addLine(it, src, offset, add)
		add(it.At(fm.Inner))
	default:
		addLine(it, src, offset, add)
	}
	add(it.At(parser.Rel{Start: it.Start(), End: it.End()}))
}

func addLine(it parser.Item, src string, offset int, add func(text.Span)) {
	at := min(offset-it.Offset, len(src))
	start := strings.LastIndexAny(src[:at], "\r\n") + 1
	end, _ := text.LineEnd(src, start)
	add(it.At(parser.Rel{Start: start, End: end}))
}

func selectJSON(n *jsontree.Node, offset int, chain *[]text.Span) {
	if n == nil || !pack.NodeSpan(n).Contains(offset) {
		return
	}
	*chain = append(*chain, pack.NodeSpan(n))
	if n.Kind == jsontree.String {
		*chain = append(*chain, inner(n))
	}
	for _, e := range n.Elems {
		selectJSON(e, offset, chain)
	}
	for i := range n.Members {
		m := &n.Members[i]
		if m.NameStart <= offset && offset <= m.Value.End {
			*chain = append(*chain, text.Span{Start: m.NameStart, End: m.Value.End})
			if offset <= m.NameEnd {
				*chain = append(*chain, text.Span{Start: m.NameStart, End: m.NameEnd}, text.Span{Start: m.NameStart + 1, End: m.NameEnd - 1})
			}
		}
		selectJSON(m.Value, offset, chain)
	}
}
