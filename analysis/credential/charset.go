package credential

// Character sets as bits, so that one table lookup answers any of them.
const (
	upper uint16 = 1 << iota
	lower
	digit
	under  // _
	dash   // -
	dot    // .
	b64sym // + /
	pad    // =
	hexLow // a-f
	hexUp  // A-F
	quote  // " ' `
	stop   // ends an unquoted value
	base32 // A-Z 2-7
)

const (
	alpha  = upper | lower
	alnum  = alpha | digit
	word   = alnum | under
	token  = word | dash
	hexSet = digit | hexLow | hexUp
	b64    = alnum | b64sym
)

var charset = func() (t [256]uint16) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] |= lower
		t[c-'a'+'A'] |= upper | base32
	}
	for c := 'a'; c <= 'f'; c++ {
		t[c] |= hexLow
		t[c-'a'+'A'] |= hexUp
	}
	for c := '0'; c <= '9'; c++ {
		t[c] |= digit
	}
	for c := '2'; c <= '7'; c++ {
		t[c] |= base32
	}
	t['_'] |= under
	t['-'] |= dash
	t['.'] |= dot
	t['+'] |= b64sym
	t['/'] |= b64sym
	t['='] |= pad
	for _, c := range []byte("\"'`") {
		t[c] |= quote | stop
	}
	for _, c := range []byte(",;|<>)]}\\") {
		t[c] |= stop
	}
	for c := 0; c < 256; c++ {
		if c <= ' ' || c >= 0x80 {
			t[c] |= stop
		}
	}
	return t
}()

func is(c byte, set uint16) bool { return charset[c]&set != 0 }

// run counts the bytes of s from i on that are in set, at most limit.
func run(s string, i int, set uint16, limit int) int {
	end := min(len(s), i+limit)
	j := i
	for j < end && charset[s[j]]&set != 0 {
		j++
	}
	return j - i
}

func all(s string, set uint16) bool { return run(s, 0, set, len(s)) == len(s) }

func lowerByte(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// hasFold reports whether s holds the lower-case ASCII word at i in any case.
func hasFold(s string, i int, w string) bool {
	if i < 0 || i+len(w) > len(s) {
		return false
	}
	for k := range len(w) {
		if lowerByte(s[i+k]) != w[k] {
			return false
		}
	}
	return true
}

// indexFold finds the lower-case ASCII word in s in any case.
func indexFold(s, w string) int {
	for i := 0; i+len(w) <= len(s); i++ {
		if lowerByte(s[i]) == w[0] && hasFold(s, i, w) {
			return i
		}
	}
	return -1
}

func containsFold(s, w string) bool { return indexFold(s, w) >= 0 }
