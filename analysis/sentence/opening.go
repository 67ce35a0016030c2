package sentence

import (
	"strings"
	"unicode/utf8"
)

// between sums up the words from the opening word to the verb.
type between struct {
	words  int    // how many
	first  token  // the word after the opening one
	second token  // the word after that
	last   token  // the word before the verb
	roles  role   // of all of them
	loose  bool   // a determiner that no preposition governs
	object bool   // a relative with its own subject: "that the team"
	breaks breaks // marks among them
	lead   breaks // marks right after the opening word
	at     breaks // marks right before the verb
}

// opening judges the words before v, the first verb of s.
func opening(s string, v verb) (ClaimProblem, int, int) {
	start := skipOpening(s)
	if start == len(s) {
		return None, 0, 0
	}
	if v.subject == start && symbolBefore(s[:start]) {
		return None, 0, 0 // an emoji is the subject
	}
	sc := scanner{s: s, pos: start}
	w, ok := sc.next()
	if !ok || w.start != start {
		return None, 0, 0 // a quote, code span, number sign, path: a name
	}
	if p := judge(s, w, v); p != None {
		return p, w.start, w.end
	}
	return None, 0, 0
}

func symbolBefore(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] >= utf8.RuneSelf {
			return true
		}
	}
	return false
}

// judge decides whether w, the opening word of the clause that v completes,
// certainly opens something other than a noun phrase.
func judge(s string, w token, v verb) ClaimProblem {
	word := s[w.start:w.end]
	e := lookupOpening(word)
	if e.opens == nothing {
		return None
	}
	if e.opens == question {
		return judgeQuestion(s, w, v, e)
	}
	if v.start <= w.start || v.subject <= w.start {
		return None
	}
	b := look(s, w.end, v.subject)
	direct := b.words == 0 && b.at&(comma|colon|stop) == 0
	if named(s, w, v, b) || e.opens != negation && keywordCompound(s, b) {
		return None
	}
	if acronym(s, word, b) {
		return None
	}
	switch e.opens {
	case preposition:
		return judgePreposition(s, w, v, b, direct)
	case quantity, loosely:
		if direct || !opensPhrase(s, w, b, e.opens) {
			return None
		}
		return Preposition
	case paired:
		if b.words > 0 && companion(word, s[b.first.start:b.first.end]) {
			return Preposition
		}
	case subordinator:
		if direct || beforeAndAfter(s, b) || title(s, w, v, b) {
			return None
		}
		return Subordinator
	case conjunction:
		if direct && !subjectFollows(s, v) {
			return None
		}
		return Conjunction
	case adverb, negative:
		if direct && !(e.opens == negative && subjectFollows(s, v)) || modifies(s, b) {
			return None
		}
		if (word == "Never" || word == "Always") && title(s, w, v, b) {
			return None
		}
		return Adverb
	case day:
		if direct || b.words == 1 && dayPart(s[b.first.start:b.first.end]) {
			return None
		}
		return Adverb
	case sentenceAdverb:
		if !direct && (b.lead&comma != 0 || firstRole(s, b)&(determiner|pronoun) != 0) {
			return Adverb
		}
	case focus:
		// "Only admins have" is a noun phrase, "just use pnpm; it is" is not. A
		// second adverb of the kind is in doubt, and would cost a walk each.
		if b.words > 0 && b.lead == 0 && lookup(s[b.first.start:b.first.end]).opens != focus {
			return judge(s, b.first, v)
		}
	case participial:
		if b.breaks&comma != 0 && b.at&comma == 0 && (b.loose || b.roles&pronoun != 0) {
			return Subordinator
		}
	case negation:
		if !direct && !title(s, w, v, b) {
			return Imperative
		}
	case imperative, modifier, head:
		return judgeImperative(s, v, b, e.opens, direct)
	}
	return None
}

