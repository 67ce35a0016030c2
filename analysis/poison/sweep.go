package poison

// sweepTable maps hashes of words to concepts. One pass over a text ORs them
// together; unless the sum holds what some rule needs, nothing else looks at
// the text.
type sweepTable struct {
	slots [sweepSize]sweepSlot
}

const (
	sweepSize = 1 << 14
	sweepMask = sweepSize - 1
)

type sweepSlot struct {
	hash uint32
	c    concept
}

// fold maps the bytes of words to lower case and all others to 0.
var fold = func() (t [256]byte) {
	for c := 'a'; c <= 'z'; c++ {
		t[c] = byte(c)
		t[c-'a'+'A'] = byte(c)
	}
	for c := '0'; c <= '9'; c++ {
		t[c] = byte(c)
	}
	return t
}()

func hashWord(s string) uint32 {
	h := uint32(0)
	for i := range len(s) {
		h = h*31 + uint32(fold[s[i]])
	}
	return h
}

// add enters a term under its longest piece of letters and digits.
func (t *sweepTable) add(term string, c concept) {
	best := ""
	for i := 0; i < len(term); {
		j := i
		for j < len(term) && fold[term[j]] != 0 {
			j++
		}
		if j-i > len(best) {
			best = term[i:j]
		}
		i = max(j, i+1)
	}
	if best == "" {
		return
	}
	h := hashWord(best)
	for k := (h ^ h>>15) & sweepMask; ; k = (k + 1) & sweepMask {
		s := &t.slots[k]
		if s.c == 0 || s.hash == h {
			s.hash = h
			s.c |= c
			return
		}
	}
}

func (t *sweepTable) find(h uint32) concept {
	for k := (h ^ h>>15) & sweepMask; ; k = (k + 1) & sweepMask {
		s := &t.slots[k]
		if s.c == 0 {
			return 0
		}
		if s.hash == h {
			return s.c
		}
	}
}

// sweep ORs the concepts of all words of text. symbols gets a bit for each kind
// of byte that matters.
func (t *sweepTable) sweep(text string) (sum concept, symbols symbol) {
	h := uint32(0)
	for i := range len(text) {
		b := text[i]
		if f := fold[b]; f != 0 {
			h = h*31 + uint32(f)
			continue
		}
		symbols |= symbolOf[b]
		if h != 0 {
			sum |= t.find(h)
			h = 0
		}
	}
	if h != 0 {
		sum |= t.find(h)
	}
	return sum, symbols
}

type symbol uint16

const (
	sHigh   symbol = 1 << iota // a byte from 0x80
	sAngle                     // <
	sBrace                     // { }
	sPipe                      // |
	sDollar                    // $
	sEscape                    // \ & %
	sParen                     // ( [ !
	sTick                      // `
	sSlash                     // / ~
	sControl
	sEquals
	sHash // #
)

var symbolOf = func() (t [256]symbol) {
	for c := range 256 {
		if c >= 0x80 {
			t[c] = sHigh
		}
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			t[c] = sControl
		}
	}
	for _, p := range []struct {
		bytes string
		s     symbol
	}{
		{"<", sAngle}, {"{}", sBrace}, {"|", sPipe}, {"$", sDollar}, {"\\&%", sEscape}, {"([!", sParen}, {"`", sTick}, {"/~", sSlash}, {"=", sEquals}, {"#", sHash},
	} {
		for i := range len(p.bytes) {
			t[p.bytes[i]] |= p.s
		}
	}
	return t
}()
