package analysis

import (
	"slices"

	"github.com/amp-toolchain/amp/parser"
)

// nodeFacts are the sums over all blocks below a node of the tree.
type nodeFacts struct {
	memo  parser.Memo
	diags int      // findings of block rules
	bad   bool     // some block has a byte that is no text
	cites []string // distinct short codes, sorted
}

// node sums up one node, or remembers.
func (r *Runner) node(k *memoKey, n *parser.Node) *nodeFacts {
	if m := n.Memo(); m != nil && m.Owner == k {
		return m.Value.(*nodeFacts)
	}
	j := judges.Get().(*judge)
	f := j.node(k, n)
	judges.Put(j)
	return f
}

func (j *judge) node(k *memoKey, n *parser.Node) *nodeFacts {
	if m := n.Memo(); m != nil && m.Owner == k {
		return m.Value.(*nodeFacts)
	}
	f := &nodeFacts{}
	for _, kid := range n.Kids() {
		f.add(j.node(k, kid))
	}
	for _, b := range n.Blocks() {
		bf := j.block(k, b)
		f.diags += len(bf.diags)
		f.bad = f.bad || bf.bad >= 0
		for _, c := range bf.cites {
			if i, ok := slices.BinarySearch(f.cites, c); !ok {
				f.cites = slices.Insert(f.cites, i, c)
			}
		}
	}
	f.memo = parser.Memo{Owner: k, Value: f}
	n.SetMemo(&f.memo)
	return f
}

func (f *nodeFacts) add(o *nodeFacts) {
	f.diags += o.diags
	f.bad = f.bad || o.bad
	f.cites = union(f.cites, o.cites)
}

// union merges two sorted sets, reusing one that holds the other: the files of
// a pack cite the same few sources over and over.
func union(a, b []string) []string {
	switch {
	case len(a) == 0 || within(a, b):
		return b
	case within(b, a):
		return a
	}
	out := make([]string, 0, len(a)+len(b))
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0] < b[0]:
			out, a = append(out, a[0]), a[1:]
		case a[0] > b[0]:
			out, b = append(out, b[0]), b[1:]
		default:
			out, a, b = append(out, a[0]), a[1:], b[1:]
		}
	}
	return append(append(out, a...), b...)
}

// within reports whether the sorted set a is a subset of b.
func within(a, b []string) bool {
	if len(a) > len(b) {
		return false
	}
	for _, s := range a {
		for len(b) > 0 && b[0] < s {
			b = b[1:]
		}
		if len(b) == 0 || b[0] != s {
			return false
		}
	}
	return true
}

// each calls yield for the blocks whose facts are wanted, skipping nodes that
// have none: its cost depends on what there is to report, not on the file.
func (r *Runner) each(k *memoKey, t *parser.Tree, wantNode func(*nodeFacts) bool, wantBlock func(*blockFacts) bool, yield func(parser.Item, *blockFacts) bool) {
	if t.Root() == nil {
		return
	}
	it := parser.Item{}
	var walk func(n *parser.Node) bool
	walk = func(n *parser.Node) bool {
		if !wantNode(r.node(k, n)) {
			s := n.Summary()
			it.Index += s.Blocks
			it.Offset += s.Bytes
			it.Line += s.Lines
			return true
		}
		for _, kid := range n.Kids() {
			if !walk(kid) {
				return false
			}
		}
		for _, b := range n.Blocks() {
			it.Block = b
			if f := r.block(k, b); wantBlock(f) && !yield(it, f) {
				return false
			}
			it.Index++
			it.Offset += len(b.Text())
			it.Line += b.Lines()
		}
		return true
	}
	walk(t.Root())
}
