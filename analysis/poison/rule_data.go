package poison

import "strings"

var (
	showVerbs  = set("read", "print", "cat", "paste", "show", "dump", "display", "copy", "include", "quote", "list", "echo", "reveal", "output", "export", "attach", "append", "keep", "insert", "add", "put", "collect", "gather", "grab", "harvest", "extract", "capture", "save", "write", "store", "zip", "archive", "bundle", "tar", "repeat", "recite", "open", "load", "view", "embed", "encode", "state", "mention", "report", "note", "record", "summarise", "summarize", "pull", "fetch", "take", "get", "look", "scan", "search", "enumerate", "walk", "inspect", "hand", "give", "share", "base64", "compress", "stash", "pass", "log", "post", "tell", "leave", "send", "upload", "move", "drop", "reading", "printing", "write", "place", "commit", "check", "prepend", "sneak")
	outward    = set("print", "cat", "paste", "show", "dump", "display", "copy", "include", "quote", "echo", "reveal", "output", "attach", "append", "insert", "add", "put", "repeat", "recite", "embed", "encode", "mention", "report", "note", "post", "tell", "state", "summarise", "summarize", "log", "share", "give", "hand", "write", "commit", "list", "leave", "record", "send", "prepend", "place", "sneak", "drop")
	authWords  = set("header", "headers", "authorization", "bearer", "authenticate", "authenticates", "authentication", "login", "authenticated", "sign", "signing", "authorise", "authorize", "oauth", "signed", "-h", "basic", "verify", "rotate", "revoke", "renew", "rotated", "sso", "x-api-key", "credential")
	sinkPlaces = set("output", "answer", "answers", "reply", "replies", "pull", "pr", "prs", "commit", "commits", "chat", "context", "description", "comment", "comments", "issue", "issues", "ticket", "tickets", "response", "readme", "message", "messages", "summary", "log", "logs", "wiki", "page", "changelog", "report", "caption", "footer", "signature", "image", "link", "title", "body", "prompt", "note", "notes", "post", "screen", "branch", "slack", "discord", "memory", "transcript", "documentation", "docs", "status", "gist", "conversation", "session", "artifact", "test", "trace", "handover", "release", "metadata", "filename", "url", "variable")
	strongNet  = set("gist", "gists", "pastebin", "webhook", "webhooks", "collector", "dns", "beacon", "pixel", "ftp", "telegram", "relay", "dropbox", "endpoint", "url", "server", "listener", "mailbox", "imgur", "subdomain", "host", "bucket", "proxy", "intake", "socket", "domain")
	outside    = set("external", "remote", "outside", "third", "public", "another", "other", "our", "personal", "author's", "vendor's", "anonymous", "telegram", "foreign", "private", "shared", "collection", "collector", "tracking", "s3")
	privStrong = set("customer", "conversation", "transcript", "chat", "clipboard", "prompt", "prompts", "source", "history", "medical", "salary", "payroll", "inbox", "keystrokes", "screenshot", "screenshots", "message", "messages", "personal", "repository", "codebase", "contacts", "hostname", "username", "diff", "user's", "everything", "user", "files", "session", "question", "questions", "working", "unpublished", "private", "proprietary", "tree", "home", "photos", "documents", "internal", "confidential", "rows", "name")
)

