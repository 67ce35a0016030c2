package unpack

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/testattr"
)

func TestPagesKeepModeAndAttributes(t *testing.T) {
	w := newWorld(t, map[string]string{"index.md": "# Mine\n"})
	name := filepath.Join(w.dir, "index.md")
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	testattr.Set(t, name, "user.note", []byte("mine"))
	w.run(Request{})
	fi, _ := os.Stat(name)
	if note := testattr.Get(name, "user.note"); note != "mine" || fi.Mode() != 0o600 {
		t.Errorf("note %q, mode %v", note, fi.Mode())
	}
	p, err := Removal(w.root, "ferry")
	if err != nil {
		t.Fatal(err)
	}
	defer fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "setxattr" {
			return unix.EPERM
		}
		return nil
	})()
	warnings, err := p.Apply(w.root)
	if err != nil || len(warnings) != 1 || !strings.HasPrefix(warnings[0], "index.md: its attribute user.note cannot be kept") || len(p.Notes) != 1 {
		t.Errorf("%v, warnings %q, notes %q", err, warnings, p.Notes)
	}
}
