package credential

import (
	"math/bits"
	"strings"
)

// shortest is the length of the shortest stretch that can hold a credential.
const shortest = 16

// Scan reports every credential of text to yield in ascending order of their
// MatchStart; no two hits overlap. It stops when yield returns false, and
// reports whether it came to the end. Scan is
// linear in len(text) and does not allocate unless something is found.
//
// Source: Part 5 (validation), Part 9 (credential guard), R-i.
func Scan(text string, yield func(Hit) bool) (whole bool) {
	s := scanner{text: text, yield: yield}
	const ones, high = 0x0101010101010101, 0x8080808080808080
	n := len(text)
	for i := 0; i+shortest <= n; {
		// Breaks are bytes up to space and from 0x80. Prose has one in nearly
		// every sixteen bytes, so most windows cost two loads and a jump.
		y := load(text, i+8)
		if m := (^((y & ^uint64(high)) + 0x5f*ones) | y) & high; m != 0 {
			i += 16 - bits.LeadingZeros64(m)/8
			continue
		}
		x := load(text, i)
		if m := (^((x & ^uint64(high)) + 0x5f*ones) | x) & high; m != 0 {
			i += 8 - bits.LeadingZeros64(m)/8
			continue
		}
		end := i + shortest
		for end < n && text[end] > ' ' && text[end] < 0x80 {
			end++
		}
		if !s.stretch(i, end) {
			return false
		}
		i = max(end+1, s.done)
	}
	return true
}

func load(s string, i int) uint64 {
	s = s[i : i+8]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}

// scanner holds what is known about the current stretch.
type scanner struct {
	text  string
	yield func(Hit) bool
	// done is the end of the last hit: nothing before it is looked at again.
	done int
	// Ends of the last runs measured, so that input such as sk-proj-sk-proj-…
	// is measured once and not once per prefix.
	dashEnd, dotEnd int
	// badJWT is the end of a run already known to hold no JWT.
	badJWT int
	// badValue is the end of a password already judged to be none, so that a
	// name inside it does not have the rest judged again.
	badValue int
}

// stretch examines text[start:end], which holds no break. It returns false
// when the caller wants no more.
func (s *scanner) stretch(start, end int) bool {
	t := s.text
	start = max(start, s.done)
	if end-start < shortest {
		return true
	}
	if h, ok := s.pem(start, end); ok && !s.emit(h) {
		return false
	}
	if s.done >= end {
		return true
	}
	if h, ok := s.lead(start, end); ok && !s.emit(h) {
		return false
	}
	inWord := false
	for i := max(start, s.done); i < end; i++ {
		c := t[i]
		if (!inWord || c == 'A' || c == 's' || c == 'r' || c == 'p' || c <= '9' && afterBot(t, i)) && is(c, alnum) && opens(t, i, end) {
			h, ok := s.at(i, end, inWord && c > '9')
			if ok {
				if !s.emit(h) {
					return false
				}
				i = s.done - 1
				inWord = true
				continue
			}
		}
		inWord = is(c, alnum)
		if c != '=' && c != ':' {
			continue
		}
		h, ok := s.assigned(i, end)
		if !ok {
			continue
		}
		if !s.emit(h) {
			return false
		}
		i = s.done - 1
	}
	return true
}

// afterBot lets a Telegram token follow the word it is glued to in an API URL.
func afterBot(t string, i int) bool { return i >= 3 && t[i-3:i] == "bot" }

func (s *scanner) emit(h Hit) bool {
	s.done = h.End
	return s.yield(h)
}

// at tries every format at i. Inside a word only the patterns of the
// specification count.
func (s *scanner) at(i, end int, inWord bool) (Hit, bool) {
	t := s.text[:end]
	if inWord {
		h, ok := literal(t, i, true)
		if !ok {
			return h, false
		}
		// A token may start where the body does: task-AKIA….
		if b := h.Start + len(h.Prefix); opens(t, b, end) && !is(t[b-1], alnum) {
			if inner, found := s.at(b, end, false); found {
				return inner, true
			}
		}
		return h, true
	}
	if h, ok := s.special(i, end); ok {
		return h, true
	}
	if end-i < shortest {
		return Hit{}, false
	}
	want := head(t[i:])
	for k := range byFirst[t[i]] {
		r := &byFirst[t[i]][k]
		if r.head == want && strings.HasPrefix(t[i:], r.prefix) {
			if h, ok := r.match(t, i); ok {
				return h, true
			}
		}
	}
	return literal(t, i, false)
}

func (r *rule) match(t string, i int) (Hit, bool) {
	b := i + len(r.prefix)
	n := run(t, b, r.set, r.max+8)
	n = trim(t, b, n, r.max)
	if n < r.min || n > r.max || !closes(t, b+n) {
		return Hit{}, false
	}
	switch r.check(t[b : b+n]) {
	case live:
		return found(i, b+n, r.family, r.prefix, Error), true
	case wrongChecksum:
		h := found(i, b+n, r.family, r.prefix, Info)
		h.Message = "looks like a " + h.Message + ", but its checksum is wrong"
		return h, true
	}
	return Hit{}, false
}

// trim gives trailing separators that make a body too long back to the prose.
func trim(t string, b, n, limit int) int {
	for n > 0 && (n > limit || t[b+n-1] == '.' || t[b+n-1] == '=' && n > limit) && is(t[b+n-1], under|dash|dot|pad|b64sym) {
		n--
	}
	return n
}

// closes reports whether a fixed-length body may end at i: not before another
// letter or digit, nor before a separator that goes on as a word.
func closes(t string, i int) bool {
	if i >= len(t) {
		return true
	}
	if is(t[i], alnum) {
		return false
	}
	return t[i] != '_' && t[i] != '-' || i+1 >= len(t) || !is(t[i+1], alnum)
}

func found(start, end int, family, prefix string, sev Severity) Hit {
	return Hit{
		Start: start, End: end, MatchStart: start, Family: family, Prefix: prefix, Severity: sev,
		Message: describe(family, prefix, end-start),
	}
}

// literal matches the patterns that Parts 5 and 9 name, exactly as written;
// see R-i. Inside a word they are warnings.
func literal(t string, i int, inWord bool) (Hit, bool) {
	var prefix, family string
	set, need := alnum, 20
	switch t[i] {
	case 's':
		prefix, family = "sk-", "API key"
	case 'r':
		prefix, family = "re_", "API key of the Resend kind"
	case 'p':
		prefix, family = "phc_", "PostHog project key"
	case 'A':
		prefix, family, set, need = "AKIA", "AWS access key id", upper|digit, 16
	default:
		return Hit{}, false
	}
	if !strings.HasPrefix(t[i:], prefix) {
		return Hit{}, false
	}
	b := i + len(prefix)
	if run(t, b, set, need) < need {
		return Hit{}, false
	}
	n := need
	if prefix != "AKIA" {
		n = run(t, b, alnum, len(t))
	}
	if prefix == "sk-" {
		family = skFamily(t[b : b+n])
	}
	h := found(i, b+n, family, prefix, Error)
	switch {
	case inWord:
		h.Severity, h.InWord = Warning, true
		h.Message = "the specification's pattern " + prefix + "… (" + family + ") matches inside a word"
	case prefix == "phc_":
		h.Message += "; project keys are public by design, but the specification rejects them"
	}
	return h, true
}

func skFamily(body string) string {
	switch {
	case strings.Contains(body, "T3BlbkFJ"):
		return "OpenAI API key"
	case len(body) == 32 && all(body, hexSet):
		return "DeepSeek-style API key"
	}
	return "API key"
}
