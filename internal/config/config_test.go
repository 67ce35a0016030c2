package config

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
)

var update = flag.Bool("update", false, "write the schema instead of comparing it")

const schemaFile = "../../schemas/amp-lint.schema.json"

func TestSchemaIsUpToDate(t *testing.T) {
	want, err := Schema(rules.All())
	if err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(schemaFile, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(schemaFile)
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("schemas/amp-lint.schema.json is out of date (%v): go test ./internal/config -update", err)
	}
}

// fp is a well-formed fingerprint.
var fp = FingerprintPrefix + strings.Repeat("0a", 16)

// Each document is read and held against the schema; "" is one that both accept,
// anything else is a part of the reader's message.
var documents = []struct{ yaml, message string }{
	{"", ""},
	{"{}", ""},
	{"rules: {}", ""},
	{"rules: {stray-text: off, facet-default: on, claim-pattern: warning, legend: hint, name: info, routing: error}", ""},
	{"rules: {credential: error}", ""},
	{"rules: {credential: on}", ""},
	{"rules: {credential: warning}", "cannot be lowered"},
	{"rules: {credential: off}", "amp-lint fingerprint"},
	{"rules: {stray-text: false}", "did you mean `off`"},
	{"rules: {stray-text: true}", "did you mean `on`"},
	{"rules: {stray-text: warn}", "did you mean `warning`"},
	{"rules: {stray-text: OFF}", "did you mean `off`"},
	{"rules: {stray-text: 2}", "one of on, off"},
	{"rules: {stray-text: }", "one of on, off"},
	{"rules: {stray-text: [off]}", "one of on, off"},
	{"rules: {stray_text: off}", "did you mean `stray-text`"},
	{"rules: {facet-ordr: off}", "did you mean `facet-order`"},
	{"rules: {zzz: off}", "unknown rule `zzz`"},
	{"rules: [stray-text]", "`rules` takes a mapping, not a list"},
	{"rules: off", "`rules` takes a mapping"},
	{"rulse: {}", "did you mean `rules`"},
	{"fail_on: error", "did you mean `fail-on`"},
	{"- rules", "a configuration maps keys to values"},
	{"just text", "a configuration maps keys to values"},
	{"overrides: []", ""},
	{"overrides: [{paths: [drafts], rules: {stray-text: off}}]", ""},
	{"overrides: [{paths: ['packs/*/memory/**', 'a{b,c}'], rules: {}}]", ""},
	{"overrides: [{paths: [], rules: {}}]", "must not be empty"},
	{"overrides: [{rules: {}}]", "`paths` and `rules`"},
	{"overrides: [{paths: [a]}]", "`paths` and `rules`"},
	{"overrides: [{paths: [a], rules: {}, rule: x}]", "did you mean `rules`"},
	{"overrides: [{paths: [a], rules: {credential: info}}]", "cannot be lowered"},
	{"overrides: {paths: [a]}", "takes a list"},
	{"overrides: [a]", "takes a mapping"},
	{"overrides: [{paths: a, rules: {}}]", "takes a list"},
	{"ignore: [a, b/c, '**/*.md']", ""},
	{"ignore: a", "takes a list"},
	{"ignore: [1]", "takes text, not a number"},
	{"ignore: ['']", "must not be empty"},
	{"ignore: [/a]", "does not start with `/`"},
	{"ignore: ['../a']", "cannot leave the folder"},
	{"ignore: ['a/../b']", "cannot leave the folder"},
	{"ignore: ['..']", "cannot leave the folder"},
	{"ignore: ['a..b']", ""},
	{`ignore: ['a\b']`, "`/` separators"},
	{"ignore: ['!a']", "cannot take back"},
	{"gitignore: false", ""},
	{"gitignore: 'no'", "takes true or false, not text"},
	{"inline-suppress: false", ""},
	{"inline-suppress: 0", "takes true or false"},
	{"fail-on: never", ""},
	{"fail-on: warn", "did you mean `warning`"},
	{"fail-on: 1", "takes text"},
	{"max-warnings: 0", ""},
	{"max-warnings: 12", ""},
	{"max-warnings: -1", "whole number from 0 on"},
	{"max-warnings: 1.5", "whole number from 0 on"},
	{"max-warnings: many", "takes a number"},
	{"baseline: base.json", ""},
	{"baseline: a/../base.json", ""},
	{"baseline: ../base.json", ""},
	{"baseline: ''", "names a file"},
	{"baseline: a/", "names a file"},
	{"baseline: /etc/base.json", "not relative"},
	{"baseline: ~/base.json", "not relative"},
	{"baseline: 'C:/base.json'", "not relative"},
	{`baseline: 'a\b'`, "`/` separators"},
	{"extends: base.yaml", ""},
	{"extends: [a.yaml, ../b.yaml]", ""},
	{"extends: []", ""},
	{"extends: {a: b}", "a path or a list of paths"},
	{"extends: https://example.org/a.yaml", "nothing is fetched"},
	{"extends: [/etc/passwd]", "not relative"},
	{"extends: [1]", "takes text"},
	{"credentials: {}", ""},
	{"credentials: {salt: 0123456789abcdef}", ""},
	{"credentials: {salt: short}", "at least 16 characters"},
	{"credentials: {allow: []}", ""},
	{"credentials: {salt: 0123456789abcdef, allow: [{fingerprint: '" + fp + "', reason: revoked}]}", ""},
	{"credentials: {allow: [{fingerprint: '" + fp + "', reason: revoked, level: info}], salt: 0123456789abcdef}", ""},
	{"credentials: {allow: [{fingerprint: '" + fp + "', reason: revoked}]}", "needs the `salt`"},
	{"credentials: {salt: 0123456789abcdef, allow: [{fingerprint: '" + fp + "'}]}", "a `fingerprint` and a `reason`"},
	{"credentials: {salt: 0123456789abcdef, allow: [{fingerprint: '" + fp + "', reason: ' '}]}", "must say why"},
	{"credentials: {salt: 0123456789abcdef, allow: [{fingerprint: abc, reason: x}]}", "32 hexadecimal digits"},
	{"credentials: {salt: 0123456789abcdef, allow: [{fingerprint: '" + fp + "', reason: x, level: error}]}", "one of off, info, warning"},
	{"credentials: {salt: 0123456789abcdef, allow: [{fingerprint: '" + fp + "', reason: x, because: y}]}", "unknown key `because`"},
	{"credentials: {allow: " + fp + "}", "takes a list"},
	{"credentials: {key: x}", "unknown key `key`"},
}

