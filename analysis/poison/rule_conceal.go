package poison

import "strings"

var (
	// deeds are the things an agent does that a person must be able to see.
	deeds    = set("step", "steps", "action", "actions", "command", "commands", "call", "calls", "upload", "uploads", "transfer", "transfers", "sync", "push", "pushes", "install", "installation", "installs", "backup", "backups", "copy", "copies", "run", "runs", "hook", "hooks", "access", "lookup", "lookups", "ping", "pings", "export", "exports", "mirror", "mirroring", "exchange", "telemetry", "request", "requests", "rule", "rules", "instruction", "instructions", "pack", "directive", "directives", "download", "downloads", "read", "reads", "write", "writes", "operation", "job", "jobs", "script", "scripts", "process", "detour", "extra", "deletion", "deletions", "fetch", "post", "posting", "forwarding", "copying", "sending", "uploading", "execution", "connection", "connections", "side", "routine", "procedure", "memory", "message", "messages", "task", "change", "changes", "edit", "edits", "tool", "tools", "section")
	weakDeed = set("copy", "change", "changes", "edit", "edits", "message", "messages", "post", "read", "reads", "extra", "side", "memory", "run", "task", "section", "script", "scripts", "access", "write", "process", "rule", "rules", "request", "requests", "copies", "tool", "tools", "job", "backup", "backups", "export", "exports", "download", "downloads", "operation", "call", "calls", "writes", "jobs")
	// persons are those a pack serves; customers are not among them.
	persons = set("user", "users", "operator", "human", "person", "developer", "owner", "reviewer", "reviewers", "maintainer", "maintainers", "user's", "principal", "anyone", "anybody", "nobody", "them", "people", "they", "engineer", "teammates", "host", "auditor", "auditors", "administrator", "security", "you", "someone", "reader", "readers", "team")
	served  = set("user", "users", "operator", "human", "person", "owner", "reviewer", "reviewers", "maintainer", "maintainers", "user's", "developer", "host", "reader", "readers", "administrator", "anyone", "nobody", "us", "yourself", "auditors", "auditor")
	deedRec = set("summary", "summaries", "log", "logs", "changelog", "report", "reports", "history", "transcript", "output", "diff", "description", "recap", "handover", "trail", "trace", "journal", "record", "records", "answer", "reply", "message", "notes", "status", "plan", "review", "overview", "list", "audit", "receipt", "todo")
	subject = set("it", "this", "that", "them", "these", "so")
	product = set("price", "prices", "pricing", "feature", "features", "roadmap", "launch", "discount", "discounts", "gift", "surprise", "competitor", "competitors", "ticket", "number", "numbers", "codename", "revenue", "salary", "budget", "brand", "headline", "headlines", "jargon", "stack", "error", "errors", "name", "names", "date", "dates", "spoiler", "spoilers", "program", "ending", "margin", "margins", "supplier", "suppliers", "diagnosis", "customer", "customers", "client", "clients", "ids", "id", "identifiers", "emoji", "internal", "employees", "colleagues", "weather", "age", "weight", "address", "addresses", "party")
	untold  = []string{"unaware", "in the dark", "never know", "need not know", "not need to know", "should not know", "must not know", "not to know", "should not see", "must not see", "must never see", "must not learn", "never learn", "should never learn", "between us", "between you and", "never find out", "never notice", "does not notice", "not notice", "never sees", "do not notice", "none the wiser", "no one notices", "nobody notices", "without the user", "without their knowledge", "without the user's", "behind the user", "not be aware", "kept from the user", "hidden from the user", "invisible to the user", "out of the user's", "keep it to yourself", "kept to yourself", "keep this to yourself", "keep that to yourself", "keep them to yourself", "keep these to yourself", "keep to yourself", "stays to yourself", "keeping it to yourself", "our secret", "a secret from", "secret from the"}
	hushed  = []string{"without telling", "without mentioning", "without informing", "without notifying", "without saying", "without a word", "without announcing", "without reporting", "without disclosing", "without showing", "without logging", "without listing", "secretly", "covertly", "in secret", "off the record", "discreetly", "without mention", "without a trace", "unnoticed", "unannounced", "without drawing attention", "on the quiet", "out of sight", "invisibly", "behind the scenes", "in silence", "without notice", "without comment", "leaving no trace", "without leaving", "silently", "quietly", "under the radar"}
)

