package fsx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

var errInjected = errors.New("injected")

func openRoot(t *testing.T) (*os.Root, string) {
	t.Helper()
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root, dir
}

func put(t *testing.T, name, text string, perm fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), perm); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(name, perm); err != nil { // whatever the umask is
		t.Fatal(err)
	}
}

func TestWriteFileIsOldOrNewAtEveryFailure(t *testing.T) {
	for at := 1; ; at++ {
		name := filepath.Join(t.TempDir(), "f")
		put(t, name, "old", 0o644)
		n := 0
		remove := SetGate(func(Op) error {
			if n++; n == at {
				return errInjected
			}
			return nil
		})
		err := WriteFile(name, []byte("new text"), 0o600)
		remove()
		if n < at {
			if err != nil {
				t.Fatal(err)
			}
			break
		}
		if !errors.Is(err, errInjected) {
			t.Errorf("failure %d: %v", at, err)
		}
		if text, _ := os.ReadFile(name); string(text) != "old" && string(text) != "new text" {
			t.Errorf("failure %d: the file is %q", at, text)
		}
		if left, _ := filepath.Glob(filepath.Join(filepath.Dir(name), ".*")); len(left) > 0 {
			t.Errorf("failure %d: left over: %v", at, left)
		}
	}
}

func TestWriteFileKeepsPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no permission bits")
	}
	dir := t.TempDir()
	for _, perm := range []fs.FileMode{0o600, 0o640, 0o644, 0o666, 0o755} {
		name := filepath.Join(dir, perm.String())
		put(t, name, "old", perm)
		if err := WriteFile(name, []byte("new"), 0o644); err != nil {
			t.Fatal(err)
		}
		if fi, _ := os.Stat(name); fi.Mode().Perm() != perm {
			t.Errorf("%o became %o", perm, fi.Mode().Perm())
		}
	}
	name := filepath.Join(dir, "new")
	if err := WriteFile(name, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if fi, _ := os.Stat(name); fi.Mode().Perm() != 0o600 {
		t.Errorf("a new file got %o", fi.Mode().Perm())
	}
}

func TestLinksAreNeverFollowed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	root, dir := openRoot(t)
	put(t, filepath.Join(dir, "real/file"), "mine", 0o644)
	for name, to := range map[string]string{"link": "real", "flink": "real/file", "dangling": "nowhere"} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	var le *LinkError
	refused := func(what string, err error) {
		t.Helper()
		if !errors.As(err, &le) {
			t.Errorf("%s: %v, want a LinkError", what, err)
		}
	}
	_, err := OpenDir(root, "link")
	refused("open folder", err)
	_, err = OpenDir(root, "real/file")
	refused("open file as folder", err)
	_, _, err = OpenFile(root, "flink")
	refused("open", err)
	_, err = ReadFile(root, "real", 100)
	refused("read folder", err)
	refused("write", WriteIn(root, "flink", []byte("x"), 0o644))
	refused("write dangling", WriteIn(root, "dangling", []byte("x"), 0o644))
	_, err = MkdirAll(root, "link/sub", 0o755)
	refused("mkdir", err)
	_, err = Acquire(root, "flink")
	refused("lock", err)
	if err := RemoveAll(root, "link"); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(filepath.Join(dir, "real/file")); string(text) != "mine" {
		t.Errorf("behind the links: %q, %v", text, err)
	}
}

func TestRemoveAllStopsAtLinks(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	root, dir := openRoot(t)
	put(t, filepath.Join(dir, "keep/file"), "mine", 0o644)
	put(t, filepath.Join(dir, "gone/a/b/c"), "x", 0o644)
	if err := os.Symlink("../../keep", filepath.Join(dir, "gone/a/link")); err != nil {
		t.Fatal(err)
	}
	if err := RemoveAll(root, "gone"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Lstat(filepath.Join(dir, "gone")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("gone is there: %v", err)
	}
	if _, err := os.Stat(filepath.Join(dir, "keep/file")); err != nil {
		t.Error(err)
	}
	if err := RemoveAll(root, "never-was"); err != nil {
		t.Error(err)
	}
}

func TestReadFileIsBounded(t *testing.T) {
	root, dir := openRoot(t)
	put(t, filepath.Join(dir, "f"), "12345", 0o644)
	if data, err := ReadFile(root, "f", 5); string(data) != "12345" {
		t.Error(err)
	}
	var tl *TooLargeError
	if _, err := ReadFile(root, "f", 4); !errors.As(err, &tl) {
		t.Errorf("%v", err)
	}
	if _, err := ReadFile(root, "no", 4); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v", err)
	}
}

func TestMkdirAllTellsWhatItMade(t *testing.T) {
	root, dir := openRoot(t)
	put(t, filepath.Join(dir, "a/f"), "", 0o644)
	made, err := MkdirAll(root, "a/b/c", 0o755)
	if err != nil || strings.Join(made, " ") != "a/b a/b/c" {
		t.Errorf("%v, %v", made, err)
	}
	if _, err := MkdirAll(root, "a/f/x", 0o755); err == nil {
		t.Error("made a folder in a file")
	}
}

