package poison

import "strings"

type tokenKind uint8

const (
	word tokenKind = iota
	number
	punct
	path     // ~/x, ./x, /x, a/b.c
	fileName // x.md, .env
	url
	host  // bare host name or mail address
	ident // UPPER_CASE or snake_case
	variable
	flagTok // --x
)

// token is a word, path, URL, variable or punctuation byte of a clause.
type token struct {
	start, end int
	text       string // lower case
	c          concept
	kind       tokenKind
	quoted     bool // inside quotation marks
	code       bool // inside backticks
	// width counts the tokens a phrase that starts here spans, 1 for a word.
	width uint8
}

// bytes that continue a word.
func wordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b >= 0x80
}

// lowerASCII folds ASCII letters only, so that offsets stay what they are
// whatever else the text holds.
func lowerASCII(s string) string {
	for i := range len(s) {
		if s[i] >= 'A' && s[i] <= 'Z' {
			b := []byte(s)
			for k := i; k < len(b); k++ {
				if b[k] >= 'A' && b[k] <= 'Z' {
					b[k] += 'a' - 'A'
				}
			}
			return string(b)
		}
	}
	return s
}

const pathBytes = "._/~*$-{}@+%=#"

func pathByte(b byte) bool { return wordByte(b) || strings.IndexByte(pathBytes, b) >= 0 }

// tokenize splits text. Offsets are relative to text.
func tokenize(text string) []token {
	toks := make([]token, 0, len(text)/5+4)
	quote, tick := byte(0), false
	n := len(text)
	emit := func(s, e int, k tokenKind) {
		low := lowerASCII(text[s:e])
		if k == word && strings.HasSuffix(low, "’t") {
			low = strings.TrimSuffix(low, "’t") + "'t" // "don’t" is "don't"
		}
		toks = append(toks, token{start: s, end: e, text: low, kind: k, quoted: quote != 0, code: tick, width: 1})
	}
	for i := 0; i < n; {
		b := text[i]
		before := byte(' ')
		if i > 0 {
			before = text[i-1]
		}
		switch {
		case isAlnum(b):
			e, k := scanWord(text, i)
			emit(i, e, k)
			i = e
		case b == ' ' || b == '\t' || b == '\r':
			i++
		case b == '\n':
			emit(i, i+1, punct)
			quote = 0
			i++
		case b == '`':
			for i < n && text[i] == '`' {
				i++
			}
			tick = !tick
		case b == '"':
			if quote == '"' {
				quote = 0
			} else {
				quote = '"'
			}
			emit(i, i+1, punct)
			i++
		case b == '\'':
			open := quote == 0 && !wordByte(before) && i+1 < n && text[i+1] > ' ' && strings.IndexByte(text[i+1:], '\'') > 0
			if open {
				quote = '\''
			} else if quote == '\'' && (i+1 >= n || !wordByte(text[i+1])) {
				quote = 0
			}
			i++
		case strings.HasPrefix(text[i:], "“") || strings.HasPrefix(text[i:], "«") || strings.HasPrefix(text[i:], "„"):
			quote = '"'
			i += runeLen(text[i:])
		case strings.HasPrefix(text[i:], "”") || strings.HasPrefix(text[i:], "»"):
			quote = 0
			i += runeLen(text[i:])
		case strings.HasPrefix(text[i:], "—") || strings.HasPrefix(text[i:], "…") || strings.HasPrefix(text[i:], "。") || strings.HasPrefix(text[i:], "；"):
			l := runeLen(text[i:])
			emit(i, i+l, punct)
			toks[len(toks)-1].text = ";"
			i += l
		case b == '-' && i+2 < n && text[i+1] == '-' && wordByte(text[i+2]) && !wordByte(before):
			e := i + 2
			for e < n && (wordByte(text[e]) || text[e] == '-' || text[e] == '_') {
				e++
			}
			emit(i, e, flagTok)
			i = e
		case b == '$' && i+1 < n && (text[i+1] == '{' || wordByte(text[i+1]) || text[i+1] == '_'):
			e := i + 1
			for e < n && (wordByte(text[e]) || text[e] == '_' || text[e] == '{' || text[e] == '}') {
				e++
			}
			emit(i, e, variable)
			i = e
		case b == '{' && i+1 < n && text[i+1] == '{':
			e := strings.Index(text[i:], "}}")
			if e < 0 || e > 64 {
				i += 2
				continue
			}
			emit(i, i+e+2, variable)
			i += e + 2
		case b == '<' && slot1(text[i:]) > 0:
			e := i + slot1(text[i:])
			emit(i, e, variable)
			i = e
		case (b == '~' || b == '.' || b == '/') && i+1 < n && !wordByte(before) && startsPath(text[i:]):
			e := i
			for e < n && pathByte(text[e]) {
				e++
			}
			e = trimEnd(text, i, e)
			k := path
			if b == '.' && strings.IndexByte(text[i:e], '/') < 0 {
				k = fileName
			}
			emit(i, e, k)
			i = e
		case wordByte(b) || b == '_' && i+1 < n && wordByte(text[i+1]):
			e, k := scanWord(text, i)
			emit(i, e, k)
			i = e
		default:
			emit(i, i+1, punct)
			i++
		}
	}
	return toks
}