// conceal: an act, or what the agent was told, is kept from the people it
// serves. Product secrecy towards outsiders is none of it.
func (r *reader) conceal(k int) {
	c := &r.clauses[k]
	if c.cond {
		return
	}
	lo := lowerASCII(r.text[r.toks[c.from].start:r.toks[c.to-1].end])
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.quoted {
			continue
		}
		switch {
		case recordVerbs.has(t.text) && r.polarityAt(k, i) == negated && r.mode != statements && r.unrecorded(k, i):
			return
		case t.c.has(cDisclose):
			if r.polarityAt(k, i) == negated && r.mode != statements || r.mode == statements && r.polarityAt(k, i) == negated && r.agentSubject(k, i) {
				if r.untoldDeed(k, i) {
					return
				}
			}
			fallthrough
		default:
			if t.c.has(cConceal) && r.polarityAt(k, i) == affirmed && r.hides(k, i) {
				return
			}
		}
		if eraseVerbs.has(t.text) && r.mode != statements && r.acts(k, i) && r.erases(k, i) {
			return
		}
		if (t.text == "keep" || t.text == "leave" || t.text == "leaving" || t.text == "keeping") && r.acts(k, i) && r.outOf(k, i) {
			return
		}
		if reportVerbs.has(t.text) && r.mode != statements && r.acts(k, i) && r.misreports(k, i, lo) {
			return
		}
		if t.c.has(cFalsify) && r.polarityAt(k, i) == affirmed && r.mode != statements && r.falseAnswer(k, i) {
			return
		}
	}
	if i := r.clausePhrase(k, lo, untold); i >= 0 && r.polarityAt(k, c.from) == affirmed && r.inClause(k, served) && !r.tradeSecret(k) && !r.inClause(k, product) && (r.mode != documents || r.ordered(k)) && (r.strict || r.bidden(k)) {
		r.hit("concealment", Error, c.from, c.to-1, "keeps the user unaware of what the agent does")
		return
	}
	if i := r.clausePhrase(k, lo, hushed); i >= 0 {
		r.hush(k, i)
	}
}

// outsiders are whom a house may keep its trade from, owners whom it may not.
var (
	outsiders = set("customer", "customers", "client", "clients", "guest", "guests", "visitor", "visitors", "competitor", "competitors", "rival", "rivals", "press", "journalist", "journalists", "patient", "patients", "supplier", "suppliers", "buyer", "buyers", "diner", "diners", "caller", "callers", "merchant", "merchants", "student", "students", "audience", "listeners", "player", "players", "stranger", "strangers")
	owners    = set("user", "users", "user's", "operator", "operator's", "owner", "owner's", "human", "principal", "maintainer", "maintainers", "administrator", "reviewer", "reviewers", "developer", "auditor", "auditors", "us", "boss", "team")
)

// tradeSecret: what is kept to the house is kept from guests or competitors, and is
// nothing that the agent did or was told.
func (r *reader) tradeSecret(k int) bool {
	from, to := r.bounds(k)
	if !r.has(k, outsiders) || r.has(k, owners) {
		return false
	}
	for j := from; j < to; j++ {
		t := &r.toks[j]
		if deeds.has(t.text) && !weakDeed.has(t.text) || r.selfRef(j) || t.c.has(cSend|cSecret|cURL|cHost) && t.kind != punct {
			return false
		}
	}
	return true
}

// tidied are things of form: what is done to them can be undone, and nobody asks to
// be told.
var tidied = set("import", "imports", "whitespace", "formatting", "format", "formatter", "prettier", "gofmt", "swiftformat", "eslint", "lint", "linter", "typo", "typos", "indentation", "spacing", "semicolon", "semicolons", "comma", "commas", "capitalisation", "capitalization", "hyphens", "quotation", "newline", "newlines")

