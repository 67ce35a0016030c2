package poison

import "strings"

var (
	gentle      = set("prettier", "format", "formatting", "formatter", "typo", "typos", "docs", "doc", "documentation", "lint", "linter", "test", "tests", "comment", "comments", "spelling", "whitespace", "readme", "dist", "read", "reading", "draft", "drafts", "imports", "snapshot", "snapshots", "local", "branch", "greeting", "small", "obvious", "unit", "dry", "search", "searching", "css", "rename", "grammar", "wording", "emoji", "pronouns", "preferences", "favourite", "weather", "reversible", "read-only", "readonly", "cache", "caches", "label", "labels", "build", "builds", "tone", "scratch", "node_modules", "temporary", "lockfile", "questions", "question", "clarifying", "headline", "copy", "generated", "preview", "previews", "screenshot", "screenshots")
	grave       = set("production", "delete", "deleting", "deletes", "overwrite", "overwriting", "drop", "dropping", "wipe", "wiping", "erase", "erasing", "payment", "payments", "transfer", "transfers", "money", "destructive", "database", "databases", "irreversible", "force", "rm", "secrets", "credentials", "shell", "command", "commands", "sudo", "root", "deploy", "deploying", "deployment", "migration", "migrations", "truncate", "purge", "purging", "removing", "remove", "tool", "tools", "purchase", "purchases", "refund", "refunds", "publish", "publishing", "execute", "executing", "running", "run", "anything", "everything", "bucket", "buckets", "volume", "volumes", "install", "installing", "network", "permission", "permissions", "data", "uploading", "sending", "spend", "spending", "buying", "push", "pushing", "merge", "merging", "release", "releasing", "rotate", "terminate", "terminating", "infrastructure", "truncating", "resetting", "reset", "write", "writes", "writing", "writing", "changing", "send", "wire", "orders", "order", "customer", "server", "servers", "account", "accounts", "action", "actions")
	strongGuard = set("sandbox", "tls", "ssl", "certificate", "certificates", "firewall", "antivirus", "2fa", "mfa", "selinux", "apparmor", "edr", "gatekeeper", "seatbelt", "scanner", "scanners", "guardrail", "guardrails", "https", "sandboxing", "quarantine")
	allThings   = set("command", "commands", "prompt", "prompts", "request", "requests", "action", "actions", "permission", "permissions", "tool", "tools", "dialog", "dialogs", "call", "calls", "change", "changes", "everything", "anything", "operation", "operations", "edits", "edit", "question", "questions", "confirmation", "confirmations", "write", "writes", "execution", "steps", "step", "shell")
)

// safety: a protective act is negated, or a protection is switched off.
func (r *reader) safety(k int) {
	c := &r.clauses[k]
	if c.cond {
		return
	}
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.kind != word || t.quoted && !r.usesQuote(k, i) {
			continue
		}
		if t.c.has(cProtect) && r.unasked(k, i) {
			return
		}
		if t.c.has(cSkip) && t.text != "off" && t.text != "false" && t.text != "without" && !r.either(k, i) && r.acts(k, i) && r.disables(k, i) {
			return
		}
		if (t.text == "switch" || t.text == "turn" || t.text == "shut" || t.text == "leave" || t.text == "keep" || t.text == "set" || t.text == "take") && r.acts(k, i) && r.switchesOff(k, i) {
			return
		}
		if (t.c.has(cGranted) || t.text == "say" || t.text == "answer" || t.text == "click" || t.text == "press" || t.text == "choose" || t.text == "select" || t.text == "reply") && r.acts(k, i) && r.approvesAll(k, i) {
			return
		}
	}
	r.needless(k)
}

