package analysis

import (
	"strings"
	"unicode/utf8"
)

// badByte is the offset of the first NUL or the first byte that is not valid
// UTF-8, -1 when there is none (R-enc).
func badByte(s string) int {
	for i := 0; i < len(s); {
		if i+8 <= len(s) && plain(s[i:i+8]) {
			i += 8
			continue
		}
		if c := s[i]; c < utf8.RuneSelf {
			if c == 0 {
				return i
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && n == 1 {
			return i
		}
		i += n
	}
	return -1
}

// plain reports whether eight bytes are ASCII and none of them is NUL.
func plain(s string) bool {
	const ones, high = 0x0101010101010101, 0x8080808080808080
	_ = s[7]
	x := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return (x|(x-ones))&high == 0
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