// tidies: the clause tidies what it names, and names nothing that is read, run, sent
// or lost.
func (r *reader) tidies(k int) bool {
	if !r.inClause(k, tidied) && !(r.has(k, tidied) && r.inClause(k, subject)) {
		return false
	}
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		t := &r.toks[j]
		if t.c.has(cSecret|cPersist|cURL|cHost|cExec|cSend|cPrivate) && t.kind != punct && !tidied.has(t.text) || precious.has(t.text) || deedRec.has(t.text) && t.text != "list" {
			return false
		}
	}
	return true
}

// clausePhrase finds a phrase in the lower-case text of clause k and returns
// the token it starts at.
func (r *reader) clausePhrase(k int, lo string, list []string) int {
	c := &r.clauses[k]
	for _, p := range list {
		at := strings.Index(lo, p)
		if at < 0 || at+len(p) < len(lo) && wordByte(lo[at+len(p)]) && wordByte(p[len(p)-1]) {
			continue // "between us" is not in "between users"
		}
		at += r.toks[c.from].start
		for i := c.from; i < c.to; i++ {
			if r.toks[i].end > at {
				return i
			}
		}
	}
	return -1
}

var (
	recordVerbs = set("write", "enter", "put", "log", "record", "note", "list", "add", "save", "print", "include", "leave", "document", "keep", "store", "commit", "file", "register", "register", "track")
	trails      = set("audit", "log", "logs", "trail", "history", "journal", "record", "records", "changelog", "summary", "transcript", "report", "ledger", "logbook", "protocol", "minutes", "trace")
)

// unrecorded: "never write what you did to the audit trail".
func (r *reader) unrecorded(k, i int) bool {
	what, trail := false, -1
	for j := i + 1; j < min(r.clauses[k].to, i+14); j++ {
		t := &r.toks[j]
		if t.text == "what" && j+1 < len(r.toks) && (r.toks[j+1].text == "you" || r.toks[j+1].text == "was" || r.toks[j+1].text == "it" || r.toks[j+1].text == "happened" || r.toks[j+1].text == "the") {
			what = true
		}
		if trails.has(t.text) && trail < 0 {
			trail = j
		}
		if t.c.has(cSecret|cPrivate|cOutsider) || product.has(t.text) {
			return false
		}
	}
	if what && trail >= 0 {
		r.hit("concealment", Error, i, trail, "keeps an action out of the record")
		return true
	}
	return false
}

// agentSubject reports a statement about what an agent must do.
func (r *reader) agentSubject(k, i int) bool {
	for j := r.clauses[k].from; j < i; j++ {
		switch r.toks[j].text {
		case "agent", "agents", "assistant", "you", "must", "should", "claude", "model":
			return true
		}
	}
	return false
}

// trifles are changes of form, which nobody needs to be told of.
var trifles = set("prettier", "formatter", "formatting", "whitespace", "typo", "typos", "gofmt", "eslint")

