package jsontree

import (
	"fmt"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// MaxDepth is how many arrays and objects may be nested. JSON.parse has no such
// limit, but nobody can serialize deeper values with JSON.stringify of older
// Node.js versions either, and an unbounded parser is a way to eat memory.
const MaxDepth = 10_000

// Parse reads one JSON document (RFC 8259) that fills src. It accepts exactly
// what JSON.parse accepts of the decoded text, up to MaxDepth: duplicate
// members stay in order, and a byte order mark is an error at offset 0.
//
// Bytes that are not UTF-8 are tolerated inside strings, where each maximal
// invalid part decodes to U+FFFD as readers that decode the file first see it;
// callers for whom the bytes matter check utf8.Valid themselves. Time and
// memory are linear in len(src).
func Parse(src []byte) (*Node, *SyntaxError) {
	p := parser{src: string(src)}
	p.space()
	n := p.value(0)
	if p.err == nil {
		p.space()
		if p.pos < len(p.src) {
			p.fail("unexpected %s after the end of the JSON document", p.shown())
		}
	}
	if p.err != nil {
		return nil, p.err
	}
	return n, nil
}

// parser stops at the first error: err is set once and every method returns at
// once afterwards.
type parser struct {
	src string
	pos int
	err *SyntaxError
}

// fail records an error at the current position.
func (p *parser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = &SyntaxError{Offset: p.pos, Msg: fmt.Sprintf(format, args...)}
	}
}

// want fails with what was expected at the current position.
func (p *parser) want(what string) {
	if p.pos >= len(p.src) {
		p.fail("unexpected end of the JSON document, expected %s", what)
		return
	}
	p.fail("unexpected %s, expected %s", p.shown(), what)
}

// shown renders the character at the current position for a message.
func (p *parser) shown() string {
	r, size := utf8.DecodeRuneInString(p.src[p.pos:])
	switch {
	case r == utf8.RuneError && size == 1:
		return fmt.Sprintf("byte 0x%02X", p.src[p.pos])
	case r == '\uFEFF':
		return "byte order mark"
	case r == '\'':
		return `"'"`
	}
	return fmt.Sprintf("%q", r)
}

// peek returns the current byte, or 0 at the end; NUL is no JSON byte either.
func (p *parser) peek() byte {
	if p.pos >= len(p.src) {
		return 0
	}
	return p.src[p.pos]
}

func (p *parser) space() {
	for p.pos < len(p.src) {
		switch p.src[p.pos] {
		case ' ', '\t', '\n', '\r':
			p.pos++
		default:
			return
		}
	}
}

func (p *parser) value(depth int) *Node {
	n := &Node{Start: p.pos}
	switch c := p.peek(); {
	case c == '{':
		n.Kind = Object
		p.object(n, depth)
	case c == '[':
		n.Kind = Array
		p.array(n, depth)
	case c == '"':
		n.Kind = String
		n.Text = p.str()
	case c == '-' || isDigit(c):
		n.Kind = Number
		p.number()
		n.Text = p.src[n.Start:p.pos]
	case c == 't':
		n.Kind, n.Bool = Bool, true
		p.literal("true")
	case c == 'f':
		n.Kind = Bool
		p.literal("false")
	case c == 'n':
		p.literal("null")
	default:
		p.want("a JSON value")
	}
	n.End = p.pos
	return n
}

// enter steps over an opening bracket.
func (p *parser) enter(depth int) bool {
	if depth >= MaxDepth {
		p.fail("nested deeper than %d levels", MaxDepth)
		return false
	}
	p.pos++
	p.space()
	return true
}

func (p *parser) array(n *Node, depth int) {
	if !p.enter(depth) {
		return
	}
	if p.peek() == ']' {
		p.pos++
		return
	}
	for {
		n.Elems = append(n.Elems, p.value(depth+1))
		if p.err != nil {
			return
		}
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
			p.space()
		case ']':
			p.pos++
			return
		default:
			p.want(`"," or "]"`)
			return
		}
	}
}

func (p *parser) object(n *Node, depth int) {
	if !p.enter(depth) {
		return
	}
	if p.peek() == '}' {
		p.pos++
		return
	}
	for {
		if p.peek() != '"' {
			if len(n.Members) == 0 {
				p.want(`a member name in double quotes or "}"`)
			} else {
				p.want("a member name in double quotes")
			}
			return
		}
		m := Member{NameStart: p.pos}
		m.Name = p.str()
		m.NameEnd = p.pos
		p.space()
		if p.err == nil && p.peek() != ':' {
			p.want(`":"`)
		}
		if p.err != nil {
			return
		}
		p.pos++
		p.space()
		m.Value = p.value(depth + 1)
		if p.err != nil {
			return
		}
		n.Members = append(n.Members, m)
		p.space()
		switch p.peek() {
		case ',':
			p.pos++
			p.space()
		case '}':
			p.pos++
			return
		default:
			p.want(`"," or "}"`)
			return
		}
	}
}

