package analysis

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A Tag is what an editor may show besides the message.
type Tag uint8

// The tags of LSP.
const (
	Unnecessary Tag = 1 << iota
	Deprecated
)

// A Diagnostic is one finding.
type Diagnostic struct {
	Rule     *Rule
	Severity Severity
	Path     string // relative to the pack, "/" separators
	Span     text.Span
	Message  string
	// Unit is the 1-based line of the tag of the primitive the finding lies in,
	// 0 outside of primitives.
	Unit    int
	Related []Related
	Fixes   []Fix
	Tags    Tag
}

// A Related is another place that belongs to the finding.
type Related struct {
	Path    string
	Span    text.Span
	Message string
}

// A Fix is a change that mends the finding. All its edits refer to the same
// state of the pack and are applied together or not at all.
type Fix struct {
	Title  string
	Safety Safety
	Edits  []FileEdit
	// Stacks marks a fix that appends to a list, whose insertions may share their
	// place with those of other such fixes: their texts then follow each other in
	// the order of the fixes.
	Stacks bool
}

// A FileEdit replaces a span of one file. With Create the file does not exist
// yet and New is all of it.
//
// Hole is the part of New that stands in for what only the author knows, such as
// the title of a source; an editor puts the cursor there. Its End is 0 when there
// is none.
type FileEdit struct {
	Path   string
	Span   text.Span
	New    string
	Hole   text.Span
	Create bool
}

// at makes a copy of a block-relative diagnostic for the place the block has now.
func (d *Diagnostic) at(it parser.Item, path string) Diagnostic {
	out := *d
	out.Path = path
	out.Span = shift(d.Span, it.Offset)
	if it.Kind() == parser.Primitive && d.Unit >= 0 && d.Span.Start <= it.PrimitiveEnd() {
		out.Unit = it.Line + 1
	} else {
		out.Unit = 0
	}
	if d.Related != nil {
		out.Related = slices.Clone(d.Related)
		for i := range out.Related {
			if r := &out.Related[i]; r.Path == "" {
				r.Path, r.Span = path, shift(r.Span, it.Offset)
			}
		}
	}
	if d.Fixes != nil {
		out.Fixes = slices.Clone(d.Fixes)
		for i := range out.Fixes {
			f := &out.Fixes[i]
			f.Edits = slices.Clone(f.Edits)
			for j := range f.Edits {
				if e := &f.Edits[j]; e.Path == "" {
					e.Path, e.Span = path, shift(e.Span, it.Offset)
				}
			}
		}
	}
	return out
}

func shift(s text.Span, by int) text.Span { return text.Span{Start: s.Start + by, End: s.End + by} }

// Sort puts diagnostics in the order every output has: path, start, rule.
func Sort(ds []Diagnostic) {
	slices.SortStableFunc(ds, func(a, b Diagnostic) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Span.Start, b.Span.Start),
			strings.Compare(a.Rule.Slug, b.Rule.Slug), cmp.Compare(a.Span.End, b.Span.End), strings.Compare(a.Message, b.Message))
	})
}

// maxMessage bounds a message that quotes a value of any length, in bytes.
const maxMessage = 1000

// mask keeps credentials out of messages: a message may quote a facet, a name
// or a manifest value, and any of them may be a key somebody put in the wrong place.
func mask(message string) string {
	s := strings.ToValidUTF8(credential.MaskText(message), "\uFFFD")
	if len(s) <= maxMessage {
		return s
	}
	end := maxMessage
	for !utf8.RuneStart(s[end]) {
		end--
	}
	return s[:end] + "…"
}

// seal makes findings safe to print: no message, title or new text repeats a
// credential. A fix that would have to write one is dropped; the finding about
// the credential comes first anyway.
func seal(ds []Diagnostic) {
	for i := range ds {
		d := &ds[i]
		for j := range d.Related {
			d.Related[j].Message = mask(d.Related[j].Message)
		}
		if d.Fixes == nil {
			continue
		}
		d.Fixes = slices.DeleteFunc(d.Fixes, func(f Fix) bool {
			return slices.ContainsFunc(f.Edits, func(e FileEdit) bool { return credential.MaskText(e.New) != e.New })
		})
		for j := range d.Fixes {
			d.Fixes[j].Title = mask(d.Fixes[j].Title)
		}
	}
}
