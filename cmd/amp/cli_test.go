package main

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// want runs amp and checks the exit code and a part of the output.
func want(t *testing.T, code int, part string, args ...string) string {
	t.Helper()
	got, stdout, stderr := amp(args...)
	if out := stdout + stderr; got != code || !strings.Contains(out, part) {
		t.Errorf("amp %s: exit %d, want %d with %q: %s", strings.Join(args, " "), got, code, part, out)
	}
	return stdout
}

func TestFromKeygenToUninstall(t *testing.T) {
	home, project := scratch(t)
	key := filepath.Join(home, ".amp/keys/signing.key")
	want(t, 1, "run amp keygen", "sign", newPack(t, project, "early"))
	want(t, 0, "SHA256:", "keygen")
	if runtime.GOOS != "windows" {
		for name, perm := range map[string]os.FileMode{".amp": 0o700, ".amp/keys": 0o700, ".amp/keys/signing.key": 0o600} {
			if fi, err := os.Stat(filepath.Join(home, name)); err != nil || fi.Mode().Perm() != perm {
				t.Errorf("%s: %v, %v, want %o", name, fi.Mode(), err, perm)
			}
		}
	}
	before, _ := os.ReadFile(key)
	want(t, 1, "key exists", "keygen")
	if after, _ := os.ReadFile(key); string(after) != string(before) {
		t.Error("keygen without --force replaced the key")
	}
	pack := newPack(t, project, "ferry")
	want(t, 1, "NOT signed", "verify", pack)
	want(t, 0, "Signed (spec payload)", "sign", pack)
	want(t, 3, "do not trust", "verify", pack)
	want(t, 0, "Signature VALID", "verify", pack, "--public-key", key[:len(key)-4]+".pub")
	want(t, 2, "this is a private key", "verify", pack, "--public-key", key)
	want(t, 0, "Trusted SHA256:", "trust", "add", pack, "--label", "me")
	want(t, 0, "trusted as me", "verify", pack)
	want(t, 0, "me", "trust", "list")
	want(t, 1, "does not look like a project", "install", "--from-path", pack, "--scope", "project")
	writeFiles(t, project, map[string]string{"AGENTS.md": "# Mine"})
	out := want(t, 0, "Agent: codex (the project has AGENTS.md)", "install", "--from-path", pack, "--require-trusted")
	if !strings.Contains(out, "valid, by a key you trust") {
		t.Error(out)
	}
	want(t, 0, "ferry  (project)", "list")
	want(t, 0, "files:     unchanged", "inspect", "ferry")
	want(t, 0, "nothing changed", "install", "--from-path", pack)
	want(t, 0, "Uninstalled ferry", "uninstall", "@local/ferry")
	want(t, 0, "not installed", "uninstall", "ferry")
	want(t, 1, "not installed", "inspect", "ferry")
	if text, _ := os.ReadFile("AGENTS.md"); string(text) != "# Mine" {
		t.Errorf("AGENTS.md is %q", text)
	}
	want(t, 0, "no longer trusted", "trust", "remove", "me")
	want(t, 1, "no trusted key", "trust", "remove", "me")
}

func TestEnvironmentOverridesFlags(t *testing.T) {
	_, project := scratch(t)
	for _, k := range []string{"a", "b"} {
		want(t, 0, "", "keygen", "--out", k+".key")
	}
	pack := newPack(t, project, "ferry")
	read := func(name string) string {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(data)
	}
	t.Setenv(envPrivate, strings.ReplaceAll(read("a.key"), "\n", `\n`))
	want(t, 0, "Signed", "sign", pack, "--key", "b.key")
	t.Setenv(envPrivate, "")
	want(t, 0, "VALID", "verify", pack, "--public-key", "a.pub")
	want(t, 1, "signed by somebody else", "verify", pack, "--public-key", "b.pub")
	want(t, 0, "VALID", "verify", pack, "--public-key", read("a.pub"))
	want(t, 0, "VALID", "verify", pack, "--public-key", strings.ReplaceAll(read("a.pub"), "\n", `\n`))
	t.Setenv(envPublic, read("b.pub"))
	want(t, 1, "INVALID", "verify", pack, "--public-key", "a.pub")
	t.Setenv(envPublic, read("a.pub"))
	want(t, 0, "AMP_PUBLIC_KEY", "verify", pack, "--public-key", "b.pub")
	t.Setenv(envPublic, "nonsense")
	want(t, 2, "AMP_PUBLIC_KEY: there is no PEM block", "verify", pack)
	want(t, 2, "AMP_PUBLIC_KEY", "install", "--from-path", pack, "--agent", "codex")
	t.Setenv(envPrivate, read("a.pub"))
	want(t, 1, "AMP_PRIVATE_KEY: this is a public key", "sign", pack)
}

