package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/capture"
	"github.com/amp-toolchain/amp/internal/fsx"
)

// liveKey is put together here so that no scanner stops at this file.
const liveKey = "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"

func notes(t *testing.T, project string) string {
	t.Helper()
	dir := filepath.Join(project, "notes")
	writeFiles(t, dir, map[string]string{
		"kiln.md":        "# Kiln\n\n- The kiln is electric.\n- Optimize for slow cooling over full shelves.\n- Glaze stuff\n",
		"log.md":         "## 2026-05-01\n\n- Fixed the door\n- The staging key is " + liveKey + ".\n",
		"page.md":        "In signs, never shout.\n",
		".obsidian/x.md": "hidden",
	})
	return dir
}

func TestCaptureWritesADraftThatVerifiesAsAPack(t *testing.T) {
	_, project := scratch(t)
	dir := notes(t, project)
	before := contents(t, dir)
	t.Setenv("SOURCE_DATE_EPOCH", "86400")
	code, stdout, stderr := amp("capture", dir, "--name", "kiln", "--title", "The kiln")
	if code != 1 || !strings.Contains(stdout, "Wrote kiln.draft") || !strings.Contains(stdout, "log.md:4 — REASON: credential: ") || strings.Contains(stdout+stderr, liveKey) {
		t.Errorf("exit %d: %s%s", code, stdout, stderr)
	}
	for name, text := range contents(t, project) {
		if strings.Contains(text, liveKey) && !strings.HasPrefix(name, "notes") {
			t.Errorf("%s holds the credential", name)
		}
	}
	if d := diffOf(before, contents(t, dir)); d != "" {
		t.Errorf("the notes were changed: %s", d)
	}
	draft := contents(t, "kiln.draft")
	if !strings.Contains(draft["manifest.json"], `"created": "1970-01-02"`) || !strings.Contains(draft["manifest.json"], `"dropped_action_log": 1`) {
		t.Errorf("manifest: %s", draft["manifest.json"])
	}
	want(t, 1, "Content: 0 errors, 0 warnings", "verify", "kiln.draft", "--lint") // unsigned, and clean
	want(t, 1, "kiln.draft exists", "capture", dir, "--name", "kiln")
	// The same input gives the same bytes.
	want(t, 1, "", "capture", dir, "--name", "kiln", "--title", "The kiln", "--out", t.TempDir())
	other := t.TempDir()
	want(t, 1, "", "capture", dir, "--name", "kiln", "--title", "The kiln", "--out", other, "--created", "1970-01-02")
	if d := diffOf(draft, contents(t, filepath.Join(other, "kiln.draft"))); d != "" {
		t.Error(d)
	}
}

func TestCaptureTakesDecidedUnitsBack(t *testing.T) {
	_, project := scratch(t)
	dir := notes(t, project)
	_, _, _ = amp("capture", dir, "--name", "kiln")
	open, err := os.ReadFile("kiln.ambiguous.jsonl")
	if err != nil || strings.Count(string(open), "\n") != 1 || !strings.Contains(string(open), `"content":"Glaze stuff"`) {
		t.Fatalf("%v: %s", err, open)
	}
	decided := strings.NewReplacer(`"type":""`, `"type":"claim"`, "Glaze stuff", "The glaze is matt.").Replace(string(open))
	writeFiles(t, project, map[string]string{"decided.jsonl": decided})
	code, stdout, _ := amp("capture", dir, "--name", "kiln", "--units", "decided.jsonl", "--dry-run", "--json")
	var v captured
	if err := json.Unmarshal([]byte(stdout), &v); err != nil {
		t.Fatal(err)
	}
	if code != 1 || v.Written || len(v.Open) != 0 || v.Counts["claim"] != 2 || len(v.Rejected) != 1 || v.Rejected[0].Line != 4 {
		t.Errorf("exit %d: %+v", code, v)
	}
	want(t, 0, "PASS: 1 primitives valid", "capture", "--units", "decided.jsonl", "--name", "glaze")
	// What somebody decided takes the place of what a rule did.
	writeFiles(t, project, map[string]string{"over.jsonl": `{"type":"drop","source":"kiln.md","line":3}
{"type":"goal","facets":["must"],"content":"Optimize for slow cooling.","source":"kiln.md","line":4}
`})
	_, stdout, _ = amp("capture", dir, "--name", "kiln", "--units", "over.jsonl", "--dry-run", "--json")
	v = captured{}
	if err := json.Unmarshal([]byte(stdout), &v); err != nil || v.Counts["claim"] != 0 || v.Counts["goal"] != 1 || v.Units[0].Content != "Optimize for slow cooling." || len(v.Open) != 1 {
		t.Errorf("%v: %+v", err, v)
	}
	// Undecided lines stay ambiguous, bad ones stop everything.
	writeFiles(t, project, map[string]string{"bad.jsonl": string(open) + `{"type":"claim","content":"Use it."}` + "\n{\n" + `{"type":"goal","content":"` + liveKey + `","force":"must"}` + "\n"})
	code, stdout, stderr := amp("capture", "--units", "bad.jsonl", "--name", "bad")
	for _, part := range []string{"bad.jsonl:2: a claim must", "bad.jsonl:3: ", `bad.jsonl:4: unknown field "force"`} {
		if !strings.Contains(stderr, part) {
			t.Errorf("no %q in %s", part, stderr)
		}
	}
	if _, err := os.Stat("bad.draft"); code != 1 || err == nil || strings.Contains(stdout+stderr, liveKey) {
		t.Errorf("exit %d, draft %v: %s%s", code, err, stdout, stderr)
	}
}

