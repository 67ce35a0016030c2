package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/internal/lsp"
	"github.com/amp-toolchain/amp/internal/lsptest"
)

// pack is a pack without a finding; voice is its second capability file.
const packFiles = `-- manifest.json --
{
  "name": "small",
  "title": "Small pack",
  "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4",
  "agents_file": "agents.md",
  "agents": ["claude-code"],
  "capability_files": ["operating-principles.md", "copy-voice.md"],
  "primitive_counts": {
    "goal": 1,
    "claim": 0,
    "directive": 2,
    "demonstration": 1
  }
}
-- agents.md --
# AMP Routing — small

## Always load
- operating-principles.md — what comes first

## Route by task type

| If the task involves... | Load |
|---|---|
| Writing anything | copy-voice.md |
-- memory/operating-principles.md --
---
type: cluster
applies_to: every task
source: self
primitive_counts:
  directive: 0
  goal: 1
  claim: 0
  demonstration: 0
---

[goal should, project, permanent] Optimize for short answers over complete ones.
-- memory/copy-voice.md --
---
type: cluster
applies_to: writing
source: self
primitive_counts:
  directive: 2
  goal: 0
  claim: 0
  demonstration: 1
---

sources:
  Notes 1: House notes, first volume
    https://example.com/notes/1

[directive must, org, permanent] In all copy, never use em dashes.
  > [Notes 1]

[directive should, project, permanent] In headlines, always name the thing.
  > Readers scan.

[demo negative, illustrates: em-dash-ban] {
  Original: "not just shipping — transforming"
}
  > Reads as slop.
`

func writePack(t testing.TB) string {
	t.Helper()
	return lsptest.WriteTree(t, txtar.Parse([]byte(packFiles)).Files)
}

// open starts a server on a workspace folder and returns an editor.
func open(t testing.TB, capabilities string, folders ...string) *lsptest.Editor {
	t.Helper()
	c, _ := start(t, lsp.Options{})
	var uris []string
	for _, f := range folders {
		uris = append(uris, lsptest.FileURI(f))
	}
	result := c.Initialize(capabilities, uris...)
	var init struct {
		Capabilities struct{ PositionEncoding string }
	}
	if err := json.Unmarshal(result, &init); err != nil {
		t.Fatal(err)
	}
	return lsptest.NewEditor(t, c, init.Capabilities.PositionEncoding)
}

func TestDiagnosticsFollowEdits(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	if ds := e.Diagnostics(b); len(ds) != 0 {
		t.Fatalf("a clean pack has findings: %v", ds)
	}
	e.ReplaceWord(b, "must, org, permanent", "permanent, must, org")
	ds := e.Diagnostics(b)
	if len(ds) != 1 || ds[0].Code != "facet-order" {
		t.Fatalf("got %v, want facet-order", ds)
	}
	if got := e.Slice(b.Text, ds[0].Range); got != "permanent" {
		t.Errorf("the range covers %q", got)
	}
	if want := "expected force at position 1 for directive, got permanent"; ds[0].Message != want {
		t.Errorf("message %q, want %q", ds[0].Message, want)
	}
	e.ReplaceWord(b, "permanent, must, org", "must, org, permanent")
	if ds := e.Diagnostics(b); len(ds) != 0 {
		t.Errorf("still there: %v", ds)
	}
}

func TestPositionEncodings(t *testing.T) {
	for _, enc := range []string{"utf-8", "utf-16", "utf-32"} {
		t.Run(enc, func(t *testing.T) {
			dir := writePack(t)
			e := open(t, fmt.Sprintf(`{"general":{"positionEncodings":[%q]}}`, enc), dir)
			if e.Encoding != enc {
				t.Fatalf("negotiated %s", e.Encoding)
			}
			b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
			e.Diagnostics(b)
			// The finding stands behind characters of every width in UTF-16 and UTF-8.
			e.ReplaceWord(b, "In all copy, never use em dashes.", "In 👩🏽‍🚒 crème 漢字, the rule = \"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaAA12\", never use em dashes.")
			ds := e.Diagnostics(b)
			if len(ds) == 0 || ds[0].Code != "credential" {
				t.Fatalf("got %v", ds)
			}
			if got := e.Slice(b.Text, ds[0].Range); !strings.Contains(got, "aaaaaaaaaa") || strings.Contains(got, "漢") {
				t.Errorf("the range covers %q", got)
			}
			// Edits behind such characters land where they should.
			e.ReplaceWord(b, "漢字", "x")
			e.ReplaceWord(b, "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaAA12\"", "it")
			if ds := e.Diagnostics(b); len(ds) != 0 {
				t.Errorf("the server's text differs: %v", ds)
			}
		})
	}
	t.Run("client's order when utf-8 is not offered", func(t *testing.T) {
		e := open(t, `{"general":{"positionEncodings":["utf-32","utf-16"]}}`)
		if e.Encoding != "utf-32" {
			t.Errorf("negotiated %s", e.Encoding)
		}
	})
	t.Run("utf-16 without a word", func(t *testing.T) {
		if e := open(t, ""); e.Encoding != "utf-16" {
			t.Errorf("negotiated %s", e.Encoding)
		}
	})
}