// material reports whether token j is a secret or private thing itself, not
// only its name: what it is about, and how strongly.
func (r *reader) material(j int) (secret, strong, private bool) {
	t := &r.toks[j]
	if t.c.has(cSecret) {
		secret = true
		strong = t.kind == path || t.kind == fileName || t.kind == variable || t.kind == ident
		if t.width == 1 && r.prompted(j) {
			secret = false
		}
		if t.text == "environment" && t.width > 1 && r.oneVariable(j) {
			secret = false
		}
		switch t.text {
		case "env", "login", "certificate", "environment", "token", "tokens", "pat", "cookie", "cookies", "wallet", "license", "secret", "one", "jwt", "known_hosts", "two", "backup", "saved", "vault", "shell", "process", "bot":
			if t.width == 1 && !strong {
				secret = t.text == "token" || t.text == "tokens" || t.text == "secret" || t.text == "cookies" || t.text == "cookie" || t.text == "environment" || t.text == "env" || t.text == "jwt" || t.text == "wallet"
			}
		}
		// Names of things that are no secrets: token count, design tokens,
		// environment variable names.
		if j+1 < len(r.toks) && r.toks[j+int(t.width)-1].end < len(r.text) && j+int(t.width) < len(r.toks) {
			switch r.toks[j+int(t.width)].text {
			case "count", "counts", "budget", "limit", "limits", "usage", "cost", "costs", "names", "name", "window", "scanning", "scanner", "rotation", "policy", "management", "manager", "leak", "leaks", "handling", "hygiene", "colour", "color", "length", "estimate", "type", "types", "ids", "per", "sizes", "economy", "expiry", "expiration", "report", "council", "agency", "ministry", "officer", "club", "page", "placeholder", "placeholders", "form", "format", "formats", "portion", "property", "properties", "attribute", "callback", "function", "method", "methods", "authentication", "protocol", "syntax", "class", "module", "interface", "bucket", "ring", "stream", "kind", "kinds":
				secret, strong = false, false
			case "file":
				// "the .netrc file format"
				if e := j + int(t.width) + 1; e < len(r.toks) && (r.toks[e].text == "format" || r.toks[e].text == "formats" || r.toks[e].text == "syntax") {
					secret, strong = false, false
				}
			}
		}
		if j > 0 {
			switch r.toks[j-1].text {
			case "design", "max", "output", "input", "prompt", "css", "fake", "dummy", "sample", "placeholder", "test", "example", "color", "colour", "public", "environment", "staging", "production", "dev", "target", "per", "hundred", "thousand", "execution", "runtime", "build", "development", "desktop", "virtual", "programming", "lexical", "global", "hosting", "computing", "minimal", "clean":
				if !strong && (r.toks[j-1].text != "environment" && r.toks[j-1].text != "production" && r.toks[j-1].text != "staging" || t.text == "environment") {
					secret = false
				}
			}
		}
	}
	if t.c.has(cPrivate) {
		private = t.width > 1 || privStrong.has(t.text) || t.kind == variable || t.kind == ident
	}
	return secret, strong, private
}

// prompted reports a password that a program asks its user for.
func (r *reader) prompted(j int) bool {
	switch r.toks[j].text {
	case "password", "passphrase", "passwords", "credentials":
	default:
		return false
	}
	for m := j - 1; m > 0 && m >= j-3; m-- {
		if r.toks[m].text == "for" {
			return strings.HasPrefix(r.toks[m-1].text, "prompt")
		}
	}
	return false
}

// oneVariable reports that the environment variables at j are settings with names
// that are no secrets', "the NODE_REPL_MODE environment variable", or one variable
// of no name at all.
func (r *reader) oneVariable(j int) bool {
	e := j + int(r.toks[j].width)
	prev := -1
	for m := j - 1; m >= 0 && m >= j-2; m-- {
		if r.toks[m].kind != punct {
			prev = m
			break
		}
	}
	named := func(m int) bool {
		t := &r.toks[m]
		return (t.kind == ident || t.kind == variable || t.code || upperWord(r.text[t.start:t.end])) && !t.c.has(cSecret)
	}
	if prev >= 0 && named(prev) {
		return true
	}
	for m := e; m < len(r.toks) && m < e+3; m++ {
		if r.toks[m].kind != punct && r.toks[m].text != "called" && r.toks[m].text != "named" {
			if named(m) {
				return true
			}
			if r.toks[m].c.has(cSecret) {
				return false
			}
			break
		}
	}
	if r.toks[e-1].text != "variable" || prev < 0 {
		return false
	}
	switch r.toks[prev].text {
	case "each", "every", "any", "the":
		return r.toks[prev].text == "the" && r.toks[max(0, prev-1)].text != "of"
	}
	return true
}

