package fsx

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestWhatRootMakesBelongsToTheOwnerOfTheFolder: under sudo the user could neither
// list nor remove it otherwise. Files that were there keep their owner, and secrets
// stay with who made them.
func TestWhatRootMakesBelongsToTheOwnerOfTheFolder(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	dir := t.TempDir()
	if err := os.Chown(dir, 1000, 1001); err != nil {
		t.Skipf("root may not give files away here: %v", err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.WriteFile(filepath.Join(dir, "roots"), []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	lock, err := Acquire(root, "lock")
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Unlock(true)
	_, err = MkdirAll(root, "a/b", 0o755)
	for _, err := range []error{
		err,
		MkdirOwn(root, "own", 0o700),
		WriteIn(root, "a/b/new", []byte("x"), 0o644),
		WriteVia(root, "a/via", "own", []byte("x"), 0o644, nil),
		WriteIn(root, "roots", []byte("y"), 0o644),
		WriteSecret(root, "a/secret", []byte("x")),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	f, err := CreateNew(root, "a/created", 0o644)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	for name, want := range map[string]uint32{"lock": 1000, "a": 1000, "a/b": 1000, "a/b/new": 1000, "a/via": 1000, "a/created": 1000, "own": 0, "roots": 0, "a/secret": 0} {
		fi, err := root.Lstat(name)
		if err != nil {
			t.Fatal(err)
		}
		if st := fi.Sys().(*syscall.Stat_t); st.Uid != want || want == 1000 && st.Gid != 1001 {
			t.Errorf("%s belongs to %d:%d, want %d", name, st.Uid, st.Gid, want)
		}
	}
	// A folder that took the place of the new one is not given away.
	if err := os.MkdirAll(filepath.Join(dir, "roots-folder/with"), 0o700); err != nil {
		t.Fatal(err)
	}
	giveFolder(root, "roots-folder")
	if fi, err := root.Lstat("roots-folder"); err != nil || fi.Sys().(*syscall.Stat_t).Uid != 0 {
		t.Errorf("a folder of root's with something in it was given away: %v", err)
	}
}
