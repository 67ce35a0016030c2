package poison

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// layer is a text with, for every byte, the offset it came from in the unit.
type layer struct {
	text string
	from []int32 // len(text)+1 entries; nil for the raw layer
}

func (l *layer) at(i int) int {
	if l.from == nil {
		return i
	}
	return int(l.from[min(i, len(l.from)-1)])
}

// looks maps letters of other scripts to the Latin letters they look like.
var looks = sync.OnceValue(func() map[rune]byte {
	m := map[rune]byte{}
	add := func(latin, others string) {
		k := 0
		for _, r := range others {
			m[r] = latin[k]
			k++
		}
	}
	add("aceopxyijshdqwlbkmtvrgu", "асеорхуіјѕһԁԛԝӏЬкмтѵгɡս")
	add("ABCEHIJKMOPSTXYVZQWG", "АВСЕНІЈКМОРЅТХУѴΖԚԜԌ")
	add("ovpiaukxyntw", "ονριαυκχγητω")
	add("ABEZHIKMNOPTYX", "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧ")
	add("ouhsnqgfl", "օսհտոզցքլ")
	add("ADEGHIJKLMPRSTVWZC", "ᎪᎠᎬᏀᎻᏆᎫᏦᏞᎷᏢᏒᏚᎢᏙᎳᏃᏟ")
	add("iceyn", "ıçҽүռ")
	delete(m, 'ç')
	m['ԁ'], m['Ꮯ'], m['е'], m['ё'] = 'd', 'C', 'e', 'e'
	return m
})

// invisible reports characters without a shape of their own.
func invisible(r rune) bool {
	switch {
	case r == 0x00AD, r == 0x034F, r == 0x061C, r == 0x115F, r == 0x1160, r == 0x180E, r == 0x3164, r == 0xFEFF, r == 0xFFA0:
		return true
	case r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x206F, r >= 0xFE00 && r <= 0xFE0F, r >= 0xFFF9 && r <= 0xFFFB, r >= 0xE0000 && r <= 0xE01EF, r >= 0x180B && r <= 0x180D, r >= 0x17B4 && r <= 0x17B5:
		return true
	}
	return false
}

// readable strips invisible characters, folds compatibility forms, resolves
// entities and escapes, and writes words of look-alike letters in Latin. It
// returns false when the text is already that.
func readable(text string) (layer, bool) {
	l := layer{}
	var b strings.Builder
	changed := false
	put := func(s string, at int) {
		for range len(s) {
			l.from = append(l.from, int32(at))
		}
		b.WriteString(s)
	}
	for i := 0; i < len(text); {
		c := text[i]
		if c < 0x80 {
			if s, n := escape(text[i:]); n > 0 {
				put(s, i)
				i += n
				changed = true
				continue
			}
			put(text[i:i+1], i)
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case invisible(r):
			changed = true
		case r >= 0x1D400 && r <= 0x1D7FF || r >= 0xFF01 && r <= 0xFF5E || r >= 0x2100 && r <= 0x214F || r >= 0x2460 && r <= 0x24FF || r >= 0xFB00 && r <= 0xFB06 || r >= 0x1F130 && r <= 0x1F189 || r == 0xA0 || r >= 0x2000 && r <= 0x200A || r == 0x202F || r == 0x3000:
			s := norm.NFKC.String(text[i : i+n])
			if r >= 0x1F130 && r <= 0x1F189 {
				s = string(rune('A' + (r-0x1F130)%32))
			}
			put(s, i)
			changed = true
		default:
			put(text[i:i+n], i)
		}
		i += n
	}
	l.from = append(l.from, int32(len(text)))
	l.text = b.String()
	if l.unmask() {
		changed = true
	}
	return l, changed
}

