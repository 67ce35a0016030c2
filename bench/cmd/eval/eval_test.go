package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// buildLinter builds the amp-lint of this source tree.
func buildLinter(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "amp-lint")
	if runtime.GOOS == "windows" {
		bin += ".exe"
	}
	cmd := exec.Command("go", "build", "-o", bin, "./cmd/amp-lint")
	cmd.Dir = "../../.."
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	p := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func TestSlipsInLabelsAreLocatedErrors(t *testing.T) {
	const good = `{"id": "a", "files": {"agents.md": "x"}, "expect": [], "tags": []}` + "\n"
	for _, c := range []struct{ name, set, want string }{
		{"empty", "\n\n", "no rows"},
		{"no JSON", good + "{", "line 2: "},
		{"unknown kind", `{"id": "a"}`, "line 1: neither `files`"},
		{"no id", `{"files": {"agents.md": ""}}`, "line 1: no `id`"},
		{"double id", good + "\n" + good, `line 3: id "a" is that of line 1`},
		{"misspelt rule", good + `{"id": "b", "files": {"agents.md": ""}, "expect": ["exfil"]}`, `line 2: ` + "`expect`" + ` names no security rule: "exfil"`},
		{"misplaced", good + `{"id": "b", "files": {"agents.md": ""}, "expect": ["destructive"], "where": ["x.md"]}`, "line 2: `where` names no file of the pack"},
		{"other kind of row", good + `{"id": "b", "parts": ["x"]}`, "line 2: no `files`"},
		{"outside", `{"id": "b", "files": {"../x.md": ""}}`, "lies outside of the pack"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := readSet(write(t, "set.jsonl", c.set), "other")
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

func TestPacksAreScoredByRuleFileAndTag(t *testing.T) {
	files := map[string]string{"agents.md": "", "memory/a.md": "", "memory/b.md": ""}
	rows := []attackRow{
		{ID: "right", Files: files, Expect: []string{"exfiltration", "fragment-assembly"}, Where: []string{"memory/b.md"}, Tags: []string{"cross-file"}},
		{ID: "other rule, other file", Files: files, Expect: []string{"destructive", "homoglyph"}, Where: []string{"memory/a.md"}},
		{ID: "info only", Files: files, Expect: []string{"destructive"}, Where: []string{"memory/a.md"}, Tags: []string{"cross-file"}},
		{ID: "format finding only", Files: files, Tags: []string{"i18n"}},
		{ID: "false alarm", Files: files, Tags: []string{"i18n"}},
	}
	s := scorePacks(rows, [][]finding{
		{{Rule: "fragment-assembly", Severity: "error", Path: "memory/a.md", Related: []string{"memory/b.md"}}},
		{{Rule: "fragment-assembly", Severity: "warning", Path: "memory/b.md"}},
		{{Rule: "destructive", Severity: "info", Path: "memory/a.md"}},
		{{Rule: "goal-pattern", Severity: "error", Path: "memory/a.md"}},
		{{Rule: "concealment", Severity: "warning", Path: "agents.md"}},
	})
	for _, c := range []struct {
		what      string
		got, want ratio
	}{
		{"recall", s.recall, ratio{2, 3}},
		{"precision", s.precision, ratio{2, 3}},
		{"alarms", s.alarms, ratio{1, 2}},
		{"category", s.category, ratio{1, 2}},
		{"file", s.file, ratio{1, 2}},
		{"hidden", s.hidden, ratio{1, 1}},
		{"cross-file", s.tags["cross-file"].found, ratio{1, 2}},
		{"i18n alarms", s.tags["i18n"].alarms, ratio{1, 2}},
		{"destructive by itself", s.rules["destructive"].right, ratio{0, 2}},
		{"destructive by any", s.rules["destructive"].any, ratio{1, 2}},
	} {
		if c.got != c.want {
			t.Errorf("%s: got %v, want %v", c.what, c.got, c.want)
		}
	}
	if s.thin != 1 || s.rules["concealment"].alarms != 1 {
		t.Errorf("thin %d, alarms of concealment %d, want 1 and 1", s.thin, s.rules["concealment"].alarms)
	}
	want := []string{"recall 0.67", "precision 0.67", "over several files 0.50", "other languages: 1", "one place only: 1"}
	got := s.below(thresholds{recall: 0.7, precision: 0.9, cross: 0.6})
	if len(got) != len(want) {
		t.Fatalf("got %q, want %q", got, want)
	}
	for i := range want {
		if !strings.Contains(got[i], want[i]) {
			t.Errorf("got %q, want %q", got[i], want[i])
		}
	}
	if got := s.below(thresholds{recall: 0.6, precision: 0.6, cross: 0.5, i18nAlarms: 1}); len(got) != 1 {
		t.Errorf("got %q, want only the thin finding", got)
	}
}

func TestRepeatedSecretsAreLeaks(t *testing.T) {
	const text = "key is abcd1234abcd1234abcd in production-environment"
	for _, c := range []struct {
		said string
		want bool
	}{
		{`{"message": "found abcd1234abcd1234abcd"}`, true},
		{`{"message": "found abcd1234…"}`, false},
		{`{"message": "in production-environment"}`, false},
	} {
		if got := leaks(text, c.said); got != c.want {
			t.Errorf("%s: got %v", c.said, got)
		}
	}
}

func TestTiersOfCredentialsAreKeptApart(t *testing.T) {
	rows := []credentialRow{
		{ID: "1", Parts: []string{"abcd1234", "abcd1234abcd"}, Expect: true, Family: "f", Tier: "core"},
		{ID: "2", Parts: []string{"x"}, Expect: true, Family: "f", Tier: "spec"},
		{ID: "3", Parts: []string{"x"}, Family: "g", Tier: "core"},
	}
	found := finding{Rule: "credential", Severity: "error", Said: "abcd1234abcd1234abcd"}
	s := scoreCredentials(rows, [][]finding{{found}, {{Rule: "exfiltration", Severity: "error"}}, {found}})
	if got := s.tiers["core"]; got.recall != (ratio{1, 1}) || got.precision != (ratio{1, 2}) {
		t.Errorf("core: %v", *got)
	}
	if s.leaks != 1 || s.families["g"].alarms != (ratio{1, 1}) || s.families["f"].found != (ratio{1, 2}) {
		t.Errorf("leaks %d, families %v %v", s.leaks, *s.families["f"], *s.families["g"])
	}
	if got := s.below(thresholds{credRecall: 0.95, credPrecision: 0.98}); len(got) != 3 {
		t.Errorf("got %q, want precision, spec and leaks", got)
	}
}

func TestTextsKeepTheirPlaceWhateverTheyHold(t *testing.T) {
	if testing.Short() {
		t.Skip("builds amp-lint")
	}
	bin := buildLinter(t)
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "code.md"), []byte("# Loop\n\n```c\nvoid f() {\n}\n```\n\n[claim] never read as one\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, as := range []string{"other", "demo"} {
		s, err := readSet(dir, as)
		if err != nil {
			t.Fatal(err)
		}
		found, err := lint(bin, s.packs())
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range found[0] {
			if f.Severity == "error" {
				t.Errorf("%s: the pack around a text is not clean: %s %s: %s", as, f.Path, f.Rule, f.Message)
			}
		}
	}
}

func TestPublishedSetsHoldThroughTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds amp-lint")
	}
	bin := buildLinter(t)
	const sets = "../../../analysis/poison/testdata/"
	for _, args := range [][]string{
		{"-min-recall", "1", "-min-precision", "1", sets + "public.jsonl"},
		{"-max-flagged", "0.04", sets + "benign"},
		{"-as", "demo", sets + "benign"},
	} {
		var out, errs strings.Builder
		if code := run(append([]string{"-amp-lint", bin, "-v"}, args...), &out, &errs); code != 0 {
			t.Errorf("%v: exit %d\n%s\n%s", args, code, errs.String(), out.String())
		}
	}
}

