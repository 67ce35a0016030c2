package ide

import (
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// TokenType is an index into TokenTypes.
type TokenType uint8

// The token types.
const (
	TokType     TokenType = iota // the type word of a tag
	TokFacet                     // a facet value; a modifier says of which facet
	TokKey                       // a key: illustrates, frontmatter, sources
	TokLabel                     // an illustrates label
	TokSource                    // a short code
	TokMarker                    // brackets' kin: the reason marker, braces
	TokReason                    // the text of a reason
	TokNumber                    // a count
	TokString                    // a value of the frontmatter, a title, a url
	TokVerbatim                  // the mark for exact words
)

// TokenTypes are the names of the token types, standard ones of LSP.
var TokenTypes = []string{"type", "enumMember", "property", "label", "variable", "operator", "comment", "number", "string", "keyword"}

// TokenMods are the names of the modifiers. The first is standard; the others
// let a theme colour the facets apart.
var TokenMods = []string{"declaration", "force", "scope", "stability", "valence"}

// Modifier bits, in the order of TokenMods.
const (
	ModDeclaration uint8 = 1 << iota
	ModForce
	ModScope
	ModStability
	ModValence
)

// Token is a coloured piece of text. It lies within one line.
type Token struct {
	Span text.Span
	Type TokenType
	Mods uint8
}

// Tokens calls yield for the tokens of a capability file that touch a span, in
// order. Nothing between braces is a token, and nothing that is wrong.
func Tokens(f *File, span text.Span, yield func(Token)) {
	if !f.Capability() {
		return
	}
	first, ok := f.Tree.AtOffset(span.Start)
	if !ok {
		return
	}
	for i := first.Index; ; i++ {
		it, ok := f.Tree.AtIndex(i)
		if !ok || it.Offset > span.End {
			return
		}
		blockTokens(it, yield)
	}
}

func blockTokens(it parser.Item, yield func(Token)) {
	tok := func(r parser.Rel, t TokenType, mods uint8) {
		if r.Start < r.End {
			yield(Token{it.At(r), t, mods})
		}
	}
	switch it.Kind() {
	case parser.Primitive:
		primitiveTokens(it, tok)
	case parser.Legend:
		if it.Misplaced() {
			return
		}
		tok(parser.Rel{Start: it.Start(), End: it.Start() + len("sources")}, TokKey, 0)
		entries, _ := it.LegendEntries()
		for _, e := range entries {
			tok(e.CodeRel, TokSource, ModDeclaration)
			tok(e.TitleRel, TokString, 0)
			tok(e.URLRel, TokString, 0)
		}
	case parser.Frontmatter:
		fm := pack.ParseFrontmatter(it.Block)
		if fm.Err == nil {
			frontmatterTokens(it, fm.Entries, tok)
		}
	}
}

func primitiveTokens(it parser.Item, tok func(parser.Rel, TokenType, uint8)) {
	if it.Type() != parser.Unknown {
		tok(it.Word(), TokType, 0)
		specs := it.Type().Facets()
		for i, t := range it.Facets() {
			if i >= len(specs) || !specs[i].Allows(t.Text) {
				continue
			}
			if specs[i].Key {
				tok(parser.Rel{Start: t.Start, End: t.Start + len(specs[i].Name)}, TokKey, 0)
				if v, ok := specs[i].KeyValue(t.Text); ok {
					tok(parser.Rel{Start: t.End - len(v), End: t.End}, TokLabel, 0)
				}
				continue
			}
			tok(t.Rel, TokFacet, facetMod(specs[i].Name))
		}
	}
	if it.Brace() {
		tok(parser.Rel{Start: it.Head().End - 1, End: it.Head().End}, TokMarker, 0)
		if !it.Unclosed() {
			at := nextLine(it.Text(), it.Body().End)
			if it.Body().Start == it.Body().End {
				at = nextLine(it.Text(), it.Head().End)
			}
			if at < len(it.Text()) && it.Text()[at] == '}' {
				tok(parser.Rel{Start: at, End: at + 1}, TokMarker, 0)
			}
		}
	}
	citations := map[int]parser.Citation{}
	for c := range it.Citations {
		citations[c.Reason.Start] = c
	}
	for r := range it.Reasons {
		marker := r.Start - 1
		for marker > 0 && it.Text()[marker] != '>' {
			marker--
		}
		tok(parser.Rel{Start: marker, End: marker + 1}, TokMarker, 0)
		start := r.Start
		for start < r.End && (it.Text()[start] == ' ' || it.Text()[start] == '\t') {
			start++
		}
		c, ok := citations[start]
		if !ok {
			tok(r, TokReason, 0)
			continue
		}
		tok(c.Rel, TokSource, 0)
		if c.Verbatim {
			tok(parser.Rel{Start: c.Reason.End - 1 - len("verbatim"), End: c.Reason.End - 1}, TokVerbatim, 0)
		}
	}
}

func facetMod(name string) uint8 {
	switch name {
	case "force":
		return ModForce
	case "scope":
		return ModScope
	case "stability":
		return ModStability
	default:
		return ModValence
	}
}

func frontmatterTokens(it parser.Item, entries []pack.Entry, tok func(parser.Rel, TokenType, uint8)) {
	for i := range entries {
		e := &entries[i]
		tok(e.KeyRel, TokKey, 0)
		if e.Kind == pack.Mapping {
			frontmatterTokens(it, e.Children, tok)
			continue
		}
		kind := TokString
		if parser.TypeOf(e.Key) != parser.Unknown {
			kind = TokNumber
		}
		value := e.ValueRel
		if end, _ := text.LineEnd(it.Text(), value.Start); end < value.End {
			value.End = end
		}
		tok(value, kind, 0)
	}
}