func TestCrossFileFindings(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	manifest := lsptest.FileURI(filepath.Join(dir, "manifest.json"))
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	e.Diagnostics(b)

	// A primitive more makes the counts of this file and of the closed manifest wrong.
	e.SetText(b, b.Text+"\n[claim] The house is old.\n")
	if ds := e.Diagnostics(b); !slices.Equal(lsptest.Codes(ds), []string{"count-mismatch"}) {
		t.Errorf("own file: %v", ds)
	}
	ds := e.AwaitDiagnostics(manifest, lsptest.Has("count-mismatch"))
	if !strings.Contains(ds[0].Message, "claim") {
		t.Errorf("manifest: %v", ds)
	}
	// An unsaved manifest counts, and closing it goes back to the disk.
	m := e.OpenFile(filepath.Join(dir, "manifest.json"))
	e.ReplaceWord(m, `"claim": 0`, `"claim": 1`)
	if ds := e.Diagnostics(m); len(ds) != 0 {
		t.Errorf("manifest after the edit: %v", ds)
	}
	e.CloseDoc(m)
	e.AwaitDiagnostics(manifest, lsptest.Has("count-mismatch"))
	// So does the capability file.
	e.CloseDoc(b)
	e.AwaitDiagnostics(manifest, lsptest.Lacks("count-mismatch"))
	e.AwaitDiagnostics(b.URI, lsptest.Lacks("count-mismatch"))
}

func TestClosedFilesOfAPackAreJudged(t *testing.T) {
	dir := writePack(t)
	path := filepath.Join(dir, "memory", "copy-voice.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	bad := strings.Replace(string(data), "must, org, permanent", "permanent, must, org", 1)
	if err := os.WriteFile(path, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	e := open(t, "", dir)
	uri := lsptest.FileURI(path)
	ds := e.AwaitDiagnostics(uri, lsptest.Has("facet-order"))
	if got := e.Slice(bad, ds[0].Range); got != "permanent" {
		t.Errorf("the range covers %q", got)
	}
	// The file is deleted: its findings go, and the manifest misses it.
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(dir, "manifest.json")), lsptest.Has("missing-file"))
	e.AwaitDiagnostics(uri, lsptest.Lacks("facet-order"))
	// It comes back under another name.
	other := filepath.Join(dir, "memory", "voice.md")
	if err := os.WriteFile(other, []byte(bad), 0o644); err != nil {
		t.Fatal(err)
	}
	e.AwaitDiagnostics(lsptest.FileURI(other), lsptest.Has("facet-order"))
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	e.AwaitDiagnostics(lsptest.FileURI(other), func(ds []lsptest.Diagnostic) bool { return len(ds) == 0 })
	e.AwaitDiagnostics(uri, lsptest.Has("facet-order"))
}

