package poison

import (
	"encoding/base64"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/credential"
)

// show writes text for a message: one line, printable, cut, credentials masked.
func show(s string) string {
	s = credential.MaskText(s)
	var b strings.Builder
	b.WriteByte('"')
	n := 0
	for _, r := range s {
		if n >= 120 {
			b.WriteString("…")
			break
		}
		n++
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r < 0x20 || r == 0x7f || r == utf8.RuneError || invisible(r):
			b.WriteString("·")
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

func printableShare(s string) float64 {
	if s == "" || !utf8.ValidString(s) {
		return 0
	}
	good := 0
	for _, r := range s {
		if r >= 0x20 && r != 0x7f && r != utf8.RuneError || r == '\n' || r == '\t' || r == '\r' {
			good++
		}
	}
	return float64(good) / float64(utf8.RuneCountInString(s))
}

// unfinished begins every message that says that a bound was reached: what is
// behind it is not judged, and a gate must not take that for clean.
const unfinished = "not fully analysed"

// maxDecoded is how much of an encoded text is decoded, and how much of a hidden
// one is read, in bytes. Beyond it the finding says so.
const maxDecoded = 1 << 20

// maxNesting is how many encodings inside each other are resolved.
const maxNesting = 3

// decoded is a text found inside another.
type decoded struct {
	start, end int
	text       string
	how        string
	cut        bool // there is more than maxDecoded
}

// decodings finds encoded texts: base64, hexadecimal, percent and character
// code lists. Escapes and entities belong to the readable layer.
func decodings(text string) []decoded {
	var out []decoded
	for i := 0; i < len(text); {
		c := text[i]
		if !isAlnum(c) && c != '%' && c != '#' && c != '\\' {
			i++
			continue
		}
		e := i
		for e < len(text) && (isAlnum(text[e]) || text[e] == '+' || text[e] == '/' || text[e] == '-' || text[e] == '_') {
			e++
		}
		if e-i >= 16 {
			p := e
			for p < len(text) && text[p] == '=' && p < e+2 {
				p++
			}
			if d, ok := base64Text(text[i:e]); ok {
				out = append(out, decoded{i, p, d, "base64", e-i > maxDecoded/3*4})
				i = p
				continue
			}
			if d, ok := hexText(text[i:e]); ok {
				out = append(out, decoded{i, e, d, "hexadecimal", e-i > 2*maxDecoded})
				i = e
				continue
			}
		}
		if d, end, how := codeList(text, i); end > 0 {
			if d != "" {
				out = append(out, decoded{i, end, d, how, false}) // a longer list goes on with the next one
			}
			i = end
			continue
		}
		i = max(e, i+1)
	}
	return out
}

func base64Text(s string) (string, bool) {
	if len(s) > maxDecoded/3*4 {
		s = s[:maxDecoded/3*4]
	}
	trimmed := s
	if len(trimmed)%4 == 1 {
		trimmed = trimmed[:len(trimmed)-1]
	}
	enc := base64.RawStdEncoding
	if strings.ContainsAny(trimmed, "-_") {
		enc = base64.RawURLEncoding
	}
	b, err := enc.DecodeString(trimmed)
	if err != nil || len(b) < 10 {
		return "", false
	}
	text := narrow(string(b))
	if printableShare(text) < 0.95 {
		return "", false
	}
	return text, hasText(text)
}

// narrow turns UTF-16 of plain letters into these; other text stays as it is.
func narrow(s string) string {
	if len(s)%2 != 0 || strings.Count(s, "\x00")*2 != len(s) {
		return s
	}
	for first := range 2 {
		b := make([]byte, 0, len(s)/2)
		for i := first; i < len(s); i += 2 {
			if s[i] == 0 || s[i^1] != 0 {
				b = nil
				break
			}
			b = append(b, s[i])
		}
		if b != nil {
			return string(b)
		}
	}
	return s
}

// hasText asks for letters enough to be a message.
func hasText(s string) bool {
	letters := 0
	for i := range len(s) {
		if s[i] >= 'a' && s[i] <= 'z' || s[i] >= 'A' && s[i] <= 'Z' || s[i] >= 0x80 {
			letters++
		}
	}
	return letters*2 > len(s)
}

func hexText(s string) (string, bool) {
	if len(s)%2 != 0 || len(s) < 20 {
		return "", false
	}
	b := make([]byte, 0, len(s)/2)
	for i := 0; i+1 < len(s) && len(b) < maxDecoded; i += 2 {
		hi, lo := hexDigit(s[i]), hexDigit(s[i+1])
		if hi < 0 || lo < 0 {
			return "", false
		}
		b = append(b, byte(hi<<4|lo))
	}
	if printableShare(string(b)) < 0.95 {
		return "", false
	}
	return string(b), hasText(string(b))
}

// codeList decodes lists of percent escapes, \x escapes, colours, decimal or
// hexadecimal character codes.
func codeList(text string, i int) (string, int, string) {
	if text[i] == '%' || text[i] == '\\' {
		var b []byte
		j := i
		for j+2 < len(text) {
			if text[j] == '%' {
				v, ok := hexInt(text[j+1 : j+3])
				if !ok {
					break
				}
				b = append(b, byte(v))
				j += 3
				continue
			}
			if text[j] == '\\' && text[j+1] == 'x' && j+3 < len(text) {
				v, ok := hexInt(text[j+2 : j+4])
				if !ok {
					break
				}
				b = append(b, byte(v))
				j += 4
				continue
			}
			// Unescaped bytes between escapes.
			if len(b) > 0 && isAlnum(text[j]) && j+1 < len(text) && (text[j+1] == '%' || text[j+1] == '\\') {
				b = append(b, text[j])
				j++
				continue
			}
			break
		}
		if len(b) >= 8 && printableShare(string(b)) >= 0.95 && hasText(string(b)) {
			return string(b), j, "percent encoding"
		}
		return "", 0, ""
	}
	// #69676e #6f7265
	if text[i] == '#' {
		var b []byte
		j := i
		for j+6 < len(text) && text[j] == '#' {
			chunk, ok := hexChunk(text[j+1 : min(len(text), j+7)])
			if !ok {
				break
			}
			b = append(b, chunk...)
			j += 7
			k := j
			for k < len(text) && k < j+5 && (text[k] == ' ' || text[k] == ',' || strings.HasPrefix(text[k:], "and ")) {
				if text[k] == 'a' {
					k += 3
				}
				k++
			}
			if k < len(text) && text[k] == '#' {
				j = k
				continue
			}
			break
		}
		s := strings.TrimRight(string(b), "\x00")
		if len(b) >= 12 && printableShare(s) >= 0.95 && hasText(s) {
			return s, j, "colour codes"
		}
		return "", 0, ""
	}
	if i > 0 && isAlnum(text[i-1]) || !isDigitOrHex(text[i]) {
		return "", 0, ""
	}
	for _, mode := range []struct {
		base int
		how  string
	}{{10, "character codes"}, {16, "hexadecimal codes"}} {
		var b []byte
		j := i
		last := i
		for j < len(text) {
			k := j
			if mode.base == 16 && strings.HasPrefix(text[k:], "0x") {
				k += 2
			}
			n := k
			for n < len(text) && (mode.base == 10 && text[n] >= '0' && text[n] <= '9' || mode.base == 16 && hexDigit(text[n]) >= 0) {
				n++
			}
			var v int
			var ok bool
			if mode.base == 10 {
				v, ok = parseInt(text[k:n])
				ok = ok && n-k <= 3
			} else {
				v, ok = hexInt(text[k:n])
				ok = ok && n-k == 2
			}
			if !ok || v < 9 || v > 126 {
				break
			}
			b = append(b, byte(v))
			last = n
			if len(b) >= maxDecoded {
				break
			}
			j = n
			for j < len(text) && (text[j] == ' ' || text[j] == ',' || text[j] == '-' || text[j] == ':' || text[j] == '.') && j < n+3 {
				j++
			}
			if j == n {
				break
			}
		}
		if len(b) >= 10 && printableShare(string(b)) >= 0.95 && hasText(string(b)) {
			return string(b), last, mode.how
		}
		if len(b) > 200 {
			// A long list that spells nothing is not read again from its middle.
			return "", last, ""
		}
	}
	return "", 0, ""
}

func hexChunk(s string) ([]byte, bool) {
	if len(s) < 6 {
		return nil, false
	}
	var b []byte
	for i := 0; i < 6; i += 2 {
		v, ok := hexInt(s[i : i+2])
		if !ok {
			return nil, false
		}
		b = append(b, byte(v))
	}
	return b, true
}

func isDigitOrHex(c byte) bool { return hexDigit(c) >= 0 }

// actionFacts reports whether a text that somebody took the trouble to encode
// or hide would make an agent act, and by which rule.
func actionFacts(text string, depth int) (string, bool) {
	cut := len(text) > maxDecoded
	if cut {
		text = text[:maxDecoded]
	}
	if l, changed := readable(text); changed {
		text = l.text
	}
	r := proseRules(text, orders, OtherFile, true)
	best := ""
	for _, h := range r.hits {
		if h.sev >= Warning {
			return h.rule, true
		}
	}
	for _, h := range commandHits(text) {
		if h.sev >= Warning {
			return h.rule, true
		}
	}
	c := r.all
	verb := c.has(cSend | cRead | cFetch | cExec | cWrite)
	switch {
	case c.has(cSecret) && verb && hasStrongSecret(r):
		best = "secret-access"
	case c.has(cOverride) && c.has(cHost) || c.has(cOverride) && c.has(cRules) && c.has(cPrior):
		best = "instruction-override"
	case c.has(cPersist) && c.has(cWrite):
		best = "persistence"
	case c.has(cURL) && c.has(cShell) || containsAny(lowerASCII(text), []string{"curl ", "wget ", "rm -rf", "bash -c", "/bin/sh", "nc -", "eval(", "fetch(", "iwr ", "invoke-"}):
		best = "remote-exec"
	case c.has(cURL) && c.has(cSend|cFetch) && strings.Contains(text, "://") && strings.Contains(strings.TrimSpace(text), " "):
		best = "exfiltration"
	}
	if best != "" {
		return best, true
	}
	for _, d := range decodings(text) {
		if depth >= maxNesting {
			return unfinished, true
		}
		if rule, ok := actionFacts(d.text, depth+1); ok {
			return rule, true
		}
		cut = cut || d.cut
	}
	if cut {
		return unfinished, true
	}
	return "", false
}

func hasStrongSecret(r *reader) bool {
	for i := range r.toks {
		if _, strong, _ := r.material(i); strong {
			return true
		}
	}
	return false
}

// encodedHits judges what is encoded inside a text.
func encodedHits(text string) []hit {
	var out []hit
	for _, d := range decodings(text) {
		if rule, ok := actionFacts(d.text, 1); ok {
			out = append(out, hit{"encoded-payload", Error, d.start, d.end, d.how + " hides " + article(rule) + ": " + show(d.text), false})
		} else if d.cut {
			out = append(out, hit{"encoded-payload", Error, d.start, d.end, d.how + " hides " + article(unfinished) + ": " + show(d.text), false})
		}
	}
	return out
}

func article(rule string) string {
	if rule == unfinished {
		return "more than is decoded or read (" + unfinished + ")"
	}
	return "text of the kind " + rule
}

var scriptTypes = []string{"text/html", "application/xhtml", "text/javascript", "application/javascript", "application/ecmascript", "text/ecmascript", "application/x-sh", "text/x-sh", "application/x-shellscript", "text/x-shellscript", "text/x-python", "application/x-powershell", "text/vbscript", "application/hta", "text/xml", "application/xml", "application/x-msdownload", "application/octet-stream-sh"}

// dataURIs judges data: addresses by type and, for pictures, content.
func dataURIs(text string) []hit {
	var out []hit
	low := lowerASCII(text)
	for i := 0; ; {
		at := strings.Index(low[i:], "data:")
		if at < 0 {
			return out
		}
		s := i + at
		i = s + 5
		if s > 0 && isAlnum(low[s-1]) {
			continue
		}
		e := s + 5
		for e < len(low) && low[e] > ' ' && strings.IndexByte("\"')>`", low[e]) < 0 {
			e++
		}
		mime, body, ok := strings.Cut(text[s+5:e], ",")
		if !ok || strings.IndexByte(mime, '/') < 0 {
			continue
		}
		m := lowerASCII(mime)
		content := body
		if strings.Contains(m, "base64") {
			if b, err := base64.StdEncoding.DecodeString(strings.TrimRight(body, "=") + strings.Repeat("=", (4-len(strings.TrimRight(body, "="))%4)%4)); err == nil {
				content = string(b)
			}
		}
		c := lowerASCII(content)
		switch {
		case containsAny(m, scriptTypes):
			out = append(out, hit{"data-uri", Error, s, e, "a data: address of a type that can run (" + strings.SplitN(m, ";", 2)[0] + ")", false})
		case strings.Contains(m, "svg") && containsAny(c, []string{"<script", "onload", "onclick", "onerror", "foreignobject", "javascript:", "onbegin", "onmouse", "%3cscript", "onload%3d", "xlink:href=\"http", "href=\"http"}):
			out = append(out, hit{"data-uri", Error, s, e, "a data: picture that holds a script", false})
		case strings.HasPrefix(m, "text/plain") || strings.HasPrefix(m, "text/markdown") || strings.HasPrefix(m, ";") || strings.HasPrefix(m, "application/json"):
			if rule, ok := actionFacts(content, 1); ok {
				out = append(out, hit{"data-uri", Error, s, e, "a data: address hides " + article(rule), false})
			}
		}
		i = e
	}
}