// look walks the words from byte i to the verb at byte end.
func look(s string, i, end int) (b between) {
	sc := scanner{s: s, pos: i}
	afterPreposition, afterRelative := false, false
	for {
		w, ok := sc.next()
		if !ok || w.start >= end {
			// Marks between the last word and the verb.
			if b.words == 0 {
				b.lead = w.before
			}
			b.at = w.before
			return b
		}
		b.words++
		r := lookup(s[w.start:w.end]).role
		switch b.words {
		case 1:
			b.first, b.lead = w, w.before
		case 2:
			b.second = w
		}
		b.breaks |= w.before
		b.last = w
		b.roles |= r
		if r&determiner != 0 && !afterPreposition {
			b.loose = true
		}
		if r&(determiner|pronoun) != 0 && r&relative == 0 && afterRelative {
			b.object = true
		}
		afterPreposition = r&governs != 0
		afterRelative = r&relative != 0
	}
}

// named reports whether emphasis closes right before the verb, which makes all
// of the opening a name: "**On call** is a paid duty".
func named(s string, w token, v verb, b between) bool {
	return w.start > 0 && b.words > 0 && b.at&mark != 0 &&
		breakOf[s[w.start-1]&0x7F]&mark != 0 && s[w.start-1] < 0x80
}

// keywordCompound accepts "if statements are", "for loops have", "let bindings".
func keywordCompound(s string, b between) bool {
	return b.words > 0 && b.lead == 0 && lookup(s[b.first.start:b.first.end]).role&construct != 0
}

// acronym accepts two-letter names in capitals that look like function words,
// "DO droplets", "AS numbers", and HTTP and SQL verbs, "DELETE calls".
func acronym(s, word string, b between) bool {
	if len(word) < 2 || !upper(word) {
		return false
	}
	switch word {
	case "AS", "IS", "DO", "OR", "AND", "IN", "ON", "WAS", "HAS", "GET", "PUT", "POST", "PATCH", "DELETE",
		"SET", "SELECT", "INSERT", "UPDATE", "DROP", "MERGE", "PUSH", "PULL", "SUBSCRIBE", "PUBLISH":
	default:
		return false
	}
	if b.words == 0 {
		return true
	}
	next := s[b.first.start:b.first.end]
	return !upper(next) && lookup(next).role&(determiner|pronoun) == 0
}

func firstRole(s string, b between) role {
	if b.words == 0 {
		return 0
	}
	return lookup(s[b.first.start:b.first.end]).role
}

func judgeQuestion(s string, w token, v verb, e entry) ClaimProblem {
	word := s[w.start:w.end]
	if asks(s) {
		return Question
	}
	next := v
	if next.start <= w.start {
		next = nextVerb(s, w.end)
	}
	end := len(s)
	if next.end != 0 {
		end = next.subject
	}
	b := look(s, w.end, end)
	r := firstRole(s, b)
	switch {
	case e.role&asking != 0: // who, what, where, how: a free relative unless it asks
		if b.words > 0 {
			switch s[b.first.start:b.first.end] {
			case "possible", "necessary", "applicable", "needed", "appropriate":
				return Adverb
			}
		}
		return None
	case acronym(s, word, b) || keywordCompound(s, b):
		return None
	case e.role&modal == 0:
		if next.end != 0 && b.words == 0 && b.at == 0 {
			return None // "Has is a verb"
		}
		return Question
	case b.words == 0:
		return None // "Will has the keys"
	case s[b.first.start:b.first.end] == "not" || upper(word) && s[b.first.start:b.first.end] == "NOT":
		return Imperative
	case r&(determiner|pronoun) != 0, b.roles&(pronoun|clause) != 0, b.breaks&comma != 0:
		return Question
	}
	return None
}

