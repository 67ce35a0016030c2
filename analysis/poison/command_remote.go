package poison

import "strings"

func (c *simple) downloads() bool {
	v, args := c.verb()
	if !downloaders.has(v) {
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

func runsFile(c *simple, file string) bool {
	v, args := c.verb()
	b := file[strings.LastIndexByte(file, '/')+1:]
	if b == "" || b == "-" || b == "null" {
		return false
	}
	if strings.HasSuffix(v, b) && (strings.HasPrefix(v, "./") || strings.HasPrefix(v, "/") || strings.HasPrefix(v, "~")) {
		return true
	}
	if shells.has(v) || v == "chmod" || v == "." || v == "open" || v == "installer" || v == "dpkg" || v == "rpm" || v == "start" {
		for _, a := range args {
			if strings.HasSuffix(a, b) && !strings.HasPrefix(a, "-") {
				return v != "chmod" || strings.Contains(c.raw, "+x") || strings.Contains(c.raw, "7")
			}
		}
	}
	return false
}
