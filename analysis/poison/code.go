package poison

import "strings"

// commandNames start a bare command in prose.
var commandNames = set("curl", "wget", "npm", "npx", "pip", "pip3", "git", "rm", "bash", "sh", "eval", "scp", "rsync", "ssh", "nc", "nslookup", "dig", "cat", "printenv", "env", "crontab", "launchctl", "systemctl", "kubectl", "terraform", "aws", "docker", "dropdb", "psql", "mkfs", "dd", "echo", "export", "claude", "gh", "iwr", "irm", "source", "python", "python3", "node", "sudo", "chmod", "base64", "openssl", "yarn", "pnpm", "go", "cargo", "brew", "tar", "find", "zip", "alias", "unset", "set", "history", "socat", "uv", "uvx", "bunx", "deno", "gem", "schtasks", "powershell", "iex", "tee", "cp", "mv", "ln", "codex", "gsutil", "rclone", "mail", "sendmail", "ping", "host", "npmrc", "conda", "drop", "truncate")

// code judges commands in backticks and bare ones, under the polarity of the
// clause they stand in.
func (r *reader) code() {
	text := r.text
	for i := 0; i < len(text); {
		at := strings.IndexByte(text[i:], '`')
		if at < 0 {
			break
		}
		s := i + at
		n := 1
		for s+n < len(text) && text[s+n] == '`' {
			n++
		}
		e := strings.Index(text[s+n:], strings.Repeat("`", n))
		if e < 0 {
			break
		}
		if !r.onlyNamed(s+n, s+n+e) {
			r.command(s+n, s+n+e)
		}
		i = s + n + e + n
	}
	if !strings.ContainsAny(text, "|/-=>$") && r.kind != Raw {
		return
	}
	for k := range r.clauses {
		c := &r.clauses[k]
		for i := c.from; i < c.to; i++ {
			t := &r.toks[i]
			if t.code || t.kind != word || !commandNames.has(t.text) || i+1 >= len(r.toks) {
				continue
			}
			if !r.looksLikeCommand(i, c.to) {
				continue
			}
			r.command(t.start, r.commandEnd(i))
			break
		}
	}
}

// onlyNamed reports that the one word in backticks at text[s:e] names a program, an
// option or a variable, "the `env` option", and nothing runs it or shows what it
// prints.
func (r *reader) onlyNamed(s, e int) bool {
	w := r.text[s:e]
	if r.strict || strings.ContainsAny(w, " \t\n|;&$(){}<>=") || len(w) > 32 {
		return false
	}
	k, i := r.locate(s)
	if k < 0 {
		return false
	}
	if n := i + 1; n < r.clauses[k].to && namedThings.has(r.toks[n].text) {
		return true
	}
	for j := i - 1; j >= r.clauses[k].from && j >= i-6; j-- {
		if t := &r.toks[j]; !t.code && runners.has(t.text) {
			return false
		}
	}
	return i != r.clauses[k].from || i+1 < r.clauses[k].to
}

var (
	// runners run the command behind them or show what it prints.
	runners = set("run", "runs", "running", "execute", "executes", "eval", "launch", "spawn", "evaluate", "type", "enter", "paste", "print", "prints", "output", "outputs", "dump", "call", "invoke", "append", "include", "attach", "show", "result", "results", "pipe", "through", "with", "via", "quote", "send", "log", "echo", "add", "issue", "copy", "report", "capture", "begin", "end", "open", "finish", "save", "collect", "post", "read", "list", "write", "put", "upload")
	// namedThings follow a name that is no command where it stands.
	namedThings = set("option", "options", "variable", "variables", "property", "properties", "parameter", "parameters", "argument", "arguments", "field", "fields", "object", "objects", "key", "keys", "entry", "entries", "section", "file", "files", "format", "package", "module", "man", "manual", "page", "syntax", "type", "attribute", "script", "setting", "map", "value", "values", "table", "hook", "group", "method", "function", "class")
)

