package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// installedPack installs a pack of two rules and returns its folder in the project.
func installedPack(t *testing.T, project string) string {
	t.Helper()
	writeFiles(t, project, map[string]string{"AGENTS.md": "# Mine\n"})
	want(t, 0, "", "install", "--from-path", newPack(t, t.TempDir(), "ferry"))
	return filepath.Join(project, ".amp/ferry")
}

func TestUnpackShowsThePlanAndWritesOnlyWhenConfirmed(t *testing.T) {
	_, project := scratch(t)
	installedPack(t, project)
	before := contents(t, project)
	for _, args := range [][]string{{"unpack", "ferry"}, {"unpack", "ferry", "--json"}} {
		want(t, exitUnconfirmed, "packs/ferry/operating-principles.md", args...)
	}
	want(t, 0, "create    index.md", "unpack", "ferry", "--dry-run")
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Fatalf("written without a yes:\n%s", d)
	}
	out := want(t, 0, `"applied": true`, "unpack", "@local/ferry", "--yes", "--json")
	var v struct {
		Version          int
		Slug, Wiki       string
		Applied          bool
		Pages            []struct{ Path, File, Action string }
		Primitives       map[string]int
		Unfiled          map[string]int
		Notes, Cleared   []string
		Index, IndexLine string
	}
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		t.Fatal(err)
	}
	if v.Version != 1 || v.Slug != "ferry" || v.Wiki != defaultWiki || len(v.Pages) != 1 || v.Pages[0].Action != "create" || v.Primitives["goal"] != 1 || v.Primitives["directive"] != 1 || v.Notes == nil || v.Cleared == nil {
		t.Errorf("%+v", v)
	}
	want(t, 0, "Nothing to do", "unpack", "ferry") // no yes is needed for nothing
	want(t, 0, "Done", "unpack", "ferry", "--remove", "--yes")
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Errorf("not as before:\n%s", d)
	}
	if _, err := os.Stat("knowledge-base"); err == nil {
		t.Error("the scaffold's folders are left")
	}
}

func TestUnpackRefusesWhatWasChangedSinceTheInstall(t *testing.T) {
	_, project := scratch(t)
	dir := installedPack(t, project)
	addTo(t, dir, "memory/operating-principles.md", "\n[claim] The ferry is blue.\n")
	for _, arg := range []string{"ferry", dir, "./.amp/ferry"} {
		want(t, 1, "changed since it was installed", "unpack", arg, "--yes")
		if _, err := os.Stat(defaultWiki); err == nil {
			t.Fatal("something was written")
		}
	}
	want(t, 0, "Done", "unpack", "ferry", "--yes", "--force-changed")
	want(t, 1, "not installed", "unpack", "none", "--yes")
	want(t, 2, "", "unpack", "No Name", "--yes")
	want(t, 2, "PAGE=FILE", "unpack", "ferry", "--link", "../x=y")
	want(t, 1, "", "unpack", "./nowhere")
	want(t, 1, "inside .amp", "unpack", "ferry", "--yes", "--wiki", ".amp/ferry")
}

func TestUnpackLeavesOutFilesWithCredentialsAndRefusesPoisonedPacks(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	secret := "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"
	writeFiles(t, pack, map[string]string{"memory/ops-tools.md": "---\ntype: cluster\napplies_to: tools\nsource: self\n---\n\n[claim] The key is " + secret + ".\n"})
	out := want(t, 0, "skip      packs/ferry/ops-tools.md: line 7 holds a credential", "unpack", "./ferry", "--yes")
	for name, text := range contents(t, project) {
		if strings.HasPrefix(name, "knowledge-base") && strings.Contains(text, secret) {
			t.Errorf("%s holds the credential", name)
		}
	}
	if strings.Contains(out, secret) {
		t.Error("the credential was printed")
	}
	manifest, _ := os.ReadFile(filepath.Join(pack, "manifest.json"))
	writeFiles(t, pack, map[string]string{"manifest.json": strings.Replace(string(manifest), `"number": 1`, `"number": "`+secret+`"`, 1)})
	want(t, 0, "", "unpack", "./ferry", "--yes", "--wiki", "other")
	for name, text := range contents(t, filepath.Join(project, "other")) {
		if strings.Contains(text, secret) {
			t.Errorf("%s holds the credential of the manifest", name)
		}
	}
	addTo(t, pack, "memory/operating-principles.md", hostileOrder)
	before := contents(t, project)
	want(t, 1, "memory/operating-principles.md:18: instruction-override", "unpack", "./ferry", "--yes")
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Errorf("written: %s", d)
	}
}