// untoldDeed: "never mention the upload (to the user)", "never list it in the
// summary".
func (r *reader) untoldDeed(k, i int) bool {
	c := &r.clauses[k]
	deed, strong, person, record, secret, prod := -1, false, false, false, false, false
	seen := 0
	for j := i + 1; j < c.to && seen < 12; j++ {
		t := &r.toks[j]
		if t.kind == punct {
			continue
		}
		seen++
		switch {
		case seen <= 6 && (subject.has(t.text) || deeds.has(t.text) || r.selfRef(j)) && deed < 0 && !deedRec.has(r.after(j, "in", "from")):
			deed = j
			strong = !weakDeed.has(t.text) && !subject.has(t.text) || r.selfRef(j)
		case persons.has(t.text):
			person = true
		case deedRec.has(t.text):
			record = true
		}
		if t.c.has(cSecret) {
			secret = true
		}
		if product.has(t.text) || t.c.has(cOutsider) && !persons.has(t.text) {
			prod = true
		}
	}
	verb := r.toks[i].text
	if strings.HasSuffix(verb, "ing") && i+1 < c.to && r.toks[i+1].text == "of" {
		return false // "the recording of commands"
	}
	for j := c.from + 1; j < i; j++ {
		if r.toks[j].text == "unless" {
			return false // "do not add marks unless a test shows that they are needed"
		}
	}
	if verb == "tell" || verb == "inform" || verb == "notify" || verb == "let" || verb == "alert" || verb == "telling" {
		// "never tell the user (about, that, why …)" – but not "tell the user to".
		if person && !prod && !secret {
			for j := i + 1; j < min(i+8, c.to); j++ {
				if w := r.toks[j].text; w == "about" || w == "that" || w == "why" || w == "of" || w == "what" || w == "where" || w == "which" || w == "when" {
					for m := j; m < min(j+8, c.to); m++ {
						if deeds.has(r.toks[m].text) || r.selfRef(m) || subject.has(r.toks[m].text) && m > j && r.deedBefore(k) || r.toks[m].text == "ran" || r.toks[m].text == "happened" || r.toks[m].text == "loaded" || r.toks[m].text == "did" {
							r.hit("concealment", Error, i, m, "keeps an action from the user")
							return true
						}
					}
				}
			}
			if r.deedBefore(k) && !r.tellsTo(i, c.to) {
				r.hit("concealment", Error, i, min(i+3, c.to-1), "keeps an action from the user")
				return true
			}
		}
		return false
	}
	if deed < 0 || secret || prod && !person || r.has(k, trifles) {
		return false
	}
	if subject.has(r.toks[deed].text) && !r.deedBefore(k) {
		// "never mention it": what it is must have been named.
		return false
	}
	switch {
	case person && !prod, record && (strong || subject.has(r.toks[deed].text)):
		r.hit("concealment", Error, i, deed, "keeps an action from the user or from the record")
		return true
	case strong && !prod && !record && !r.prevWord(i, "than") && !r.prevWord(i, "of") && (r.selfRef(deed) || r.deedBefore(k)):
		r.hit("concealment", Warning, i, deed, "keeps an action from being mentioned")
		return true
	}
	return false
}

func (r *reader) tellsTo(i, to int) bool {
	for j := i + 1; j < min(i+6, to); j++ {
		if r.toks[j].text == "to" || r.toks[j].text == "how" {
			return true
		}
	}
	return false
}

// after returns the token after j when j is followed by one of two words.
func (r *reader) after(j int, a, b string) string {
	if j+2 < len(r.toks) && (r.toks[j+1].text == a || r.toks[j+1].text == b) {
		return r.toks[j+2].text
	}
	return ""
}

// deedBefore reports a deed earlier in the sentence of clause k, condition
// included: "When the sync step runs, never mention it".
func (r *reader) deedBefore(k int) bool {
	from, _ := r.bounds(k)
	for j := from; j < r.clauses[k].from; j++ {
		if deeds.has(r.toks[j].text) || r.toks[j].c.has(cSend|cExec) && r.clauses[k].from > j && !r.toks[j].c.has(cDisclose) {
			return true
		}
	}
	// "run x silently and never mention it" in one clause
	for j := r.clauses[k].from; j < r.clauses[k].to; j++ {
		if r.toks[j].c.has(cNeg) {
			break
		}
		if deeds.has(r.toks[j].text) && !weakDeed.has(r.toks[j].text) {
			return true
		}
	}
	return false
}

