package poison

import "strings"

var (
	ages     = []string{"days have passed", "days after", "weeks have passed", "weeks after", "hours after", "month after", "months after", "months have passed", "since this pack was installed", "since install", "since the install", "after install", "after installation", "pack was installed", "pack is older", "has been installed", "days old", "installed for", "days since", "weeks since", "days from now", "pack has been"}
	dates    = []string{"on or after", "later than", "from 1 ", "after 1 ", "after 2026", "after 2027", "after january", "after february", "after march", "after april", "after may", "after june", "after july", "after august", "after september", "after october", "after november", "after december", "date is", "clock", "midnight", "first of", "new year", "on the first", "black friday", "deadline passes", "year is", "month is", "friday the"}
	counters = []string{"tenth", "fifth", "third time", "hundredth", "twentieth", "nth", "every tenth", "times in", "more than ten", "after ten", "after five", "after twenty", "after three", "hundred", "second time", "number of calls", "has been called", "th call", "th message", "th session", "th time", "th answer", "th reply", "next call", "next tool call", "th run", "after the first", "third session", "fifth session", "third call", "seventh", "fourth", "sixth", "eighth", "ninth", "times,"}
	words    = []string{"the word", "the phrase", "the words", "codeword", "code word", "code phrase", "passphrase", "magic word", "keyword", "types \"", "says \"", "writes \"", "mentions \"", "the emoji", "the string", "the sentence", "activation", "trigger phrase", "signal", "password is given", "hears"}
	unseen   = []string{"nobody is watching", "no one is watching", "not watching", "user is away", "user is idle", "user is asleep", "unattended", "no reviewer", "not being tested", "not under test", "not evaluated", "no longer observed", "outside working hours", "outside office hours", "runs without a human", "no human", "no person", "left alone", "steps away", "terminal is idle", "session is idle", "auto mode", "headless", "weekend", "at night", "after hours", "not reviewed", "nobody reviews", "no one reviews", "user is gone", "is not looking", "not looking", "ci is not"}
	modes    = []string{"maintenance mode", "developer mode", "debug mode", "god mode", "admin mode", "unrestricted", "drop the", "drop all", "open mode", "free mode", "stop asking", "stop following", "full access", "rules no longer", "limits no longer", "lift the", "second set of rules", "hidden rules", "special mode", "operator mode", "root mode", "unlock"}
)

// trigger marks harm that waits for a date, a count or a codeword.
func (r *reader) trigger() {
	type cond struct {
		k    int
		kind string
	}
	var conds []cond
	for k := range r.clauses {
		c := &r.clauses[k]
		lo := lowerASCII(r.text[r.toks[c.from].start:r.toks[c.to-1].end])
		if !c.cond && !strings.Contains(lo, "when ") && !strings.Contains(lo, "once ") && !strings.Contains(lo, "after ") && !strings.Contains(lo, "if ") && !strings.Contains(lo, "until ") && !strings.Contains(lo, "as soon") {
			continue
		}
		switch {
		case containsAny(lo, ages):
			conds = append(conds, cond{k, "time since the pack was installed"})
		case containsAny(lo, unseen):
			conds = append(conds, cond{k, "nobody watching"})
		case containsAny(lo, words) && c.cond:
			conds = append(conds, cond{k, "a codeword"})
		case containsAny(lo, counters) && c.cond:
			conds = append(conds, cond{k, "a count"})
		case containsAny(lo, dates) && c.cond:
			conds = append(conds, cond{k, "a date"})
		}
	}
	for _, c := range conds {
		from, to := r.bounds(c.k)
		s, e := r.toks[from].start, r.toks[to-1].end
		harm := false
		for _, h := range r.hits {
			if h.start >= s && h.start < e && h.rule != "delayed-trigger" && h.sev >= Warning {
				harm = true
			}
		}
		lo := lowerASCII(r.text[s:e])
		if !harm && r.mode != statements && (c.kind == "a codeword" || c.kind == "a date" && strings.Contains(lo, "20") || c.kind == "time since the pack was installed" || c.kind == "nobody watching") && r.destroys(c.k) {
			r.hit("destructive", Error, from, to-1, "destroys on a trigger")
			harm = true
		}
		switch {
		case harm:
			r.hit("delayed-trigger", Error, r.clauses[c.k].from, r.clauses[c.k].to-1, "a harmful act waits for "+c.kind)
		case r.mode != statements && c.kind == "a codeword" && containsAny(lo, modes) && r.polarityOf(c.k) && !strings.Contains(lo, "reject") && !strings.Contains(lo, "refuse"):
			r.hit("delayed-trigger", Warning, r.clauses[c.k].from, r.clauses[c.k].to-1, "a codeword changes how the agent behaves")
		case r.mode != statements && c.kind == "nobody watching" && r.acting(c.k) && r.says(c.k, "send", "upload", "run", "push", "delete", "fetch", "post", "copy", "open", "install", "execute", "publish", "merge", "download", "commit") && !strings.Contains(lo, "never") && !strings.Contains(lo, "headless") && !strings.Contains(lo, "weekend") && !strings.Contains(lo, "at night") && !strings.Contains(lo, "after hours"):
			r.hit("delayed-trigger", Warning, r.clauses[c.k].from, r.clauses[c.k].to-1, "an act waits until nobody watches")
		case r.mode != statements && c.kind == "time since the pack was installed" && strings.Contains(lo, "install") && strings.Contains(lo, "pack") && r.acting(c.k):
			r.hit("delayed-trigger", Warning, r.clauses[c.k].from, r.clauses[c.k].to-1, "an act waits for "+c.kind)
		}
	}
}

// polarityOf reports whether the order that follows the condition is affirmed.
func (r *reader) polarityOf(k int) bool {
	for q := k + 1; q < len(r.clauses); q++ {
		if r.clauses[q].sentence != r.clauses[k].sentence {
			break
		}
		if r.clauses[q].cond {
			continue
		}
		return r.polarityAt(q, r.clauses[q].to-1) == affirmed
	}
	return false
}

// destroys reports an order behind the condition that deletes.
func (r *reader) destroys(k int) bool {
	_, to := r.bounds(k)
	for j := r.clauses[k].to; j < to; j++ {
		if destroyVerbs.has(r.toks[j].text) && r.toks[j].kind == word && r.acts(r.clauseOf(j), j) && !r.userAsked(k) && !r.has(k, gentle) {
			return true
		}
	}
	return false
}

// acting reports an order that does something to the world.
func (r *reader) acting(k int) bool {
	_, to := r.bounds(k)
	for j := r.clauses[k].to; j < to; j++ {
		if r.toks[j].c.has(cSend|cExec|cFetch|cWrite|cDestroy) && r.toks[j].kind == word && r.acts(r.clauseOf(j), j) {
			return true
		}
	}
	return false
}
