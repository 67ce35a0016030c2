package credential

import (
	"math"
	"strings"
)

// commonPairs are the 67 most frequent letter pairs of English.
const commonPairs = "th he in er an re on at en nd ti es or te of ed is it al ar st to nt ng se ha as ou io le ve co me de hi ri ro ic " +
	"ne ea ra ce li ch ll be ma si om ur ca el ta la ns di fo ho pe ec pr no ct us ac ot il"

var pairs = func() (t [26][26]bool) {
	for i := 0; i+1 < len(commonPairs); i += 3 {
		t[commonPairs[i]-'a'][commonPairs[i+1]-'a'] = true
	}
	return t
}()

// wordy reports whether s looks like words or identifiers rather than like a
// random body: at least share (in percent) of its letter pairs are common
// English ones and few of its bytes are digits. No entropy bar can tell
// TokenizerConfigurationLoader from a random body; letter pairs can.
func wordy(s string, share int) bool {
	seen, hits, digits := 0, 0, 0
	for i := range len(s) {
		c := charset[s[i]]
		if c&digit != 0 {
			digits++
		}
		if i == 0 || c&alpha == 0 || charset[s[i-1]]&alpha == 0 {
			continue
		}
		seen++
		// Inside a word case changes only from upper to lower.
		if c&upper != 0 && charset[s[i-1]]&lower != 0 {
			continue
		}
		if pairs[lowerByte(s[i-1])-'a'][lowerByte(s[i])-'a'] {
			hits++
		}
	}
	return seen >= 6 && digits*6 < len(s) && hits*100 >= seen*share
}

// entropy is the Shannon entropy of s in bits per byte.
func entropy(s string) float64 {
	var count [256]uint16
	for i := range len(s) {
		count[s[i]]++
	}
	n := float64(len(s))
	sum := 0.0
	for i := range count {
		if c := count[i]; c > 1 {
			sum += float64(c) * math.Log2(float64(c))
		}
	}
	return math.Log2(n) - sum/n
}

// lowEntropy applies a bar by length: of random 16-character base32 bodies one
// in 290 falls below 3.0 bits and one in 50,000 below 2.6.
func lowEntropy(s string) bool {
	if len(s) <= 20 {
		return entropy(s) < 2.6
	}
	return entropy(s) < 3.0
}

// patterned reports runs and sequences: six equal bytes in a row, seven
// ascending or descending ones, or four x in a row.
func patterned(s string) bool {
	equal, up, down := 1, 1, 1
	for i := 1; i < len(s); i++ {
		a, b := s[i-1], s[i]
		if !is(b, alnum) {
			equal, up, down = 1, 1, 1
			continue
		}
		equal, up, down = next(equal, a == b), next(up, b == a+1), next(down, a == b+1)
		if equal >= 6 || up >= 7 || down >= 7 || equal >= 4 && (b == 'x' || b == 'X') {
			return true
		}
	}
	return false
}

func next(n int, more bool) int {
	if more {
		return n + 1
	}
	return 1
}

// fillers are words that authors of samples write into a value. All are long
// enough, or delimited, so that a random body holds none of them by chance.
var fillers = newWordSet(
	"example", "placeholder", "changeme", "change-me", "change_me", "redacted", "insert-", "insert_", "dummy", "your-", "your_",
	"yourkey", "yourtoken", "yourapi", "yoursecret", "-here", "_here", "replace", "todo", "sample", "fake-", "fake_", "masked", "-xxx", "_xxx",
	"not-a-real", "notareal", "not_a_real",
)

// wordSet finds any of a few words in a string in one pass.
type wordSet [256][]string

func newWordSet(words ...string) *wordSet {
	var t wordSet
	for _, w := range words {
		t[w[0]] = append(t[w[0]], w)
	}
	return &t
}

func (t *wordSet) in(s string) bool {
	for i := range len(s) {
		for _, w := range t[lowerByte(s[i])] {
			if hasFold(s, i, w) {
				return true
			}
		}
	}
	return false
}

// sample reports whether a token body is documentation rather than a value.
func sample(s string) bool { return patterned(s) || fillers.in(s) }

// random is the noise test behind a vendor prefix.
func random(s string) bool {
	return !lowEntropy(s) && !sample(s) && !wordy(s, 34)
}

// opaque is the noise test for a value with nothing but its name to say that
// it is secret, so it asks for more.
func opaque(s string) bool {
	letters, digits, ups, lows := 0, 0, 0, 0
	for i := range len(s) {
		switch c := charset[s[i]]; {
		case c&digit != 0:
			digits++
		case c&upper != 0:
			ups++
			letters++
		case c&lower != 0:
			lows++
			letters++
		}
	}
	if letters < 3 || !random(s) || uuid(s) {
		return false
	}
	if digits > 0 {
		return true
	}
	return len(s) >= 18 && ups >= 3 && lows >= 3 && !wordy(s, 22)
}

func uuid(s string) bool {
	if len(s) != 36 {
		return false
	}
	for i := range len(s) {
		if i == 8 || i == 13 || i == 18 || i == 23 {
			if s[i] != '-' {
				return false
			}
		} else if !is(s[i], hexSet) {
			return false
		}
	}
	return true
}

