package ide

import (
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Format returns the edits that bring the blocks of a capability file that touch
// a span into the form in which the specification writes them: one space and
// `, ` in tags, two spaces before `>`, one blank line between blocks, a line break
// at the end. What a reader takes as content (sentences, reasons, bodies, loose
// text) is not touched, and neither is what is wrong: that has findings.
func Format(f *File, span text.Span) []text.Edit {
	if !f.Capability() {
		return nil
	}
	w := formatter{nl: newline(f)}
	w.breakAfter = w.nl
	first, ok := f.Tree.AtOffset(span.Start)
	if !ok {
		return nil
	}
	if before, ok := f.Tree.AtIndex(first.Index - 1); ok {
		w.follow(before)
	}
	last := f.Tree.Summary().Blocks - 1
	for i := first.Index; ; i++ {
		it, ok := f.Tree.AtIndex(i)
		if !ok || it.Offset > span.End {
			break
		}
		if next, ok := f.Tree.AtIndex(i + 1); ok && it.Kind() == parser.Blank && it.Offset+it.Start() == 0 && strings.HasPrefix(next.Text(), "\ufeff") {
			continue // at the start of the file U+FEFF would be a byte order mark, and the line behind it another one
		}
		w.block(it, i == last)
		w.follow(it)
	}
	slices.SortFunc(w.edits, func(a, b text.Edit) int { return a.Start - b.Start })
	return w.edits
}

type formatter struct {
	nl         string
	breakAfter string // nl, as it may stand behind the block before
	edits      []text.Edit
}

// follow notes which line break may be put behind a block: LF behind a lone CR
// would make one break of two.
func (w *formatter) follow(it parser.Item) {
	w.breakAfter = w.nl
	if strings.HasSuffix(it.Text(), "\r") && strings.HasPrefix(w.nl, "\n") {
		w.breakAfter = "\r"
	}
}

func (w *formatter) replace(it parser.Item, r parser.Rel, s string) {
	if it.Text()[r.Start:r.End] != s {
		w.edits = append(w.edits, text.Edit{Span: it.At(r), New: s})
	}
}

func (w *formatter) block(it parser.Item, last bool) {
	if it.Kind() == parser.Primitive && it.Format() == parser.V04 {
		w.tag(it)
		w.reasons(it)
		if it.Tight() {
			w.replace(it, parser.Rel{}, w.breakAfter)
		}
	}
	if it.Kind() == parser.Blank {
		w.replace(it, parser.Rel{Start: it.Start(), End: len(it.Text())}, "")
		return
	}
	if it.Unclosed() {
		return
	}
	// The blank lines behind a block are part of it.
	end := it.End()
	if end > len(it.Text()) {
		return
	}
	gap, want := it.Text()[end:], 2
	if last {
		want = 1
	} else if text.CountBreaks(gap) < 2 {
		return // the next block follows without a blank line: its own business
	}
	if text.CountBreaks(gap) == want && strings.Trim(gap, "\r\n") == "" {
		return // in whatever style the line breaks are
	}
	nl := w.nl
	if strings.ContainsAny(gap, "\r\n") {
		nl = text.Newline(gap)
	}
	w.replace(it, parser.Rel{Start: end, End: len(it.Text())}, strings.Repeat(nl, want))
}

func (w *formatter) tag(it parser.Item) {
	if it.Type() == parser.Unknown {
		return
	}
	facets, specs := it.Facets(), it.Type().Facets()
	fs := it.FacetString()
	if s := it.Text()[fs.Start:fs.End]; s != "" && s[0] != ' ' && s[0] != '\t' {
		return // malformed
	}
	parts := make([]string, 0, len(facets))
	for i, tok := range facets {
		if tok.Text == "" {
			return
		}
		s := tok.Text
		if i < len(specs) && specs[i].Key {
			if v, ok := specs[i].KeyValue(s); ok {
				s = specs[i].Name + ": " + v
			}
		}
		parts = append(parts, s)
	}
	want := ""
	if len(parts) > 0 {
		want = " " + strings.Join(parts, ", ")
	}
	w.replace(it, fs, want)
	if h := it.Head(); h.Start < h.End {
		w.replace(it, parser.Rel{Start: it.Tag().End, End: h.Start}, " ")
	}
}

func (w *formatter) reasons(it parser.Item) {
	src := it.Text()
	for r := range it.Reasons {
		marker := r.Start - 1
		for marker > 0 && src[marker] != '>' {
			marker--
		}
		line := strings.LastIndexAny(src[:marker], "\r\n") + 1
		w.replace(it, parser.Rel{Start: line, End: marker}, "  ")
		if r.Start < r.End {
			w.replace(it, parser.Rel{Start: marker + 1, End: r.Start}, " ")
		}
	}
}

// FormatOnType returns the edits after a character has been typed; offset is
// behind it. A line break behind a reason opens the next reason line, and one
// behind an empty reason line ends the reasons. A `}` that is indented and closes
// a body goes to column 0, where readers look for it.
func FormatOnType(f *File, offset int, typed string) []text.Edit {
	if !f.Capability() {
		return nil
	}
	here := lineSpan(f.Tree, offset)
	switch typed {
	case "\n":
		if here.Start == 0 || strings.TrimSpace(f.Tree.Slice(here)) != "" {
			return nil
		}
		above := lineSpan(f.Tree, here.Start-1)
		it, ok := f.block(above.Start)
		if !ok || it.Kind() != parser.Primitive || it.Unclosed() {
			return nil
		}
		for r := range it.Reasons {
			if it.Offset+r.Start < above.Start || it.Offset+r.End > above.End {
				continue
			}
			if r.Start == r.End {
				return []text.Edit{{Span: above}, {Span: here}}
			}
			return []text.Edit{{Span: here, New: "  > "}}
		}
	case "}":
		line := f.Tree.Slice(here)
		it, ok := f.block(here.Start)
		if !ok || !it.Unclosed() || it.Kind() != parser.Primitive || strings.TrimSpace(line) != "}" || line[0] == '}' {
			return nil
		}
		return []text.Edit{{Span: here, New: "}"}}
	}
	return nil
}