func TestChangesOfEveryKind(t *testing.T) {
	dir := writePack(t)
	path := filepath.Join(dir, "memory", "copy-voice.md")
	probe := "[directive permanent, must, org] In é😀, never."
	tests := []struct {
		name    string
		changes string // of "ab\r\ncd\rée😀f\ngh", version 2
		want    string
	}{
		{"several changes build on each other", `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"text":"XYZ"},{"range":{"start":{"line":0,"character":3},"end":{"line":0,"character":4}},"text":""}]`, "XYZ\r\ncd\rée😀f\ngh"},
		{"whole text without a range", `[{"text":"new"}]`, "new"},
		{"whole text with a null range", `[{"range":null,"text":"new"}]`, "new"},
		{"whole text, then a range", `[{"text":"one\ntwo"},{"range":{"start":{"line":1,"character":0},"end":{"line":1,"character":3}},"text":"2"}]`, "one\n2"},
		{"reversed range", `[{"range":{"start":{"line":0,"character":2},"end":{"line":0,"character":1}},"text":"_"}]`, "a_\r\ncd\rée😀f\ngh"},
		{"column past the end of the line", `[{"range":{"start":{"line":0,"character":99},"end":{"line":0,"character":99}},"text":"!"}]`, "ab!\r\ncd\rée😀f\ngh"},
		{"line past the end", `[{"range":{"start":{"line":99,"character":5},"end":{"line":4294967295,"character":4294967295}},"text":"!"}]`, "ab\r\ncd\rée😀f\ngh!"},
		{"inside a surrogate pair", `[{"range":{"start":{"line":2,"character":3},"end":{"line":2,"character":4}},"text":"_"}]`, "ab\r\ncd\rée_f\ngh"},
		{"over a carriage return", `[{"range":{"start":{"line":0,"character":2},"end":{"line":1,"character":0}},"text":""}]`, "abcd\rée😀f\ngh"},
		{"no changes", `[]`, "ab\r\ncd\rée😀f\ngh"},
		{"rangeLength is ignored", `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":1}},"rangeLength":77,"text":"z"}]`, "zb\r\ncd\rée😀f\ngh"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t, "", dir)
			b := e.Open(lsptest.FileURI(path), "ab\r\ncd\rée😀f\ngh")
			e.Notify("textDocument/didChange", json.RawMessage(fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":%s}`, b.URI, tt.changes)))
			b.Text, b.Version = tt.want, 2
			// If the texts were not the same now, the finding would not stand where
			// the client computes it.
			e.Replace(b, len(b.Text), len(b.Text), "\n"+probe)
			checkProbe(t, e, b)
		})
	}
}

// checkProbe compares the finding of the last line with what the client knows.
func checkProbe(t *testing.T, e *lsptest.Editor, b *lsptest.Buffer) {
	t.Helper()
	for _, d := range e.Diagnostics(b) {
		if d.Code != "facet-order" {
			continue
		}
		if got := e.Slice(b.Text, d.Range); got != "permanent" {
			t.Errorf("the finding covers %q at %v", got, d.Range)
		}
		return
	}
	t.Error("the finding is missing")
}

func TestVersionsThatDoNotIncrease(t *testing.T) {
	dir := writePack(t)
	uri := lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md"))
	change := func(e *lsptest.Editor, version, changes string) {
		e.Notify("textDocument/didChange", json.RawMessage(fmt.Sprintf(`{"textDocument":{"uri":%q,"version":%s},"contentChanges":%s}`, uri, version, changes)))
	}
	insert := `[{"range":{"start":{"line":0,"character":0},"end":{"line":0,"character":0}},"text":"x\n"}]`
	probe := `[{"range":{"start":{"line":99,"character":0},"end":{"line":99,"character":0}},"text":"\n[directive permanent, must, org] In all, never."}]`
	tests := []struct {
		name string
		run  func(e *lsptest.Editor)
		want string
	}{
		{"a message repeated", func(e *lsptest.Editor) { change(e, "2", insert); change(e, "2", insert) }, "x\nbase"},
		{"an old message late", func(e *lsptest.Editor) { change(e, "5", `[{"text":"five"}]`); change(e, "3", `[{"text":"three"}]`) }, "five"},
		{"versions may skip", func(e *lsptest.Editor) { change(e, "7", insert); change(e, "70", insert) }, "x\nx\nbase"},
		{"null versions", func(e *lsptest.Editor) { change(e, "null", insert); change(e, "null", insert) }, "x\nx\nbase"},
		{"a client that never counts", func(e *lsptest.Editor) { change(e, "1", insert); change(e, "1", `[{"text":"other"}]`) }, "other"},
		{"a change that cannot be read, then the whole text", func(e *lsptest.Editor) {
			change(e, "2", `[{"range":{"start":{"line":-1,"character":0},"end":{"line":0,"character":0}},"text":"x"}]`)
			change(e, "3", insert)
			change(e, "4", `[{"text":"whole"}]`)
		}, "whole"},
		{"opened again", func(e *lsptest.Editor) {
			change(e, "2", insert)
			e.Open(uri, "again")
		}, "again"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := open(t, "", dir)
			b := e.Open(uri, "base")
			tt.run(e)
			b.Text, b.Version = tt.want, 1000
			change(e, "1000", probe)
			b.Text += "\n[directive permanent, must, org] In all, never."
			checkProbe(t, e, b)
		})
	}
}

