package poison

// The prefilter. One pass over a text looks every word up in a small table of
// hot words and ORs what they stand for; unless the sum holds what some rule
// cannot do without, nothing else reads the text. The hot words are fewer than
// the vocabulary: of each rule only those parts that ordinary text rarely has.

// heat is a set of kinds of hot words.
type heat uint64

const (
	hSelf    heat = 1 << iota // pack
	hDoc                      // this file, these notes
	hOver                     // ignore, void, precedence
	hHost                     // instructions, rules, operator
	hAuth                     // anthropic, official, root
	hGrant                    // approved, consent
	hConceal                  // hide, silently, unaware
	hTell                     // tell, mention, answer
	hPerson                   // user, reviewer
	hRecord                   // summary, log
	hDeny                     // none, nothing, falsely
	hPersist                  // bashrc, cron, hook
	hPlace                    // memory, settings, projects
	hWrite                    // append, copy
	hGuard                    // sandbox, firewall
	hAsk                      // ask, verify, confirm
	hGrave                    // production, delete
	hSecret                   // credentials, ssh
	hKey                      // key, token, environment
	hMove                     // send, print, paste
	hCommand                  // curl, bash
	hTool                     // git, npm, docker
	hRisk                     // registry, force, reset
	hDestroy                  // delete, wipe
	hDear                     // backups, database
	hJoin                     // join, fill
	hDecode                   // decode, reverse, base64
	hPart                     // piece, half
	hRun                      // run, execute
	hRef                      // example, template
	hObey                     // follow, obey, whatever
	hInbound                  // comment, page, mail
	hTrigger                  // codeword
	hTurn                     // human, assistant, system
	hLess                     // without
	hOnly                     // only, over, above
	hNet                      // gist, webhook, pixel
	hClear                    // false positive, scanner
	hForeign                  // words of languages in plain ASCII
	hData                     // data
	hImage                    // image, pixel
	hLong                     // a word of twelve bytes or more with digits or capitals inside
	hNumbers                  // ten numbers
	hGap                      // eight bytes in a row that are no words
	hPrivate                  // conversation, transcript
	hFetch                    // fetch, download
	hReg                      // registry, index, proxy
	hAlso                     // also, second, bcc
	hHush                     // secretly, unaware
	hNaught                   // none, although
	hSkip                     // skip, disable
	hWeak                     // over, aside, rest
	hLaw                      // instructions, operator: the narrow hosts
	hClash                    // only, conflict
	hSink                     // answer, pull request
	hAlarm                    // words no harmless text has
	hFlag                     // a word of a setting that turns protection off
)

func (h heat) has(x heat) bool { return h&x != 0 }

// all reports whether every one of the sets is met.
func (h heat) all(sets ...heat) bool {
	for _, s := range sets {
		if h&s == 0 {
			return false
		}
	}
	return true
}

const (
	sweepSize = 1 << 13
	sweepMask = sweepSize - 1
)

// sweepTable is a hash table of hot words behind a small bit set that fits the
// nearest cache and turns most words away.
type sweepTable struct {
	seen  [1 << 12]uint8
	slots [sweepSize]sweepSlot
}

type sweepSlot struct {
	hash uint32
	heat heat
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

func (t *sweepTable) add(word string, x heat) {
	h := hashWord(word)
	bit := h ^ h>>15
	t.seen[bit>>3&(1<<12-1)] |= 1 << (bit & 7)
	for k := (h ^ h>>13) & sweepMask; ; k = (k + 1) & sweepMask {
		s := &t.slots[k]
		if s.heat == 0 || s.hash == h {
			s.hash = h
			s.heat |= x
			return
		}
	}
}

func (t *sweepTable) find(h uint32) heat {
	for k := (h ^ h>>13) & sweepMask; ; k = (k + 1) & sweepMask {
		s := &t.slots[k]
		if s.heat == 0 {
			return 0
		}
		if s.hash == h {
			return s.heat
		}
	}
}

// sweep reads text once.
func (t *sweepTable) sweep(text string) (sum heat, symbols symbol) {
	numbers := 0
	n := len(text)
	for i := 0; i < n; {
		gap := i
		for i < n && fold[text[i]] == 0 {
			symbols |= symbolOf[text[i]]
			i++
		}
		if i-gap >= 8 {
			sum |= hGap
		}
		h := uint32(0)
		w := i
		for i < n {
			f := fold[text[i]]
			if f == 0 {
				break
			}
			h = h*31 + uint32(f)
			i++
		}
		if i == w {
			break
		}
		if text[w] <= '9' {
			if numbers++; numbers >= 10 {
				sum |= hNumbers
			}
		}
		if i-w >= 12 && odd(text[w:i]) {
			sum |= hLong
			numbers = 0
		}
		if bit := h ^ h>>15; t.seen[bit>>3&(1<<12-1)]&(1<<(bit&7)) != 0 {
			sum |= t.find(h)
		}
	}
	return sum, symbols
}

// odd reports a digit or a capital inside a word.
func odd(w string) bool {
	for i := 1; i < len(w); i++ {
		if w[i] < 'a' {
			return true
		}
	}
	return false
}

type symbol uint16

const (
	sHigh   symbol = 1 << iota // a byte from 0x80
	sAngle                     // <
	sBrace                     // { }
	sPipe                      // |
	sDollar                    // $
	sEscape                    // \ & %
	sParen                     // ( [
	sTick                      // `
	sSlash                     // /
	sTilde                     // ~
	sControl
	sEquals
	sHash // #
	sColon
	sAt
	sQuote
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
		{"<", sAngle}, {"{}", sBrace}, {"|", sPipe}, {"$", sDollar}, {"\\&%", sEscape}, {"([", sParen}, {"`", sTick}, {"/", sSlash}, {"~", sTilde}, {"=", sEquals}, {"#", sHash}, {":", sColon}, {"@", sAt}, {"\"", sQuote},
	} {
		for i := range len(p.bytes) {
			t[p.bytes[i]] |= p.s
		}
	}
	return t
}()