func TestReaderAndSchemaAgree(t *testing.T) {
	c := jsonschema.NewCompiler()
	src, err := os.ReadFile(schemaFile)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(src))
	if err != nil {
		t.Fatal(err)
	}
	if err := c.AddResource("amp-lint.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("amp-lint.json")
	for _, d := range documents {
		t.Run(d.yaml, func(t *testing.T) {
			_, err := Parse([]byte(d.yaml), "c.yaml", rules.All())
			switch {
			case d.message == "" && err != nil:
				t.Errorf("the reader refuses it: %v", err)
			case d.message != "" && (err == nil || !strings.Contains(err.Error(), d.message)):
				t.Errorf("the reader says %v, expected %q", err, d.message)
			case err != nil && !strings.HasPrefix(err.Error(), "c.yaml:1:"):
				t.Errorf("the error has no place: %v", err)
			}
			var v any
			if err := yaml.Unmarshal([]byte(d.yaml), &v); err != nil {
				t.Fatal(err)
			}
			if v == nil {
				v = map[string]any{} // an empty file
			}
			if err := schema.Validate(v); (err == nil) != (d.message == "") {
				t.Errorf("the schema says %v", err)
			}
		})
	}
}

// What a schema can't say, or YAML itself refuses.
func TestReaderRefuses(t *testing.T) {
	for _, c := range []struct{ name, yaml, message string }{
		{"broken YAML", "rules: [", "c.yaml:1:8: not valid YAML"},
		{"a tab", "rules:\n\tstray-text: off", "not valid YAML"},
		{"a key twice", "ignore: [a]\nignore: [b]", "c.yaml:2:1: "},
		{"an anchor", "ignore: &a [b]", "have no place in a configuration"},
		{"an alias", "ignore: [a]\nrules: *a", "c.yaml:2:8: "},
		{"a tag", "ignore: [!x a]", "have no place"},
		{"a merge key", "<<: {ignore: [a]}", "have no place"},
		{"two documents", "ignore: [a]\n---\nignore: [b]\n", "one YAML document"},
		{"an open bracket in a pattern", "ignore: ['a[b']", "bracket or brace is not closed"},
		{"too many brackets", "ignore: " + strings.Repeat("[", 2000), "too many brackets"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := Parse([]byte(c.yaml), "c.yaml", rules.All())
			if err == nil || !strings.Contains(err.Error(), c.message) {
				t.Errorf("got %v, expected %q", err, c.message)
			}
		})
	}
}

