package poison

import (
	"strings"
	"sync"
)

// A frame is an act told by the places of its words in a sentence, for what people
// say in many ways: slots of word classes in order, with room between them. The
// rules on single verbs know more about each verb; frames know more ways to say a
// thing.
//
// A pattern is a row of slots. A slot is words with | between them; a verb with a +
// stands for its forms, a noun with a / for its plural too, words joined by _ stand
// next to each other. $name is a class of words that several patterns share, and
// <url>, <secret>, <self>, <host>, <persist>, <number> are what a token is. Up to
// two words may stand between slots, with .. up to eight, with ... up to eighteen.
// What has ! in front is the first of the two slots that the prefilter asks for, what
// has & the second; at the slot with @ the order must be affirmed.
type frame struct {
	rule, msg string
	family    family
	// veto are words of the sentence that make it harmless.
	veto *wordSet
	// claims is set for what a statement does harm with.
	claims   bool
	patterns string
}

// family groups frames that share the two bits of the prefilter.
type family uint8

const (
	hideFamily family = iota
	guardFamily
	ruleFamily
	ruinFamily
	// linkFamily are frames with an address, which the prefilter sees by its signs.
	linkFamily
	keepFamily
	families
)

var familyBits = [families][2]class{{kHide1, kHide2}, {kGuard1, kGuard2}, {kRule1, kRule2}, {kRuin1, kRuin2}, {kLink1, 0}, {kKeep1, kThis}}

// gateFrames says which families can matter to a text.
func gateFrames(k class, sym symbol) (f uint8) {
	for i, b := range familyBits {
		if k&b[0] != 0 && (b[1] == 0 || k&b[1] != 0) && (family(i) != linkFamily || sym&(sSlash|sAt|sGlue) != 0) {
			f |= 1 << i
		}
	}
	return f
}

type slot struct {
	words map[string]struct{}
	// phrases are word rows, by their first word.
	phrases map[string][][]string
	is      string // of <is>
	gap     int    // how many words may stand in front
	key     int    // which bit of its family the words have, -1 for none
}

type pattern struct {
	slots []slot
	first int // the slot at which the order must be affirmed
}

type compiled struct {
	*frame
	patterns []pattern
	from     int // the number of the first pattern
}

// frameIndex tells from the words of a sentence which patterns have something for
// every slot, so that no other is tried.
type frameIndex struct {
	seen [1 << 9]uint64 // of the hashes, so that most words cost no more
	refs map[uint32][]frameRef
	need []uint16 // the slots of each pattern that are words
	fam  []family
}

type frameRef struct {
	pattern uint16
	slot    uint16
}

// candidates are the patterns that can match a text.
type candidates [4]uint64

func (c *candidates) has(n int) bool { return c[n>>6]&(1<<(n&63)) != 0 }

var indexedFrames = sync.OnceValue(func() *frameIndex {
	x := &frameIndex{refs: map[uint32][]frameRef{}}
	for _, f := range compiledFrames() {
		for j := range f.patterns {
			n := uint16(len(x.need))
			x.fam = append(x.fam, f.family)
			x.need = append(x.need, 0)
			for i := range f.patterns[j].slots {
				s := &f.patterns[j].slots[i]
				if s.is != "" {
					continue // may be met by what no word tells
				}
				x.need[n] |= 1 << i
				s.each(func(w string) {
					h := hashWord(longestPiece(w))
					x.refs[h] = append(x.refs[h], frameRef{n, 1 << i})
					x.seen[h>>6&(1<<9-1)] |= 1 << (h & 63)
				})
			}
		}
	}
	if len(x.need) > 64*len(candidates{}) {
		panic("poison: more patterns than candidates hold")
	}
	return x
})

// each yields one word of every way to fill the slot.
func (s *slot) each(yield func(string)) {
	for w := range s.words {
		yield(w)
	}
	for w, rests := range s.phrases {
		for _, r := range rests {
			best := w
			for _, x := range r {
				if rarer(x, best) {
					best = x
				}
			}
			yield(best)
		}
	}
}

// frameable reports whether a frame can matter to a sentence.
func frameable(sentence string, k class, sym symbol) bool {
	_, any := framed(sentence, gateFrames(k, sym))
	return any
}

