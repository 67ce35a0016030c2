// Package clients runs the server under clients that nobody here wrote. The
// editors themselves are driven by editors/e2e.
package clients

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestNodeClient runs Microsoft's protocol library against the built server and
// checks every message against the protocol's metaModel.json.
func TestNodeClient(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("skipped: node is not installed")
	}
	if _, err := os.Stat(filepath.Join("node", "node_modules", "vscode-languageserver-protocol")); err != nil {
		t.Skip("skipped: run `npm ci` in internal/lsptest/clients/node first")
	}
	server := filepath.Join(t.TempDir(), "amp-lsp.exe")
	if out, err := exec.Command("go", "build", "-o", server, "github.com/amp-toolchain/amp/cmd/amp-lsp").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir, err := exec.Command("go", "list", "-m", "-f", "{{.Dir}}", "go.lsp.dev/protocol").Output()
	if err != nil {
		t.Fatal(err)
	}
	meta := filepath.Join(strings.TrimSpace(string(dir)), "internal", "genlsp", "testdata", "metaModel.json")
	pack := filepath.Join("..", "..", "..", "examples", "brand-voice")
	cmd := exec.Command(node, filepath.Join("node", "client.mjs"), meta, pack, server)
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir())
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
}
