package config

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
)

// maxSize bounds a configuration file, in bytes.
const maxSize = 64 << 10

// Keys are the members a configuration may have, in the order docs list them.
var Keys = []string{"extends", "rules", "overrides", "ignore", "gitignore", "fail-on", "max-warnings", "baseline", "inline-suppress", "credentials"}

// FailLevels are the values of fail-on.
var FailLevels = []string{"error", "warning", "info", "never"}

// A reader collects what is wrong instead of stopping at the first error: an
// author wants to see all of it.
type reader struct {
	reg  *analysis.Registry
	path string
	dir  string
	errs Errors
	cfg  *Config
	ext  []value
}

// Parse reads one configuration without what it extends. The path is only for
// messages and for the folder that patterns are relative to.
func Parse(src []byte, path string, reg *analysis.Registry) (*Config, error) {
	r := read(src, path, reg)
	if len(r.errs) > 0 {
		return nil, r.errs.sorted()
	}
	return r.cfg, nil
}

func read(src []byte, path string, reg *analysis.Registry) *reader {
	r := &reader{reg: reg, path: path, dir: filepath.Dir(path), cfg: New()}
	r.cfg.Path, r.cfg.Dir, r.cfg.Files = path, r.dir, []string{path}
	v, err := parse(src)
	if err != nil {
		err.Path = path
		r.errs = append(r.errs, err)
		return r
	}
	r.top(v)
	return r
}

func (r *reader) fail(v value, format string, args ...any) {
	r.errs = append(r.errs, &Error{r.path, v.line, v.col, fmt.Sprintf(format, args...)})
}

func (r *reader) origin(v value) Origin { return Origin{Path: r.path, Line: v.line, Col: v.col} }

// is reports whether the value of a key has the kind.
func (r *reader) is(key string, v value, k kind) bool {
	if v.kind != k {
		r.fail(v, "`%s` takes %s, not %s", key, k, v.kind)
		return false
	}
	return true
}

func (r *reader) top(v value) {
	if v.kind != mapping {
		r.fail(v, "a configuration maps keys to values, this is %s", v.kind)
		return
	}
	var allow, salt *value
	for i, k := range v.keys {
		c := v.list[i]
		switch k.text {
		case "extends":
			r.extends(c)
		case "rules":
			r.cfg.Rules = r.rules(c)
		case "overrides":
			r.overrides(c)
		case "ignore":
			r.cfg.Ignore = r.globs("ignore", c)
		case "gitignore":
			if r.is(k.text, c, boolean) {
				r.cfg.Gitignore = Setting[bool]{c.text == "true", r.origin(k)}
			}
		case "inline-suppress":
			if r.is(k.text, c, boolean) {
				r.cfg.InlineSuppress = Setting[bool]{c.text == "true", r.origin(k)}
			}
		case "fail-on":
			if r.is(k.text, c, text) && r.oneOf(k.text, c, FailLevels) {
				r.cfg.FailOn = Setting[string]{c.text, r.origin(k)}
			}
		case "max-warnings":
			r.maxWarnings(k, c)
		case "baseline":
			if r.is(k.text, c, text) && r.local(c) {
				r.cfg.Baseline = Setting[string]{filepath.Join(r.dir, filepath.FromSlash(c.text)), r.origin(k)}
			}
		case "credentials":
			allow, salt = r.credentials(c)
		default:
			r.unknownKey(k, Keys)
		}
	}
	if allow != nil && salt == nil && len(allow.list) > 0 {
		r.fail(*allow, "`allow` needs the `salt` that its fingerprints were made with")
	}
}

func (r *reader) unknownKey(k value, known []string) {
	r.fail(k, "unknown key `%s`%s", k.text, Suggest(k.text, known))
}

func (r *reader) oneOf(key string, v value, known []string) bool {
	if slices.Contains(known, v.text) {
		return true
	}
	r.fail(v, "`%s` is one of %s, not %q%s", key, strings.Join(known, ", "), v.text, Suggest(v.text, known))
	return false
}

