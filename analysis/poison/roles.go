package poison

import "strings"

// interesting is the prefilter: what the words and bytes of a text must hold
// before anything else looks at it. Each line names what the rules behind it
// cannot do without.
func interesting(sum concept, sym symbol, u *Unit) bool {
	if sym&(sHigh|sControl) != 0 {
		return true
	}
	if u.Kind == Raw {
		return sym&(sAngle|sEscape) != 0 || sym&sParen != 0 && strings.Contains(u.Text, "](") || sum.has(cDecode) || strings.Contains(u.Text, "data:") ||
			encodedLooking(u.Text) || sym&sHash != 0 && strings.Count(u.Text, "#") >= 4 || strings.Contains(u.Text, "          ") || strings.Contains(u.Text, "\n\n\n\n\n\n\n\n") || strings.Contains(u.Text, "\t\t\t\t") || turnLooking(u.Text)
	}
	return gate(sum, sym, u)
}

// encodedLooking finds a run of 16 bytes that could be base64 or hexadecimal,
// or a list of codes. It reads every 16th byte only.
func encodedLooking(s string) bool {
	for i := 15; i < len(s); i += 16 {
		c := s[i]
		if !isAlnum(c) && c != '+' && c != '/' && c != '-' && c != '_' {
			continue
		}
		from, to := i, i
		mixed := uint8(0)
		for from > 0 && (isAlnum(s[from-1]) || s[from-1] == '+' || s[from-1] == '/' || s[from-1] == '-' || s[from-1] == '_') {
			from--
		}
		for to < len(s) && (isAlnum(s[to]) || s[to] == '+' || s[to] == '/' || s[to] == '-' || s[to] == '_') {
			switch {
			case s[to] >= '0' && s[to] <= '9':
				mixed |= 1
			case s[to] >= 'A' && s[to] <= 'Z':
				mixed |= 2
			case s[to] >= 'a' && s[to] <= 'z':
				mixed |= 4
			}
			to++
		}
		if to-from >= 16 && (mixed&1 != 0 || mixed == 6) {
			return true
		}
		i = max(i, to-to%16)
	}
	return listLooking(s)
}

// listLooking finds ten numbers in a row.
func listLooking(s string) bool {
	run := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c < '0' || c > '9' {
			if isAlnum(c) && (c > 'f' || c < 'a') {
				run = 0
			}
			i++
			continue
		}
		for i < len(s) && isAlnum(s[i]) {
			i++
		}
		if run++; run >= 10 {
			return true
		}
	}
	return false
}

// turnLooking finds what imitates turns of a conversation without brackets.
func turnLooking(s string) bool {
	return strings.Contains(s, "uman:") || strings.Contains(s, "ssistant:") || strings.Contains(s, "ystem:") || strings.Contains(s, "###") || strings.Contains(s, "ser:") || strings.Contains(s, "[INST") || strings.Contains(s, "end of ") || strings.Contains(s, "END OF") || strings.Contains(s, "eveloper:") || strings.Contains(s, "YSTEM")
}

const anchors = cHost | cSecret | cShell | cURL | cPersist | cConceal | cGuard | cVendor | cPrivate

// gate says whether a prose unit can matter.
func gate(sum concept, sym symbol, u *Unit) bool {
	switch u.Kind {
	case ManifestString, FrontmatterValue, YAMLComment, Legend, TableCell, RouteCell, AlwaysLoad, AgentsLine:
		return true
	case DemoBody:
		return true
	}
	return true
}

// roles finds what a unit may contribute to an assembly.
func roles(u *Unit, sum concept, sym symbol) role {
	var r role
	low := lowerASCII(u.Text)
	orders := u.Type == "directive" || u.Kind == AgentsLine || u.Kind == Loose || u.Kind == Reason || u.Kind == TableCell || u.Kind == AlwaysLoad || u.Type == "goal"
	if orders && (sum.has(cJoin) && sum.has(cPart|cRef|cDecode|cExec) || sum.has(cDecode) && sum.has(cObey|cExec|cShell|cRead) || sum.has(cRef) && sum.has(cExec|cObey)) {
		r |= actor
	}
	if sum.has(cSecret|cShell|cPersist) || sum.has(cNet) && strings.Contains(low, "://") || sym&sSlash != 0 && (strings.Contains(low, "~/") || strings.Contains(low, "://") || strings.Contains(low, "/tmp/")) || commandLike(low) || sum.has(cOverride) && sum.has(cRules|cHost) {
		r |= sensitive
	}
	if u.Type == "claim" && (strings.ContainsAny(u.Text, "\"`“'") || encodedLooking(u.Text)) && sum.has(cPart|cValue|cBe) {
		r |= series
	}
	return r
}

func commandLike(low string) bool {
	return containsAny(low, []string{"curl", "wget", "bash", "| sh", "base64", ".env", "eval", "rm -", "ssh", "http", "mailto:", "env", "token", "aws"})
}
