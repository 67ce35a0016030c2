package poison

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// unseen is a finding about characters; fix holds the bytes to delete.
type unseenHit struct {
	hit
	fix [][2]int
	// invisible runs can be raised to errors when a rule's keyword hides them.
	raise bool
}

// hiddenHits judges invisible, directional and look-alike characters of a text.
func hiddenHits(text string, fileStart bool) []unseenHit {
	var out []unseenHit
	rtlLine, rtlAt := false, -1
	lineStart := 0
	for i := 0; i < len(text); {
		c := text[i]
		if c < 0x80 {
			if c == '\n' {
				lineStart = i + 1
			}
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(text[i:])
		if !invisible(r) || r == utf8.RuneError {
			i += n
			continue
		}
		switch {
		case r >= 0xE0000 && r <= 0xE007F:
			end, msg, ok := tagRun(text, i)
			if !ok {
				out = append(out, unseenHit{hit{"hidden-unicode", Error, i, end, msg, false}, [][2]int{{i, end}}, false})
			}
			i = end
			continue
		case r >= 0xFE00 && r <= 0xFE0F || r >= 0xE0100 && r <= 0xE01EF:
			end, msg, ok := variationRun(text, i)
			if !ok {
				out = append(out, unseenHit{hit{"hidden-unicode", Error, i, end, msg, false}, [][2]int{{i, end}}, false})
			}
			i = end
			continue
		case r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069:
			end := lineEnd(text, i)
			line := text[lineStart:end]
			if h, ok := bidiLine(line, lineStart, i-lineStart); ok {
				out = append(out, h)
				i = end
				continue
			}
		case r == 0x200E || r == 0x200F || r == 0x061C:
			if lineStart != rtlAt {
				rtlAt, rtlLine = lineStart, hasRTL(text[lineStart:lineEnd(text, i)])
			}
			if !rtlLine {
				out = append(out, unseenHit{hit{"bidi-control", Warning, i, i + n, "a direction mark on a line without right-to-left letters", false}, [][2]int{{i, i + n}}, true})
			}
		case r == 0xFEFF && i == 0 && fileStart:
		default:
			// A run of invisible characters is one finding.
			end, count := i, 0
			excused := true
			for end < len(text) {
				q, m := utf8.DecodeRuneInString(text[end:])
				if !invisible(q) || q >= 0xE0000 || q >= 0xFE00 && q <= 0xFE0F || q >= 0x202A && q <= 0x202E || q >= 0x2066 && q <= 0x2069 || q == 0x200E || q == 0x200F {
					break
				}
				if !joinerFits(text, end, q, m) {
					excused = false
				}
				count++
				end += m
			}
			if !excused || count > 1 && count >= 3 {
				sev := Warning
				if count >= 8 {
					sev = Error
				}
				out = append(out, unseenHit{hit{"hidden-unicode", sev, i, end, "invisible characters (" + codes(text[i:end]) + ")", false}, [][2]int{{i, end}}, true})
			}
			i = end
			continue
		}
		i += n
	}
	return out
}

func lineEnd(s string, i int) int {
	if at := strings.IndexAny(s[i:], "\n\r"); at >= 0 {
		return i + at
	}
	return len(s)
}

func codes(s string) string {
	var b strings.Builder
	seen := 0
	for _, r := range s {
		if seen == 4 {
			b.WriteString(" …")
			break
		}
		if seen > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(hexRune(r))
		seen++
	}
	return b.String()
}

func hexRune(r rune) string {
	const digits = "0123456789ABCDEF"
	out := []byte("U+")
	started := false
	for shift := 20; shift >= 0; shift -= 4 {
		d := (r >> shift) & 15
		if d != 0 || started || shift <= 12 {
			started = true
			out = append(out, digits[d])
		}
	}
	return string(out)
}

// tagRun judges a run of tag characters. Only the three flags of the RGI set
// are excused.
func tagRun(text string, i int) (end int, msg string, ok bool) {
	var b strings.Builder
	end = i
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		if r < 0xE0000 || r > 0xE007F {
			break
		}
		if r >= 0xE0020 && r < 0xE007F {
			b.WriteByte(byte(r - 0xE0000))
		}
		end += n
	}
	if strings.HasSuffix(text[:i], "🏴") && (b.String() == "gbeng" || b.String() == "gbsct" || b.String() == "gbwls") && strings.HasSuffix(text[i:end], "\U000E007F") {
		return end, "", true
	}
	return end, "tag characters spell hidden text: " + show(b.String()), false
}

