// Package ide holds the features of an editor as functions of a snapshot: what
// to show at a place, what can be done there, how to do it. It counts bytes and
// speaks plain data; the protocol, its positions and its types belong to package
// lsp.
//
// Nothing here keeps state. A result that is completed in a second step (a code
// action whose edits are made only when it is chosen) is found again from its
// name, in whatever state the documents are then.
package ide

import (
	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// File is the document a request is about, in the state it is answered for. It
// may be closed: then it is a file of a pack as it is on disk.
type File struct {
	Snap *session.Snapshot
	View *session.View // nil for a document outside of packs
	Doc  *session.Doc  // nil for a file that is not open
	Rel  string        // path in the pack, or the document's name
	Kind session.Kind
	Tree *parser.Tree
}

// Capability reports whether the file is judged as a capability file in the
// inline-tag format, where blocks mean something.
func (f *File) Capability() bool {
	if f.View == nil {
		return f.Doc != nil && f.Doc.Judged()
	}
	return f.View.Pack.Loads(f.Rel) && f.Tree.Format() == parser.V04
}

// Findings are the findings of the file.
func (f *File) Findings(s *session.Session) []analysis.Diagnostic {
	switch {
	case f.Doc != nil && f.Doc.Lost:
		return nil
	case f.View == nil:
		return s.FindingsLoose(f.Doc)
	case f.Doc != nil:
		return f.View.FindingsFor(f.Doc)
	default:
		return f.View.Findings(f.Rel)
	}
}

// Manifest is the pack's manifest, nil when there is none. All its methods may
// be called on nil.
func (f *File) Manifest() *pack.Manifest {
	if f.View == nil {
		return nil
	}
	return f.View.Pack.Manifest
}

// block returns the block at an offset. An offset at the end of a line belongs
// to that line, so that what has just been typed counts.
func (f *File) block(offset int) (parser.Item, bool) {
	return f.Tree.AtOffset(offset)
}

// lineSpan returns the line that holds an offset, without its break.
func lineSpan(t *parser.Tree, offset int) text.Span {
	line, _ := t.Position(offset, text.UTF8)
	_, span := t.Line(line)
	return span
}

// legend returns the legend of the file and its entries.
func legend(t *parser.Tree) (it parser.Item, entries []parser.LegendEntry, ok bool) {
	for i := range 3 {
		it, ok := t.AtIndex(i)
		if !ok {
			break
		}
		if it.Kind() == parser.Legend && !it.Misplaced() {
			entries, _ = it.LegendEntries()
			return it, entries, true
		}
	}
	return parser.Item{}, nil, false
}

// frontmatter returns the frontmatter of the file.
func frontmatter(t *parser.Tree) (parser.Item, *pack.Frontmatter) {
	it, ok := t.AtIndex(0)
	if !ok || it.Kind() != parser.Frontmatter {
		return parser.Item{}, nil
	}
	return it, pack.ParseFrontmatter(it.Block)
}

// Place is a place in a file of the pack, or in a document outside of packs.
type Place struct {
	Rel  string
	Span text.Span
}
