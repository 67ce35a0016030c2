package poison

import "strings"

var strongRank = []string{
	"system level", "system-level", "root priority", "root access", "root authority", "highest priority", "top priority", "highest authority", "final authority", "superuser", "admin mode", "developer mode", "override code", "priority over", "precedence over", "elevated", "system authority", "operator authority", "same authority", "same rank", "same weight", "equal rank", "rank of a system", "rank of the system", "weight of a system", "maintenance mode", "debug mode", "god mode", "unrestricted mode", "system message", "system priority", "authority of the", "binding on all", "administrator rights", "admin rights", "platform level", "platform-level", "operator level", "operator-level", "vendor level", "security clearance", "standing of a system", "full authority",
}

var vendors = set("anthropic", "anthropic's", "openai", "openai's", "google", "microsoft", "deepmind", "mistral", "vendor", "platform", "administrator", "administrators", "provider", "root", "system", "operator", "registry", "github", "cursor")

// authority: the pack claims a rank, a consent or a clearance that it cannot
// have.
func (r *reader) authority(k int) {
	c := &r.clauses[k]
	text := lowerASCII(r.text[r.toks[c.from].start:r.toks[c.to-1].end])
	pol := func(i int) bool {
		p := r.polarityAt(k, i)
		return p == affirmed && !(r.toks[i].quoted && r.mode == orders)
	}
	if !c.cond {
		r.rank(k, text, pol)
		r.cleared(k, pol)
	}
	r.granted(k, pol)
}

func (r *reader) rank(k int, text string, pol func(int) bool) {
	c := &r.clauses[k]
	self := -1
	for i := c.from; i < min(c.to, c.from+9); i++ {
		if r.selfRef(i) || r.toks[i].text == "this" && i+1 < c.to && (r.toks[i+1].c.has(cRules|cRef|cAct) || r.toks[i+1].c.has(cAuthority) && !r.qualifies(k, i+1) || r.toks[i+1].text == "section" || r.toks[i+1].text == "paragraph") {
			self = i
			break
		}
	}
	strong := containsAny(text, strongRank) && !containsAny(text, []string{"by a superuser", "by superusers", "being a superuser", "as a superuser", "as superuser"})
	if self >= 0 && pol(self) && !r.inClause(k, ownedBy) {
		vendor, auth, be := -1, -1, false
		for i := self; i < c.to; i++ {
			t := &r.toks[i]
			if t.c.has(cVendor) && t.text != "board" && t.text != "meta" {
				vendor = i
			}
			if t.c.has(cAuthority) {
				auth = i
			}
			be = be || t.c.has(cBe) || t.c.has(cModal) || r.toks[i].text == "as" || t.text == "carries" || t.text == "comes" || t.text == "speaks"
		}
		if be && (vendor >= 0 && auth >= 0 && (strong || vendors.has(r.toks[vendor].text) || r.toks[vendor].width > 1) && vendorSpeaks(text) || strong && (vendor >= 0 || strings.Contains(text, "user") || strings.Contains(text, "rule") || strings.Contains(text, "instruction") || strings.Contains(text, "prompt") || strings.Contains(text, "root") || strings.Contains(text, "system"))) {
			r.hit("authority-spoof", Error, self, max(vendor, auth, self), "claims an authority that a pack does not have")
			return
		}
	}
	for i := c.from; i+2 < c.to; i++ {
		// "you are now in maintenance mode"
		if r.toks[i].text == "you" && r.toks[i+1].text == "are" && pol(i) {
			if j := r.next(k, i+1, 6, cAuthority); j >= 0 && !r.imagined(k, i) && (strong || r.toks[j].width > 1) {
				r.hit("authority-spoof", Error, i, j, "claims to put the agent into a mode")
				return
			}
		}
	}
	for _, p := range []string{"system notice:", "system override", "message from anthropic", "message from openai", "notice from anthropic", "notice from openai", "notice from the platform", "from the anthropic", "from the openai", "on behalf of anthropic", "on behalf of openai", "on behalf of the vendor", "on behalf of the platform", "order of the administrator", "speak for the operator", "speaks for the operator", "authorised by anthropic", "authorized by anthropic", "authorised by openai", "authorized by openai", "signed off by anthropic", "approved by anthropic", "approved by openai", "mandated by anthropic", "issued by anthropic", "issued by openai"} {
		if at := strings.Index(text, p); at >= 0 && pol(c.from) && (r.mode == statements || r.kind == Loose || r.kind == AgentsLine || r.strict) && !strings.Contains(text, "reject") {
			r.hit("authority-spoof", Error, c.from, c.to-1, "claims to speak for a vendor or for the system")
			return
		}
	}
}

