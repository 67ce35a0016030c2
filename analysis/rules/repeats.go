package rules

import (
	"fmt"
	"hash/maphash"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

var duplicatePrimitive = &analysis.Rule{
	Slug: "duplicate-primitive", Severity: analysis.Warning, Scope: analysis.ScopePack, Spec: "Part 10",
	Summary: "a primitive says the same as another one of the pack",
	Doc:     "The same sentence twice costs an agent context and will be changed in one place only. Compared are type, valence and content, letter by letter, over all files of the pack.",
	Bad:     "[claim] Titles are in small caps.\n\n[claim permanent] Titles are in small caps.",
	Good:    "[claim] Titles are in small caps.",
	Fix:     "removes the second one",
	Pack: func(p *analysis.PackPass) {
		if !p.Judged() {
			return
		}
		for _, d := range duplicates(p.Pack) {
			later, first := d.item, d.first
			next := later.Offset + len(later.Text())
			diag := p.Report(later.file.Path, later.At(parser.Rel{Start: later.Start(), End: later.PrimitiveEnd()}),
				fmt.Sprintf("the same %s stands in %s, line %d", later.Type(), first.file.Path, first.Line+1),
				edit(later.file.Path, "Remove this one", analysis.Manual, text.Span{Start: later.Offset, End: next}, ""))
			diag.Unit = later.Line + 1
			diag.Related = []analysis.Related{{Path: first.file.Path, Span: first.At(parser.Rel{Start: first.Start(), End: first.PrimitiveEnd()}), Message: "first here"}}
		}
	},
}

type place struct {
	parser.Item
	file *pack.File
}

type duplicate struct{ item, first place }

var seed = maphash.MakeSeed()

// duplicates finds primitives with equal content. Contents are hashed into a
// set first; only a pack that repeats a hash is looked at more closely.
func duplicates(p *pack.Pack) []duplicate {
	files := p.Capabilities()
	n := 0
	for _, f := range files {
		n += f.Tree.Summary().Blocks
	}
	seen := newHashSet(n)
	again := map[uint64]bool{}
	for _, f := range files {
		for it := range f.Tree.All() {
			if h, ok := contentHash(it.Block); ok && !seen.add(h) {
				again[h] = true
			}
		}
	}
	if len(again) == 0 {
		return nil
	}
	first := map[uint64]place{}
	var out []duplicate
	for _, f := range files {
		for it := range f.Tree.All() {
			h, ok := contentHash(it.Block)
			if !ok || !again[h] {
				continue
			}
			if o, ok := first[h]; !ok {
				first[h] = place{it, f}
			} else if sameContent(o.Block, it.Block) {
				out = append(out, duplicate{place{it, f}, o})
			}
		}
	}
	return out
}

// A hashSet is an open-addressed set of hashes: for a pack's few thousand
// primitives a map costs more to make than all the hashing.
type hashSet struct {
	slots []uint64 // 0 is empty
	mask  uint64
}

func newHashSet(n int) hashSet {
	size := 64
	for size < 2*n {
		size *= 2
	}
	return hashSet{make([]uint64, size), uint64(size - 1)}
}

// add reports whether the hash is new.
func (s hashSet) add(h uint64) bool {
	h |= 1 // never the empty slot
	for i := h >> 7 & s.mask; ; i = (i + 1) & s.mask {
		switch s.slots[i] {
		case 0:
			s.slots[i] = h
			return true
		case h:
			return false
		}
	}
}

func contentHash(b *parser.Block) (uint64, bool) {
	if b.Kind() != parser.Primitive || b.Type() == parser.Unknown || b.Unclosed() {
		return 0, false
	}
	r := b.Body()
	s := parser.TrimSpace(b.Text()[r.Start:r.End])
	if s == "" {
		return 0, false
	}
	return maphash.String(seed, s), true
}

func sameContent(a, b *parser.Block) bool {
	ra, rb := a.Body(), b.Body()
	return a.Type() == b.Type() && parser.TrimSpace(a.Text()[ra.Start:ra.End]) == parser.TrimSpace(b.Text()[rb.Start:rb.End]) &&
		a.Resolved()["valence"] == b.Resolved()["valence"]
}
