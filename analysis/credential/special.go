package credential

import "strings"

const openAI = "T3BlbkFJ" // base64 of "OpenAI", in every key of theirs

// special matches the formats that have more structure than a prefix and a
// length.
func (s *scanner) special(i, end int) (Hit, bool) {
	t := s.text[:end]
	switch t[i] {
	case 's':
		if strings.HasPrefix(t[i:], "sk-") {
			return s.sk(i, end)
		}
	case 'x':
		if strings.HasPrefix(t[i:], "xox") || strings.HasPrefix(t[i:], "xapp-") {
			return s.slack(i, end)
		}
	case 'g':
		if strings.HasPrefix(t[i:], "glpat-") {
			return s.gitlab(i, end)
		}
		if strings.HasPrefix(t[i:], "ghs_") {
			return s.installation(i, end)
		}
	case 'e':
		if strings.HasPrefix(t[i:], "eyJ") {
			return s.jwt(i, i, end, "JSON Web Token", "")
		}
	case 'r':
		if strings.HasPrefix(t[i:], "re_") {
			return resend(t, i)
		}
	case 'M', 'N', 'O':
		return s.discord(i, end)
	case 'h':
		if strings.HasPrefix(t[i:], "hooks.slack.com/") {
			return slackHook(t, i)
		}
	case 'd':
		if strings.HasPrefix(t[i:], "discord.com/api/") || strings.HasPrefix(t[i:], "discordapp.com/api/") {
			return discordHook(t, i)
		}
	case 'f':
		if strings.HasPrefix(t[i:], "fm1") || strings.HasPrefix(t[i:], "fm2_") {
			return fly(t, i)
		}
	case '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return s.telegram(i, end)
	}
	return Hit{}, false
}

// dash is the end of the run of [A-Za-z0-9_-] at i, measured once per run.
func (s *scanner) dash(i, end int) int {
	if i >= s.dashEnd {
		s.dashEnd = i + run(s.text[:end], i, token, end)
	}
	return min(s.dashEnd, end)
}

// dotted is the same with dots.
func (s *scanner) dotted(i, end int) int {
	if i >= s.dotEnd {
		s.dotEnd = i + run(s.text[:end], i, token|dot, end)
	}
	return min(s.dotEnd, end)
}

// skKinds are the vendors that put more words behind sk-.
var skKinds = []struct {
	prefix, family string
	min, max       int
}{
	{"sk-proj-", "OpenAI project key", 40, 220},
	{"sk-svcacct-", "OpenAI service account key", 40, 220},
	{"sk-admin-", "OpenAI admin key", 40, 220},
	{"sk-None-", "OpenAI key", 40, 220},
	{"sk-ant-api", "Anthropic API key", 83, 140},
	{"sk-ant-admin", "Anthropic admin key", 83, 140},
	{"sk-ant-oat", "Anthropic OAuth access token", 40, 220},
	{"sk-ant-ort", "Anthropic OAuth refresh token", 40, 220},
	{"sk-ant-sid", "Anthropic session key", 40, 220},
	{"sk-or-v1-", "OpenRouter key", 64, 64},
	{"sk-lf-", "Langfuse secret key", 36, 36},
}

func (s *scanner) sk(i, end int) (Hit, bool) {
	t := s.text
	stop := s.dash(i, end)
	for _, k := range skKinds {
		if !strings.HasPrefix(t[i:stop], k.prefix) {
			continue
		}
		b := i + len(k.prefix)
		shown := k.prefix
		if strings.HasPrefix(k.prefix, "sk-ant-") {
			// Two digits and a hyphen name the version of the format.
			if run(t[:stop], b, digit, 2) != 2 || b+3 > stop || t[b+2] != '-' {
				return Hit{}, false
			}
			shown = t[i : b+3]
			b += 3
		}
		// A run far too long is no key, unless the vendor's constant is where
		// a key has it; measuring stays bounded either way.
		n := stop - b
		if n > k.max {
			n = trim(t, b, min(n, k.max+8), k.max)
		}
		body := t[b : b+min(n, k.max)]
		if at := constant(body); at > 0 {
			return found(i, b+openAIEnd(body, at), k.family, shown, Error), true
		}
		if n < k.min || n > k.max {
			return Hit{}, false
		}
		if !random(body) {
			return Hit{}, false
		}
		if k.prefix == "sk-or-v1-" && !all(body, hexSet) || k.prefix == "sk-lf-" && !uuid(body) {
			return Hit{}, false
		}
		return found(i, b+n, k.family, shown, Error), true
	}
	// sk-service-<name>-… and whatever comes next carry the constant too.
	body := t[i+3 : min(stop, i+260)]
	if strings.ContainsAny(body[:min(len(body), 20)], "-_") {
		if at := constant(body); at > 0 {
			return found(i, i+3+openAIEnd(body, at), "OpenAI key", "sk-", Error), true
		}
	}
	return Hit{}, false
}