func TestWrongUseIsOneLineAndExitTwo(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	for _, args := range [][]string{
		{"frobnicate"},
		{"verify"},
		{"verify", "a", "b"},
		{"verify", "--nope", pack},
		{"verify", "nowhere"},
		{"verify", filepath.Join(pack, "agents.md")},
		{"sign"},
		{"sign", pack, "--scheme", "x"},
		{"payload", pack, "--scheme", ""},
		{"payload", "nowhere"},
		{"install"},
		{"install", pack},
		{"install", "@li/ferry"},
		{"install", "--from-path"},
		{"install", "--from-path", pack, "--agent", "emacs"},
		{"install", "--from-path", pack, "--scope", "world"},
		{"install", "--from-path", pack, "--agent", ""},
		{"inspect"},
		{"uninstall"},
		{"uninstall", ".."},
		{"uninstall", "@x/.."},
		{"uninstall", "ferry", "--scope", "x"},
		{"uninstall", "keys", "--scope", "user"},
		{"keygen", "x"},
		{"keygen", "--out", ""},
		{"keygen", "--out", project},
		{"trust", "add"},
		{"trust", "add", "nowhere"},
		{"trust", "x"},
		{"new"},
		{"new", "Upper"},
		{"new", ".."},
		{"list", "x"},
		{"man", "x"},
	} {
		code, stdout, stderr := amp(args...)
		if code != 2 || strings.Count(stderr, "\n") != 1 || !strings.HasPrefix(stderr, "amp: ") || stdout != "" {
			t.Errorf("amp %q: exit %d, stdout %q, stderr %q", args, code, stdout, stderr)
		}
	}
}

func TestJSONOutputsAreObjectsInEveryOutcome(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	object := func(code int, args ...string) map[string]any {
		t.Helper()
		got, stdout, _ := amp(args...)
		var v map[string]any
		if err := json.Unmarshal([]byte(stdout), &v); err != nil || got != code || v["version"] != 1.0 {
			t.Errorf("amp %q: exit %d, want %d: %v: %s", args, got, code, err, stdout)
		}
		return v
	}
	if v := object(1, "verify", pack, "--json"); v["status"] != "unsigned" || len(v["files"].([]any)) != 2 {
		t.Error(v)
	}
	if v := object(2, "verify", "nowhere", "--json"); v["status"] != "error" || v["message"] == "" {
		t.Error(v)
	}
	want(t, 0, "", "keygen")
	want(t, 0, "", "sign", pack)
	if v := object(3, "verify", pack, "--json"); v["status"] != "untrusted" || v["scheme"] != "spec" || v["covered"] != 3.0 || v["key_source"] != "pack" {
		t.Error(v)
	}
	if v := object(1, "install", "--from-path", "nowhere", "--agent", "codex", "--json"); v["ok"] != false || v["error"] == "" {
		t.Error(v)
	}
	if v := object(0, "install", "--from-path", pack, "--agent", "codex", "--json"); v["ok"] != true || v["slug"] != "ferry" {
		t.Error(v)
	}
	if v := object(0, "inspect", "ferry", "--json"); v["intact"] != true {
		t.Error(v)
	}
	writeFiles(t, ".amp/ferry", map[string]string{"new\x1b.md": "x"})
	if v := object(2, "inspect", "ferry", "--json"); v["intact"] != false || len(v["changes"].([]any)) != 1 {
		t.Error(v)
	}
	object(0, "list", "--json")
	object(0, "trust", "list", "--json")
	for _, args := range [][]string{{"inspect", "nothing", "--json"}, {"inspect", "../x", "--json"}} {
		if v := object(1, args...); v["ok"] != false || v["error"] == "" {
			t.Error(v)
		}
	}
	object(2, "list", "--json", "--scope", "galaxy")
	writeFiles(t, ".", map[string]string{".amp/.tx/journal.json": "damaged"})
	object(1, "list", "--json")
	object(1, "inspect", "ferry", "--json")
}

func TestVerifyTellsWhatChangedInAnInstalledPack(t *testing.T) {
	_, project := scratch(t)
	want(t, 0, "", "keygen")
	pack := newPack(t, project, "ferry")
	want(t, 0, "", "sign", pack)
	want(t, 0, "", "install", "--from-path", pack, "--agent", "codex")
	if err := os.Rename(".amp/ferry/memory/operating-principles.md", ".amp/ferry/memory/other.md"); err != nil {
		t.Fatal(err)
	}
	want(t, 3, "renamed memory/operating-principles.md to memory/other.md", "verify", ".amp/ferry")
}

