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
