package report

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// The locator must agree with the tree that editors ask, in any order of places.
func TestPlacesAreThoseOfTheTree(t *testing.T) {
	pieces := []string{"\n", "\r\n", "\r", "a", "é", "日", "😀", "e\u0301", "\xff", "\ufeff", "\t", "[claim] x"}
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		src := ""
		if seed%3 == 0 {
			src = text.BOM
		}
		for range r.IntN(30) {
			src += pieces[r.IntN(len(pieces))]
		}
		tree, l := parser.Parse(src, parser.V04), newLocator(src)
		if src == "" {
			continue
		}
		for i := range 60 {
			o := i
			if i > 30 {
				o = r.IntN(len(src) + 1)
			}
			o = min(o, len(src))
			if got, want := l.at(o), at(tree, o); got != want {
				t.Fatalf("offset %d of %q is %+v, the tree says %+v", o, src, got, want)
			}
		}
	}
}

func TestManyFindingsOnOneLineCostOnePass(t *testing.T) {
	src := strings.Repeat("é", 2<<20)
	l := newLocator(src)
	var last Pos
	for o := 0; o < len(src); o += 4 {
		last = l.at(o) // a million places: from the line's start each, this would take hours
	}
	if last.ColumnUTF16 != len(src)/2-1 {
		t.Errorf("the last place is %+v", last)
	}
}
