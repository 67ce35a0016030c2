package install

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// npmInstall does what the published npm CLI does to a project.
func npmInstall(w *world, agent, rules, pack string) {
	text, _ := os.ReadFile(filepath.Join(w.Dir, rules))
	agents, _ := os.ReadFile(filepath.Join(pack, "agents.md"))
	dir := filepath.Join(w.Dir, ".amp", "ferry")
	block := "<!-- amp:begin @local/ferry -->\n" + strings.TrimSpace(string(agents)) + "\n\n> Pack files: " + dir + "/memory/\n<!-- amp:end @local/ferry -->"
	out := block + "\n"
	if len(text) > 0 && agent != "cursor" {
		out = strings.TrimRight(string(text), " \r\n\t") + "\n\n" + block + "\n"
	}
	write(w.t, filepath.Join(w.Dir, rules), out)
	if err := os.CopyFS(dir, os.DirFS(pack)); err != nil {
		w.t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(pack, "manifest.json"))
	sum := sumOf(data)
	write(w.t, filepath.Join(w.Dir, ".amp/.meta/ferry.json"), `{
  "slug": "ferry",
  "creator": "local",
  "version": 1,
  "sha256": "`+sum+`",
  "installedAt": "2026-01-01T00:00:00.000Z",
  "installScope": "project",
  "packDir": "`+filepath.ToSlash(dir)+`",
  "activationSnippet": "",
  "agent": "`+agent+`"
}`)
}

func TestInstallsOfTheNpmCLIAreUnderstood(t *testing.T) {
	cases := []struct{ agent, rules, user string }{
		{"claude-code", "CLAUDE.md", "# Mine\n"},
		{"codex", "AGENTS.md", "# Mine\n"},
		{"windsurf", ".windsurfrules", "# Mine\n"},
		{"cursor", ".cursor/rules/amp-ferry.md", ""},
	}
	for _, c := range cases {
		t.Run(c.agent, func(t *testing.T) {
			prepare := func() (*world, string, map[string]string) {
				w := newWorld(t)
				if c.user != "" {
					write(t, filepath.Join(w.Dir, c.rules), c.user)
				}
				before := files(w.snapshot())
				pack := w.pack("ferry", nil)
				npmInstall(w, c.agent, c.rules, pack)
				return w, pack, before
			}
			w, _, before := prepare()
			r, err := Inspect(w.Where, Project, "ferry", nil)
			if err != nil || r.Intact() || r.Differs() || r.Recorded || len(r.Notes) == 0 || len(r.Blocks) != 1 || r.Blocks[0].State != "present" {
				t.Errorf("inspect: %+v, %v", r, err)
			}
			un, err := Uninstall(w.Where, Project, "ferry", testTime)
			if err != nil {
				t.Fatal(err)
			}
			if un.Backup == "" || len(un.Warnings) == 0 {
				t.Errorf("what nothing records was not kept, or not told: %+v", un)
			}
			if err := os.RemoveAll(filepath.Join(w.Dir, ".amp/.backups")); err != nil {
				t.Fatal(err)
			}
			if d := differences(before, files(w.snapshot())); len(d) > 0 {
				t.Errorf("uninstall left %s", d)
			}

			w, pack, before := prepare()
			w.mustInstall(pack, Project, c.agent)
			blocks := 0
			for name, text := range w.snapshot() {
				if !strings.Contains(name, ".amp/") {
					blocks += strings.Count(text, "amp:begin @local/ferry")
				}
			}
			if blocks != 1 {
				t.Errorf("%d blocks after installing over the npm CLI's", blocks)
			}
			if err := w.uninstall("ferry", Project); err != nil {
				t.Fatal(err)
			}
			if d := differences(before, files(w.snapshot())); len(d) > 0 {
				t.Errorf("install over it and uninstall left %s", d)
			}
		})
	}
}

func TestMetadataIsWhatTheNpmCLIReads(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", map[string]string{"memory/x.md": "<&>"}), Project, "codex")
	var m map[string]any
	data, err := os.ReadFile(filepath.Join(w.Dir, ".amp/.meta/ferry.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	manifest, _ := os.ReadFile(filepath.Join(w.Dir, ".amp/ferry/manifest.json"))
	want := map[string]any{"slug": "ferry", "creator": "local", "version": 1.0, "installScope": "project", "agent": "codex", "activationSnippet": "", "sha256": sumOf(manifest)}
	for k, v := range want {
		if m[k] != v {
			t.Errorf("%s is %v, want %v", k, m[k], v)
		}
	}
}