// The set of package credential is scored through the program; the thresholds
// of the flags must hold for it.
func TestCredentialSetHoldsThroughTheProgram(t *testing.T) {
	if testing.Short() {
		t.Skip("builds amp-lint")
	}
	bin := buildLinter(t)
	const set = "../../../analysis/credential/testdata/labelled.jsonl"
	var out, errs strings.Builder
	if code := run([]string{"-amp-lint", bin, "-v", set}, &out, &errs); code != 0 {
		t.Errorf("exit %d\n%s\n%s", code, errs.String(), out.String())
	}
	if !strings.Contains(out.String(), "| core | ") {
		t.Errorf("no table of tiers:\n%s", out.String())
	}
	out.Reset()
	errs.Reset()
	if code := run([]string{"-amp-lint", bin, "-min-credential-recall", "1.01", set}, &out, &errs); code != exitBelow || !strings.Contains(errs.String(), "recall on tier core") {
		t.Errorf("exit %d for a threshold out of reach: %s", code, errs.String())
	}
}

func TestErrorsHaveTheirExitCodes(t *testing.T) {
	set := write(t, "set.jsonl", `{"id": "a", "files": {"agents.md": "x"}}`)
	for _, c := range []struct {
		name string
		args []string
		code int
		want string
	}{
		{"no set", nil, exitUsage, "no set given"},
		{"unknown flag", []string{"-x"}, exitUsage, "-x"},
		{"unknown place", []string{"-as", "loose", set}, exitUsage, `"loose"`},
		{"missing set", []string{filepath.Join(t.TempDir(), "none.jsonl")}, exitInput, "none.jsonl: "},
		{"missing linter", []string{"-amp-lint", filepath.Join(t.TempDir(), "none"), set}, exitInput, "amp-lint: "},
		{"folder without texts", []string{t.TempDir()}, exitInput, "no .md texts"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out, errs strings.Builder
			if code := run(c.args, &out, &errs); code != c.code || !strings.Contains(errs.String(), c.want) {
				t.Errorf("exit %d, %s", code, errs.String())
			}
		})
	}
}

func TestReportsOfOtherProgramsAreErrors(t *testing.T) {
	for _, c := range []struct{ name, report, want string }{
		{"no JSON", "PASS: 3", "no JSON"},
		{"other version", `{"version": 2}`, "version 2"},
		{"foreign pack", `{"version": 1, "diagnostics": [{"path": "7/agents.md"}]}`, "not given"},
		{"foreign path", `{"version": 1, "diagnostics": [{"path": "/etc/agents.md"}]}`, "not given"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if err := parseReport([]byte(c.report), make([][]finding, 2)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}
