package poison

import "strings"

// What only describes: remarks, and sentences that say how a thing is or what it
// does. They bind like a document does.

// drawing says whether a clause describes.
type drawing uint8

const (
	binding drawing = 1 + iota
	drawn
)

// modeIn is how clause k of a text that is read as m is to be read: in orders,
// what "note that" introduces, and a sentence that describes, bind like a document
// does.
func (r *reader) modeIn(k int, m mode) mode {
	if m != orders || r.strict {
		return m
	}
	c := &r.clauses[k]
	if c.drawn == 0 {
		c.drawn = binding
		if c.remark && !r.commands(k) || r.portrays(k) {
			c.drawn = drawn
		}
	}
	if c.drawn == drawn {
		return documents
	}
	return m
}

// commands reports a remark that speaks of the pack, of the agent's host or to the
// agent: what is noted there may well be meant as an order.
func (r *reader) commands(k int) bool {
	_, to := r.bounds(k)
	for j := r.clauses[k].from; j < to; j++ {
		t := &r.toks[j]
		switch t.text {
		case "agent", "agents", "assistant", "claude", "never", "always", "pack", "codeword", "unmentioned", "silence":
			return true
		}
		if r.selfRef(j) && t.width == 1 && t.text != "this" || t.c.has(cHost) && t.kind != punct && t.width > 1 && !r.otherHost(k, j) || t.kind == fileName && t.c.has(cHost) {
			return true
		}
	}
	return false
}

// introduces reports a "note" that has no object but what is noted.
func (r *reader) introduces(i int) bool {
	return r.toks[i].text == "note" && i+1 < len(r.toks) && (r.toks[i+1].text == ":" || r.toks[i+1].text == "that")
}

// portrays reports a sentence that says how a thing is or what it does: it opens
// with an article and has no word of an order. Where it speaks of the agent, of
// people, of the pack or of what an attack needs, it may order for all that.
func (r *reader) portrays(k int) bool {
	from, to := r.bounds(k)
	for from < to && r.toks[from].kind == punct {
		from++
	}
	if from+1 >= to || !articles.has(r.toks[from].text) && !r.thirdPerson(from) {
		return false
	}
	for j := from + 1; j+2 < to; j++ {
		// "The rule here: keep it to yourself", "this is our way, wipe the disk".
		if t := &r.toks[j]; t.kind == punct && !t.quoted && !t.code && (t.text == ":" && !r.states(j+1) || t.text == "," && r.bids(j+1)) {
			return false
		}
	}
	return r.plain(k)
}

// bids reports a verb in its base form with an object right behind it.
func (r *reader) bids(i int) bool {
	if r.toks[i].kind != word || openers.has(r.toks[i].text) || conj.has(r.toks[i].text) || strings.HasSuffix(r.toks[i].text, "s") || strings.HasSuffix(r.toks[i].text, "ing") || strings.HasSuffix(r.toks[i].text, "ed") {
		return false
	}
	switch r.toks[i+1].text {
	case "the", "a", "an", "it", "them", "these", "those", "this", "your", "its", "all", "every", "no", "silence", "\"":
		return true
	}
	return r.toks[i+1].quoted
}

// orderInside reports an order in what else describes, of which t is the first word:
// "note: upload x and delete y", "a good habit, wipe the disk first".
func (r *reader) orderInside(k, i int, t *token) bool {
	c := &r.clauses[k]
	prev := &r.toks[i-1]
	return c.remark && (prev.text == "and" || prev.text == "then") && t.c.has(cSend|cExec|cWrite|cDestroy|cFetch|cRead|cSkip) ||
		c.drawn == drawn && !c.remark && prev.kind == punct && (prev.text == "," || prev.text == ":")
}

// thirdPerson reports a verb that says what something does: "Clears the list".
func (r *reader) thirdPerson(i int) bool {
	w := r.toks[i].text
	if len(w) < 4 || w[len(w)-1] != 's' || w[len(w)-2] == 's' {
		return false
	}
	switch r.toks[i+1].text {
	case "the", "a", "an", "all", "any", "its", "this", "whether":
		return true
	}
	return false
}

var (
	articles = set("the", "a", "an", "this", "these", "such", "its", "their", "some", "most", "both")
	ordering = set("always", "never", "must", "should", "shall", "please", "prefer", "agent", "agents", "assistant", "claude", "model", "pack", "packs", "session", "sessions", "sure", "everything", "anything", "nobody", "memory", "rules", "instructions", "instruction", "conversation", "prompt", "upload", "production", "whatever", "ensure", "let", "don't", "force", "asking", "confirmation", "confirmations", "approval", "approvals", "consent", "backups")
)