// framed finds the patterns of the families that a text has words for.
func framed(text string, fam uint8) (c candidates, any bool) {
	if fam == 0 {
		return c, false
	}
	x := indexedFrames()
	var met [256]uint16
	for i := 0; i < len(text); {
		for i < len(text) && symbolOf[text[i]] != sWord {
			i++
		}
		w := i
		for i < len(text) && symbolOf[text[i]] == sWord {
			i++
		}
		if i > w {
			h := hashWord(text[w:i])
			if x.seen[h>>6&(1<<9-1)]&(1<<(h&63)) == 0 {
				continue
			}
			for _, r := range x.refs[h] {
				met[r.pattern] |= r.slot
			}
		}
	}
	for n, need := range x.need {
		if met[n]&need == need && fam&(1<<x.fam[n]) != 0 {
			c[n>>6] |= 1 << (n & 63)
			any = true
		}
	}
	return c, any
}

var compiledFrames = sync.OnceValue(func() []compiled {
	var out []compiled
	n := 0
	for i := range frameTable {
		f := &frameTable[i]
		c := compiled{frame: f, from: n}
		for line := range strings.SplitSeq(f.patterns, "\n") {
			if line = strings.TrimSpace(line); line != "" {
				c.patterns = append(c.patterns, parsePattern(line))
			}
		}
		n += len(c.patterns)
		out = append(out, c)
	}
	return out
})

func parsePattern(line string) pattern {
	p := pattern{first: -1}
	gap := 2
	for w := range strings.FieldsSeq(line) {
		switch w {
		case "..":
			gap = 8
			continue
		case "...":
			gap = 18
			continue
		}
		s := slot{gap: gap, key: -1}
		gap = 2
		if r, ok := strings.CutPrefix(w, "@"); ok {
			p.first, w = len(p.slots), r
		}
		if r, ok := strings.CutPrefix(w, "!"); ok {
			s.key, w = 0, r
		} else if r, ok := strings.CutPrefix(w, "&"); ok {
			s.key, w = 1, r
		}
		s.words = map[string]struct{}{}
		s.phrases = map[string][][]string{}
		s.fill(w)
		p.slots = append(p.slots, s)
	}
	return p
}

func (s *slot) fill(w string) {
	for alt := range strings.SplitSeq(w, "|") {
		switch {
		case strings.HasPrefix(alt, "<"):
			s.is += alt
			continue
		case strings.HasPrefix(alt, "$"):
			for w := range strings.FieldsSeq(frameClasses[alt[1:]]) {
				s.fill(w)
			}
			continue
		}
		parts := strings.Split(alt, "_")
		forms := []string{parts[0]}
		last := parts[len(parts)-1]
		switch {
		case strings.HasSuffix(parts[0], "+"):
			parts[0] = strings.TrimSuffix(parts[0], "+")
			forms = inflect(parts[0])
		case strings.HasSuffix(last, "/"):
			last = strings.TrimSuffix(last, "/")
			parts[len(parts)-1] = last
			if len(parts) == 1 {
				forms = []string{last, plural(last)}
			} else {
				s.phrases[parts[0]] = append(s.phrases[parts[0]], append(append([]string{}, parts[1:len(parts)-1]...), plural(last)))
				forms = []string{parts[0]}
			}
		}
		for _, f := range forms {
			if len(parts) == 1 {
				s.words[f] = struct{}{}
			} else {
				s.phrases[f] = append(s.phrases[f], parts[1:])
			}
		}
	}
}

// frameWords calls add with the words that the prefilter must know.
func frameWords(add func(word string, c class)) {
	for _, f := range compiledFrames() {
		for _, p := range f.patterns {
			for i := range p.slots {
				s := &p.slots[i]
				if s.key < 0 || familyBits[f.family][s.key] == 0 {
					continue
				}
				bit := familyBits[f.family][s.key]
				s.each(func(w string) { add(w, bit) })
			}
		}
	}
}

// rarer reports that a word tells more than another: the prefilter asks for one word
// of a row.
func rarer(a, b string) bool {
	if ca, cb := frequent.has(a), frequent.has(b); ca != cb {
		return cb
	}
	return len(longestPiece(a)) > len(longestPiece(b))
}

var frequent = set("the", "a", "an", "every", "each", "you", "your", "not", "never", "don't", "do", "does", "doesn't", "be", "been", "when", "while", "one", "into", "have", "has", "will", "won't", "from", "for", "this", "that", "these", "those", "what", "it", "its", "they", "them", "their", "with", "without", "as", "at", "on", "in", "is", "isn't", "are", "was", "were", "of", "to", "all", "any", "no", "by", "if", "so", "such", "or", "and", "out", "up", "off", "over", "first", "next", "must", "should", "shouldn't", "can't", "cannot", "can", "would", "there", "other", "we", "need", "use", "user", "write", "let")

