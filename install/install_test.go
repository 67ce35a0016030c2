package install

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestReinstallChangesNothingWhenNothingChanged(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\r\n")
	pack := w.pack("ferry", nil)
	w.mustInstall(pack, Project, "claude-code", "cursor")
	before := w.snapshot()
	fi, _ := os.Stat(filepath.Join(w.Dir, "CLAUDE.md"))
	r, err := Install(Request{Where: w.Where, Pack: pack, Scope: Project, Agents: []string{"claude-code"}, Now: testTime.Add(1000)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Sites[0].Changed {
		t.Error("the result claims a change")
	}
	w.expectUnchanged(before)
	if now, _ := os.Stat(filepath.Join(w.Dir, "CLAUDE.md")); !os.SameFile(fi, now) {
		t.Error("the rules file was written again")
	}
}

func TestReinstallForAnotherAgentKeepsTheFirst(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	w.mustInstall(w.pack("ferry", map[string]string{"agents.md": "# Two\n"}), Project, "codex")
	for _, f := range []string{"CLAUDE.md", "AGENTS.md"} {
		if !strings.Contains(read(w, f), "# Two\n") {
			t.Errorf("%s was not brought up to date: %q", f, read(w, f))
		}
	}
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	if left := w.snapshot(); len(left) != 2 {
		t.Errorf("left over: %v", left)
	}
}

func TestEachAgentGetsTheFileItReads(t *testing.T) {
	cases := []struct {
		agent   string
		scope   Scope
		file    string // below the project or, for the user, the home folder
		header  string
		pointer string
	}{
		{"claude-code", Project, "CLAUDE.md", "", ".amp/ferry/memory/"},
		{"claude-code", User, ".claude/CLAUDE.md", "", "~/.amp/ferry/memory/"},
		{"codex", Project, "AGENTS.md", "", ".amp/ferry/memory/"},
		{"codex", User, ".codex/AGENTS.md", "", "~/.amp/ferry/memory/"},
		{"cursor", Project, ".cursor/rules/amp-ferry.mdc", "alwaysApply: true\n---\n", ".amp/ferry/memory/"},
		{"cursor", User, ".cursor/rules/amp-ferry.mdc", "alwaysApply: true\n---\n", "~/.amp/ferry/memory/"},
		{"windsurf", Project, ".windsurf/rules/amp-ferry.md", "trigger: always_on\n---\n", ".amp/ferry/memory/"},
		{"windsurf", User, ".codeium/windsurf/memories/global_rules.md", "", "~/.amp/ferry/memory/"},
		{"openclaw", Project, ".openclaw/workspace/AGENTS.md", "", "~/.amp/ferry/memory/"},
		{"openclaw", User, ".openclaw/workspace/AGENTS.md", "", "~/.amp/ferry/memory/"},
	}
	for _, c := range cases {
		t.Run(c.agent+" "+string(c.scope), func(t *testing.T) {
			w := newWorld(t)
			before := w.snapshot()
			w.mustInstall(w.pack("ferry", map[string]string{"agents.md": "# R\n\nverbatim  \n\n\n"}), c.scope, c.agent)
			base, scope := w.Dir, c.scope
			if c.scope == User || c.agent == "openclaw" {
				base, scope = w.Home, User
			}
			data, err := os.ReadFile(filepath.Join(base, c.file))
			if err != nil {
				t.Fatal(err)
			}
			want := "<!-- amp:begin @local/ferry -->\n# R\n\nverbatim  \n\n> Pack files: " + c.pointer + "\n<!-- amp:end @local/ferry -->\n"
			if got := string(data); !strings.HasSuffix(got, c.header+want) || c.header == "" && got != want {
				t.Errorf("the file is %q", got)
			}
			if _, err := os.Stat(filepath.Join(base, ".amp/ferry/memory/operating-principles.md")); err != nil {
				t.Error(err)
			}
			r, err := Inspect(w.Where, scope, "ferry", nil)
			if err != nil || !r.Intact() || len(r.Blocks) != 1 || r.Blocks[0].State != "intact" {
				t.Errorf("inspect: %+v, %v", r, err)
			}
			if err := w.uninstall("ferry", scope); err != nil {
				t.Fatal(err)
			}
			w.expectUnchanged(before)
		})
	}
}

func TestWindsurfKeepsUsingTheOldFileWhereItIsTheOnlyOne(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, ".windsurfrules"), "mine\n")
	w.mustInstall(w.pack("ferry", nil), Project)
	if !strings.Contains(read(w, ".windsurfrules"), "amp:begin @local/ferry") {
		t.Error("the block is not in .windsurfrules")
	}
}

