package parser

import (
	"strings"

	"github.com/amp-toolchain/amp/parser/text"
)

// The block scanner: Part 5 as a line machine. scanBlock reads exactly one block
// and never looks further than the first line behind it, which is what makes
// incremental parsing local: an edit can change no block but the one it touches,
// the one before it, and those behind it until boundaries and states agree again.

func lineEnd(s string, at int) (end, next int) { return text.LineEnd(s, at) }

type scanner struct {
	src    string
	format Format
	hasCR  bool // a text without CR needs one IndexByte a line instead of two
	slab   int  // how many blocks to allocate at once
	free   []Block
}

// slabSize: blocks of a whole file are allocated in groups, which halves the
// cost of a parse. A group stays in memory as long as one of its blocks does.
const slabSize = 64

func (s *scanner) newBlock() *Block {
	if len(s.free) == 0 {
		if s.slab <= 1 {
			return new(Block)
		}
		s.free = make([]Block, s.slab)
	}
	b := &s.free[0]
	s.free = s.free[1:]
	return b
}

func newScanner(src string, f Format) scanner {
	return scanner{src: src, format: f, hasCR: strings.IndexByte(src, '\r') >= 0}
}

func (s *scanner) line(at int) (end, next int) {
	if s.hasCR {
		return text.LineEnd(s.src, at)
	}
	i := strings.IndexByte(s.src[at:], '\n')
	if i < 0 {
		return len(s.src), len(s.src)
	}
	return at + i, at + i + 1
}

// scanBlock reads the block that starts at offset at under the given state.
// at must be smaller than len(src).
func (s *scanner) scanBlock(at int, in state) *Block {
	b := s.newBlock()
	b.in, b.format = in, s.format
	from := at
	if in == stStart && strings.HasPrefix(s.src[at:], text.BOM) {
		from += len(text.BOM)
	}
	b.start = uint32(from - at)
	end, next := s.line(from)
	first := s.src[from:end]
	var lines int
	switch {
	case in == stStart && isFence(first) && !(s.format == V03 && s.v03Primitive(next)):
		next, lines = s.frontmatter(b, at, next)
	case isBlank(first):
		b.kind, b.out = Blank, stLegend
		next, lines = s.blanks(from)
		b.close(s.src[at:next], lines, 0)
		return b
	case s.format == V03:
		next, lines = s.v03Block(b, at, from, next, in)
	case isLegendHead(first) && s.legendFollows(next, in):
		next, lines = s.legend(b, at, next, in)
	case first[0] == '[' && s.tag(b, at, from, end):
		next, lines = s.primitive(b, at, next)
	case first[0] == '[' && opensKnownTag(first):
		b.kind = Malformed
		b.cont, b.contE = uint32(from-at), uint32(end-at)
		next, lines = s.reasons(b, at, next, 1)
	default:
		b.kind = Loose
		b.out = stBody
		next, lines = s.looseRun(next, 1)
	}
	tailEnd := next
	next2, blank := s.blanks(next)
	if b.kind == Primitive || b.kind == Malformed {
		b.out = stBody
		if blank == 0 && tailEnd-at == int(b.tail) {
			b.out = stTight
		}
	}
	b.close(s.src[at:next2], lines+blank, tailEnd-at)
	return b
}

// close fixes the block's text. lines counts the line ends passed, which is one
// too many when the block ends with an unterminated line.
func (b *Block) close(txt string, lines, tailEnd int) {
	b.text = txt
	b.tailE = uint32(tailEnd)
	if lines > 0 && txt[len(txt)-1] != '\n' && txt[len(txt)-1] != '\r' {
		lines--
	}
	b.lines = uint32(lines)
}

// blanks skips blank lines.
func (s *scanner) blanks(at int) (next, lines int) {
	for at < len(s.src) {
		if s.src[at] == '\n' {
			at++
			lines++
			continue
		}
		if c := s.src[at]; c > ' ' && c < 0x80 {
			break
		}
		end, n := s.line(at)
		if !isBlank(s.src[at:end]) {
			break
		}
		at = n
		lines++
	}
	return at, lines
}

// startsBlock reports whether the line at offset at opens a block whatever
// stands before it.
func (s *scanner) startsBlock(at int) bool {
	if s.src[at] != '[' {
		return false
	}
	end, _ := s.line(at)
	line := s.src[at:end]
	w := wordEnd(line)
	if w == 1 {
		return false
	}
	return strings.IndexByte(line[w:], ']') >= 0 || TypeOf(line[1:w]) != Unknown
}

func (s *scanner) blankAt(at int) bool {
	c := s.src[at]
	if c == '\n' || c == '\r' {
		return true
	}
	if c > ' ' && c < 0x80 {
		return false
	}
	end, _ := s.line(at)
	return isBlank(s.src[at:end])
}

// looseRun passes lines up to a blank line or one that starts a block.
func (s *scanner) looseRun(at, lines int) (int, int) {
	for at < len(s.src) && !s.blankAt(at) && !s.startsBlock(at) {
		_, at = s.line(at)
		lines++
	}
	return at, lines
}

func wordEnd(line string) int {
	i := 1
	for i < len(line) && isWord(line[i]) {
		i++
	}
	return i
}

func opensKnownTag(line string) bool {
	w := wordEnd(line)
	return TypeOf(line[1:w]) != Unknown && strings.IndexByte(line[w:], ']') < 0
}

