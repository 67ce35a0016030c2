package sign

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/internal/jsontree"
)

// JSON escapes as JSON.stringify writes them: nothing but the quote, the
// backslash and C0 controls, and unpaired surrogates in lower-case hex
// (ECMA-262, QuoteJSONString). U+2028, U+007F, <, > and & stay raw.
func appendString(dst []byte, s string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(s); {
		c := s[i]
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		case c < 0x20:
			dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
		case c == 0xED && i+2 < len(s) && s[i+1] >= 0xA0: // a surrogate in WTF-8
			r, _ := decode(s[i:])
			dst = append(dst, '\\', 'u', 'd', hex[r>>8&15], hex[r>>4&15], hex[r&15])
			i += 3
			continue
		default:
			dst = append(dst, c)
		}
		i++
	}
	return append(dst, '"')
}

// appendNumber writes a number literal as JSON.parse and JSON.stringify would
// leave it: through a double and Number::toString (ECMA-262). Too large ones
// become Infinity and so null; minus zero loses its sign.
func appendNumber(dst []byte, literal string) []byte {
	f, err := strconv.ParseFloat(literal, 64)
	if err != nil && math.IsInf(f, 0) {
		return append(dst, "null"...)
	}
	if f == 0 {
		return append(dst, '0')
	}
	if abs := math.Abs(f); abs >= 1e-6 && abs < 1e21 {
		return strconv.AppendFloat(dst, f, 'f', -1, 64)
	}
	dst = strconv.AppendFloat(dst, f, 'e', -1, 64)
	// Go pads the exponent to two digits, JavaScript does not.
	if n := len(dst); dst[n-2] == '0' && (dst[n-3] == '-' || dst[n-3] == '+') {
		dst[n-2] = dst[n-1]
		dst = dst[:n-1]
	}
	return dst
}

// order says how members are arranged before JavaScript's own rule (array
// indices first, ascending) is applied.
type order uint8

const (
	asWritten    order = iota
	lengthThenID       // by length, then by text, in UTF-16 code units (PostgreSQL's jsonb)
)

// appendValue writes n as JSON.stringify does.
func appendValue(dst []byte, n *jsontree.Node, o order) []byte {
	switch n.Kind {
	case jsontree.Null:
		return append(dst, "null"...)
	case jsontree.Bool:
		return strconv.AppendBool(dst, n.Bool)
	case jsontree.Number:
		return appendNumber(dst, n.Text)
	case jsontree.String:
		return appendString(dst, n.Text)
	case jsontree.Array:
		dst = append(dst, '[')
		for i, e := range n.Elems {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = appendValue(dst, e, o)
		}
		return append(dst, ']')
	case jsontree.Object:
		return appendObject(dst, n.Members, o)
	}
	panic(fmt.Sprintf("unknown JSON kind %d", n.Kind))
}

func appendObject(dst []byte, members []jsontree.Member, o order) []byte {
	dst = append(dst, '{')
	for i, m := range arrange(members, o) {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = appendString(dst, m.Name)
		dst = append(dst, ':')
		dst = appendValue(dst, m.Value, o)
	}
	return append(dst, '}')
}

// arrange returns the members in the order in which a JavaScript object that was
// filled in the given order enumerates them. Names must be distinct.
func arrange(members []jsontree.Member, o order) []jsontree.Member {
	type ranked struct {
		jsontree.Member
		index uint32
		isIdx bool
	}
	all := make([]ranked, 0, len(members))
	for _, m := range members {
		if o == lengthThenID && m.Name == "__proto__" {
			continue // see Pack.Uncovered
		}
		index, isIdx := arrayIndex(m.Name)
		all = append(all, ranked{m, index, isIdx})
	}
	slices.SortStableFunc(all, func(a, b ranked) int {
		switch {
		case a.isIdx && b.isIdx:
			return cmp.Compare(a.index, b.index)
		case a.isIdx:
			return -1
		case b.isIdx:
			return 1
		case o == asWritten:
			return 0
		}
		return cmp.Or(cmp.Compare(utf16Len(a.Name), utf16Len(b.Name)), compareUTF16(a.Name, b.Name))
	})
	out := make([]jsontree.Member, len(all))
	for i, r := range all {
		out[i] = r.Member
	}
	return out
}

// arrayIndex reports whether name is a canonical array index, 0 to 2^32-2
// (ECMA-262), which JavaScript objects enumerate first.
func arrayIndex(name string) (uint32, bool) {
	if name == "" || len(name) > 10 || name[0] == '0' && len(name) > 1 {
		return 0, false
	}
	var v uint64
	for i := range len(name) {
		if name[i] < '0' || name[i] > '9' {
			return 0, false
		}
		v = v*10 + uint64(name[i]-'0')
	}
	if v >= math.MaxUint32 {
		return 0, false
	}
	return uint32(v), true
}

// decode reads one code point of WTF-8, so surrogates too.
func decode(s string) (rune, int) {
	if s[0] == 0xED && len(s) >= 3 && s[1] >= 0xA0 {
		return 0xD000 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return utf8.DecodeRuneInString(s)
}

func utf16Len(s string) int {
	n := 0
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		if r >= 0x10000 {
			n++
		}
		n++
		i += size
	}
	return n
}

// compareUTF16 orders strings by UTF-16 code unit as JavaScript's < does. That
// differs from byte order where a code point above U+FFFF (surrogates D800..)
// meets one in U+E000..U+FFFF.
func compareUTF16(a, b string) int {
	i := 0
	for i < len(a) && i < len(b) && a[i] == b[i] {
		i++
	}
	// Back to the start of the code point in which they differ.
	for i > 0 && i < len(a) && i < len(b) && (a[i]&0xC0 == 0x80 || b[i]&0xC0 == 0x80) {
		i--
	}
	if i == len(a) || i == len(b) {
		return cmp.Compare(len(a), len(b))
	}
	ra, _ := decode(a[i:])
	rb, _ := decode(b[i:])
	if ra < 0xD800 && rb < 0xD800 {
		return cmp.Compare(ra, rb)
	}
	// An unpaired surrogate and a pair may begin with the same unit.
	return slices.Compare(units(a[i:]), units(b[i:]))
}

// units returns the UTF-16 code units of s.
func units(s string) []uint16 {
	out := make([]uint16, 0, len(s))
	for i := 0; i < len(s); {
		r, size := decode(s[i:])
		if r >= 0x10000 {
			out = append(out, uint16(0xD800+(r-0x10000)>>10), uint16(0xDC00+(r-0x10000)&0x3FF))
		} else {
			out = append(out, uint16(r))
		}
		i += size
	}
	return out
}
