package sentence

import (
	"strings"
	"unicode/utf8"
)

// How far a line has matched the directive pattern.
const (
	closed = iota // no context word yet
	exact         // after "In" or "When" inside a longer word: keywords by the letter
	folded        // after a whole word "in" or "when": keywords in any case
)

// Directive reports whether s matches Part 5's
//
//	/(In|When)\s.*(always|never|prefer)/
//
// or the same expression ignoring ASCII case with a word boundary before the
// context word (R-c). The expressions are ECMAScript's: \s includes U+00A0 and
// U+FEFF, and . stops at LF, CR, U+2028 and U+2029.
func Directive(s string) bool { return plainDirective(s) || directive(s) }

// plainDirective recognises the form that most directives have: a context, the
// first comma, and the keyword.
func plainDirective(s string) bool {
	if !hasExact(s, "In ") && !hasExact(s, "When ") {
		return false
	}
	comma := strings.IndexByte(s, ',')
	if comma < 0 || comma+2 >= len(s) || s[comma+1] != ' ' {
		return false
	}
	switch rest := s[comma+2:]; rest[0] {
	case 'a':
		if !hasExact(rest, "always") {
			return false
		}
	case 'n':
		if !hasExact(rest, "never") {
			return false
		}
	case 'p':
		if !hasExact(rest, "prefer") {
			return false
		}
	default:
		return false
	}
	// The only line terminators of one byte, and the first byte of the others.
	before := s[:comma]
	return strings.IndexByte(before, '\n') < 0 && strings.IndexByte(before, '\r') < 0 && strings.IndexByte(before, 0xE2) < 0
}

func directive(s string) bool {
	state := closed
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !directiveByte[c] {
			continue
		}
		switch c {
		case 'a', 'A':
			if state != closed && keyword(s[i:], "always", state) {
				return true
			}
		case 'n', 'N':
			if state != closed && keyword(s[i:], "never", state) {
				return true
			}
		case 'p', 'P':
			if state != closed && keyword(s[i:], "prefer", state) {
				return true
			}
		case 'i', 'I':
			if next, width := context(s, i, 2); width > 0 {
				state = max(state, next)
				// The white space may be a line terminator: what follows it is
				// still within reach of ".*", what came before is not.
				if lineEnd(s[i+2:]) {
					state = next
				}
				i += 1 + width
			}
		case 'w', 'W':
			if next, width := context(s, i, 4); width > 0 {
				state = max(state, next)
				if lineEnd(s[i+4:]) {
					state = next
				}
				i += 3 + width
			}
		default: // a line terminator, or the first byte of one
			if c < utf8.RuneSelf || lineEnd(s[i:]) {
				state = closed
			}
		}
	}
	return false
}

var directiveByte = [256]bool{
	'a': true, 'A': true, 'n': true, 'N': true, 'p': true, 'P': true,
	'i': true, 'I': true, 'w': true, 'W': true, '\n': true, '\r': true, 0xE2: true,
}

func keyword(s, word string, state int) bool {
	if state == exact {
		return hasExact(s, word)
	}
	return hasFold(s, word)
}

// context matches "in" (size 2) or "when" (size 4) at i with white space after
// it, and returns how it opens the line and the width of the white space, 0 for
// no match.
func context(s string, i, size int) (state, width int) {
	if i+size >= len(s) {
		return closed, 0
	}
	word := s[i : i+size]
	if size == len("in") && !hasFold(word, "in") || size == len("when") && !hasFold(word, "when") {
		return closed, 0
	}
	width = space(s[i+size:])
	if width == 0 {
		return closed, 0
	}
	if i == 0 || !asciiWord(s[i-1]) {
		return folded, width
	}
	if word == "In" || word == "When" {
		return exact, width
	}
	return closed, 0
}

func asciiWord(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_'
}

// space returns the width in bytes of the ECMAScript white space that starts s, or 0.
func space(s string) int {
	if s == "" {
		return 0
	}
	if c := s[0]; c < utf8.RuneSelf {
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

// lineEnd reports whether s starts with an ECMAScript line terminator.
func lineEnd(s string) bool {
	return s != "" && (s[0] == '\n' || s[0] == '\r') ||
		strings.HasPrefix(s, "\u2028") || strings.HasPrefix(s, "\u2029")
}

// FixDirective proposes the repair of R-b for a sentence that gives a context
// but none of the keywords: insert text at byte insertAt, after the first comma
// ("In copy, lead with findings" becomes "In copy, always lead with findings").
// ok is false when s already passes [Directive], does not open with a context
// word and a comma, or would not read as an instruction afterwards.
func FixDirective(s string) (insertAt int, text string, ok bool) {
	if Directive(s) {
		return 0, "", false
	}
	start := skipOpening(s)
	size := contextSize(s, start)
	if size == 0 {
		return 0, "", false
	}
	at := afterComma(s, start+size)
	if at < 0 {
		return 0, "", false
	}
	w, found := (&scanner{s: s, pos: at}).next()
	if !found || w.start != at {
		return 0, "", false
	}
	entry := lookup(s[w.start:w.end])
	switch {
	case entry.opens == negation || entry.opens == question || entry.role&determiner != 0:
		return 0, "", false // "always don't", "always the oven": no instruction
	case s[w.start:w.end] == "not":
		return 0, "", false
	case entry.role&pronoun != 0:
		at = w.end // "we always use", not "always we use"
		if space(s[at:]) != 1 || lineEnd(s[at:]) {
			return 0, "", false // a keyword behind a line terminator is out of reach of ".*"
		}
		at++
	}
	return at, "always ", true
}

// contextSize returns the length of a whole word in/when at start, or 0.
func contextSize(s string, start int) int {
	for _, size := range [...]int{2, 4} {
		if state, _ := context(s, start, size); state == folded {
			return size
		}
	}
	return 0
}

// afterComma returns the offset of the word after the first comma that is
// followed by white space, or -1. Commas in numbers and code spans are no breaks.
func afterComma(s string, i int) int {
	code := false
	for ; i < len(s); i++ {
		switch s[i] {
		case '`':
			code = !code
		case '\n', '\r', 0xE2:
			if lineEnd(s[i:]) {
				return -1
			}
		case ',':
			n := i + 1
			for w := space(s[n:]); w > 0 && !lineEnd(s[n:]); w = space(s[n:]) {
				n += w
			}
			if !code && n > i+1 && n < len(s) {
				return n
			}
		}
	}
	return -1
}
