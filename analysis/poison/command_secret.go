package poison

import "strings"

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
	if downloaders.has(v) || strings.Contains(raw, "curl ") || strings.Contains(raw, "wget ") {
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
			return downloaders.has(v) || v == "nc" || v == "ncat" || v == "mail" || v == "nslookup" || v == "dig" || v == "ping" || v == "host" || v == "ssh" || strings.Contains(r, "curl ")
		}
	}
	return false
}