// secrets: secrets are read into the conversation, or written where others
// read.
func (r *reader) secrets(k int) {
	c := &r.clauses[k]
	if c.cond || r.mode == statements && !r.strict {
		return
	}
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.kind != word || t.quoted || t.code || !showVerbs.has(t.text) && !(t.c.has(cRead) && showVerbs.has(stem(t.text))) || !r.acts(k, i) || r.introduces(i) {
			continue
		}
		for j := i + 1; j < min(c.to, i+12); j++ {
			secret, strong, _ := r.material(j)
			if w := &r.toks[j]; w.c.has(cHost) && w.text == "system" && w.width > 1 && (outward.has(t.text) || t.text == "repeat") && r.has(k, sinkPlaces) {
				r.hit("secret-access", Warning, i, j, "shows the system prompt")
				return
			}
			if !secret || r.namesOnly(k, i, j) || r.setsUp(i, j) {
				continue
			}
			sink, sinkAt := r.sinkIn(k, i, j)
			if !sink {
				sink, sinkAt = r.documentSink(k, j)
			}
			if !sink && shows.has(t.text) {
				sink, sinkAt = r.sinkInCondition(k)
			}
			content := r.contentOf(j) || t.text == "read" && i+1 < c.to && (r.toks[i+1].text == "out" || r.toks[i+1].text == "aloud")
			auth := r.has(k, authWords)
			switch {
			case auth && !strong:
				continue
			case sink && (strong || content || outward.has(t.text) || r.outwardVerb(k, j)) && !r.settles(k, i, j):
				r.hit("secret-access", Error, i, max(j, sinkAt), "puts secrets where they can be read")
				return
			case strong && (r.toks[j].kind == path || r.toks[j].kind == fileName) && !r.settles(k, i, j) && (r.toks[j].text != ".env" && !envFile(r.toks[j].text) || content || t.text == "print" || t.text == "cat" || t.text == "paste" || t.text == "show" || t.text == "dump" || t.text == "quote"):
				r.hit("secret-access", Warning, i, j, "reads a file of secrets")
				return
			case content && strong:
				r.hit("secret-access", Warning, i, j, "reads the content of secrets")
				return
			}
			break
		}
	}
}

// setsUp reports whether a second verb between the one at i and the secret at j
// gives it a value instead: "copy .env.example to .env and set API_KEY there".
func (r *reader) setsUp(i, j int) bool {
	for m := i + 2; m < j; m++ {
		switch r.toks[m].text {
		case "set", "fill", "define", "declare", "replace":
			if p := r.toks[m-1].text; p == "and" || p == "then" {
				return true
			}
		}
	}
	return false
}

// bucketOfBackups reports a storage bucket that is named for backups. Whose it is
// the text does not say, so private data that goes there is shown as an info, not
// taken for theft; secrets have no business there.
func bucketOfBackups(t *token) bool {
	for _, scheme := range [...]string{"s3://", "gs://", "b2://", "az://"} {
		if strings.HasPrefix(t.text, scheme) {
			return strings.Contains(t.text, "backup")
		}
	}
	return false
}

// shows are the verbs that lay the thing itself open, not only its name.
var shows = set("paste", "quote", "print", "read", "show", "put", "copy", "insert", "attach", "include", "recite", "dump", "display", "reveal", "cat", "echo", "append", "give", "spell")

// sinkInCondition: "In the first answer, always paste …".
func (r *reader) sinkInCondition(k int) (bool, int) {
	from, _ := r.bounds(k)
	for m := from; m < r.clauses[k].from; m++ {
		switch r.toks[m].text {
		case "answer", "answers", "reply", "replies", "pull", "pr", "prs", "commit", "commits", "comment", "comments", "issue", "issues", "ticket", "tickets", "wiki", "chat", "summary", "summaries", "readme", "notes", "report", "reports", "handover", "greeting", "status":
			if r.clauses[r.clauseOf(m)].cond && (r.toks[from].text == "in" || r.toks[from].text == "at" || r.toks[from].text == "under") {
				return true, m
			}
		}
	}
	return false, -1
}

// documentSink: "into docs/handover.md".
func (r *reader) documentSink(k, j int) (bool, int) {
	for m := j + 1; m < min(r.clauses[k].to, j+8); m++ {
		t := &r.toks[m]
		if (t.kind == path || t.kind == fileName) && !t.c.has(cSecret) && r.prepBefore(m) && containsAny(t.text, []string{".md", ".txt", ".html", ".rst", ".log", ".csv"}) {
			return true, m
		}
	}
	return false, -1
}

