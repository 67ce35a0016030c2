package install

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// randomTree fills a world with folders, empty ones too, and files where packs are
// installed.
func (w *world) randomTree(rnd *rand.Rand) {
	for _, base := range []string{w.Dir, w.Home} {
		for _, d := range []string{
			".amp", ".amp/.meta", ".amp/.backups", ".amp/notes", ".claude", ".codex", ".cursor", ".cursor/rules", ".windsurf", ".windsurf/rules",
			".codeium", ".codeium/windsurf", ".codeium/windsurf/memories", ".openclaw", ".openclaw/workspace",
		} {
			if rnd.IntN(5) > 0 {
				continue
			}
			if err := os.MkdirAll(filepath.Join(base, d), 0o755); err != nil {
				w.t.Fatal(err)
			}
			if rnd.IntN(2) == 0 {
				if err := os.Chmod(filepath.Join(base, d), 0o750); err != nil {
					w.t.Fatal(err)
				}
			}
		}
		for _, f := range []string{
			"CLAUDE.md", "AGENTS.md", ".windsurfrules", ".agents.md", ".claude/CLAUDE.md", ".codex/AGENTS.md", ".cursor/rules/mine.mdc",
			".amp/notes/n.md", ".amp/.backups/b", ".amp/.meta/readme", ".openclaw/workspace/AGENTS.md", ".codeium/windsurf/memories/global_rules.md",
		} {
			if rnd.IntN(5) == 0 {
				write(w.t, filepath.Join(base, f), []string{"", "mine", "mine\n", "a\r\n\r\n", "\ufeff# x\n\n"}[rnd.IntN(5)])
			}
		}
	}
}

// randomActs installs and uninstalls at random and then uninstalls everything. With
// kills, some of the runs die. It returns what it did.
func (w *world) randomActs(rnd *rand.Rand, kills bool) []string {
	slugs := []string{"ferry", "barge", "tug"}
	var did []string
	act := func(what string, run func() error) {
		did = append(did, what)
		if kills && rnd.IntN(3) == 0 {
			k := 1 + rnd.IntN(80)
			did[len(did)-1] += fmt.Sprintf(", killed at %d", k)
			kill(k, func() { _ = run() })
			return
		}
		if err := run(); err != nil && !errors.Is(err, ErrNotInstalled) {
			w.t.Fatalf("%q: %v", did, err)
		}
	}
	for range 6 {
		slug, scope := slugs[rnd.IntN(len(slugs))], []Scope{Project, User}[rnd.IntN(2)]
		if rnd.IntN(3) == 0 {
			act(fmt.Sprintf("uninstall %s from %s", slug, scope), func() error { return w.uninstall(slug, scope) })
			continue
		}
		agents := []string{Agents[rnd.IntN(len(Agents))], Agents[rnd.IntN(len(Agents))]}
		pack := w.pack(slug, map[string]string{"memory/more.md": fmt.Sprint(rnd.IntN(3))})
		act(fmt.Sprintf("install %s for %s in %s", slug, agents, scope), func() error {
			_, err := w.install(pack, scope, agents...)
			return err
		})
	}
	kills = false
	rnd.Shuffle(len(slugs), func(i, j int) { slugs[i], slugs[j] = slugs[j], slugs[i] })
	for _, slug := range slugs {
		for _, scope := range []Scope{User, Project} {
			act(fmt.Sprintf("uninstall %s from %s", slug, scope), func() error { return w.uninstall(slug, scope) })
		}
	}
	return did
}

// TestUninstallingGivesBackTheVeryTree: whatever was there, folders with nothing in
// them included, is there again after any installs, re-installs and uninstalls, and
// nothing else is.
func TestUninstallingGivesBackTheVeryTree(t *testing.T) {
	for _, kills := range []bool{false, true} {
		n := uint64(60)
		if os.Getenv("AMP_SLOW") == "1" {
			n = 1500
		}
		for seed := range n {
			rnd := rand.New(rand.NewPCG(seed, 2))
			w := newWorld(t)
			w.randomTree(rnd)
			before := w.snapshot()
			did := w.randomActs(rnd, kills)
			if d := differences(before, w.snapshot()); len(d) > 0 {
				t.Fatalf("seed %d, kills %v:\n%s\n%s", seed, kills, strings.Join(did, "\n"), strings.Join(d, "\n"))
			}
			os.RemoveAll(filepath.Dir(w.Dir))
		}
	}
}

// Versions before the list of made folders, and the npm CLI, leave it to us to clear
// up after them.
func TestFoldersOfOlderInstallsGo(t *testing.T) {
	w := newWorld(t)
	before := w.snapshot()
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	if err := os.Remove(filepath.Join(w.Dir, madeFile)); err != nil {
		t.Fatal(err)
	}
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	w.expectUnchanged(before)
}

// A .amp that is being made or removed is known by its name, and what others put
// into it is not removed with it.
func TestOnlyEmptyShellsAreSweptAway(t *testing.T) {
	w := newWorld(t)
	before := w.snapshot()
	shell := filepath.Join(w.Dir, fsx.TempName(ampDir))
	write(t, filepath.Join(shell, ".made"), ".amp\n")
	write(t, filepath.Join(shell, ".lock"), "")
	write(t, filepath.Join(w.Dir, fsx.TempName(ampDir), ".lock"), "")
	if err := os.Mkdir(filepath.Join(w.Dir, fsx.TempName(ampDir)), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := w.uninstall("ferry", Project); !errors.Is(err, ErrNotInstalled) {
		t.Fatal(err)
	}
	w.expectUnchanged(before)
	mine := fsx.TempName(ampDir)
	write(t, filepath.Join(w.Dir, mine, "mine"), "x")
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	if read(w, mine+"/mine") != "x" {
		t.Error("a file of the user's was removed")
	}
}

// On Windows, the lock that is open in a folder keeps it from being renamed.
func TestFoldersGoWhereTheyCannotBeRenamed(t *testing.T) {
	w := newWorld(t)
	before := w.snapshot()
	defer fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "rename" && (op.Path == ampDir || strings.HasPrefix(op.Path, fsx.TempPrefix(ampDir))) {
			return os.ErrPermission
		}
		return nil
	})()
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	w.expectUnchanged(before)
}