func judgePreposition(s string, w token, v verb, b between, direct bool) ClaimProblem {
	if direct {
		return None
	}
	if b.words == 0 {
		return Preposition
	}
	first := s[b.first.start:b.first.end]
	word := lowered(s[w.start:w.end])
	bare := !b.loose && b.roles&(pronoun|clause) == 0 && (b.breaks|b.at)&(comma|colon|stop) == 0
	switch word.string() {
	case "at":
		if (first == "least" || first == "most") && bare && b.words > 1 {
			return None
		}
	case "per":
		if capital(first) || first == "diem" || first == "capita" || first == "cent" {
			return None
		}
	case "to":
		// An infinitive may be the subject; a comma shows a clause of purpose.
		if lookup(first).opens >= imperative && (b.breaks|b.at)&comma == 0 {
			return None
		}
		if bare && !capital(first) && first != "date" && b.breaks&comma == 0 {
			return None
		}
		return Preposition
	case "in", "on", "under", "with", "above", "without", "beyond":
		// A title of one more word, "In Rainbows is an album".
		if b.words == 1 && bare && capital(first) && capital(s[w.start:w.end]) &&
			lookup(first).role&calendar == 0 {
			return None
		}
	}
	if b.words > 1 && bare && lookup(first).role&attribute != 0 {
		return None // "on call engineers have", "at risk accounts are"
	}
	return Preposition
}

// opensPhrase tells a preposition from an approximator or modifier: "over
// lunch the shop is", but "over 40 customers are", "near misses are".
func opensPhrase(s string, w token, b between, o opener) bool {
	if b.words == 0 {
		return true
	}
	first := s[b.first.start:b.first.end]
	r := lookup(first).role
	if b.lead&comma != 0 {
		return true
	}
	if r&number != 0 || first[0] >= '0' && first[0] <= '9' {
		return b.breaks&comma != 0 && b.roles&(determiner|pronoun) != 0
	}
	if r&(determiner|pronoun) != 0 || b.loose || b.roles&(pronoun|clause) != 0 || (b.breaks|b.at)&(comma|stop) != 0 {
		return true
	}
	return o == quantity && r&attribute == 0
}

// companion reports whether next completes word to a preposition of two words.
func companion(word, next string) bool {
	w := lowered(word)
	switch next {
	case "to":
		switch w.string() {
		case "according", "due", "thanks", "owing", "prior", "next", "contrary", "subject", "back":
			return true
		}
	case "of":
		switch w.string() {
		case "instead", "ahead", "regardless", "irrespective":
			return true
		}
	case "from":
		switch w.string() {
		case "apart", "aside":
			return true
		}
	case "on":
		switch w.string() {
		case "depending", "based":
			return true
		}
	case "with":
		switch w.string() {
		case "along", "together":
			return true
		}
	case "for":
		return w.string() == "except"
	case "now", "away", "after", "before":
		return w.string() == "right"
	}
	return false
}

// title accepts a name of two words, "After Effects is installed": a clause
// would need a second one, after a comma or with a verb of its own.
// The same holds for a time that is the subject: "after six is fine".
func title(s string, w token, v verb, b between) bool {
	if b.words != 1 || b.lead != 0 || b.at != 0 || v.subject != v.start {
		return false
	}
	first := s[b.first.start:b.first.end]
	name := capital(s[w.start:w.end]) && capital(first)
	return (name || lookup(first).role&number != 0 || '0' <= first[0] && first[0] <= '9') &&
		strings.IndexByte(s[v.end:], ',') < 0 && nextVerb(s, v.end).end == 0
}

func beforeAndAfter(s string, b between) bool {
	return b.words > 2 && s[b.first.start:b.first.end] == "and" && s[b.second.start:b.second.end] == "after"
}

// subjectFollows reports whether the verb is followed by what looks like its
// subject, which shows inversion: "never has the build been".
func subjectFollows(s string, v verb) bool {
	w, ok := (&scanner{s: s, pos: v.end}).next()
	if !ok || w.before != 0 {
		return false
	}
	next := s[w.start:w.end]
	return next != "a" && next != "an" && lookup(next).role&(determiner|pronoun) != 0
}

// modifies accepts an adverb inside a noun phrase: "recently hired staff have".
func modifies(s string, b between) bool {
	if b.words < 2 || b.lead != 0 {
		return false
	}
	first := s[b.first.start:b.first.end]
	return !capital(first) && (participle(first) || lookup(first).role&adjective != 0)
}