func TestFindingsStopSigningAndInstalling(t *testing.T) {
	_, project := scratch(t)
	want(t, 0, "", "keygen")
	secret := "sk-" + strings.Repeat("a1B2", 6)
	for _, place := range []string{"memory/operating-principles.md", "agents.md", "notes.txt", ".git/config", "node_modules/x/y.md", "memory/deep/er/z.md"} {
		pack := newPack(t, filepath.Join(project, strings.ReplaceAll(place, "/", "_")), "ferry")
		name := filepath.Join(pack, place)
		old, _ := os.ReadFile(name)
		writeFiles(t, pack, map[string]string{place: string(old) + "\n[claim permanent] The key is " + secret + ".\n"})
		for _, args := range [][]string{{"sign", pack}, {"install", "--from-path", pack, "--agent", "codex"}} {
			code, stdout, stderr := amp(args...)
			if code != 1 || !strings.Contains(stderr, "credential") {
				t.Errorf("%s with a key in %s: exit %d: %s", args[0], place, code, stderr)
			}
			if strings.Contains(stdout+stderr, secret[5:]) {
				t.Errorf("%s shows the key", args[0])
			}
		}
		if _, err := os.Stat(".amp"); err == nil {
			t.Fatalf("the refused install of %s wrote .amp", place)
		}
	}
	pack := filepath.Join(project, "notes.txt", "ferry")
	want(t, 0, "Signed", "sign", pack, "--force")
	want(t, 0, "Installed", "install", "--from-path", pack, "--agent", "codex", "--allow-findings")
}

func TestLargePacksAreScannedToTheLastByte(t *testing.T) {
	_, project := scratch(t)
	secret := "sk-" + strings.Repeat("a1B2", 6)
	pack := newPack(t, project, "ferry")
	filler := strings.Repeat("x y ", 1<<20)
	for _, at := range []int{0, window + overlap - 10, 2*window - 5, len(filler) - 40, 17 << 18} {
		at = min(at, len(filler))
		writeFiles(t, pack, map[string]string{
			"a.bin": filler, "b.bin": filler, "c.bin": filler, "d.bin": filler,
			"data.bin": filler[:at] + "\n" + secret + "\n" + filler[at:],
		})
		code, _, stderr := amp("install", "--from-path", pack, "--agent", "codex")
		if code != 1 || strings.Count(stderr, "data.bin:2: credential") != 1 {
			t.Errorf("key at byte %d: exit %d: %s", at, code, stderr)
		}
		if _, err := os.Stat(".amp"); err == nil {
			t.Fatal("the refused install left .amp")
		}
	}
	writeFiles(t, pack, map[string]string{"data.bin": filler})
	want(t, 0, "Installed", "install", "--from-path", pack, "--agent", "codex")
}

func TestImportsThatLeadOutOfTheProjectAreShown(t *testing.T) {
	_, project := scratch(t)
	for line, code := range map[string]int{
		"- @~/.ssh/id_ed25519":        1,
		"See (@/etc/passwd) first":    1,
		"@../../secrets.env":          1,
		"Write to a@~b.example":       0,
		"Use `@~/notes.md` in Claude": 0,
		"@docs/x.md":                  0,
	} {
		pack := newPack(t, t.TempDir(), "ferry")
		old, _ := os.ReadFile(filepath.Join(pack, "agents.md"))
		writeFiles(t, pack, map[string]string{"agents.md": string(old) + "\n" + line + "\n"})
		got, _, stderr := amp("install", "--from-path", pack, "--agent", "claude-code")
		if got != code {
			t.Errorf("%q: exit %d, want %d: %s", line, got, code, stderr)
		}
		amp("uninstall", "ferry")
	}
	_ = project
}

func TestHostileTextCannotSteerTheTerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("such file names do not exist on Windows")
	}
	_, project := scratch(t)
	want(t, 0, "", "keygen")
	pack := newPack(t, project, "ferry")
	evil := "\x1b]0;owned\x07\x1b[2J\u202egnp\u200b"
	manifest, _ := os.ReadFile(filepath.Join(pack, "manifest.json"))
	quoted, _ := json.Marshal(evil)
	writeFiles(t, pack, map[string]string{
		"manifest.json":       strings.Replace(string(manifest), `"Ferry"`, string(quoted), 1),
		"memory/" + evil:      "x",
		"memory/new\nline":    "x",
		"memory/rules-x.md":   "[" + evil + " must] x\n\n[directive must] In all, always " + evil + ".\n",
		"memory/" + "\r" + "": "x",
	})
	for _, args := range [][]string{
		{"sign", pack, "--force"},
		{"verify", pack},
		{"install", "--from-path", pack, "--agent", "codex", "--allow-findings"},
		{"inspect", "ferry"},
		{"list"},
		{"verify", evil},
		{"uninstall", evil},
		{"trust", "add", evil},
		{evil},
		{"verify", "--" + evil},
		{"install", "--from-path", evil, "--agent", evil},
	} {
		_, stdout, stderr := amp(args...)
		if out := stdout + stderr; strings.ContainsAny(out, "\x1b\x07\r\u202e\u200b") {
			t.Errorf("amp %q prints %q", args, out)
		}
	}
}

func TestOddHomes(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	writeFiles(t, project, map[string]string{"file": "x"})
	real := t.TempDir()
	linked := filepath.Join(t.TempDir(), "home")
	if err := os.Symlink(real, linked); err != nil {
		t.Skip("no symbolic links here: ", err)
	}
	homeVar := "HOME"
	if runtime.GOOS == "windows" {
		homeVar = "USERPROFILE"
	}
	for home, ok := range map[string]bool{"": false, "relative": false, filepath.Join(project, "file"): false, filepath.Join(project, "missing"): false, linked: true} {
		t.Setenv(homeVar, home)
		user := []string{"install", "--from-path", pack, "--scope", "user", "--agent", "claude-code"}
		code, _, stderr := amp(user...)
		if (code == 0) != ok || !ok && !strings.Contains(stderr, "home folder") {
			t.Errorf("HOME=%q: exit %d: %s", home, code, stderr)
		}
		if code, _, stderr := amp("install", "--from-path", pack, "--agent", "codex"); code != 0 {
			t.Errorf("HOME=%q: a project install needs it: %s", home, stderr)
		}
		if code, _, stderr := amp("uninstall", "ferry"); code != 0 {
			t.Errorf("HOME=%q: %s", home, stderr)
		}
	}
	if _, err := os.Stat(filepath.Join(real, ".claude/CLAUDE.md")); err != nil {
		t.Error(err)
	}
}

func TestNewPacksAreValid(t *testing.T) {
	_, project := scratch(t)
	for _, name := range []string{"a", "my-pack", "1-2-3", strings.Repeat("x", 64)} {
		dir := newPack(t, project, name)
		sum, err := lintPack(dir)
		if err != nil || sum.Errors+sum.Warnings > 0 {
			t.Errorf("%s: %+v, %v", name, sum, err)
		}
		want(t, 1, "not empty", "new", dir)
	}
	want(t, 0, "Created", "new", "quoted", "--title", "a \"b\" \\ <c>\n")
	want(t, 1, "NOT signed", "verify", "quoted")
}

func TestCompletionsAndManPages(t *testing.T) {
	_, project := scratch(t)
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		want(t, 0, "amp", "completion", shell)
	}
	want(t, 0, `.TH "AMP" "1"`, "man")
	want(t, 0, "", "man", "--dir", "man")
	pages, _ := filepath.Glob(filepath.Join(project, "man", "amp*.1"))
	if len(pages) < 15 {
		t.Errorf("%d pages", len(pages))
	}
	want(t, 0, "", "install", "--from-path", newPack(t, project, "ferry"), "--agent", "codex")
	want(t, 0, "ferry", "__complete", "uninstall", "")
	want(t, 0, "windsurf", "__complete", "install", "--agent", "")
}

func TestVersionAndHelp(t *testing.T) {
	scratch(t)
	want(t, 0, ".", "--version")
	want(t, 0, "Available Commands", "--help")
	want(t, 0, "Available Commands", "help")
	want(t, 0, "Available Commands")
	want(t, 0, "Exit codes", "verify", "--help")
}