func TestDetectionFollowsTheSpecsOrder(t *testing.T) {
	cases := []struct {
		marks []string // home/ marks are made in the home folder
		want  string
	}{
		{nil, "claude-code"},
		{[]string{"home/.openclaw/x"}, "openclaw"},
		{[]string{".windsurfrules", "home/.openclaw/x"}, "windsurf"},
		{[]string{".cursor/x", ".windsurfrules"}, "cursor"},
		{[]string{"AGENTS.md", ".cursor/x"}, "codex"},
		{[]string{"CLAUDE.md", "AGENTS.md"}, "claude-code"},
	}
	for _, c := range cases {
		w := newWorld(t)
		for _, m := range c.marks {
			base := w.Dir
			if rest, ok := strings.CutPrefix(m, "home/"); ok {
				base, m = w.Home, rest
			}
			write(t, filepath.Join(base, m), "")
		}
		agent, why := Detect(w.Dir, w.Home)
		if agent != c.want || why == "" {
			t.Errorf("%v: %s (%s), want %s", c.marks, agent, why, c.want)
		}
	}
}

func TestNoProjectNeedsAWord(t *testing.T) {
	w := newWorld(t)
	pack := w.pack("ferry", nil)
	_, err := w.install(pack, Project)
	wantError(t, err, "does not look like a project")
	w.mustInstall(pack, Project, "codex")
}

func TestInspectNamesEveryKindOfChange(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", map[string]string{"memory/b.md": "b", "memory/c.md": "c", "memory/d.md": "d"}), Project, "claude-code", "codex")
	dir := filepath.Join(w.Dir, ".amp/ferry")
	write(t, filepath.Join(dir, "agents.md"), "changed")
	write(t, filepath.Join(dir, "memory/new.md"), "new")
	for _, f := range []func() error{
		func() error { return os.Rename(filepath.Join(dir, "memory/b.md"), filepath.Join(dir, "memory/z.md")) },
		func() error { return os.Remove(filepath.Join(dir, "memory/c.md")) },
		func() error { return os.Remove(filepath.Join(dir, "memory/d.md")) },
		func() error { return os.Symlink("nowhere", filepath.Join(dir, "memory/d.md")) },
		func() error { return os.Remove(filepath.Join(w.Dir, "AGENTS.md")) },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	edit(w, "CLAUDE.md", "how we work", "how they work")
	r, err := Inspect(w.Where, Project, "ferry", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Changes {
		got = append(got, c.String())
	}
	want := []string{"changed agents.md", "removed memory/c.md", "special memory/d.md", "removed memory/d.md", "added memory/new.md", "renamed memory/b.md to memory/z.md"}
	if !slices.Equal(got, want) {
		t.Errorf("changes %q\nwant    %q", got, want)
	}
	if r.Blocks[0].State != "edited" || r.Blocks[1].State != "missing" || r.Intact() {
		t.Errorf("blocks %+v", r.Blocks)
	}
}

func TestUninstallKeepsWhatTheUserChanged(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	write(t, filepath.Join(w.Dir, ".amp/ferry/memory/notes.md"), "my notes")
	r, err := Uninstall(w.Where, Project, "ferry", testTime)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(r.Backup, "files/memory/notes.md"))
	if err != nil || string(data) != "my notes" {
		t.Errorf("%q, %v", data, err)
	}
}

// A folder or a block under the pack's name that amp did not make holds the user's
// own text.
func TestWhatAmpDidNotInstallIsKept(t *testing.T) {
	kept := func(w *world) string {
		var out strings.Builder
		for name, text := range w.snapshot() {
			if strings.Contains(name, ".amp/.backups/") {
				out.WriteString(name + ": " + text + "\n")
			}
		}
		return out.String()
	}
	const block = "<!-- amp:begin @local/ferry -->\nmy own words\n<!-- amp:end @local/ferry -->\n"
	setup := func() (*world, string) {
		w := newWorld(t)
		write(t, filepath.Join(w.Dir, ".amp/ferry/notes.txt"), "my own notes")
		write(t, filepath.Join(w.Dir, ".amp/ferry/agents.md"), "my own agents.md")
		write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\n\n"+block)
		return w, w.pack("ferry", nil)
	}
	w, pack := setup()
	w.mustInstall(pack, Project, "claude-code")
	for _, s := range []string{"my own notes", "my own agents.md", "my own words"} {
		if got := kept(w); !strings.Contains(got, s) {
			t.Errorf("install did not keep %q, only\n%s", s, got)
		}
	}
	w, _ = setup()
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	if got := kept(w); !strings.Contains(got, "my own notes") {
		t.Errorf("uninstall kept only\n%s", got)
	}
	// An empty block, metadata that was lost and a block in a fresh clone are no
	// reason to.
	w = newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), strings.Replace(block, "my own words\n", "", 1))
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	if got := kept(w); got != "" {
		t.Errorf("an empty block was kept\n%s", got)
	}
	w = newWorld(t)
	pack = w.pack("ferry", nil)
	w.mustInstall(pack, Project, "claude-code")
	for _, lost := range []string{".amp/.meta", ".amp"} {
		if err := os.RemoveAll(filepath.Join(w.Dir, lost)); err != nil {
			t.Fatal(err)
		}
		w.mustInstall(pack, Project, "claude-code")
		if got := kept(w); got != "" {
			t.Errorf("without %s install kept\n%s", lost, got)
		}
	}
}