func TestUnpackFollowsNoLinkToTheWiki(t *testing.T) {
	_, project := scratch(t)
	newPack(t, project, "ferry")
	outside := t.TempDir()
	if err := os.Symlink(outside, "knowledge-base"); err != nil {
		t.Skipf("no symbolic links here: %v", err)
	}
	want(t, 1, "symbolic link", "unpack", "./ferry", "--yes")
	want(t, 1, "symbolic link", "unpack", "./ferry", "--yes", "--wiki", filepath.Join(project, "knowledge-base"))
	if entries, _ := os.ReadDir(outside); len(entries) != 0 {
		t.Errorf("%d files were written through the link", len(entries))
	}
	// A folder elsewhere that the user names is made, with those above it.
	want(t, 0, "Done", "unpack", "./ferry", "--yes", "--wiki", filepath.Join(outside, "new/wiki"))
	if _, err := os.Stat(filepath.Join(outside, "new/wiki/index.md")); err != nil {
		t.Error(err)
	}
}

func TestUnpackPrintsNoControlCharacters(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	name := "memory/a\x1b]0;x.md"
	if err := os.WriteFile(filepath.Join(pack, name), []byte("[claim] It is.\n"), 0o644); err != nil {
		t.Skipf("such names are not possible here: %v", err)
	}
	if out := want(t, 0, "skip", "unpack", "./ferry", "--dry-run"); strings.Contains(out, "\x1b") {
		t.Errorf("%q", out)
	}
	if _, out, _ := amp("unpack", "./ferry", "--json", "--dry-run"); strings.Contains(out, "\x1b") {
		t.Errorf("%q", out)
	}
}

func TestUnpackRemovesByFolderToo(t *testing.T) {
	_, project := scratch(t)
	dir := newPack(t, project, "ferry")
	before := contents(t, project)
	want(t, 0, "Done", "unpack", dir, "--yes")
	want(t, 0, "Done", "unpack", dir, "--remove", "--yes")
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Errorf("not as before:\n%s", d)
	}
	want(t, 1, "by its name", "unpack", "./gone", "--remove", "--yes")
}

func TestLinksThatCannotBeMadeAreNamed(t *testing.T) {
	_, project := scratch(t)
	dir := newPack(t, project, "ferry")
	writeFiles(t, project, map[string]string{"knowledge-base/wiki/x.md": "# X\n"})
	for link, why := range map[string]string{"x=nope": "no page for this file", "nope=operating-principles": "no such page"} {
		for _, more := range []string{"--yes", "--json"} {
			if _, _, stderr := amp("unpack", dir, "--link", link, more); !strings.Contains(stderr, "warning: --link ") || !strings.Contains(stderr, why) {
				t.Errorf("%s %s: %s", link, more, stderr)
			}
		}
	}
}

func TestUninstallBelowAProjectNamesIt(t *testing.T) {
	_, project := scratch(t)
	installedPack(t, project)
	writeFiles(t, project, map[string]string{"a/b/x": ""})
	t.Chdir(filepath.Join(project, "a/b"))
	if out := want(t, 0, "It is installed in the project ", "uninstall", "ferry"); !strings.Contains(out, filepath.Base(project)+":") {
		t.Error(out)
	}
	if out := want(t, 0, "not installed", "uninstall", "barge"); strings.Contains(out, "in the project") {
		t.Error(out)
	}
}

// Folders that were there before the wiki stay, and those that were made for it go.
func TestUnpackGivesBackTheFoldersAboveTheWiki(t *testing.T) {
	for _, own := range []string{"", "knowledge-base", "knowledge-base/wiki", "knowledge-base/wiki/packs/ferry"} {
		_, project := scratch(t)
		newPack(t, project, "ferry")
		if err := os.MkdirAll(filepath.Join(project, own), 0o755); err != nil {
			t.Fatal(err)
		}
		before := tree(t, project)
		for range 2 {
			for _, args := range [][]string{{"unpack", "./ferry", "--yes"}, {"unpack", "./ferry", "--remove", "--yes"}} {
				if code, _, stderr := amp(args...); code != 0 {
					t.Fatalf("%q, %v: %s", own, args, stderr)
				}
			}
			if d := diffOf(before, tree(t, project)); d != "" {
				t.Errorf("with %q:\n%s", own, d)
			}
		}
	}
}