var pointers = newWordSet(
	"${", "{{", "op://", "vault:", "arn:", "process.env", "os.environ", "os.getenv", "secrets.", "env.", "env(", "env:", "://", "***", "...", "%2a%2a",
	"secret-manager", "secretmanager", "/secrets/", "keyvault", "getenv", "ssm:", "sops:", "enc[", "$(",
)

// fingerprint reports the form in which SSH, and amp, name a key by its digest.
func fingerprint(s string) bool {
	const name, digest = "SHA256:", 43 // of base64
	return len(s) == len(name)+digest && strings.HasPrefix(s, name) && all(s[len(name):], b64)
}

// reference reports whether a value points at a secret instead of being one:
// variables, templates, vault paths, masks and brackets.
func reference(s string) bool {
	if s == "" {
		return true
	}
	switch s[0] {
	case '%':
		return strings.IndexByte(s[1:], '%') >= 0
	case '$', '{', '<', '[', '*', '(', '.', '~', '@', '#', '&', '\\', '?':
		return true
	case '/':
		// A path, unless it is base64.
		return !all(s, b64|pad) || !opaque(s)
	}
	if pointers.in(s) || fingerprint(s) {
		return true
	}
	if i := lastIndexByte(s, '('); i > 0 && is(s[i-1], word) && all(s[:i], word|dot) {
		return true
	}
	if lastIndexByte(s[max(0, len(s)-5):], '.') < 0 {
		return false
	}
	for _, ext := range []string{".pem", ".key", ".json", ".yaml", ".yml", ".txt", ".md", ".pub", ".crt", ".env", ".p8", ".p12", ".toml"} {
		if len(s) > len(ext) && hasFold(s, len(s)-len(ext), ext) {
			return true
		}
	}
	return false
}

func lastIndexByte(s string, c byte) int {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == c {
			return i
		}
	}
	return -1
}

// weakWords are passwords that only stand for one in documentation and local
// set-ups. They are compared with whole values, never looked for inside:
// long real passwords hold dictionary words.
var weakWords = map[string]bool{}

func init() {
	for _, w := range []string{
		"password", "passwd", "pass", "pwd", "pw", "secret", "postgres", "mysql", "root", "admin", "user", "username", "test", "testing", "guest",
		"changeme", "example", "dev", "local", "localhost", "default", "redis", "mongo", "mongodb", "rabbitmq", "foo", "bar", "baz", "token", "key",
		"xxx", "hunter", "tiger", "demo", "sample", "dummy", "placeholder", "redacted", "hidden", "masked", "development", "db", "database", "app",
		"letmein", "qwerty", "abc", "none", "null", "empty", "string", "value", "apikey", "credentials", "credential", "private", "swordfish", "insecure",
		"my", "your", "the", "here", "some", "a", "super", "real", "not", "fake", "new", "old", "strong", "long", "safe", "secure", "random", "this", "is",
		"goes", "insert", "replace", "me", "enter", "add", "set", "it", "with", "api", "access", "client", "service", "account", "auth", "login", "dbpass",
		"mypassword", "yourpassword", "dbpassword", "mysecret", "yoursecret", "supersecret", "topsecret", "userpass", "secretpassword", "testpassword",
		"devpassword", "localpassword", "s", "on", "in", "to", "from", "at", "of", "for", "use", "do", "un", "ty", "by", "name", "id",
	} {
		weakWords[w] = true
	}
}

// weak reports whether a password is a stand-in: only stand-in words, digits
// and separators.
func weak(s string) bool {
	start, letters := -1, 0
	var buf [24]byte
	for i := 0; i <= len(s); i++ {
		if i < len(s) && is(s[i], alpha) && (start < 0 || !is(s[i], upper) || is(s[i-1], upper)) {
			if start < 0 {
				start = i
			}
			letters++
			continue
		}
		if start >= 0 {
			n := i - start
			if n > len(buf) {
				return false
			}
			for k := range n {
				buf[k] = lowerByte(s[start+k])
			}
			if !weakWords[string(buf[:n])] {
				return false
			}
			start = -1
		}
		if i < len(s) && is(s[i], alpha) {
			start = i
			letters++
		}
	}
	return letters > 0
}

// livePassword reports whether the password part of a URL or of curl's -u is
// a value and not a stand-in.
func livePassword(s, user string) bool {
	if len(s) < 6 || s == user || reference(s) || weak(s) || patterned(s) || masked(s) {
		return false
	}
	digits, other := 0, 0
	for i := range len(s) {
		switch {
		case is(s[i], digit):
			digits++
		case !is(s[i], alpha):
			other++
		}
	}
	if digits == len(s) {
		return len(s) >= 8
	}
	if digits == 0 && other == 0 {
		return len(s) >= 12 && !containsFold(s, "password") || len(s) >= 8 && !wordy(s, 20)
	}
	for _, w := range []string{"your", "placeholder", "changeme", "example"} {
		if hasFold(s, 0, w) {
			return false
		}
	}
	return len(s) >= 8 || digits > 0 && !wordy(s, 34)
}

// masked reports a value made of mask characters and at most a few others.
func masked(s string) bool {
	n := 0
	for i := range len(s) {
		if s[i] == '*' || s[i] == 'x' || s[i] == 'X' || s[i] == '.' || s[i] == '-' || s[i] == '#' || s[i] == '_' {
			n++
		}
	}
	return n*3 >= len(s)*2
}
