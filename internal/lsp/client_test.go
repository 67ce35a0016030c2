package lsp_test

import (
	"context"
	"encoding/json"
	"io"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/lsp"
	"github.com/amp-toolchain/amp/internal/lsptest"
)

func TestWatchersAreRegisteredWhereTheClientWatches(t *testing.T) {
	dir := writePack(t)
	c, _ := start(t, lsp.Options{})
	registered := make(chan string, 1)
	c.On("client/registerCapability", func(params json.RawMessage) (any, *lsptest.Error) {
		registered <- string(params)
		return nil, nil
	})
	c.Initialize(`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true},"didChangeConfiguration":{"dynamicRegistration":true}}}`, lsptest.FileURI(dir))
	params := <-registered
	for _, want := range []string{"workspace/didChangeWatchedFiles", "workspace/didChangeConfiguration", "**/memory/*", "manifest.json", ".amp-lint.{yaml,yml}"} {
		if !strings.Contains(params, want) {
			t.Errorf("not registered: %s in %s", want, params)
		}
	}
	// Such a client's events are acted on; an open buffer still wins over the disk.
	e := lsptest.NewEditor(t, c, "utf-16")
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	e.Diagnostics(b)
	saved := *b
	saved.Text = strings.Replace(b.Text, "must, org, permanent", "permanent, must, org", 1)
	e.Save(&saved) // somebody else writes the file
	e.Replace(b, len(b.Text), len(b.Text), "\n")
	if ds := e.Diagnostics(b); len(ds) != 0 {
		t.Errorf("the disk wins over the buffer: %v", ds)
	}
	e.CloseDoc(b)
	e.AwaitDiagnostics(b.URI, lsptest.Has("facet-order"))
}

func TestServerWithoutAClientThatRegisters(t *testing.T) {
	// The client says it can and then refuses.
	dir := writePack(t)
	c, _ := start(t, lsp.Options{})
	c.On("client/registerCapability", func(json.RawMessage) (any, *lsptest.Error) {
		return nil, &lsptest.Error{Code: -32601, Message: "no"}
	})
	c.Initialize(`{"workspace":{"didChangeWatchedFiles":{"dynamicRegistration":true}}}`, lsptest.FileURI(dir))
	alive(t, c)
}

func TestProgressIsShownForLongWorkOnly(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	created := make(chan struct{}, 4)
	c.On("window/workDoneProgress/create", func(json.RawMessage) (any, *lsptest.Error) {
		created <- struct{}{}
		return nil, nil
	})
	c.Initialize(`{"window":{"workDoneProgress":true}}`)
	c.MustCall("test/work", map[string]any{"milliseconds": 5}, nil)
	if len(created) > 0 || len(c.Notes("$/progress")) > 0 {
		t.Error("progress for five milliseconds")
	}
	c.MustCall("test/work", map[string]any{"milliseconds": 700}, nil)
	if len(created) != 1 {
		t.Errorf("%d progress bars for long work, want one", len(created))
	}
	kinds := []string{}
	for _, p := range c.Notes("$/progress") {
		var n struct{ Value struct{ Kind string } }
		if err := json.Unmarshal(p, &n); err != nil {
			t.Fatal(err)
		}
		kinds = append(kinds, n.Value.Kind)
	}
	if strings.Join(kinds, " ") != "begin end" {
		t.Errorf("progress %v, want begin and end", kinds)
	}
	// A client that sent a token of its own gets it back, and nothing is created.
	c.MustCall("test/work", map[string]any{"milliseconds": 700, "workDoneToken": "mine"}, nil)
	if len(created) != 1 {
		t.Error("a progress bar was created beside the client's own")
	}
	if last := c.Notes("$/progress"); !strings.Contains(string(last[len(last)-1]), `"mine"`) {
		t.Errorf("the token is not the client's: %s", last[len(last)-1])
	}
}

// FuzzServer sends any bytes as input and checks that the server ends with the
// input, whatever it was, and that all it writes is well framed.
func FuzzServer(f *testing.F) {
	init := lsptest.Frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`)
	f.Add([]byte(init))
	f.Add([]byte(init + lsptest.Frame(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:x","languageId":"amp","version":1,"text":"[goal must] x"}}}`)))
	f.Add([]byte(init + lsptest.Frame(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:x","version":2},"contentChanges":[{"range":{"start":{"line":0,"character":9},"end":{"line":9,"character":0}},"text":"{"}]}}`)))
	f.Add([]byte("Content-Length: 3\r\n\r\n[1]"))
	f.Add([]byte("Content-Length: 99999999\r\n\r\n"))
	f.Fuzz(func(t *testing.T, input []byte) {
		in, w := io.Pipe()
		var out logBuffer
		done := make(chan int, 1)
		go func() { done <- lsp.Serve(context.Background(), in, nopWriteCloser{&out}, lsp.Options{}) }()
		_, _ = w.Write(input)
		_ = w.Close()
		if code := <-done; code != 0 && code != 1 {
			t.Fatalf("exit code %d", code)
		}
		for rest := out.String(); rest != ""; {
			head, after, ok := strings.Cut(rest, "\r\n\r\n")
			if !ok || !strings.HasPrefix(head, "Content-Length: ") {
				t.Fatalf("badly framed output: %q", rest)
			}
			var n int
			if err := json.Unmarshal([]byte(strings.TrimPrefix(head, "Content-Length: ")), &n); err != nil || n > len(after) {
				t.Fatalf("badly framed output: %q", rest)
			}
			if !json.Valid([]byte(after[:n])) {
				t.Fatalf("output is no JSON: %q", after[:n])
			}
			rest = after[n:]
		}
	})
}

type nopWriteCloser struct{ io.Writer }

func (nopWriteCloser) Close() error { return nil }
