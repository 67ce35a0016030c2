package diskfs

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"testing/fstest"
)

func TestItIsAFileSystem(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "a.md"), "alpha")
	write(t, filepath.Join(dir, "memory", "b.md"), "beta")
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if err := fstest.TestFS(f, "a.md", "memory/b.md"); err != nil {
		t.Fatal(err)
	}
}

func TestLinksAreNotFollowed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("os.Root follows links that stay inside; only Linux refuses all of them")
	}
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret"), "x")
	write(t, filepath.Join(dir, "real"), "x")
	for name, target := range map[string]string{"out": filepath.Join(outside, "secret"), "in": "real", "dir": outside, "up": "../" + filepath.Base(outside)} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, name := range []string{"out", "in", "dir/secret", "up/secret", "../" + filepath.Base(outside) + "/secret", "/etc/hostname"} {
		if g, err := f.Open(name); err == nil {
			b, _ := io.ReadAll(g)
			t.Errorf("%s was opened: %q", name, b)
		}
	}
}

func TestOpeningAPipeDoesNotBlock(t *testing.T) {
	dir := t.TempDir()
	if err := mkfifo(filepath.Join(dir, "pipe")); err != nil {
		t.Skipf("no named pipes here: %v", err)
	}
	f, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	g, err := f.Open("pipe")
	if err != nil {
		return
	}
	defer g.Close()
	if st, err := g.Stat(); err != nil || st.Mode().Type() != fs.ModeNamedPipe {
		t.Errorf("a pipe shows as %v, %v", st, err)
	}
}

func write(t *testing.T, name, s string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(s), 0o644); err != nil {
		t.Fatal(err)
	}
}
