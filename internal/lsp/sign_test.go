package lsp_test

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/lsp"
	"github.com/amp-toolchain/amp/internal/lsptest"
	"github.com/amp-toolchain/amp/sign"
)

const editCapabilities = `{"workspace":{"applyEdit":true,"workspaceEdit":{"documentChanges":true,"resourceOperations":["create"]}}}`

type signed struct {
	Applied     bool
	Signature   string
	Fingerprint string
	Message     string
}

// startSigning starts an editor on a pack, with a key in the home folder.
func startSigning(t *testing.T, answer string) (*lsptest.Editor, string, sign.PublicKey) {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("AMP_PRIVATE_KEY", "")
	key, err := sign.Keygen(filepath.Join(home, ".amp", "keys", "signing.key"), false)
	if err != nil {
		t.Fatal(err)
	}
	dir := writePack(t)
	c, _ := start(t, lsp.Options{})
	c.Initialize(editCapabilities, lsptest.FileURI(dir))
	e := lsptest.NewEditor(t, c, "utf-16")
	c.On("workspace/applyEdit", func(params json.RawMessage) (any, *lsptest.Error) {
		var p struct{ Edit lsptest.WorkspaceEdit }
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &lsptest.Error{Code: -32602, Message: err.Error()}
		}
		if err := e.ApplyEdit(&p.Edit); err != nil {
			return map[string]any{"applied": false, "failureReason": err.Error()}, nil
		}
		return map[string]any{"applied": true}, nil
	})
	c.On("window/showMessageRequest", func(params json.RawMessage) (any, *lsptest.Error) {
		if !strings.Contains(string(params), key.Key.Fingerprint()) {
			t.Errorf("the question does not name the key: %s", params)
		}
		return map[string]string{"title": answer}, nil
	})
	return e, dir, key.Key
}

func signPack(t *testing.T, e *lsptest.Editor, dir string) signed {
	t.Helper()
	var out signed
	e.MustCall("workspace/executeCommand", map[string]any{"command": "amp.sign", "arguments": []any{map[string]string{"uri": lsptest.FileURI(dir)}}}, &out)
	return out
}

func TestSigningThroughTheEditor(t *testing.T) {
	e, dir, key := startSigning(t, "Sign")
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	e.Diagnostics(b)
	if got := signPack(t, e, dir); !got.Applied || got.Fingerprint != key.Fingerprint() {
		t.Fatalf("signed: %+v", got)
	}
	p, err := sign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Hash(); err != nil {
		t.Fatal(err)
	}
	if m, err := p.Verify(key); m == nil || err != nil {
		t.Fatalf("what the editor wrote does not verify: %v %v", m, err)
	}
	var verified signed
	verify := func() signed {
		e.MustCall("workspace/executeCommand", map[string]any{"command": "amp.verify", "arguments": []any{map[string]string{"uri": lsptest.FileURI(dir)}}}, &verified)
		return verified
	}
	if got := verify(); got.Signature != "intact-untrusted" {
		t.Errorf("verify: %+v", got)
	}
	// Editing makes it stale at once, saving keeps it so, undoing mends it.
	manifest := lsptest.FileURI(filepath.Join(dir, "manifest.json"))
	e.ReplaceWord(b, "In all copy", "In most copy")
	e.AwaitDiagnostics(manifest, lsptest.Has("signature-stale"))
	e.Save(b)
	e.Diagnostics(b)
	if got := verify(); got.Signature != "stale" {
		t.Errorf("verify after saving: %+v", got)
	}
	e.ReplaceWord(b, "In most copy", "In all copy")
	e.Save(b)
	e.AwaitDiagnostics(manifest, lsptest.Lacks("signature-stale"))
}

func TestSigningIsNotDoneBehindTheUser(t *testing.T) {
	e, dir, _ := startSigning(t, "Cancel")
	before, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		t.Fatal(err)
	}
	if got := signPack(t, e, dir); got.Applied {
		t.Errorf("signed although the user said no: %+v", got)
	}
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	e.Replace(b, 0, 0, "x")
	_, err = e.Call("workspace/executeCommand", map[string]any{"command": "amp.sign", "arguments": []any{map[string]any{"uri": lsptest.FileURI(dir), "confirmed": true}}})
	if lsptest.Code(err) != -32803 || !strings.Contains(fmt.Sprint(err), "copy-voice.md") {
		t.Errorf("signing over an unsaved buffer: %v", err)
	}
	_, err = e.Call("workspace/executeCommand", map[string]any{"command": "amp.sign", "arguments": []any{map[string]any{"uri": lsptest.FileURI(dir), "confirmed": true, "key": filepath.Join(dir, "agents.md")}}})
	if lsptest.Code(err) != -32803 {
		t.Errorf("signing with no key: %v", err)
	}
	after, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil || string(after) != string(before) {
		t.Errorf("the manifest has changed: %s %v", after, err)
	}
}