func TestAllErrorsAreReportedInOrder(t *testing.T) {
	_, err := Parse([]byte("a: 1\nrules:\n  b: off\n  stray-text: x\nmax-warnings: y\n"), "c.yaml", rules.All())
	want := []string{"c.yaml:1:1: unknown key `a`", "c.yaml:3:3: unknown rule `b`", "c.yaml:4:15: the level", "c.yaml:5:15: `max-warnings`"}
	got := strings.Split(err.Error(), "\n")
	if len(got) != len(want) {
		t.Fatalf("got %v", err)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("error %d is %q, expected %q", i, got[i], want[i])
		}
	}
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, s := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func TestExtendsLaysLaterOverEarlier(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".amp-lint.yaml":   "extends: [conf/a.yaml, conf/b.yaml]\nrules: {legend: error}\n",
		"conf/a.yaml":      "rules: {stray-text: off, legend: off, name: info}\nfail-on: never\nignore: [x]\n",
		"conf/b.yaml":      "extends: deep/c.yaml\nrules: {name: warning}\n",
		"conf/deep/c.yaml": "rules: {name: 'off', routing: 'off'}\nmax-warnings: 3\n",
	})
	c, err := Load(filepath.Join(dir, ".amp-lint.yaml"), rules.All())
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "p", "memory", "a.md")
	for rule, want := range map[string]struct {
		level Level
		from  string
	}{"legend": {LevelError, ".amp-lint.yaml:2:9"}, "stray-text": {LevelOff, "conf/a.yaml:1:9"}, "name": {LevelWarning, "conf/b.yaml:2:9"}, "routing": {LevelOff, "conf/deep/c.yaml:1:22"}, "layout": {Default, "default"}} {
		l, o := c.LevelOf(rule, file)
		if l != want.level || !strings.HasSuffix(o.String(), want.from) {
			t.Errorf("%s is %s from %s, expected %s from %s", rule, l, o, want.level, want.from)
		}
	}
	if c.FailOn.Value != "never" || c.MaxWarnings.Value != 3 || len(c.Files) != 4 {
		t.Errorf("got %+v", c)
	}
	// A pattern is relative to the file it stands in.
	if ok, _ := c.Ignored(filepath.Join(dir, "conf", "x", "a.md")); !ok {
		t.Error("conf/x is not ignored")
	}
	if ok, _ := c.Ignored(filepath.Join(dir, "x", "a.md")); ok {
		t.Error("x is ignored")
	}
}

func TestExtendsErrorsAreLocated(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"self.yaml": "extends: self.yaml\n", "a.yaml": "extends: b.yaml\n", "b.yaml": "rules: {}\nextends: [./a.yaml]\n",
		"missing.yaml": "extends:\n  - gone.yaml\n", "folder.yaml": "extends: d\n", "d/x": "", "broken.yaml": "extends: bad.yaml\n", "bad.yaml": "\nrulse: {}\n",
	})
	for name, want := range map[string]string{
		"self.yaml": "self.yaml:1:10: `extends` goes in a circle", "a.yaml": "b.yaml:2:11: `extends` goes in a circle",
		"missing.yaml": "missing.yaml:2:5: cannot extend gone.yaml: no such file", "folder.yaml": "folder.yaml:1:10: cannot extend d: not a regular file",
		"broken.yaml": "bad.yaml:2:1: unknown key",
	} {
		if _, err := Load(filepath.Join(dir, name), rules.All()); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: got %v, expected %q", name, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "big.yaml"), bytes.Repeat([]byte("# x\n"), maxSize), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(filepath.Join(dir, "big.yaml"), rules.All()); err == nil || !strings.Contains(err.Error(), "larger than 64 KB") {
		t.Errorf("a huge file: %v", err)
	}
}

func TestTheNearestConfigurationCountsUpToTheRepository(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		".amp-lint.yaml": "fail-on: never\n", "in/.amp-lint.yml": "fail-on: info\n", "repo/.git/HEAD": "", "repo/p/memory/a.md": "", "in/deep/x": "",
	})
	f := NewFinder(rules.All())
	for sub, want := range map[string]string{".": "never", "in": "info", "in/deep": "info", "other": "never", "repo": "", "repo/p/memory": ""} {
		c, err := f.For(filepath.Join(dir, filepath.FromSlash(sub)))
		got := ""
		if c != nil {
			got = c.FailOn.Value
		}
		if err != nil || got != want {
			t.Errorf("%s: got %q, %v; expected %q", sub, got, err, want)
		}
	}
	if got := Repository(filepath.Join(dir, "repo", "p")); got != filepath.Join(dir, "repo") {
		t.Errorf("repository of repo/p: %q", got)
	}
}

