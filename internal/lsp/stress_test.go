package lsp_test

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/lsptest"
)

// TestEveryRequestSeesExactlyTheEditsBeforeIt interleaves 10,000 edits and
// requests without waiting. Each edit changes a word that a finding quotes, so
// the answer tells which version it was made from.
func TestEveryRequestSeesExactlyTheEditsBeforeIt(t *testing.T) {
	n := 5000
	if testing.Short() {
		n = 500
	}
	dir := writePack(t)
	e := open(t, `{"general":{"positionEncodings":["utf-16"]}}`, dir)
	path := filepath.Join(dir, "memory", "copy-voice.md")
	b := e.Open(lsptest.FileURI(path), "[claim v0] 😀 is a face.\n\n[claim] The house is old.\n")
	// Once the pack is known nothing waits for the disk any more.
	e.Diagnostics(b)

	methods := []string{"textDocument/diagnostic", "textDocument/hover"}
	pending := make([]*lsptest.Pending, n)
	for i := range n {
		word := fmt.Sprintf("v%d", i+1)
		old := fmt.Sprintf("v%d", i)
		e.ReplaceWord(b, old+"]", word+"]")
		if i%7 == 3 { // noise elsewhere
			e.Replace(b, len(b.Text), len(b.Text), "x")
			e.Replace(b, len(b.Text)-1, len(b.Text), "")
		}
		params := map[string]any{"textDocument": map[string]string{"uri": b.URI}, "position": lsptest.Position{Line: 0, Character: 8}}
		pending[i] = e.Go(methods[i%2], params)
	}
	for i, p := range pending {
		result, err := p.Wait()
		if lsptest.Code(err) == -32802 {
			continue // refused: more than the server takes at once
		}
		if err != nil {
			t.Fatalf("request %d: %v", i, err)
		}
		if want := fmt.Sprintf("got v%d", i+1); !strings.Contains(string(result), want+`"`) && !strings.Contains(string(result), want+`\n`) {
			t.Fatalf("request %d was answered from another version: %s", i, result)
		}
	}
	compareWithFresh(t, e, dir, []*lsptest.Buffer{b, e.OpenFile(filepath.Join(dir, "manifest.json")), e.OpenFile(filepath.Join(dir, "agents.md")), e.OpenFile(filepath.Join(dir, "memory", "operating-principles.md"))})
}

// TestConcurrentEditorsOfManyFiles edits many files while every kind of request
// runs; run with -race it shows that snapshots share nothing that is written.
func TestConcurrentEditorsOfManyFiles(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	var buffers []*lsptest.Buffer
	for _, f := range []string{"manifest.json", "agents.md", "memory/copy-voice.md", "memory/operating-principles.md"} {
		buffers = append(buffers, e.OpenFile(filepath.Join(dir, filepath.FromSlash(f))))
	}
	methods := []string{
		"textDocument/hover", "textDocument/completion", "textDocument/documentSymbol", "textDocument/foldingRange",
		"textDocument/semanticTokens/full", "textDocument/definition", "textDocument/formatting", "textDocument/documentLink",
		"textDocument/codeLens", "textDocument/diagnostic", "workspace/symbol", "textDocument/codeAction", "textDocument/selectionRange",
	}
	rounds := 600
	if testing.Short() {
		rounds = 60
	}
	var pending []*lsptest.Pending
	for i := range rounds {
		b := buffers[i%len(buffers)]
		e.Replace(b, len(b.Text), len(b.Text), pieces[i%len(pieces)])
		p := e.Go(methods[i%len(methods)], map[string]any{
			"textDocument": map[string]string{"uri": b.URI}, "query": "a",
			"position": lsptest.Position{Line: i % 20, Character: i % 10}, "positions": []lsptest.Position{{Line: i % 20}},
			"range":   lsptest.Range{End: lsptest.Position{Line: 30}},
			"context": map[string]any{"diagnostics": []any{}}, "options": map[string]any{"tabSize": 2, "insertSpaces": true},
		})
		if i%5 == 0 {
			p.Cancel()
		}
		pending = append(pending, p)
	}
	for i, p := range pending {
		if _, err := p.Wait(); err != nil && lsptest.Code(err) != -32800 {
			t.Errorf("request %d: %v", i, err)
		}
	}
	compareWithFresh(t, e, dir, buffers)
}

func TestRepliesAreValidForTheirVersionWhenCancelled(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	for range 200 {
		p := e.Go("textDocument/documentSymbol", map[string]any{"textDocument": map[string]string{"uri": b.URI}})
		p.Cancel()
		result, err := p.Wait()
		if err != nil {
			if lsptest.Code(err) != -32800 {
				t.Fatal(err)
			}
			continue
		}
		var symbols []json.RawMessage
		if err := json.Unmarshal(result, &symbols); err != nil || len(symbols) == 0 {
			t.Fatalf("half an answer: %s", result)
		}
	}
}