func TestLockLetsOneInAtATime(t *testing.T) {
	root, dir := openRoot(t)
	inside, most := 0, 0
	var mu sync.Mutex
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			l, err := Acquire(root, "lock")
			if err != nil {
				t.Error(err)
				return
			}
			mu.Lock()
			inside++
			most = max(most, inside)
			mu.Unlock()
			time.Sleep(time.Millisecond)
			mu.Lock()
			inside--
			mu.Unlock()
			l.Unlock(i%2 == 0) // some remove the file under the others' feet
		})
	}
	wg.Wait()
	if most != 1 {
		t.Errorf("%d were inside at once", most)
	}
	l, err := Acquire(root, "lock")
	if err != nil {
		t.Fatal(err)
	}
	l.Unlock(true)
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("left over: %v", left)
	}
}

func TestPrintableShowsOneHarmlessLine(t *testing.T) {
	for in, want := range map[string]string{
		"plain.md":       "plain.md",
		"Übergabe 夜.md":  "Übergabe 夜.md",
		"":               `""`,
		"a\nb":           `"a\nb"`,
		"\x1b[2J":        `"\x1b[2J"`,
		"\xff":           `"\xff"`,
		"a\u202eb":       `"a\u202eb"`,
		"zero\u200bwide": `"zero\u200bwide"`,
	} {
		if got := Printable(in); got != want {
			t.Errorf("Printable(%q) = %s, want %s", in, got, want)
		}
	}
}

func TestSwapRefusesAFileThatChanged(t *testing.T) {
	old := func(s string) []byte { return []byte(s) }
	for _, c := range []struct {
		name       string
		there      string // "-" = no file
		old        []byte
		wantChange bool
	}{
		{"same", "a", old("a"), false},
		{"same empty", "", old(""), false},
		{"none", "-", nil, false},
		{"appended", "ab", old("a"), true},
		{"shorter", "a", old("ab"), true},
		{"appeared", "", nil, true},
		{"gone", "-", old(""), true},
	} {
		root, dir := openRoot(t)
		if c.there != "-" {
			put(t, filepath.Join(dir, "f"), c.there, 0o644)
		}
		err := Swap(root, "f", c.old, []byte("new"), 0o644, nil)
		if got := errors.Is(err, ErrChanged); got != c.wantChange || !got && err != nil {
			t.Errorf("%s: %v, want changed %v", c.name, err, c.wantChange)
		}
		text, _ := os.ReadFile(filepath.Join(dir, "f"))
		if want := map[bool]string{false: "new", true: strings.TrimPrefix(c.there, "-")}[c.wantChange]; string(text) != want {
			t.Errorf("%s: holds %q, want %q", c.name, text, want)
		}
		if entries, _ := os.ReadDir(dir); len(entries) > 1 {
			t.Errorf("%s: left %v", c.name, entries)
		}
	}
}

func TestPrintableHidesNothing(t *testing.T) {
	for in, want := range map[string]string{
		"a b.md": "a b.md", "é": "é", "": `""`, " ": `" "`, "a ": `"a "`, " a": `" a"`, "a\x1b": `"a\x1b"`, "\xff": `"\xff"`,
		"\u3164": `"\u3164"`, "a\u2800": `"a\u2800"`, "\u202ea": `"\u202ea"`,
		strings.Repeat("é", 3000): strings.Repeat("é", 2048) + "…",
	} {
		if got := Printable(in); got != want {
			t.Errorf("%q: %s, want %s", in, got, want)
		}
	}
}

func TestErrorsNameTheFolder(t *testing.T) {
	root, dir := openRoot(t)
	_, relative := root.Open("gone")
	_, absolute := os.Open(filepath.Join(dir, "gone"))
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{relative, "in " + dir + ": openat gone: "},
		{In(dir, relative), "in " + dir + ": openat gone: "},
		{absolute, "open " + dir + "/gone: "},
		{errors.New("other"), "other"},
	} {
		got := ""
		if err := In(dir, c.err); err != nil {
			got = err.Error()
		}
		if !strings.HasPrefix(got, c.want) || strings.Count(got, "in "+dir) > 1 {
			t.Errorf("%v became %q, want %q", c.err, got, c.want)
		}
	}
}

func TestNamesKeepTheirSpelling(t *testing.T) {
	for _, c := range []struct {
		names      []string
		base, want string
	}{
		{[]string{"claude.md", "x"}, "CLAUDE.md", "claude.md"},
		{[]string{"claude.md", "CLAUDE.md"}, "CLAUDE.md", "CLAUDE.md"}, // a disk that tells them apart
		{[]string{"x"}, "CLAUDE.md", "CLAUDE.md"},
		{[]string{"Straße.MD"}, "straße.md", "Straße.MD"},
	} {
		if got := spelling(c.names, c.base); got != c.want {
			t.Errorf("%q of %q is %q, want %q", c.base, c.names, got, c.want)
		}
	}
	for _, name := range []string{"CLAUDE.md", "manifest.json", "AGENTS.MD"} {
		if o := otherCase(name); o == name || !strings.EqualFold(o, name) {
			t.Errorf("%q is the other case of %q", o, name)
		}
	}
	root, dir := openRoot(t)
	put(t, filepath.Join(dir, "sub", "claude.md"), "a", 0o600)
	put(t, filepath.Join(dir, "sub", "CLAUDE.MD"), "b", 0o600)
	if entries, _ := os.ReadDir(filepath.Join(dir, "sub")); len(entries) != 2 {
		t.Skip("this disk does not tell the cases apart")
	}
	for _, name := range []string{"sub/claude.md", "sub/CLAUDE.MD"} {
		if got, err := Spelled(root, name); err != nil || got != name {
			t.Errorf("%s is spelled %q, %v", name, got, err)
		}
	}
}
