package sigstate

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/sign"
)

func TestAChangedFileMakesTheSignatureStale(t *testing.T) {
	dir := t.TempDir()
	put := func(name, s string) {
		t.Helper()
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	put("manifest.json", `{"name": "kiln", "layout": "semantic-cluster", "capability_files": [], "agents_file": "agents.md"}`)
	put("agents.md", "# AMP Routing — kiln\n")
	if got := Of(dir); got != pack.SignatureNone {
		t.Errorf("an unsigned pack is %d", got)
	}
	key, err := sign.Generate()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sign.Sign(dir, key, sign.Options{Scheme: sign.Spec}); err != nil {
		t.Fatal(err)
	}
	if got := Of(dir); got != pack.SignatureIntact {
		t.Errorf("a freshly signed pack is %d", got)
	}
	put("agents.md", "# AMP Routing — kiln!\n")
	if got := Of(dir); got != pack.SignatureStale {
		t.Errorf("a pack changed after signing is %d", got)
	}
	if err := os.Remove(filepath.Join(dir, "signing.pub")); err != nil {
		t.Fatal(err)
	}
	if got := Of(dir); got != pack.SignatureUnknown {
		t.Errorf("a pack without any key is %d", got)
	}
}
