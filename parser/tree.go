// Package parser reads the inline-tag format of AMP (Parts 2, 3 and 5) into a
// lossless, immutable tree of blocks, and re-reads only what an edit touches.
//
// Invariants, each held by a fuzz target:
//   - Parsing never fails: any bytes give a tree.
//   - The texts of a tree's blocks, joined, are the file, byte for byte.
//   - Editing a tree gives the same tree as parsing the edited text.
//   - A block's ranges are relative to the block; blocks that an edit does not
//     touch are shared by pointer, with whatever was memoised on them.
//
// The package judges nothing: what is wrong with a block is for package
// analysis to say. It reads no files and knows no JSON or YAML library.
package parser

import (
	"iter"
	"strings"

	"github.com/amp-toolchain/amp/parser/text"
)

// MaxSize is the largest text the parser takes, in bytes: ranges inside a block
// are 32-bit. Callers must refuse larger files.
const MaxSize = 1 << 30

// A Tree is an immutable parsed file.
type Tree struct {
	root   *Node
	format Format
}

// Parse reads a whole file.
func Parse(src string, f Format) *Tree {
	return &Tree{build(scanAll(src, f, stStart)), f}
}

func scanAll(src string, f Format, in state) []*Block {
	s := newScanner(src, f)
	blocks := make([]*Block, 0, len(src)/96+4)
	s.slab = min(slabSize, len(src)/128+1)
	for at := 0; at < len(src); {
		b := s.scanBlock(at, in)
		blocks = append(blocks, b)
		at += len(b.text)
		in = b.out
	}
	return blocks
}

// Format is the reader the tree was made with.
func (t *Tree) Format() Format { return t.format }

// Root is the topmost node, nil for an empty file.
func (t *Tree) Root() *Node { return t.root }

// Summary is the sum over all blocks.
func (t *Tree) Summary() Summary {
	if t.root == nil {
		return Summary{}
	}
	return t.root.sum
}

// Len is the length of the file in bytes.
func (t *Tree) Len() int { return t.Summary().Bytes }

// String is the text of the file.
func (t *Tree) String() string {
	var sb strings.Builder
	sb.Grow(t.Len())
	for it := range t.All() {
		sb.WriteString(it.Block.text)
	}
	return sb.String()
}

// An Item is a block and where it stands.
type Item struct {
	*Block
	Index  int // of the block in its file
	Offset int // bytes
	Line   int // 0-based line of the block's first byte
}

// At converts a range of the block to absolute bytes.
func (it Item) At(r Rel) text.Span {
	return text.Span{Start: it.Offset + r.Start, End: it.Offset + r.End}
}

// All iterates over the blocks in order.
func (t *Tree) All() iter.Seq[Item] {
	return func(yield func(Item) bool) {
		if t.root != nil {
			it := Item{}
			walk(t.root, &it, yield)
		}
	}
}

func walk(n *Node, it *Item, yield func(Item) bool) bool {
	for _, k := range n.kids {
		if !walk(k, it, yield) {
			return false
		}
	}
	for _, b := range n.blocks {
		it.Block = b
		if !yield(*it) {
			return false
		}
		it.Index++
		it.Offset += len(b.text)
		it.Line += int(b.lines)
	}
	return true
}

// find descends to the last block whose position by measure is <= want.
func (t *Tree) find(want int, measure func(*Summary) int, ofBlock func(*Block) int) (Item, bool) {
	n := t.root
	if n == nil {
		return Item{}, false
	}
	var it Item
	at := 0
	for n.kids != nil {
		last := len(n.kids) - 1
		for i, k := range n.kids {
			m := measure(&k.sum)
			if want < at+m || i == last {
				n = k
				break
			}
			at += m
			it.Index += k.sum.Blocks
			it.Offset += k.sum.Bytes
			it.Line += k.sum.Lines
		}
	}
	last := len(n.blocks) - 1
	for i, b := range n.blocks {
		m := ofBlock(b)
		if want < at+m || i == last {
			it.Block = b
			break
		}
		at += m
		it.Index++
		it.Offset += len(b.text)
		it.Line += int(b.lines)
	}
	return it, true
}