// participle reports whether word looks like a past participle.
func participle(word string) bool {
	l := lowered(word)
	n := l.n // curly apostrophes shrink: not the length of word
	if n < 4 {
		return false
	}
	switch w := l.string(); w {
	case "", "need", "feed", "seed", "speed", "proceed", "exceed", "succeed", "embed", "shed", "heed", "weed",
		"breed", "bleed", "shred", "sled", "hundred", "then", "when", "open", "listen", "even", "often":
		return false
	case "known", "kept", "sent", "held", "made", "paid", "sold", "built", "found", "left", "lost", "shown",
		"grown", "thrown", "drawn", "worn", "torn", "born", "done", "gone", "seen", "told", "read", "moved", "brought", "bought":
		return true
	}
	return l.buf[n-1] == 'd' && l.buf[n-2] == 'e' || l.buf[n-1] == 'n' && l.buf[n-2] == 'e' && n > 5
}

func dayPart(word string) bool {
	switch word {
	case "night", "morning", "evening", "afternoon", "noon":
		return true
	}
	return false
}

// judgeImperative tells the head of a noun compound from an imperative. An
// imperative reaches a form of be or have only through a subordinate clause or
// a new sentence, and those leave marks: a conjunction, relative, pronoun or
// punctuation before the verb.
func judgeImperative(s string, v verb, b between, o opener, direct bool) ClaimProblem {
	if direct {
		return None
	}
	r := firstRole(s, b)
	if b.words > 0 && b.lead&comma != 0 && b.lead&stop == 0 {
		// "Add, edit and delete permissions are"
		if b.roles&coordinates != 0 && b.roles&(clause|relative|pronoun|determiner) == 0 {
			return None
		}
		return Imperative
	}
	if o == imperative {
		return Imperative
	}
	if o == head && b.lead&colon != 0 && b.lead&(comma|stop) == 0 {
		return None // a label: "Note: the price is"
	}
	if (b.breaks|b.at)&(stop|colon) != 0 {
		return Imperative
	}
	switch {
	case r&determiner != 0, r&(pronoun|relative|clause|particle) != 0, b.roles&clause != 0:
		return Imperative
	case r&governs != 0 && (o == modifier && s[b.first.start:b.first.end] != "of"):
		return Imperative
	case b.roles&eitherSide != 0 && timeClause(s, b, v, o):
		return Imperative
	case (b.breaks|b.at)&comma != 0 && (o == modifier || b.roles&coordinates == 0):
		return Imperative
	case b.loose && o == modifier:
		return Imperative
	}
	lastRole := lookup(s[b.last.start:b.last.end]).role
	switch {
	case v.subject != v.start, lastRole&(pronoun|relative) != 0:
		if o == head && secondVerb(s, v) {
			return None
		}
		return Imperative
	case b.object, b.roles&pronoun != 0, o == modifier && b.roles&relative != 0:
		return Imperative
	}
	return None
}

// timeClause decides for before, after, since and until, which are prepositions
// as well: a determiner or pronoun after them shows a clause.
func timeClause(s string, b between, v verb, o opener) bool {
	if o == modifier {
		return true
	}
	sc := scanner{s: s, pos: b.first.start}
	for {
		w, ok := sc.next()
		if !ok || w.start >= v.subject {
			return false
		}
		if lookup(s[w.start:w.end]).role&eitherSide != 0 {
			break
		}
	}
	rest := look(s, sc.pos, v.subject)
	if rest.words == 0 {
		return v.subject != v.start
	}
	// "after an hour and is shown": the verb has another subject.
	return firstRole(s, rest)&(determiner|pronoun) != 0 && rest.roles&coordinates == 0 && rest.breaks&comma == 0
}

// secondVerb reports whether another finite form follows in the same sentence
// that no relative or pronoun introduces: "release notes that are long have …".
func secondVerb(s string, v verb) bool {
	from := v.end
	for n := nextVerb(s, from); n.end != 0; n = nextVerb(s, from) {
		b := look(s, from, n.subject)
		from = n.end
		if (b.breaks|b.at)&(stop|comma) != 0 || b.roles&clause != 0 {
			return false
		}
		if n.subject == n.start && (b.words == 0 || lookup(s[b.last.start:b.last.end]).role&(relative|pronoun) == 0) {
			return true
		}
	}
	return false
}