func (p *parser) literal(word string) {
	for i := range len(word) {
		if p.peek() != word[i] {
			p.want(word)
			return
		}
		p.pos++
	}
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits steps over one or more digits.
func (p *parser) digits() {
	if !isDigit(p.peek()) {
		p.want("a digit")
		return
	}
	for isDigit(p.peek()) {
		p.pos++
	}
}

func (p *parser) number() {
	if p.peek() == '-' {
		p.pos++
	}
	if p.peek() == '0' {
		p.pos++ // a second digit cannot follow and is what the caller trips over
	} else {
		p.digits()
	}
	if p.err == nil && p.peek() == '.' {
		p.pos++
		p.digits()
	}
	if c := p.peek(); p.err == nil && (c == 'e' || c == 'E') {
		p.pos++
		if c := p.peek(); c == '+' || c == '-' {
			p.pos++
		}
		p.digits()
	}
}

// str decodes the string that starts at the current quote. A string without
// escapes shares the memory of the source.
func (p *parser) str() string {
	p.pos++
	start := p.pos
	plain := true
	for p.pos < len(p.src) {
		c := p.src[p.pos]
		switch {
		case c == '"':
			s := p.src[start:p.pos]
			p.pos++
			if plain {
				return s
			}
			return unescape(s)
		case c == '\\':
			plain = false
			p.escape()
			if p.err != nil {
				return ""
			}
		case c < 0x20:
			p.fail("control character %U in a string, write it as an escape", c)
			return ""
		case c < utf8.RuneSelf:
			p.pos++
		default:
			r, size := utf8.DecodeRuneInString(p.src[p.pos:])
			if r == utf8.RuneError && size == 1 {
				plain = false
			}
			p.pos += size
		}
	}
	p.want("the closing quote of a string")
	return ""
}

// escape steps over one escape sequence.
func (p *parser) escape() {
	p.pos++
	switch p.peek() {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		p.pos++
	case 'u':
		p.pos++
		for range 4 {
			if _, ok := unhex(p.peek()); !ok {
				p.want("a hexadecimal digit")
				return
			}
			p.pos++
		}
	default:
		p.want(`an escape (one of "\/bfnrtu)`)
	}
}

// unescape decodes a string body that is known to be well formed.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '\\' && s[i+1] == 'u':
			r := hex4(s[i+2:])
			i += 6
			if utf16.IsSurrogate(r) && i+6 <= len(s) && s[i] == '\\' && s[i+1] == 'u' {
				if pair := utf16.DecodeRune(r, hex4(s[i+2:])); pair != utf8.RuneError {
					r = pair
					i += 6
				}
			}
			writeWTF8(&b, r)
		case c == '\\':
			b.WriteByte(simpleEscape(s[i+1]))
			i += 2
		case c < utf8.RuneSelf:
			b.WriteByte(c)
			i++
		default:
			i += copyRune(&b, s[i:])
		}
	}
	return b.String()
}

// copyRune copies the first code point of s, or U+FFFD for a maximal invalid
// part (Unicode 3.9, as the WHATWG decoder does), and returns the bytes used.
func copyRune(b *strings.Builder, s string) int {
	r, size := utf8.DecodeRuneInString(s)
	if r != utf8.RuneError || size > 1 {
		b.WriteString(s[:size])
		return size
	}
	b.WriteRune(utf8.RuneError)
	return invalidPart(s)
}

// invalidPart returns the length of the maximal part of an ill-formed sequence
// at the start of s: the longest prefix that could still begin a code point.
func invalidPart(s string) int {
	lo, hi, need := byte(0x80), byte(0xBF), 0
	switch c := s[0]; {
	case c >= 0xC2 && c <= 0xDF:
		need = 1
	case c >= 0xE0 && c <= 0xEF:
		need = 2
		if c == 0xE0 {
			lo = 0xA0
		}
		if c == 0xED {
			hi = 0x9F
		}
	case c >= 0xF0 && c <= 0xF4:
		need = 3
		if c == 0xF0 {
			lo = 0x90
		}
		if c == 0xF4 {
			hi = 0x8F
		}
	}
	n := 1
	for n <= need && n < len(s) && lo <= s[n] && s[n] <= hi {
		lo, hi = 0x80, 0xBF
		n++
	}
	return n
}

func simpleEscape(c byte) byte {
	switch c {
	case 'b':
		return '\b'
	case 'f':
		return '\f'
	case 'n':
		return '\n'
	case 'r':
		return '\r'
	case 't':
		return '\t'
	}
	return c
}

// writeWTF8 writes r as UTF-8, and a surrogate as the three bytes the same
// scheme would give it. strings.Builder.WriteRune would lose it.
func writeWTF8(b *strings.Builder, r rune) {
	if utf16.IsSurrogate(r) {
		b.Write([]byte{0xE0 | byte(r>>12), 0x80 | byte(r>>6)&0x3F, 0x80 | byte(r)&0x3F})
		return
	}
	b.WriteRune(r)
}

func hex4(s string) rune {
	var r rune
	for i := range 4 {
		v, _ := unhex(s[i])
		r = r<<4 | rune(v)
	}
	return r
}

func unhex(c byte) (byte, bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	}
	return 0, false
}