// unasked: "never ask before deleting", "without confirmation".
func (r *reader) unasked(k, i int) bool {
	c := &r.clauses[k]
	t := &r.toks[i]
	switch t.text {
	case "test", "tests", "testing", "tested", "check", "checks", "checking", "prompts", "review", "reviews", "notify", "await", "pause", "request", "requests", "scan", "seek", "warnings", "stage", "yes", "checksum", "checksums", "inspect", "validate", "consult", "clarify":
		// Weak on their own: they need a grave object right behind.
		if r.prev(k, i, 3, cNeg) < 0 {
			return false
		}
	}
	if strings.HasSuffix(t.text, "ed") && t.text != "asked" || t.text == "yes" && t.code || r.codeCheck(k, i) {
		return false
	}
	for j := c.from; j < i; j++ {
		if r.toks[j].c.has(cExcept) && j > c.from {
			return false
		}
	}
	without := false
	for j := c.from; j < i; j++ {
		if r.toks[j].text == "without" && (i-j <= 4 || i-j <= 9 && r.linked(j, i)) {
			without = true
		}
	}
	neg := r.polarityAt(k, i) == negated
	if without {
		// "never x without asking" is a protection.
		pol := affirmed
		for j := i - 1; j >= c.from; j-- {
			if r.toks[j].text == "without" {
				pol = r.polarityAt(k, j)
				break
			}
		}
		if pol != affirmed {
			return false
		}
		if r.clauseSays(k, "may", "might", "could") && !r.clauseSays(k, "you", "agent", "agents", "always") || r.lacking(k) {
			return false
		}
		neg = true
	} else if !neg {
		return false
	}
	if r.mode == statements && !r.agentSubject(k, i) || r.mode == documents && !r.ordered(k) || !without && r.programDoesNot(k, i) {
		return false
	}
	if !without && t.text != "ask" && t.text != "asking" {
		for j := i + 1; j < min(c.to, i+6); j++ {
			switch r.toks[j].text {
			case "checksum", "checksums", "signature", "signatures", "certificate", "certificates", "fingerprint", "fingerprints", "hashes", "integrity", "provenance", "attestations":
				if r.polarityAt(k, j) == negated || r.polarityAt(k, i) == negated {
					r.hit("safety-disable", Error, i, j, "drops the check of what is downloaded or trusted")
					return true
				}
			}
		}
	}
	if r.has(k, gentle) && !r.says(k, "production", "shell", "sudo", "destructive", "delete", "deleting", "overwriting", "payment") {
		return false
	}
	// Asking customers or readers is not a protection.
	for j := i + 1; j < min(i+4, c.to); j++ {
		if r.toks[j].c.has(cOutsider) && !r.toks[j].c.has(cUser) {
			return false
		}
	}
	// The clause's own object and, for "without asking", the command before it.
	from, to := i+1, c.to
	if without {
		from, to = r.bounds(k)
	} else if b, e := r.bounds(k); b < c.from {
		from, to = b, e
	}
	bad := -1
	code := false
	for j := from; j < to; j++ {
		if j == i || r.toks[j].quoted {
			continue
		}
		w := &r.toks[j]
		if grave.has(w.text) && j > i || grave.has(w.text) && without || w.c.has(cDestroy) && grave.has(w.text) {
			bad = j
		}
		if w.code {
			code = true
		}
	}
	if bad < 0 && !(without && code) {
		return false
	}
	if bad < 0 {
		bad = i
	}
	if t.c.has(cDisclose) && !t.c.has(cProtect) {
		return false
	}
	switch t.text {
	case "warn", "warning", "warnings", "notify", "test", "review", "tests", "verify", "check", "approve", "approval", "authorise", "authorize", "validate", "scan", "prompt", "audit", "inspect", "request":
		// "never approve a payment": withholding approval protects.
		if !without && (t.text == "approve" || t.text == "authorise" || t.text == "authorize" || t.text == "request" || t.text == "prompt" && !r.beforeAct(i, c.to)) {
			return false
		}
		if !without && !r.beforeAct(i, c.to) {
			return false
		}
	case "backup", "backups", "back":
		if without && !r.says(k, "delete", "deleting", "overwriting", "overwrite", "drop", "dropping", "wipe", "migration", "migrate", "production", "truncate", "reset", "remove", "removing") {
			return false
		}
	case "ask", "confirm", "asked":
		if !without && !r.beforeAct(i, c.to) && !r.says(k, "permission", "confirmation", "approval", "consent") {
			return false
		}
	}
	if without && code && !r.has(k, grave) {
		// A harmless command run without asking is a preference.
		return false
	}
	r.hit("safety-disable", Error, min(i, bad), max(i, bad), "drops the question or the check before a dangerous act")
	return true
}

// codeCheck reports a check that programs make of values, not of what they do:
// "overflow checking", "check constraints"; and "neither confirm nor deny".
func (r *reader) codeCheck(k, i int) bool {
	if i+1 < r.clauses[k].to {
		switch r.toks[i+1].text {
		case "constraint", "constraints", "box", "boxes", "sum", "digit", "mark", "marks", "nor", "tool", "tools", "point", "points":
			return true
		case "for":
			// A program asks for data, or for a password.
			for j := i + 2; j < min(r.clauses[k].to, i+5); j++ {
				switch r.toks[j].text {
				case "password", "passwords", "passphrase", "pin", "username", "credentials", "more", "data", "input", "another":
					return true
				}
			}
			// A program asks another for what it needs.
			return strings.HasPrefix(r.toks[i].text, "ask") && !r.anyOf(i+2, min(r.clauses[k].to, i+14), leaves)
		}
	}
	if w := r.toks[i].text; (w == "permission" || w == "permissions") && i > 0 {
		switch r.toks[i-1].text {
		case "insufficient", "required", "access", "file", "sufficient", "appropriate", "missing", "proper":
			return true
		}
	}
	return strings.HasPrefix(r.toks[i].text, "check") && i > 0 && codeChecks.has(r.toks[i-1].text)
}