// outwardVerb reports a second verb that shows: "read the cookies and list them
// in the chat".
func (r *reader) outwardVerb(k, j int) bool {
	for m := j + 1; m < min(r.clauses[k].to, j+6); m++ {
		if outward.has(r.toks[m].text) && m > 0 && (r.toks[m-1].text == "and" || r.toks[m-1].text == "then") {
			return true
		}
	}
	return false
}

func stem(w string) string {
	for _, s := range []string{"ing", "ed", "es", "s"} {
		if b, ok := strings.CutSuffix(w, s); ok && len(b) > 2 {
			return b
		}
	}
	return w
}

// namesOnly: "list the names of the variables", "set X in .env", "add .env to
// .gitignore".
func (r *reader) namesOnly(k, i, j int) bool {
	c := &r.clauses[k]
	for m := i + 1; m < j; m++ {
		switch r.toks[m].text {
		case "name", "names", "path", "paths", "keys", "whether", "existence", "placeholder", "placeholders", "scope", "scopes", "expiry", "format", "variable", "owner", "id", "ids", "number", "count", "length", "kind", "type":
			return true
		case "to", "in", "into", "from":
			// "add X to .env": the file is the place, X the thing.
			if (r.toks[m].text == "in" || r.toks[m].text == "into" || r.toks[m].text == "to") && r.toks[j].kind == fileName || r.toks[m].text == "from" && (r.toks[i].text == "load" || r.toks[i].text == "read" || r.toks[i].text == "get" || r.toks[i].text == "take" || r.toks[i].text == "fetch" || r.toks[i].text == "pull") && !r.toks[j].c.has(cPersist) && r.toks[j].kind != path {
				return true
			}
		}
	}
	for m := j + 1; m < min(c.to, j+6); m++ {
		switch r.toks[m].text {
		case ".gitignore", ".dockerignore", "gitignore", ".npmignore":
			return true
		}
	}
	return false
}

// settles: the sentence puts secrets into a store made for them.
func (r *reader) settles(k, _, j int) bool {
	for m := j + int(r.toks[j].width); m < min(r.clauses[k].to, j+9); m++ {
		switch r.toks[m].text {
		case "vault", "keychain", "1password", "manager", "secretsmanager", "encrypted", "sops", "secret":
			if r.toks[m].text != "secret" || m+1 < len(r.toks) && (r.toks[m+1].text == "manager" || r.toks[m+1].text == "store") {
				return true
			}
		}
	}
	return false
}

// contentOf: "the contents of", "the output of", "the value of" in front.
func (r *reader) contentOf(j int) bool {
	for m := max(0, j-6); m < j; m++ {
		switch r.toks[m].text {
		case "contents", "content", "output", "values", "value", "text", "body", "copy", "dump", "first", "whole", "full", "lines", "line", "every", "all", "profile":
			return true
		}
	}
	return false
}

// sinkIn finds a place that others, or the model, read behind the secret.
func (r *reader) sinkIn(k, i, j int) (bool, int) {
	c := &r.clauses[k]
	for m := i + 1; m < min(c.to, j+16); m++ {
		if m == j || m > 0 && m < j && !r.prepBefore(m) {
			continue
		}
		if sinkPlaces.has(r.toks[m].text) && r.prepBefore(m) {
			return true, m
		}
	}
	// "read x, and put it in the answer"
	for q := k + 1; q < len(r.clauses) && r.clauses[q].sentence == c.sentence; q++ {
		for m := r.clauses[q].from; m < r.clauses[q].to; m++ {
			if sinkPlaces.has(r.toks[m].text) && r.prepBefore(m) && r.polarityAt(q, m) == affirmed {
				return true, m
			}
		}
	}
	return false, -1
}

func (r *reader) prepBefore(m int) bool {
	for n := max(0, m-5); n < m; n++ {
		switch r.toks[n].text {
		case "to", "in", "into", "at", "on", "under", "inside", "below", "within", "of", "as", "behind", "through", "with":
			return true
		}
	}
	return false
}

