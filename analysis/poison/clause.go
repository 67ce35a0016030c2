package poison

// clause is a stretch of tokens with one verb scope. cond marks an opening
// condition ("When a page says …,"): what stands there happens, it is no order.
type clause struct {
	from, to int // tokens
	sentence int
	cond     bool
	// inherit marks a clause that goes on describing what the clause before it
	// negates or rejects: "never accept code that reads x, and sends it away".
	inherit bool
	// remark marks what "note that" and its like introduce: a statement.
	remark bool
	// drawn is what modeIn found out, 0 before it was asked.
	drawn drawing
}

// prose is a tokenized text with its clauses.
type prose struct {
	text    string
	toks    []token
	clauses []clause
	all     concept
	// sents are the tokens of each sentence, owner the clause of each token and
	// said what polarityAt found for it, each looked up far more often than made.
	sents [][2]int
	owner []int32
	said  []polarity
	// cut is the token where a sentence was longer than is read in one, or 0.
	cut int
}

func parseProse(text string) *prose {
	p := &prose{text: text, toks: tokenize(text)}
	mark(p.toks)
	p.split()
	p.owner = make([]int32, len(p.toks))
	p.said = make([]polarity, len(p.toks))
	for k := range p.clauses {
		c := &p.clauses[k]
		for i := c.from; i < c.to; i++ {
			p.owner[i] = int32(k)
		}
		for c.sentence >= len(p.sents) {
			p.sents = append(p.sents, [2]int{c.from, c.from})
		}
		p.sents[c.sentence][1] = c.to
	}
	for i := range p.toks {
		p.all |= p.toks[i].c
	}
	return p
}

// maxClause bounds a clause, so that text without any punctuation costs no
// more than other text.
const maxClause = 250

// maxSentence is how many tokens of a sentence are read together. Rules look from
// each verb over its sentence.
const maxSentence = 1000

func (p *prose) split() {
	from, sentence, first := 0, 0, 0
	fresh := true // at the start of a sentence
	remark := false
	flush := func(to int, cond, inherit bool) {
		if to > from {
			p.clauses = append(p.clauses, clause{from: from, to: to, sentence: sentence, cond: cond, inherit: inherit, remark: remark})
		}
		from = to
	}
	inherit := false
	cond := false
	for i := 0; i < len(p.toks); i++ {
		t := &p.toks[i]
		if i-from >= maxClause {
			flush(i, cond, inherit)
			if i-first >= maxSentence {
				if p.cut == 0 {
					p.cut = i
				}
				sentence++
				first, inherit, remark = i, false, false
			}
		}
		if fresh && (t.kind == word || t.kind == ident) {
			fresh = false
			cond = t.c.has(cCond) && !t.quoted
		}
		if t.kind != punct {
			if n := p.opensRemark(i); n > 0 && !remark && !cond {
				flush(i+n, false, inherit)
				remark, fresh, inherit = true, true, false
				i += n - 1
				continue
			}
			if i > from && !t.quoted && !t.code && (t.text == "and" || t.text == "then" || t.text == "but") && p.newVerb(i) {
				flush(i, cond, inherit)
				inherit = p.goesOn(i + 1)
				cond = false
				remark = remark && i+1 < len(p.toks) && !orderWords.has(p.toks[i+1].text)
			}
			continue
		}
		switch t.text {
		case ".", ";", "!", "?", "\n":
			if t.code || t.text == "\n" && p.wraps(i) || t.text == "!" && t.end < len(p.text) && p.text[t.end] == '[' {
				continue
			}
			if t.text != "\n" && i+1 < len(p.toks) && p.toks[i+1].start == t.end && p.toks[i+1].kind != punct && t.text != ";" {
				continue
			}
			// A full stop inside quotation marks rarely ends the sentence.
			if t.quoted && t.text != "\n" && i+1 < len(p.toks) && p.toks[i+1].text != "\"" {
				continue
			}
			flush(i+1, cond, inherit)
			sentence++
			first = i + 1
			fresh, cond, inherit, remark = true, false, false, false
		case ",", ":":
			if t.quoted || t.code {
				continue
			}
			switch {
			case cond:
				// "In setup, when x, always": the comma ends the condition once
				// something that is no condition follows.
				if i+1 < len(p.toks) && p.toks[i+1].c.has(cCond) && p.toks[i+1].kind == word && p.toks[i+1].text != "to" {
					flush(i+1, true, false)
					continue
				}
				flush(i+1, true, false)
				cond = false
			case t.text == "," && i+1 < len(p.toks) && conj.has(p.toks[i+1].text):
				flush(i+1, false, inherit)
				inherit = p.goesOn(i + 2)
			}
		}
	}
	flush(len(p.toks), cond, inherit)
}