// looksLikeCommand asks for an argument that prose does not have.
func (r *reader) looksLikeCommand(i, to int) bool {
	for j := i + 1; j < min(len(r.toks), i+9); j++ {
		t := &r.toks[j]
		if t.kind == flagTok || t.kind == url || t.kind == variable || t.kind == path && j < i+4 || t.text == "|" || t.text == ">" || t.text == "&" || t.text == "-" && j+1 < len(r.toks) && r.toks[j+1].start == t.end && r.toks[j].start > r.toks[j-1].end {
			return true
		}
		if j >= to && t.text != "|" {
			break
		}
	}
	switch r.toks[i].text {
	case "git", "npm", "drop":
		// "the git filter-branch options" names it.
		return i == 0 || r.toks[i-1].text != "the" && r.toks[i-1].text != "of" && r.toks[i-1].text != "a"
	}
	return false
}

// commandEnd is the end of a bare command: the end of its line or sentence.
func (r *reader) commandEnd(i int) int {
	for j := i + 1; j < len(r.toks); j++ {
		t := &r.toks[j]
		if t.kind != punct {
			continue
		}
		if t.text == "\n" && (j+1 >= len(r.toks) || j > 0 && r.toks[j-1].text != "\\") {
			return t.start
		}
		if t.text == ";" && t.end-t.start > 1 {
			return t.start
		}
		if t.text == "," && j+1 < len(r.toks) && (conj.has(r.toks[j+1].text) || r.toks[j+1].text == "or") {
			return t.start
		}
		if t.text == "." && (j+1 >= len(r.toks) || r.toks[j+1].start > t.end) {
			return t.start
		}
	}
	return len(r.text)
}

// command judges text[s:e] as shell code.
func (r *reader) command(s, e int) {
	if e <= s {
		return
	}
	hits := commandHits(r.text[s:e])
	if len(hits) == 0 {
		return
	}
	k, i := r.locate(s)
	if k >= 0 && !r.strict {
		switch r.polarityAt(k, i) {
		case negated:
			return
		case mentioned:
			return
		case supposed:
			// "When you see `curl | sh`, …" only names it; a condition that runs
			// it is none.
			return
		case affirmed:
		}
		if (r.mode == statements || r.clauses[k].remark) && !r.runsInStatement(k, i) {
			return
		}
	}
	quiet := k >= 0 && r.says(k, "asking", "ask", "confirmation", "approval") && r.asksFirst(k)
	for _, h := range hits {
		h.start += s
		h.end += s
		if quiet && (h.rule == "destructive" || h.rule == "persistence" || h.rule == "supply-chain") {
			continue
		}
		if h.rule == "secret-access" && k >= 0 {
			if sink, _ := r.sinkIn(k, i, i); sink {
				h.sev = Error
			}
		}
		r.hits = append(r.hits, h)
	}
}

// asksFirst: "always ask for confirmation before running …", "after asking".
func (r *reader) asksFirst(k int) bool {
	from, to := r.bounds(k)
	for j := from; j < to; j++ {
		if (r.toks[j].text == "ask" || r.toks[j].text == "asking" || r.toks[j].text == "confirmation" || r.toks[j].text == "approval") && r.prev(r.clauseOf(j), j, 4, cNeg) < 0 {
			return true
		}
	}
	return false
}

// runsInStatement: "the setup command is `…`" states what will be run; "the
// old docs had `…`" does not.
func (r *reader) runsInStatement(k, i int) bool {
	for j := r.clauses[k].from; j < i; j++ {
		switch r.toks[j].text {
		case "command", "step", "run", "runs", "must", "should", "install", "setup", "fix", "bootstrap", "installer", "always", "agents", "agent":
			return true
		}
	}
	return false
}

// locate finds clause and token of a byte offset.
func (r *reader) locate(at int) (clause, tok int) {
	for k := range r.clauses {
		for i := r.clauses[k].from; i < r.clauses[k].to; i++ {
			if r.toks[i].end > at {
				return k, i
			}
		}
	}
	return -1, -1
}

