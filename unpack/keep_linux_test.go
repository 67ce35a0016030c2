package unpack

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/amp-toolchain/amp/internal/fsx"
)

func TestPagesKeepModeAndAttributes(t *testing.T) {
	w := newWorld(t, map[string]string{"index.md": "# Mine\n"})
	name := filepath.Join(w.dir, "index.md")
	if err := os.Chmod(name, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := unix.Setxattr(name, "user.note", []byte("mine"), 0); errors.Is(err, unix.ENOTSUP) {
		t.Skip("the file system has no extended attributes")
	} else if err != nil {
		t.Fatal(err)
	}
	w.run(Request{})
	fi, _ := os.Stat(name)
	b := make([]byte, 10)
	if n, err := unix.Getxattr(name, "user.note", b); err != nil || string(b[:n]) != "mine" || fi.Mode() != 0o600 {
		t.Errorf("%v, %q, mode %v", err, b, fi.Mode())
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