// constant is the offset of the vendor's constant in a body with at least 20
// bytes on both sides of it, else 0.
func constant(body string) int {
	at := strings.Index(body, openAI)
	if at < 20 || len(body)-at-len(openAI) < 20 || sample(body) {
		return 0
	}
	return at
}

func openAIEnd(body string, at int) int { return min(len(body), at+len(openAI)+110) }

// resend matches re_<8>_<24> in base58, which has no 0 O I l.
func resend(t string, i int) (Hit, bool) {
	if len(t) < i+36 || t[i+11] != '_' || !closes(t, i+36) {
		return Hit{}, false
	}
	head, tail := t[i+3:i+11], t[i+12:i+36]
	if !all(head, alnum) || !all(tail, alnum) || strings.ContainsAny(head, "0OIl") || strings.ContainsAny(tail, "0OIl") || !random(tail) {
		return Hit{}, false
	}
	return found(i, i+36, "Resend API key", "re_", Error), true
}

// slack matches xoxb-, xoxp-, xoxe-, xoxe.xoxp- and xapp- tokens: groups of
// digits, then a long last group.
func (s *scanner) slack(i, end int) (Hit, bool) {
	t := s.text
	stop := s.dotted(i, end)
	for stop > i && (t[stop-1] == '.' || t[stop-1] == '-' || t[stop-1] == '_') {
		stop--
	}
	if stop-i < 40 || stop-i > 300 {
		return Hit{}, false
	}
	at := strings.IndexByte(t[i:stop], '-')
	if at != 4 && at != 9 {
		return Hit{}, false
	}
	prefix := t[i : i+5]
	last := i + lastIndexByte(t[i:stop], '-') + 1
	body := t[last:stop]
	digits := run(t, i+at+1, digit, 20)
	if digits == 0 || len(body) < 20 || sample(body) || lowEntropy(body) || !all(body, alnum) {
		return Hit{}, false
	}
	return found(i, stop, "Slack token", prefix, Error), true
}

func slackHook(t string, i int) (Hit, bool) {
	b := i + len("hooks.slack.com/")
	for _, kind := range []string{"services/", "workflows/", "triggers/"} {
		if strings.HasPrefix(t[b:], kind) {
			b += len(kind)
			n := run(t, b, alnum|b64sym, 160)
			tail := t[b : b+n]
			last := tail[lastIndexByte(tail, '/')+1:]
			if strings.Count(tail, "/") < 2 || len(last) < 20 || !random(last) {
				return Hit{}, false
			}
			h := found(b, b+n, "Slack webhook URL", "", Error)
			h.MatchStart = i
			return h, true
		}
	}
	return Hit{}, false
}

func discordHook(t string, i int) (Hit, bool) {
	at := strings.Index(t[i:min(len(t), i+60)], "webhooks/")
	if at < 0 {
		return Hit{}, false
	}
	b := i + at + len("webhooks/")
	n := run(t, b, digit, 20)
	if n < 17 || b+n >= len(t) || t[b+n] != '/' {
		return Hit{}, false
	}
	b += n + 1
	n = run(t, b, token, 80)
	if n < 60 || !random(t[b:b+n]) {
		return Hit{}, false
	}
	h := found(b, b+n, "Discord webhook URL", "", Error)
	h.MatchStart = i
	return h, true
}

// discord matches a bot token: base64 of the bot's numeric id, a time stamp
// and a signature.
func (s *scanner) discord(i, end int) (Hit, bool) {
	t := s.text[:end]
	n := run(t, i, token, 29)
	if n < 23 || n > 28 || i+n+35 > len(t) || t[i+n] != '.' || t[i+n+7] != '.' {
		return Hit{}, false
	}
	id, ok := decode64(t[i : i+n])
	if !ok || !all(id, digit) || len(id) < 17 || run(t, i+n+1, token, 7) != 6 {
		return Hit{}, false
	}
	b := i + n + 8
	m := run(t, b, token, 46)
	m = trim(t, b, m, 38)
	if m < 27 || m > 38 || !random(t[b:b+m]) {
		return Hit{}, false
	}
	return found(i, b+m, "Discord bot token", "", Error), true
}