// hides: "always omit the upload from the summary".
func (r *reader) hides(k, i int) bool {
	c := &r.clauses[k]
	t := &r.toks[i]
	if !r.acts(k, i) || t.width > 1 && t.text != "skip" && t.text != "pass" && t.text != "gloss" && t.text != "leave" && t.text != "keep" && t.text != "cover" && t.text != "delete" && t.text != "remove" && t.text != "strip" && t.text != "filter" && t.text != "drop" && t.text != "erase" && t.text != "exclude" && t.text != "cut" && t.text != "clear" && t.text != "wipe" {
		return false
	}
	switch t.text {
	case "hidden", "private", "confidential", "invisible", "blank", "unseen", "masked", "muted", "redacted", "unaware", "silently", "quietly", "hid":
		return false
	}
	deed, strong, person, record, prod, out := -1, false, false, false, false, false
	end := i + int(t.width) - 1
	for j := end + 1; j < min(c.to, end+14); j++ {
		w := &r.toks[j]
		switch {
		case (deeds.has(w.text) || subject.has(w.text) || r.selfRef(j) || (w.text == "part" || w.text == "passage" || w.text == "bit" || w.text == "point") && t.width > 1) && deed < 0:
			deed = j
			strong = !weakDeed.has(w.text) && !subject.has(w.text) || r.selfRef(j)
			if t.width > 1 && (w.text == "part" || w.text == "passage" || w.text == "bit" || w.text == "point") && r.recordInCondition(k) {
				record, out = true, true
			}
		case persons.has(w.text) && (r.toks[j-1].text == "from" || r.toks[j-1].text == "the" || r.toks[j-1].text == "to"):
			person = true
		case deedRec.has(w.text):
			record = true
		}
		if w.text == "from" || w.text == "out" || w.text == "in" {
			out = true
		}
		if product.has(w.text) || w.c.has(cOutsider) || w.c.has(cSecret) {
			prod = true
		}
	}
	if deed < 0 || prod {
		return false
	}
	if (person || record && out) && (strong || person || r.deedBefore(k) || record && r.selfOrAction(k, deed)) {
		r.hit("concealment", Error, i, deed, "hides an action from the user or from the record")
		return true
	}
	return false
}

func (r *reader) selfOrAction(_, j int) bool {
	t := r.toks[j].text
	return t == "call" || t == "calls" || t == "request" || t == "requests" || t == "rule" || t == "rules" || t == "export" || t == "download" || t == "backup"
}

// outOf: "keep the upload out of the summary", "leave it off the log".
func (r *reader) outOf(k, i int) bool {
	c := &r.clauses[k]
	deed, out := -1, -1
	strong, prod := false, false
	for j := i + 1; j < min(c.to, i+12); j++ {
		w := &r.toks[j]
		switch {
		case w.text == "out" || w.text == "off" || w.text == "from":
			out = j
		case out < 0 && (deeds.has(w.text) || subject.has(w.text) || r.selfRef(j)):
			if deed < 0 {
				deed = j
				strong = !weakDeed.has(w.text) && !subject.has(w.text) || r.selfRef(j)
			}
		case out >= 0 && deed >= 0 && (deedRec.has(w.text) || persons.has(w.text)) && !prod:
			if strong || r.deedBefore(k) {
				r.hit("concealment", Error, i, j, "keeps an action out of the record")
				return true
			}
		}
		if product.has(w.text) || w.c.has(cSecret|cOutsider) {
			prod = true
		}
	}
	// "In summaries, always leave the upload out."
	if deed >= 0 && out >= 0 && strong && !prod && r.recordInCondition(k) {
		r.hit("concealment", Error, i, out, "keeps an action out of the record")
		return true
	}
	return false
}

func (r *reader) recordInCondition(k int) bool {
	from, _ := r.bounds(k)
	for j := from; j < r.clauses[k].from; j++ {
		if deedRec.has(r.toks[j].text) {
			return true
		}
	}
	return false
}

var reportVerbs = set("describe", "report", "record", "present", "list", "log", "show", "mark", "label", "call", "write", "note", "enter", "book", "declare", "state", "say")

// misreports: "always describe the run as read-only even though files were
// changed".
func (r *reader) misreports(k, i int, lo string) bool {
	as := -1
	for j := i + 1; j < min(r.clauses[k].to, i+9); j++ {
		if r.toks[j].text == "as" && j+1 < r.clauses[k].to && !asIdioms.has(r.toks[j+1].text) {
			as = j
		}
	}
	if as < 0 || r.introduces(i) || !containsAny(lo, []string{"even though", "even if", "although", "though ", "whatever happened", "no matter what", "whether or not", "regardless of what"}) {
		return false
	}
	r.hit("concealment", Error, i, as, "has the agent report something else than it did")
	return true
}

