package batch

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/testpack"
)

// manifold are packs that several files of are fixed at once: one rule's example
// for each file, all combined.
func manifold() []map[string]string {
	byFile := map[string][]string{}
	for _, r := range rules.All().Rules {
		if r.Fix == "" || r.Bad == "" {
			continue
		}
		switch {
		case strings.HasPrefix(r.Bad, "{"):
			byFile["manifest.json"] = append(byFile["manifest.json"], r.Bad)
		case strings.HasPrefix(r.Bad, "# AMP"):
			byFile["agents.md"] = append(byFile["agents.md"], r.Bad)
		default:
			byFile["memory/operating-principles.md"] = append(byFile["memory/operating-principles.md"], testpack.Example(r.Bad)["memory/operating-principles.md"])
		}
	}
	plain := testpack.Example("[claim] The press is a hand press.")
	pick := func(name string, i int) string {
		if all := byFile[name]; len(all) > 0 {
			return all[i%len(all)]
		}
		return plain[name]
	}
	var out []map[string]string
	for i := range 24 {
		p := map[string]string{}
		for name := range plain {
			p[name] = pick(name, i)
		}
		p["memory/b.md"] = pick("memory/operating-principles.md", i+7)
		out = append(out, p)
	}
	return out
}

func writePack(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, s := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestAKilledFixLeavesNoPackWorse kills the writing at every change of the disk.
// Each file is then old or new, and the pack has no more errors and warnings than
// it had; written in another order some would.
func TestAKilledFixLeavesNoPackWorse(t *testing.T) {
	opt := Options{Runner: analysis.NewSpecRunner(rules.All())} // which is quicker by far
	lint := func(dir string) tally {
		r := Lint([]Target{{Dir: dir, Display: "p"}}, opt)
		if len(r[0].Errs) > 0 {
			t.Fatal(r[0].Errs)
		}
		return tallyOf(r[0].Diags)
	}
	several, killed := 0, 0
	for _, files := range manifold() {
		f := Fix(Target{Dir: writePack(t, files), Display: "p"}, opt, analysis.Suggested, false)
		if f.Err != nil {
			t.Fatal(f.Err)
		}
		if len(f.Summary.Changed) < 2 {
			continue
		}
		several++
		for n := 0; ; n++ {
			dir := writePack(t, files)
			before := lint(dir)
			f := f
			f.Dir = dir
			ops := 0
			remove := fsx.SetGate(func(fsx.Op) error {
				if ops++; ops > n {
					return errors.New("killed")
				}
				return nil
			})
			errs := f.Write()
			remove()
			if len(errs) == 0 {
				break // it came to its end
			}
			killed++
			if after := lint(dir); after.errors > before.errors || after.findings > before.findings {
				t.Errorf("killed at change %d of the disk: %+v before, %+v after; %v in order %v", n, before, after, files, f.order())
			}
			for _, name := range f.Summary.Changed {
				got := read(t, filepath.Join(dir, filepath.FromSlash(name)))
				if got != f.After.File(name).Text && (f.Before.File(name) == nil || got != f.Before.File(name).Text) {
					t.Errorf("%s is neither old nor new: %q", name, got)
				}
			}
		}
	}
	if several < 5 || killed < 50 {
		t.Errorf("%d packs with several changed files, %d kills", several, killed)
	}
}

// TestAFailedFixIsTakenBack: without a kill, a pack is fixed as a whole or not at all.
func TestAFailedFixIsTakenBack(t *testing.T) {
	opt := Options{Runner: analysis.NewSpecRunner(rules.All())} // which is quicker by far
	tried := 0
	for _, files := range manifold() {
		dir := writePack(t, files)
		f := Fix(Target{Dir: dir, Display: "p"}, opt, analysis.Suggested, false)
		if len(f.Summary.Changed) < 2 {
			continue
		}
		tried++
		for fail := 1; fail <= len(f.Summary.Changed); fail++ {
			renames := 0
			remove := fsx.SetGate(func(op fsx.Op) error {
				if op.Name == "rename" {
					if renames++; renames == fail {
						return errors.New("no space left")
					}
				}
				return nil
			})
			errs := f.Write()
			remove()
			if len(errs) != 1 || !strings.Contains(errs[0].Error(), "not written: no space left") {
				t.Fatalf("got %v", errs)
			}
			for name, s := range files {
				if read(t, filepath.Join(dir, filepath.FromSlash(name))) != s {
					t.Errorf("%s is not as it was", name)
				}
			}
			if left, _ := filepath.Glob(filepath.Join(dir, "*", ".*")); len(left) > 0 {
				t.Errorf("left over: %v", left)
			}
		}
		// A file that changed meanwhile holds up the others.
		last := f.order()[len(f.Summary.Changed)-1]
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(last)), []byte("new"), 0o644); err != nil {
			t.Fatal(err)
		}
		if errs := f.Write(); len(errs) != 1 {
			t.Errorf("got %v", errs)
		}
		for name, s := range files {
			if got := read(t, filepath.Join(dir, filepath.FromSlash(name))); name != last && got != s {
				t.Errorf("%s was written although %s had changed", name, last)
			}
		}
	}
	if tried < 5 {
		t.Errorf("only %d packs with several changed files", tried)
	}
}