// gitlab matches personal access tokens: 20 characters, or the routable forms
// that end in a checksum.
func (s *scanner) gitlab(i, end int) (Hit, bool) {
	t := s.text
	const prefix, family = "glpat-", "GitLab personal access token"
	b := i + len(prefix)
	stop := s.dotted(b, end)
	for stop > b && t[stop-1] == '.' {
		stop--
	}
	n := stop - b
	if n > 330 {
		return Hit{}, false
	}
	if at := strings.IndexByte(t[b:stop], '.'); at >= 27 {
		tail := t[b+at+1 : stop]
		tail = strings.TrimPrefix(tail, "01.")
		// The sentence may go on behind the checksum.
		if len(tail) > 9 && !is(tail[9], alnum) {
			stop -= len(tail) - 9
			tail = tail[:9]
		}
		if len(tail) != 9 || sample(t[b:b+at]) {
			return Hit{}, false
		}
		h := found(i, stop, family, prefix, Error)
		if !crc36(t[i:stop]) {
			h.Severity = Info
			h.Message = "looks like a " + h.Message + ", but its checksum is wrong"
		}
		return h, true
	}
	m := run(t[:end], b, token, 28)
	m = trim(t, b, m, 20)
	if m != 20 || !random(t[b:b+m]) || !closes(t[:end], b+m) {
		return Hit{}, false
	}
	return found(i, b+m, family, prefix, Error), true
}

// installation matches GitHub App tokens: the classic 36 characters, or the
// app's id and a JSON Web Token.
func (s *scanner) installation(i, end int) (Hit, bool) {
	t := s.text
	const prefix, family = "ghs_", "GitHub installation token"
	b := i + len(prefix)
	if n := run(t[:end], b, digit, 16); n > 0 && b+n < end && t[b+n] == '_' {
		return s.jwt(i, b+n+1, end, family, prefix)
	}
	n := run(t[:end], b, alnum, 40)
	if n != 36 || !closes(t[:end], b+n) {
		return Hit{}, false
	}
	r := rule{prefix: prefix, family: family, set: alnum, min: 36, max: 36, check: hasCRC62}
	return r.match(t[:end], i)
}

// jwt matches a signed JSON Web Token whose header starts at b: three parts,
// a header that decodes to an object with "alg". Sample tokens of jwt.io and
// public roles pass.
func (s *scanner) jwt(i, b, end int, family, prefix string) (Hit, bool) {
	t := s.text
	if b < s.badJWT || !strings.HasPrefix(t[b:end], "eyJ") {
		return Hit{}, false
	}
	one := b + run(t[:end], b, token|pad, end)
	if one >= end || t[one] != '.' {
		s.badJWT = one
		return Hit{}, false
	}
	two := one + 1 + run(t[:end], one+1, token|pad, end)
	if two >= end || t[two] != '.' || two-one < 12 {
		// The second part may start a token of its own.
		s.badJWT = one
		return Hit{}, false
	}
	three := two + 1 + run(t[:end], two+1, token|pad, end)
	for three > two && (t[three-1] == '-' || t[three-1] == '_') && three-two > 44 && (three-two-1)%4 == 1 {
		three--
	}
	if three-two-1 < 16 || one-b > 4096 || !jwtHead(t[b:one]) {
		s.badJWT = two
		return Hit{}, false
	}
	if claims, ok := decode64(t[one+1 : two]); ok {
		for _, w := range []string{"1516239022", `"John Doe"`, `"role":"anon"`, `"role": "anon"`} {
			if strings.Contains(claims, w) {
				s.badJWT = three
				return Hit{}, false
			}
		}
	}
	if sig := t[two+1 : three]; sample(sig) || lowEntropy(sig) {
		s.badJWT = two
		return Hit{}, false
	}
	return found(i, three, family, prefix, Error), true
}

// telegram matches <bot id>:<35 characters>.
func (s *scanner) telegram(i, end int) (Hit, bool) {
	t := s.text[:end]
	n := run(t, i, digit, 11)
	b := i + n + 1
	if n < 8 || n > 10 || b+35 > len(t) || t[b-1] != ':' {
		return Hit{}, false
	}
	m := run(t, b, token, 43)
	m = trim(t, b, m, 35)
	if m != 35 || !random(t[b:b+m]) || !closes(t, b+m) {
		return Hit{}, false
	}
	if !strings.HasPrefix(t[b:], "AA") && !containsFold(s.text[max(0, i-80):i], "telegram") && !containsFold(s.text[max(0, i-12):i], "bot") {
		return Hit{}, false
	}
	return found(i, b+m, "Telegram bot token", "", Error), true
}

func fly(t string, i int) (Hit, bool) {
	at := strings.IndexByte(t[i:min(len(t), i+5)], '_')
	if at < 0 {
		return Hit{}, false
	}
	b := i + at + 1
	n := run(t, b, b64|pad|dash|under, 900)
	if n < 80 || !random(t[b:b+n]) {
		return Hit{}, false
	}
	return found(i, b+n, "Fly.io token", "", Error), true
}
