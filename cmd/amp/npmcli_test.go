package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// npmCLI returns the reference: the JavaScript file that AMP_NPM_CLI names, or the
// published package where npm can get it.
func npmCLI(t *testing.T) string {
	t.Helper()
	slow(t)
	if _, err := exec.LookPath("node"); err != nil {
		t.Skip("node is not installed, the reference runs on it")
	}
	if name := os.Getenv("AMP_NPM_CLI"); name != "" {
		return name
	}
	dir := t.TempDir()
	npm := exec.Command("npm", "install", "--no-audit", "--no-fund", "--ignore-scripts", "@arkzero/amp")
	npm.Dir = dir
	if out, err := npm.CombinedOutput(); err != nil {
		line, _, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
		t.Skipf("@arkzero/amp cannot be had (%s); AMP_NPM_CLI can name a copy of its amp.js", line)
	}
	return filepath.Join(dir, "node_modules/@arkzero/amp/dist/bin/amp.js")
}

// TestBesideTheNpmCLI lets the reference and amp read, replace and undo what the other
// one wrote.
func TestBesideTheNpmCLI(t *testing.T) {
	cli := npmCLI(t)
	root := t.TempDir()
	home := filepath.Join(root, "home")
	pack := newPack(t, filepath.Join(root, "packs"), "ferry")
	newer := newPack(t, filepath.Join(root, "newer"), "ferry")
	writeFiles(t, newer, map[string]string{"agents.md": "# Newer\n\n## Always load\n- operating-principles.md — x\n"})
	if err := os.MkdirAll(home, 0o755); err != nil {
		t.Fatal(err)
	}
	theirs := func(dir string, args ...string) (string, error) {
		cmd := exec.Command("node", append([]string{cli}, args...)...)
		cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+home, "USERPROFILE="+home)
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	ours := func(dir string, args ...string) (string, error) {
		out, err := process(dir, home, args...).CombinedOutput()
		return string(out), err
	}
	type tool func(string, ...string) (string, error)
	must := func(run tool, dir string, args ...string) {
		t.Helper()
		if out, err := run(dir, args...); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	for name, by := range map[string][2]tool{"theirs": {theirs, ours}, "ours": {ours, theirs}} {
		signer, reader := by[0], by[1]
		dir := t.TempDir()
		if err := os.CopyFS(filepath.Join(dir, "pack"), os.DirFS(pack)); err != nil {
			t.Fatal(err)
		}
		must(signer, dir, "keygen", "--out", "k.key")
		sign := []string{"sign", "pack", "--key", "k.key"}
		if name == "ours" {
			sign = append(sign, "--scheme", "jsonb")
		}
		must(signer, dir, sign...)
		for _, run := range []tool{signer, reader} {
			must(run, dir, "verify", "pack", "--public-key", "k.pub")
		}
		must(reader, dir, append(sign[:4:4], map[string][]string{"theirs": {"--scheme", "jsonb"}}[name]...)...)
		must(signer, dir, "verify", "pack", "--public-key", "k.pub")
		writeFiles(t, dir, map[string]string{"pack/memory/more.md": "x"})
		if out, err := reader(dir, "verify", "pack", "--public-key", "k.pub"); err == nil {
			t.Errorf("%s: a changed pack verifies: %s", name, out)
		}
	}
	const mine = "# Mine\n"
	for agent, file := range map[string]string{"claude-code": "CLAUDE.md", "codex": "AGENTS.md", "windsurf": ".windsurfrules", "cursor": ""} {
		project := func() (string, map[string]string) {
			dir := t.TempDir()
			writeFiles(t, dir, map[string]string{"package.json": "{}"})
			if file != "" {
				writeFiles(t, dir, map[string]string{file: mine})
			}
			return dir, contents(t, dir)
		}
		install := func(pack string) []string { return []string{"install", "--from-path", pack, "--agent", agent} }
		check := func(what string, want, got map[string]string) {
			t.Helper()
			if d := diffOf(want, got); d != "" {
				t.Errorf("%s, %s: not as before:\n%s", agent, what, d)
			}
		}
		// Theirs records no files, so ours keeps them all.
		keptAll := func(dir string) {
			t.Helper()
			if kept, err := filepath.Glob(filepath.Join(dir, ".amp/.backups/ferry-*")); err != nil || len(kept) == 0 {
				t.Errorf("%s: nothing was kept: %v", agent, err)
			}
			if err := os.RemoveAll(filepath.Join(dir, ".amp")); err != nil {
				t.Fatal(err)
			}
		}
		// Theirs, seen and removed by ours.
		dir, before := project()
		must(theirs, dir, install(pack)...)
		if out, err := ours(dir, "inspect", "ferry"); err == nil || !strings.Contains(out, "kept no record") {
			t.Errorf("%s: inspect vouches for what theirs installed: %v: %s", agent, err, out)
		}
		must(ours, dir, "uninstall", "ferry")
		keptAll(dir)
		check("theirs, removed by ours", before, contents(t, dir))
		// Theirs, replaced by ours, and removed.
		must(theirs, dir, install(pack)...)
		must(ours, dir, install(newer)...)
		blocks := 0
		for name, text := range contents(t, dir) {
			if !strings.HasPrefix(name, ".amp/") {
				blocks += strings.Count(text, "amp:begin @local/ferry")
			}
		}
		if blocks != 1 {
			t.Errorf("%s: %d blocks after ours replaced theirs", agent, blocks)
		}
		must(ours, dir, "uninstall", "ferry")
		keptAll(dir)
		check("theirs, replaced and removed by ours", before, contents(t, dir))
		// Ours, seen by theirs, and replaced by theirs.
		must(ours, dir, install(pack)...)
		if out, err := theirs(dir, "inspect", "ferry"); err != nil || !strings.Contains(out, `"agent": "`+agent+`"`) {
			t.Errorf("%s: theirs does not see ours: %v: %s", agent, err, out)
		}
		must(theirs, dir, install(newer)...)
		must(ours, dir, "uninstall", "ferry")
		keptAll(dir)
		check("ours, replaced by theirs, removed by ours", before, contents(t, dir))
		// Ours, removed by theirs, as far as it looks where we write.
		must(ours, dir, install(pack)...)
		must(theirs, dir, "uninstall", "ferry")
		if agent != "cursor" {
			after := contents(t, dir)
			delete(after, ".amp/.made")
			check("ours, removed by theirs", before, after)
		}
		must(ours, dir, "uninstall", "ferry") // what theirs left
		check("ours, removed by theirs and then by ours", before, contents(t, dir))
		if _, err := os.Stat(filepath.Join(dir, ".amp")); err == nil {
			t.Errorf("%s: .amp is left", agent)
		}
	}
}