// tag reads the tag line by the regex of Part 5.2 and reports whether it matches.
func (s *scanner) tag(b *Block, at, from, end int) bool {
	line := s.src[from:end]
	w := wordEnd(line)
	if w == 1 {
		return false
	}
	close := strings.IndexByte(line[w:], ']')
	if close < 0 {
		return false
	}
	base := from - at
	tag := w + close + 1
	b.kind = Primitive
	b.typ = TypeOf(line[1:w])
	b.word = uint32(base + w)
	b.tag = uint32(base + tag)
	b.cont = uint32(base + tag + skipSpace(line[tag:]))
	b.contE = uint32(base + len(line))
	return true
}

// primitive reads what follows a tag line: a brace body (R-e), the reason lines
// and the lines that hang on them.
func (s *scanner) primitive(b *Block, at, next int) (int, int) {
	lines := 1
	head := s.src[at+int(b.cont) : at+int(b.contE)]
	if head == "{" || b.typ == Demonstration && strings.HasSuffix(head, "{") {
		b.flags |= flagBrace
		b.body = uint32(next - at)
		next, lines = s.braceBody(b, at, next)
	}
	return s.reasons(b, at, next, lines)
}

// braceBody consumes lines verbatim up to one that is exactly `}` (Part 5.3).
// Without one the body is everything to the end of the file (R-f).
func (s *scanner) braceBody(b *Block, at, next int) (int, int) {
	pos := next
	for pos < len(s.src) {
		i := strings.IndexByte(s.src[pos:], '}')
		if i < 0 {
			break
		}
		i += pos
		pos = i + 1
		if i > next && s.src[i-1] != '\n' && s.src[i-1] != '\r' {
			continue
		}
		end, after := s.line(i)
		if end != i+1 {
			continue
		}
		b.bodyE = uint32(max(next, trimBreak(s.src, i)) - at)
		return after, 1 + text.CountBreaks(s.src[next:i]) + 1
	}
	b.flags |= flagUnclosed
	b.bodyE = uint32(max(next, trimBreak(s.src, len(s.src))) - at)
	n := 1 + text.CountBreaks(s.src[next:])
	if s.src[len(s.src)-1] != '\n' && s.src[len(s.src)-1] != '\r' && len(s.src) > next {
		n++
	}
	return len(s.src), n
}

func (s *scanner) reasons(b *Block, at, next, lines int) (int, int) {
	b.rsn = uint32(next - at)
	for next < len(s.src) && reasonText(s.src, next, len(s.src)) >= 0 {
		if s.src[next] != ' ' || s.src[next+1] != ' ' {
			b.flags |= flagOddReason
		}
		_, next = s.line(next)
		lines++
	}
	b.rsnE = uint32(next - at)
	b.tail = uint32(next - at)
	return s.looseRun(next, lines)
}

// IsReason reports whether a line, without its break, is a continuation line by
// the regular expression of Part 5.4.
func IsReason(line string) bool { return reasonText(line, 0, len(line)) >= 0 }

// reasonText matches /^\s{2}>\s?(.*)$/ at offset at and returns where its group
// starts, -1 when the line is no reason.
func reasonText(src string, at, limit int) int {
	i := at
	for range 2 {
		if i >= limit || src[i] == '\n' || src[i] == '\r' {
			return -1
		}
		n := spaceLen(src[i:limit])
		if n == 0 {
			return -1
		}
		i += n
	}
	if i >= limit || src[i] != '>' {
		return -1
	}
	i++
	if i < limit && src[i] != '\n' && src[i] != '\r' {
		i += spaceLen(src[i:limit])
	}
	return i
}

// frontmatter reads up to the closing `---`. An unclosed one ends before the
// first tag line, so that the primitives behind it are still read (R-fm).
func (s *scanner) frontmatter(b *Block, at, next int) (int, int) {
	b.kind, b.out = Frontmatter, stLegend
	b.body = uint32(next - at)
	lines := 1
	for next < len(s.src) {
		end, after := s.line(next)
		if isFence(s.src[next:end]) {
			b.bodyE = uint32(next - at)
			return after, lines + 1
		}
		if s.startsBlock(next) {
			break
		}
		next = after
		lines++
	}
	b.flags |= flagUnclosed
	b.bodyE = uint32(next - at)
	return next, lines
}

func isLegendHead(line string) bool {
	return strings.HasPrefix(line, "sources:") && isBlank(line[len("sources:"):])
}

// legendFollows: at the top `sources:` is a legend whatever follows; further
// down only an indented line makes it one, else it is loose text. It looks at
// the first line behind the blank ones, as far as any block's end depends on.
func (s *scanner) legendFollows(next int, in state) bool {
	if in <= stLegend {
		return true
	}
	next, _ = s.blanks(next)
	return next < len(s.src) && spaceLen(s.src[next:]) > 0 && reasonText(s.src, next, len(s.src)) < 0
}

// legend reads indented and blank lines up to the first other line (R-j).
func (s *scanner) legend(b *Block, at, next int, in state) (int, int) {
	b.kind, b.out = Legend, stBody
	if in > stLegend {
		b.flags |= flagMisplaced
	}
	lines := 1
	b.body = uint32(next - at)
	for next < len(s.src) {
		if spaceLen(s.src[next:]) == 0 || s.blankAt(next) {
			after, n := s.blanks(next)
			if n == 0 || after >= len(s.src) || spaceLen(s.src[after:]) == 0 || reasonText(s.src, after, len(s.src)) >= 0 {
				break
			}
			next = after
			lines += n
			continue
		}
		if reasonText(s.src, next, len(s.src)) >= 0 && in > stLegend {
			break
		}
		_, next = s.line(next)
		lines++
	}
	b.bodyE = uint32(next - at)
	return next, lines
}
