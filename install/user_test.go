//go:build unix

package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// TestNothingOfTheUsersIsLostWithoutARecord: what the user wrote into the folder and
// the block of a pack that has no record of its files is in the backups afterwards.
func TestNothingOfTheUsersIsLostWithoutARecord(t *testing.T) {
	for _, scope := range []Scope{Project, User} {
		for _, act := range []string{"uninstall", "install of a newer one"} {
			w := newWorld(t)
			base, rules := w.Dir, "CLAUDE.md"
			if scope == User {
				base, rules = w.Home, ".claude/CLAUDE.md"
			}
			w.mustInstall(w.pack("ferry", map[string]string{"memory/b.md": "b"}), scope, "claude-code")
			withoutRecord(t, filepath.Join(base, ".amp/.meta/ferry.json"))
			write(t, filepath.Join(base, ".amp/ferry/notes.txt"), "added words")
			write(t, filepath.Join(base, ".amp/ferry/memory/b.md"), "edited words")
			text, err := os.ReadFile(filepath.Join(base, rules))
			if err != nil {
				t.Fatal(err)
			}
			at := strings.Index(string(text), "<!-- amp:end")
			write(t, filepath.Join(base, rules), string(text)[:at]+"words after the pointer\n"+string(text)[at:])
			if r, err := Inspect(w.Where, scope, "ferry", nil); err != nil || r.Intact() {
				t.Errorf("%s: inspect calls it intact: %+v, %v", scope, r, err)
			}
			var site SiteResult
			var warnings []string
			if act == "uninstall" {
				r, err := Uninstall(w.Where, scope, "ferry", testTime)
				if err != nil {
					t.Fatal(err)
				}
				site, warnings = *r, r.Warnings
			} else {
				r := w.mustInstall(w.pack("ferry", map[string]string{"memory/b.md": "newer", "agents.md": "# Newer\n"}), scope, "claude-code")
				site, warnings = r.Sites[0], r.Warnings
			}
			kept := ""
			for name, text := range w.snapshot() {
				if strings.Contains(name, ".amp/.backups/") {
					kept += text + "\n"
				}
			}
			for _, want := range []string{"added words", "edited words", "words after the pointer"} {
				if !strings.Contains(kept, want) {
					t.Errorf("%s in scope %s lost %q, kept only\n%s", act, scope, want, kept)
				}
			}
			if site.Backup == "" || !slices.ContainsFunc(warnings, func(s string) bool { return strings.Contains(s, "nothing records") }) {
				t.Errorf("%s in scope %s did not say so: %+v %q", act, scope, site, warnings)
			}
		}
	}
}

// TestLinksPipesAndEmptyFoldersOfTheUserAreKept: they are the user's as files are.
func TestLinksPipesAndEmptyFoldersOfTheUserAreKept(t *testing.T) {
	for _, act := range []string{"uninstall", "re-install", "upgrade"} {
		w := newWorld(t)
		pack := w.pack("ferry", nil)
		if err := os.MkdirAll(filepath.Join(pack, "own/empty"), 0o755); err != nil {
			t.Fatal(err)
		}
		w.mustInstall(pack, Project, "claude-code")
		if r, err := Inspect(w.Where, Project, "ferry", nil); err != nil || !r.Intact() {
			t.Fatalf("an empty folder of the pack counts as a change: %+v, %v", r, err)
		}
		dir := filepath.Join(w.Dir, ".amp/ferry")
		for _, err := range []error{
			os.Symlink("/nowhere/at/all", filepath.Join(dir, "memory/link")),
			os.Symlink("..", filepath.Join(dir, "up")),
			syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o600),
			os.MkdirAll(filepath.Join(dir, "memory/a/b"), 0o755),
			os.Mkdir(filepath.Join(dir, "empty"), 0o755),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
		r, err := Inspect(w.Where, Project, "ferry", nil)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, c := range r.Changes {
			got = append(got, c.String())
		}
		if want := []string{"added empty/", "added memory/a/b/", "special memory/link", "special pipe", "special up"}; !slices.Equal(got, want) {
			t.Errorf("inspect says %q, want %q", got, want)
		}
		var backup string
		switch act {
		case "uninstall":
			r, err := Uninstall(w.Where, Project, "ferry", testTime)
			if err != nil {
				t.Fatal(err)
			}
			backup = r.Backup
		case "re-install":
			backup = w.mustInstall(pack, Project, "claude-code").Sites[0].Backup
		case "upgrade":
			backup = w.mustInstall(w.pack("ferry", map[string]string{"memory/new.md": "x"}), Project, "claude-code").Sites[0].Backup
		}
		if backup == "" {
			t.Errorf("%s: no backup is told", act)
			continue
		}
		for name, want := range map[string]fs.FileMode{"memory/link": fs.ModeSymlink, "up": fs.ModeSymlink, "pipe": fs.ModeNamedPipe, "memory/a/b": fs.ModeDir, "empty": fs.ModeDir} {
			fi, err := os.Lstat(filepath.Join(backup, "files", name))
			if err != nil || fi.Mode().Type() != want {
				t.Errorf("%s: %s was not kept as it was: %v, %v", act, name, fi, err)
			}
		}
		if to, err := os.Readlink(filepath.Join(backup, "files/memory/link")); to != "/nowhere/at/all" {
			t.Errorf("%s: the link leads to %q, %v", act, to, err)
		}
	}
}