// flags judges settings named in prose without backticks.
func (r *reader) flags() {
	for _, h := range flagHits(lowerASCII(r.text)) {
		if r.covered(h.start) {
			continue
		}
		k, i := r.locate(h.start)
		if k >= 0 && !r.strict && (r.polarityAt(k, i) != affirmed || (r.mode == statements || r.clauses[k].remark) && !r.runsInStatement(k, i)) {
			continue
		}
		r.hits = append(r.hits, h)
	}
}

func (r *reader) covered(at int) bool {
	if k, i := r.locate(at); k >= 0 && r.toks[i].code {
		return true
	}
	for _, h := range r.hits {
		if at >= h.start && at < h.end {
			return true
		}
	}
	return false
}

var leaky = []string{"message", "conversation", "history", "prompt", "transcript", "input", "chat", "context", "answer", "question", "query", "env", "token", "secret", "key", "password", "cookie", "user", "data", "session", "content", "text", "file", "output", "reply", "response", "summary", "email", "last", "name", "repo", "branch", "code", "host", "base64", "encoded"}

// images finds links and pictures whose address carries data out.
func (r *reader) images() {
	text := r.text
	if !strings.Contains(text, "](") && !strings.Contains(text, "<img") && !strings.Contains(text, "]:") && !strings.Contains(text, "src=") {
		r.pixel()
		return
	}
	for i := 0; i+1 < len(text); i++ {
		s := -1
		switch {
		case text[i] == ']' && text[i+1] == '(':
			s = i + 2
		case text[i] == ']' && text[i+1] == ':' && i+2 < len(text) && text[i+2] == ' ':
			s = i + 3
		case strings.HasPrefix(text[i:], "src="):
			s = i + 4
		}
		if s < 0 {
			continue
		}
		for s < len(text) && (text[s] == '"' || text[s] == '\'' || text[s] == '<' || text[s] == ' ') {
			s++
		}
		e := s
		depth := 0
		for e < len(text) && text[e] != '\n' && text[e] != '"' && (text[e] != ')' || depth > 0) && (text[e] != ' ' || depth > 0) {
			switch text[e] {
			case '{', '(', '[':
				depth++
			case '}', ')', ']':
				depth--
			}
			e++
		}
		u := lowerASCII(text[s:e])
		if holder := capitals(text[s:e]); holder != "" && strings.Contains(u, "://") {
			u += "{" + lowerASCII(holder) + "}"
		}
		if !strings.Contains(u, "://") && !strings.HasPrefix(u, "//") {
			continue
		}
		holder := placeholderIn(u)
		if holder == "" {
			continue
		}
		sev := Warning
		if containsAny(holder, leaky) {
			sev = Error
		} else if r.kind == DemoBody || r.kind == OtherFile || r.kind == Loose || !pictured(text, s) {
			continue
		}
		k, ti := r.locate(s)
		if k >= 0 && !r.strict && r.kind != DemoBody && r.polarityAt(k, ti) != affirmed {
			continue
		}
		r.hits = append(r.hits, hit{"markdown-exfil", sev, s, e, "an address that carries data out when it is shown", false})
	}
	r.pixel()
}

// pictured reports whether the address at s is fetched without a click.
func pictured(text string, s int) bool {
	base := max(0, s-2000)
	open := strings.LastIndexByte(text[base:s], '[') + base
	return open > 0 && text[open-1] == '!' || strings.HasSuffix(strings.TrimRight(text[:s], "\"'<"), "src=")
}

// capitals returns a value in capitals in the query of a URL, which stands for
// something to be filled in.
func capitals(u string) string {
	_, q, ok := strings.Cut(u, "?")
	if !ok {
		return ""
	}
	for part := range strings.SplitSeq(q, "&") {
		_, v, _ := strings.Cut(part, "=")
		if len(v) < 4 {
			continue
		}
		letters := 0
		for i := range len(v) {
			if v[i] >= 'A' && v[i] <= 'Z' {
				letters++
			} else if v[i] != '_' && v[i] != '-' {
				letters = -99
			}
		}
		if letters > 3 {
			return v
		}
	}
	return ""
}