func TestLostDocumentShowsNothing(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	b := e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[directive permanent, must, org] In all, never.")
	e.AwaitDiagnostics(b.URI, lsptest.Has("facet-order"))
	e.Notify("textDocument/didChange", json.RawMessage(fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":5}]}`, b.URI)))
	e.AwaitDiagnostics(b.URI, func(ds []lsptest.Diagnostic) bool { return len(ds) == 0 })
	alive(t, e.Client)
}

func TestOneFileUnderTwoNames(t *testing.T) {
	dir := writePack(t)
	link := filepath.Join(filepath.Dir(dir), "link-"+filepath.Base(dir))
	if err := os.Symlink(dir, link); err != nil {
		t.Skipf("links cannot be made here: %v", err)
	}
	t.Cleanup(func() { _ = os.Remove(link) })
	e := open(t, "", dir)
	direct := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	linked := e.OpenFile(filepath.Join(link, "memory", "copy-voice.md"))
	e.Diagnostics(direct)
	if ds := e.Diagnostics(linked); len(ds) != 0 {
		t.Fatalf("under the link: %v", ds)
	}
	// Each buffer keeps its own text and gets its own findings.
	e.ReplaceWord(linked, "must, org, permanent", "permanent, must, org")
	if ds := e.Diagnostics(linked); !slices.Equal(lsptest.Codes(ds), []string{"facet-order"}) {
		t.Errorf("linked: %v", ds)
	}
	e.Replace(direct, len(direct.Text), len(direct.Text), "\n[goal] Sing.\n")
	ds := e.Diagnostics(direct)
	if slices.Contains(lsptest.Codes(ds), "facet-order") || !slices.Contains(lsptest.Codes(ds), "goal-pattern") {
		t.Errorf("direct: %v", ds)
	}
	// The pack's other files follow the buffer that changed last.
	e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(dir, "manifest.json")), lsptest.Has("count-mismatch"))
	e.CloseDoc(direct)
	e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(dir, "manifest.json")), lsptest.Lacks("count-mismatch"))
}

func TestURISpellings(t *testing.T) {
	base := lsptest.WriteTree(t, nil)
	dir := filepath.Join(base, "a pack (ü) #1%")
	for _, f := range txtar.Parse([]byte(packFiles)).Files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(dir, "memory", "copy-voice.md")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	usual := lsptest.FileURI(path)
	for _, uri := range []string{
		usual,
		strings.NewReplacer("(", "%28", ")", "%29").Replace(usual),
		strings.ReplaceAll(usual, "%C3%BC", "ü"),
		strings.ReplaceAll(usual, "%C3%BC", "%c3%bc"),
		strings.ReplaceAll(usual, "memory", "mem%6Fry"),
	} {
		t.Run(uri[strings.LastIndex(uri, "/a"):], func(t *testing.T) {
			e := open(t, "", base)
			b := e.Open(uri, strings.Replace(string(data), "must, org, permanent", "permanent, must, org", 1))
			// The client's own spelling comes back.
			if ds := e.Diagnostics(b); !slices.Equal(lsptest.Codes(ds), []string{"facet-order"}) {
				t.Errorf("got %v", ds)
			}
		})
	}
}