func (r *reader) maxWarnings(k, v value) {
	if !r.is(k.text, v, number) {
		return
	}
	n, err := strconv.Atoi(v.text)
	if err != nil || n < 0 {
		r.fail(v, "`max-warnings` takes a whole number from 0 on, not %s", v.text)
		return
	}
	r.cfg.MaxWarnings = Setting[int]{n, r.origin(k)}
}

func (r *reader) extends(v value) {
	switch v.kind {
	case text:
		r.ext = []value{v}
	case list:
		r.ext = v.list
	default:
		r.fail(v, "`extends` takes a path or a list of paths, not %s", v.kind)
		return
	}
	r.ext = slices.DeleteFunc(slices.Clone(r.ext), func(e value) bool { return !r.is("extends", e, text) || !r.local(e) })
}

// local reports whether a path names a file below or beside the configuration.
func (r *reader) local(v value) bool {
	p := v.text
	switch {
	case p == "" || strings.HasSuffix(p, "/"):
		r.fail(v, "a path names a file")
	case strings.Contains(p, "://"):
		r.fail(v, "%q is an address: only local files can be named, nothing is fetched", p)
	case strings.Contains(p, `\`):
		r.fail(v, "a path has `/` separators, also on Windows")
	case path.IsAbs(p) || strings.HasPrefix(p, "~") || len(p) > 1 && p[1] == ':':
		r.fail(v, "%q is not relative to the folder of this file", p)
	default:
		return true
	}
	return false
}

func (r *reader) rules(v value) []RuleLevel {
	if !r.is("rules", v, mapping) {
		return nil
	}
	var out []RuleLevel
	for i, k := range v.keys {
		c := v.list[i]
		if r.reg.Rule(k.text) == nil {
			var slugs []string
			for _, rule := range r.reg.Rules {
				slugs = append(slugs, rule.Slug)
			}
			r.fail(k, "unknown rule `%s`%s", k.text, Suggest(k.text, slugs))
			continue
		}
		l, ok := ParseLevel(c.text)
		switch {
		case c.kind != text || !ok:
			hint := Suggest(c.text, levels)
			if c.kind == boolean {
				hint = map[string]string{"true": ", did you mean `on`?", "false": ", did you mean `off`?"}[c.text]
			}
			r.fail(c, "the level of a rule is one of %s%s", strings.Join(levels, ", "), hint)
		case k.text == CredentialRule && l != LevelError && l != Default:
			r.fail(c, "`%s` cannot be lowered: name a value by its fingerprint under `credentials.allow` instead (see `amp-lint fingerprint`)", CredentialRule)
		default:
			out = append(out, RuleLevel{k.text, l, r.origin(k)})
		}
	}
	return out
}

func (r *reader) globs(key string, v value) []Glob {
	if !r.is(key, v, list) {
		return nil
	}
	var out []Glob
	for _, e := range v.list {
		if !r.is(key, e, text) {
			continue
		}
		if msg := badPattern(e.text); msg != "" {
			r.fail(e, "%s", msg)
			continue
		}
		out = append(out, Glob{r.dir, e.text, r.origin(e)})
	}
	return out
}

func (r *reader) overrides(v value) {
	if !r.is("overrides", v, list) {
		return
	}
	for _, e := range v.list {
		if !r.is("overrides", e, mapping) {
			continue
		}
		var o Override
		var paths, rules bool
		for i, k := range e.keys {
			switch k.text {
			case "paths":
				paths = true
				if o.Paths = r.globs("paths", e.list[i]); e.list[i].kind == list && len(e.list[i].list) == 0 {
					r.fail(e.list[i], "`paths` must not be empty")
				}
			case "rules":
				rules = true
				o.Rules = r.rules(e.list[i])
			default:
				r.unknownKey(k, []string{"paths", "rules"})
			}
		}
		if !paths || !rules {
			r.fail(e, "an override has `paths` and `rules`")
		}
		r.cfg.Overrides = append(r.cfg.Overrides, o)
	}
}

func (r *reader) credentials(v value) (allow, salt *value) {
	if !r.is("credentials", v, mapping) {
		return nil, nil
	}
	for i, k := range v.keys {
		c := &v.list[i]
		switch k.text {
		case "salt":
			salt = c
			if !r.is("salt", *c, text) {
				continue
			}
			if len(c.text) < MinSalt {
				r.fail(*c, "`salt` has at least %d characters (`amp-lint fingerprint` makes one)", MinSalt)
			}
			r.cfg.Salt = Setting[string]{c.text, r.origin(k)}
		case "allow":
			if r.is("allow", *c, list) {
				allow = c
			}
		default:
			r.unknownKey(k, []string{"salt", "allow"})
		}
	}
	if allow != nil {
		for _, e := range allow.list {
			r.allowed(e)
		}
	}
	return allow, salt
}

func (r *reader) allowed(e value) {
	if !r.is("allow", e, mapping) {
		return
	}
	a := Allowed{Level: LevelOff, salt: r.cfg.Salt.Value, Origin: r.origin(e)}
	has := map[string]bool{}
	for i, k := range e.keys {
		c := e.list[i]
		has[k.text] = true
		switch k.text {
		case "fingerprint":
			if r.is(k.text, c, text) && !validFingerprint(c.text) {
				r.fail(c, "a fingerprint is `%s` and %d hexadecimal digits (`amp-lint fingerprint` prints it)", FingerprintPrefix, 2*fingerprintBytes)
			}
			a.Fingerprint = c.text
		case "reason":
			if r.is(k.text, c, text) && strings.TrimSpace(c.text) == "" {
				r.fail(c, "`reason` must say why the value may ship")
			}
			a.Reason = c.text
		case "level":
			if r.is(k.text, c, text) && r.oneOf(k.text, c, []string{"off", "info", "warning"}) {
				a.Level, _ = ParseLevel(c.text)
			}
		default:
			r.unknownKey(k, []string{"fingerprint", "reason", "level"})
		}
	}
	if !has["fingerprint"] || !has["reason"] {
		r.fail(e, "an allowed credential has a `fingerprint` and a `reason`")
	}
	r.cfg.Allow = append(r.cfg.Allow, a)
}

// Suggest offers the known word nearest to one that is not known.
func Suggest(s string, known []string) string {
	best, dist := "", 3
	for _, k := range known {
		if d := distance(strings.ToLower(strings.ReplaceAll(s, "_", "-")), k); d < dist && d < len(k) {
			best, dist = k, d
		}
	}
	if best == "" {
		for _, k := range known {
			if len(s) > 3 && (strings.Contains(k, s) || strings.Contains(s, k)) {
				best = k
				break
			}
		}
	}
	if best == "" {
		return ""
	}
	return ", did you mean `" + best + "`?"
}

func distance(a, b string) int {
	prev := make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := range len(a) {
		diag := prev[0]
		prev[0] = i + 1
		for j := range len(b) {
			cost := diag
			if a[i] != b[j] {
				cost++
			}
			diag, prev[j+1] = prev[j+1], min(cost, prev[j]+1, prev[j+1]+1)
		}
	}
	return prev[len(b)]
}

// readFile reads a configuration file from disk, bounded.
func readFile(name string) ([]byte, *Error) {
	st, err := os.Stat(name)
	if err == nil && !st.Mode().IsRegular() {
		return nil, &Error{Path: name, Msg: "not a regular file"}
	}
	if err == nil && st.Size() > maxSize {
		return nil, &Error{Path: name, Msg: fmt.Sprintf("larger than %d KB", maxSize>>10)}
	}
	src, err := os.ReadFile(name)
	if err != nil {
		return nil, &Error{Path: name, Msg: cause(err)}
	}
	return src, nil
}