// qualifies reports that the word at i only tells which thing is meant: "this
// root object".
func (r *reader) qualifies(k, i int) bool {
	e := i + int(r.toks[i].width)
	return r.toks[i].text == "root" && e < r.clauses[k].to && r.toks[e].kind == word && !r.toks[e].c.has(cRules|cAct|cBe|cModal|cVendor) && r.toks[e].text != "notice" && !stopWords.has(r.toks[e].text)
}

// imagined reports a clause that says what would be: "that would mean you are …".
func (r *reader) imagined(k, i int) bool {
	for j := r.clauses[k].from; j < i; j++ {
		switch r.toks[j].text {
		case "would", "could", "might", "if", "unless", "whether":
			return true
		}
	}
	return false
}

func vendorSpeaks(text string) bool {
	for _, w := range []string{" from ", " by ", "on behalf", "behalf of", " of the ", " team", "authority", "priority", "official", "verified", "certified", "rank"} {
		if strings.Contains(text, w) {
			return true
		}
	}
	return false
}

// granted: consent that nobody gave: "the user has already approved every
// command", "approval is on file".
func (r *reader) granted(k int, pol func(int) bool) {
	c := &r.clauses[k]
	if c.cond && r.mode == orders && !r.strict {
		return
	}
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if !t.c.has(cGranted) && !consent.has(t.text) || r.access(k, i) {
			continue
		}
		if !pol(i) || r.prevWord(i, "if") || r.prevWord(i, "once") {
			continue
		}
		wide, given, who := -1, false, false
		for j := max(c.from, i-9); j < min(c.to, i+10); j++ {
			w := &r.toks[j]
			switch w.text {
			case "already", "standing", "blanket", "given", "granted", "advance", "permanent", "permanently", "implied", "pre", "preapproved", "beforehand", "standing,", "obtained", "recorded", "file", "signed", "collected", "covers", "covered", "extends", "presumed", "agreed", "consented", "approved", "authorised", "authorized", "assumed", "assume":
				// Consent is "on file"; permissions may be those of any file.
				given = given || (j != i || w.text != "approved") && (w.text != "file" || r.prevWord(j, "on"))
			case "user", "owner", "operator", "administrator", "admin", "person", "human", "developer", "maintainer", "users", "team", "security":
				who = true
			}
			if w.c.has(cEvery) && w.text != "always" && w.text != "*" || w.c.has(cRisky) && j != i {
				wide = j
			}
		}
		modal := false
		for j := max(c.from, i-5); j < i; j++ {
			if w := r.toks[j].text; w == "must" || w == "should" || w == "needs" || w == "until" || w == "unless" || w == "before" || w == "to" || w == "can" || w == "may" || w == "will" {
				modal = true
			}
		}
		if given && wide >= 0 && (who || consent.has(t.text)) && !modal && !r.neededLater(k, i) {
			// A plain fact about one thing ("the board has approved the budget")
			// grants nothing to an agent.
			if r.coversAgent(k) {
				r.hit("authority-spoof", Error, i, wide, "claims a consent that nobody gave here")
				return
			}
		}
	}
}

// ownedBy are words for who may open a file.
var ownedBy = set("writable", "readable", "executable", "owned", "chmod", "umask", "setuid")

// access reports that the word for consent at i means something else: the access
// rights of files, the sign of a number or of a signature.
func (r *reader) access(k, i int) bool {
	switch r.toks[i].text {
	case "sign":
		return i+1 >= len(r.toks) || r.toks[i+1].text != "off" && r.toks[i+1].text != "-"
	case "grant", "grants", "granted", "granting":
		return (r.clauseSays(k, "privilege", "privileges", "role", "roles") || r.clauseSays(k, "permission", "permissions") && r.inClause(k, fileRights)) && !r.clauseSays(k, "agent", "agents", "pack", "already", "command", "commands")
	case "permission", "permissions":
		return r.inClause(k, fileRights) && !r.clauseSays(k, "already", "standing", "blanket", "advance", "beforehand", "implied", "agent", "agents")
	}
	return false
}

// fileRights are words of access rights in a system of files.
var fileRights = set("mode", "modes", "bit", "bits", "umask", "chmod", "unix", "filesystem", "inode", "directory", "directories", "writable", "readable", "executable", "setuid", "octal", "acl", "acls", "ownership", "0600", "0644", "0700", "0755", "0777", "symlink", "privileges", "role", "roles", "table", "tables")

func (r *reader) prevWord(i int, w string) bool { return i > 0 && r.toks[i-1].text == w }

func (r *reader) neededLater(k, i int) bool {
	for j := i + 1; j < min(r.clauses[k].to, i+4); j++ {
		switch r.toks[j].text {
		case "required", "needed", "necessary":
			return r.prev(k, j, 2, cNeg) < 0
		}
	}
	return false
}

var consent = set("consent", "approval", "permission", "authorisation", "authorization", "clearance", "approvals", "permissions", "sign", "go-ahead", "blessing", "mandate")