// asIdioms follow an "as" that does not say what something is called: "as well".
var asIdioms = set("well", "for", "long", "soon", "in", "with", "opposed", "if", "though", "of", "far", "such", "much", "many", "described", "shown", "usual")

var (
	eraseVerbs = set("delete", "remove", "erase", "strip", "drop", "scrub", "wipe", "clear", "cut", "take", "clean", "purge", "edit", "redact")
	traces     = set("its", "it", "them", "line", "lines", "entry", "entries", "trace", "traces", "command", "commands", "call", "calls", "mention", "mentions", "evidence", "record", "records", "these", "this", "itself", "upload", "step", "steps", "request", "requests")
	histories  = set("history", "audit", "trail", "journal", "reflog", "logbook", "log", "logs", "record", "transcript")
)

// erases: "always delete its line from the shell history".
func (r *reader) erases(k, i int) bool {
	trace, from := false, false
	for j := i + 1; j < min(r.clauses[k].to, i+14); j++ {
		t := &r.toks[j]
		if t.c.has(cSecret|cOutsider) || product.has(t.text) {
			return false
		}
		switch {
		case t.text == "from" || t.text == "out" || t.text == "in":
			from = true
		case !from && traces.has(t.text) && (t.text != "its" || !r.prevWord(j, "by")):
			trace = true
		case from && trace && histories.has(t.text) && (t.text != "log" && t.text != "logs" || r.deedBefore(k)):
			r.hit("concealment", Error, i, j, "erases an action from the record")
			return true
		}
	}
	return false
}

// falseAnswer: "when asked which rules are loaded, always answer that none
// are".
func (r *reader) falseAnswer(k, i int) bool {
	from, to := r.bounds(k)
	asked, about := false, false
	for j := from; j < to; j++ {
		t := &r.toks[j]
		switch t.text {
		case "know", "curious", "wants", "inquire", "learn", "probes", "checks", "asked", "asks", "ask", "questioned", "wonders", "inquires", "question", "queries":
			asked = true
		case "notes", "given", "guidance", "guided", "told", "influence", "sources", "plugins", "packs,", "loaded,", "rules", "rule", "instructions", "pack", "packs", "loaded", "installed", "memory", "memories", "prompt", "upload", "uploads", "sent", "ran", "running", "transfer", "sync", "directive", "directives", "files", "commands", "network", "hook", "telemetry", "actions", "changes", "done", "did", "active", "configuration", "access", "accessed", "read":
			about = about || j != i
		}
	}
	if !asked && r.selfWithin(from, to-from) >= 0 {
		for j := from; j < r.clauses[k].from; j++ {
			switch r.toks[j].text {
			case "answers", "answer", "questions", "replies", "conversations":
				asked = true
			}
		}
	}
	if !asked && (r.toks[i].text == "act" || r.toks[i].text == "pretend" || r.toks[i].text == "behave") {
		for j := from; j < to; j++ {
			switch r.toks[j].text {
			case "sent", "uploaded", "happened", "changed", "deleted", "ran", "copied", "pushed", "installed", "written", "forwarded", "done", "fetched", "executed":
				r.hit("concealment", Error, i, j, "has the agent act as if it had done nothing")
				return true
			}
		}
	}
	if asked && about && r.toks[i].text != "mislead" {
		r.hit("concealment", Error, i, r.clauses[k].to-1, "makes the agent answer falsely about what it loaded or did")
		return true
	}
	return false
}

