package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/internal/testpack"
	"github.com/amp-toolchain/amp/sign"
)

// A finding as a cell of the matrix compares it.
type finding struct{ Path, Rule, Message, Severity string }

func lintJSON(t *testing.T, args ...string) []finding {
	t.Helper()
	var out, errs bytes.Buffer
	code := run(append([]string{"--format", "json"}, args...), strings.NewReader(""), &out, &errs)
	var rep struct {
		Diagnostics []finding
		Errors      []struct{ Path, Message string }
	}
	if err := json.Unmarshal(out.Bytes(), &rep); err != nil || code > exitFindings {
		t.Fatalf("%v ended with %d: %v\n%s%s", args, code, err, &out, &errs)
	}
	return rep.Diagnostics
}

// without are the findings of other rules.
func without(fs []finding, rule string) []finding {
	return slices.DeleteFunc(slices.Clone(fs), func(f finding) bool { return f.Rule == rule })
}

func same(a, b []finding) bool {
	key := func(x, y finding) int { return strings.Compare(x.Path+x.Rule+x.Message, y.Path+y.Rule+y.Message) }
	slices.SortFunc(a, key)
	slices.SortFunc(b, key)
	return slices.Equal(a, b)
}

// specimens are packs on disk by a rule that is reported in them. They come from
// the conformance cases and the rules' own examples.
func specimens(t *testing.T) map[string]string {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob(filepath.Join(root, "analysis/testdata/conformance/*.txtar"))
	if err != nil || len(names) < 100 {
		t.Fatalf("%d cases, %v", len(names), err)
	}
	dir := t.TempDir()
	var dirs []string
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var want struct{ Encode map[string][]string }
		for _, f := range a.Files {
			if f.Name == "want.json" {
				if err := json.Unmarshal(f.Data, &want); err != nil {
					t.Fatal(err)
				}
			}
		}
		p := filepath.Join(dir, strings.TrimSuffix(filepath.Base(name), ".txtar"))
		for file, f := range testpack.FS(a, "pack/") {
			write(t, filepath.Join(p, filepath.FromSlash(file)), testpack.Encode(f.Data, want.Encode[file]))
		}
		dirs = append(dirs, p)
	}
	for _, r := range rules.All().Rules {
		if r.Bad == "" {
			continue
		}
		p := filepath.Join(dir, "example-"+r.Slug)
		for file, s := range testpack.Example(r.Bad) {
			write(t, filepath.Join(p, filepath.FromSlash(file)), []byte(s))
		}
		dirs = append(dirs, p)
	}
	dirs = append(dirs, made(t, dir)...)
	out := map[string]string{}
	for _, p := range dirs {
		for _, f := range lintJSON(t, "--no-config", p) {
			if out[f.Rule] == "" {
				out[f.Rule] = p
			}
		}
	}
	return out
}

// made are packs that no text alone can be: with a link, changed after it was
// signed, and with a comment that does nothing.
func made(t *testing.T, dir string) []string {
	t.Helper()
	fresh := func(name string) string {
		p := filepath.Join(dir, name)
		for file, s := range testpack.Example("[claim] The press is a hand press.") {
			write(t, filepath.Join(p, filepath.FromSlash(file)), []byte(s))
		}
		return p
	}
	principles := func(p, s string) {
		write(t, filepath.Join(p, "memory", "operating-principles.md"), []byte("---\ntype: cluster\napplies_to: all\nsource: self\n"+s))
	}
	link, signed, comment := fresh("made-link"), fresh("made-signed"), fresh("made-comment")
	out := []string{signed, comment}
	if err := os.Symlink("manifest.json", filepath.Join(link, "memory", "link.md")); err == nil {
		out = append(out, link)
	}
	key, err := sign.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sign.Sign(signed, key, sign.Options{Scheme: sign.Spec}); err != nil {
		t.Fatal(err)
	}
	principles(signed, "---\n\n[claim] The press is a flat press.\n")
	principles(comment, "# amp-lint: suppress goal-pattern -- there is none\n---\n\n[claim] The press is a hand press.\n")
	return out
}

