package fsx

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// setFlags does what chattr does.
func setFlags(t *testing.T, name string, flags int) {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags); err != nil {
		t.Skipf("no flags here: %v", err)
	}
}

func TestFlagsOfTheSystemAreAnObstacle(t *testing.T) {
	const immutable, appendOnly = 0x10, 0x20
	dir, err := os.MkdirTemp("/var/tmp", "amp-flags-") // /tmp and /dev/shm often have no flags
	if err != nil {
		t.Skipf("no folder on a disk: %v", err)
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	file := filepath.Join(dir, "a.md")
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a.md", "new.md", "deep/er/new.md"} {
		if why := Obstacle(root, name); why != "" {
			t.Errorf("%s: %s", name, why)
		}
	}
	for flag, word := range map[int]string{immutable: "immutable", appendOnly: "append-only"} {
		setFlags(t, file, flag)
		why := Obstacle(root, "a.md")
		setFlags(t, file, 0)
		if !strings.Contains(why, "it is "+word) {
			t.Errorf("a file that is %s: %q", word, why)
		}
		setFlags(t, dir, flag)
		new, deep := Obstacle(root, "new.md"), Obstacle(root, "deep/er/new.md")
		setFlags(t, dir, 0)
		if !strings.Contains(new, "its folder is "+word) || !strings.Contains(deep, word) {
			t.Errorf("a folder that is %s: %q, %q", word, new, deep)
		}
	}
}

func TestAFolderThatCannotBeWrittenToIsAnObstacle(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o555); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if why := Obstacle(root, "a.md"); !strings.Contains(why, "its folder cannot be written to") {
		t.Errorf("%q", why)
	}
}

// What cannot be removed is named: nobody would look for a hidden file.
func TestATemporaryFileThatStaysIsNamed(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := WriteIn(root, "a.md", []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	remove := SetGate(func(op Op) error {
		if op.Name == "rename" || op.Name == "remove" {
			return unix.EPERM
		}
		return nil
	})
	err = Swap(root, "a.md", []byte("x"), []byte("y"), 0o644, nil)
	remove()
	left, _ := filepath.Glob(filepath.Join(root.Name(), ".a.md.amp-tmp-*"))
	if err == nil || len(left) != 1 || !strings.Contains(err.Error(), filepath.Base(left[0])+" is left behind") {
		t.Errorf("%v, and there is %v", err, left)
	}
}