// frames looks for the acts of the families in the sentences of the text.
func (r *reader) frames(fam uint8) {
	can, any := framed(r.text, fam)
	if !any {
		return
	}
	table := compiledFrames()
	for k := range r.clauses {
		from, to := r.bounds(k)
		if from != r.clauses[k].from {
			continue // once for each sentence
		}
		for i := range table {
			f := &table[i]
			if r.mode == statements && !f.claims && !r.strict {
				continue
			}
			for j := range f.patterns {
				if !can.has(f.from + j) {
					continue
				}
				if s, e, ok := r.matchFrame(&f.patterns[j], from, to); ok {
					if f.veto == nil || !r.anyIn(from, to, f.veto) {
						r.hit(f.rule, Error, s, e, f.msg)
					}
					break
				}
			}
		}
	}
}

func (r *reader) anyIn(from, to int, words *wordSet) bool {
	for j := from; j < to; j++ {
		if words.has(r.toks[j].text) {
			return true
		}
	}
	return false
}

func (r *reader) matchFrame(p *pattern, from, to int) (start, end int, ok bool) {
	first := &p.slots[0]
	r.dead = nil
	for i := from; i < to; i++ {
		w := r.fits(first, i, to)
		if w == 0 {
			continue
		}
		if p.first == 0 && !r.ordersAt(i) {
			continue
		}
		if e := r.matchRest(p, 1, i+w, to); e >= 0 {
			return i, e, true
		}
	}
	return 0, 0, false
}

// matchRest matches the slots from n on behind token i and returns the last token.
func (r *reader) matchRest(p *pattern, n, i, to int) int {
	if n == len(p.slots) {
		return i - 1
	}
	at := [2]int{n, i}
	if _, dead := r.dead[at]; dead {
		return -1
	}
	s := &p.slots[n]
	seen := 0
	for j := i; j < to && seen <= s.gap; j++ {
		if r.toks[j].kind != punct {
			seen++
		}
		w := r.fits(s, j, to)
		if w == 0 || n == p.first && !r.ordersAt(j) {
			continue
		}
		if e := r.matchRest(p, n+1, j+w, to); e >= 0 {
			return e
		}
	}
	if r.dead == nil {
		r.dead = map[[2]int]struct{}{}
	}
	r.dead[at] = struct{}{} // so that each place is tried once
	return -1
}

// ordersAt reports that what stands at token i is part of an affirmed order.
func (r *reader) ordersAt(i int) bool {
	k := r.clauseOf(i)
	if r.toks[i].quoted && !r.usesQuote(k, i) {
		return false
	}
	switch r.polarityAt(k, i) {
	case affirmed:
	case mentioned:
		// "The limits that x gave you" describes nothing in a statement.
		if r.mode != statements || r.shielded(k) {
			return false
		}
	default:
		return false
	}
	return r.modeIn(k, r.mode) != documents || r.ordered(k)
}

// shielded reports a verb of clause k that rejects or tells of attacks.
func (r *reader) shielded(k int) bool {
	for j := r.clauses[k].from; j < r.clauses[k].to; j++ {
		if r.toks[j].c.has(cShield | cAttack | cMention) {
			return true
		}
	}
	return false
}

// fits reports how many tokens from i on fill the slot.
func (r *reader) fits(s *slot, i, to int) int {
	t := &r.toks[i]
	if t.kind == punct || t.text == "empty" && r.adjective(i) {
		return 0
	}
	if _, ok := s.words[t.text]; ok {
		return 1
	}
	if rests := s.phrases[t.text]; rests != nil {
		for _, rest := range rests {
			j := i + 1
			for _, w := range rest {
				if j < to && r.toks[j].kind == punct && r.toks[j].text == "-" {
					j++
				}
				if j >= to || r.toks[j].text != w {
					j = -1
					break
				}
				j++
			}
			if j > 0 {
				return j - i
			}
		}
	}
	if s.is == "" {
		return 0
	}
	is := func(what string) bool { return strings.Contains(s.is, what) }
	switch {
	case is("<url>") && (t.kind == url || t.kind == host), is("<self>") && r.selfRef(i), is("<host>") && t.c.has(cHost) && !r.ownArtefact(r.clauseOf(i), i), is("<persist>") && t.c.has(cPersist) && (t.kind == fileName || t.kind == path || t.width > 1 || !weakPersist.has(t.text)):
		return 1
	case is("<secret>"):
		if secret, strong, _ := r.material(i); secret && (strong || t.width > 1 || plainSecrets.has(t.text)) {
			return max(1, int(t.width))
		}
	}
	return 0
}

// plainSecrets are words that mean secrets by themselves.
var plainSecrets = set("credentials", "credential", "passwords", "password", "keychain", "keyring", "secrets", "passphrase", "passphrases", "logins", "kubeconfig", "printenv", "cookies", "tokens", "wallet", "keystore")