func write(t *testing.T, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestMatrix: every rule by every way to silence it. Each cell takes away exactly
// the findings of that rule, except where a rule is protected: then it takes away
// none, or is refused.
func TestMatrix(t *testing.T) {
	found := specimens(t)
	for _, r := range rules.All().Rules {
		dir := found[r.Slug]
		switch {
		case r.Off:
			continue // see TestMatrixOfRulesThatAreOff
		case dir == "" && r.Slug == "file-type" && runtime.GOOS == "windows":
			continue // links need a right there
		case dir == "":
			t.Errorf("no specimen of %s", r.Slug)
			continue
		}
		t.Run(r.Slug, func(t *testing.T) {
			all := lintJSON(t, "--no-config", dir)
			rest := without(all, r.Slug)
			if len(rest) == len(all) {
				t.Fatal("the specimen has no finding")
			}
			conf := filepath.Join(t.TempDir(), "c.yaml")
			configured := func(text string) []string {
				write(t, conf, []byte(text))
				return []string{"--config", conf, dir}
			}
			if r.Slug == config.CredentialRule {
				for name, args := range map[string][]string{
					"config": configured("rules: {credential: off}"), "flag": {"--no-config", "--rule", "credential=off", dir},
				} {
					if code := run(args, strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)); code != exitUsage {
						t.Errorf("%s: ended with %d", name, code)
					}
				}
			} else {
				for name, args := range map[string][]string{
					"config": configured("rules: {" + r.Slug + ": off}"),
					"flag":   {"--no-config", "--rule", r.Slug + "=off", dir},
				} {
					if got := lintJSON(t, args...); !same(got, rest) {
						t.Errorf("%s: got %v, expected %v", name, got, rest)
					}
				}
				if got := lintJSON(t, configured("overrides: [{paths: ['**'], rules: {"+r.Slug+": off}}]")...); !same(got, all) {
					t.Errorf("an override for files elsewhere: got %v, expected %v", got, all)
				}
				// The configuration beside the pack, for its files alone.
				beside := filepath.Join(filepath.Dir(dir), ".amp-lint.yaml")
				write(t, beside, []byte("overrides: [{paths: ["+filepath.Base(dir)+"], rules: {"+r.Slug+": off}}]\n"))
				got := lintJSON(t, dir)
				if err := os.Remove(beside); err != nil {
					t.Fatal(err)
				}
				if !same(got, rest) {
					t.Errorf("override: got %v, expected %v", got, rest)
				}
			}
			matrixBaseline(t, r.Slug, dir, all, rest)
			matrixInline(t, r.Slug, dir)
			if got := lintJSON(t, "--no-config", "--only", r.Slug, dir); len(without(without(got, r.Slug), config.CredentialRule)) > 0 || len(without(got, r.Slug)) == len(got) {
				t.Errorf("only: got %v", got)
			}
		})
	}
}

// TestMatrixOfRulesThatAreOff: a rule that is off by default comes up by each way to
// turn it on, alone, and goes by each way to silence it.
func TestMatrixOfRulesThatAreOff(t *testing.T) {
	n := 0
	for _, r := range rules.All().Rules {
		if !r.Off {
			continue
		}
		n++
		dir := filepath.Join(t.TempDir(), "p")
		for file, s := range testpack.Example(r.Bad) {
			write(t, filepath.Join(dir, filepath.FromSlash(file)), []byte(s))
		}
		rest := lintJSON(t, "--no-config", dir)
		if len(rest) != len(without(rest, r.Slug)) {
			t.Fatalf("%s is on", r.Slug)
		}
		beside := filepath.Join(filepath.Dir(dir), ".amp-lint.yaml")
		cell := func(name, conf string, on bool, args ...string) {
			t.Helper()
			write(t, beside, []byte(conf))
			got := lintJSON(t, append(args, dir)...)
			if !same(without(got, r.Slug), slices.Clone(rest)) || (len(got) > len(rest)) != on {
				t.Errorf("%s, %s: got %v besides %v", r.Slug, name, got, rest)
			}
		}
		on, over := "rules: {"+r.Slug+": warning}\n", "overrides: [{paths: [p], rules: {"+r.Slug+": "
		cell("config", on, true)
		cell("override on", over+"info}}]\n", true)
		cell("flag on", "", true, "--rule", r.Slug+"=warning")
		cell("asked for by name", "", true, "--only", r.Slug)
		cell("override off", on+over+"off}}]\n", false)
		cell("flag off", on, false, "--rule", r.Slug+"=off")
		base := filepath.Join(t.TempDir(), "base.json")
		write(t, beside, []byte(on))
		if code := run([]string{"--baseline", base, "--baseline-update", dir}, strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)); code != exitClean {
			t.Fatalf("--baseline-update ended with %d", code)
		}
		if got := lintJSON(t, "--baseline", base, dir); len(got) > 0 {
			t.Errorf("%s, baseline: got %v", r.Slug, got)
		}
		if code := run([]string{"suppress", "--only", r.Slug, "--reason", "the matrix", dir}, strings.NewReader(""), new(bytes.Buffer), new(bytes.Buffer)); code != exitClean {
			t.Errorf("suppress ended with %d", code)
		}
		cell("inline", on, false)
		cell("inline ignored", on, true, "--no-inline-suppress")
	}
	if n == 0 {
		t.Skip("no rule is off by default")
	}
}