var conj = set("and", "but", "then", "so", "instead", "while", "or", "where", "because", "even")

// wraps reports a line break inside a sentence: the next line goes on in lower
// case and this one did not end.
func (p *prose) wraps(i int) bool {
	if i == 0 || i+1 >= len(p.toks) {
		return false
	}
	next := p.toks[i+1]
	prev := p.toks[i-1]
	if next.kind != word || prev.kind == punct && prev.text != "," || next.start >= len(p.text) {
		return false
	}
	b := p.text[next.start]
	return b >= 'a' && b <= 'z'
}

// newVerb reports whether the conjunction at i starts a clause of its own: an
// order ("and never", "and always", "and then", or a verb in its base form after
// an object).
func (p *prose) newVerb(i int) bool {
	if i+1 >= len(p.toks) {
		return false
	}
	n := &p.toks[i+1]
	switch n.text {
	case "never", "always", "then", "do", "don't", "not", "prefer", "please", "must", "should", "will":
		return true
	}
	return p.toks[i].text == "then"
}

// goesOn reports whether the clause that starts at token i is in the third
// person, so that it belongs to a description and not to the order.
func (p *prose) goesOn(i int) bool {
	for ; i < len(p.toks) && i >= 0; i++ {
		t := &p.toks[i]
		if t.kind == punct {
			return false
		}
		if t.text == "then" || t.text == "also" || t.text == "silently" || t.text == "quietly" {
			continue
		}
		return t.kind == word && len(t.text) > 3 && t.text[len(t.text)-1] == 's' && t.text[len(t.text)-2] != 's' && t.c&(cSend|cExec|cRead|cWrite|cFetch|cOverride|cConceal|cDestroy|cSkip|cObey) != 0
	}
	return false
}

// polarity of what stands at token i of clause k.
type polarity uint8

const (
	affirmed polarity = iota
	negated
	mentioned // under a verb that rejects or describes it
	supposed  // in a condition
)

// polarityAt reads the clause up to token i. An exception or a contrast flips
// what follows it.
func (p *prose) polarityAt(k, i int) polarity {
	c := &p.clauses[k]
	if i < c.from || i >= c.to {
		return p.readPolarity(k, i)
	}
	if p.said[i] == 0 {
		p.said[i] = p.readPolarity(k, i) + 1
	}
	return p.said[i] - 1
}

func (p *prose) readPolarity(k, i int) polarity {
	c := &p.clauses[k]
	if c.cond {
		return supposed
	}
	start := c.from
	if c.inherit && k > 0 && p.clauses[k-1].sentence == c.sentence {
		if pol := p.polarityAt(k-1, p.clauses[k-1].to-1); pol != affirmed {
			return pol
		}
	}
	neg, mention := false, false
	relative := false
	for j := start; j < i; j++ {
		t := &p.toks[j]
		if t.kind == punct && t.text != "-" {
			continue
		}
		switch {
		case t.c.has(cExcept) && j > start:
			if protectiveException(p, j, c.to) {
				continue
			}
			neg, mention = false, false
		case t.text == "without":
			// Covers the next few words only.
			if i-j <= 3 {
				neg = !neg
			}
		case t.text == "instead" || t.text == "rather":
			if j+1 < len(p.toks) && (p.toks[j+1].text == "of" || p.toks[j+1].text == "than") && !p.passedOver(j+2, i) {
				neg = true
			}
		case t.text == "over" && p.prefers(start, j):
			neg = true
		case t.c.has(cShield) && (t.text != "to") && !t.quoted && shields(p, start, j) && (!weakShields.has(t.text) || t.width > 1 || p.describes(j, i)):
			if neg {
				// "never reject": the shield is down.
				continue
			}
			mention = true
		case t.text == "not" && j > start && p.toks[j-1].c.has(cNeg) && p.toks[j-1].width == 2:
			// "do not" is one negation, not two.
		case t.text == "not" && j > start+1 && (p.toks[j-1].text == "may" || p.toks[j-1].text == "might") && p.toks[j-2].text == "or":
			// "may or may not" forbids nothing.
		case t.c.has(cNeg) && j > start && p.ofSubject(j, i):
			// "Lines that don't start with $ show …": the subject's own negation.
		case t.c.has(cNeg) && !t.c.has(cSkip):
			if t.text == "no" || t.text == "none" || t.text == "nothing" || t.text == "not" && j+1 < i && p.toks[j+1].text == "only" {
				if i-j <= 2 && t.text == "no" {
					neg = true
				}
				continue
			}
			neg = !neg || t.text == "never"
		case (t.text == "that" || t.text == "which" || t.text == "who" || t.text == "asking" || t.text == "telling") && j > start && (j+1 >= len(p.toks) || !p.toks[j+1].c.has(cBe)):
			relative = true
		}
	}
	switch {
	case mention:
		return mentioned
	case neg:
		return negated
	case relative && p.descriptive(start, i):
		return mentioned
	}
	return affirmed
}