// AtOffset is the block that holds the byte at offset; the last one for offsets
// at or past the end. ok is false for an empty file.
func (t *Tree) AtOffset(offset int) (it Item, ok bool) {
	return t.find(offset, func(s *Summary) int { return s.Bytes }, func(b *Block) int { return len(b.text) })
}

// AtLine is the block that holds the start of the 0-based line.
func (t *Tree) AtLine(line int) (it Item, ok bool) {
	return t.find(line, func(s *Summary) int { return s.Lines }, func(b *Block) int { return int(b.lines) })
}

// AtIndex is the block with the given index; ok is false when there is none.
func (t *Tree) AtIndex(i int) (it Item, ok bool) {
	if i < 0 || i >= t.Summary().Blocks {
		return Item{}, false
	}
	return t.find(i, func(s *Summary) int { return s.Blocks }, func(*Block) int { return 1 })
}

// Offset converts a 0-based line and a column in units of the encoding to a
// byte offset. Columns and lines past the end clamp; a column inside a
// character rounds down to its start.
func (t *Tree) Offset(line, units int, e text.Encoding) int {
	if line < 0 {
		return 0
	}
	if line > t.Summary().Lines {
		return t.Len()
	}
	it, ok := t.AtLine(line)
	if !ok {
		return 0
	}
	at := 0
	for l := it.Line; l < line; l++ {
		_, at = text.LineEnd(it.text, at)
	}
	end, _ := text.LineEnd(it.text, at)
	return it.Offset + at + text.ByteCol(it.text[at:end], units, e)
}

// Position converts a byte offset to a 0-based line and a column in units of
// the encoding. An offset inside a CRLF is taken as before it, one inside a
// character as its start.
func (t *Tree) Position(offset int, e text.Encoding) (line, units int) {
	offset = min(max(offset, 0), t.Len())
	it, ok := t.AtOffset(offset)
	if !ok {
		return 0, 0
	}
	rel := offset - it.Offset
	line = it.Line
	for at := 0; ; {
		end, next := text.LineEnd(it.text, at)
		if rel < next || next == end {
			col := min(rel, end)
			for col > at && col < end && it.text[col]&0xC0 == 0x80 {
				col--
			}
			return line, text.Units(it.text[at:col], e)
		}
		at = next
		line++
	}
}

// Line is the text of a 0-based line without its break, and its byte span.
func (t *Tree) Line(line int) (string, text.Span) {
	start := t.Offset(line, 0, text.UTF8)
	it, ok := t.AtOffset(start)
	if !ok || line > t.Summary().Lines {
		return "", text.Span{Start: start, End: start}
	}
	rel := start - it.Offset
	if rel >= len(it.text) {
		return "", text.Span{Start: start, End: start}
	}
	end, _ := text.LineEnd(it.text, rel)
	return it.text[rel:end], text.Span{Start: start, End: it.Offset + end}
}

// Slice is the text of a span, clamped to the file.
func (t *Tree) Slice(s text.Span) string {
	s.Start, s.End = max(s.Start, 0), min(s.End, t.Len())
	if s.Start >= s.End {
		return ""
	}
	it, _ := t.AtOffset(s.Start)
	if s.End <= it.Offset+len(it.text) {
		return it.text[s.Start-it.Offset : s.End-it.Offset]
	}
	var sb strings.Builder
	sb.Grow(s.End - s.Start)
	for sb.Len() < s.End-s.Start {
		part := it.text[s.Start+sb.Len()-it.Offset:]
		sb.WriteString(part[:min(len(part), s.End-s.Start-sb.Len())])
		it, _ = t.AtOffset(it.Offset + len(it.text))
	}
	return sb.String()
}
