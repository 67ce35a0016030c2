package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// breaks are the marks met before a word.
type breaks uint8

const (
	comma breaks = 1 << iota
	colon
	stop // . ; ! ? or a dash
	mark // emphasis or a quote that closes or opens
)

// token is one word: letters, digits, and the marks inside a compound,
// contraction or identifier.
type token struct {
	start, end int
	before     breaks
}

// scanner walks the words of s from pos on.
type scanner struct {
	s   string
	pos int
}

// next returns the next word, or ok false at the end.
func (sc *scanner) next() (t token, ok bool) {
	s := sc.s
	for i := sc.pos; i < len(s); {
		c := s[i]
		if wordByte[c] && (c != '_' || i+1 < len(s) && wordByte[s[i+1]] && s[i+1] != '_') {
			if c == '_' {
				t.before |= mark
				i++
			}
			t.start, t.end = i, wordEnd(s, i)
			sc.pos = t.end
			return t, true
		}
		if c < utf8.RuneSelf {
			t.before |= breakOf[c]
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if unicode.IsLetter(r) || unicode.IsNumber(r) {
			t.start, t.end = i, wordEnd(s, i)
			sc.pos = t.end
			return t, true
		}
		switch r {
		case '—', '–', '…':
			t.before |= stop
		case '“', '”', '„', '‘', '’', '«', '»':
			t.before |= mark
		}
		i += n
	}
	sc.pos = len(s)
	return token{before: t.before, start: len(s), end: len(s)}, false
}

var breakOf = [utf8.RuneSelf]breaks{
	',': comma, ':': colon, '.': stop, ';': stop, '!': stop, '?': stop,
	'*': mark, '_': mark, '`': mark, '"': mark, '\'': mark, '~': mark,
}

// wordEnd returns the end of the word that starts at i.
func wordEnd(s string, i int) int {
	for i < len(s) {
		c := s[i]
		switch {
		case wordByte[c]:
			if c == '_' && (i+1 == len(s) || !wordByte[s[i+1]]) {
				return i // closing emphasis
			}
			i++
		case c < utf8.RuneSelf:
			// Joining marks belong to the word when another part follows.
			if !strings.ContainsRune("'-./@+&:", rune(c)) || !wordStart(s[i+1:]) {
				return i
			}
			i++
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			joint := (r == 0x2019 || r == 0x02BC || r == 0x2010 || r == 0x2011) && wordStart(s[i+n:])
			if !joint && !unicode.IsLetter(r) && !unicode.IsNumber(r) && (!unicode.IsMark(r) || r == 0xFE0F) {
				return i
			}
			i += n
		}
	}
	return i
}

func wordStart(s string) bool {
	if s == "" {
		return false
	}
	if s[0] < utf8.RuneSelf {
		return wordByte[s[0]]
	}
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsNumber(r)
}

// skipOpening returns the offset of the first byte of s that is no white space,
// list or quote marker, emphasis, opening bracket or symbol such as an emoji.
// A sentence that opens with a quote, code span, sigil or path is left at that
// mark: its subject is a name.
func skipOpening(s string) int {
	i := 0
	for i < len(s) {
		c := s[i]
		if c < utf8.RuneSelf {
			switch c {
			case ' ', '\t', '*', '_', '~', '>', '[', '(':
				i++
			case '-', '+':
				if i+1 < len(s) && s[i+1] == ' ' {
					i++
					continue
				}
				return i
			default:
				return i
			}
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		if n == 1 || !(unicode.IsSpace(r) || unicode.Is(unicode.So, r) || unicode.IsMark(r) || r == 0x200D ||
			unicode.Is(unicode.Sk, r) || r == 0xFEFF || r == '—' || r == '–' || r == '•') {
			return i
		}
		i += n
	}
	return i
}

// asks reports whether s ends in a question mark, closing marks aside.
func asks(s string) bool {
	for len(s) > 0 {
		switch s[len(s)-1] {
		case '?':
			return true
		case ' ', '\t', '*', '_', '"', '\'', ')', ']', '!':
			s = s[:len(s)-1]
		default:
			if !strings.HasSuffix(s, "”") && !strings.HasSuffix(s, "’") {
				return strings.HasSuffix(s, "？")
			}
			s = s[:len(s)-3]
		}
	}
	return false
}

func upper(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < 'A' || s[i] > 'Z' {
			return false
		}
	}
	return s != ""
}

func capital(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(r)
}
