// Package text holds byte spans, edits, line breaks and the conversion between
// byte columns and the three position encodings of the Language Server Protocol.
//
// Offsets are bytes everywhere in this project; UTF-16 and UTF-32 exist only in
// this package. It knows nothing of AMP.
package text

import "strings"

// A Span is a half-open range of absolute byte offsets.
type Span struct{ Start, End int }

// Len is the length in bytes.
func (s Span) Len() int { return s.End - s.Start }

// Overlaps reports whether two spans share a byte, or touch at the same site
// when one of them is empty (two insertions at one place conflict too).
func (s Span) Overlaps(o Span) bool {
	if s.Start == s.End || o.Start == o.End {
		return s.Start <= o.End && o.Start <= s.End
	}
	return s.Start < o.End && o.Start < s.End
}

// Contains reports whether the offset lies in the span or at its end.
func (s Span) Contains(off int) bool { return s.Start <= off && off <= s.End }

// An Edit replaces the bytes of Span by New.
type Edit struct {
	Span
	New string
}

// Clamp returns the edit with its span forced into a text of n bytes and put in order.
func (e Edit) Clamp(n int) Edit {
	e.Start = min(max(e.Start, 0), n)
	e.End = min(max(e.End, 0), n)
	if e.End < e.Start {
		e.Start, e.End = e.End, e.Start
	}
	return e
}

// BOM is the UTF-8 byte order mark.
const BOM = "\ufeff"

// CountBreaks counts line breaks: LF, CRLF and lone CR, the set of the Language
// Server Protocol, CommonMark and YAML (R-enc).
func CountBreaks(s string) int {
	n := strings.Count(s, "\n")
	for i := 0; ; {
		j := strings.IndexByte(s[i:], '\r')
		if j < 0 {
			return n
		}
		i += j + 1
		if i >= len(s) || s[i] != '\n' {
			n++
		}
	}
}

// LineEnd returns the offset where the content of the line starting at from
// ends, and the offset where the next line starts (len(s) for the last one).
func LineEnd(s string, from int) (end, next int) {
	// In growing windows: a search for one kind of break through a text that
	// only has the other kind would read all of it for every line.
	var limit, lf int
	for width := 256; ; width *= 4 {
		limit = min(from+width, len(s))
		lf = strings.IndexByte(s[from:limit], '\n')
		if lf >= 0 || limit == len(s) || strings.IndexByte(s[from:limit], '\r') >= 0 {
			break
		}
	}
	if lf >= 0 {
		limit = from + lf
	}
	if cr := strings.IndexByte(s[from:limit], '\r'); cr >= 0 {
		end = from + cr
		if end+1 < len(s) && s[end+1] == '\n' {
			return end, end + 2
		}
		return end, end + 1
	}
	if lf < 0 {
		return limit, limit
	}
	return limit, limit + 1
}

// Newline returns the line break that a text uses, "\n" when it has none.
// A text that mixes them gets the one it uses first.
func Newline(s string) string {
	end, next := LineEnd(s, 0)
	if end == next {
		return "\n"
	}
	return s[end:next]
}