// variationRun judges variation selectors: one may follow an emoji or an
// ideograph, more are bytes in disguise.
func variationRun(text string, i int) (end int, msg string, ok bool) {
	count := 0
	var decoded []byte
	end = i
	for end < len(text) {
		r, n := utf8.DecodeRuneInString(text[end:])
		switch {
		case r >= 0xFE00 && r <= 0xFE0F:
			decoded = append(decoded, byte(r-0xFE00))
		case r >= 0xE0100 && r <= 0xE01EF:
			decoded = append(decoded, byte(r-0xE0100+16))
		default:
			r = 0
		}
		if r == 0 {
			break
		}
		count++
		end += n
	}
	base, _ := utf8.DecodeLastRuneInString(text[:i])
	first, _ := utf8.DecodeRuneInString(text[i:])
	if count == 1 {
		switch {
		case first == 0xFE0E || first == 0xFE0F:
			if emojiBase(base) || base >= '0' && base <= '9' || base == '#' || base == '*' || base >= 0x2190 && base <= 0x2BFF || unicode.Is(unicode.Han, base) || base >= 0x3000 && base <= 0x303F {
				return end, "", true
			}
		case first >= 0xE0100:
			if unicode.Is(unicode.Han, base) {
				return end, "", true
			}
		default:
			if unicode.Is(unicode.Han, base) || base >= 0x2200 && base <= 0x22FF || unicode.Is(unicode.Myanmar, base) || unicode.Is(unicode.Mongolian, base) || base >= 0x3000 && base <= 0x303F || base >= 0xFF00 && base <= 0xFF60 || base == '0' || base >= 0xA840 && base <= 0xA87F {
				return end, "", true
			}
		}
	}
	msg = "variation selectors used as hidden bytes"
	if printableShare(string(decoded)) > 0.9 && len(decoded) > 3 {
		msg += ": " + show(string(decoded))
	}
	return end, msg, false
}

func emojiBase(r rune) bool {
	switch {
	case r >= 0x1F000 && r <= 0x1FAFF, r >= 0x2600 && r <= 0x27BF, r >= 0x2190 && r <= 0x21FF, r >= 0x2300 && r <= 0x23FF, r >= 0x25A0 && r <= 0x25FF, r >= 0x2B00 && r <= 0x2BFF:
		return true
	case r == 0xA9, r == 0xAE, r == 0x203C, r == 0x2049, r == 0x2122, r == 0x2139, r == 0x24C2, r == 0x3030, r == 0x303D, r == 0x3297, r == 0x3299, r >= 0x2934 && r <= 0x2935, r == 0x20E3:
		return true
	}
	return false
}

// viramas kill the vowel of an Indic consonant; joiners behind them are
// spelling.
const viramas = "\u094D\u09CD\u0A4D\u0ACD\u0B4D\u0BCD\u0C4D\u0CCD\u0D4D\u0DCA\u1039\u103A\u17D2\u1B44\uA9C0\uA953\uA806\uABED"

func cursive(r rune) bool {
	return unicode.IsLetter(r) && (unicode.Is(unicode.Arabic, r) || unicode.Is(unicode.Syriac, r) || unicode.Is(unicode.Mongolian, r) || unicode.Is(unicode.Nko, r) || unicode.Is(unicode.Adlam, r) || unicode.Is(unicode.Hanifi_Rohingya, r) || unicode.Is(unicode.Mandaic, r) || unicode.Is(unicode.Phags_Pa, r))
}

