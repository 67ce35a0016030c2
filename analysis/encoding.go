package analysis

import (
	"strings"
	"unicode/utf8"
)

// badByte is the offset of the first NUL or the first byte that is not valid
// UTF-8, -1 when there is none (R-enc).
func badByte(s string) int {
	from := plain(s)
	nul := strings.IndexByte(s[from:], 0)
	if nul >= 0 {
		nul += from
	}
	if utf8.ValidString(s[from:]) {
		return nul
	}
	for i := from; i < len(s); {
		if s[i] == 0 {
			return i
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return nul
}

// plain is the length of a start of s, up to seven bytes short, that is ASCII without NUL.
func plain(s string) int {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	i := 0
	for ; i+8 <= len(s); i += 8 {
		w := s[i : i+8]
		x := uint64(w[0]) | uint64(w[1])<<8 | uint64(w[2])<<16 | uint64(w[3])<<24 |
			uint64(w[4])<<32 | uint64(w[5])<<40 | uint64(w[6])<<48 | uint64(w[7])<<56
		if (x|(x-ones))&high != 0 {
			break
		}
	}
	return i
}

// BadByte is badByte for rules on files that have no tree.
func BadByte(s string) int { return badByte(s) }

// WideText reports whether a text starts as UTF-16 does: with its byte order mark
// or, without one, with two characters of which one half is zero.
func WideText(s string) bool {
	if strings.HasPrefix(s, "\xff\xfe") || strings.HasPrefix(s, "\xfe\xff") {
		return true
	}
	if len(s) < 4 {
		return false
	}
	return s[0] != 0 && s[1] == 0 && s[2] != 0 && s[3] == 0 || s[0] == 0 && s[1] != 0 && s[2] == 0 && s[3] != 0
}