// A sparse file takes no room, its copy all of it.
func TestAHugePackIsRefusedBeforeTheFirstWrite(t *testing.T) {
	w := newWorld(t)
	pack := w.pack("ferry", nil)
	if err := os.WriteFile(filepath.Join(pack, "huge.bin"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(filepath.Join(pack, "huge.bin"), MaxPack); err != nil {
		t.Skipf("no sparse files here: %v", err)
	}
	before := w.snapshot()
	_, err := w.install(pack, Project, "claude-code")
	wantError(t, err, "huge.bin alone has 1024")
	w.expectUnchanged(before)
}

func TestAFolderThatCannotBeRemovedIsTold(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "cursor")
	remove := fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "remove" && op.Path == ".cursor" {
			return syscall.EIO
		}
		return nil
	})
	r, err := Uninstall(w.Where, Project, "ferry", testTime)
	remove()
	if err != nil || !slices.ContainsFunc(r.Warnings, func(s string) bool {
		return strings.Contains(s, ".cursor: the empty folder could not be removed")
	}) {
		t.Errorf("%v, %+v", err, r)
	}
}

// TestWhatRootInstallsIsTheUsers installs as root into folders of somebody else.
func TestWhatRootInstallsIsTheUsers(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root gives files away")
	}
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "root's own\n")
	for _, dir := range []string{w.Dir, w.Home} {
		if err := os.Chown(dir, 1000, 1000); err != nil {
			t.Skipf("root may not give files away here: %v", err)
		}
	}
	w.mustInstall(w.pack("ferry", map[string]string{"deep/er/x.md": "x"}), Project, "claude-code", "cursor", "openclaw")
	write(t, filepath.Join(w.Dir, ".amp/ferry/mine.md"), "mine")
	w.mustInstall(w.pack("ferry", map[string]string{"deep/er/x.md": "y"}), Project, "claude-code", "codex")
	seen := 0
	for _, base := range []string{w.Dir, w.Home} {
		err := filepath.WalkDir(base, func(name string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			want := uint32(1000)
			if strings.HasSuffix(name, "CLAUDE.md") || strings.HasSuffix(name, "mine.md") { // were there
				want = 0
			}
			seen++
			if st := fi.Sys().(*syscall.Stat_t); st.Uid != want {
				t.Errorf("%s belongs to %d", name, st.Uid)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if seen < 15 {
		t.Errorf("only %d files seen", seen)
	}
}

// The names in a stranger's record lead nowhere, not even into a loop.
func TestNamesInARecordMayBeAnything(t *testing.T) {
	now := &tree{sums: map[string]string{}, empty: []string{"memory"}}
	for _, name := range []string{"/etc/passwd", "/", "//", "", ".", "..", "../../x", "a//b", "/memory/x"} {
		done := make(chan []Change, 1)
		go func() { done <- now.diff([]FileRecord{{Path: name}}, nil) }()
		select {
		case got := <-done:
			if len(got) != 2 {
				t.Errorf("%q: %v", name, got)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%q: it does not end", name)
		}
	}
}

// Who cannot read which folders are amp's must not forget it: the next run clears up.
func TestAnUnreadableFolderOfAmpIsNotForgotten(t *testing.T) {
	w := newWorld(t)
	before := w.snapshot()
	if err := os.Mkdir(filepath.Join(w.Dir, ampDir), 0o755); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(w.Dir, madeFile), ".amp\n")
	write(t, filepath.Join(w.Dir, ampDir, fsx.TempName(".made")), "x") // cannot be swept
	remove := fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "remove" && strings.Contains(op.Path, "amp-tmp-") {
			return syscall.EIO
		}
		return nil
	})
	_, err := w.install(w.pack("ferry", nil), Project, "claude-code")
	remove()
	if err == nil {
		t.Fatal("the error was swallowed")
	}
	if err := w.uninstall("ferry", Project); err != nil && !errors.Is(err, ErrNotInstalled) {
		t.Fatal(err)
	}
	w.expectUnchanged(before)
}
