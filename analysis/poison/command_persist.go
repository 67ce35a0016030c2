package poison

import "strings"

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
