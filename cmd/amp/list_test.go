package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestListWithoutAHomeListsTheProjectAndSaysWhatItCouldNot(t *testing.T) {
	_, project := scratch(t)
	want(t, 0, "Installed", "install", "--from-path", newPack(t, project, "ferry"), "--agent", "codex")
	for _, home := range []string{"", filepath.Join(project, "nowhere")} {
		t.Setenv("HOME", home)
		t.Setenv("USERPROFILE", home)
		for _, args := range [][]string{{"list"}, {"list", "--json"}} {
			code, stdout, stderr := amp(args...)
			if code != 1 || !strings.Contains(stdout, "ferry") || !strings.Contains(stderr, "scope user could not be looked at: the home folder") {
				t.Errorf("HOME=%q amp %s: exit %d: %s%s", home, args, code, stdout, stderr)
			}
		}
		want(t, 0, "ferry", "list", "--scope", "project")
	}
}

func TestListBelowAProjectNamesIt(t *testing.T) {
	_, project := scratch(t)
	want(t, 0, "Installed", "install", "--from-path", newPack(t, project, "ferry"), "--agent", "codex")
	if err := os.MkdirAll("a/b", 0o755); err != nil {
		t.Fatal(err)
	}
	t.Chdir("a/b")
	out := want(t, 0, "No packs are installed.", "list")
	if !strings.Contains(out, filepath.Base(project)+" has some") {
		t.Error(out)
	}
	want(t, 0, "run amp uninstall there", "uninstall", "ferry")
}

func TestFlagsOfOneValueAreRefusedTwice(t *testing.T) {
	_, project := scratch(t)
	a, b := newPack(t, project, "ferry"), newPack(t, project, "tram")
	for _, args := range [][]string{
		{"install", "--from-path", a, "--from-path", b, "--agent", "codex"},
		{"install", "--from-path", a, "--scope", "user", "--scope", "project"},
		{"verify", a, "--public-key", "x", "--public-key", "y"},
		{"new", "x", "--title", "A", "--title", "B"},
	} {
		want(t, exitUsage, "given twice", args...)
	}
	want(t, 0, "Installed ferry", "install", "--from-path", a, "--agent", "codex", "--agent", "claude-code")
}

func TestALinkedRulesFileNamesTheAgentOfTheOther(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	writeFiles(t, project, map[string]string{"AGENTS.md": "# Mine\n"})
	if err := os.Symlink("AGENTS.md", "CLAUDE.md"); err != nil {
		t.Skip(err) // not every Windows allows it
	}
	want(t, 1, "--agent codex installs there", "install", "--from-path", pack)
	want(t, 0, "Installed", "install", "--from-path", pack, "--agent", "codex")
}

func TestNewNamesWhatIsEmpty(t *testing.T) {
	scratch(t)
	want(t, exitUsage, "needs a pack name, it is empty", "new", "")
}
