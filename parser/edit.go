package parser

import (
	"strings"

	"github.com/amp-toolchain/amp/parser/text"
)

// A Change tells what an edit did to the blocks: the blocks [From, From+len(Old))
// of the old tree were replaced by New. Blocks that kept their text and state
// are the same pointers in both.
type Change struct {
	From     int
	Old, New []*Block
}

// Edit applies one edit and re-reads what it can have changed: the block it
// starts in, the one before (a line may join it), and blocks behind until the
// new boundaries and states meet the old ones. The span is clamped to the file.
//
// Cost: O(bytes of the touched blocks + log n). Opening a brace touches all
// blocks up to the next closing line; that is the grammar, not the algorithm.
func (t *Tree) Edit(e text.Edit) (*Tree, Change) {
	e = e.Clamp(t.Len())
	if t.root == nil {
		n := Parse(e.New, t.format)
		return n, Change{New: blocksOf(n)}
	}
	first, _ := t.AtOffset(max(e.Start-1, 0))
	if first.Index > 0 {
		first, _ = t.AtIndex(first.Index - 1)
	}
	w := window{tree: t, base: first.Offset, edit: e}
	w.load(first.Index)
	news := w.parse(first.in)
	old := w.old[:w.used]
	root := replace(t.root, first.Index, first.Index+len(old), news)
	for root != nil && len(root.kids) == 1 {
		root = root.kids[0]
	}
	return &Tree{root, t.format}, Change{From: first.Index, Old: old, New: news}
}

func blocksOf(t *Tree) []*Block {
	var out []*Block
	for it := range t.All() {
		out = append(out, it.Block)
	}
	return out
}

// window is the part of the file that an edit makes the parser read again.
type window struct {
	tree  *Tree
	base  int // old offset of the window's first block
	edit  text.Edit
	cur   cursor
	old   []*Block // old blocks in the window
	ends  []int    // old offset of each one's end, relative to base
	buf   string   // new text of the window
	eof   bool     // buf reaches the end of the file
	delta int      // new length - old length
	used  int      // how many of old are replaced
	pre   int      // see reuse
	post  int
}

// load fills the window with the blocks up to the edit's end and one more: a
// block's end is decided by the first line behind it.
func (w *window) load(index int) {
	w.delta = len(w.edit.New) - w.edit.Len()
	w.cur.seek(w.tree.root, index)
	for w.pull() && w.end() <= w.edit.End-w.base {
	}
	w.pull()
	var sb strings.Builder
	sb.Grow(w.end() + w.delta)
	a, z := w.edit.Start-w.base, w.edit.End-w.base
	for i, b := range w.old {
		from, to := w.start(i), w.ends[i]
		if from < a || a == 0 && i == 0 {
			sb.WriteString(b.text[:min(to, a)-from])
			if a <= to {
				sb.WriteString(w.edit.New)
			}
		}
		if to > z {
			sb.WriteString(b.text[max(z-from, 0):])
		}
	}
	w.buf = sb.String()
}

// end is the end of the window in the old text, relative to base.
func (w *window) end() int { return w.start(len(w.old)) }

// pull takes one more block into the window. Its text is yet to be put into buf.
func (w *window) pull() bool {
	b := w.cur.next()
	if b == nil {
		w.eof = true
		return false
	}
	end := len(b.text)
	if n := len(w.ends); n > 0 {
		end += w.ends[n-1]
	}
	w.old = append(w.old, b)
	w.ends = append(w.ends, end)
	return true
}

// grow doubles the window, so that what swallows n bytes costs O(n). What an open
// brace swallows is known to go on to a closing line at least.
func (w *window) grow(brace bool) {
	have := len(w.old)
	want := 2 * len(w.buf)
	for w.end()+w.delta < want && w.pull() {
	}
	if brace {
		for i := have; ; i++ {
			if i == len(w.old) && !w.pull() || closesBrace(w.old[i].text) {
				break
			}
		}
		w.pull()
	}
	var sb strings.Builder
	sb.Grow(w.end() + w.delta)
	sb.WriteString(w.buf)
	for _, b := range w.old[have:] {
		sb.WriteString(b.text)
	}
	w.buf = sb.String()
}