// A manifest of a stranger may hold megabytes where a word is expected.
func TestMessagesAreShortWhateverAPackHolds(t *testing.T) {
	_, project := scratch(t)
	long := strings.Repeat("a", 500_000)
	for member, value := range map[string]string{
		"name": `"` + long + `"`, "layout": `"` + long + `"`, "agents_file": `"` + long + `"`, "title": `"` + long + `"`,
		"capability_files": `["` + long + `.md"]`, "version": `{"number": "` + long + `"}`, "primitive_format": `"` + long + `"`, "created": `"` + long + `"`,
	} {
		pack := newPack(t, filepath.Join(project, member), "ferry")
		m := map[string]json.RawMessage{}
		text, _ := os.ReadFile(filepath.Join(pack, "manifest.json"))
		if err := json.Unmarshal(text, &m); err != nil {
			t.Fatal(err)
		}
		m[member] = json.RawMessage(value)
		text, _ = json.Marshal(m)
		writeFiles(t, pack, map[string]string{"manifest.json": string(text)})
		for _, args := range [][]string{{"install", "--from-path", pack, "--agent", "codex", "--allow-findings"}, {"inspect", "ferry"}, {"verify", pack}, {"uninstall", "ferry"}} {
			if _, stdout, stderr := amp(args...); len(stdout)+len(stderr) > 20_000 {
				t.Errorf("%s with a long %s prints %d bytes", args[0], member, len(stdout)+len(stderr))
			}
		}
	}
}

func TestJSONShowsNothingThatSteersATerminal(t *testing.T) {
	var b strings.Builder
	in := "a\u202eb\u0085\u009b\u200b\U000e0041\x1b\u3164 é 漢 <&>\u00a0"
	if err := writeJSON(&b, map[string]string{"x": in}); err != nil {
		t.Fatal(err)
	}
	if want := "{\n  \"x\": \"a\\u202eb\\u0085\\u009b\\u200b\\udb40\\udc41\\u001b\\u3164 é 漢 <&>\\u00a0\"\n}\n"; b.String() != want {
		t.Errorf("printed %q, want %q", b.String(), want)
	}
	var back map[string]string
	if err := json.Unmarshal([]byte(b.String()), &back); err != nil || back["x"] != in {
		t.Errorf("reads as %q, %v", back["x"], err)
	}
}

type fullDisk struct{ left int }

func (f *fullDisk) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("no space left on device")
	}
	return len(p), nil
}

// Who saves the output must learn that a part of it is missing.
func TestOutputThatCannotBeWrittenIsAnError(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	want(t, 0, "", "keygen")
	want(t, 0, "", "sign", pack)
	want(t, 0, "", "install", "--from-path", pack, "--agent", "codex")
	for _, args := range [][]string{
		{"verify", pack, "--public-key", "../home/.amp/keys/signing.pub"},
		{"list"},
		{"list", "--json"},
		{"inspect", "ferry"},
		{"inspect", "ferry", "--json"},
		{"payload", pack},
		{"trust", "list"},
		{"parse", filepath.Join(pack, "memory/operating-principles.md")},
		{"install", "--from-path", pack, "--agent", "codex"},
		{"--help"},
	} {
		for _, left := range []int{0, 10} {
			var errs strings.Builder
			wantCode := 1
			if args[0] == "verify" {
				wantCode = 2
			}
			if code := run(args, &fullDisk{left}, &errs); code != wantCode || !strings.Contains(errs.String(), "no space left") {
				t.Errorf("amp %s, %d bytes fit: exit %d, want %d: %s", strings.Join(args, " "), left, code, wantCode, errs.String())
			}
		}
	}
}

func TestPrivateKeysDoNotGoWhereKeysArePublished(t *testing.T) {
	_, project := scratch(t)
	for _, name := range []string{"a.pub", "b.PUB", ".pub"} {
		want(t, 2, "private key", "keygen", "--out", name)
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s was written", name)
		}
	}
	pack := newPack(t, project, "ferry")
	want(t, 0, "holds a pack", "keygen", "--out", filepath.Join(pack, "memory", "my.key"))
	want(t, 0, "", "keygen", "--out", "out.key")
	want(t, 1, "credential", "sign", pack, "--key", "out.key")
	if out := want(t, 0, "", "keygen", "--out", "other.key"); strings.Contains(out, "holds a pack") {
		t.Error(out)
	}
}

func TestNewRefusesTitlesThatItsLinterWould(t *testing.T) {
	scratch(t)
	for _, title := range []string{"a\x1b[31m", "a\u202eb", "a\nb", strings.Repeat("a", 201)} {
		want(t, 2, "--title", "new", "ferry", "--title", title)
	}
	want(t, 0, "", "new", "ferry", "--title", `The "best" ferry \ 漢`)
}

func TestUninstallPointsToTheOtherScope(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	want(t, 0, "", "install", "--from-path", pack, "--agent", "codex", "--agent", "openclaw")
	const hint = "installed in scope user too: amp uninstall ferry --scope user"
	want(t, 0, hint, "uninstall", "ferry")
	want(t, 0, hint, "uninstall", "ferry")
	for range 2 {
		if out := want(t, 0, "", "uninstall", "ferry", "--scope", "user"); strings.Contains(out, "too") {
			t.Error(out)
		}
	}
}