// matrixBaseline takes in the findings of one rule and looks at all.
func matrixBaseline(t *testing.T, slug, dir string, all, rest []finding) {
	base := filepath.Join(t.TempDir(), "base.json")
	var errs bytes.Buffer
	if code := run([]string{"--no-config", "--only", slug, "--baseline", base, "--baseline-update", dir}, strings.NewReader(""), new(bytes.Buffer), &errs); code != exitClean {
		t.Fatalf("--baseline-update ended with %d: %s", code, &errs)
	}
	want := rest
	if slug == config.CredentialRule || slug == suppress.Rule {
		want = all
	}
	if got := lintJSON(t, "--no-config", "--baseline", base, dir); !same(got, want) {
		t.Errorf("baseline: got %v, expected %v", got, want)
	}
}

// matrixInline puts a comment into the first capability file that has a
// frontmatter and a finding of the rule, or into the one that speaks for the pack.
func matrixInline(t *testing.T, slug, dir string) {
	copied := filepath.Join(t.TempDir(), filepath.Base(dir))
	if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
		t.Fatal(err)
	}
	all := lintJSON(t, "--no-config", copied)
	var targets []string
	for _, f := range all {
		rel, err := filepath.Rel(copied, filepath.FromSlash(f.Path))
		if err != nil {
			t.Fatal(err)
		}
		if f.Rule == slug && !slices.Contains(targets, rel) {
			targets = append(targets, rel)
		}
	}
	silenced := map[string]bool{}
	for _, rel := range targets {
		host, in := rel, ""
		if filepath.Base(filepath.Dir(rel)) != "memory" || !frontmatter(t, filepath.Join(copied, rel)) {
			host, in = filepath.Join("memory", "operating-principles.md"), map[string]string{"manifest.json": " in manifest", "agents.md": " in routing"}[rel]
		}
		if host != rel && in == "" || !frontmatter(t, filepath.Join(copied, host)) {
			continue // nothing in this pack can hold a comment
		}
		p := filepath.Join(copied, host)
		src, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		nl := "\n"
		if bytes.Contains(src, []byte("\r\n")) {
			nl = "\r\n"
		}
		head := bytes.Index(src, []byte("---")) + 3 + len(nl)
		comment := "# amp-lint: suppress " + slug + in + " -- the matrix" + nl
		write(t, p, slices.Concat(src[:head], []byte(comment), src[head:]))
		silenced[rel] = true
	}
	if len(silenced) == 0 {
		return
	}
	got := lintJSON(t, "--no-config", copied)
	if slices.Contains(suppress.Protected, slug) {
		if len(without(got, slug)) == len(got) {
			t.Errorf("inline: a comment silences %s", slug)
		}
		return
	}
	count := func(fs []finding, rel string, match bool) int {
		n := 0
		for _, f := range fs {
			r, err := filepath.Rel(copied, filepath.FromSlash(f.Path))
			if err == nil && (r == rel || rel == "") && (f.Rule == slug) == match {
				n++
			}
		}
		return n
	}
	for rel := range silenced {
		if n := count(got, rel, true); n > 0 {
			t.Errorf("inline: %d findings are left in %s: %v", n, rel, got)
		}
	}
	if a, b := count(all, "", false), count(got, "", false); a != b {
		t.Errorf("inline: %d other findings before, %d after: %v", a, b, got)
	}
	if again := lintJSON(t, "--no-config", "--no-inline-suppress", copied); count(again, "", true) != count(all, "", true) {
		t.Errorf("--no-inline-suppress: got %v, expected %v", again, all)
	}
}

// frontmatter reports whether a file starts with a YAML block that ends.
func frontmatter(t *testing.T, name string) bool {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		return false
	}
	s := strings.ReplaceAll(strings.TrimPrefix(string(src), "\ufeff"), "\r\n", "\n")
	rest, ok := strings.CutPrefix(s, "---\n")
	return ok && (strings.Contains(rest, "\n---\n") || strings.HasPrefix(rest, "---\n")) && !strings.HasPrefix(rest, "{")
}