// exfil: secrets or private data, and a way out, in one sentence.
func (r *reader) exfil(k int) {
	c := &r.clauses[k]
	if c.cond || r.mode == statements && !r.strict {
		return
	}
	from, to := r.bounds(k)
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.kind != word || t.quoted && !r.usesQuote(k, i) || t.code || !t.c.has(cSend) && !(t.c.has(cWrite) && r.says(k, "gist", "gists", "pastebin", "webhook", "paste", "bin")) || t.c.has(cCond) {
			continue
		}
		if i+1 < c.to && (r.toks[i+1].text == "address" || r.toks[i+1].text == "addresses") {
			continue // "the email address"
		}
		if i > c.from && strings.HasSuffix(t.text, "s") && beforeNouns.has(r.toks[i-1].text) {
			continue // "all files", "bug reports"
		}
		pol := r.polarityAt(k, i)
		reopened := -1
		if pol == negated {
			// "never send x anywhere except <url>"
			reopened = r.exceptNet(k, i)
			if reopened < 0 {
				continue
			}
		} else if !r.acts(k, i) {
			continue
		}
		sec, priv, net, netStrong := -1, -1, -1, false
		strong := false
		for j := from; j < to; j++ {
			w := &r.toks[j]
			if j == i || w.kind == punct {
				continue
			}
			q := r.clauseOf(j)
			if r.clauses[q].cond && j < i && !w.c.has(cSecret) {
				continue
			}
			s, st, p := r.material(j)
			if w.code && (w.kind == variable || w.kind == ident) {
				// The command itself is judged elsewhere.
				s, p = false, false
			}
			if p2 := r.polarityAt(q, j); (s || p) && p2 != affirmed && p2 != supposed && reopened < 0 {
				continue
			}
			if s && !r.authOnly(j) {
				sec, strong = j, strong || st
			}
			if p {
				priv = j
			}
			if w.kind == url || w.kind == host {
				if r.comesFrom(j) {
					continue
				}
				if r.polarityAt(q, j) != negated || reopened >= 0 {
					net, netStrong = j, true
				}
			} else if w.c.has(cNet) && !(w.text == "domain" && r.prevWord(j, "public")) && (w.width > 1 || strongNet.has(w.text)) && j > i {
				if net < 0 {
					net = j
				}
				if w.width > 1 && w.text != "mail" && w.text != "email" && w.text != "ip" || w.text == "gist" || w.text == "pastebin" || w.text == "webhook" || w.text == "collector" || w.text == "dns" || w.text == "gists" || j > 0 && outside.has(r.toks[j-1].text) {
					netStrong = true
				}
			}
		}
		if net < 0 || net == sec || net == priv {
			continue
		}
		switch {
		case sec >= 0 && !r.authFlow(k, strong) && (netStrong || strong):
			r.hit("exfiltration", Error, min(i, sec), max(i, sec, net, reopened), "sends secrets to a place outside")
			return
		case priv >= 0 && netStrong && !r.says(k, "anonymised", "anonymized", "consent", "redacted", "redact") && !r.plainDelivery(k, i, priv, net):
			if bucketOfBackups(&r.toks[net]) {
				r.hit("exfiltration", Info, min(i, priv), max(i, priv, net), "keeps private data in a bucket outside: make sure whose it is")
				return
			}
			r.hit("exfiltration", Error, min(i, priv), max(i, priv, net), "sends private data to a place outside")
			return
		}
	}
}

// beforeNouns stand in front of a noun: what follows is no verb.
var beforeNouns = set("a", "an", "the", "of", "this", "each", "all", "any", "every", "these", "those", "other", "no", "bug", "source", "project", "feature", "separate")

// comesFrom reports an address that something is taken from: "get the new source
// from https://… and copy it".
func (r *reader) comesFrom(j int) bool {
	for m := j - 1; m >= 0 && m >= j-3; m-- {
		t := &r.toks[m]
		if t.text == "from" {
			return true
		}
		if t.kind != punct && t.text != "the" {
			return false
		}
	}
	return false
}