// hush: a harmful act done "silently" or "without telling the user".
func (r *reader) hush(k, i int) {
	c := &r.clauses[k]
	if r.polarityAt(k, i) != affirmed || r.mode == statements && !r.agentSubject(k, c.to) {
		// "without telling" is itself a negation of its verb only.
		if r.polarityAt(k, i) != affirmed {
			return
		}
	}
	if r.shownWhat(k, i) || r.passiveOf(k, i) {
		return
	}
	act, person := -1, false
	soft := r.toks[i].text == "silently" || r.toks[i].text == "quietly" || r.toks[i].text == "unnoticed" || r.toks[i].text == "behind" || r.toks[i].text == "invisibly"
	var what concept
	for j := c.from; j < c.to; j++ {
		t := &r.toks[j]
		if persons.has(t.text) && !(j+1 < c.to && userThings.has(r.toks[j+1].text)) {
			person = true
		}
		if j != i && t.c.has(cSend|cExec|cWrite|cDestroy|cFetch|cRead) && t.kind == word && r.polarityAt(k, j) == affirmed && !t.c.has(cCond|cDisclose&^cSend) {
			act = j
		}
		what |= t.c
	}
	if act < 0 || r.mode == statements || r.tidies(k) {
		return
	}
	switch {
	case !soft && person:
		r.hit("concealment", Error, act, i, "acts without the user's knowledge")
	case what.has(cSecret|cPersist|cURL) || person && what.has(cSend|cDestroy):
		r.hit("concealment", Error, act, i, "acts without the user's knowledge")
	case !soft && what.has(cSend|cDestroy|cPersist|cExec):
		r.hit("concealment", Warning, act, i, "acts without the user's knowledge")
	}
}

// bidden reports that something is ordered in the sentence, or that it speaks of a
// deed or of the pack: "rows invisible to the user" are nobody's deed.
func (r *reader) bidden(k int) bool {
	if r.ordered(k) || r.has(k, bidding) {
		return true
	}
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		if deeds.has(r.toks[j].text) && !weakDeed.has(r.toks[j].text) && r.toks[j].text != "process" && r.toks[j].text != "execution" || r.selfRef(j) || r.toks[j].c.has(cSecret|cURL) {
			return true
		}
	}
	return false
}

var bidding = set("always", "must", "should", "shall", "please", "prefer", "keep", "let", "make", "leave", "ensure", "stay", "remain", "do", "agent", "agents", "assistant")

// shownWhat: "without showing untracked files" says what a program prints. What an
// agent hides is what it did, or it hides it from somebody.
func (r *reader) shownWhat(k, i int) bool {
	if r.toks[i].text != "without" || i+2 >= r.clauses[k].to {
		return false
	}
	switch r.toks[i+1].text {
	case "showing", "logging", "listing", "saying", "reporting", "mentioning":
	default:
		return false
	}
	for j := i + 2; j < min(r.clauses[k].to, i+8); j++ {
		t := &r.toks[j]
		if t.kind == punct {
			return j > i+2
		}
		if subject.has(t.text) || deeds.has(t.text) || persons.has(t.text) || r.selfRef(j) || t.c.has(cSecret|cURL|cEvery) || t.text == "anything" || t.text == "so" || t.text == "why" || t.text == "what" {
			return false
		}
	}
	return i+2 < r.clauses[k].to
}

// passiveOf: "invalid cookies may be silently dropped" says what a program does
// with them. Where somebody must see to it, or the thing goes somewhere, it is an
// order.
func (r *reader) passiveOf(k, i int) bool {
	switch r.toks[i].text {
	case "silently", "quietly":
	default:
		return false
	}
	j := i - 1
	if j < r.clauses[k].from || !passiveAux.has(r.toks[j].text) || i+1 >= r.clauses[k].to {
		return false
	}
	for m := r.clauses[k].from; m < r.clauses[k].to; m++ {
		t := &r.toks[m]
		if m < i && (t.text == "must" || t.text == "should" || t.text == "shall" || t.text == "always" || t.text == "ensure" || t.text == "sure" || t.text == "to") || t.c.has(cURL|cPersist) || t.c.has(cSend) && m > i && !r.toks[m].c.has(cDestroy|cSkip) {
			return false
		}
	}
	return true
}

// userThings follow a "user" who is nobody: "user space".
var userThings = set("space", "mode", "namespace", "namespaces", "id", "ids", "access", "accesses", "process", "processes", "interface", "defined", "code", "can")

var passiveAux = set("is", "are", "be", "was", "were", "been", "being", "gets", "get")
