package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A project in a folder of the user's agent has rules files that are those of user
// scope. One block cannot belong to both.
func TestOneRulesFileBelongsToOneScope(t *testing.T) {
	for _, c := range []struct {
		dir, file     string
		agents        []string // of the project
		user          string   // agent of user scope
		installBefore bool
	}{
		{".claude", "CLAUDE.md", []string{"claude-code"}, "claude-code", true},
		{".claude", "CLAUDE.md", []string{"claude-code"}, "claude-code", false},
		{".codex", "AGENTS.md", []string{"codex"}, "codex", true},
		{".openclaw/workspace", "AGENTS.md", []string{"codex"}, "openclaw", true},
		{".openclaw/workspace", "AGENTS.md", []string{"codex", "openclaw"}, "openclaw", false},
	} {
		t.Run(c.dir, func(t *testing.T) {
			w := newWorld(t)
			w.Dir = filepath.Join(w.Home, c.dir)
			write(t, filepath.Join(w.Dir, c.file), "mine")
			pack := w.pack("ferry", nil)
			first := w.snapshot()
			if c.installBefore {
				w.mustInstall(pack, User, c.user)
			}
			before := w.snapshot()
			_, err := w.install(pack, Project, c.agents...)
			wantError(t, err, "--scope user --agent "+c.user)
			w.expectUnchanged(before)
			// Another agent's file is the project's own.
			w.mustInstall(pack, Project, "windsurf")
			if err := w.uninstall("ferry", Project); err != nil {
				t.Fatal(err)
			}
			w.expectUnchanged(before)
			// What is not in the project is not taken from the user.
			if err := w.uninstall("ferry", Project); !errors.Is(err, ErrNotInstalled) {
				t.Error(err)
			}
			w.expectUnchanged(before)
			if c.installBefore {
				if err := w.uninstall("ferry", User); err != nil {
					t.Fatal(err)
				}
			}
			w.expectUnchanged(first)
		})
	}
}

func TestHardLinksOfARulesFileAreNamed(t *testing.T) {
	w := newWorld(t)
	claude, agents := filepath.Join(w.Dir, "CLAUDE.md"), filepath.Join(w.Dir, "AGENTS.md")
	write(t, claude, "mine\n")
	if err := os.Link(claude, agents); err != nil {
		t.Skipf("the file system has no hard links: %v", err)
	}
	r := w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	if all := strings.Join(r.Warnings, "\n"); !strings.Contains(all, "CLAUDE.md: it has other names (hard links)") {
		t.Error(all)
	}
	if read(w, "AGENTS.md") != "mine\n" {
		t.Error(read(w, "AGENTS.md"))
	}
	if r = w.mustInstall(w.pack("barge", nil), Project, "claude-code"); strings.Contains(strings.Join(r.Warnings, "\n"), "hard links") {
		t.Errorf("warned of a file with one name: %q", r.Warnings)
	}
	if err := os.Remove(agents); err != nil {
		t.Fatal(err)
	}
	if err := os.Link(claude, agents); err != nil {
		t.Fatal(err)
	}
	u, err := Uninstall(w.Where, Project, "barge", testTime)
	if err != nil || !strings.Contains(strings.Join(u.Warnings, "\n"), "hard links") {
		t.Errorf("%v, %q", err, u.Warnings)
	}
}

// Killed at any point, an uninstall that is repeated leaves no folder behind.
func TestRepeatedUninstallLeavesNoFolderOfAKilledOne(t *testing.T) {
	points := 0
	for k := 1; ; k++ {
		w := newWorld(t)
		before := w.snapshot()
		w.mustInstall(w.pack("ferry", nil), User, "claude-code", "openclaw")
		if !kill(k, func() { _ = w.uninstall("ferry", User) }) {
			break
		}
		points++
		if err := w.uninstall("ferry", User); err != nil && !errors.Is(err, ErrNotInstalled) {
			t.Fatal(err)
		}
		if d := differences(before, w.snapshot()); len(d) > 0 {
			t.Fatalf("killed at change %d:\n%s", k, strings.Join(d, "\n"))
		}
	}
	if points < 10 {
		t.Errorf("only %d kill points", points)
	}
}
