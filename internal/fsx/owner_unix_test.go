//go:build unix

package fsx

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestReplacingAFileKeepsItsOwner(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give files away")
	}
	root, dir := openRoot(t)
	put(t, filepath.Join(dir, "f"), "old", 0o640)
	if err := os.Chown(filepath.Join(dir, "f"), 1234, 1235); err != nil {
		t.Fatal(err)
	}
	if err := WriteIn(root, "f", []byte("new"), 0o600); err != nil {
		t.Fatal(err)
	}
	fi, err := os.Stat(filepath.Join(dir, "f"))
	if err != nil {
		t.Fatal(err)
	}
	st := fi.Sys().(*syscall.Stat_t)
	if st.Uid != 1234 || st.Gid != 1235 || fi.Mode().Perm() != 0o640 {
		t.Errorf("owner %d:%d, mode %o, want 1234:1235, 640", st.Uid, st.Gid, fi.Mode().Perm())
	}
}