// placeholderIn returns the placeholder inside the query or path of a URL.
func placeholderIn(u string) string {
	at := strings.Index(u, "://")
	rest := u[at+1:]
	for _, p := range []struct{ open, close string }{{"{{", "}}"}, {"${", "}"}, {"<", ">"}, {"{", "}"}, {"[", "]"}, {"$(", ")"}, {"%%", "%%"}, {"__", "__"}} {
		if s := strings.Index(rest, p.open); s >= 0 {
			if e := strings.Index(rest[s+len(p.open):], p.close); e >= 0 && e < 80 {
				return rest[s : s+len(p.open)+e+len(p.close)]
			}
		}
	}
	if s := strings.IndexByte(rest, '$'); s >= 0 && s+1 < len(rest) && wordByte(rest[s+1]) {
		return rest[s:]
	}
	// Capitals were lowered: ?d=CONVERSATION shows as a bare known word.
	if q := strings.IndexByte(rest, '?'); q >= 0 {
		for part := range strings.SplitSeq(rest[q+1:], "&") {
			_, v, _ := strings.Cut(part, "=")
			switch v {
			case "conversation", "message", "last_message", "user_message", "prompt", "data", "secret", "token", "env", "context", "answer", "chat", "history", "query", "base64", "...", "…":
				return v
			}
		}
	}
	return ""
}

// carried is what a conversation is made of.
var carried = set("question", "questions", "message", "messages", "prompt", "prompts", "answer", "input", "words", "text", "request", "email", "name", "chat", "reply", "sentence", "query", "topic")

var (
	pixelWords = set("image", "images", "img", "pixel", "badge", "link", "picture", "icon", "logo", "thumbnail", "avatar")
	urlParts   = set("address", "src", "query", "parameter", "url", "address", "path", "src", "link", "string", "filename", "subdomain", "fragment", "querystring", "params", "parameters", "name")
	fillVerbs  = set("put", "append", "encode", "embed", "include", "add", "carry", "insert", "fill", "pack", "place", "pass", "send", "write", "attach", "encodes", "carries", "containing", "contains", "holds", "ends", "built", "made", "contain", "whose", "bears", "bearing", "holding", "with", "appended", "encoded", "replace", "set")
)

// headerLink reports the header called Link, which shows nothing.
func (r *reader) headerLink(k, i int) bool {
	if r.toks[i].text != "link" || i+1 >= r.clauses[k].to {
		return false
	}
	switch r.toks[i+1].text {
	case "header", "headers", "preload", "relation", "relations", "type", "types":
		return true
	}
	return false
}

// pixel: the same in words: "end with an image whose URL holds the last
// message".
func (r *reader) pixel() {
	for k := range r.clauses {
		c := &r.clauses[k]
		if c.cond || r.mode == statements && !r.strict {
			continue
		}
		img, part, fill, data := -1, false, -1, -1
		user := r.says(k, "user", "user's", "last", "whole", "conversation", "entire", "their")
		for i := c.from; i < c.to; i++ {
			t := &r.toks[i]
			shown := img >= 0
			switch {
			case pixelWords.has(t.text) && !t.code && !r.headerLink(k, i):
				img = i
			case fillVerbs.has(t.text) && fill < 0:
				fill = i
			}
			s, _, p := r.material(i)
			carries := s || p || user && carried.has(t.text)
			if carries {
				data = i
			}
			// One word cannot be both: "a link beside their name".
			part = part || !carries && urlParts.has(t.text) && (shown || img != i) || t.kind == url
		}
		if r.clauses[k].remark && !r.ordered(k) {
			continue
		}
		if img >= 0 && part && fill >= 0 && data >= 0 && r.polarityAt(k, fill) == affirmed && r.polarityAt(k, data) == affirmed && !r.toks[img].quoted {
			if r.says(k, "alt", "caption", "width", "height", "dark", "light") && !r.says(k, "query", "parameter") {
				continue
			}
			r.hits = append(r.hits, hit{"markdown-exfil", Error, r.toks[min(img, fill)].start, r.toks[max(img, data)].end, "puts data into an address that is fetched when shown", false})
		}
	}
}