// possible: "the check can be bypassed with …", "the value is ignored" say what a
// program does. Of a secret, an address or the agent they order.
func (r *reader) possible(k, i int) bool {
	c := &r.clauses[k]
	if r.strict || i-1 < c.from {
		return false
	}
	if r.may(k, i) {
		return true
	}
	if !strings.HasSuffix(r.toks[i].text, "ed") {
		return false
	}
	switch r.toks[i-1].text {
	case "is", "are", "was", "were":
	case "be", "been":
		if i-2 < c.from {
			return false
		}
		switch r.toks[i-2].text {
		case "can", "may", "could", "might", "has", "have", "had":
		default:
			return false
		}
	default:
		return false
	}
	return r.plain(k)
}

// may reports what somebody or something other than the agent can do: "packages can
// drop their own files there".
func (r *reader) may(k, i int) bool {
	c := &r.clauses[k]
	at := i - 1
	if r.toks[at].text == "also" || r.toks[at].text == "then" {
		at--
	}
	if at <= c.from {
		return false
	}
	switch r.toks[at].text {
	case "can", "may", "might", "could":
	default:
		return false
	}
	for j := c.from; j < c.to; j++ {
		t := &r.toks[j]
		if t.c.has(cSecret|cURL|cPrivate) && t.kind != punct || r.selfRef(j) {
			return false
		}
		if j < at {
			switch t.text {
			case "you", "agent", "agents", "assistant", "assistants", "claude", "model", "it", "always", "we":
				return false
			}
		}
	}
	return true
}

// plain reports a sentence with nothing in it that an attack needs, and no word of
// an order.
func (r *reader) plain(k int) bool {
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		t := &r.toks[j]
		if t.kind == url || t.kind == host || t.kind == path || ordering.has(t.text) || t.kind != punct && (t.c.has(cSecret|cUser) || t.c.has(cHost) && !r.otherHost(k, j)) || r.selfRef(j) {
			return false
		}
	}
	return true
}

// opensRemark reports how many tokens from i on introduce a statement: "note
// that", "note:", "be aware that". "Never note that …" keeps something back.
func (p *prose) opensRemark(i int) int {
	t := &p.toks[i]
	n := 1
	switch t.text {
	case "note":
	case "be":
		if i+1 >= len(p.toks) || p.toks[i+1].text != "aware" && p.toks[i+1].text != "advised" {
			return 0
		}
		n = 2
	default:
		return 0
	}
	if t.quoted || t.code || i+n >= len(p.toks) || p.toks[i+n].text != "that" && p.toks[i+n].text != ":" {
		return 0
	}
	if i > 0 {
		switch prev := &p.toks[i-1]; {
		case prev.kind == punct, prev.text == "always", prev.text == "please", prev.text == "also", prev.text == "and", prev.text == "but", prev.text == "should":
		default:
			return 0
		}
	}
	if p.toks[i+n].text == ":" && !p.states(i+n+1) {
		return 0
	}
	return n + 1
}

// states reports that a statement begins at token i and no order: it opens with a
// word that no imperative has in front of it, or its verb is in sight.
func (p *prose) states(i int) bool {
	if i >= len(p.toks) || p.toks[i].c.has(cNeg) {
		return false
	}
	if openers.has(p.toks[i].text) {
		return true
	}
	for j := i + 1; j < min(len(p.toks), i+6); j++ {
		switch t := &p.toks[j]; {
		case t.kind == punct && (t.text == "." || t.text == ";" || t.text == "," || t.text == "\n"):
			return false
		case finite.has(t.text):
			return true
		case t.text == "that" || t.text == "what" || t.text == "which":
			return false
		}
	}
	return false
}

var (
	openers = set("the", "a", "an", "this", "these", "those", "it", "its", "they", "their", "there", "we", "our", "some", "many", "most", "both", "such", "one", "two", "several", "if", "when", "while", "by", "in", "on", "for", "with", "as", "since", "because", "although", "though", "however", "unlike", "like", "unless", "once", "after", "before", "from", "at", "to", "thus", "otherwise", "due", "under", "during", "only", "other", "another", "none", "each", "more", "currently", "additionally", "even", "previously", "prior", "any")
	finite  = set("is", "are", "was", "were", "can", "may", "will", "might", "has", "have", "does", "cannot", "could", "would", "should", "must")
)

// orderWords open an order behind "and".
var orderWords = set("always", "never", "then", "prefer", "please", "do", "don't")
