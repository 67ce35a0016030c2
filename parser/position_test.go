package parser

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/parser/text"
)

// lines splits by the line breaks of R-enc, the naive way.
func naiveLines(s string) []string {
	s = strings.ReplaceAll(s, "\r\n", "\x01\n")
	s = strings.ReplaceAll(s, "\r", "\n")
	out := strings.Split(s, "\n")
	for i := range out {
		out[i] = strings.TrimSuffix(out[i], "\x01")
	}
	return out
}

func TestPositionsRoundTripInAllEncodings(t *testing.T) {
	smallFanOut(t)
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 2))
		src := randomText(r, 30)
		tree := Parse(src, V04)
		lines := naiveLines(src)
		if n := tree.Summary().Lines + 1; n != len(lines) {
			t.Fatalf("%q: %d lines, want %d", src, n, len(lines))
		}
		for i, l := range lines {
			got, span := tree.Line(i)
			if got != l || src[span.Start:span.End] != l {
				t.Fatalf("%q: line %d is %q, want %q", src, i, got, l)
			}
		}
		for off := 0; off <= len(src); off++ {
			inside := off < len(src) && !utf8.RuneStart(src[off]) || off > 0 && off < len(src) && src[off-1] == '\r' && src[off] == '\n'
			for _, enc := range []text.Encoding{text.UTF8, text.UTF16, text.UTF32} {
				line, col := tree.Position(off, enc)
				back := tree.Offset(line, col, enc)
				if back != off && !(inside && back < off && off-back < 4) {
					t.Fatalf("%q: offset %d -> %d:%d (%v) -> %d", src, off, line, col, enc, back)
				}
			}
		}
	}
}

func TestPositionsOutsideTheTextClamp(t *testing.T) {
	tree := Parse("a😀b\r\nc", V04)
	for _, c := range []struct {
		line, col int
		enc       text.Encoding
		want      int
	}{
		{0, 2, text.UTF16, 1},
		{0, 3, text.UTF16, 5},
		{0, 99, text.UTF16, 6},
		{0, 2, text.UTF8, 1},
		{0, 2, text.UTF32, 5},
		{1, 5, text.UTF16, 9},
		{7, 0, text.UTF16, 9},
		{-1, 4, text.UTF16, 0},
		{1, -3, text.UTF8, 8},
	} {
		if got := tree.Offset(c.line, c.col, c.enc); got != c.want {
			t.Errorf("Offset(%d, %d, %v) = %d, want %d", c.line, c.col, c.enc, got, c.want)
		}
	}
	empty := Parse("", V04)
	if l, c := empty.Position(5, text.UTF16); l != 0 || c != 0 {
		t.Errorf("position in an empty file: %d:%d", l, c)
	}
}
