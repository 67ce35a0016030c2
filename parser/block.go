package parser

import (
	"strings"
	"sync/atomic"
)

// A Kind is what a block of a file is.
type Kind uint8

const (
	// Blank is white space before the first significant line of a file.
	Blank Kind = iota
	// Frontmatter is the YAML block that starts on line 1.
	Frontmatter
	// Legend is a `sources:` block, in its place or not (Block.Misplaced).
	Legend
	// Primitive is a tag line with its body, reason and whatever lines hang on it.
	Primitive
	// Malformed is a line that opens a known tag and never closes the bracket (R-x).
	Malformed
	// Loose is a run of lines that belong to no primitive.
	Loose
)

func (k Kind) String() string {
	return [...]string{"blank", "frontmatter", "legend", "primitive", "malformed", "loose"}[k]
}

// state is what the parser knows at the boundary between two blocks.
type state uint8

const (
	stStart  state = iota // offset 0: a BOM and a frontmatter are possible
	stLegend              // nothing but frontmatter so far: a legend is possible
	stBody                // anywhere else, after a blank line or loose text
	stTight               // directly after a line of a primitive, no blank line between
)

// A Rel is a range of bytes relative to the start of its block.
type Rel struct{ Start, End int }

// A Block is an immutable, lossless piece of a file. Blocks tile the file: the
// blank lines behind a block belong to it, so every block but the first starts
// at a significant line. All its ranges are relative, so that a block is shared
// unchanged between trees wherever it moves.
type Block struct {
	text   string
	memo   atomic.Pointer[Memo]
	lines  uint32 // line breaks in text
	start  uint32 // first significant byte: behind a BOM
	word   uint32 // end of the type token
	tag    uint32 // behind the `]`
	cont   uint32 // start of group 3
	contE  uint32 // end of group 3
	body   uint32 // start of the brace body
	bodyE  uint32 // end of the brace body, its last line break left out
	rsn    uint32 // start of the first reason line
	rsnE   uint32 // behind the last reason line's break
	tail   uint32 // behind the last line that belongs to the primitive, break included
	tailE  uint32 // start of the blank lines at the end
	kind   Kind
	typ    Type
	in     state
	out    state
	format Format
	flags  flag
}

type flag uint8

const (
	flagBrace     flag = 1 << iota // a brace body was opened
	flagUnclosed                   // brace body or frontmatter without end
	flagMisplaced                  // a legend anywhere but at the top
	flagOddReason                  // a reason line that is indented by other white space than two spaces
)

// A Memo is a result somebody keeps with a block or a node: it lives and dies
// with the text it was computed from. Owner tells whose result it is and under
// which configuration it holds; the parser never looks inside.
type Memo struct{ Owner, Value any }

// Memo returns what SetMemo stored last, nil at first.
func (b *Block) Memo() *Memo { return b.memo.Load() }

// SetMemo stores a result. Concurrent callers must compute equal results.
func (b *Block) SetMemo(m *Memo) { b.memo.Store(m) }

// Text is the exact text of the block, blank lines at its end included.
func (b *Block) Text() string { return b.text }

// Kind tells what the block is.
func (b *Block) Kind() Kind { return b.kind }

// Type is the primitive's type; Unknown for other kinds and for other words.
func (b *Block) Type() Type { return b.typ }

// Format is the reader that made the block.
func (b *Block) Format() Format { return b.format }

// Lines is the number of line breaks in the block.
func (b *Block) Lines() int { return int(b.lines) }

// Start is the first significant byte: 3 behind a BOM, else 0.
func (b *Block) Start() int { return int(b.start) }

// End is the end of the block's last significant line, its break left out.
func (b *Block) End() int { return max(int(b.start), trimBreak(b.text, int(b.tailE))) }

// PrimitiveEnd is the end of the last line that belongs to the primitive
// (closing brace or last reason line), its break left out.
func (b *Block) PrimitiveEnd() int { return trimBreak(b.text, int(b.tail)) }

// Written is the type token as it stands in the file.
func (b *Block) Written() string {
	if b.format == V03 {
		return b.v03().written
	}
	if b.word == 0 {
		return ""
	}
	return b.text[b.start+1 : b.word]
}

// Word is the range of the type token, empty where there is no tag.
func (b *Block) Word() Rel {
	if b.tag == 0 {
		return Rel{}
	}
	return Rel{int(b.start) + 1, int(b.word)}
}

// Tag is the range of the tag, from `[` to behind `]`, empty where there is none.
func (b *Block) Tag() Rel {
	if b.tag == 0 {
		return Rel{}
	}
	return Rel{int(b.start), int(b.tag)}
}

// FacetString is the range of group 2: between the type token and `]`.
func (b *Block) FacetString() Rel {
	if b.tag == 0 {
		return Rel{}
	}
	return Rel{int(b.word), int(b.tag) - 1}
}

// Head is the range of group 3: the rest of the tag line.
func (b *Block) Head() Rel { return Rel{int(b.cont), int(b.contE)} }

// Brace tells whether a brace body was opened, and Unclosed whether it (or the
// frontmatter) reaches the end without being closed (R-f, R-fm).
func (b *Block) Brace() bool { return b.flags&flagBrace != 0 }

// Unclosed: see Brace.
func (b *Block) Unclosed() bool { return b.flags&flagUnclosed != 0 }

// Misplaced reports whether a legend stands anywhere but at the top (R-j).
func (b *Block) Misplaced() bool { return b.flags&flagMisplaced != 0 }

// Tight reports whether the block follows a primitive without a blank line.
func (b *Block) Tight() bool { return b.in == stTight }

// First reports whether the block is the first of its file.
func (b *Block) First() bool { return b.in == stStart }