// slot1 is the length of a placeholder such as <B> or <file name>, 0 for none.
func slot1(s string) int {
	for i := 1; i < len(s) && i < 26; i++ {
		switch c := s[i]; {
		case c == '>':
			if i == 1 {
				return 0
			}
			return i + 1
		case !isAlnum(c) && c != '_' && c != '-' && c != ' ':
			return 0
		}
	}
	return 0
}

func runeLen(s string) int {
	switch {
	case s[0] < 0x80:
		return 1
	case s[0] < 0xe0:
		return min(2, len(s))
	case s[0] < 0xf0:
		return min(3, len(s))
	}
	return min(4, len(s))
}

func startsPath(s string) bool {
	switch s[0] {
	case '~':
		return s[1] == '/'
	case '/':
		return wordByte(s[1]) && s[1] < 0x80 || s[1] == '.'
	}
	return s[1] >= 'a' && s[1] <= 'z' || s[1] >= 'A' && s[1] <= 'Z' || s[1] == '/' || s[1] == '.' && len(s) > 2 && s[2] == '/'
}

func trimEnd(text string, s, e int) int {
	for e > s+1 && strings.IndexByte(".,;:!?-=#", text[e-1]) >= 0 {
		e--
	}
	return e
}

// scanWord returns the end and kind of the token that starts with a word byte.
func scanWord(text string, i int) (int, tokenKind) {
	n := len(text)
	e := i
	for e < n {
		if isAlnum(text[e]) {
			e++
			continue
		}
		if !(wordByte(text[e]) || text[e] == '_' || text[e] == '\'' && e+1 < n && wordByte(text[e+1]) && text[e+1] < 0x80 || strings.HasPrefix(text[e:], "’")) {
			break
		}
		// CJK text has no spaces; what matters in it is found by other means.
		if strings.HasPrefix(text[e:], "。") || strings.HasPrefix(text[e:], "—") || strings.HasPrefix(text[e:], "”") {
			break
		}
		e++
	}
	if e == i {
		e = i + runeLen(text[i:])
	}
	if e+2 < n && text[e] == ':' && text[e+1] == '/' && text[e+2] == '/' || e < n && text[e] == ':' && (text[i:e] == "data" || text[i:e] == "mailto" || text[i:e] == "javascript") {
		for e < n && text[e] > ' ' && strings.IndexByte("\"'<>)`|", text[e]) < 0 {
			// A non-ASCII dash or quote ends a URL in prose.
			if strings.HasPrefix(text[e:], "—") || strings.HasPrefix(text[e:], "”") {
				break
			}
			e++
		}
		return trimEnd(text, i, e), url
	}
	if e < n && text[e] == '-' {
		if f := hyphenated(text, e); f > 0 {
			return f, fileName
		}
	}
	// host.name, file.md, dir/file, user@host
	if e < n && (text[e] == '.' || text[e] == '/' || text[e] == '@') && e+1 < n && wordByte(text[e+1]) && text[e+1] < 0x80 {
		f := e
		for f < n && pathByte(text[f]) && text[f] < 0x80 {
			f++
		}
		f = trimEnd(text, i, f)
		s := text[i:f]
		switch {
		case strings.IndexByte(s, '@') > 0 && strings.IndexByte(s[strings.IndexByte(s, '@'):], '.') > 0 && strings.IndexByte(s, '/') < 0:
			return f, host
		case isHost(s):
			return f, host
		case strings.IndexByte(s, '/') >= 0:
			return f, path
		case strings.IndexByte(s, '.') >= 0:
			return f, fileName
		}
	}
	s := text[i:e]
	if strings.IndexByte(s, '_') >= 0 {
		return e, ident
	}
	if s[0] >= '0' && s[0] <= '9' {
		for k := range len(s) {
			if s[k] < '0' || s[k] > '9' {
				return e, word
			}
		}
		return e, number
	}
	return e, word
}

