package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
)

const (
	body  = "---\ntype: cluster\napplies_to: x\nsource: self\n---\n\n[directive permanent, must, org] In copy, never use em dashes.\n"
	fixed = "[directive must, org, permanent]"
)

func packDir(t *testing.T) (dir, file string) {
	t.Helper()
	dir = t.TempDir()
	file = filepath.Join(dir, "memory", "a.md")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, s := range map[string]string{file: body, filepath.Join(dir, "agents.md"): "# A\n"} {
		if err := os.WriteFile(name, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir, file
}

func fixDir(t *testing.T, target Target) Fixed {
	t.Helper()
	f := Fix(target, Options{Runner: analysis.NewRunner(rules.All())}, analysis.Safe, false)
	if f.Err != nil || len(f.Summary.Changed) != 1 {
		t.Fatalf("%+v", f)
	}
	return f
}

func read(t *testing.T, name string) string {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(src)
}

func TestWriteLeavesAFileAloneThatChangedMeanwhile(t *testing.T) {
	dir, file := packDir(t)
	f := fixDir(t, Target{Dir: dir, Display: "p"})
	if err := os.WriteFile(file, []byte(body+"\n[claim] The desk is wide.\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	errs := f.Write()
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), "p/memory/a.md: not written: the file changed meanwhile") {
		t.Errorf("got %v", errs)
	}
	if strings.Contains(read(t, file), fixed) {
		t.Error("it was written")
	}
}

func TestWriteFollowsNoLink(t *testing.T) {
	dir, file := packDir(t)
	f := fixDir(t, Target{Dir: dir, Display: "p"})
	outside := filepath.Join(t.TempDir(), "outside.md")
	if err := os.Rename(file, outside); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, file); err != nil {
		t.Skipf("links can't be made here: %v", err)
	}
	if errs := f.Write(); len(errs) != 1 {
		t.Errorf("got %v", errs)
	}
	if read(t, outside) != body {
		t.Error("it was written through the link")
	}
}

func TestALooseFileIsFixed(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "loose.md")
	if err := os.WriteFile(file, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	f := fixDir(t, Target{Dir: dir, Display: "d", Only: []string{"loose.md"}, Loose: true})
	if errs := f.Write(); len(errs) > 0 {
		t.Fatal(errs)
	}
	if !strings.Contains(read(t, file), fixed) {
		t.Error("not fixed")
	}
}
