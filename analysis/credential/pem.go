package credential

import "strings"

// pem reports a private key whose body is, or is in, the stretch
// text[start:end]: a line of base64 below a BEGIN line, or header and body in
// one stretch with escaped line ends.
func (s *scanner) pem(start, end int) (Hit, bool) {
	t := s.text
	b, begin := start, -1
	switch {
	case strings.HasPrefix(t[start:end], "KEY-----"):
		b = start + len("KEY-----")
		begin = header(t, b)
	case below(t, start) && run(t[:end], start, b64|pad, 40) == 40:
		begin = s.above(start)
	}
	if begin < 0 {
		return Hit{}, false
	}
	body, stop := pemBody(t, b)
	if body < 0 {
		return Hit{}, false
	}
	family := "private key"
	if nl := strings.Index(t[begin:min(len(t), begin+60)], "OPENSSH"); nl >= 0 {
		family = "OpenSSH private key"
	} else if strings.HasPrefix(t[body:], "MC4CAQAwBQYDK2VwBCIEI") {
		family = "Ed25519 private key"
	}
	h := found(body, stop, family, "", Error)
	h.MatchStart = begin
	h.Message = family + " in PEM form"
	return h, true
}

// below reports whether start may be the first line under a header: the byte
// before, white space and quoting skipped, ends a BEGIN line, or a blank line
// stands between.
func below(t string, start int) bool {
	ends := 0
	for j := start - 1; j >= 0 && start-j < 24; j-- {
		switch c := t[j]; {
		case c == '\n':
			ends++
		case c == '-':
			return true
		case c > ' ' && c != '>' && !is(c, quote):
			return ends > 1
		}
	}
	return false
}

// header returns the offset of the BEGIN line that ends at end, or -1.
func header(t string, end int) int {
	from := max(0, end-48)
	line := t[from:end]
	at := strings.LastIndex(line, "-----BEGIN ")
	if at < 0 || !strings.Contains(line[at:], "PRIVATE KEY") || strings.IndexByte(line[at:], '\n') >= 0 {
		return -1
	}
	return from + at
}

// above looks upwards from a line of base64 for its BEGIN line; only header
// lines such as Proc-Type and blank ones may stand between.
func (s *scanner) above(start int) int {
	t := s.text
	from := max(s.done, start-256)
	seg := t[from:start]
	at := strings.LastIndex(seg, "KEY-----")
	if b := strings.LastIndex(seg, "KEY BLOCK-----"); b > at {
		at = b + len("KEY BLOCK-----") - len("KEY-----")
	}
	if at < 0 {
		return -1
	}
	end := from + at + len("KEY-----")
	between := t[end:start]
	for line := range strings.SplitSeq(between, "\n") {
		line = strings.Trim(line, " \t\r>|\"'\\")
		if line != "" && !strings.Contains(line, ": ") {
			return -1
		}
	}
	return header(t, end)
}

// pemBody returns the span of the base64 lines from b on, or -1 when there is
// no plausible key. Line ends may be escaped.
func pemBody(t string, b int) (int, int) {
	start, last, total := -1, b, 0
	lines := 0
	for i := b; i < len(t) && lines < 400; lines++ {
		for i < len(t) && (t[i] == ' ' || t[i] == '\t' || t[i] == '\r' || t[i] == '\n' || t[i] == '>' || is(t[i], quote) || t[i] == '+' && start < 0 || t[i] == ',' || t[i] == '|') {
			i++
		}
		if strings.HasPrefix(t[i:], `\n`) || strings.HasPrefix(t[i:], `\r`) {
			i += 2
			continue
		}
		if strings.HasPrefix(t[i:], "-----") {
			break
		}
		n := run(t, i, b64|pad, 4096)
		if n < 4 {
			// A header line such as Proc-Type, at most a few of them.
			if start >= 0 || !headerLine(t, i) {
				break
			}
			nl := strings.IndexByte(t[i:], '\n')
			if nl < 0 {
				break
			}
			i += nl + 1
			continue
		}
		if start < 0 && headerLine(t, i) {
			nl := strings.IndexByte(t[i:], '\n')
			if nl < 0 {
				break
			}
			i += nl + 1
			continue
		}
		if n < 16 && start < 0 {
			break
		}
		if i+n < len(t) && strings.HasPrefix(t[i+n:], "...") {
			break
		}
		if start < 0 {
			start = i
		}
		i += n
		total += n
		last = i
	}
	if start < 0 || total < 60 || lowEntropy(t[start:min(last, start+64)]) || patterned(t[start:min(last, start+32)]) {
		return -1, -1
	}
	return start, last
}

// headerLine reports an RFC 1421 header such as "Proc-Type: 4,ENCRYPTED".
func headerLine(t string, i int) bool {
	n := run(t, i, alnum|dash, 24)
	return n > 2 && i+n+1 < len(t) && t[i+n] == ':' && t[i+n+1] == ' '
}
