package parser

import "sync/atomic"

// maxKids is the fan-out of the tree. Tests lower it to 2, so that small texts
// exercise splits and joins of every height.
var maxKids = 32

// A Summary is what a tree knows about a run of blocks without reading them.
type Summary struct {
	Bytes  int
	Lines  int // line breaks
	Blocks int
	Types  [NumTypes]int // primitives by type, Unknown included
	Open   int           // blocks without end (Unclosed)
	Lost   int           // lines that were meant as tags (Malformed)
}

func (s *Summary) add(o *Summary) {
	s.Bytes += o.Bytes
	s.Lines += o.Lines
	s.Blocks += o.Blocks
	s.Open += o.Open
	s.Lost += o.Lost
	for i := range s.Types {
		s.Types[i] += o.Types[i]
	}
}

func (s *Summary) addBlock(b *Block) {
	s.Bytes += len(b.text)
	s.Lines += int(b.lines)
	s.Blocks++
	switch b.kind {
	case Primitive:
		s.Types[b.typ]++
	case Malformed:
		s.Lost++
	}
	if b.Unclosed() {
		s.Open++
	}
}

// A Node is an immutable node of the tree: either blocks or kids, never both.
// It caches the Summary of all below it, and has room for one memo (see Memo).
type Node struct {
	sum    Summary
	height int
	kids   []*Node
	blocks []*Block
	memo   atomic.Pointer[Memo]
}

// Summary is the sum over all blocks below the node.
func (n *Node) Summary() Summary { return n.sum }

// Kids are the nodes below, nil at the lowest level. Do not change the slice.
func (n *Node) Kids() []*Node { return n.kids }

// Blocks are the blocks of a lowest node, nil elsewhere. Do not change the slice.
func (n *Node) Blocks() []*Block { return n.blocks }

// Memo returns what SetMemo stored last, nil at first.
func (n *Node) Memo() *Memo { return n.memo.Load() }

// SetMemo stores a result. Concurrent callers must compute equal results.
func (n *Node) SetMemo(m *Memo) { n.memo.Store(m) }

func leafNode(blocks []*Block) *Node {
	n := &Node{blocks: blocks}
	for _, b := range blocks {
		n.sum.addBlock(b)
	}
	return n
}

func innerNode(kids []*Node) *Node {
	if len(kids) == 1 {
		return kids[0]
	}
	n := &Node{kids: kids, height: kids[0].height + 1}
	for _, k := range kids {
		n.sum.add(&k.sum)
	}
	return n
}

// build makes a balanced tree, nil of nothing.
func build(blocks []*Block) *Node {
	if len(blocks) == 0 {
		return nil
	}
	level := make([]*Node, 0, len(blocks)/maxKids+1)
	for len(blocks) > 0 {
		k := min(maxKids, len(blocks))
		level = append(level, leafNode(blocks[:k:k]))
		blocks = blocks[k:]
	}
	for len(level) > 1 {
		up := make([]*Node, 0, len(level)/maxKids+1)
		for len(level) > 0 {
			k := min(maxKids, len(level))
			up = append(up, sameHeight(level[:k:k]))
			level = level[k:]
		}
		level = up
	}
	return level[0]
}

// replace puts repl in the place of the blocks [from, to). The common case, all
// of them in one lowest node that keeps a legal size, copies one path and
// nothing else; every other case splits and joins.
func replace(n *Node, from, to int, repl []*Block) *Node {
	if n == nil {
		return build(repl)
	}
	if r := replaceInPath(n, from, to, repl); r != nil {
		return r
	}
	left, rest := split(n, from)
	_, right := split(rest, to-from)
	return join(join(left, build(repl)), right)
}

