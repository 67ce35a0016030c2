package units

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// The definition, without the short cuts.
func binarySlowly(s string) bool {
	odd := 0
	for i, r := range s {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == utf8.RuneError && s[i] != 0xEF {
			odd++
		}
	}
	return strings.Contains(s, "\x00") && odd*10 >= len(s)
}

func TestBinaryIsItsDefinition(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[bool]int{}
	for range 3000 {
		n := []int{1, 10, 100, 5000, 9000}[r.IntN(5)]
		share := r.IntN(25) // percent of odd bytes
		var b strings.Builder
		for b.Len() < n {
			switch {
			case r.IntN(100) >= share:
				b.WriteString([]string{"a", " ", "\n", "é", "漢", "\t"}[r.IntN(6)])
			case r.IntN(2) == 0:
				b.WriteByte(byte(r.IntN(32)))
			default:
				b.WriteByte(byte(128 + r.IntN(128)))
			}
		}
		s := b.String()
		if got, want := Binary(s), binarySlowly(s); got != want {
			t.Fatalf("%q...: %v, want %v", s[:min(len(s), 50)], got, want)
		}
		seen[Binary(s)]++
	}
	if seen[true] < 500 || seen[false] < 500 {
		t.Errorf("the texts are too much alike: %v", seen)
	}
}
