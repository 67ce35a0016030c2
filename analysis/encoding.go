package analysis

import (
	"strings"
	"unicode/utf8"
)

// badByte is the offset of the first NUL or the first byte that is not valid
// UTF-8, -1 when there is none (R-enc).
func badByte(s string) int {
	nul := strings.IndexByte(s, 0)
	if utf8.ValidString(s) {
		return nul
	}
	for i := 0; i < len(s); {
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
