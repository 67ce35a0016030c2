package fsx

import (
	"path/filepath"
	"testing"
)

func TestAbsoluteIsFilepathAbs(t *testing.T) {
	t.Chdir(t.TempDir())
	abs := Absolute()
	for _, name := range []string{"", ".", "..", "a", "a/../b", "./a//b/", "/", "/x/../y", "../../..", "memory/ä.md"} {
		got, err := abs(name)
		if err != nil {
			t.Fatal(err)
		}
		if want, _ := filepath.Abs(name); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}