func TestOlderVersionsAreInstalledWithAWord(t *testing.T) {
	w := newWorld(t)
	version := func(n string) string {
		return w.pack("ferry", map[string]string{"manifest.json": `{"name": "ferry", "layout": "semantic-cluster", "version": {"number": ` + n + `}}`})
	}
	w.mustInstall(version("5"), Project, "codex")
	for n, want := range map[string]bool{"5": false, "4": true, "6": false} {
		w.mustInstall(version("5"), Project, "codex")
		r := w.mustInstall(version(n), Project, "codex")
		if got := slices.Contains(r.Warnings, "version 4 replaces the newer version 5"); got != want {
			t.Errorf("version %s over 5: warnings %q", n, r.Warnings)
		}
	}
}

// Inspect must not call intact what it could not compare.
func TestInspectDoesNotVouchForWhatItCannotCompare(t *testing.T) {
	for name, breakIt := range map[string]func(w *world) error{
		"no metadata": func(w *world) error { return os.Remove(filepath.Join(w.Dir, ".amp/.meta/ferry.json")) },
		"no folder":   func(w *world) error { return os.RemoveAll(filepath.Join(w.Dir, ".amp/ferry")) },
		"hosts gone from the record": func(w *world) error {
			name := filepath.Join(w.Dir, ".amp/.meta/ferry.json")
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			return os.WriteFile(name, []byte(strings.Replace(string(text), `"file": "CLAUDE.md"`, `"file": "../other.md"`, 1)), 0o644)
		},
		"block copied to another agent": func(w *world) error {
			text, err := os.ReadFile(filepath.Join(w.Dir, "CLAUDE.md"))
			if err != nil {
				return err
			}
			return os.WriteFile(filepath.Join(w.Dir, "AGENTS.md"), text, 0o644)
		},
	} {
		w := newWorld(t)
		w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
		r, err := Inspect(w.Where, Project, "ferry", nil)
		if err != nil || !r.Intact() {
			t.Fatalf("%s: before: %+v, %v", name, r, err)
		}
		if err := breakIt(w); err != nil {
			t.Fatal(err)
		}
		r, err = Inspect(w.Where, Project, "ferry", nil)
		if err != nil || r.Intact() {
			t.Errorf("%s: %+v, %v", name, r, err)
		}
	}
}

func TestKeepingLargeFilesTakesNoRoom(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "codex")
	name := filepath.Join(w.Dir, ".amp/ferry/film.bin")
	write(t, name, "x")
	before, err := os.Stat(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	found, err := filepath.Glob(filepath.Join(w.Dir, ".amp/.backups/*/files/film.bin"))
	if err != nil || len(found) != 1 {
		t.Fatalf("kept %v, %v", found, err)
	}
	after, err := os.Stat(found[0])
	if err != nil {
		t.Fatal(err)
	}
	if !os.SameFile(before, after) {
		t.Error("the file was copied")
	}
}