// Top reports whether nothing but frontmatter stands before the block.
func (b *Block) Top() bool { return b.in <= stLegend }

// Body is the range of the content: the brace body where one was opened, else
// group 3. The line break before the closing brace is left out.
func (b *Block) Body() Rel {
	if b.flags&flagBrace != 0 {
		return Rel{int(b.body), int(b.bodyE)}
	}
	return b.Head()
}

// Content is the primitive's content with line breaks as LF (S5.07).
func (b *Block) Content() string {
	if b.format == V03 {
		return b.v03().content
	}
	r := b.Body()
	return unifyBreaks(b.text[r.Start:r.End])
}

// ReasonLines is the range of the reason lines, empty when there are none.
func (b *Block) ReasonLines() Rel { return Rel{int(b.rsn), int(b.rsnE)} }

// HasReason reports whether there is at least one reason line.
func (b *Block) HasReason() bool { return b.rsnE > b.rsn || b.format == V03 && b.v03().hasReason }

// OddReason reports whether a reason line is indented by other white space than
// two spaces (R-l).
func (b *Block) OddReason() bool { return b.flags&flagOddReason != 0 }

// Reasons calls yield with the range of each reason line's text (the group of
// Part 5's regex: one white-space character behind `>` left out).
func (b *Block) Reasons(yield func(Rel) bool) {
	for at := int(b.rsn); at < int(b.rsnE); {
		end, next := lineEnd(b.text, at)
		if !yield(Rel{reasonText(b.text, at, end), end}) {
			return
		}
		at = next
	}
}

// Reason is the reason lines joined with LF (S3.08), "" when there are none.
func (b *Block) Reason() string {
	if b.format == V03 {
		return b.v03().reason
	}
	var sb strings.Builder
	first := true
	for r := range b.Reasons {
		if !first {
			sb.WriteByte('\n')
		}
		first = false
		sb.WriteString(b.text[r.Start:r.End])
	}
	return sb.String()
}

// Tail is the range of the lines that hang on a primitive without belonging to
// it: wrapped text, reasons behind it, badly indented reasons. For other kinds it is empty.
func (b *Block) Tail() Rel {
	if b.kind != Primitive && b.kind != Malformed {
		return Rel{}
	}
	return Rel{int(b.tail), int(b.tailE)}
}

// A Token is one facet as written, trimmed (R-w).
type Token struct {
	Rel
	Text string
}

// AppendFacets appends the raw facet tokens: the comma-separated parts of the
// facet string, none when it is blank. The range of an empty token is empty and
// lies behind the comma that opens it.
func (b *Block) AppendFacets(dst []Token) []Token {
	if b.format == V03 {
		for _, f := range b.v03().facets {
			dst = append(dst, Token{Text: f})
		}
		return dst
	}
	r := b.FacetString()
	s := b.text[r.Start:r.End]
	if isBlank(s) {
		return dst
	}
	for at := 0; ; {
		end := strings.IndexByte(s[at:], ',')
		last := end < 0
		if last {
			end = len(s)
		} else {
			end += at
		}
		part := s[at:end]
		lead := skipSpace(part)
		stop := lead + trimRight(part[lead:])
		from := r.Start + at + lead
		if lead == len(part) {
			from = r.Start + at
		}
		dst = append(dst, Token{Rel{from, from + stop - lead}, part[lead:stop]})
		if last {
			return dst
		}
		at = end + 1
	}
}

// LegalTag reports whether the tag is that of a known type and as plain as can
// be: legal facets in their places, one comma and one space between them. False
// says nothing: the tag may still be legal and written in another way. It is the
// quick look that spares most blocks the reading of their tokens.
func (b *Block) LegalTag() bool {
	if b.kind != Primitive || b.format != V04 || b.typ == Unknown {
		return false
	}
	specs := facetSpecs[b.typ]
	s := b.text[b.word : b.tag-1]
	if s == "" {
		return !specs[0].Required
	}
	for i := range specs {
		if s == "" || s[0] != ' ' {
			return false
		}
		rest, ok := specs[i].cut(s[1:])
		switch {
		case !ok:
			return false
		case rest == "":
			return true
		case rest[0] != ',':
			return false
		}
		s = rest[1:]
	}
	return false
}

// Facets are the raw facet tokens; see AppendFacets.
func (b *Block) Facets() []Token { return b.AppendFacets(nil) }

// Resolved are a primitive's facet values after defaults, by facet name. A
// token that is empty or not a legal value of its place counts as left out (R-h).
func (b *Block) Resolved() map[string]string {
	out := map[string]string{}
	if b.format == V03 { // by name: a key that is missing moves no other
		keys := b.v03().keys
		for _, spec := range b.typ.Facets() {
			v := keys[spec.Name]
			if !spec.Key && !spec.Allows(v) {
				v = spec.Default
			}
			if v != "" {
				out[spec.Name] = v
			}
		}
		return out
	}
	toks := b.Facets()
	for i, spec := range b.typ.Facets() {
		v := spec.Default
		if i < len(toks) && spec.Allows(toks[i].Text) {
			v = toks[i].Text
			if spec.Key {
				v, _ = spec.KeyValue(v)
			}
		}
		if v != "" {
			out[spec.Name] = v
		}
	}
	return out
}

func trimBreak(s string, end int) int {
	if end > 0 && s[end-1] == '\n' {
		end--
	}
	if end > 0 && s[end-1] == '\r' {
		end--
	}
	return end
}

func unifyBreaks(s string) string {
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// FrontmatterRange is the range between the two `---` lines of a frontmatter.
func (b *Block) FrontmatterRange() Rel {
	if b.kind != Frontmatter {
		return Rel{}
	}
	return Rel{int(b.body), int(b.bodyE)}
}
