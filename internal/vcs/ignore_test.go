package vcs

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func git1(t *testing.T, dir string, stdin string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Stdin = strings.NewReader(stdin)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME="+dir,
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
	out, err := cmd.Output()
	if err != nil && len(out) == 0 && args[0] != "check-ignore" {
		t.Fatalf("git %v: %v", args, err)
	}
	return string(out)
}

func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	dir := t.TempDir()
	for name, s := range files {
		p := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	git1(t, dir, "", "init", "-q")
	return dir
}

// TestIgnoreAgreesWithGit asks git itself about every folder.
func TestIgnoreAgreesWithGit(t *testing.T) {
	for name, files := range map[string]map[string]string{
		"names anywhere":        {".gitignore": "build\n", "build/x": "", "a/build/x": "", "a/builder/x": ""},
		"anchored":              {".gitignore": "/build\ndocs/out\n", "build/x": "", "a/build/x": "", "docs/out/x": "", "a/docs/out/x": ""},
		"folders only":          {".gitignore": "tmp/\n", "tmp/x": "", "a/tmp/y/x": ""},
		"stars":                 {".gitignore": "*.tmp\nlog-?/\na/**/z\n", "b.tmp/x": "", "log-1/x": "", "log-22/x": "", "a/z/x": "", "a/b/c/z/x": ""},
		"taken back":            {".gitignore": "pack-*\n!pack-kept\n", "pack-a/x": "", "pack-kept/x": ""},
		"taken back in a child": {".gitignore": "pack-*\n", "sub/.gitignore": "!pack-a\n", "sub/pack-a/x": "", "sub/pack-b/x": "", "pack-a/x": ""},
		"nested":                {"sub/.gitignore": "out\n/top\n", "sub/out/x": "", "sub/a/out/x": "", "sub/top/x": "", "sub/a/top/x": "", "out/x": "", "top/x": ""},
		"below an ignored one":  {".gitignore": "gone/\n", "gone/.gitignore": "!back\n", "gone/back/x": ""},
		"comments and CRLF":     {".gitignore": "# build\r\nout\r\n\r\n", "build/x": "", "out/x": ""},
		"no list":               {"a/x": ""},
	} {
		t.Run(name, func(t *testing.T) {
			dir := tree(t, files)
			g := NewIgnore()
			var dirs []string
			err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
				if err != nil {
					return err
				}
				if d.IsDir() && d.Name() == ".git" {
					return filepath.SkipDir
				}
				if d.IsDir() && p != dir {
					rel, err := filepath.Rel(dir, p)
					if err != nil {
						return err
					}
					dirs = append(dirs, filepath.ToSlash(rel))
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			said := git1(t, dir, strings.Join(dirs, "\x00")+"\x00", "check-ignore", "-z", "--stdin")
			ignored := map[string]bool{}
			for p := range strings.SplitSeq(said, "\x00") {
				ignored[p] = true
			}
			for _, d := range dirs {
				if got := g.Dir(filepath.Join(dir, filepath.FromSlash(d))); got != ignored[d] {
					t.Errorf("%s: ignored %v, git says %v", d, got, ignored[d])
				}
			}
		})
	}
}

func TestIgnoreEndsAtTheRepository(t *testing.T) {
	outer := tree(t, map[string]string{".gitignore": "p\n", "inner/p/x": "", "p/x": ""})
	git1(t, filepath.Join(outer, "inner"), "", "init", "-q")
	g := NewIgnore()
	if g.Dir(filepath.Join(outer, "inner", "p")) {
		t.Error("the list of the outer repository holds in the inner one")
	}
	if !g.Dir(filepath.Join(outer, "p")) {
		t.Error("p is not ignored")
	}
	if g.Dir(t.TempDir()) {
		t.Error("a folder outside of repositories is ignored")
	}
}

func TestRepoReadsGit(t *testing.T) {
	dir := tree(t, map[string]string{"a b/ü\"x.md": "1", "gone": "1", "same": "1"})
	r, err := Open(filepath.Join(dir, "a b"))
	if err != nil || r.Root != dir {
		t.Fatalf("got %+v, %v", r, err)
	}
	names := func(paths []string, err error) string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		var out []string
		for _, p := range paths {
			rel, err := filepath.Rel(dir, p)
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, filepath.ToSlash(rel))
		}
		return strings.Join(out, ",")
	}
	if got := names(r.Changed()); got != "a b/ü\"x.md,gone,same" {
		t.Errorf("before the first commit: %s", got)
	}
	git1(t, dir, "", "add", ".")
	if got := names(r.Staged()); got != "a b/ü\"x.md,gone,same" {
		t.Errorf("staged at first: %s", got)
	}
	git1(t, dir, "", "commit", "-q", "-m", "1")
	if err := os.Remove(filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"a b/ü\"x.md", "new"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("2"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(r.Changed()); got != "a b/ü\"x.md,gone,new" {
		t.Errorf("changed: %s", got)
	}
	if got := names(r.Staged()); got != "" {
		t.Errorf("staged: %s", got)
	}
	entries, err := r.Index(filepath.Join(dir, "a b"))
	if err != nil || len(entries) != 1 || entries[0].Path != filepath.Join(dir, "a b", "ü\"x.md") || entries[0].Is("2") || !entries[0].Is("1") {
		t.Errorf("index: %+v, %v", entries, err)
	}
	var texts []string
	all, err := r.Index(dir)
	if err == nil {
		err = r.Texts(all, 0, func(e *Entry, text string) { texts = append(texts, filepath.Base(e.Path)+"="+text) })
	}
	if got := strings.Join(texts, ","); err != nil || got != "ü\"x.md=1,gone=1,same=1" {
		t.Errorf("texts: %s, %v", got, err)
	}
	for _, ref := range []string{"nowhere", "--output=x", "-x"} {
		if _, err := r.Since(ref); err == nil {
			t.Errorf("%s is taken for a revision", ref)
		}
	}
	if _, err := Open(t.TempDir()); err == nil {
		t.Error("a folder outside of repositories is one")
	}
}