func TestCaptureReadsNoLinksPipesOrHugeFiles(t *testing.T) {
	_, project := scratch(t)
	dir := notes(t, project)
	writeFiles(t, project, map[string]string{"secret.md": "The secret is out.\n"})
	writeFiles(t, dir, map[string]string{"bytes.md": "ok\nbad \xff\n", "nul.md": "a\x00b"})
	if err := os.Truncate(touch(t, filepath.Join(dir, "huge.md")), capture.MaxNote+1); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("../secret.md", filepath.Join(dir, "link.md")); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	parts := []string{"bytes.md:2: ", "nul.md:1: ", "huge.md: ", "link.md: no plain file"}
	if mkfifo, err := exec.LookPath("mkfifo"); err == nil && runtime.GOOS != "windows" && exec.Command(mkfifo, filepath.Join(dir, "pipe.md")).Run() == nil {
		parts = append(parts, "pipe.md: no plain file")
	}
	code, stdout, stderr := amp("capture", dir, "--name", "kiln", "--dry-run")
	for _, p := range parts {
		if !strings.Contains(stderr, p) {
			t.Errorf("no %q in %s", p, stderr)
		}
	}
	if code != 1 || strings.Contains(stdout, "secret is out") {
		t.Errorf("exit %d: %s", code, stdout)
	}
	want(t, 1, "not a folder", "capture", filepath.Join(dir, "kiln.md"), "--name", "kiln")
	want(t, 1, "not a regular file", "capture", "--units", dir, "--name", "kiln")
	want(t, 2, "", "capture", dir, "--name", "No Name")
	want(t, 2, "--name", "capture", dir)
	want(t, 2, "units", "capture", "--name", "kiln")
	want(t, 2, "YYYY-MM-DD", "capture", dir, "--name", "kiln", "--created", "2026-02-30")
}

func touch(t *testing.T, name string) string {
	t.Helper()
	if err := os.WriteFile(name, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return name
}

// A run that dies leaves no half draft.
func TestCaptureKilledAnywhereLeavesAWholeDraftOrNone(t *testing.T) {
	_, project := scratch(t)
	dir := filepath.Join(project, "notes")
	writeFiles(t, dir, map[string]string{"kiln.md": "- The kiln is electric.\n- Glaze stuff\n"})
	run := func(out string) {
		_, _, _ = amp("capture", dir, "--name", "kiln", "--out", out, "--created", "2026-01-02")
	}
	whole := t.TempDir()
	run(whole)
	want := contents(t, whole)
	for k := 1; ; k++ {
		out := t.TempDir()
		n := 0
		remove := fsx.SetGate(func(fsx.Op) error {
			if n++; n >= k {
				return os.ErrDeadlineExceeded
			}
			return nil
		})
		run(out)
		remove()
		if n < k {
			if k < 15 {
				t.Errorf("only %d kill points, the gate is not passed", k)
			}
			return
		}
		if _, err := os.Stat(filepath.Join(out, "kiln.draft")); err != nil {
			continue
		}
		got := contents(t, out)
		for name, text := range want {
			if got[name] != text {
				t.Fatalf("killed at %d: %s is %q", k, name, got[name])
			}
		}
	}
}

// From notes to a pack, through an installation, into a wiki, and out again.
func TestFromNotesToAWiki(t *testing.T) {
	_, project := scratch(t)
	writeFiles(t, project, map[string]string{
		"AGENTS.md":                    "# Mine\n",
		"notes/kiln.md":                "- The kiln is electric.\n- Optimize for slow cooling over full shelves.\n  - Why: Cracks come late.\n- In glaze notes, always write the `cone` & <date>.\n",
		"knowledge-base/wiki/index.md": "# Wiki\r\n",
	})
	before := contents(t, project)
	want(t, 0, "PASS: 3 primitives valid", "capture", "notes", "--name", "kiln", "--out", t.TempDir())
	out := t.TempDir()
	want(t, 0, "Wrote ", "capture", "notes", "--name", "kiln", "--out", out, "--created", "2026-01-02")
	want(t, 0, "Installed kiln", "install", "--from-path", filepath.Join(out, "kiln.draft"))
	want(t, 0, "Primitives: 1 goal, 1 claim, 1 directive", "unpack", "kiln", "--yes")
	page := contents(t, "knowledge-base/wiki")["packs/kiln/operating-principles.md"]
	for _, part := range []string{
		"- Optimize for slow cooling over full shelves. — Cracks come late.\n",
		"- **should** In glaze notes, always write the `cone` & \\<date>.\n",
	} {
		if !strings.Contains(page, part) {
			t.Errorf("no %q in %s", part, page)
		}
	}
	want(t, 0, "Done", "unpack", "kiln", "--remove", "--yes")
	want(t, 0, "Uninstalled", "uninstall", "kiln")
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Error(d)
	}
}
