package text

import "unicode/utf8"

// An Encoding is a unit in which a column is counted (LSP PositionEncodingKind).
type Encoding uint8

// The three encodings of LSP 3.17 and later.
const (
	UTF8 Encoding = iota
	UTF16
	UTF32
)

func (e Encoding) String() string { return [...]string{"utf-8", "utf-16", "utf-32"}[e] }

// Units is the length of s in units of the encoding. A byte that is not valid
// UTF-8 counts as one unit, since every client shows it as one replacement character.
func Units(s string, e Encoding) int {
	if e == UTF8 {
		return len(s)
	}
	n := 0
	for i := 0; i < len(s); {
		if s[i] < utf8.RuneSelf {
			n++
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		i += size
		n++
		if e == UTF16 && r > 0xFFFF {
			n++
		}
	}
	return n
}

// ByteCol is the byte offset in line of a column given in units. Columns past
// the end clamp to the end; one inside a character rounds down to its start.
func ByteCol(line string, units int, e Encoding) int {
	if units <= 0 {
		return 0
	}
	if e == UTF8 {
		if units >= len(line) {
			return len(line)
		}
		for units > 0 && !utf8.RuneStart(line[units]) {
			units--
		}
		return units
	}
	n := 0
	for i := 0; i < len(line); {
		r, size := utf8.DecodeRuneInString(line[i:])
		w := 1
		if e == UTF16 && r > 0xFFFF {
			w = 2
		}
		if n+w > units {
			return i
		}
		n += w
		i += size
	}
	return len(line)
}
