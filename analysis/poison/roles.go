package poison

import "strings"

// interesting is the prefilter for one unit.
func interesting(s swept, u *Unit) bool {
	h, sym := s.heat, s.sym
	if sym&(sHigh|sControl) != 0 || sym&sEscape != 0 && escapes(u.Text) {
		return true
	}
	switch u.Kind {
	case Raw:
		return gateRaw(h, sym, u.Text)
	case Content, Reason, Loose, OtherFile, DemoBody:
		return s.loud || roles(u, h, s.class, sym) != 0
	}
	return true
}

// turnLooking finds what imitates turns of a conversation without brackets.
func turnLooking(s string) bool {
	return strings.Contains(s, "uman:") || strings.Contains(s, "ssistant:") || strings.Contains(s, "ystem:") || strings.Contains(s, "###") || strings.Contains(s, "ser:") || strings.Contains(s, "[INST") || strings.Contains(s, "end of ") || strings.Contains(s, "END OF") || strings.Contains(s, "eveloper:") || strings.Contains(s, "YSTEM")
}

// roles finds what a unit may contribute to an assembly.
func roles(u *Unit, h heat, k class, sym symbol) role {
	var r role
	claim := u.Type == "claim"
	link := sym&sColon != 0 && sym&sSlash != 0
	if !claim && u.Kind != DemoBody && (h.all(hJoin, hPart, hRun) || h.all(hDecode, hRun, hPart|hTell|hJoin) || h.all(hJoin, hRef, hRun)) {
		r |= actor
	}
	if !claim && h.all(hRef, hRun) {
		r |= caller
	}
	if h.has(hSecret) || h.has(hCommand) && (sym&(sTick|sPipe|sSlash|sDollar|sParen|sEquals) != 0 || k.has(kProgram)) || link && u.Kind != Legend || sym&sTilde != 0 || sym&sSlash != 0 && strings.Contains(u.Text, "/tmp/") || h.all(hOver, hHost) && h.has(hTurn) || claim && h.has(hLaw) && k.has(kVendor) || h.all(hKey, hMove) {
		r |= sensitive
	}
	if claim && sym&(sQuote|sTick|sHigh|sTypo|sAngle) != 0 && h.has(hPart|hDecode|hTrigger) || claim && h.has(hLong) {
		r |= series
	}
	if k.has(kSpell|kEntry) && canAct(u) {
		low := lowerASCII(u.Text)
		if k.has(kSpell) && spellCue(low) {
			r |= speller
		}
		if k.has(kEntry) && refCue(low) {
			r |= pointer
		}
	}
	if k.has(kCue) && containsAny(lowerASCII(u.Text), cipherCues) {
		r |= cue
	}
	return r
}
