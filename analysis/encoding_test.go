package analysis

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// The offset must not depend on where in a word of eight bytes the byte stands,
// nor on the letters of several bytes before it.
func TestBadByteIsTheFirstNulOrBrokenCharacter(t *testing.T) {
	naive := func(s string) int {
		for i, r := range s {
			if r == 0 || r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD") {
				return i
			}
		}
		return -1
	}
	parts := []string{"", "a", "seven b", "eight by", "é", "—", "\U0001F600", "\uFFFD", "\x00", "\x80", "\xff", "\xe2\x80", "\x7f", "\x01"}
	for _, a := range parts {
		for _, b := range parts {
			for _, c := range parts {
				for pad := range 9 {
					s := strings.Repeat("x", pad) + a + b + c + "tail of the text"
					if got, want := badByte(s), naive(s); got != want {
						t.Fatalf("%q: got %d, want %d", s, got, want)
					}
				}
			}
		}
	}
}
