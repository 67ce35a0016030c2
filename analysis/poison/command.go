package poison

import "strings"

// A hit is one verdict of the single-unit rules, with offsets into the layer
// that was read.
type hit struct {
	rule       string
	sev        Severity
	start, end int
	msg        string
	// docs marks what documentation for people may say ("install with curl |
	// sh") and an agent's rules may not: it is info in README-like files.
	docs bool
}

// simple is one command: its words and where it starts.
type simple struct {
	words []string // lower case, quotes removed
	raw   string   // lower case
	start int
	// op is what stands before the command: 0, '|', '&', ';', '\n'.
	op byte
}

// shellWords splits a command at white space and quotes.
func shellWords(s string) []string {
	var out []string
	var b strings.Builder
	open := byte(0)
	has := false
	for i := range len(s) {
		c := s[i]
		switch {
		case open != 0 && c == open:
			open = 0
		case open == 0 && (c == '"' || c == '\''):
			open, has = c, true
		case open == 0 && (c == ' ' || c == '\t'):
			if b.Len() > 0 || has {
				out = append(out, b.String())
				b.Reset()
				has = false
			}
		default:
			b.WriteByte(c)
		}
	}
	if b.Len() > 0 || has {
		out = append(out, b.String())
	}
	return out
}

// splitCommands cuts text at newlines and at | & ; outside quotes.
func splitCommands(text string) []simple {
	var out []simple
	l := lowerASCII(text)
	start, op := 0, byte(0)
	quote := byte(0)
	flush := func(end int) {
		raw := l[start:end]
		if strings.TrimSpace(raw) != "" {
			out = append(out, simple{words: shellWords(strings.TrimLeft(raw, " \t$>%#")), raw: raw, start: start, op: op})
		}
	}
	for i := 0; i < len(l); i++ {
		c := l[i]
		switch {
		case quote != 0:
			if c == quote || c == '\n' {
				quote = 0
			}
			if c != '\n' {
				continue
			}
			flush(i)
			start, op = i+1, '\n'
		case c == '"' || c == '\'' && (i == 0 || !wordByte(l[i-1])):
			if strings.IndexByte(l[i+1:], c) >= 0 {
				quote = c
			}
		case c == '\\' && i+1 < len(l) && l[i+1] == '\n':
			i++
		case c == '\n' || c == ';' || c == '|' || c == '&':
			if c == '|' && i > 0 && l[i-1] == '>' || c == '&' && i > 0 && (l[i-1] == '>' || l[i-1] == '<') {
				continue
			}
			flush(i)
			op = c
			for i+1 < len(l) && (l[i+1] == '|' || l[i+1] == '&') {
				i++
				if op == '|' {
					op = ';'
				}
			}
			start = i + 1
		}
	}
	flush(len(l))
	return out
}

var wrappers = set("sudo", "env", "time", "nohup", "exec", "command", "doas", "then", "do", "xargs", "run", "always", "please", "and", "just", "use", "with")

// verb is the command's own name, wrappers and assignments skipped, and its
// arguments.
func (c *simple) verb() (string, []string) {
	w := c.words
	for len(w) > 0 {
		name := strings.Trim(w[0], "`(){}[]\"'")
		if wrappers[name] || cronField(name) || strings.Contains(name, "=") && !strings.Contains(name, "/") || strings.HasPrefix(name, "-") || name == "" {
			w = w[1:]
			continue
		}
		if at := strings.LastIndexByte(name, '/'); at >= 0 && at+1 < len(name) && !strings.Contains(name, ":") {
			if b := name[at+1:]; shells[b] || downloaders[b] {
				name = b
			}
		}
		return name, w[1:]
	}
	return "", nil
}

// cronField reports a field of a cron schedule.
func cronField(s string) bool {
	for i := range len(s) {
		if !(s[i] >= '0' && s[i] <= '9') && s[i] != '*' && s[i] != '/' && s[i] != ',' && s[i] != '-' {
			return false
		}
	}
	return s != ""
}

func set(words ...string) map[string]bool {
	m := make(map[string]bool, len(words))
	for _, w := range words {
		m[w] = true
	}
	return m
}

var (
	shells      = set("sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python3", "node", "perl", "ruby", "php", "iex", "invoke-expression", "pwsh", "powershell", "eval", "source", "osascript", "bun", "cmd", "ash", "busybox", "tclsh", "lua", "deno")
	downloaders = set("curl", "wget", "iwr", "irm", "invoke-webrequest", "invoke-restmethod", "aria2c", "lwp-download", "http", "https", "xh", "wget2", "curlie")
	decoders    = []string{"base64 -d", "base64 --decode", "base64 -di", "base64 -D", "xxd -r", "openssl enc -d", "openssl base64 -d", "b64decode", "atob(", "frombase64string", "uudecode", "basenc -d", "base32 -d", "| rev", "tr a-z", "tr 'a-z", "tr 'a-m", "rot13", "gunzip", "unhex", "fromhex"}
	verifiers   = []string{"sha256sum", "shasum", "sha512sum", "gpg --verify", "cosign verify", "minisign", "openssl dgst", "--verify", "signify", "checksum", "slsa-verifier", "gh attestation verify", "b2sum"}
)

// shellSink reports whether a command runs what it reads: an interpreter
// without code of its own.
func (c *simple) shellSink() bool {
	v, args := c.verb()
	if !shells[v] {
		return false
	}
	switch v {
	case "python", "python3", "node", "perl", "ruby", "php", "deno", "bun":
		for _, a := range args {
			if a == "-m" || a == "-c" || a == "-e" || a == "-p" || a == "-ne" || a == "-pe" || a == "-r" || strings.HasSuffix(a, ".py") || strings.HasSuffix(a, ".js") || strings.HasPrefix(a, "-l") || a == "-n" {
				return false
			}
		}
	case "sh", "bash", "zsh":
		if len(args) > 0 && args[0] == "-c" && len(args) > 1 && !strings.Contains(args[1], "$(") {
			return false
		}
	}
	return true
}

