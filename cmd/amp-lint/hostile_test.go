package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

const hostileFM = "---\ntype: cluster\napplies_to: x\nsource: self\n---\n\n"

// hostilePack writes a pack that lints clean, and then what a test puts over it.
func hostilePack(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	all := map[string]string{
		"manifest.json":                  `{"name": "p", "title": "P", "layout": "semantic-cluster", "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": [], "capability_files": ["operating-principles.md"]}`,
		"agents.md":                      "## Always load\n- operating-principles.md\n",
		"memory/operating-principles.md": hostileFM + "[claim permanent, org] A is b.\n",
	}
	for name, src := range files {
		all[name] = src
	}
	for name, src := range all {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(src), 0o644); err != nil {
			t.Skipf("this file system takes no such name: %v", err)
		}
	}
	return dir
}

// lintHostile runs the linter and returns exit code and findings by rule.
func lintHostile(t *testing.T, dir string) (int, map[string]int) {
	t.Helper()
	var out, errs bytes.Buffer
	code := run([]string{"--no-config", "--format", "json", dir}, strings.NewReader(""), &out, &errs)
	var r struct {
		Diagnostics []struct{ Rule string }
	}
	if err := json.Unmarshal(out.Bytes(), &r); err != nil {
		t.Fatalf("no JSON: %v\n%s", err, errs.String())
	}
	if !utf8.Valid(out.Bytes()) {
		t.Error("the report is not valid UTF-8")
	}
	found := map[string]int{}
	for _, d := range r.Diagnostics {
		found[d.Rule]++
	}
	return code, found
}

// Each of these must end soon, say what is wrong, and still judge the rest.
func TestHostilePacksAreBoundedAndNamed(t *testing.T) {
	body := "memory/copy-voice.md"
	for name, c := range map[string]struct {
		files map[string]string
		rule  string
		rest  bool // the facet-extra of the untouched file is still reported
	}{
		"a 5 MB line":              {map[string]string{body: hostileFM + "[claim] " + strings.Repeat("A is b ", 750_000) + "\n[claim tactical, org] C is d.\n"}, "facet-extra", true},
		"a 5 MB facet":             {map[string]string{body: hostileFM + "[claim permanent, " + strings.Repeat("x", 5_000_000) + "] A is b.\n"}, "facet-extra", true},
		"NUL bytes":                {map[string]string{body: hostileFM + "[claim] A is \x00b\n"}, "encoding", true},
		"invalid UTF-8":            {map[string]string{body: hostileFM + "[claim] A is \xff\xfe b\n"}, "encoding", true},
		"unclosed braces":          {map[string]string{body: hostileFM + strings.Repeat("[demo positive] {\nx\n\n", 20_000)}, "unclosed-brace", true},
		"tiny blocks":              {map[string]string{body: hostileFM + strings.Repeat("[x]\n", 2_000)}, "unknown-type", true},
		"lone CR":                  {map[string]string{body: strings.ReplaceAll(hostileFM+"[claim] A is b.\nx\n"+strings.Repeat("\n", 500_000), "\n", "\r")}, "stray-text", true},
		"nested YAML":              {map[string]string{body: "---\na: " + strings.Repeat("[", 100_000) + "\n---\n[claim] A is b.\n"}, "frontmatter", true},
		"deep JSON":                {map[string]string{"manifest.json": `{"a": ` + strings.Repeat("[", 100_000)}, "manifest-json", true},
		"a wide manifest":          {map[string]string{"manifest.json": `{"capability_files": [` + strings.TrimSuffix(strings.Repeat(`"a",`, 5_000), ",") + `]}`}, "capability-duplicate", false},
		"a large manifest":         {map[string]string{"manifest.json": strings.Repeat(" ", 2<<20)}, "file-type", true},
		"many routes":              {map[string]string{"agents.md": "## Always load\n- operating-principles.md\n\n| a | b |\n|---|---|\n" + strings.Repeat("| a | gone.md |\n", 3_000)}, "routing", true},
		"a name of control bytes":  {map[string]string{"memory/a\nb\x1b[31m.md": hostileFM + "[claim tactical, org] C is d.\n"}, "unlisted-file", true},
		"a name that is not UTF-8": {map[string]string{"memory/a\xff.md": hostileFM}, "file-type", true},
	} {
		t.Run(name, func(t *testing.T) {
			code, found := lintHostile(t, hostilePack(t, c.files))
			if code != exitFindings || found[c.rule] == 0 {
				t.Errorf("exit %d, %v; want %s", code, found, c.rule)
			}
			if c.rest && found["facet-extra"] == 0 {
				t.Errorf("the rest was not judged: %v", found)
			}
		})
	}
}

func TestAManifestOfAGigabyteIsNotRead(t *testing.T) {
	dir := hostilePack(t, nil)
	if err := os.Truncate(filepath.Join(dir, "manifest.json"), 1<<30); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	if code, found := lintHostile(t, dir); code != exitFindings || found["file-type"] != 1 || found["facet-extra"] != 1 {
		t.Errorf("exit %d, %v", code, found)
	}
}

// What a stranger's pack holds must not steer the terminal of who lints it.
func TestTextShowsNoControlCharacters(t *testing.T) {
	evil := "\x1b]0;x\x07\x1b[2J\u202e\u2066\u009b31m"
	dir := hostilePack(t, map[string]string{
		"memory/operating-principles.md": hostileFM + "[claim " + evil + "] A is b.\n\n" + evil + " text\n",
		"agents.md":                      "## Always load\n- " + evil + ".md\n",
		"manifest.json":                  `{"name": "a\u001b[2J", "title": "x", "layout": "l\u202e\u0007", "capability_files": ["\u001b[31m.md", "a\u2066/b"], "agents_file": "\u001b", "agents": ["\u001b]0;x\u0007"], "primitive_format": "inline-tag-v0.4"}`,
	})
	for _, format := range []string{"text", "concise", "spec"} {
		var out, errs bytes.Buffer
		run([]string{"--no-config", "--format", format, dir}, strings.NewReader(""), &out, &errs)
		for _, r := range out.String() + errs.String() {
			if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
				t.Errorf("%s prints %U", format, r)
				break
			}
		}
	}
}

func TestAPathThatDoesNotExistIsAnInputError(t *testing.T) {
	if code, _ := lintHostile(t, filepath.Join(t.TempDir(), "none")); code != exitInput {
		t.Errorf("exit %d", code)
	}
}