// hyphenated returns the end of a file name such as copy-voice.md whose first
// hyphen is at e, 0 when it is none.
func hyphenated(text string, e int) int {
	f := e
	for f < len(text) && (isAlnum(text[f]) || text[f] == '-' || text[f] == '_') {
		f++
	}
	if f >= len(text) || text[f] != '.' {
		return 0
	}
	g := f + 1
	for g < len(text) && isAlnum(text[g]) {
		g++
	}
	if !fileTypes.has(lowerASCII(text[f+1 : g])) {
		return 0
	}
	return g
}

var fileTypes = set("md", "json", "yml", "yaml", "txt", "sh", "py", "js", "ts", "toml", "csv", "log", "env", "pdf", "html", "css", "go", "rs", "tgz", "zip", "tar", "gz", "sql", "xml", "cfg", "conf", "ini", "lock", "png", "jpg", "svg")

var topLevel = " com net org io dev app example test internal local xyz co ai cloud me ru cn de uk fr info biz site online top link page ly gg tk invalid localhost us eu ch nl in jp br live tech zone host click space "

// isHost reports whether s is a host name, with or without a path.
func isHost(s string) bool {
	h, _, _ := strings.Cut(s, "/")
	dot := strings.LastIndexByte(h, '.')
	if dot <= 0 || dot == len(h)-1 {
		return false
	}
	return strings.Contains(topLevel, " "+lowerASCII(h[dot+1:])+" ") && strings.IndexByte(h, '_') < 0
}

// mark assigns concepts to tokens, phrases first.
func mark(toks []token) {
	l := lex()
	for i := range toks {
		t := &toks[i]
		switch t.kind {
		case punct, number:
			continue
		case url:
			t.c |= cURL | cNet
			continue
		case host:
			t.c |= cURL | cNet
		case variable:
			t.c |= variableConcept(t.text)
			continue
		case ident:
			t.c |= variableConcept(t.text)
		case path:
			t.c |= pathConcept(t.text)
		}
		known := l.entries[t.text]
		t.c |= known.c
		if t.kind == word && len(t.text) > 3 {
			if s, ok := strings.CutSuffix(t.text, "'s"); ok {
				t.c |= l.words[s]
			} else if s, ok := strings.CutSuffix(t.text, "’s"); ok {
				t.c |= l.words[s]
			}
		}
		if t.kind == fileName || t.kind == path {
			t.c |= pathConcept(t.text)
		}
		if len(known.phrases) == 0 {
			continue
		}
		next := follower(toks[i+1:])
		for _, p := range known.phrases {
			if next != 0 && p.rest[0][0] != next {
				continue
			}
			if w := matchPhrase(toks[i+1:], p.rest); w > 0 {
				t.c |= p.c
				t.width = max(t.width, uint8(min(w+1, 200)))
			}
		}
	}
}

var particles = set("out", "off", "aside", "over", "up", "down", "away", "on", "back", "together", "in", "through")

// follower is the first byte of the word that a phrase must go on with, 0 when
// several can.
func follower(toks []token) byte {
	if len(toks) > 1 && toks[0].kind == punct && toks[0].text == "-" {
		toks = toks[1:]
	}
	if len(toks) == 0 {
		return '\n' // in no phrase
	}
	switch toks[0].text {
	case "it", "them", "this", "that", "these", "those", "both", "each", "-":
		return 0
	}
	return toks[0].text[0]
}

// matchPhrase matches the words of a phrase, hyphens between them allowed, and
// returns how many tokens they span.
func matchPhrase(toks []token, rest []string) int {
	k := 0
	if len(rest) == 1 && particles.has(rest[0]) && len(toks) > 1 && toks[0].c == 0 {
		// Phrasal verbs take their pronoun in between: "carry it out".
		switch toks[0].text {
		case "it", "them", "this", "that", "these", "those", "both", "each":
			if toks[1].text == rest[0] {
				return 2
			}
		}
	}
	for _, w := range rest {
		if k < len(toks) && toks[k].kind == punct && toks[k].text == "-" {
			k++
		}
		if k >= len(toks) || toks[k].text != w && toks[k].text != w+"'s" {
			return 0
		}
		k++
	}
	return k
}

