package report

import (
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/parser/text"
)

// A locator finds lines and columns in one file. Findings come in order, so it
// goes on from the last place it found on a line: thousands of findings on one
// endless line, as a manifest without breaks has, cost one pass over it.
type locator struct {
	src    string
	starts []int // of lines
	line   int   // the last place
	offset int
	utf16  int // units before offset on the line
}

func newLocator(src string) *locator {
	l := &locator{src: src, starts: []int{0}, line: -1}
	for at := 0; ; {
		end, next := text.LineEnd(src, at)
		if next == end {
			return l
		}
		l.starts = append(l.starts, next)
		at = next
	}
}

// at is the place of an offset in bytes. An offset inside a CRLF is taken as
// before it, one inside a character as its start.
func (l *locator) at(offset int) Pos {
	offset = min(max(offset, 0), len(l.src))
	line, found := slices.BinarySearch(l.starts, offset)
	if !found {
		line--
	}
	start := l.starts[line]
	end := len(l.src)
	if line+1 < len(l.starts) {
		end = l.starts[line+1] - 1
		if end > start && l.src[end] == '\n' && l.src[end-1] == '\r' {
			end--
		}
	}
	to := min(offset, end)
	for to > start && to < end && l.src[to]&0xC0 == 0x80 {
		to--
	}
	if l.line != line || l.offset > to {
		l.line, l.offset, l.utf16 = line, start, 0
	}
	l.utf16 += text.Units(l.src[l.offset:to], text.UTF16)
	l.offset = to
	col, col16 := to-start, l.utf16
	if line == 0 && strings.HasPrefix(l.src, text.BOM) {
		col, col16 = max(0, col-len(text.BOM)), max(0, col16-1)
	}
	return Pos{line + 1, col + 1, col16 + 1, offset}
}