func TestConfigurationIsReadAndReloaded(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	e.ReplaceWord(b, "must, org, permanent", "permanent, must, org")
	e.AwaitDiagnostics(b.URI, lsptest.Has("facet-order"))
	config := filepath.Join(dir, ".amp-lint.yaml")
	write := func(s string) {
		t.Helper()
		// The server also looks for changed files by itself: it must not see one half-written.
		if err := os.WriteFile(config+".new", []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Rename(config+".new", config); err != nil {
			t.Fatal(err)
		}
		e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": lsptest.FileURI(config), "type": 2}}})
	}
	write("rules:\n  facet-order: off\n")
	e.AwaitDiagnostics(b.URI, lsptest.Lacks("facet-order"))
	write("rules:\n  facet-order: info\n  facet-default: hint\n")
	ds := e.AwaitDiagnostics(b.URI, lsptest.Has("facet-order"))
	if ds[0].Severity != 3 {
		t.Errorf("severity %d, want information", ds[0].Severity)
	}
	write("rules:\n  facet-ordre: off\n")
	params, err := e.Await("window/showMessage", nil)
	if err != nil || !strings.Contains(string(params), "facet-ordre") {
		t.Errorf("a wrong configuration is not shown: %s %v", params, err)
	}
	e.AwaitDiagnostics(b.URI, func(ds []lsptest.Diagnostic) bool { return len(ds) == 1 && ds[0].Severity == 1 })
	if err := os.Remove(config); err != nil {
		t.Fatal(err)
	}
	alive(t, e.Client)
}

func TestSettingsPushedPulledAndAbsent(t *testing.T) {
	hints := func(e *lsptest.Editor, b *lsptest.Buffer) string {
		raw, err := e.Call("textDocument/inlayHint", map[string]any{"textDocument": map[string]string{"uri": b.URI}, "range": lsptest.Range{End: lsptest.Position{Line: 99}}})
		if err != nil {
			t.Fatal(err)
		}
		return string(raw)
	}
	dir := writePack(t)
	text := "[directive must] In all, never.\n"
	t.Run("pushed", func(t *testing.T) {
		e := open(t, "", dir)
		b := e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), text)
		for _, tt := range []struct {
			settings string
			on       bool
		}{
			{`{"settings":{"amp":{"inlayHints":{"defaults":true}}}}`, true},
			{`{"settings":null}`, false},
			{`{"settings":{"inlayHints":{"defaults":true}}}`, true},
			{`{"settings":{"amp":7}}`, false},
			{`{}`, false},
		} {
			e.Notify("workspace/didChangeConfiguration", json.RawMessage(tt.settings))
			if got := hints(e, b); (got != "[]") != tt.on {
				t.Errorf("%s: %s", tt.settings, got)
			}
		}
	})
	t.Run("pulled", func(t *testing.T) {
		c, _ := start(t, lsp.Options{})
		answer := make(chan string, 2)
		c.On("workspace/configuration", func(json.RawMessage) (any, *lsptest.Error) {
			return json.RawMessage(<-answer), nil
		})
		answer <- `[null]`
		c.Initialize(`{"workspace":{"configuration":true}}`, lsptest.FileURI(dir))
		e := lsptest.NewEditor(t, c, "utf-16")
		b := e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), text)
		if got := hints(e, b); got != "[]" {
			t.Errorf("by default: %s", got)
		}
		answer <- `[{"inlayHints":{"defaults":true}}]`
		e.Notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
		for tries := 0; hints(e, b) == "[]"; tries++ {
			if tries > 1000 {
				t.Fatal("the new settings are not used")
			}
			time.Sleep(10 * time.Millisecond)
		}
	})
	t.Run("refused", func(t *testing.T) {
		c, _ := start(t, lsp.Options{})
		c.Initialize(`{"workspace":{"configuration":true}}`, lsptest.FileURI(dir))
		alive(t, c)
	})
}