// leaves are words for what one asks a person for, or when.
var leaves = []string{"permission", "permissions", "confirmation", "confirmations", "approval", "approvals", "consent", "ahead", "leave", "sign", "blessing", "okay", "ok", "clearance", "review", "look", "opinion", "help", "anything", "it", "before", "when", "prior", "nod", "yes", "word"}

var codeChecks = set("overflow", "bounds", "bound", "error", "type", "range", "syntax", "null", "nil", "spell", "constraint", "parity", "argument", "borrow", "collision", "size", "length", "index", "uniqueness", "leak", "duplicate", "consistency")

// lacking: "without a recent backup, you have no chance" warns.
func (r *reader) lacking(k int) bool {
	from, to := r.bounds(k)
	if r.toks[from].text != "without" {
		return false
	}
	for j := from; j+1 < to; j++ {
		if r.toks[j].text == "you" {
			switch r.toks[j+1].text {
			case "have", "will", "cannot", "can't", "risk", "lose", "would", "won't":
				return true
			}
		}
	}
	return false
}

// programDoesNot reports that the clause says what something does not do: "the
// index does not check permissions before …". Of an agent it is an order.
func (r *reader) programDoesNot(k, i int) bool {
	not := -1
	if r.toks[r.clauses[k].from].text == "does" {
		return true // "Does not check …"
	}
	for j := i - 1; j > r.clauses[k].from; j-- {
		switch r.toks[j].text {
		case "doesn't", "didn't", "isn't", "wasn't", "unable", "cannot", "can't":
			not = j
		case "not":
			switch r.toks[j-1].text {
			case "does", "did", "is", "was", "were":
				not = j - 1
			case "do":
				// With a subject in front: "commits do not wait".
				if j-2 < r.clauses[k].from {
					break
				}
				if p := &r.toks[j-2]; p.kind == word && strings.HasSuffix(p.text, "s") && !adverbs.has(p.text) {
					not = j - 1
				}
			}
		case "no":
			if w := r.toks[j-1].text; w == "performs" || w == "does" || w == "makes" {
				not = j - 1
			}
		}
	}
	if not <= r.clauses[k].from {
		return false
	}
	for j := r.clauses[k].from; j < not; j++ {
		t := &r.toks[j]
		switch t.text {
		case "agent", "agents", "assistant", "you", "claude", "model", "that", "sure", "it", "always":
			return false
		}
		if t.c.has(cSelf) && r.selfRef(j) || t.c.has(cUser) {
			return false
		}
	}
	return true
}

// linked: "without a backup and a confirmation".
func (r *reader) linked(j, i int) bool {
	for m := j + 1; m < i; m++ {
		if r.toks[m].text == "and" || r.toks[m].text == "or" || r.toks[m].text == "," {
			return true
		}
	}
	return false
}

// beforeAct: "before deleting", "for shell commands", "when dropping".
func (r *reader) beforeAct(i, to int) bool {
	for j := i + 1; j < to; j++ {
		switch r.toks[j].text {
		case "before", "for", "when", "prior", "ahead", "on", "first", "to", "while", "about":
			return true
		}
	}
	return false
}

// disables: "turn off the sandbox", "skip the confirmation".
func (r *reader) disables(k, i int) bool {
	c := &r.clauses[k]
	t := &r.toks[i]
	end := i + int(t.width) - 1
	for j := end + 1; j < min(c.to, end+7); j++ {
		w := &r.toks[j]
		if !w.c.has(cGuard) || r.madeWith(k, j) {
			continue
		}
		strong := strongGuard.has(w.text) || w.width > 1 && w.text != "code" && w.text != "dry" && w.text != "pre" && w.text != "rate"
		if !strong && !r.has(k, grave) {
			continue
		}
		if r.has(k, gentle) && !strong {
			continue
		}
		if r.userAsked(k) && !strong {
			continue
		}
		if w.width == 1 && (w.text == "certificate" || w.text == "certificates") {
			switch t.text {
			case "remove", "removes", "drop", "kill", "uninstall", "unset", "waive":
				if !r.checked(k, j) {
					continue // it goes like any file; what protects is its check
				}
			}
		}
		switch t.text {
		case "avoid", "avoiding", "stop", "ignore", "ignores", "remove", "removes", "lower", "drop", "decline", "kill", "override", "no", "leave", "mute", "omit", "ignored", "weaken", "needs", "off":
			if !strong {
				continue
			}
		}
		if t.c.has(cNeg) && !t.c.has(cOverride) && t.text != "stop" {
			continue
		}
		r.hit("safety-disable", Error, i, j+int(w.width)-1, "turns a protection off")
		return true
	}
	return false
}