func (c *simple) downloads() bool {
	v, args := c.verb()
	if !downloaders[v] {
		return false
	}
	for _, a := range args {
		if strings.Contains(a, "://") || strings.HasPrefix(a, "$") || isHost(strings.Trim(a, "<>()`")) || strings.HasPrefix(a, "<") || strings.Contains(a, "{{") {
			return true
		}
	}
	// In prose "curl | sh" names the habit itself.
	return len(args) == 0
}

// knownInstallers are hosts whose one-line installers documentation quotes.
var knownInstallers = []string{
	"sh.rustup.rs", "get.docker.com", "bun.sh", "deno.land", "astral.sh", "raw.githubusercontent.com/nvm-sh", "raw.githubusercontent.com/homebrew", "get.pnpm.io", "install.python-poetry.org", "nixos.org", "tailscale.com/install", "ollama.com", "fnm.vercel.app", "get.volta.sh", "sdk.cloud.google.com", "cli.github.com", "starship.rs", "mise.run", "mise.jdx.dev", "claude.ai/install", "get.helm.sh", "get.k3s.io", "fly.io/install",
}

func knownInstaller(s string) bool {
	for _, k := range knownInstallers {
		if strings.Contains(s, k) {
			return true
		}
	}
	return false
}

func containsAny(s string, list []string) bool {
	for _, w := range list {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// commandHits judges a piece of shell text.
func commandHits(text string) []hit {
	cmds := splitCommands(text)
	var out []hit
	add := func(rule string, sev Severity, c *simple, end int, msg string, docs bool) {
		out = append(out, hit{rule, sev, c.start, min(max(end, c.start+len(c.raw)), len(text)), msg, docs})
	}
	low := lowerASCII(text)
	for i := range cmds {
		c := &cmds[i]
		remoteExec(cmds, i, low, add)
		exfilCommand(cmds, i, add)
		destructiveCommand(cmds, i, add)
		persistCommand(cmds, i, add)
		supplyCommand(c, add)
	}
	if at, end, ok := looped(cmds); ok {
		out = append(out, hit{"exfiltration", Error, at, end, "sends secrets over the network", false})
	}
	if h, _ := hot().sweep(text); h.has(hFlag) {
		out = append(out, flagHits(low)...)
	}
	return out
}

// looped: a command reads secrets into a variable or a loop, and a later one
// sends what the variable holds.
func looped(cmds []simple) (start, end int, ok bool) {
	for i := range cmds {
		raw := strings.TrimLeft(cmds[i].raw, " \t")
		assigns := strings.HasPrefix(raw, "for ") || strings.HasPrefix(raw, "while ") || strings.Contains(raw, "=$(") || strings.Contains(raw, "=`") || strings.HasPrefix(raw, "read ") || strings.Contains(raw, "= open(") || strings.Contains(raw, "=open(") || strings.Contains(raw, "= os.environ") || strings.Contains(raw, "readfile") || strings.Contains(raw, "> /tmp/") || strings.Contains(raw, ">/tmp/") || strings.HasPrefix(raw, "tar ") || strings.HasPrefix(raw, "zip ") || strings.HasPrefix(raw, "cp ")
		if !assigns || !secretSource(raw) {
			continue
		}
		for j := i + 1; j < len(cmds); j++ {
			if c := &cmds[j]; netSink(c) && (strings.ContainsAny(c.raw, "$@") || strings.Contains(c.raw, "/tmp/") || strings.Contains(c.raw, "data") || sharesFile(&cmds[i], c)) {
				return cmds[i].start, c.start + len(c.raw), true
			}
		}
	}
	return 0, 0, false
}

// sharesFile reports a file that one command writes and another names.
func sharesFile(a, b *simple) bool {
	for _, w := range a.words {
		if len(w) > 4 && strings.ContainsAny(w, "./") && !strings.HasPrefix(w, "-") && strings.Contains(b.raw, w) {
			return true
		}
	}
	return false
}

type adder func(rule string, sev Severity, c *simple, end int, msg string, docs bool)

func remoteExec(cmds []simple, i int, low string, add adder) {
	c := &cmds[i]
	docs := knownInstaller(c.raw)
	if c.downloads() {
		// download | … | shell
		for j := i + 1; j < len(cmds) && cmds[j].op == '|'; j++ {
			if cmds[j].shellSink() {
				add("remote-exec", Error, c, cmds[j].start+len(cmds[j].raw), "runs a download without looking at it (download piped into an interpreter)", docs)
				return
			}
		}
		if file := outputFile(c); file != "" {
			checked := false
			for j := i + 1; j < len(cmds); j++ {
				if containsAny(cmds[j].raw, verifiers) {
					checked = true
				}
				if runsFile(&cmds[j], file) {
					if !checked {
						add("remote-exec", Error, c, cmds[j].start+len(cmds[j].raw), "downloads a file and runs it unverified", docs)
					}
					return
				}
			}
		}
	}
	raw := c.raw
	for _, dl := range []string{"curl ", "wget ", "iwr ", "irm ", "urlopen", "requests.get", "urllib", "fetch(", "http.get", "downloadstring"} {
		at := strings.Index(raw, dl)
		if at < 0 {
			continue
		}
		before := raw[:at]
		sub := strings.Contains(before, "$(") || strings.Contains(before, "<(") || strings.Contains(before, "`") && strings.HasSuffix(strings.TrimRight(before, " "), "`")
		runs := containsAny(before, []string{"eval", "bash", "sh -c", "sh <", "zsh", "source ", ". <(", "exec(", "iex", "python", "node"})
		code := strings.HasSuffix(dl, "(") || dl == "urlopen" || dl == "requests.get" || dl == "urllib" || dl == "downloadstring"
		if sub && runs || code && containsAny(raw, []string{"exec(", "eval(", "then(eval", "iex", "invoke-expression", "new function("}) || strings.Contains(raw, "iex (") || strings.Contains(raw, "iex(") {
			if strings.Contains(before, "eval(") || sub && runs || code || strings.Contains(raw, "iex") {
				add("remote-exec", Error, c, 0, "runs what a download returns", docs)
				return
			}
		}
	}
	v, args := c.verb()
	switch v {
	case "npx", "bunx", "deno", "uvx", "pipx", "pnpx":
		for _, a := range args {
			if strings.HasPrefix(a, "http://") || strings.HasPrefix(a, "https://") || strings.HasPrefix(a, "github:") || strings.HasPrefix(a, "git+") {
				add("remote-exec", Error, c, 0, v+" runs code straight from a URL", true)
			}
		}
	}
	// decode | … | shell
	if containsAny(raw, decoders) || v == "rev" || v == "tr" {
		for j := i + 1; j < len(cmds) && cmds[j].op == '|'; j++ {
			if cmds[j].shellSink() {
				add("encoded-payload", Error, &cmds[max(0, i-1)], cmds[j].start+len(cmds[j].raw), "decodes a text and runs the result", false)
				return
			}
		}
		if containsAny(raw, []string{"eval", "exec(", "iex", "bash -c", "sh -c", "source <("}) {
			add("encoded-payload", Error, c, 0, "decodes a text and runs the result", false)
		}
	} else if (strings.Contains(raw, "eval") || strings.Contains(raw, "bash -c") || strings.Contains(raw, "sh -c")) && containsAny(low[c.start:], decoders) && strings.Contains(raw, "$(") {
		add("encoded-payload", Error, c, 0, "decodes a text and runs the result", false)
	}
}

// outputFile is where a download is kept, "" when it goes to standard output.
func outputFile(c *simple) string {
	_, args := c.verb()
	for k, a := range args {
		switch {
		case (a == "-o" || a == "--output" || a == ">" || a == "-outfile" || a == "--output-document") && k+1 < len(args):
			return args[k+1]
		case a == "-O" || strings.HasPrefix(a, "-") && !strings.HasPrefix(a, "--") && strings.HasSuffix(a, "o") && len(a) > 1 && k+1 < len(args):
			// wget -O file and curl -fsSLo file, both lower-cased here; for
			// curl -O the next word is a URL.
			if k+1 < len(args) && !strings.Contains(args[k+1], "://") {
				return args[k+1]
			}
			return base(args)
		case strings.HasPrefix(a, ">") && len(a) > 1:
			return strings.TrimLeft(a, ">")
		}
	}
	if v, _ := c.verb(); v == "wget" || strings.Contains(c.raw, " -o") {
		return base(args)
	}
	return ""
}

func base(args []string) string {
	for _, a := range args {
		if at := strings.Index(a, "://"); at >= 0 {
			a, _, _ = strings.Cut(a, "?")
			if b := a[strings.LastIndexByte(a, '/')+1:]; b != "" {
				return b
			}
		}
	}
	return ""
}

func runsFile(c *simple, file string) bool {
	v, args := c.verb()
	b := file[strings.LastIndexByte(file, '/')+1:]
	if b == "" || b == "-" || b == "null" {
		return false
	}
	if strings.HasSuffix(v, b) && (strings.HasPrefix(v, "./") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~")) {
		return true
	}
	if shells[v] || v == "chmod" || v == "." || v == "open" || v == "installer" || v == "dpkg" || v == "rpm" || v == "start" {
		for _, a := range args {
			if strings.HasSuffix(a, b) && !strings.HasPrefix(a, "-") {
				return v != "chmod" || strings.Contains(c.raw, "+x") || strings.Contains(c.raw, "7")
			}
		}
	}
	return false
}

var secretCommands = []string{
	"printenv", "gh auth token", "aws configure export-credentials", "aws configure get", "security find-generic-password", "security find-internet-password", "security dump-keychain", "op read", "pass show", "gcloud auth print-access-token", "gcloud auth print-identity-token", "kubectl get secret", "vault kv get", "vault read", "/proc/self/environ", "export -p", "docker config inspect", "git credential fill", "ssh-add -l", "doppler secrets", "heroku config", "vercel env pull", "az account get-access-token", "npm token list", "npm config get //", "secret-tool lookup", "keyring get", "bw get", "lpass show", "declare -x", "set |", "get-childitem env:", "gci env:", "dir env:", "os.environ", "process.env)", "json.stringify(process.env", "compgen -e",
}

// secretSource reports whether a command reads secrets, and whether it prints
// them bare.
func secretSource(raw string) bool {
	if containsAny(raw, secretCommands) || strings.Contains(raw, "$(env") || strings.Contains(raw, "`env`") || strings.Contains(raw, "<(env)") || strings.TrimSpace(raw) == "env" || strings.Contains(raw, "base64 <(env") {
		return true
	}
	for _, w := range strings.FieldsFunc(raw, func(r rune) bool { return strings.ContainsRune(" \t\"'()=@<>`;:,", r) }) {
		if (strings.ContainsAny(w, "/~") || strings.HasPrefix(w, ".")) && !strings.Contains(w, "//") && pathConcept(w).has(cSecret) {
			return true
		}
	}
	return false
}

// privateSource reports whether a command reads the user's work.
func privateSource(raw string) bool {
	return containsAny(raw, []string{"git diff", "git log", "git bundle", "history", ".bash_history", "tar c", "zip -r", "git ls-files", "pbpaste", "xclip", "whoami", "hostname", "git config user", "$(id", "mysqldump", "pg_dump", "sqlite3", "git archive", "git remote -v", "ps aux", "uname", "ls -", "~/documents", "find ~", "find / ", "screencapture", "transcript", "conversation"})
}

// secretVariable reports a variable with a secret's name outside of
// authentication headers.
func secretVariable(c *simple) bool {
	for k, w := range c.words {
		for at := strings.IndexByte(w, '$'); at >= 0 && at < len(w); {
			e := at + 1
			for e < len(w) && (wordByte(w[e]) || w[e] == '_' || w[e] == '{' || w[e] == '}' || w[e] == ':') {
				e++
			}
			if variableConcept(w[at:e]).has(cSecret) && !authArgument(c.words, k) && !(k > 0 && (strings.HasSuffix(c.words[k-1], "bearer") || strings.HasSuffix(c.words[k-1], "token") || strings.HasSuffix(c.words[k-1], "authorization:") || strings.HasSuffix(c.words[k-1], "basic"))) {
				return true
			}
			next := strings.IndexByte(w[e:], '$')
			if next < 0 {
				break
			}
			at = e + next
		}
	}
	return false
}

// authArgument reports whether word k carries a credential to the service it
// belongs to: a header, a user, a token option.
func authArgument(words []string, k int) bool {
	w := words[k]
	if containsAny(w, []string{"authorization:", "x-api-key:", "bearer ", "private-token:", "apikey:", "api-key:", "x-auth-token:", "x-token:", "api-token:", "circle-token:", "x-vault-token:", "token:", "token "}) {
		return true
	}
	if strings.HasPrefix(w, "--token=") || strings.HasPrefix(w, "--password=") || strings.HasPrefix(w, "--api-key=") || strings.HasPrefix(w, "--auth") {
		return true
	}
	if k > 0 {
		switch words[k-1] {
		case "-h", "-u", "--user", "--header", "--token", "--password", "--api-key", "-p", "--bearer", "--oauth2-bearer", "--key", "-t", "login", "--with-token", "--auth":
			return true
		}
	}
	return false
}

// netSink reports whether a command sends data somewhere.
func netSink(c *simple) bool {
	v, args := c.verb()
	raw := c.raw
	switch v {
	case "nc", "ncat", "netcat", "socat", "telnet", "ftp", "sftp", "mail", "mailx", "mutt", "sendmail", "rclone", "croc", "wormhole", "magic-wormhole", "swaks", "msmtp", "s3cmd", "mc":
		return true
	case "nslookup", "dig", "host", "ping", "drill", "resolvectl":
		return strings.Contains(raw, "$") || strings.Contains(raw, "`")
	case "scp", "rsync":
		for _, a := range args {
			if strings.Contains(a, ":") && !strings.HasPrefix(a, "-") {
				return true
			}
		}
	case "ssh":
		return c.op == '|' || strings.Contains(raw, "<")
	case "gh":
		return strings.Contains(raw, "gist") || strings.Contains(raw, "issue create") || strings.Contains(raw, "pr comment") || strings.Contains(raw, "issue comment")
	case "aws":
		return strings.Contains(raw, "s3 cp") || strings.Contains(raw, "s3 sync") || strings.Contains(raw, "s3 mv") || strings.Contains(raw, "sns publish") || strings.Contains(raw, "sqs send")
	case "gsutil", "gcloud", "az":
		return strings.Contains(raw, " cp ") || strings.Contains(raw, "upload") || strings.Contains(raw, "rsync")
	case "git":
		return strings.Contains(raw, "push") && (strings.Contains(raw, "://") || strings.Contains(raw, "@"))
	}
	if downloaders[v] || strings.Contains(raw, "curl ") || strings.Contains(raw, "wget ") {
		return true
	}
	return containsAny(raw, []string{"requests.post", "fetch(", "urlopen(", "axios.post", "http.post", "sendbeacon", "/dev/tcp/", "invoke-webrequest", "invoke-restmethod", "http.client", "urllib.request", "socket.", "new image().src", "xmlhttprequest", "smtplib"})
}

func exfilCommand(cmds []simple, i int, add adder) {
	c := &cmds[i]
	// The pipeline that c ends, or c alone.
	if i+1 < len(cmds) && cmds[i+1].op == '|' {
		return
	}
	first := i
	for first > 0 && cmds[first].op == '|' {
		first--
	}
	secret, private, sink := false, false, false
	for j := first; j <= i; j++ {
		p := &cmds[j]
		v, args := p.verb()
		secret = secret || secretSource(p.raw) || secretVariable(p) && netSink(p) || v == "env" || v == "" && strings.Contains(p.raw, "env")
		private = private || privateSource(p.raw)
		sink = sink || netSink(p)
		if (v == "printenv" || v == "export" && len(args) == 0) && j < i {
			secret = true
		}
	}
	// "env | curl": the wrapper list hides env.
	if w := cmds[first].words; len(w) == 1 && (w[0] == "env" || w[0] == "set") && first < i {
		secret = true
	}
	head := &cmds[first]
	if strings.Contains(c.raw, "git push --mirror") && strings.Contains(c.raw, "://") {
		add("exfiltration", Error, c, 0, "mirrors the whole repository to another host", true)
		return
	}
	switch {
	case secret && sink:
		add("exfiltration", Error, head, c.start+len(c.raw), "sends secrets over the network", false)
	case private && sink && sendsBody(cmds[first:i+1]):
		add("exfiltration", Error, head, c.start+len(c.raw), "sends private data over the network", false)
	case secret && printsSecret(head.raw):
		add("secret-access", Warning, head, c.start+len(c.raw), "prints secrets", true)
	}
}

// printsSecret is stricter than secretSource: the command shows the value.
func printsSecret(raw string) bool {
	v := strings.TrimLeft(raw, " \t$(`")
	for _, p := range []string{"cat ", "printenv", "env", "less ", "more ", "head ", "tail ", "bat ", "type ", "echo $", "xxd ", "base64 ", "strings ", "gh auth token", "security find", "op read", "pass show", "kubectl get secret", "aws configure", "gcloud auth print", "get-content", "grep ", "set", "export -p"} {
		if strings.HasPrefix(v, p) {
			return p != "env" && p != "set" || strings.TrimSpace(v) == p
		}
	}
	return false
}

// sendsBody reports whether a pipeline uploads: data options, a substitution
// in the URL, or a pipe into a sender.
func sendsBody(cmds []simple) bool {
	for j := range cmds {
		r := cmds[j].raw
		if netSink(&cmds[j]) && (cmds[j].op == '|' && j > 0 || containsAny(r, []string{"-d ", "-d@", "--data", "-f ", "--form", "-t ", "--upload-file", "--post-data", "--post-file", "-f@", "--body", "$("}) && !strings.Contains(r, "--data-urlencode \"q=")) {
			v, _ := cmds[j].verb()
			return downloaders[v] || v == "nc" || v == "ncat" || v == "mail" || v == "nslookup" || v == "dig" || v == "ping" || v == "host" || v == "ssh" || strings.Contains(r, "curl ")
		}
	}
	return false
}

var buildDirs = set("dist", "build", "out", "target", "node_modules", "coverage", ".next", ".cache", "tmp", "cache", "__pycache__", "vendor", "bin", "obj", ".turbo", "site", "public", "_site", ".pytest_cache", "venv", ".venv", "logs", "artifacts", "deriveddata", "storybook-static", ".parcel-cache", ".nuxt", ".svelte-kit", ".gradle", "pods", ".terraform", ".tox", ".mypy_cache", "generated", "gen")

func destructiveCommand(cmds []simple, i int, add adder) {
	c := &cmds[i]
	v, args := c.verb()
	raw := c.raw
	if strings.Contains(raw, "dry-run") || strings.Contains(raw, "--check") || strings.Contains(raw, "what-if") {
		return
	}
	switch v {
	case "rm", "remove-item", "rimraf", "srm", "shred":
		if v == "rm" && !strings.Contains(raw, "-") {
			return
		}
		recursive := v != "rm" || containsAny(raw, []string{"-rf", "-fr", "-r ", "--recursive", "-rf", "-r -f", "-f -r"})
		if !recursive {
			return
		}
		for _, a := range args {
			if strings.HasPrefix(a, "-") {
				continue
			}
			if wideTarget(a) {
				add("destructive", Error, c, 0, "deletes far more than build output", true)
				return
			}
		}
	case "git":
		switch {
		case strings.Contains(raw, "reset --hard"):
			for j := max(0, i-2); j < min(len(cmds), i+3); j++ {
				if strings.Contains(cmds[j].raw, "git clean -") && strings.Contains(cmds[j].raw, "f") {
					add("destructive", Error, c, cmds[j].start+len(cmds[j].raw), "throws away all uncommitted work", true)
					return
				}
			}
		case strings.Contains(raw, "push") && (strings.Contains(raw, "--force") && !strings.Contains(raw, "--force-with-lease") || strings.Contains(raw, " -f") || strings.Contains(raw, " +")):
			if containsAny(raw, []string{" main", " master", "+main", "+master", "--all", "--mirror", " production", " release", " trunk", ":main", ":master"}) {
				add("destructive", Error, c, 0, "rewrites a shared branch by force", true)
			}
		case strings.Contains(raw, "reflog expire") || strings.Contains(raw, "stash clear") || strings.Contains(raw, "filter-branch") || strings.Contains(raw, "branch -d main") || strings.Contains(raw, "update-ref -d"):
			add("destructive", Error, c, 0, "destroys history that could be restored", true)
		}
	case "mkfs", "wipefs", "mkfs.ext4", "diskutil", "dropdb", "vssadmin", "format":
		if v != "diskutil" && (v != "format" || strings.Contains(raw, "c:")) || strings.Contains(raw, "erase") {
			add("destructive", Error, c, 0, "destroys a disk or database", true)
		}
	case "dd":
		if strings.Contains(raw, "of=/dev/") {
			add("destructive", Error, c, 0, "overwrites a disk", true)
		}
	case "find":
		if strings.Contains(raw, "-delete") || strings.Contains(raw, "-exec rm") {
			for _, a := range args {
				if wideTarget(a) {
					add("destructive", Error, c, 0, "deletes files by search", true)
					return
				}
			}
		}
	case "terraform", "tofu", "pulumi", "cdk":
		if strings.Contains(raw, "destroy") && containsAny(raw, []string{"auto-approve", "--yes", "-y", "--force"}) {
			add("destructive", Error, c, 0, "destroys infrastructure without a prompt", true)
		}
	case "kubectl", "helm", "oc":
		if strings.Contains(raw, "delete") && containsAny(raw, []string{" ns ", "namespace", " all", "pvc", " pv ", "--all"}) {
			add("destructive", Error, c, 0, "deletes a whole namespace or its volumes", true)
		}
	case "aws", "gsutil", "gcloud", "az", "doctl":
		if containsAny(raw, []string{"s3 rm", "s3 rb", "gsutil rm", "gsutil -m rm"}) && containsAny(raw, []string{"--recursive", "--force", "rm -r"}) || strings.Contains(raw, "delete-db") || strings.Contains(raw, "projects delete") || strings.Contains(raw, "delete-snapshot") || strings.Contains(raw, "group delete") {
			add("destructive", Error, c, 0, "deletes cloud storage or databases", true)
		}
	case "docker", "podman":
		if strings.Contains(raw, "system prune") && strings.Contains(raw, "--volumes") || strings.Contains(raw, "volume prune -f") || strings.Contains(raw, "volume rm") && strings.Contains(raw, "$(") {
			add("destructive", Error, c, 0, "deletes all container volumes", true)
		}
	case "redis-cli":
		if strings.Contains(raw, "flushall") {
			add("destructive", Error, c, 0, "empties a database", true)
		}
	}
	for _, s := range []string{"drop database", "drop schema", "drop table", "truncate table", "dropdatabase(", "delete from "} {
		at := strings.Index(raw, s)
		if at < 0 || s == "delete from " && strings.Contains(raw, "where") || containsAny(raw, []string{"if exists tmp", "test", "temp", "staging_", "if exists"}) && s != "drop database" {
			continue
		}
		if v == "psql" || v == "mysql" || v == "sqlite3" || v == "mongosh" || v == "mongo" || v == s[:strings.IndexByte(s, ' ')+max(0, -strings.IndexByte(s, ' '))] || strings.HasPrefix(strings.TrimSpace(raw), s) {
			if containsAny(raw, []string{"_test", "test_", "scratch", "tmp_"}) {
				continue
			}
			add("destructive", Error, c, 0, "drops or empties database tables", true)
			return
		}
	}
	if strings.Contains(raw, "rmdir /s") || strings.Contains(raw, "del /f") || strings.Contains(raw, "del /s") {
		add("destructive", Error, c, 0, "deletes recursively", true)
	}
}

// wideTarget reports a deletion target outside of build output: home, root,
// whole work trees, absolute paths but temporary ones.
func wideTarget(a string) bool {
	a = strings.Trim(a, "\"'`,.;:)")
	raw := a
	a = strings.TrimSuffix(strings.TrimSuffix(a, "*"), "/")
	switch raw {
	case "*", ".", "./", "./*", "..", "../", "../*", "/", "/*", "~", "~/", "~/*", "$home", "${home}", "$home/", "$home/*", ".git", ".git/", "--no-preserve-root", "%userprofile%", "c:\\":
		return true
	}
	if a == "" && raw != "" || strings.HasPrefix(raw, ".git") && !strings.HasPrefix(raw, ".github") && len(raw) <= 5 {
		return true
	}
	b := a[strings.LastIndexByte(a, '/')+1:]
	if buildDirs[b] {
		return false
	}
	switch {
	case strings.HasPrefix(a, "/tmp") || strings.HasPrefix(a, "/var/tmp") || strings.HasPrefix(a, "$tmp") || strings.HasPrefix(a, "/private/tmp"):
		return false
	case strings.HasPrefix(a, "~/.cache") || strings.HasPrefix(a, "~/library/caches") || strings.HasPrefix(a, "~/library/developer"):
		return false
	case strings.HasPrefix(a, "~") || strings.HasPrefix(a, "$home") || strings.HasPrefix(a, "${home}") || strings.HasPrefix(a, "/"):
		return true
	}
	return strings.Contains(a, "backup") || strings.HasPrefix(a, "..")
}

var startupFiles = []string{".bashrc", ".zshrc", ".profile", ".bash_profile", ".zprofile", ".zshenv", "config.fish", "/etc/profile", "/etc/rc.local", "$profile"}

func persistCommand(cmds []simple, i int, add adder) {
	c := &cmds[i]
	v, _ := c.verb()
	raw := c.raw
	switch v {
	case "crontab":
		if !strings.Contains(raw, "-l") {
			add("persistence", Error, c, 0, "installs a cron job", true)
		}
		return
	case "launchctl":
		if containsAny(raw, []string{"load", "bootstrap", "enable"}) {
			add("persistence", Error, c, 0, "registers a launch agent", true)
		}
		return
	case "systemctl":
		if strings.Contains(raw, "enable") && strings.Contains(raw, "--user") {
			add("persistence", Error, c, 0, "enables a user service", true)
		}
		return
	case "schtasks", "register-scheduledtask", "update-rc.d", "at":
		if v != "at" || strings.Contains(raw, "now +") {
			add("persistence", Error, c, 0, "schedules a task", true)
		}
		return
	case "reg":
		if strings.Contains(raw, "add") && strings.Contains(raw, "\\run") {
			add("persistence", Error, c, 0, "adds a start-up entry", true)
		}
		return
	case "git":
		if strings.Contains(raw, "config") && containsAny(raw, []string{"core.hookspath", "init.templatedir"}) && !strings.Contains(raw, ".githooks") && !strings.Contains(raw, ".husky") {
			add("persistence", Error, c, 0, "redirects git hooks", false)
		}
	case "claude", "codex", "gemini":
		if strings.Contains(raw, "mcp add") {
			sev := Warning
			if strings.Contains(raw, "://") {
				sev = Error
			}
			add("tool-hijack", sev, c, 0, "registers a tool server", true)
		}
	case "cp", "mv", "ln", "install", "tee":
		if path := lastPath(c); path != "" && pathConcept(path).has(cPersist) && !strings.Contains(path, "settings.json") && !containsAny(path, []string{".git/hooks"}) || v != "tee" && containsAny(raw, []string{" ~/.claude/", " ~/.codex/", " ~/.cursor/"}) {
			add("persistence", Error, c, 0, "writes to a file that is read at every start", true)
			return
		} else if strings.Contains(path, ".git/hooks") {
			add("persistence", Error, c, 0, "installs a git hook", true)
			return
		}
	}
	at := strings.Index(raw, ">>")
	if at < 0 {
		at = strings.Index(raw, "> ~")
	}
	if at < 0 {
		at = strings.Index(raw, "tee -a")
	}
	if at >= 0 {
		target := strings.Fields(strings.TrimLeft(raw[at:], ">tea- "))
		if len(target) == 0 {
			return
		}
		tgt := strings.Trim(target[0], "\"'`")
		if pathConcept(tgt).has(cPersist) || containsAny(tgt, startupFiles) || strings.Contains(tgt, "authorized_keys") {
			// Putting a program on the PATH is what every manual does.
			docs := containsAny(raw, []string{"export path", "path=", "init ", "hook ", "completion", "eval \"$(", "alias "})
			add("persistence", Error, c, 0, "appends to a file that is read at every start", docs)
		}
	}
}

func lastPath(c *simple) string {
	for k := len(c.words) - 1; k > 0; k-- {
		if w := c.words[k]; !strings.HasPrefix(w, "-") && strings.ContainsAny(w, "/~.") {
			return strings.Trim(w, "`\"'")
		}
	}
	return ""
}

var officialRegistries = []string{"registry.npmjs.org", "pypi.org", "proxy.golang.org", "rubygems.org", "crates.io", "registry.yarnpkg.com", "npm.pkg.github.com", "test.pypi.org", "download.pytorch.org", "files.pythonhosted.org"}

func supplyCommand(c *simple, add adder) {
	v, args := c.verb()
	raw := c.raw
	redirect := func() bool {
		switch v {
		case "npm", "pnpm", "yarn", "bun":
			if strings.Contains(raw, "config set") && strings.Contains(raw, "registry") || strings.Contains(raw, "--registry") {
				return true
			}
		case "pip", "pip3", "uv", "python", "python3", "pipx", "poetry":
			if containsAny(raw, []string{"--index-url", "--extra-index-url", " -i http", "index-url", "--trusted-host", "poetry source add", "--default-index"}) {
				return true
			}
		case "go", "cargo", "bundle", "gem", "composer", "conda", "dotnet", "nuget", "docker", "brew", "apt", "helm":
			if containsAny(raw, []string{"goproxy=", "config mirror", "--source http", "sources -a", "sources --add", "channels http", "add source", "registry-mirrors", "brew tap http", "repo add"}) && v != "helm" {
				return true
			}
		case "add-apt-repository", "apt-key":
			return true
		}
		return containsAny(raw, []string{"--extra-index-url", "--index-url http", "--trusted-host", "--registry http", "--registry=http", "goproxy=http", "npm_config_registry=", "pip_index_url=", "registry=http", "uv_index_url=", "npm_registry=", "pip_extra_index_url=", "gonosumdb=", "goflags=-insecure", "gonosumcheck"})
	}
	if redirect() && !containsAny(raw, officialRegistries) && (strings.Contains(raw, "://") || strings.Contains(raw, "trusted-host") || strings.Contains(raw, "$")) && !strings.Contains(raw, "goproxy=off") {
		add("supply-chain", Error, c, 0, "fetches packages from another registry", false)
		return
	}
	install := false
	switch v {
	case "npm", "pnpm", "yarn", "bun":
		install = len(args) > 0 && (args[0] == "i" || args[0] == "install" || args[0] == "add" || args[0] == "ci")
	case "pip", "pip3", "gem", "cargo", "uv", "pipx", "brew":
		install = strings.Contains(raw, "install") || len(args) > 0 && args[0] == "add" || strings.Contains(raw, "uv add")
	case "python", "python3":
		install = strings.Contains(raw, "pip install")
	case "go":
		install = len(args) > 0 && (args[0] == "install" || args[0] == "get")
	case "code":
		if strings.Contains(raw, "--install-extension") && (strings.Contains(raw, ".vsix") || strings.Contains(raw, "://")) {
			add("supply-chain", Error, c, 0, "installs an editor extension from a file or URL", true)
		}
	}
	if !install {
		return
	}
	for k, a := range args {
		if k == 0 && v != "pip" {
			continue
		}
		a = strings.Trim(a, "`\"'.,;")
		switch {
		case strings.HasPrefix(a, "http://") || strings.HasPrefix(a, "https://") || strings.HasPrefix(a, "git+") || strings.HasPrefix(a, "github:") || strings.HasPrefix(a, "git://") || a == "--git":
			add("supply-chain", Error, c, 0, "installs a package straight from a URL or repository", true)
			return
		case !strings.HasPrefix(a, "-") && squats(a):
			add("supply-chain", Error, c, 0, "installs a package whose name is one letter off a popular one", false)
			return
		}
	}
}

// flagHits finds settings that turn protection off, wherever they stand.
func flagHits(low string) []hit {
	var out []hit
	for _, f := range flagTable {
		at := strings.Index(low, f.text)
		if at < 0 {
			continue
		}
		if f.also != "" && !strings.Contains(low, f.also) {
			continue
		}
		out = append(out, hit{f.rule, f.sev, at, at + len(f.text), f.msg, f.docs})
	}
	return out
}

var flagTable = []struct {
	text, also, rule string
	sev              Severity
	msg              string
	docs             bool
}{
	{"dangerously-skip-permissions", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"dangerously-bypass-approvals", "", "safety-disable", Error, "turns approvals and sandbox off", false},
	{"dangerously_skip", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"dangerouslydisablesandbox", "", "safety-disable", Error, "turns the sandbox off", false},
	{"bypasspermissions", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"--yolo", "", "safety-disable", Error, "accepts every action unseen", false},
	{"yolo mode", "", "safety-disable", Error, "accepts every action unseen", false},
	{"bash(*)", "", "safety-disable", Error, "allows every shell command", false},
	{"bash(*:*)", "", "safety-disable", Error, "allows every shell command", false},
	{"bash(:*)", "", "safety-disable", Error, "allows every shell command", false},
	{"--no-verify", "commit", "safety-disable", Warning, "skips the checks before a commit", true},
	{"--full-auto", "", "safety-disable", Error, "accepts every action unseen", false},
	{"--ask-for-approval never", "", "safety-disable", Error, "never asks for approval", false},
	{"approval_policy = \"never\"", "", "safety-disable", Error, "never asks for approval", false},
	{"approval-mode full", "", "safety-disable", Error, "never asks for approval", false},
	{"danger-full-access", "", "safety-disable", Error, "turns the sandbox off", false},
	{"--auto-approve", "", "safety-disable", Warning, "approves without a prompt", true},
	{"autoapprove\": true", "", "safety-disable", Error, "approves without a prompt", false},
	{"auto_approve: true", "", "safety-disable", Error, "approves without a prompt", false},
	{"sandbox\": false", "", "safety-disable", Error, "turns the sandbox off", false},
	{"sandbox: false", "", "safety-disable", Error, "turns the sandbox off", false},
	{"sandbox=false", "", "safety-disable", Error, "turns the sandbox off", false},
	{"--no-sandbox", "", "safety-disable", Warning, "turns the sandbox off", true},
	{"node_tls_reject_unauthorized=0", "", "safety-disable", Error, "turns certificate checks off", false},
	{"git_ssl_no_verify", "", "safety-disable", Error, "turns certificate checks off", false},
	{"http.sslverify false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"http.sslverify=false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"strict-ssl false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"strict-ssl=false", "", "safety-disable", Error, "turns certificate checks off", false},
	{"pythonhttpsverify=0", "", "safety-disable", Error, "turns certificate checks off", false},
	{"curl -k ", "http", "safety-disable", Error, "turns certificate checks off", true},
	{"curl --insecure", "", "safety-disable", Error, "turns certificate checks off", true},
	{"--no-check-certificate", "", "safety-disable", Error, "turns certificate checks off", true},
	{"verify=false", "request", "safety-disable", Error, "turns certificate checks off", true},
	{"stricthostkeychecking=no", "", "safety-disable", Error, "turns host key checks off", true},
	{"stricthostkeychecking no", "", "safety-disable", Error, "turns host key checks off", true},
	{"setenforce 0", "", "safety-disable", Error, "turns SELinux off", true},
	{"ufw disable", "", "safety-disable", Error, "turns the firewall off", true},
	{"spctl --master-disable", "", "safety-disable", Error, "turns Gatekeeper off", true},
	{"csrutil disable", "", "safety-disable", Error, "turns system protection off", true},
	{"set-mppreference -disable", "", "safety-disable", Error, "turns the virus scanner off", true},
	{"set-executionpolicy bypass", "", "safety-disable", Warning, "turns the script policy off", true},
	{"nopasswd: all", "", "safety-disable", Error, "gives root without a password", true},
	{"nopasswd:all", "", "safety-disable", Error, "gives root without a password", true},
	{"chmod -r 777 /", "", "safety-disable", Error, "opens the file system to everybody", true},
	{"\"allow\": [\"*\"]", "", "safety-disable", Error, "allows every tool", false},
	{"allowedtools *", "", "safety-disable", Error, "allows every tool", false},
	{"permission-mode bypass", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"skip_permissions", "", "safety-disable", Error, "turns the permission prompts off", false},
	{"disable-web-security", "", "safety-disable", Error, "turns browser protection off", true},
	{"anthropic_base_url=", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"anthropic_base_url to ", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"anthropic_base_url\":", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_base_url=", "://", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_base_url to ", "://", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_api_base", "://", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"openai_base_url\":", "", "tool-hijack", Error, "sends model traffic elsewhere", false},
	{"https_proxy=http", "", "tool-hijack", Error, "sends all traffic through a proxy", true},
	{"http_proxy=http", "", "tool-hijack", Error, "sends all traffic through a proxy", true},
	{"all_proxy=", "://", "tool-hijack", Error, "sends all traffic through a proxy", true},
	{".insteadof", "url", "tool-hijack", Error, "redirects git to another host", true},
	{"alias git=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias npm=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias sudo=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias ssh=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias claude=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias curl=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias pip=", "", "tool-hijack", Error, "replaces a tool by an alias", true},
	{"alias kubectl=", "", "tool-hijack", Warning, "replaces a tool by an alias", true},
	{"function git()", "", "tool-hijack", Error, "replaces a tool by a function", true},
	{"git() {", "", "tool-hijack", Error, "replaces a tool by a function", true},
	{"core.editor \"", "curl", "tool-hijack", Error, "replaces a tool", false},
	{"core.sshcommand", "", "tool-hijack", Error, "replaces git's transport", true},
	{"credential.helper", "!", "tool-hijack", Error, "replaces git's credential helper", true},
	{"ld_preload=", "", "tool-hijack", Error, "loads code into every program", true},
	{"dyld_insert_libraries", "", "tool-hijack", Error, "loads code into every program", true},
	{"node_options=--require", "", "tool-hijack", Error, "loads code into every program", true},
	{"unset histfile", "", "concealment", Error, "turns the shell history off", false},
	{"histfile=/dev/null", "", "concealment", Error, "turns the shell history off", false},
	{"set +o history", "", "concealment", Error, "turns the shell history off", false},
	{"history -c", "", "concealment", Error, "clears the shell history", false},
	{"histsize=0", "", "concealment", Error, "turns the shell history off", false},
	{"clear-history", "", "concealment", Error, "clears the shell history", false},
}
