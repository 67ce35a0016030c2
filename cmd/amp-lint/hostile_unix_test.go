//go:build unix

package main

import (
	"net"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// Links, pipes and sockets are named, never opened or followed, and the files
// beside them are judged.
func TestSpecialFilesAreNamedAndNotOpened(t *testing.T) {
	dir := hostilePack(t, nil)
	memory := filepath.Join(dir, "memory")
	if err := unix.Mkfifo(filepath.Join(memory, "pipe.md"), 0o644); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{"loop": "..", "self.md": "self.md", "passwd.md": "/etc/passwd"} {
		if err := os.Symlink(target, filepath.Join(memory, name)); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(memory) // a socket's name has a limit
	l, err := net.Listen("unix", "s.md")
	if err != nil {
		t.Skipf("no sockets here: %v", err)
	}
	defer l.Close()
	if code, found := lintHostile(t, dir); code != exitFindings || found["file-type"] != 5 || found["facet-extra"] != 1 {
		t.Errorf("exit %d, %v", code, found)
	}
}

func TestAPipeAsManifestDoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mkfifo(filepath.Join(dir, "manifest.json"), 0o644); err != nil {
		t.Fatal(err)
	}
	if code, found := lintHostile(t, dir); code == exitClean || found["file-type"] != 1 {
		t.Errorf("exit %d, %v", code, found)
	}
	if code, _ := lintHostile(t, filepath.Dir(dir)); code == exitClean {
		t.Error("the folder above passes")
	}
}

func TestAFolderThatCannotBeReadIsAnInputErrorAndTheRestIsJudged(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root reads every folder")
	}
	dir := hostilePack(t, map[string]string{"memory/sub/x.md": "x"})
	if err := os.Chmod(filepath.Join(dir, "memory", "sub"), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.Chmod(filepath.Join(dir, "memory", "sub"), 0o755) })
	if code, found := lintHostile(t, dir); code != exitInput || found["facet-extra"] != 1 {
		t.Errorf("exit %d, %v", code, found)
	}
}