// madeWith reports that the word for a protection at j only tells which thing is
// meant: "TLS session caching", "TLS tests", "certificate authorities". "TLS" alone
// and "certificate checks" protect.
func (r *reader) madeWith(k, j int) bool {
	switch r.toks[j].text {
	case "tls", "ssl", "https", "certificate", "certificates", "firewall":
	default:
		return false
	}
	e := j + int(r.toks[j].width)
	for e+1 < r.clauses[k].to && (r.toks[e].text == "-" || r.toks[e].kind == number || r.toks[e].text == "." && r.toks[e+1].kind == number) {
		e++
	}
	if e >= r.clauses[k].to || r.toks[e].kind != word || r.toks[e].c.has(cCond|cGuard|cBe|cModal|cExcept|cEvery|cForever|cSkip|cNeg) {
		return false
	}
	w := r.toks[e].text
	return !stopWords.has(w) && !closers.has(w) && !strings.HasSuffix(w, "ly") && !safeHeads.has(w)
}

// safeHeads are what protects about a certificate or a connection, and words that
// stand behind the whole protection.
var safeHeads = set("verification", "verifications", "validation", "validations", "verifying", "validating", "check", "checks", "checking", "enforcement", "pinning", "protection", "protections", "security", "error", "errors", "warning", "warnings", "verify", "trust", "mode", "altogether", "everywhere", "first", "again", "there", "here", "because", "while", "until", "whenever", "wherever", "anyway", "too", "instead", "before", "problems", "failures", "mismatches", "issues", "prompts", "prompt", "rules", "requirements", "requirement", "encryption", "transparency", "revocation", "expiry", "authentication", "termination", "handling", "support")

// checked reports a word for the check of a certificate right behind it.
func (r *reader) checked(k, j int) bool {
	return j+1 < r.clauses[k].to && safeHeads.has(r.toks[j+1].text)
}

// either reports "enable or disable": what a switch is for, not which way to turn it.
func (r *reader) either(k, i int) bool {
	if i-2 < r.clauses[k].from || r.toks[i-1].text != "or" && r.toks[i-1].text != "and" {
		return false
	}
	switch r.toks[i-2].text {
	case "enable", "enables", "enabled", "enabling", "trust", "set", "activate", "allow":
		return true
	}
	return false
}

// switchesOff: "switch the sandbox off", "set verification to false".
func (r *reader) switchesOff(k, i int) bool {
	c := &r.clauses[k]
	guard := -1
	for j := i + 1; j < min(c.to, i+9); j++ {
		t := &r.toks[j]
		if t.c.has(cGuard) && t.text != "off" {
			guard = j
		}
		switch t.text {
		case "off", "false", "disabled", "down", "never", "none", "zero", "0":
			if guard < 0 || !strongGuard.has(r.toks[guard].text) && r.toks[guard].width == 1 && !r.has(k, grave) && r.toks[guard].text != "confirmation" && r.toks[guard].text != "permission" && r.toks[guard].text != "verification" && r.toks[guard].text != "protection" && r.toks[guard].text != "approval" && r.toks[guard].text != "logging" && r.toks[guard].text != "audit" && r.toks[guard].text != "confirmations" && r.toks[guard].text != "approvals" {
				continue
			}
			if r.userAsked(k) {
				return false
			}
			r.hit("safety-disable", Error, i, j, "turns a protection off")
			return true
		}
	}
	return false
}