// exceptNet finds an exception behind a negated act that names a way out.
func (r *reader) exceptNet(k, i int) int {
	_, to := r.bounds(k)
	for j := i + 1; j < to; j++ {
		t := &r.toks[j]
		if t.c.has(cExcept) || t.text == "but" && j+1 < to && r.toks[j+1].text != "always" {
			for m := j + 1; m < min(to, j+10); m++ {
				if r.toks[m].kind == url || r.toks[m].kind == host || r.toks[m].c.has(cNet) && strongNet.has(r.toks[m].text) {
					return m
				}
			}
		}
	}
	return -1
}

// authOnly: the secret at j is used to sign in.
func (r *reader) authOnly(j int) bool {
	for m := max(0, j-4); m < min(len(r.toks), j+5); m++ {
		switch r.toks[m].text {
		case "authorization", "bearer", "header", "authenticate", "login", "sign":
			return true
		}
	}
	return false
}

// authFlow: a token goes to the service it belongs to.
func (r *reader) authFlow(k int, strong bool) bool {
	return r.has(k, authWords) && !r.says(k, "file", "files", "contents", "every", "all", "copy")
}

// plainDelivery: work is delivered where work goes: a post, a page, a report.
func (r *reader) plainDelivery(k, i, priv, net int) bool {
	switch r.toks[priv].text {
	case "message", "messages", "history", "calendar", "contract", "contracts", "contact", "contacts", "photo", "photos", "customer", "user", "name", "internal", "source", "transcript", "transcripts", "session", "open", "private", "question", "questions", "documents", "git", "local", "config", "personal", "files":
		// Broad words count only with a sign of taking all of it.
		if r.toks[priv].width > 1 && r.toks[priv].text != "message" && r.toks[priv].text != "git" && r.toks[priv].text != "open" && r.toks[priv].text != "local" && r.toks[priv].text != "config" && r.toks[priv].text != "contact" && r.toks[priv].text != "calendar" {
			return false
		}
		return !(r.toks[i].text != "copy" && r.says(k, "copy")) && !r.says(k, "every", "all", "whole", "entire", "full", "silently", "last", "user's", "raw", "complete", "everything")
	}
	return false
}

// destroy: what cannot be restored is destroyed, by words alone.
func (r *reader) destroy(k int) {
	c := &r.clauses[k]
	if c.cond || r.mode == statements && !r.strict {
		return
	}
	excused := 0 // asked once: yes is 1, no -1
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if t.kind != word || t.quoted || t.code || !destroyVerbs.has(t.text) && !t.c.has(cDestroy) || !destroyVerbs.has(t.text) && !destroyVerbs.has(stem(t.text)) && !destroyVerbs.has(stem(t.text)+"e") && t.text != "wiping" && t.text != "dropping" || !r.acts(k, i) {
			continue
		}
		if r.adjective(i) {
			continue
		}
		end := i + int(t.width) - 1
		if t.text == "force" || (t.text == "rewrite" || t.text == "rewriting") && r.clauseSays(k, "force", "forced", "push") {
			if !r.clauseSays(k, "main", "master", "trunk", "shared", "release", "production", "remote", "protected") || r.clauseSays(k, "own", "feature", "lease", "tracking") {
				continue
			}
			if r.userAsked(k) {
				continue
			}
			r.hit("destructive", Error, i, c.to-1, "rewrites a shared branch by force")
			return
		}
		for j := end + 1; j < min(c.to, end+9); j++ {
			w := &r.toks[j]
			if !precious.has(w.text) && !(w.kind == path && wideTarget(w.text) && (!strings.HasPrefix(w.text, "/") || containsAny(w.text, []string{"/var/lib", "/home", "/etc", "/srv", "/data", "/opt", "/mnt", "/users", "/root"}))) {
				continue
			}
			if excused == 0 {
				excused = -1
				if r.userAsked(k) || r.has(k, spared) && !r.says(k, "without", "production") {
					excused = 1
				}
			}
			if excused > 0 || r.partOf(k, end, j) {
				continue
			}
			if !r.wholeOf(i, j) && w.kind != path {
				continue
			}
			r.hit("destructive", Error, i, j, "destroys what cannot be restored")
			return
		}
	}
}