// closesBrace reports whether a line of a block's text is a closing line.
func closesBrace(s string) bool {
	for at := 0; ; at++ {
		i := strings.IndexByte(s[at:], '}')
		if i < 0 {
			return false
		}
		at += i
		if (at == 0 || s[at-1] == '\n' || s[at-1] == '\r') && (at+1 == len(s) || s[at+1] == '\n' || s[at+1] == '\r') {
			return true
		}
	}
}

func (w *window) parse(in state) []*Block {
	news := make([]*Block, 0, 4)
	s := newScanner(w.buf, w.tree.format)
	for at := 0; ; {
		// Resynchronise: at an old boundary behind the edit, in the old state.
		for w.used < len(w.old) && w.oldEnd(w.used) < at {
			w.used++
		}
		if n := w.used; at > 0 && n < len(w.old) && w.oldEnd(n) == at && w.ends[n] >= w.edit.End-w.base {
			if n+1 < len(w.old) && w.old[n+1].in == in || n+1 == len(w.old) && w.eof {
				w.used++
				return news
			}
		}
		if at == len(w.buf) {
			if !w.eof {
				w.grow(false)
				s = newScanner(w.buf, w.tree.format)
				continue
			}
			w.used = len(w.old)
			return news
		}
		b := s.scanBlock(at, in)
		if at+len(b.text) == len(w.buf) && !w.eof {
			w.grow(b.Brace() && b.Unclosed())
			s = newScanner(w.buf, w.tree.format)
			continue
		}
		b = w.reuse(b, at)
		news = append(news, b)
		at += len(b.text)
		in = b.out
	}
}

// oldEnd is the end of old block i in the new text, meaningful behind the edit.
func (w *window) oldEnd(i int) int { return w.ends[i] + w.delta }

// reuse returns the old block at the same place if nothing about it changed, so
// that what was memoised on it stays. Both indices only ever advance.
func (w *window) reuse(b *Block, at int) *Block {
	for w.pre < len(w.old) && w.start(w.pre) < at {
		w.pre++
	}
	if w.pre < len(w.old) && w.start(w.pre) == at && w.ends[w.pre] <= w.edit.Start-w.base && w.old[w.pre].equal(b) {
		return w.old[w.pre]
	}
	for w.post < len(w.old) && (w.start(w.post)+w.delta < at || w.start(w.post) < w.edit.End-w.base) {
		w.post++
	}
	if w.post < len(w.old) && w.start(w.post)+w.delta == at && w.old[w.post].equal(b) {
		return w.old[w.post]
	}
	return b
}

func (w *window) start(i int) int {
	if i == 0 {
		return 0
	}
	return w.ends[i-1]
}

// equal: the same text under the same state is the same block.
func (b *Block) equal(o *Block) bool {
	return b.in == o.in && b.out == o.out && b.text == o.text
}

// cursor walks the blocks of a tree from an index on, in O(log n + steps).
type cursor struct {
	path []frame
}

type frame struct {
	n *Node
	i int
}

func (c *cursor) seek(root *Node, index int) {
	c.path = c.path[:0]
	n := root
	for n.kids != nil {
		i := 0
		for i < len(n.kids)-1 && index >= n.kids[i].sum.Blocks {
			index -= n.kids[i].sum.Blocks
			i++
		}
		c.path = append(c.path, frame{n, i})
		n = n.kids[i]
	}
	c.path = append(c.path, frame{n, index})
}

func (c *cursor) next() *Block {
	for len(c.path) > 0 {
		top := &c.path[len(c.path)-1]
		if top.n.kids == nil {
			if top.i < len(top.n.blocks) {
				b := top.n.blocks[top.i]
				top.i++
				return b
			}
		} else if top.i+1 < len(top.n.kids) {
			top.i++
			n := top.n.kids[top.i]
			for n.kids != nil {
				c.path = append(c.path, frame{n, 0})
				n = n.kids[0]
			}
			c.path = append(c.path, frame{n, 0})
			continue
		}
		c.path = c.path[:len(c.path)-1]
	}
	return nil
}