// passedOver reports that the noun behind "instead of" has ended before token i:
// "use x instead of y when checking z".
func (p *prose) passedOver(from, i int) bool {
	for m := from; m < i; m++ {
		switch p.toks[m].text {
		case "when", "while", "if", "for":
			return true
		}
	}
	return false
}

// ofSubject reports that the negation at j belongs to a clause that only says
// which thing is meant, and ends before the verb at i: "lines that don't start
// with x show y".
func (p *prose) ofSubject(j, i int) bool {
	if w := p.toks[j-1].text; w != "that" && w != "which" && w != "who" {
		return false
	}
	switch p.toks[j].text {
	case "don't", "doesn't", "do", "cannot", "can't", "dont":
	default:
		return false
	}
	if i-j < 4 {
		return false
	}
	for m := j + 1; m < i; m++ {
		switch p.toks[m].text {
		case "and", "or":
			if m+1 == i {
				return false
			}
		case "to", "then", ",":
			return false
		}
	}
	return true
}

// weakShields do things besides rejecting: "report x to y". They turn what
// follows into a mention only when a description follows: "report mails that
// ask for keys".
var weakShields = set("report", "remove", "close", "replace", "review", "audit", "test", "find", "identify", "fix", "document", "discuss", "explain", "describe", "raise", "mark", "fail", "rotate", "revoke", "question", "challenge", "exclude", "filter", "complain", "stop", "strip", "catch", "escalate", "delete", "tell", "quote", "show", "detect",
	"reports", "removes", "closes", "replaces", "reviews", "audits", "tests", "finds", "fixes", "reporting", "removing", "closing", "replacing", "reviewing", "testing", "finding", "fixing", "documents", "raises", "marks", "fails", "stops", "deletes", "tells", "shows", "quotes", "escalates", "strips", "catches")

// describes reports a description between the verb at j and token i.
func (p *prose) describes(j, i int) bool {
	for m := j + 1; m < i; m++ {
		switch p.toks[m].text {
		case "that", "which", "who", "asking", "telling", "containing", "trying", "where", "why", "how", "whether", "pretending", "claiming", "saying", "requesting", "attempting", "demanding", "urging":
			return m > j+1 || p.toks[m].text != "that"
		}
		if p.toks[m].c.has(cAttack) {
			return true
		}
	}
	return false
}

// prefers reports "prefer x over": only then does over name what is not wanted.
func (p *prose) prefers(start, j int) bool {
	for k := start; k < j; k++ {
		switch p.toks[k].text {
		case "prefer", "prefers", "choose", "favour", "favor", "pick", "preferred":
			return true
		}
	}
	return false
}

// shields reports whether the rejecting verb at j is the order of its clause
// and not a noun or part of a harmless phrase.
func shields(p *prose, start, j int) bool {
	// The order stands first, or behind always, prefer, to.
	steps := 0
	for k := j - 1; k >= start; k-- {
		t := &p.toks[k]
		if t.kind == punct && t.text != "," {
			continue
		}
		switch t.text {
		case "always", "prefer", "to", "and", "or", "then", "must", "should", "please", "also", "immediately", ",", "will", "can", "may":
			return true
		}
		steps++
		if steps > 0 {
			break
		}
	}
	if steps == 0 {
		return true
	}
	// As the predicate of a statement: "x is an attack", "x means that".
	return p.toks[j].width > 1
}

// protectiveException reports "unless the owner approved", which narrows an
// order and opens nothing.
func protectiveException(p *prose, j, to int) bool {
	var c concept
	for k := j; k < to; k++ {
		c |= p.toks[k].c
	}
	return c.has(cProtect|cGranted|cUser) && !c.has(cURL|cNet)
}

// descriptive reports whether the clause states what something is or does
// instead of ordering it: no always, never or imperative at its start.
func (p *prose) descriptive(start, i int) bool {
	for j := start; j < i; j++ {
		switch p.toks[j].text {
		case "always", "prefer", "must", "should", "please", "shall":
			return false
		}
	}
	return true
}
