package analysis

import (
	"slices"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Apply applies fixes to a pack. A fix is applied with all its edits or not at
// all: one that touches what an earlier one changed is left out, and so is one
// that inserts where an earlier one inserts (whose text would come first is
// chance, unless both stack), that lies outside of its file, or that creates a file that is there.
// Earlier means earlier in the argument.
//
// It returns the changed pack, p itself when nothing was applied, and which
// fixes went in, by their index.
func Apply(p *pack.Pack, fixes []Fix) (changed *pack.Pack, applied []int) {
	taken := map[string][]text.Edit{} // by path, all of the applied fixes
	stacked := map[place]bool{}       // where fixes that stack inserted
	create := map[string]string{}
	for i, f := range fixes {
		if len(f.Edits) == 0 || !fits(p, f, taken, stacked, create) {
			continue
		}
		for _, e := range f.Edits {
			if e.Create {
				create[e.Path] = e.New
				continue
			}
			taken[e.Path] = append(taken[e.Path], text.Edit{Span: e.Span, New: e.New})
			if f.Stacks && e.Span.Len() == 0 {
				stacked[place{e.Path, e.Span.Start}] = true
			}
		}
		applied = append(applied, i)
	}
	if applied == nil {
		return p, nil
	}
	files := slices.Clone(p.Files)
	for i, f := range files {
		if edits := taken[f.Path]; edits != nil {
			files[i] = rewrite(f, edits)
		}
	}
	for path, s := range create {
		files = append(files, &pack.File{Path: path, Text: s, Size: int64(len(s))})
	}
	changed = pack.New(p.Root, files)
	changed.Signature = p.Signature
	return changed, applied
}

// A place is where an edit inserts.
type place struct {
	path string
	at   int
}

// fits reports whether all edits of a fix lie in text that no other edit touches.
func fits(p *pack.Pack, f Fix, taken map[string][]text.Edit, stacked map[place]bool, create map[string]string) bool {
	for i, e := range f.Edits {
		old := p.File(e.Path)
		if e.Create {
			if _, twice := create[e.Path]; twice || old != nil {
				return false
			}
			continue
		}
		if old == nil || old.Err != nil || !old.Regular() || e.Span.Start < 0 || e.Span.End < e.Span.Start || e.Span.End > len(old.Text) {
			return false
		}
		stacks := f.Stacks && e.Span.Len() == 0 && stacked[place{e.Path, e.Span.Start}]
		for _, o := range taken[e.Path] {
			if o.Overlaps(e.Span) && !(stacks && o.Span == e.Span) {
				return false
			}
		}
		for _, o := range f.Edits[:i] {
			// Within a fix two edits may meet, but not cover the same byte or
			// insert at the same place.
			if o.Path == e.Path && (o.Span == e.Span || o.Span.Start < e.Span.End && e.Span.Start < o.Span.End) {
				return false
			}
		}
	}
	return true
}

// rewrite applies edits that don't overlap. A tree is edited rather than parsed
// anew as long as that is cheaper, so that what is known of its other blocks stays.
func rewrite(f *pack.File, edits []text.Edit) *pack.File {
	s, err := text.Apply(f.Text, edits)
	if err != nil {
		return f // fits let no such edit through
	}
	out := &pack.File{Path: f.Path, Type: f.Type, Text: s, Size: int64(len(s))}
	if f.Tree == nil {
		return out
	}
	if len(edits) > 1+f.Tree.Summary().Blocks/8 {
		out.Tree = parser.Parse(s, f.Tree.Format())
		return out
	}
	edits = slices.Clone(edits)
	slices.Reverse(edits) // of insertions at one place, the last goes in first
	slices.SortStableFunc(edits, func(a, b text.Edit) int { return b.Start - a.Start + b.End - a.End })
	out.Tree = f.Tree
	for _, e := range edits { // from the end, so that offsets stay right
		out.Tree, _ = out.Tree.Edit(e)
	}
	return out
}