func TestWorkspaceShapes(t *testing.T) {
	bad := func(t *testing.T, dir string) {
		t.Helper()
		path := filepath.Join(dir, "memory", "copy-voice.md")
		data, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(strings.Replace(string(data), "must, org, permanent", "permanent, must, org", 1)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Run("rootUri only", func(t *testing.T) {
		dir := writePack(t)
		bad(t, dir)
		c, _ := start(t, lsp.Options{})
		c.MustCall("initialize", map[string]any{"processId": nil, "rootUri": lsptest.FileURI(dir), "capabilities": map[string]any{}}, nil)
		c.Notify("initialized", nil)
		e := lsptest.NewEditor(t, c, "utf-16")
		e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), lsptest.Has("facet-order"))
	})
	t.Run("no folder", func(t *testing.T) {
		dir := writePack(t)
		bad(t, dir)
		c, _ := start(t, lsp.Options{})
		c.MustCall("initialize", map[string]any{"processId": nil, "rootUri": nil, "workspaceFolders": nil, "capabilities": map[string]any{}}, nil)
		e := lsptest.NewEditor(t, c, "utf-16")
		// The pack is found from the document, and its other files with it.
		e.OpenFile(filepath.Join(dir, "agents.md"))
		e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), lsptest.Has("facet-order"))
	})
	t.Run("several packs, one inside another's folder", func(t *testing.T) {
		base := lsptest.WriteTree(t, nil)
		for _, sub := range []string{"one", "two/deep", "one/inner"} {
			for _, f := range txtar.Parse([]byte(packFiles)).Files {
				path := filepath.Join(base, filepath.FromSlash(sub), filepath.FromSlash(f.Name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, f.Data, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			bad(t, filepath.Join(base, filepath.FromSlash(sub)))
		}
		e := open(t, "", base)
		for _, sub := range []string{"one", "two/deep", "one/inner"} {
			e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(base, filepath.FromSlash(sub), "memory", "copy-voice.md")), lsptest.Has("facet-order"))
		}
	})
	t.Run("a folder without a pack is silent", func(t *testing.T) {
		dir := lsptest.WriteTree(t, txtar.Parse([]byte("-- README.md --\n[demo](x)\n-- memory/notes.md --\n[goal must] x\n")).Files)
		e := open(t, "", dir)
		e.OpenFile(filepath.Join(dir, "README.md"))
		e.OpenFile(filepath.Join(dir, "memory", "notes.md"))
		alive(t, e.Client)
		e.MustCall("workspace/diagnostic", map[string]any{"previousResultIds": []string{}}, nil)
		if got := e.Notes("textDocument/publishDiagnostics"); len(got) != 0 {
			t.Errorf("published %s", got)
		}
	})
	t.Run("folders come and go", func(t *testing.T) {
		dir := writePack(t)
		bad(t, dir)
		uri := lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md"))
		e := open(t, "")
		change := func(kind string) {
			event := map[string]any{"added": []any{}, "removed": []any{}}
			event[kind] = []any{map[string]string{"uri": lsptest.FileURI(dir), "name": "x"}}
			e.Notify("workspace/didChangeWorkspaceFolders", map[string]any{"event": event})
		}
		change("added")
		e.AwaitDiagnostics(uri, lsptest.Has("facet-order"))
		change("removed")
		e.AwaitDiagnostics(uri, lsptest.Lacks("facet-order"))
	})
	t.Run("a pack appears while typing", func(t *testing.T) {
		dir := lsptest.WriteTree(t, nil)
		e := open(t, "", dir)
		b := e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "operating-principles.md")), "[goal must] Sing.\n")
		alive(t, e.Client)
		e.Open(lsptest.FileURI(filepath.Join(dir, "manifest.json")), `{"capability_files": ["operating-principles.md"], "primitive_format": "inline-tag-v0.4"}`)
		e.AwaitDiagnostics(b.URI, lsptest.Has("goal-pattern"))
	})
	t.Run("untitled buffer", func(t *testing.T) {
		e := open(t, "")
		b := e.Open("untitled:Untitled-1", "[goal must] Sing.\n")
		if ds := e.Diagnostics(b); !slices.Equal(lsptest.Codes(ds), []string{"frontmatter", "goal-pattern"}) {
			t.Errorf("got %v", ds)
		}
		e.CloseDoc(b)
		e.AwaitDiagnostics(b.URI, func(ds []lsptest.Diagnostic) bool { return len(ds) == 0 })
	})
}

func TestOrderedEditsNeverMixUp(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	b := e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[claim x] The house is old.\n")
	// 5,000 letters, each put in front of the others: one swap would show in the
	// word that the finding quotes.
	for round := range 10 {
		word := "x"
		for i := range 500 {
			letter := string(rune('a' + (i*7+round)%26))
			e.Replace(b, len("[claim "), len("[claim "), letter)
			word = letter + word
		}
		quoted := false
		for _, d := range e.Diagnostics(b) {
			quoted = quoted || d.Code == "facet-value" && strings.HasSuffix(d.Message, "got "+word)
		}
		if !quoted {
			t.Fatalf("the letters are mixed up in round %d", round)
		}
		e.Replace(b, len("[claim "), len("[claim ")+len(word), "x")
	}
}