// escape decodes an entity, \uXXXX or \xXX at the start of s.
func escape(s string) (string, int) {
	switch s[0] {
	case '&':
		end := strings.IndexByte(s[:min(len(s), 12)], ';')
		if end < 2 {
			return "", 0
		}
		name := s[1:end]
		switch name {
		case "lt":
			return "<", end + 1
		case "gt":
			return ">", end + 1
		case "amp":
			return "&", end + 1
		case "quot":
			return "\"", end + 1
		case "nbsp":
			return " ", end + 1
		case "colon":
			return ":", end + 1
		case "excl":
			return "!", end + 1
		case "sol":
			return "/", end + 1
		case "shy", "zwnj", "zwj", "ZeroWidthSpace", "lrm", "rlm":
			return "", end + 1
		}
		if name[0] == '#' {
			v, ok := parseInt(name[1:])
			if ok && v >= 9 && v < 0x110000 && utf8.ValidRune(rune(v)) {
				return string(rune(v)), end + 1
			}
		}
	case '\\':
		if len(s) >= 6 && s[1] == 'u' {
			if v, ok := hexInt(s[2:6]); ok && v >= 0x20 && utf8.ValidRune(rune(v)) {
				return string(rune(v)), 6
			}
		}
		if len(s) >= 4 && s[1] == 'x' {
			if v, ok := hexInt(s[2:4]); ok && v >= 0x20 && v < 0x7f {
				return string(rune(v)), 4
			}
		}
	}
	return "", 0
}

func parseInt(s string) (int, bool) {
	if len(s) > 1 && (s[0] == 'x' || s[0] == 'X') {
		return hexInt(s[1:])
	}
	v := 0
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
		v = v*10 + int(s[i]-'0')
	}
	return v, len(s) > 0
}

func hexInt(s string) (int, bool) {
	v := 0
	for i := range len(s) {
		d := hexDigit(s[i])
		if d < 0 {
			return 0, false
		}
		v = v*16 + d
	}
	return v, len(s) > 0
}

func hexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// unmask writes words that mix Latin with look-alikes, or consist of
// look-alikes of a word the rules know, in Latin letters.
func (l *layer) unmask() bool {
	if isASCII(l.text) {
		return false
	}
	latinText := 0
	for i := range len(l.text) {
		if c := l.text[i]; c >= 'a' && c <= 'z' {
			latinText++
		}
	}
	changed := false
	var out strings.Builder
	var from []int32
	for i := 0; i < len(l.text); {
		r, n := utf8.DecodeRuneInString(l.text[i:])
		if !unicode.IsLetter(r) {
			out.WriteString(l.text[i : i+n])
			from = append(from, l.from[i:i+n]...)
			i += n
			continue
		}
		e := i
		for e < len(l.text) {
			r, n := utf8.DecodeRuneInString(l.text[e:])
			if !unicode.IsLetter(r) && !unicode.IsMark(r) && !(r >= '0' && r <= '9') && r != '_' {
				break
			}
			e += n
		}
		w := l.text[i:e]
		skel, mixed, all := skeleton(w)
		if mixed || all && latinText > len(l.text)/3 && len(skel) >= 2 && lex().words[lowerASCII(skel)] != 0 {
			changed = true
			k := 0
			for at, r := range w {
				_ = r
				out.WriteByte(skel[k])
				from = append(from, l.from[i+at])
				k++
			}
		} else {
			out.WriteString(w)
			from = append(from, l.from[i:e]...)
		}
		i = e
	}
	if changed {
		l.from = append(from, l.from[len(l.from)-1])
		l.text = out.String()
	}
	return changed
}

// skeleton writes a word in Latin. mixed: it has Latin and look-alike letters
// and no other; all: nothing but look-alikes.
func skeleton(w string) (skel string, mixed, all bool) {
	if isASCII(w) {
		return w, false, false
	}
	var b []byte
	latin, fake := 0, 0
	for _, r := range w {
		switch {
		case r < 0x80:
			b = append(b, byte(r))
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
				latin++
			}
		default:
			c, ok := looks()[r]
			if !ok {
				return w, false, false
			}
			b = append(b, c)
			fake++
		}
	}
	return string(b), latin > 0 && fake > 0, latin == 0 && fake > 0
}