// adjective reports that the word at i is no verb where it stands: "an empty
// repository", "the file is empty", "a reset".
func (r *reader) adjective(i int) bool {
	if i == 0 {
		return false
	}
	switch r.toks[i-1].text {
	case "a", "an", "this", "that", "is", "are", "be", "was", "were", "starts", "if", "non":
		return !strings.HasSuffix(r.toks[i].text, "ed")
	case "the":
		return r.toks[i].text == "empty" || r.toks[i].text == "clear"
	case "just":
		return i > 1 && r.toks[i-2].c.has(cBe)
	}
	return (r.toks[i].text == "empty" || r.toks[i].text == "clear") && degrees.has(r.toks[i-1].text)
}

var degrees = set("truly", "otherwise", "completely", "fairly", "quite", "very", "reasonably", "initially")

// partOf reports that the precious thing at j only says which smaller thing goes:
// "deletion marks for the mailbox", "<ref> from the repository", "database-specific
// settings".
func (r *reader) partOf(k, verb, j int) bool {
	if e := j + 1; e+1 < r.clauses[k].to && r.toks[e].text == "-" && r.toks[e].start == r.toks[j].end && r.toks[e+1].start == r.toks[e].end {
		return true
	}
	all := false
	for m := verb + 1; m < j; m++ {
		switch t := &r.toks[m]; {
		case t.text == "for" && m > verb+1:
			return true
		case t.text == "from" && m > verb+1 && !all:
			return true
		case t.text == "and" && m+1 < j && r.toks[m+1].c.has(cWrite|cRead|cSend) && !r.toks[m+1].c.has(cDestroy) && !precious.has(r.toks[m+1].text):
			return true // another verb has it
		case t.c.has(cEvery) && t.text != "any" || t.text == "rows" || t.text == "records" || t.c.has(cSecret|cPrivate):
			all = true
		}
	}
	return false
}

var (
	spared       = set("dry", "archived", "archive", "after", "test", "fixture", "fixtures", "local", "staging", "sandbox", "temporary", "temp", "scratch", "expired", "older", "stale", "merged", "preview", "sample", "demo", "unused", "generated", "draft", "drafts", "ephemeral", "throwaway", "testing", "seed", "dev", "duplicate", "duplicates", "verified", "retention", "obsolete", "orphaned", "leftover", "superfluous", "longer")
	destroyVerbs = set("rewrite", "delete", "deletes", "wipe", "wipes", "erase", "erases", "destroy", "destroys", "purge", "purges", "drop", "truncate", "nuke", "shred", "remove", "force", "obliterate", "empty", "reset", "overwrite", "clear", "deleting", "unlink", "scrub", "discard")
	precious     = set("backup", "backups", "database", "databases", "history", "production", "bucket", "buckets", "volume", "volumes", "snapshots", "snapshot", "disk", "home", "repository", "repositories", "branches", "tables", "data", "uncommitted", "schema", "mailbox", "inbox", "account", "accounts", "cluster", "drive", "namespace", "namespaces", "reflog", "everything", "files", "work", "stash", "table", "database's", "tags", "keys", "partition", "directory", "records")
)

var (
	lightVerbs  = set("overwrite", "overwrites", "overwriting", "reset", "clear", "discard")
	lightThings = set("files", "data", "directory", "keys", "records", "tags", "table", "tables", "work", "database")
)

// wholeOf: all of it, or the one that counts.
func (r *reader) wholeOf(i, j int) bool {
	for m := i + 1; m <= j+4 && m < len(r.toks); m++ {
		switch w := r.toks[m].text; w {
		case "all", "full":
			if m < j || r.toks[i].text != "remove" {
				return true // "remove the keys from all lists" leaves what they are of
			}
		case "existing", "any":
			// Programs write over existing files all the time.
			if lightVerbs.has(r.toks[i].text) && lightThings.has(r.toks[j].text) {
				continue
			}
			return true
		case "customers", "users", "orders", "payments", "accounts", "invoices", "every", "entire", "whole", "production", "prod", "user's", "remote", "backups", "uncommitted", "home", "customer", "main", "live", "everything", "reflog":
			// "remote-tracking branches" are local copies.
			return m+1 >= len(r.toks) || w != "remote" || r.toks[m+1].text != "-"
		}
	}
	return false
}