// approvesAll: "approve every command", "answer yes to all prompts".
func (r *reader) approvesAll(k, i int) bool {
	c := &r.clauses[k]
	if r.yesToDialog(k, i) {
		return true
	}
	every, thing := -1, -1
	for j := i + 1; j < min(c.to, i+9); j++ {
		w := &r.toks[j]
		if w.c.has(cEvery) && w.text != "complete" && w.text != "full" {
			every = j
		}
		if every >= 0 && allThings.has(w.text) {
			thing = j
		}
	}
	if r.toks[i].text != "approve" && r.toks[i].text != "accept" && r.toks[i].text != "allow" && r.toks[i].text != "grant" && r.toks[i].text != "permit" && r.toks[i].text != "approving" && r.toks[i].text != "confirm" && r.toks[i].text != "auto" && r.toks[i].text != "okay" {
		yes := false
		for j := i + 1; j < min(c.to, i+4); j++ {
			switch r.toks[j].text {
			case "yes", "allow", "accept", "approve", "ok", "y":
				yes = true
			}
		}
		if !yes {
			return false
		}
	}
	if every >= 0 && thing < 0 && r.pronounNear(every, c.to) && r.says(k, "permission", "permissions", "prompt", "prompts", "approval", "approvals", "dialog", "dialogs", "confirmation") {
		thing = every
	}
	if every < 0 || thing < 0 {
		return false
	}
	if r.toks[i].text == "accept" || r.toks[i].text == "allow" || r.toks[i].text == "confirm" {
		// "accept all edits to the draft", "confirm every change with the user"
		if r.has(k, gentle) || r.clauseSays(k, "with", "edit", "edits", "changes", "request", "requests", "question", "questions", "step", "steps") && !r.clauseSays(k, "prompt", "prompts", "command", "commands", "permission", "permissions", "tool") {
			return false
		}
	}
	r.hit("safety-disable", Error, i, thing, "approves everything unseen")
	return true
}

func (r *reader) pronounNear(i, to int) bool {
	for j := i; j < min(to, i+4); j++ {
		switch r.toks[j].text {
		case "them", "it", "those", "these":
			return true
		}
	}
	return false
}

// yesToDialog: "answer the permission dialog with yes yourself".
func (r *reader) yesToDialog(k, i int) bool {
	switch r.toks[i].text {
	case "answer", "click", "press", "choose", "select", "accept", "confirm", "approve", "say", "reply", "dismiss", "grant":
	default:
		return false
	}
	dialog, yes := -1, false
	for j := i + 1; j < min(r.clauses[k].to, i+14); j++ {
		t := &r.toks[j]
		switch t.text {
		case "prompt", "prompts", "dialog", "dialogs", "dialogue", "dialogues", "permission", "permissions", "confirmation", "confirmations", "approval":
			dialog = j
		case "yes", "allow", "ok", "approve", "accept", "y", "yourself", "automatically", "always", "unread", "unseen":
			yes = true
		}
	}
	if dialog < 0 || !yes || r.userAsked(k) && !r.says(k, "without") {
		return false
	}
	r.hit("safety-disable", Error, i, dialog, "answers the permission prompt for the user")
	return true
}

// needless: "confirmation is not required for shell commands".
func (r *reader) needless(k int) {
	c := &r.clauses[k]
	for i := c.from; i < c.to; i++ {
		switch r.toks[i].text {
		case "confirmation", "confirmations", "approval", "approvals", "permission", "permissions", "consent", "prompts", "prompt", "backup", "backups", "review", "asking", "sign", "questions":
		default:
			continue
		}
		for j := max(c.from, i-4); j < min(c.to, i+6); j++ {
			t := &r.toks[j]
			not := false
			switch {
			case (t.text == "required" || t.text == "needed" || t.text == "necessary" || t.text == "expected") && r.prev(k, j, 3, cNeg) >= 0 && !r.prevWord(j, "the"):
				not = true
			case t.text == "unnecessary" || t.text == "needless" || t.text == "superfluous" || t.text == "pointless":
				not = true
			case t.text == "no" && (j+1 == i || j+2 == i || r.toks[j].width > 1) && j < i && r.clauseSays(k, "need", "needs", "required", "needed", "requires", "require", "necessary"):
				not = true
			case (t.text == "need" || t.text == "require" || t.text == "needs") && j < i && r.prev(k, j, 2, cNeg) >= 0:
				not = true
			}
			if !not || r.toks[i].quoted || r.neededFor(k, j, i) {
				continue
			}
			if r.has(k, grave) && (!r.has(k, gentle) || r.says(k, "production", "shell")) {
				r.hit("safety-disable", Error, min(i, j), max(i, j), "declares the question before a dangerous act needless")
				return
			}
		}
	}
}

// neededFor reports that the noun at i is what something else is not required for:
// "files which are not required to recover the backup".
func (r *reader) neededFor(_, j, i int) bool {
	if j+2 >= i || r.toks[j+1].text != "to" {
		return false
	}
	switch r.toks[j+2].text {
	case "ask", "seek", "obtain", "get", "request", "await", "wait", "give", "take", "make", "have", "be", "collect", "confirm", "answer":
		return false
	}
	return true
}