// joinerFits reports whether an invisible character has a job in the script
// around it.
func joinerFits(text string, i int, r rune, n int) bool {
	before, after := letterBefore(text, i), letterAfter(text, i+n)
	prev, _ := utf8.DecodeLastRuneInString(text[:i])
	next, _ := utf8.DecodeRuneInString(text[i+n:])
	switch r {
	case 0x200C:
		return cursive(before) && cursive(after) || strings.ContainsRune(viramas, prev) || indic(prev) && indic(next)
	case 0x200D:
		if (emojiBase(emojiBefore(text, i)) || prev == 0xFE0F) && emojiBase(next) {
			return true
		}
		return cursive(before) || cursive(after) || strings.ContainsRune(viramas, prev) || strings.ContainsRune(viramas, next)
	case 0x200B:
		return spaceless(before) || spaceless(after)
	case 0x00AD:
		return unicode.IsLetter(prev) && unicode.IsLetter(next)
	case 0x034F:
		return unicode.IsMark(next) || unicode.Is(unicode.Hebrew, before)
	case 0x180B, 0x180C, 0x180D, 0x180E:
		return unicode.Is(unicode.Mongolian, before)
	case 0x115F, 0x1160:
		return next >= 0x1100 && next <= 0x11FF || prev >= 0x1100 && prev <= 0x11FF
	case 0x17B4, 0x17B5:
		return unicode.Is(unicode.Khmer, before)
	}
	return false
}

func indic(r rune) bool {
	return unicode.In(r, unicode.Devanagari, unicode.Bengali, unicode.Gurmukhi, unicode.Gujarati, unicode.Oriya, unicode.Tamil, unicode.Telugu, unicode.Kannada, unicode.Malayalam, unicode.Sinhala)
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar, unicode.Tibetan, unicode.Javanese, unicode.Balinese, unicode.Tai_Tham)
}

// farthest is how many marks and invisible characters are skipped to find the
// letter that a joiner belongs to.
const farthest = 12

func letterBefore(text string, i int) rune {
	for step := 0; i > 0 && step < farthest; step++ {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		if !unicode.IsMark(r) && !invisible(r) {
			return r
		}
		i -= n
	}
	return 0
}

func emojiBefore(text string, i int) rune {
	for step := 0; i > 0 && step < farthest; step++ {
		r, n := utf8.DecodeLastRuneInString(text[:i])
		if r != 0xFE0F && !(r >= 0x1F3FB && r <= 0x1F3FF && i > n) {
			return r
		}
		i -= n
	}
	return 0
}

func letterAfter(text string, i int) rune {
	for step := 0; i < len(text) && step < farthest; step++ {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !unicode.IsMark(r) && !invisible(r) {
			return r
		}
		i += n
	}
	return 0
}

func hasRTL(s string) bool {
	for _, r := range s {
		if r >= 0x590 && unicode.In(r, unicode.Hebrew, unicode.Arabic, unicode.Syriac, unicode.Thaana, unicode.Nko, unicode.Adlam) {
			return true
		}
	}
	return false
}

// bidiLine judges the embeddings, overrides and isolates of a line.
func bidiLine(line string, at, _ int) (unseenHit, bool) {
	var stack []rune
	first, last := -1, 0
	override, unbalanced := false, false
	for i, r := range line {
		n := utf8.RuneLen(r)
		switch r {
		case 0x202D, 0x202E:
			override = true
			stack = append(stack, r)
		case 0x202A, 0x202B, 0x2066, 0x2067, 0x2068:
			stack = append(stack, r)
		case 0x202C:
			if len(stack) == 0 || stack[len(stack)-1] >= 0x2066 {
				unbalanced = true
			} else {
				stack = stack[:len(stack)-1]
			}
		case 0x2069:
			if len(stack) == 0 || stack[len(stack)-1] < 0x2066 {
				unbalanced = true
			} else {
				stack = stack[:len(stack)-1]
			}
		default:
			continue
		}
		if first < 0 {
			first = i
		}
		last = i + n
	}
	if first < 0 {
		return unseenHit{}, false
	}
	var fix [][2]int
	for i, r := range line {
		if r >= 0x202A && r <= 0x202E || r >= 0x2066 && r <= 0x2069 {
			fix = append(fix, [2]int{at + i, at + i + utf8.RuneLen(r)})
		}
	}
	h := unseenHit{hit{"bidi-control", Error, at + first, at + last, "", false}, fix, false}
	switch {
	case override:
		h.msg = "a direction override shows the text in another order than it is read"
	case unbalanced || len(stack) > 0:
		h.msg = "direction controls that are not balanced on their line"
	case hasRTL(line):
		return unseenHit{}, false
	default:
		h.sev, h.msg = Warning, "direction controls around text without right-to-left letters"
	}
	return h, true
}

