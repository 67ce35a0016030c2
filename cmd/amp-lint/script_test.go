package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"amp-lint": main})
}

// secret is put together here so that no scanner stops at this file.
const secret = "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"

// The scripts are the command's contract: each one is a feature, tested with real
// files and real git.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:           "testdata/script",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(e *testscript.Env) error {
			for k, v := range map[string]string{
				"GIT_CONFIG_GLOBAL": filepath.Join(e.WorkDir, ".gitconfig"), "GIT_CONFIG_NOSYSTEM": "1", "HOME": e.WorkDir,
				"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.org",
				"GIT_CEILING_DIRECTORIES": filepath.Dir(e.WorkDir), "XDG_CACHE_HOME": filepath.Join(e.WorkDir, ".cache"),
			} {
				e.Setenv(k, v)
			}
			return os.WriteFile(filepath.Join(e.WorkDir, ".gitconfig"), []byte("[init]\n\tdefaultBranch = main\n[safe]\n\tdirectory = *\n"), 0o644)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"mkpack": mkpack, "append": appendTo, "plant": plant, "crlf": crlf, "exit": exitCode, "hides": hides, "mode": mode, "cp-r": copyTree,
		},
	})
}

// mkpack DIR... writes a clean pack into each folder.
func mkpack(ts *testscript.TestScript, _ bool, args []string) {
	for _, dir := range args {
		name := filepath.Base(dir)
		for file, text := range map[string]string{
			"manifest.json": fmt.Sprintf(`{
  "name": %q,
  "title": "A pack",
  "version": { "number": 1 },
  "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4",
  "agents_file": "agents.md",
  "agents": ["claude-code"],
  "capability_files": ["operating-principles.md"]
}
`, name),
			"agents.md": "# AMP Routing — " + name + "\n\n## Always load\n- operating-principles.md — all\n",
			"memory/operating-principles.md": "---\ntype: cluster\napplies_to: all\nsource: self\n---\n\n" +
				"[claim] The desk is wide.\n\n[directive must, org, permanent] In copy, never use em dashes.\n",
		} {
			p := ts.MkAbs(filepath.Join(dir, file))
			ts.Check(os.MkdirAll(filepath.Dir(p), 0o755))
			ts.Check(os.WriteFile(p, []byte(text), 0o644))
		}
	}
}

// cp-r FROM TO copies a folder.
func copyTree(ts *testscript.TestScript, _ bool, args []string) {
	ts.Check(os.CopyFS(ts.MkAbs(args[1]), os.DirFS(ts.MkAbs(args[0]))))
}

// append FILE TEXT appends a text, with \n for line breaks.
func appendTo(ts *testscript.TestScript, _ bool, args []string) {
	f, err := os.OpenFile(ts.MkAbs(args[0]), os.O_APPEND|os.O_WRONLY|os.O_CREATE, 0o644)
	ts.Check(err)
	_, err = f.WriteString(strings.NewReplacer(`\n`, "\n", `\r`, "\r").Replace(args[1]))
	ts.Check(err)
	ts.Check(f.Close())
}

// plant FILE puts a live-looking credential into a file.
func plant(ts *testscript.TestScript, neg bool, args []string) {
	appendTo(ts, neg, []string{args[0], `\n[claim] The key is ` + secret + `.\n`})
}

// crlf FILE gives a file CRLF line breaks.
func crlf(ts *testscript.TestScript, _ bool, args []string) {
	p := ts.MkAbs(args[0])
	src, err := os.ReadFile(p)
	ts.Check(err)
	ts.Check(os.WriteFile(p, []byte(strings.ReplaceAll(string(src), "\n", "\r\n")), 0o644))
}

// exit CODE COMMAND... runs a command that must end with the code.
func exitCode(ts *testscript.TestScript, _ bool, args []string) {
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		got = strings.TrimPrefix(err.Error(), "exit status ")
	}
	if got != args[0] {
		ts.Fatalf("ended with %s, expected %s", got, args[0])
	}
}

// hides checks that the planted credential is in neither output nor a file below
// the folders named.
func hides(ts *testscript.TestScript, _ bool, args []string) {
	if s := ts.ReadFile("stdout") + ts.ReadFile("stderr"); strings.Contains(s, secret) {
		ts.Fatalf("the output shows the credential")
	}
	for _, dir := range args {
		ts.Check(filepath.WalkDir(ts.MkAbs(dir), func(p string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() {
				return err
			}
			src, err := os.ReadFile(p)
			if err == nil && strings.Contains(string(src), secret) {
				ts.Fatalf("%s holds the credential", p)
			}
			return err
		}))
	}
}

// mode FILE OCTAL checks permissions, mode -set FILE OCTAL sets them.
func mode(ts *testscript.TestScript, _ bool, args []string) {
	set := args[0] == "-set"
	if set {
		args = args[1:]
	}
	var want os.FileMode
	_, err := fmt.Sscanf(args[1], "%o", &want)
	ts.Check(err)
	if set {
		ts.Check(os.Chmod(ts.MkAbs(args[0]), want))
		return
	}
	st, err := os.Stat(ts.MkAbs(args[0]))
	ts.Check(err)
	if st.Mode().Perm() != want {
		ts.Fatalf("%s has mode %o, expected %o", args[0], st.Mode().Perm(), want)
	}
}
