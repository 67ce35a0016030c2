package parser

import (
	"strings"
	"unicode/utf8"
)

// spaceLen is the length in bytes of the white-space character at the start of
// s, 0 when there is none. The set is ECMAScript's \s, since Part 5 defines the
// format by ECMAScript regular expressions (R-l).
func spaceLen(s string) int {
	if s == "" {
		return 0
	}
	c := s[0]
	if c < utf8.RuneSelf {
		if c == ' ' || '\t' <= c && c <= '\r' {
			return 1
		}
		return 0
	}
	r, n := utf8.DecodeRuneInString(s)
	switch {
	case r == 0xA0, r == 0x1680, 0x2000 <= r && r <= 0x200A, r == 0x2028, r == 0x2029,
		r == 0x202F, r == 0x205F, r == 0x3000, r == 0xFEFF:
		return n
	}
	return 0
}

// skipSpace is the number of bytes of white space at the start of s.
func skipSpace(s string) int {
	i := 0
	for i < len(s) {
		n := spaceLen(s[i:])
		if n == 0 {
			break
		}
		i += n
	}
	return i
}

// isBlank reports whether a line holds nothing but white space.
func isBlank(line string) bool { return skipSpace(line) == len(line) }

// trimRight is the length of s without the white space at its end.
func trimRight(s string) int {
	end := len(s)
	for end > 0 {
		c := s[end-1]
		if c < utf8.RuneSelf {
			if c == ' ' || '\t' <= c && c <= '\r' {
				end--
				continue
			}
			break
		}
		_, n := utf8.DecodeLastRuneInString(s[:end])
		if spaceLen(s[end-n:end]) != n {
			break
		}
		end -= n
	}
	return end
}

// TrimSpace cuts ECMAScript white space at both ends, as the readers that the
// specification describes do (R-w).
func TrimSpace(s string) string {
	s = s[skipSpace(s):]
	return s[:trimRight(s)]
}

func isWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// isFence reports whether a line is `---`, white space at its end allowed.
func isFence(line string) bool {
	return strings.HasPrefix(line, "---") && isBlank(line[3:])
}

// isKey reports whether a line looks like a YAML mapping entry at column 0.
func isKey(line string) bool {
	i := 0
	for i < len(line) && (isWord(line[i]) || line[i] == '-') {
		i++
	}
	return i > 0 && i < len(line) && line[i] == ':' && (i+1 == len(line) || spaceLen(line[i+1:]) > 0)
}
