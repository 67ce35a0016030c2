package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/lsptest"
)

// BenchmarkOpen opens a file of 1 MB of a pack that has been read, to its first
// diagnostics, in memory.
func BenchmarkOpen(b *testing.B) {
	dir := writePack(b)
	path := filepath.Join(dir, "memory", "copy-voice.md")
	var body strings.Builder
	body.WriteString("---\ntype: cluster\napplies_to: writing\nsource: self\n---\n")
	for i := 0; body.Len() < 1<<20; i++ {
		fmt.Fprintf(&body, "\n[directive must, org, permanent] In part %d, always name the place with number %d.\n  > Readers of part %d look for it.\n", i, i*7, i)
	}
	if err := os.WriteFile(path, []byte(body.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	e := open(b, "", dir)
	doc := e.OpenFile(path)
	e.Diagnostics(doc)
	b.SetBytes(int64(body.Len()))
	version := 1
	for b.Loop() {
		e.CloseDoc(doc)
		version++
		e.Docs[doc.URI] = doc
		doc.Version = version
		e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": doc.URI, "languageId": "markdown", "version": version, "text": doc.Text}})
		e.Diagnostics(doc)
	}
	_ = lsptest.Timeout
}
