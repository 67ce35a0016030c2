package poison

import "strings"

// interesting is the prefilter for one unit.
func interesting(h heat, sym symbol, u *Unit) bool {
	if sym&(sHigh|sControl) != 0 {
		return true
	}
	switch u.Kind {
	case Raw:
		return gateRaw(h, sym, u.Text)
	case Content, Reason, Loose, OtherFile, DemoBody:
		return gate(h, sym, u.Type == "claim") || roles(u, h, sym) != 0
	}
	return true
}

// turnLooking finds what imitates turns of a conversation without brackets.
func turnLooking(s string) bool {
	return strings.Contains(s, "uman:") || strings.Contains(s, "ssistant:") || strings.Contains(s, "ystem:") || strings.Contains(s, "###") || strings.Contains(s, "ser:") || strings.Contains(s, "[INST") || strings.Contains(s, "end of ") || strings.Contains(s, "END OF") || strings.Contains(s, "eveloper:") || strings.Contains(s, "YSTEM")
}

// roles finds what a unit may contribute to an assembly.
func roles(u *Unit, h heat, sym symbol) role {
	var r role
	claim := u.Type == "claim"
	link := sym&sColon != 0 && sym&sSlash != 0
	if !claim && u.Kind != DemoBody && (h.all(hJoin, hPart, hRun) || h.all(hDecode, hRun, hPart|hTell|hJoin) || h.all(hJoin, hRef, hRun)) {
		r |= actor
	}
	if !claim && h.all(hRef, hRun) {
		r |= caller
	}
	if h.has(hSecret) || h.has(hCommand) && (sym&(sTick|sPipe|sSlash|sDollar|sParen|sEquals) != 0 || commandName(u.Text)) || link && u.Kind != Legend || sym&sTilde != 0 || sym&sSlash != 0 && strings.Contains(u.Text, "/tmp/") || h.all(hOver, hHost) && h.has(hTurn) || h.all(hKey, hMove) || h.all(hTrigger, hPerson) {
		r |= sensitive
	}
	if claim && sym&(sQuote|sTick|sHigh|sAngle) != 0 && h.has(hPart|hDecode|hTrigger) || claim && h.has(hLong) {
		r |= series
	}
	return r
}

func commandLike(low string) bool {
	return containsAny(low, []string{"curl", "wget", "bash", "| sh", "base64", ".env", "eval", "rm -", "ssh", "http", "mailto:", "env", "token", "aws"})
}

// commandName reports a word that is the name of a program and hardly anything
// else: "requests" and "fetch" stand in every office's notes.
func commandName(text string) bool {
	return containsAny(lowerASCII(text), []string{
		"curl", "wget", "bash", "eval", "powershell", "base64", "scp", "rsync", "netcat", "nslookup", "crontab", "xxd", "openssl",
		"npx", "sendmail", "rclone", "gist", "printenv", "preload", "urlopen", "exec", "chmod", "unset", "histfile", "schtasks", "python3", "zsh", "iex", "iwr", "rm ", "sh ", "nc ", "dd ", "dig ",
	})
}
