package poison

import "strings"

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
		if wrappers.has(name) || cronField(name) || strings.Contains(name, "=") && !strings.Contains(name, "/") || strings.HasPrefix(name, "-") || name == "" {
			w = w[1:]
			continue
		}
		if at := strings.LastIndexByte(name, '/'); at >= 0 && at+1 < len(name) && !strings.Contains(name, ":") {
			if b := name[at+1:]; shells.has(b) || downloaders.has(b) {
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
	if !shells.has(v) {
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

// sharesFile reports a file that one command writes and another names.
func sharesFile(a, b *simple) bool {
	for _, w := range a.words {
		if len(w) > 4 && strings.ContainsAny(w, "./") && !strings.HasPrefix(w, "-") && strings.Contains(b.raw, w) {
			return true
		}
	}
	return false
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

func lastPath(c *simple) string {
	for k := len(c.words) - 1; k > 0; k-- {
		if w := c.words[k]; !strings.HasPrefix(w, "-") && strings.ContainsAny(w, "/~.") {
			return strings.Trim(w, "`\"'")
		}
	}
	return ""
}
