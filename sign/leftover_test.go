package sign

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// A temporary file of a killed run would be signed, shipped, and asked for by
// whoever verifies.
func TestATemporaryFileIsNotSigned(t *testing.T) {
	for _, dir := range []string{"", "memory"} {
		root := t.TempDir()
		if err := os.MkdirAll(filepath.Join(root, "memory"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "manifest.json"), []byte(`{"name": "p"}`), 0o644); err != nil {
			t.Fatal(err)
		}
		name := filepath.Join(root, dir, fsx.TempName("x.md"))
		if err := os.WriteFile(name, []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
		key, err := Generate()
		if err != nil {
			t.Fatal(err)
		}
		var left *LeftoverError
		if _, err := Sign(root, key, Options{}); !errors.As(err, &left) {
			t.Errorf("%q: %v", dir, err)
		}
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
		if _, err := Sign(root, key, Options{}); err != nil {
			t.Errorf("%q: without it: %v", dir, err)
		}
	}
}
