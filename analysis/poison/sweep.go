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
	hDoes                     // writes, sends, shows or remembers: all words that the rules have
	hVerb                     // a program that the rules on commands know, unless it is an everyday word
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
	hash  uint32
	class class
	heat  heat
}

// class is a second set of kinds of hot words, narrow ones that only the gates
// know.
type class uint32

const (
	kThis    class = 1 << iota // this, our
	kYou                       // you
	kSpeaks                    // on behalf of, notice
	kProgram                   // a word that is the name of a program and hardly anything else
	kVendor                    // platform, system
	kWho                       // user, team
	kConsent                   // consent, approval
	kAssent                    // approve, accept
	kGiven                     // already, standing
	kEarlier                   // told, above
	kAll                       // all, everything
	kDialog                    // prompt, dialog
	kPress                     // answer, click
	kNobody                    // nobody, no, user
	kMode                      // mode, unlock, stop
	kUnseen                    // asleep, unattended
	kSays                      // send, run, delete
	kEnglish                   // the, and: words that only English has
	kOrdinal                   // first, second, last
	kSpell                     // word, letter: what is read out of other units
	kEntry                     // source, rule, line: what is named by its place
	kCue                       // a cipher
	kHide1                     // two words of each family of frames, see frames.go
	kHide2
	kGuard1
	kGuard2
	kRule1
	kRule2
	kRuin1
	kRuin2
	kLink1
	kKeep1
)

func (k class) has(x class) bool { return k&x != 0 }

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

// hashWord is the hash of a word of letters and digits, in either case. Words
// of up to eight bytes are one number; of longer ones it takes first and last
// eight bytes, of which everything but the lower-case bit is kept.
func hashWord(s string) uint32 {
	const low = 0x2020202020202020
	var x uint64
	switch n := len(s); {
	case n > 8:
		x = load64(s) | low
		x = x*0x9e3779b97f4a7c15 ^ x>>29
		x ^= load64(s[n-8:]) | low
	case n == 8:
		x = load64(s) | low
	default:
		for i := n - 1; i >= 0; i-- {
			x = x<<8 | uint64(s[i]|0x20)
		}
	}
	x = (x + uint64(len(s))) * 0x9e3779b97f4a7c15
	return uint32(x >> 32)
}

func load64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

func (t *sweepTable) add(word string, x heat, c class) {
	h := hashWord(word)
	t.seen[h>>3&(1<<12-1)] |= 1 << (h & 7)
	for k := (h ^ h>>13) & sweepMask; ; k = (k + 1) & sweepMask {
		s := &t.slots[k]
		if s.heat == 0 && s.class == 0 || s.hash == h {
			s.hash = h
			s.heat |= x
			s.class |= c
			return
		}
	}
}

func (t *sweepTable) find(h uint32) (heat, class) {
	for k := (h ^ h>>13) & sweepMask; ; k = (k + 1) & sweepMask {
		s := &t.slots[k]
		if s.heat == 0 && s.class == 0 {
			return 0, 0
		}
		if s.hash == h {
			return s.heat, s.class
		}
	}
}

// swept is what one reading of a text gives.
type swept struct {
	heat  heat
	class class
	sym   symbol
	// loud says that some sentence holds what a rule about meaning needs.
	loud bool
}

// sweep reads text once. It judges sentence by sentence whether the rules about
// meaning can matter; claims need less than orders.
func (t *sweepTable) sweep(text string, claim bool) swept {
	numbers := 0
	n := len(text)
	var all swept
	var sum heat // of the sentence
	var classes class
	var symbols symbol
	prev := class(0)                  // of the word before
	accented, english := false, false // in this line
	from := 0                         // of the sentence
	for i := 0; i < n; {
		gap := i
		for i < n {
			s := symbolOf[text[i]]
			if s == sWord {
				break
			}
			symbols |= s
			if s&(sLead|sBreak|sStop) != 0 {
				switch {
				case s&sLead != 0:
					s, w := highSymbol(text[i:])
					symbols |= s
					accented = true
					i += w
					continue
				case s&sStop == 0 || s&sBreak != 0:
					// The end of a line, or of a tag, whose labels may hold words of
					// any language.
					if accented && !english {
						symbols |= sForeign
					}
					accented, english = accented && text[i] == ']', false
				}
				if s&sStop != 0 && (all.sym|symbols)&sMarked == 0 && ends(text, i) {
					all.loud = all.loud || gate(sum, classes, symbols, claim) || frameable(text[from:i], classes, symbols)
					from = i
					all.heat |= sum
					all.class |= classes
					all.sym |= symbols
					sum, classes, symbols, prev = 0, 0, 0, 0
				}
			}
			i++
		}
		if d := i - gap; d != 1 {
			if d >= 12 {
				sum |= hGap
			}
			if symbols&sApostrophe != 0 {
				symbols |= sQuoted
			}
		} else if symbols&sApostrophe != 0 && (gap == 0 || i == n) {
			symbols |= sQuoted
		}
		symbols &^= sApostrophe
		w := i
		for i < n && symbolOf[text[i]] == sWord {
			i++
		}
		if i == w {
			break
		}
		if w > 0 {
			switch text[w-1] {
			case '.', '/', '~', '_', '$', '@':
				symbols |= sGlue
			}
		}
		if c := text[w] | 0x20; c <= '9' {
			if numbers++; numbers >= 10 {
				sum |= hNumbers
			}
		} else if c > 'f' && c != 'x' && c != 'u' {
			numbers = 0
		}
		if i-w >= 12 && odd(text[w:i]) {
			sum |= hLong
			numbers = 0
		}
		h := hashWord(text[w:i])
		c := class(0)
		if t.seen[h>>3&(1<<12-1)]&(1<<(h&7)) != 0 {
			var x heat
			x, c = t.find(h)
			if c.has(kSpell|kEntry) && !(prev | c).has(kOrdinal) {
				c &^= kSpell | kEntry
			}
			if c.has(kEnglish) && (w == 0 || text[w-1] <= ' ') && (i == n || text[i] <= ' ') {
				english = true
			}
			sum |= x
			classes |= c
		}
		prev = c
	}
	if accented && !english {
		symbols |= sForeign
	}
	all.loud = all.loud || gate(sum, classes, symbols, claim) || frameable(text[from:], classes, symbols)
	all.heat |= sum
	all.class |= classes
	all.sym |= symbols
	return all
}

