package rules

import (
	"encoding/binary"
	"fmt"
	"hash/maphash"
	"math/bits"
	"math/rand/v2"

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

// duplicates finds primitives with equal content. A mark of each content goes
// into a set first; only a pack that repeats a mark is looked at more closely.
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
			if s := contentOf(it.Block); s != "" {
				if m := mark(s); !seen.add(m) {
					again[m] = true
				}
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
			s := contentOf(it.Block)
			if s == "" || !again[mark(s)] {
				continue
			}
			h := maphash.String(seed, s)
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

// contentOf is the content that must not repeat, "" where there is none.
func contentOf(b *parser.Block) string {
	if b.Kind() != parser.Primitive || b.Type() == parser.Unknown || b.Unclosed() {
		return ""
	}
	r := b.Body()
	return parser.TrimSpace(b.Text()[r.Start:r.End])
}

// mark is a hash of a text's length and of five samples of it, which is all that
// most primitives need to be told apart. It is keyed: whoever writes a pack can
// make marks equal, which costs a closer look, but not crowd them together.
func mark(s string) uint64 {
	if len(s) < 8 {
		return maphash.String(seed, s)
	}
	step := uint(len(s)-8) / 4
	h := uint64(len(s))
	for i := range uint(5) {
		hi, lo := bits.Mul64(load(s, i*step)^keys[i], h^keys[5])
		h = hi ^ lo
	}
	return h
}

var keys = [6]uint64{rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64(), rand.Uint64()}

func load(s string, i uint) uint64 { return binary.LittleEndian.Uint64([]byte(s[i : i+8])) }

func sameContent(a, b *parser.Block) bool {
	ra, rb := a.Body(), b.Body()
	return a.Type() == b.Type() && parser.TrimSpace(a.Text()[ra.Start:ra.End]) == parser.TrimSpace(b.Text()[rb.Start:rb.End]) &&
		a.Resolved()["valence"] == b.Resolved()["valence"]
}