// Windows paths are judged here, on any system: the logic is a function of text.
func TestWithin(t *testing.T) {
	for _, c := range []struct {
		dir, file, rel string
		ok             bool
	}{
		{"/a/b", "/a/b/c.md", "c.md", true},
		{"/a/b", "/a/b/c/d.md", "c/d.md", true},
		{"/a/b", "/a/bc/d.md", "", false},
		{"/a/b", "/a/b", "", false},
		{"/", "/x", "x", true},
		{`C:\work`, `C:\work\p\memory\a.md`, "p/memory/a.md", true},
		{`C:\work`, `c:\work\a.md`, "a.md", true},
		{`c:/work`, `C:\work\a.md`, "a.md", true},
		{`C:\work`, `D:\work\a.md`, "", false},
		{`C:\`, `C:\a.md`, "a.md", true},
		{`\\server\share`, `\\server\share\p\a.md`, "p/a.md", true},
		{"/a/b", `/a/b/we\ird.md`, `we\ird.md`, true},
		{"/a/B", "/a/b/c", "", false},
	} {
		rel, ok := Within(c.dir, c.file)
		if ok != c.ok || ok && rel != c.rel {
			t.Errorf("Within(%q, %q) = %q, %v; expected %q, %v", c.dir, c.file, rel, ok, c.rel, c.ok)
		}
	}
}

func TestGlobs(t *testing.T) {
	for _, c := range []struct {
		base, pattern, file string
		want                bool
	}{
		{"/r", "drafts", "/r/drafts/p/memory/a.md", true},
		{"/r", "drafts/", "/r/drafts/p", true},
		{"/r", "drafts", "/r/x/drafts/p", false},
		{"/r", "**/drafts", "/r/x/drafts/p", true},
		{"/r", "*.md", "/r/a.md", true},
		{"/r", "*.md", "/r/x/a.md", false},
		{"/r", "p/memory/{a,b}.md", "/r/p/memory/b.md", true},
		{"/r", "p/**", "/r/p/memory/b.md", true},
		{"/r", "p", "/r/pp/a", false},
		{"/r", "p", "/elsewhere/p", false},
		{`C:\r`, "p/*.md", `c:\r\p\a.md`, true},
	} {
		if got := (Glob{Base: c.base, Pattern: c.pattern}).Match(c.file); got != c.want {
			t.Errorf("%s: %q matches %s: %v", c.base, c.pattern, c.file, got)
		}
	}
}

func TestCRLFConfiguration(t *testing.T) {
	c, err := Parse([]byte("\ufeffrules:\r\n  stray-text: off\r\nfail-on: info\r\n"), "c.yaml", rules.All())
	if err != nil {
		t.Fatal(err)
	}
	if l, o := c.LevelOf("stray-text", "/x"); l != LevelOff || o.Line != 2 {
		t.Errorf("got %s from %s", l, o)
	}
}

func TestFingerprintsDependOnSaltAndValue(t *testing.T) {
	a := Fingerprint("0123456789abcdef", "value")
	if !validFingerprint(a) || a != Fingerprint("0123456789abcdef", "value") {
		t.Errorf("not stable or not valid: %s", a)
	}
	if a == Fingerprint("0123456789abcdee", "value") || a == Fingerprint("0123456789abcdef", "Value") {
		t.Error("two differ not")
	}
	// Computed by another implementation of PBKDF2: configurations stay valid.
	if want := "amp1:dbb7d0f3918eca0b6d99ca0d9a5e7941"; a != want {
		t.Errorf("got %s, expected %s", a, want)
	}
}

func TestAdjust(t *testing.T) {
	reg := rules.All()
	c, err := Parse([]byte("rules: {stray-text: error, legend: warning, name: off}\noverrides: [{paths: [a], rules: {name: on}}]\n"), "/r/c.yaml", reg)
	if err != nil {
		t.Fatal(err)
	}
	for _, tc := range []struct {
		rule      string
		sev, want analysis.Severity
		file      string
		keep      bool
	}{
		{"stray-text", analysis.Warning, analysis.Error, "/r/x", true},
		{"legend", analysis.Warning, analysis.Warning, "/r/x", true},
		{"legend", analysis.Hint, analysis.Hint, "/r/x", true}, // a remark besides the findings
		{"name", analysis.Error, 0, "/r/x", false},
		{"name", analysis.Error, analysis.Error, "/r/a", true},
		{"facet-default", analysis.Hint, 0, "/r/x", false}, // off unless asked for
		{"routing", analysis.Error, analysis.Error, "/r/x", true},
	} {
		d := analysis.Diagnostic{Rule: reg.Rule(tc.rule), Severity: tc.sev}
		keep := c.Adjust(&d, tc.file, "")
		if keep != tc.keep || keep && d.Severity != tc.want {
			t.Errorf("%s in %s: %v, %s", tc.rule, tc.file, keep, d.Severity)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, d := range documents {
		f.Add(d.yaml)
	}
	reg := rules.All()
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 4096 {
			return
		}
		c, err := Parse([]byte(src), "c.yaml", reg)
		if (c == nil) == (err == nil) {
			t.Errorf("got %v and %v", c, err)
		}
	})
}