// sMarked are the signs behind which a full stop may be part of a quotation or of
// code, so that it ends no sentence.
const sMarked = sQuote | sTick | sTypo | sHigh | sQuoted

// ends reports whether the stop at i surely ends a sentence: white space follows a
// full stop, and a line break is followed by what no sentence goes on with.
func ends(text string, i int) bool {
	if text[i] != '\n' {
		return i+1 == len(text) || text[i+1] <= ' '
	}
	for i++; i < len(text) && (text[i] == ' ' || text[i] == '\t'); i++ {
	}
	return i == len(text) || text[i] >= 'A' && text[i] <= 'Z' || text[i] == '>' || text[i] == '['
}

// highSymbol classifies the character at the start of s, which is not ASCII, and
// returns its length. What is neither punctuation nor an accented Latin letter is
// looked at closely.
func highSymbol(s string) (symbol, int) {
	if len(s) >= 2 && s[1] >= 0x80 && s[1] < 0xc0 {
		switch s[0] {
		case 0xc2: // « » ° · § © ® ± ² ³ ½
			switch s[1] {
			case 0xab, 0xbb:
				return sTypo, 2
			case 0xb0, 0xb7, 0xa7, 0xa9, 0xae, 0xb1, 0xb2, 0xb3, 0xbd:
				return 0, 2
			}
		case 0xc3, 0xc5:
			return 0, 2
		case 0xc4:
			if s[1] != 0xb1 { // ı looks like i
				return 0, 2
			}
		case 0xe2:
			if len(s) >= 3 {
				switch u := uint(s[1])<<8 | uint(s[2]); {
				case u >= 0x8098 && u <= 0x809f:
					return sTypo, 3
				case u >= 0x8090 && u <= 0x80a2, u == 0x80a6, u == 0x82ac: // dashes, quotes, bullet, …, €
					return 0, 3
				case u >= 0x8690 && u <= 0x8699, u >= 0x9c93 && u <= 0x9c97: // arrows, check marks
					return 0, 3
				}
			}
		}
	}
	return sHigh, 1
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

type symbol uint32

const (
	sHigh   symbol = 1 << iota // a character that is neither ASCII nor common in Latin text
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
	sLead    // a byte from 0x80
	sBreak   // the end of a line or of a tag
	sTypo    // a typographic quotation mark
	sForeign // a line with such bytes and without a word that only English has
	sWord    // a letter or digit
	sStop    // . ! ? and the end of a line
	sApostrophe
	sGlue   // a sign of a path, a file name, a host or an identifier right before a word
	sQuoted // an apostrophe that may be a quotation mark
)

var symbolOf = func() (t [256]symbol) {
	for c := range 256 {
		if c >= 0x80 {
			t[c] = sLead
		}
		if fold[c] != 0 {
			t[c] = sWord
		}
		if c < 0x20 && c != '\n' && c != '\r' && c != '\t' || c == 0x7f {
			t[c] = sControl
		}
	}
	for _, p := range []struct {
		bytes string
		s     symbol
	}{
		{"<", sAngle}, {"{}", sBrace}, {"|", sPipe}, {"$", sDollar}, {"\\&%", sEscape}, {"([", sParen}, {"`", sTick}, {"/", sSlash}, {"~", sTilde}, {"=+", sEquals}, {"#", sHash}, {":", sColon}, {"@", sAt}, {"\"", sQuote}, {"\n]", sBreak}, {".!?\n", sStop}, {"'", sApostrophe},
	} {
		for i := range len(p.bytes) {
			t[p.bytes[i]] |= p.s
		}
	}
	return t
}()
