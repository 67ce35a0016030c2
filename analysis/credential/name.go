package credential

import "strings"

type nameKind uint8

const (
	notSecret  nameKind = iota
	weakName            // key, token, auth alone
	strongName          // a compound such as api_key, client_secret
	passwordName
)

// nameBefore returns the identifier that ends before position p, skipping
// white space and the quotes or emphasis around it, and its offset.
func nameBefore(t string, p, floor int) (string, int) {
	j := p
	for j > floor && p-j < 12 && (t[j-1] == ' ' || t[j-1] == '\t' || is(t[j-1], quote) || t[j-1] == '*' || t[j-1] == ']' || t[j-1] == ')' || t[j-1] == '\\') {
		j--
	}
	w := j
	for w > floor && j-w < 64 && is(t[w-1], token|dot) {
		w--
	}
	return t[w:j], w
}

// secretWords end the names of secrets.
var secretWords = []struct {
	word string
	kind nameKind
}{
	{"password", passwordName},
	{"passphrase", passwordName},
	{"passwd", passwordName},
	{"passwort", passwordName},
	{"pwd", passwordName},
	{"pass", passwordName},
	{"credentials", weakName},
	{"credential", weakName},
	{"secret", strongName},
	{"token", weakName},
	{"auth", weakName},
	{"key", weakName},
	{"pat", weakName},
}

// qualifiers make a compound out of a plain key, token or auth.
var qualifiers = []string{
	"api", "auth", "access", "secret", "client", "private", "bot", "webhook", "encryption", "signing", "master", "session", "refresh", "bearer",
	"service", "account", "app", "admin", "deploy", "personal", "oauth", "db", "database", "root", "user", "my", "bearer", "shared", "security", "x",
	"jwt", "integration", "license", "ssh", "gpg", "hmac", "storage", "subscription",
}

// harmless words before key or token name things that are no secrets.
var harmless = []string{
	"public", "pub", "publishable", "primary", "partition", "sort", "cache", "idempotency", "foreign", "hot", "short", "row", "lookup", "dedupe", "group",
	"translation", "i18n", "locale", "css", "react", "map", "dict", "object", "registry", "index", "composite", "natural", "surrogate", "range",
	"hash", "bucket", "page", "next", "continuation", "cursor", "design", "color", "max", "min", "shard", "routing", "message", "event", "dedup",
	"deduplication", "s3", "config", "settings", "feature", "unique", "join", "order", "parent", "child", "issue", "ticket", "project", "start", "end",
	"sync", "etag", "csrf", "anon", "host", "verify", "verification", "kms", "arrow", "enter", "shift", "record", "document", "doc", "stop", "pad", "eos", "bos",
	"answer", "legend", "music", "image", "query", "param", "field", "column", "header", "item", "entry", "lock", "file", "known", "correlation", "trace",
	"request", "metric", "label", "tag", "site", "recaptcha", "captcha", "blob", "asset", "content", "checksum", "fingerprint", "i", "id",
}

// secretName classifies an identifier by its last word: the name must end in
// a secret word, so tokenizationId and key_count are none.
func secretName(name string) nameKind {
	name = strings.TrimRight(name, "-_.")
	if len(name) < 3 {
		return notSecret
	}
	for _, w := range secretWords {
		at := len(name) - len(w.word)
		if !hasFold(name, at, w.word) {
			continue
		}
		if at == 0 {
			return w.kind
		}
		head := name[:at]
		cut := is(head[len(head)-1], under|dash|dot) || is(name[at], upper) && is(head[len(head)-1], lower|digit)
		prev := lastWord(head)
		if cut && oneOf(prev, harmless) {
			return notSecret
		}
		if cut || oneOf(prev, qualifiers) || endsWith(prev, qualifiers) {
			if w.kind == passwordName && w.word == "pass" && !cut {
				return notSecret
			}
			return max(w.kind, strongName)
		}
		return notSecret
	}
	return notSecret
}

// kindAt classifies the name at offset at together with the word before it, so
// that "the primary key is" names no secret.
func kindAt(t, name string, at int) nameKind {
	kind := secretName(name)
	if kind != weakName || at < 2 || t[at-1] != ' ' {
		return kind
	}
	prev := lastWord(t[max(0, at-40) : at-1])
	if oneOf(prev, harmless) {
		return notSecret
	}
	if oneOf(prev, qualifiers) {
		return strongName
	}
	return kind
}

// lastWord is the last word of a snake, kebab or camel case identifier.
func lastWord(s string) string {
	end := len(s)
	for end > 0 && is(s[end-1], under|dash|dot) {
		end--
	}
	w := end
	for w > 0 && is(s[w-1], alnum) {
		w--
		if w > 0 && is(s[w], upper) && !is(s[w-1], upper) {
			break
		}
	}
	return s[w:end]
}

func oneOf(s string, words []string) bool {
	for _, w := range words {
		if len(s) == len(w) && hasFold(s, 0, w) {
			return true
		}
	}
	return false
}

func endsWith(s string, words []string) bool {
	for _, w := range words {
		if len(w) >= 3 && hasFold(s, len(s)-len(w), w) {
			return true
		}
	}
	return false
}
