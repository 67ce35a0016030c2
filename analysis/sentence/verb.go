package sentence

import (
	"unicode"
	"unicode/utf8"
)

// verb is a finite form of be or have; the zero value is none. subject is where
// the pronoun of a contraction starts, else equal to start.
type verb struct{ subject, start, end int }

// nextVerb returns the first finite form of be or have at or after from.
func nextVerb(s string, from int) verb {
	for i := from; i < len(s); {
		if !wordByte[s[i]] {
			i++
			continue
		}
		j := i + 1
		for j < len(s) && wordByte[s[j]] {
			j++
		}
		if n := j - i; n <= 6 && mayBeVerb(s, i, j) {
			if v := verbAt(s, i, j); v.end != 0 {
				return v
			}
		}
		i = j
	}
	return verb{}
}

// wordByte holds ASCII letters, digits and the underscore; bytes of other
// letters are looked at only beside a candidate.
var wordByte = func() (t [256]bool) {
	for c := range t {
		t[c] = c < utf8.RuneSelf && asciiWord(byte(c))
	}
	return t
}()

// mayBeVerb rules out most words by their first and last letters. It accepts
// every form and contracted end that verbAt does.
func mayBeVerb(s string, i, j int) bool {
	switch s[i] | 0x20 {
	case 'a', 'h', 'i', 'w', '_' | 0x20:
		switch s[j-1] | 0x20 {
		case 's', 'e', 'd', 'm', 'n', 't', '_' | 0x20:
			return true
		}
	case 's', 'm', 'd', 'r', 'v':
		return j-i <= 2 && i > 0 && (s[i-1] == '\'' || s[i-1] >= utf8.RuneSelf)
	}
	return false
}

func verbAt(s string, i, j int) verb {
	full := verb{i, i, j}
	if s[i] == '_' { // emphasis: _is_
		if j-i < 4 || s[j-1] != '_' {
			return verb{}
		}
		i, j = i+1, j-1
	}
	var b [6]byte
	if j-i > len(b) {
		return verb{}
	}
	for k := i; k < j; k++ {
		b[k-i] = s[k] | 0x20
	}
	switch string(b[:j-i]) {
	case "is", "am", "are", "was", "were", "has", "have", "had":
		if wholeWord(s, full.start, full.end) {
			return full
		}
	case "isn", "aren", "wasn", "weren", "hasn", "haven", "hadn", "ain":
		n := apostrophe(s[j:])
		if n > 0 && j+n < len(s) && s[j+n]|0x20 == 't' && leftClear(s, i) && rightClear(s, j+n+1) {
			return verb{i, i, j + n + 1}
		}
	case "isnt", "arent", "wasnt", "werent", "hasnt", "havent", "hadnt":
		if wholeWord(s, i, j) {
			return full
		}
	case "s", "m", "re", "ve", "d":
		return contraction(s, i, j)
	}
	return verb{}
}

// contraction accepts 's, 'm, 're, 've and 'd after a pronoun, there, that and
// the like. After a noun 's is taken as a possessive (R-a).
func contraction(s string, i, j int) verb {
	n := apostropheBefore(s[:i])
	if n == 0 || !rightClear(s, j) {
		return verb{}
	}
	end := i - n
	start := end
	for start > 0 && wordByte[s[start-1]] {
		start--
	}
	if start == end || !leftClear(s, start) {
		return verb{}
	}
	e := lookup(s[start:end])
	if e.role&contracts == 0 {
		return verb{}
	}
	switch s[i] | 0x20 {
	case 'm':
		if end-start != 1 {
			return verb{}
		}
	case 'd':
		// 'd is had before a participle or a noun phrase and would elsewhere.
		w, ok := (&scanner{s: s, pos: j}).next()
		if !ok || !participle(s[w.start:w.end]) && lookup(s[w.start:w.end]).role&determiner == 0 {
			return verb{}
		}
	}
	return verb{start, i, j}
}

func wholeWord(s string, i, j int) bool {
	if i > 0 && j < len(s) && s[i-1] == '`' && s[j] == '`' {
		return false // a code span of one token is a name
	}
	return leftClear(s, i) && rightClear(s, j)
}

// leftClear reports whether a word may start at i: nothing before it makes it
// part of an identifier, path, option or compound.
func leftClear(s string, i int) bool {
	if i == 0 {
		return true
	}
	switch c := s[i-1]; c {
	case '-', '.':
		// "word--is" and "word...is" are dashes and pauses, "--is" is an option.
		return i > 2 && s[i-2] == c && s[i-3] != ' '
	case '/':
		return verbBeforeSlash(s, i-1)
	case '@', '#', '$', '\\', '=', '&', '%', '+', '<', '~', ':', '?':
		return false
	case '\'':
		return i < 2 || !wordByte[s[i-2]]
	default:
		if c < utf8.RuneSelf {
			return true
		}
		r, _ := utf8.DecodeLastRuneInString(s[:i])
		return !joins(r)
	}
}

// rightClear reports whether a word may end at j.
func rightClear(s string, j int) bool {
	if j == len(s) {
		return true
	}
	next := byte(0)
	if j+1 < len(s) {
		next = s[j+1]
	}
	switch c := s[j]; c {
	case '-', '.', ':':
		return !asciiWord(next)
	case '/':
		return !asciiWord(next) || verbAfterSlash(s, j+1)
	case '(', '[', '=', '@', '\\', '$', '&':
		return false
	default:
		if c < utf8.RuneSelf {
			return !wordByte[c]
		}
		r, _ := utf8.DecodeRuneInString(s[j:])
		return !joins(r)
	}
}

// joins reports whether r continues a word of a cased script. Scripts without
// case are written without spaces beside Latin words, so they end one.
func joins(r rune) bool {
	return unicode.IsLower(r) || unicode.IsUpper(r) || unicode.IsMark(r) && r != 0xFE0F ||
		r == 0x2010 || r == 0x2011
}

func verbBeforeSlash(s string, slash int) bool {
	i := slash
	for i > 0 && wordByte[s[i-1]] {
		i--
	}
	return form(s[i:slash]) && (i == 0 || s[i-1] == ' ')
}

func verbAfterSlash(s string, i int) bool {
	j := i
	for j < len(s) && wordByte[s[j]] {
		j++
	}
	return form(s[i:j]) && (j == len(s) || s[j] == ' ')
}

// form reports whether word is an uncontracted finite form of be or have.
func form(word string) bool {
	if len(word) < 2 || len(word) > 4 {
		return false
	}
	var b [4]byte
	for i := 0; i < len(word); i++ {
		b[i] = word[i] | 0x20
	}
	switch string(b[:len(word)]) {
	case "is", "am", "are", "was", "were", "has", "have", "had":
		return true
	}
	return false
}

// apostrophe returns the width of the apostrophe, straight or curly, at the
// start of s, or 0.
func apostrophe(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '\'':
		return 1
	case len(s) >= 3 && s[:3] == "\u2019":
		return 3
	case len(s) >= 2 && s[:2] == "\u02BC":
		return 2
	}
	return 0
}

func apostropheBefore(s string) int {
	n := len(s)
	switch {
	case n >= 1 && s[n-1] == '\'':
		return 1
	case n >= 3 && s[n-3:] == "\u2019":
		return 3
	case n >= 2 && s[n-2:] == "\u02BC":
		return 2
	}
	return 0
}