// variableConcept judges a variable or identifier by its name.
func variableConcept(s string) concept {
	s = strings.Trim(s, "${}<>% ")
	if s == "" {
		return 0
	}
	for _, w := range []string{"token", "secret", "password", "passwd", "apikey", "api_key", "credential", "private_key", "access_key", "_key", "_pat", "auth", "cookie", "session_id", "passphrase"} {
		if strings.HasSuffix(s, w) && s != "public_key" && !strings.HasSuffix(s, "cache_key") && !strings.HasSuffix(s, "primary_key") {
			return cSecret
		}
	}
	for _, w := range []string{"message", "conversation", "history", "prompt", "transcript", "user_input", "chat", "context", "answer", "question", "query", "env", "last_", "user"} {
		if strings.Contains(s, w) {
			return cPrivate
		}
	}
	return 0
}

var secretPaths = []string{
	"/.ssh", ".ssh/", ".aws", ".netrc", ".npmrc", ".pypirc", ".pgpass", ".git-credentials", ".kube/", ".kube", ".docker/config.json", ".gnupg", ".config/gcloud", ".config/gh", "id_rsa", "id_ed25519", "id_ecdsa",
	"/proc/self/environ", "/etc/shadow", "/etc/passwd", "login.keychain", "keychains", "cookies.sqlite", "login data", "/secrets", "secrets.", "credentials", "serviceaccount", "service-account", ".azure", ".vault-token", ".terraform.d/credentials", "wallet.dat", ".bash_history", ".zsh_history", ".pem", ".p12", ".pfx", "keystore", ".password-store", "logins.json", "key4.db", ".claude.json", "auth.json", ".cargo/credentials", ".gem/credentials", ".s3cfg", ".boto", "htpasswd", ".env", "tfstate", ".tokens", "hosts.yml", ".mozilla", "solana/id.json", "ethereum/keystore",
}

// pathConcept judges a path by where it leads.
func pathConcept(s string) concept {
	s = lowerASCII(s)
	var c concept
	if strings.Contains(s, ".example") || strings.Contains(s, ".sample") || strings.Contains(s, ".template") || strings.HasSuffix(s, ".pub") || strings.HasSuffix(s, ".dist") {
		return 0
	}
	for _, p := range secretPaths {
		if strings.Contains(s, p) {
			if p == ".env" && !envFile(s) || p == ".pem" && publicPem(s) || p == "credentials" && member(s) {
				continue
			}
			c |= cSecret
			break
		}
	}
	if strings.HasSuffix(s, ".ssh/config") || strings.HasSuffix(s, ".ssh/known_hosts") || strings.HasSuffix(s, ".aws/config") || strings.HasSuffix(s, "authorized_keys") {
		c &^= cSecret
	}
	for _, p := range persistPaths {
		if strings.Contains(s, p) && !(member(s) && (p == "startup" || p == ".profile" && !strings.HasPrefix(s, "."))) {
			c |= cPersist
			break
		}
	}
	if strings.HasSuffix(s, "claude.md") || strings.HasSuffix(s, "agents.md") || strings.HasSuffix(s, "gemini.md") {
		c |= cHost
	}
	return c
}

// publicPem reports a file of certificates, which are there to be shown.
func publicPem(s string) bool {
	return containsAny(s[strings.LastIndexByte(s, '/')+1:], []string{"cert", "chain", "bundle", "root", "ca.", "ca-", "-ca", "cacert"}) && !strings.Contains(s, "key") && !strings.Contains(s, "priv")
}

// member reports a name in a program, crypto.Credentials, that is no file.
func member(s string) bool {
	dot := strings.LastIndexByte(s, '.')
	return dot > 0 && strings.IndexByte(s, '/') < 0 && !fileTypes.has(s[dot+1:])
}

// envFile accepts .env, .env.local, config/.env but not .environment or .envrc.
func envFile(s string) bool {
	at := strings.LastIndex(s, ".env")
	return at >= 0 && (at == 0 || s[at-1] == '/' || s[at-1] == '*') && (at+4 == len(s) || s[at+4] == '.' || s[at+4] == '*')
}

var persistPaths = []string{
	".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", ".zshenv", "config.fish", "/cron", "crontab", "launchagents", "launchdaemons", "systemd", ".config/autostart", ".git/hooks", "/hooks/", "authorized_keys", "sudoers", ".claude/", ".codex/", ".cursor/", ".gemini/", "claude.md", "agents.md", "gemini.md", ".cursorrules", "copilot-instructions", ".windsurfrules", ".clinerules", "settings.json", "settings.local.json", "/etc/profile", "/etc/hosts", "init.d", "rc.local", "startup", ".vimrc", ".tmux.conf", ".gitconfig", "tasks.json", ".husky", "memory.md", "soul.md", ".ssh/config", ".config/fish", ".amp",
}
