package parser

import (
	"fmt"
	"testing"

	"github.com/amp-toolchain/amp/parser/text"
)

// check verifies every invariant a tree promises about itself.
func check(t *testing.T, tree *Tree, src string) {
	t.Helper()
	if got := tree.String(); got != src {
		t.Fatalf("the tree's text is not the file's:\n got %q\nwant %q", got, src)
	}
	if tree.root != nil {
		checkNode(t, tree.root)
	}
	s := tree.Summary()
	if s.Bytes != len(src) || s.Lines != text.CountBreaks(src) {
		t.Fatalf("summary %+v of %q: want %d bytes, %d lines", s, src, len(src), text.CountBreaks(src))
	}
	in := stStart
	for it := range tree.All() {
		b := it.Block
		if b.in != in {
			t.Fatalf("block %d %q has state %d, the one before ends in %d", it.Index, b.text, b.in, in)
		}
		in = b.out
		if int(b.lines) != text.CountBreaks(b.text) {
			t.Fatalf("block %q counts %d lines", b.text, b.lines)
		}
		for _, r := range []Rel{b.Tag(), b.FacetString(), b.Head(), b.Body(), b.ReasonLines(), b.Tail(), {b.Start(), b.End()}} {
			if r.Start < 0 || r.Start > r.End || r.End > len(b.text) {
				t.Fatalf("block %q has range %v outside of itself", b.text, r)
			}
		}
		for _, f := range b.Facets() {
			if b.format == V04 && b.text[f.Start:f.End] != f.Text {
				t.Fatalf("facet %q of %q is not at %v", f.Text, b.text, f.Rel)
			}
		}
	}
}

func checkNode(t *testing.T, n *Node) {
	t.Helper()
	var want Summary
	for _, k := range n.kids {
		if k.height != n.height-1 {
			t.Fatalf("kid of height %d below height %d", k.height, n.height)
		}
		checkNode(t, k)
		want.add(&k.sum)
	}
	for _, b := range n.blocks {
		want.addBlock(b)
	}
	if want != n.sum {
		t.Fatalf("node says %+v, its parts are %+v", n.sum, want)
	}
	if len(n.kids)+len(n.blocks) > maxKids || len(n.kids)+len(n.blocks) == 0 {
		t.Fatalf("node of %d kids and %d blocks", len(n.kids), len(n.blocks))
	}
}

// dump is everything there is to know about a tree's blocks.
func dump(tree *Tree) string {
	out := ""
	for it := range tree.All() {
		b := it.Block
		out += fmt.Sprintf("%d @%d line %d %s %s in%d out%d w%d t%d c%d-%d b%d-%d r%d-%d t%d-%d f%d %q\n", it.Index, it.Offset, it.Line,
			b.kind, b.typ, b.in, b.out, b.word, b.tag, b.cont, b.contE, b.body, b.bodyE, b.rsn, b.rsnE, b.tail, b.tailE, b.flags, b.text)
	}
	return out
}

func smallFanOut(t testing.TB) {
	old := maxKids
	maxKids = 2
	t.Cleanup(func() { maxKids = old })
}