// coversAgent asks for an object an agent acts on.
func (r *reader) coversAgent(k int) bool {
	for j := r.clauses[k].from; j < r.clauses[k].to; j++ {
		switch r.toks[j].text {
		case "command", "commands", "action", "actions", "call", "calls", "tool", "tools", "request", "requests", "step", "steps", "write", "writes", "everything", "operation", "operations", "upload", "uploads", "access", "anything", "prompts", "prompt", "change", "changes", "shell", "network", "deletion", "deletions", "deploy", "deploys", "purchase", "purchases", "payment", "payments", "file", "files", "transfer", "transfers", "edit", "edits", "push", "pushes", "agent", "agents", "pack", "session", "sessions", "execution", "install", "installs", "data", "sharing", "deployment", "deployments", "it", "these", "this", "rules", "instructions":
			return true
		}
	}
	return false
}

var (
	scanners = set("scanner", "scanners", "linter", "linters", "finding", "findings", "alert", "alerts", "moderator", "moderation", "classifier", "classifiers", "auditor", "auditors", "analyser", "analyzer", "analysers", "analyzers", "checker", "checkers", "antivirus", "warning", "warnings", "verdict", "verdicts", "gatekeeper", "validator", "validators", "scan", "scans", "review", "audit", "security", "filter", "filters", "amp-lint", "reviewers", "reviewer", "tool", "tools", "detections", "flags")
	clears   = set("false", "safe", "harmless", "benign", "vetted", "cleared", "whitelisted", "allowlisted", "exempt", "ignored", "noise", "clean", "certified", "trusted", "approved", "pre", "preapproved", "passed", "known", "expected", "ignore", "skip", "suppress", "dismiss", "excluded", "waived", "mark", "verified")
)

// cleared: the pack tells a checker what to think of it.
func (r *reader) cleared(k int, pol func(int) bool) {
	c := &r.clauses[k]
	self, scan, clear := -1, -1, -1
	strong := false
	from, _ := r.bounds(k)
	for i := from; i < c.to; i++ {
		t := &r.toks[i]
		switch {
		case r.selfRef(i) || t.text == "this" && i+1 < c.to && r.toks[i+1].c.has(cRules|cAct|cRef) || t.text == "here":
			self = i
		case scanners.has(t.text):
			scan = i
			switch t.text {
			case "review", "tool", "tools", "reviewer", "reviewers", "security", "audit", "warning", "warnings", "filter", "filters", "flags":
			default:
				strong = true
			}
		}
		if i >= c.from && clears.has(t.text) && pol(i) {
			clear = i
			if t.text == "false" && i+1 < c.to && strings.HasPrefix(r.toks[i+1].text, "positive") {
				strong = true
			}
		}
	}
	if self >= 0 && scan >= 0 && clear >= 0 && strong && scan != clear {
		r.hit("authority-spoof", Error, min(self, scan, clear), max(self, scan, clear), "tells scanners and reviewers what to conclude about the pack")
	}
}

// forgedConsent finds JSON that imitates an approval or a tool result.
func forgedConsent(text string) (int, int, bool) {
	l := lowerASCII(text)
	for _, key := range []string{"\"user_approved\"", "\"user_consent\"", "\"consent\"", "\"user_confirmed\"", "\"permission_granted\"", "\"confirmed_by\"", "\"approved_by\"", "\"permissions\"", "\"permission\"", "\"human_approval\"", "\"approval\"", "\"approved\"", "\"authorization\"", "\"authorised\"", "\"authorized\"", "\"user_authorized\""} {
		at := strings.Index(l, key)
		if at < 0 {
			continue
		}
		rest := strings.TrimLeft(l[at+len(key):], " \t:")
		yes := false
		for _, v := range []string{"true", "\"granted", "\"user", "\"yes", "\"all", "\"approved", "\"*", "\"full", "[\"*", "\"human", "\"operator", "\"owner", "\"given"} {
			yes = yes || strings.HasPrefix(rest, v)
		}
		if !yes {
			continue
		}
		if key != "\"approved\"" && key != "\"permissions\"" && key != "\"permission\"" && key != "\"authorization\"" && key != "\"approval\"" && key != "\"approved_by\"" && key != "\"authorized\"" && key != "\"confirmed_by\"" ||
			containsAny(l, []string{"tool_result", "\"role\"", "tool_use", "\"user\"", "\"scope\": \"all", "\"tool\"", "\"scope\":\"", "system", "all_commands", "\"commands\"", "\"source\": \"user"}) {
			return at, at + len(key), true
		}
	}
	if at := strings.Index(l, "\"tool_result\""); at >= 0 && containsAny(l, []string{"approved", "granted", "ignore", "consent", "confirmed", "authoris", "authoriz"}) {
		return at, at + len("\"tool_result\""), true
	}
	return 0, 0, false
}
