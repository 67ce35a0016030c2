package install

import (
	"encoding/json"
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

// Versions before the rule let both scopes install into one rules file. Whoever goes
// first leaves the block to the other, and the last one takes it away.
func TestOlderInstallsOfBothScopesInOneFile(t *testing.T) {
	for _, first := range []Scope{Project, User} {
		for _, last := range []Scope{Project, User} { // whose install was the last one, and wrote the block
			for _, npm := range []bool{false, true} {
				w := newWorld(t)
				w.Dir = filepath.Join(w.Home, ".claude")
				write(t, filepath.Join(w.Dir, "CLAUDE.md"), "mine\n")
				mine := w.pack("ferry", map[string]string{"agents.md": "# Of the project\n"})
				users := w.pack("ferry", map[string]string{"agents.md": "# Of the user\n"})
				before := w.snapshot()
				older := Where{Dir: w.Dir} // no home: the rule is not known
				install := func(scope Scope) {
					var err error
					if scope == Project {
						_, err = Install(Request{Where: older, Pack: mine, Scope: Project, Agents: []string{"claude-code"}, Now: testTime})
					} else {
						_, err = w.install(users, User, "claude-code")
					}
					if err != nil {
						t.Fatal(err)
					}
				}
				install(other(last))
				install(last)
				for _, base := range []string{w.Dir, w.Home} { // that version took the other's block for the user's
					os.RemoveAll(filepath.Join(base, backupDir))
				}
				if npm {
					withoutRecord(t, filepath.Join(w.Dir, ".amp/.meta/ferry.json"))
					withoutRecord(t, filepath.Join(w.Home, ".amp/.meta/ferry.json"))
				}
				u, err := Uninstall(w.Where, first, "ferry", testTime)
				if err != nil || !strings.Contains(strings.Join(u.Warnings, "\n"), "CLAUDE.md: the pack is installed in scope "+string(other(first))+", too") {
					t.Errorf("%v, warnings %q", err, u.Warnings)
				}
				want := map[Scope]string{Project: "# Of the project\n\n> Pack files: .amp/ferry", User: "# Of the user\n\n> Pack files: ~/.amp/ferry"}[other(first)]
				if text := read(w, "CLAUDE.md"); !strings.Contains(text, want) || strings.Count(text, "amp:begin") != 1 || !strings.HasPrefix(text, "mine\n") {
					t.Errorf("uninstall from %s, installed last in %s: CLAUDE.md is\n%s", first, last, text)
				}
				r, err := Inspect(w.Where, other(first), "ferry", nil)
				if err != nil || r.Intact() == npm || len(r.Changes) > 0 {
					t.Errorf("the other scope: %+v, %v", r, err)
				}
				if err := w.uninstall("ferry", other(first)); err != nil {
					t.Fatal(err)
				}
				if npm { // nothing recorded whose the files are, so they are kept
					for _, base := range []string{w.Dir, w.Home} {
						if err := os.RemoveAll(filepath.Join(base, ampDir)); err != nil {
							t.Fatal(err)
						}
					}
				}
				w.expectUnchanged(before)
			}
		}
	}
}

func other(s Scope) Scope {
	if s == Project {
		return User
	}
	return Project
}

// withoutRecord makes our metadata what the npm CLI writes.
func withoutRecord(t *testing.T, name string) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	delete(m, "amp")
	if data, err = json.Marshal(m); err != nil {
		t.Fatal(err)
	}
	write(t, name, string(data))
}

// A re-install for another agent does not take the block back.
func TestReinstallLeavesTheBlockOfTheOtherScope(t *testing.T) {
	w := newWorld(t)
	w.Dir = filepath.Join(w.Home, ".claude")
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "mine\n")
	mine := w.pack("ferry", map[string]string{"agents.md": "# Of the project\n"})
	if _, err := Install(Request{Where: Where{Dir: w.Dir}, Pack: mine, Scope: Project, Agents: []string{"claude-code"}, Now: testTime}); err != nil {
		t.Fatal(err)
	}
	w.mustInstall(w.pack("ferry", map[string]string{"agents.md": "# Of the user\n"}), User, "claude-code")
	before := read(w, "CLAUDE.md")
	r := w.mustInstall(mine, Project, "codex")
	if read(w, "CLAUDE.md") != before || !strings.Contains(strings.Join(r.Warnings, "\n"), "is left alone") {
		t.Errorf("%q, CLAUDE.md is\n%s", r.Warnings, read(w, "CLAUDE.md"))
	}
}