func replaceInPath(n *Node, from, to int, repl []*Block) *Node {
	if n.kids == nil {
		size := len(n.blocks) - (to - from) + len(repl)
		if from < 0 || to > len(n.blocks) || size == 0 || size > maxKids {
			return nil
		}
		blocks := make([]*Block, 0, size)
		blocks = append(blocks, n.blocks[:from]...)
		blocks = append(blocks, repl...)
		blocks = append(blocks, n.blocks[to:]...)
		return leafNode(blocks)
	}
	for i, k := range n.kids {
		if from < k.sum.Blocks {
			if to > k.sum.Blocks {
				return nil
			}
			r := replaceInPath(k, from, to, repl)
			if r == nil {
				return nil
			}
			kids := append([]*Node(nil), n.kids...)
			kids[i] = r
			c := &Node{kids: kids, height: n.height, sum: n.sum}
			c.sum = subtract(n.sum, k.sum)
			c.sum.add(&r.sum)
			return c
		}
		from -= k.sum.Blocks
		to -= k.sum.Blocks
	}
	return nil
}

func subtract(a, b Summary) Summary {
	a.Bytes -= b.Bytes
	a.Lines -= b.Lines
	a.Blocks -= b.Blocks
	a.Open -= b.Open
	a.Lost -= b.Lost
	for i := range a.Types {
		a.Types[i] -= b.Types[i]
	}
	return a
}

// split cuts the tree before block i.
func split(n *Node, i int) (left, right *Node) {
	if n == nil || i <= 0 {
		return nil, n
	}
	if i >= n.sum.Blocks {
		return n, nil
	}
	if n.kids == nil {
		return leafNode(n.blocks[:i:i]), leafNode(n.blocks[i:])
	}
	for c, k := range n.kids {
		if i < k.sum.Blocks {
			l, r := split(k, i)
			if c > 0 {
				l = join(innerNode(n.kids[:c:c]), l)
			}
			if c+1 < len(n.kids) {
				r = join(r, innerNode(n.kids[c+1:]))
			}
			return l, r
		}
		i -= k.sum.Blocks
	}
	return n, nil
}

// join concatenates two trees of any height; nil is the empty tree.
func join(a, b *Node) *Node {
	if a == nil {
		return b
	}
	if b == nil {
		return a
	}
	x, y := joinPair(a, b)
	if y == nil {
		return x
	}
	return innerNode([]*Node{x, y})
}

// joinPair returns one or two nodes of the greater of the two heights.
func joinPair(a, b *Node) (*Node, *Node) {
	switch {
	case a.height > b.height:
		last := len(a.kids) - 1
		x, y := joinPair(a.kids[last], b)
		return levelOff(a.kids[:last], x, y)
	case a.height < b.height:
		x, y := joinPair(a, b.kids[0])
		if y == nil {
			return pack(append([]*Node{x}, b.kids[1:]...))
		}
		return pack(append([]*Node{x, y}, b.kids[1:]...))
	case a.kids == nil:
		if len(a.blocks)+len(b.blocks) > maxKids {
			return a, b
		}
		return leafNode(append(append([]*Block(nil), a.blocks...), b.blocks...)), nil
	}
	if len(a.kids)+len(b.kids) > maxKids {
		return a, b
	}
	return pack(append(append([]*Node(nil), a.kids...), b.kids...))
}

func levelOff(kids []*Node, x, y *Node) (*Node, *Node) {
	all := append(append([]*Node(nil), kids...), x)
	if y != nil {
		all = append(all, y)
	}
	return pack(all)
}

// pack makes one node of kids, or two when they are too many for one.
func pack(kids []*Node) (*Node, *Node) {
	if len(kids) <= maxKids {
		return sameHeight(kids), nil
	}
	h := len(kids) / 2
	return sameHeight(kids[:h:h]), sameHeight(kids[h:])
}

// sameHeight is innerNode without the shortcut for a single kid, which would
// put nodes of unequal height side by side.
func sameHeight(kids []*Node) *Node {
	n := &Node{kids: kids, height: kids[0].height + 1}
	for _, k := range kids {
		n.sum.add(&k.sum)
	}
	return n
}
