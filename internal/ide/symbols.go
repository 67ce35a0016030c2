package ide

import (
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// SymbolKind is what a symbol is, for its icon.
type SymbolKind uint8

// The kinds of symbols.
const (
	SymGoal SymbolKind = iota
	SymClaim
	SymDirective
	SymDemonstration
	SymFrontmatter
	SymKey
	SymLegend
	SymSource
	SymHeading
	SymRow
	SymObject
	SymArray
	SymString
	SymNumber
	SymBool
	SymNull
)

// Symbol is a part of a file with a name.
type Symbol struct {
	Name     string
	Detail   string
	Kind     SymbolKind
	Span     text.Span
	NameSpan text.Span // within Span
	Children []Symbol
}

// maxName is the length of a symbol's name, in characters.
const maxName = 72

// Symbols returns the outline of a file.
func Symbols(f *File) []Symbol {
	switch {
	case f.Kind == session.Manifest:
		return jsonSymbols(f.Manifest().Object())
	case f.Kind == session.Agents:
		return agentsSymbols(f.View.Pack.Routing)
	case f.Capability():
		return blockSymbols(f.Tree)
	default:
		return nil
	}
}

func blockSymbols(t *parser.Tree) []Symbol {
	var out []Symbol
	for it := range t.All() {
		whole := it.At(parser.Rel{Start: it.Start(), End: it.End()})
		switch it.Kind() {
		case parser.Frontmatter:
			out = append(out, frontmatterSymbol(it, whole))
		case parser.Legend:
			if it.Misplaced() {
				continue
			}
			s := Symbol{Name: "sources", Kind: SymLegend, Span: whole, NameSpan: text.Span{Start: whole.Start, End: min(whole.End, whole.Start+len("sources"))}}
			entries, _ := it.LegendEntries()
			for _, e := range entries {
				s.Children = append(s.Children, Symbol{
					Name: orDash(e.Code), Detail: e.Title, Kind: SymSource,
					Span: it.At(parser.Rel{Start: e.Line.Start, End: e.End}), NameSpan: it.At(e.CodeRel),
				})
			}
			out = append(out, s)
		case parser.Primitive:
			if s, ok := primitiveSymbol(it); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

func frontmatterSymbol(it parser.Item, whole text.Span) Symbol {
	s := Symbol{Name: "frontmatter", Kind: SymFrontmatter, Span: whole, NameSpan: text.Span{Start: whole.Start, End: min(whole.End, whole.Start+3)}}
	fm := pack.ParseFrontmatter(it.Block)
	var keys func(entries []pack.Entry) []Symbol
	keys = func(entries []pack.Entry) []Symbol {
		var out []Symbol
		for i := range entries {
			e := &entries[i]
			span := text.Span{Start: it.Offset + e.KeyRel.Start, End: it.Offset + max(e.KeyRel.End, e.ValueRel.End)}
			kids := keys(e.Children)
			if n := len(kids); n > 0 {
				span.End = max(span.End, kids[n-1].Span.End)
			}
			out = append(out, Symbol{Name: orDash(e.Key), Detail: e.Value, Kind: SymKey, Span: span, NameSpan: it.At(e.KeyRel), Children: kids})
		}
		return out
	}
	s.Children = keys(fm.Entries)
	return s
}

func primitiveSymbol(it parser.Item) (Symbol, bool) {
	s := Symbol{Span: it.At(parser.Rel{Start: it.Start(), End: it.PrimitiveEnd()}), NameSpan: it.At(it.Tag())}
	switch it.Type() {
	case parser.Goal:
		s.Kind = SymGoal
	case parser.Claim:
		s.Kind = SymClaim
	case parser.Directive:
		s.Kind = SymDirective
	case parser.Demonstration:
		s.Kind = SymDemonstration
	default:
		return s, false
	}
	s.Detail = strings.TrimSpace(it.Written() + " " + strings.TrimSpace(it.Text()[it.FacetString().Start:it.FacetString().End]))
	s.Name = shorten(firstLine(it.Content()))
	if s.Name == "" {
		s.Name = s.Detail
	}
	return s, true
}

func firstLine(s string) string {
	for _, line := range strings.Split(s, "\n") {
		if line = strings.TrimSpace(line); line != "" {
			return line
		}
	}
	return ""
}

// shorten cuts a name at a word, so that an outline stays readable.
func shorten(s string) string {
	if utf8.RuneCountInString(s) <= maxName {
		return s
	}
	n := 0
	for i := range s {
		if n++; n > maxName {
			s = s[:i]
			break
		}
	}
	if i := strings.LastIndexByte(s, ' '); i > len(s)/2 {
		s = s[:i]
	}
	return s + "…"
}

// orDash names what has no name: clients refuse empty names.
func orDash(s string) string {
	if strings.TrimSpace(s) == "" {
		return "—"
	}
	return s
}

func jsonSymbols(n *jsontree.Node) []Symbol {
	if n == nil {
		return nil
	}
	var out []Symbol
	for i := range n.Members {
		m := &n.Members[i]
		s := jsonSymbol(m.Name, m.Value)
		s.Span.Start = m.NameStart
		s.NameSpan = text.Span{Start: m.NameStart, End: m.NameEnd}
		out = append(out, s)
	}
	for i, e := range n.Elems {
		s := jsonSymbol(itoa(i), e)
		if e.Kind == jsontree.String {
			s.Name = e.Text
			s.Detail = ""
		}
		s.Name = orDash(s.Name)
		out = append(out, s)
	}
	return out
}

func jsonSymbol(name string, n *jsontree.Node) Symbol {
	s := Symbol{Name: orDash(name), Span: pack.NodeSpan(n), NameSpan: pack.NodeSpan(n)}
	switch n.Kind {
	case jsontree.Object:
		s.Kind, s.Children = SymObject, jsonSymbols(n)
	case jsontree.Array:
		s.Kind, s.Children = SymArray, jsonSymbols(n)
	case jsontree.String:
		s.Kind, s.Detail = SymString, shorten(firstLine(n.Text))
	case jsontree.Number:
		s.Kind, s.Detail = SymNumber, n.Text
	case jsontree.Bool:
		s.Kind = SymBool
		s.Detail = "false"
		if n.Bool {
			s.Detail = "true"
		}
	default:
		s.Kind, s.Detail = SymNull, "null"
	}
	return s
}

func agentsSymbols(r *pack.Routing) []Symbol {
	if r == nil {
		return nil
	}
	var out []Symbol
	heading := func(span text.Span, end int, kids []Symbol) {
		if span.Len() == 0 {
			return
		}
		out = append(out, Symbol{
			Name: orDash(strings.TrimSpace(strings.TrimLeft(r.Text[span.Start:span.End], "#"))), Kind: SymHeading,
			Span: text.Span{Start: span.Start, End: max(span.End, end)}, NameSpan: span, Children: kids,
		})
	}
	rows := func(routes []pack.Route) []Symbol {
		var kids []Symbol
		for _, rt := range routes {
			names := make([]string, 0, len(rt.Files))
			for _, f := range rt.Files {
				names = append(names, f.Name)
			}
			kids = append(kids, Symbol{Name: orDash(strings.Join(names, ", ")), Detail: shorten(rt.Task), Kind: SymRow, Span: rt.Line, NameSpan: rt.Line})
		}
		return kids
	}
	heading(r.Title, 0, nil)
	heading(r.Always, r.AlwaysEnd, rows(r.Items))
	return append(out, rows(r.Rows)...)
}

// WorkspaceSymbol is a primitive of some pack.
type WorkspaceSymbol struct {
	Symbol
	View *session.View
	Rel  string
}

// maxWorkspaceSymbols bounds the answer to one query.
const maxWorkspaceSymbols = 256

// WorkspaceSymbols returns the primitives of all packs whose name holds the
// characters of the query in order, in any letter case.
func WorkspaceSymbols(snap *session.Snapshot, query string, stop func() bool) []WorkspaceSymbol {
	var out []WorkspaceSymbol
	query = strings.ToLower(query)
	for _, v := range snap.Views() {
		for _, file := range v.Pack.Capabilities() {
			if stop() {
				return nil
			}
			if strings.Contains(file.Name(), query) && query != "" {
				out = append(out, WorkspaceSymbol{Symbol{Name: file.Name(), Kind: SymFrontmatter}, v, file.Path})
			}
			for it := range file.Tree.All() {
				if it.Kind() != parser.Primitive || len(out) >= maxWorkspaceSymbols {
					continue
				}
				s, ok := primitiveSymbol(it)
				if ok && matches(strings.ToLower(s.Name+" "+s.Detail), query) {
					out = append(out, WorkspaceSymbol{s, v, file.Path})
				}
			}
		}
	}
	return out
}

// matches reports whether s holds the characters of query in order.
func matches(s, query string) bool {
	for _, r := range query {
		i := strings.IndexRune(s, r)
		if i < 0 {
			return false
		}
		s = s[i+utf8.RuneLen(r):]
	}
	return true
}