// TestActionsOnATextThatDoesNotStandForItsFile asks for everything that is made
// of a whole pack, in a document that is not what the pack is judged by: positions
// in it lie outside of the file's other text.
func TestActionsOnATextThatDoesNotStandForItsFile(t *testing.T) {
	long := "---\ntype: cluster\napplies_to: writing\nsource: self\n---\n\n[claim permanent, x] The house is old.\n\n[directive permanent, must, org] In all copy, never use em dashes.\n  > [Notes 1]\n"
	capabilities := `{"workspace":{"workspaceEdit":{"documentChanges":true}},"textDocument":{"codeAction":{"dataSupport":true,"resolveSupport":{"properties":["edit"]}}}}`
	tests := []struct {
		name string
		open func(t *testing.T, e *lsptest.Editor, dir string) *lsptest.Buffer
	}{
		{"open under two names", func(t *testing.T, e *lsptest.Editor, dir string) *lsptest.Buffer {
			link := dir + "-link"
			if err := os.Symlink(dir, link); err != nil {
				t.Skipf("links cannot be made here: %v", err)
			}
			t.Cleanup(func() { _ = os.Remove(link) })
			b := e.Open(lsptest.FileURI(filepath.Join(link, "memory", "copy-voice.md")), long)
			e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "x")
			return b
		}},
		{"a change that could not be read", func(_ *testing.T, e *lsptest.Editor, dir string) *lsptest.Buffer {
			path := filepath.Join(dir, "memory", "copy-voice.md")
			if err := os.WriteFile(path, []byte("x"), 0o644); err != nil {
				panic(err)
			}
			b := e.Open(lsptest.FileURI(path), long)
			e.Notify("textDocument/didChange", json.RawMessage(fmt.Sprintf(`{"textDocument":{"uri":%q,"version":2},"contentChanges":[{"text":5}]}`, b.URI)))
			return b
		}},
		{"the file is a link", func(t *testing.T, e *lsptest.Editor, dir string) *lsptest.Buffer {
			path := filepath.Join(dir, "memory", "linked.md")
			if err := os.Symlink(filepath.Join(dir, "agents.md"), path); err != nil {
				t.Skipf("links cannot be made here: %v", err)
			}
			e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": lsptest.FileURI(path), "type": 1}}})
			return e.Open(lsptest.FileURI(path), long)
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writePack(t)
			e := open(t, capabilities, dir)
			b := tt.open(t, e, dir)
			end := e.PositionOf(long, len(long)-20)
			document := map[string]string{"uri": b.URI}
			asked := 0
			for _, only := range []string{"", "quickfix", "refactor", "source"} {
				for _, at := range []lsptest.Range{{End: end}, {Start: end, End: end}, e.RangeOf(long, strings.Index(long, "permanent"), strings.Index(long, ", x"))} {
					context := map[string]any{"diagnostics": []any{}}
					if only != "" {
						context["only"] = []string{only}
					}
					var actions []json.RawMessage
					e.MustCall("textDocument/codeAction", map[string]any{"textDocument": document, "range": at, "context": context}, &actions)
					for _, a := range actions {
						asked++
						if _, err := e.Call("codeAction/resolve", a); err != nil && lsptest.Code(err) != -32803 {
							t.Errorf("%s: %v", a, err)
						}
					}
				}
			}
			if asked == 0 {
				t.Error("no action was offered")
			}
			for _, m := range []string{"hover", "references", "documentHighlight", "definition", "prepareRename", "completion", "codeLens", "documentLink", "diagnostic", "formatting"} {
				params := map[string]any{"textDocument": document, "position": end, "context": map[string]any{"includeDeclaration": true}, "options": map[string]any{"tabSize": 2, "insertSpaces": true}}
				if _, err := e.Call("textDocument/"+m, params); err != nil && lsptest.Code(err) != -32803 {
					t.Errorf("%s: %v", m, err)
				}
			}
		})
	}
}
