package credential

import "strings"

// lead looks at what stands before a stretch: an assignment with spaces, a
// Bearer or Basic scheme, a command-line flag, curl's -u, "the token is".
func (s *scanner) lead(start, end int) (Hit, bool) {
	t := s.text
	v := start
	for v < end && (is(t[v], quote) || t[v] == '*' || t[v] == '(') {
		v++
	}
	j := start
	for j > s.done && space(t[j-1]) {
		j--
	}
	// The = may be the last byte of the value before: it still assigns this one.
	if j == start || j == s.done && (j == 0 || t[j-1] != '=') {
		return Hit{}, false
	}
	switch t[j-1] {
	case '=', ':', '|', '>':
		return s.valueAfter(j-1, v, start, end)
	case '`', '*', '"', '\'':
		return Hit{}, false
	}
	sameLine := strings.IndexByte(t[j:start], '\n') < 0
	if !sameLine {
		return Hit{}, false
	}
	w := j
	for w > s.done && is(t[w-1], token) {
		w--
	}
	prev := t[w:j]
	switch {
	case len(prev) == 6 && hasFold(prev, 0, "bearer"), len(prev) == 5 && hasFold(prev, 0, "token") && authorization(t[max(0, w-24):w]):
		return s.opaqueAt(v, end, w, "bearer token")
	case len(prev) == 5 && hasFold(prev, 0, "basic"):
		return s.basic(v, end, w)
	case prev == "-u" || prev == "--user":
		return s.userPair(v, end)
	case strings.HasPrefix(prev, "--") && secretName(prev) != notSecret:
		return s.opaqueAt(v, end, w, "value of a secret option")
	case prev == "is" || prev == "was":
		name, at := nameBefore(t, w, s.done)
		if kindAt(t, name, at) != notSecret {
			h, ok := s.opaqueAt(v, end, at, "value of a secret")
			if ok && mixed(t[h.Start:h.End]) {
				return h, true
			}
		}
	}
	return Hit{}, false
}