// lookalikes judges words that mix scripts, styled letters and hosts.
func lookalikes(text string) []hit {
	var out []hit
	for i := 0; i < len(text); {
		if text[i] < 0x80 {
			i++
			continue
		}
		// Widen to the word around the first non-ASCII byte.
		s := i
		for s > 0 && (text[s-1] >= 0x80 || isAlnum(text[s-1])) {
			s--
		}
		e := i
		for e < len(text) && (text[e] >= 0x80 || isAlnum(text[e])) {
			e++
		}
		for s < e {
			ws := s
			r, n := utf8.DecodeRuneInString(text[s:])
			if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
				s += n
				continue
			}
			for s < e {
				r, n := utf8.DecodeRuneInString(text[s:])
				if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) {
					break
				}
				s += n
			}
			w := text[ws:s]
			if isASCII(w) {
				continue
			}
			styled := 0
			for _, r := range w {
				if r >= 0x1D400 && r <= 0x1D7FF {
					styled++
				}
			}
			if styled >= 3 {
				out = append(out, hit{"homoglyph", Warning, ws, s, "a word in mathematical letters that scanners and searches miss", false})
				continue
			}
			if f := fullWidth(w); f != "" && (commandNames.has(f) || lex().words[f]&(cOverride|cSecret|cShell|cHost|cExec|cSend) != 0) {
				out = append(out, hit{"homoglyph", Error, ws, s, "a command or keyword in full-width letters (" + show(f) + ")", false})
				continue
			}
			skel, mixed, all := skeleton(w)
			switch {
			case mixed && utf8.RuneCountInString(w) >= 3:
				sev := Warning
				msg := "one word mixes alphabets (it only looks like " + show(skel) + ")"
				if inHost(text, ws, s) || lex().words[lowerASCII(skel)] != 0 || commandNames.has(lowerASCII(skel)) {
					sev = Error
				}
				out = append(out, hit{"homoglyph", sev, ws, s, msg, false})
			case all && inHost(text, ws, s) && len(skel) > 2 && !foreignHost(text, ws, s):
				out = append(out, hit{"homoglyph", Error, ws, s, "a host name in look-alike letters (it only looks like " + show(skel) + ")", false})
			}
		}
		i = e
	}
	return out
}

// fullWidth folds a word of full-width letters, "" when it is none.
func fullWidth(w string) string {
	var b []byte
	for _, r := range w {
		if r < 0xFF01 || r > 0xFF5E {
			return ""
		}
		b = append(b, byte(r-0xFF01+'!'))
	}
	return lowerASCII(string(b))
}

func isAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// inHost reports whether text[s:e] is a label of a host: inside a URL or in
// front of a dot and a top-level domain.
func inHost(text string, s, e int) bool {
	from := s
	for from > 0 && text[from-1] > ' ' && text[from-1] != '"' && text[from-1] != '(' {
		from--
	}
	to := e
	for to < len(text) && text[to] > ' ' && text[to] != '"' && text[to] != ')' {
		to++
	}
	w := text[from:to]
	return strings.Contains(w, "://") || isHost(strings.Trim(w, "`.,<>*"))
}

// foreignHost: a whole host in its own script, top level included.
func foreignHost(text string, _, e int) bool {
	at := strings.LastIndexByte(text[:min(len(text), lineEnd(text, e))], '.')
	return at >= e && at+1 < len(text) && text[at+1] >= 0x80
}