// space reports ASCII white space, as \s in the specification's patterns has it.
func space(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func authorization(s string) bool { return containsFold(s, "authorization") }

// mixed asks for the three kinds of characters that a generated value has and
// prose after "is" does not.
func mixed(s string) bool {
	var seen uint16
	for i := range len(s) {
		seen |= charset[s[i]]
	}
	return len(s) >= 20 && seen&digit != 0 && seen&lower != 0 && (seen&upper != 0 || all(s, hexSet))
}

// valueEnd is the end of an unquoted or quoted value that starts at v.
func valueEnd(t string, v, end, limit int) int {
	e := v
	stopSet := stop
	if v > 0 && is(t[v-1], quote) {
		// Inside quotes only the closing quote ends a value.
		stopSet = quote
	}
	for e < end && e-v < limit && charset[t[e]]&stopSet == 0 {
		e++
	}
	return e
}

// plainEnd ends the value of a key or token at a second assignment as well:
// key=a&token=b.
func plainEnd(t string, v, end int) int {
	e := v
	for e < end && e-v < 513 {
		c := t[e]
		if is(c, stop) || c == '&' || (c == '=' || c == ':') && e+1 < end && is(t[e+1], alnum) {
			break
		}
		e++
	}
	return e
}

// opaqueAt accepts a value at v that passes the noise tests. The finding
// starts at from.
func (s *scanner) opaqueAt(v, end, from int, family string) (Hit, bool) {
	t := s.text
	e := valueEnd(t, v, end, 513)
	for e > v && (t[e-1] == '.' || t[e-1] == '!' || t[e-1] == '?' || t[e-1] == ':' || t[e-1] == '*' || t[e-1] == '(') {
		e--
	}
	if e-v < 16 || e-v > 512 || s.holdsToken(v, e) {
		return Hit{}, false
	}
	val := t[v:e]
	if reference(val) || masked(val) || identifier(val) || !opaque(val) {
		return Hit{}, false
	}
	h := found(v, e, family, "", Error)
	h.MatchStart = from
	h.Message = family + " (" + itoa(e-v) + " characters)"
	return h, true
}

// identifier reports values that are code: a call, or names joined by dots.
func identifier(s string) bool {
	if strings.ContainsAny(s, "({[") && is(s[0], alpha) && strings.IndexByte(s, '(') > 0 {
		return true
	}
	return all(s, word|dot) && strings.IndexByte(s, '.') > 0 && wordy(s, 25)
}

// holdsToken reports whether a vendor's token starts in text[v:e]: the more
// specific family reports it. The look ahead is bounded by one value.
func (s *scanner) holdsToken(v, e int) bool {
	boundary := true
	for i := v; i < e; i++ {
		c := s.text[i]
		if boundary && is(c, alnum) && opens(s.text, i, e) {
			if _, ok := s.at(i, e, false); ok {
				return true
			}
		}
		boundary = !is(c, alnum)
	}
	return false
}

func (s *scanner) tokenAt(v, end int) bool {
	if !opens(s.text, v, end) {
		return false
	}
	_, ok := s.at(v, end, false)
	return ok
}

// basic accepts the base64 of user:password.
func (s *scanner) basic(v, end, from int) (Hit, bool) {
	t := s.text
	e := v + run(t[:end], v, b64|pad, 400)
	out, ok := decode64(t[v:e])
	if !ok || e-v < 12 {
		return Hit{}, false
	}
	user, pass, ok := strings.Cut(out, ":")
	if !ok || strings.Contains(pass, "open sesame") || !printable(out) || !livePassword(pass, user) {
		return Hit{}, false
	}
	h := found(v, e, "basic authentication header", "", Error)
	h.MatchStart = from
	return h, true
}

func printable(s string) bool {
	for i := range len(s) {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// userPair accepts user:password after -u or --user.
func (s *scanner) userPair(v, end int) (Hit, bool) {
	t := s.text
	e := valueEnd(t, v, end, 200)
	at := strings.IndexByte(t[v:e], ':')
	if at < 1 || s.holdsToken(v, e) {
		return Hit{}, false
	}
	user, pass := t[v:v+at], t[v+at+1:e]
	if reference(user) || !livePassword(pass, user) {
		return Hit{}, false
	}
	h := found(v+at+1, e, "password", "", Error)
	h.MatchStart = v
	h.Message = "password of a user:password option"
	return h, true
}

// assigned looks at the = or : at p inside a stretch: a URL with a password,
// or name, separator and value in one stretch.
func (s *scanner) assigned(p, end int) (Hit, bool) {
	t := s.text
	if t[p] == ':' && strings.HasPrefix(t[p:end], "://") {
		return s.url(p, end)
	}
	v := p + 1
	if v < end && t[p] == ':' && t[v] == '=' || v < end && t[p] == '=' && t[v] == '>' {
		v++
	}
	for v < end && is(t[v], quote) && v-p < 4 {
		v++
	}
	if end-v < 8 {
		return Hit{}, false
	}
	return s.valueAfter(p, v, p+1, end)
}

// valueAfter judges the value at v behind the separator at p. Values start
// behind quotes; raw is the first byte behind separator and white space.
func (s *scanner) valueAfter(p, v, raw, end int) (Hit, bool) {
	t := s.text
	if t[p] == '>' {
		// Only => assigns.
		if p == 0 || t[p-1] != '=' {
			return Hit{}, false
		}
		p--
	}
	eq := t[p] == '='
	// A comparison assigns nothing, but the specification's pattern for a quoted
	// value asks for no more than the = before it.
	compares := eq && (p > 0 && (t[p-1] == '=' || t[p-1] == '!' || t[p-1] == '<' || t[p-1] == '>') || raw < end && t[raw] == '=')
	at := p
	if eq && at > 0 && t[at-1] == ':' {
		at--
	}
	name, nameAt := nameBefore(t, at, 0)
	kind := kindAt(t, name, nameAt)
	if compares {
		kind = notSecret
	}
	if t[p] == '|' && kind != strongName {
		return Hit{}, false
	}
	quoted := v > raw && v > 0 && (t[v-1] == '"' || t[v-1] == '\'') && v == raw+1
	specQuoted := eq && quoted && run(t[:end], v, alnum, 32) == 32
	specNamed := eq && (v == raw || quoted) && specName(t, p) > 0 && run(t[:end], v, alnum, 20) == 20
	if kind == notSecret && !specQuoted && !specNamed {
		return Hit{}, false
	}
	spec := specQuoted || specNamed
	if !spec && v < s.badValue {
		return Hit{}, false
	}
	var limit int
	if kind == passwordName || spec {
		limit = valueEnd(t, v, end, 257)
	} else if limit = plainEnd(t, v, end); limit-v < shortest {
		return Hit{}, false
	}
	// A vendor's token inside the value is reported by its own family.
	if s.holdsToken(v, min(limit, v+256)) {
		// Unless the value only goes on with it: then the whole value goes.
		if h, ok := s.spec(p, v, limit, specQuoted, specNamed); ok && !h.InWord && !s.tokenAt(v, limit) {
			return h, true
		}
		s.badValue = max(s.badValue, limit)
		return Hit{}, false
	}
	if kind != notSecret {
		if h, ok := s.named(v, end, nameAt, kind); ok {
			return h, true
		}
		s.badValue = max(s.badValue, limit)
	}
	return s.spec(p, v, limit, specQuoted, specNamed)
}

// spec reports the two assignment patterns of Parts 5 and 9 as written.
func (s *scanner) spec(p, v, limit int, specQuoted, specNamed bool) (Hit, bool) {
	t := s.text
	if !specQuoted && !specNamed {
		return Hit{}, false
	}
	h := found(v, limit, "quoted value after =", "", Error)
	h.MatchStart = p
	if specNamed {
		n := specName(t, p)
		h = found(v, limit, "value after key or token =", "", Error)
		h.MatchStart = n - 1
		if n-1 > 0 && is(t[n-2], alnum) && !specQuoted {
			h.Severity, h.InWord = Warning, true
			h.Message = "the specification's pattern for a value after key or token = matches inside a word"
		}
	}
	return h, true
}

// specName is one more than the offset of "key" or "token" that ends, with
// white space, at p; 0 when there is none.
func specName(t string, p int) int {
	j := p
	for j > 0 && space(t[j-1]) {
		j--
	}
	if hasFold(t, j-3, "key") {
		return j - 3 + 1
	}
	if hasFold(t, j-5, "token") {
		return j - 5 + 1
	}
	return 0
}

// named judges a value whose name says that it is secret.
func (s *scanner) named(v, end, from int, kind nameKind) (Hit, bool) {
	t := s.text
	if kind != passwordName {
		return s.opaqueAt(v, plainEnd(t, v, end), from, "value of a secret")
	}
	e := valueEnd(t, v, end, 129)
	for e > v && !is(t[e-1], alnum) && (t[e-1] == '.' || t[e-1] == '*') {
		e--
	}
	if e-v < 8 || e-v > 128 {
		return Hit{}, false
	}
	val := t[v:e]
	digits, sym, up, low := 0, 0, 0, 0
	for i := range len(val) {
		switch c := charset[val[i]]; {
		case c&digit != 0:
			digits++
		case c&upper != 0:
			up++
		case c&lower != 0:
			low++
		default:
			sym++
		}
	}
	if digits == 0 && (up == 0 || low == 0 || wordy(val, 25)) || digits == len(val) || up+low == 0 {
		return Hit{}, false
	}
	if reference(val) || masked(val) || identifier(val) || weak(val) || sample(val) || wordy(val, 34) && sym > 0 && digits < 3 || lowEntropy(val) {
		return Hit{}, false
	}
	h := found(v, e, "password", "", Error)
	h.MatchStart = from
	h.Message = "password after its name"
	return h, true
}

// url reports the password of scheme://user:password@host.
func (s *scanner) url(p, end int) (Hit, bool) {
	t := s.text
	b := p + 3
	stop := b
	at, colon := -1, -1
	for stop < end && stop-b < 512 {
		c := t[stop]
		if c == '/' || c == '?' || c == '#' && at >= 0 || is(c, quote) || c == '<' || c == '>' || c == '|' {
			break
		}
		if c == '@' {
			at = stop
		}
		if c == ':' && colon < 0 {
			colon = stop
		}
		stop++
	}
	if at < 0 || colon < 0 || colon > at {
		return Hit{}, false
	}
	user, pass := t[b:colon], t[colon+1:at]
	if s.holdsToken(colon+1, at) || !livePassword(unescape(pass), user) {
		return Hit{}, false
	}
	host := t[at+1 : stop]
	if (strings.HasPrefix(host, "localhost") || strings.HasPrefix(host, "127.0.0.1") || strings.HasPrefix(host, "example.")) && (wordy(pass, 34) || len(pass) < 10) {
		return Hit{}, false
	}
	w := p
	for w > 0 && p-w < 20 && (is(t[w-1], alnum) || t[w-1] == '+') {
		w--
	}
	h := found(colon+1, at, "password in a URL", "", Error)
	h.MatchStart = w
	h.Message = "password in a URL"
	return h, true
}

// unescape decodes percent escapes of ASCII, so that an encoded mask is seen
// as one.
func unescape(s string) string {
	if strings.IndexByte(s, '%') < 0 {
		return s
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && is(s[i+1], hexSet) && is(s[i+2], hexSet) {
			out = append(out, unhex(s[i+1])<<4|unhex(s[i+2]))
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}

func unhex(c byte) byte {
	if c <= '9' {
		return c - '0'
	}
	return lowerByte(c) - 'a' + 10
}
