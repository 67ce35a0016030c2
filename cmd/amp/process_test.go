package main

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/amp-toolchain/amp/sign"
)

// envMain makes the test binary behave as amp, so that tests can start real
// processes of it.
const envMain = "AMP_TEST_MAIN"

func TestMain(m *testing.M) {
	if os.Getenv(envMain) == "1" {
		main()
	}
	// What is tested does not depend on the disk, and syncing one is slow.
	if dir, err := os.MkdirTemp("/dev/shm", "amp-test-"); err == nil {
		os.Setenv("TMPDIR", dir)
		code := m.Run()
		os.RemoveAll(dir)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

// slow skips tests that take long unless they are asked for.
func slow(t *testing.T) {
	t.Helper()
	if os.Getenv("AMP_SLOW") != "1" {
		t.Skip("takes long, set AMP_SLOW=1")
	}
}

// process prepares a run of amp in a folder.
func process(dir, home string, args ...string) *exec.Cmd {
	self, err := os.Executable()
	if err != nil {
		panic(err)
	}
	cmd := exec.Command(self, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), envMain+"=1", "HOME="+home, "USERPROFILE="+home, "GOMAXPROCS=2")
	return cmd
}

func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// newPack makes a pack that lints clean.
func newPack(t *testing.T, parent, name string) string {
	t.Helper()
	dir := filepath.Join(parent, name)
	if code, _, stderr := amp("new", dir); code != 0 {
		t.Fatal(stderr)
	}
	return dir
}

// contents maps the files below a folder to their bytes, without lock files.
func contents(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(p, "lock") {
			return err
		}
		data, err := os.ReadFile(p)
		rel, _ := filepath.Rel(root, p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func diffOf(a, b map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if v, ok := b[k]; !ok {
			out = append(out, "gone: "+k)
		} else if v != a[k] {
			out = append(out, fmt.Sprintf("%s: %.200q became %.200q", k, a[k], v))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[k]; !ok {
			out = append(out, "new: "+k)
		}
	}
	return strings.Join(out, "\n")
}

func TestFiftyInstallsAtOnce(t *testing.T) {
	home, project := scratch(t)
	packs := t.TempDir()
	writeFiles(t, project, map[string]string{"CLAUDE.md": "# Mine\r\nno end", ".windsurfrules": "w\n"})
	before := contents(t, project)
	agents := []string{"claude-code", "codex", "cursor", "windsurf"}
	all := func(args func(i int) []string) {
		t.Helper()
		var wg sync.WaitGroup
		errs := make([]error, 50)
		for i := range 50 {
			wg.Go(func() {
				if out, err := process(project, home, args(i)...).CombinedOutput(); err != nil {
					errs[i] = fmt.Errorf("%w: %s", err, out)
				}
			})
		}
		wg.Wait()
		if err := errors.Join(errs...); err != nil {
			t.Fatal(err)
		}
	}
	dirs := make([]string, 25)
	for i := range dirs {
		dirs[i] = newPack(t, packs, fmt.Sprintf("pack-%d", i))
	}
	all(func(i int) []string { // each pack twice, for different agents
		return []string{"install", "--from-path", dirs[i%25], "--agent", agents[i%4], "--agent", "claude-code"}
	})
	text := contents(t, project)["CLAUDE.md"]
	for i := range dirs {
		if n := strings.Count(text, fmt.Sprintf("<!-- amp:begin @local/pack-%d -->", i)); n != 1 {
			t.Errorf("pack-%d has %d blocks in CLAUDE.md", i, n)
		}
		if code, _, stderr := amp("inspect", fmt.Sprintf("pack-%d", i)); code != 0 {
			t.Errorf("pack-%d is not intact: %s", i, stderr)
		}
	}
	all(func(i int) []string { return []string{"uninstall", fmt.Sprintf("pack-%d", i%25)} })
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Errorf("not as before:\n%s", d)
	}
	if _, err := os.Stat(filepath.Join(project, ".amp")); err == nil {
		t.Error(".amp is left")
	}
}

// changing lists the system calls that change a disk.
const changing = "open,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,symlink,symlinkat,unlink,unlinkat,rmdir,write,pwrite64,writev,ftruncate,truncate,fsync,fdatasync,chmod,fchmod,fchmodat,fchown,fchownat,fsetxattr,fremovexattr,copy_file_range,sendfile"

// TestSIGKILLAtEachSystemCall kills real processes with strace.
func TestSIGKILLAtEachSystemCall(t *testing.T) {
	slow(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed, it delivers the signals")
	}
	root := t.TempDir()
	packs := filepath.Join(root, "packs")
	one := newPack(t, packs, "ferry")
	two := filepath.Join(root, "two", "ferry")
	newPack(t, filepath.Join(root, "two"), "ferry")
	writeFiles(t, two, map[string]string{"agents.md": "# Other\n\n## Always load\n- operating-principles.md — x\n", "memory/more.md": "[claim permanent] Water is wet.\n"})
	user := map[string]string{"CLAUDE.md": "# Mine\r\nno end", ".cursor/rules/mine.mdc": "x"}
	cases := []struct {
		name   string
		before [][]string
		run    []string
	}{
		{"install", nil, []string{"install", "--from-path", one, "--agent", "claude-code", "--agent", "cursor"}},
		{"re-install", [][]string{{"install", "--from-path", one, "--agent", "claude-code"}}, []string{"install", "--from-path", two, "--agent", "codex"}},
		{"uninstall", [][]string{{"install", "--from-path", one, "--agent", "claude-code", "--agent", "codex"}}, []string{"uninstall", "ferry"}},
		{"sign", [][]string{{"keygen", "--out", "k1"}, {"keygen", "--out", "k2"}, {"sign", "pack", "--key", "k1"}}, []string{"sign", "pack", "--key", "k2"}},
		{"keygen", [][]string{{"keygen", "--out", "k1"}}, []string{"keygen", "--out", "k1", "--force"}},
	}
	total := 0
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			prepare := func() (dir, home string) { return prepared(t, user, one, c.before) }
			dir, home := prepare()
			if out, err := process(dir, home, c.run...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			after := settled(t, c.name, contents(t, dir))
			points := 0
			for k := 1; ; k++ {
				dir, home := prepare()
				before := settled(t, c.name, contents(t, dir))
				cmd := process(dir, home, c.run...)
				cmd.Args = append([]string{"strace", "-f", "-qq", "-o", "/dev/null", "-e", "trace=" + changing, "-e", fmt.Sprintf("inject=%s:signal=KILL:when=%d", changing, k), cmd.Path}, c.run...)
				cmd.Path = strace
				var stderr bytes.Buffer
				cmd.Stderr = &stderr
				if err := cmd.Run(); err == nil {
					break
				} else if strings.Contains(stderr.String(), "ptrace") || strings.Contains(stderr.String(), "Operation not permitted") {
					t.Skipf("strace cannot trace here: %s", stderr.String())
				}
				points++
				if out, err := process(dir, home, "list").CombinedOutput(); err != nil {
					t.Fatalf("killed at call %d: the next command fails: %v: %s", k, err, out)
				}
				now := settled(t, c.name, contents(t, dir))
				if d, e := diffOf(before, now), diffOf(after, now); d != "" && e != "" {
					t.Fatalf("killed at call %d: torn\nagainst before:\n%s\nagainst after:\n%s", k, d, e)
				}
			}
			total += points
			t.Logf("%d kill points", points)
		})
	}
	t.Logf("%d kill points, 0 torn states", total)
}

// settled reduces what a command leaves to what must be old or new. Key pairs are
// new in each run, so for them it is whether everything fits together.
func settled(t *testing.T, name string, files map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range files {
		switch {
		case strings.HasPrefix(k, ".amp/.meta/"):
			v = strings.Join(slices.DeleteFunc(strings.Split(v, "\n"), func(l string) bool { return strings.Contains(l, "installedAt") }), "\n")
		case name == "sign" || name == "keygen":
			continue
		case strings.HasSuffix(k, "/.made"): // which folders are ours, no state
			continue
		}
		out[k] = v
	}
	switch name {
	case "sign":
		out["pack"] = packState(t, files)
		if out["pack"] == "unsigned" { // says so, and is no torn state
			out["pack"] = "holds"
		}
	case "keygen":
		out["keys"] = keyState(files)
	}
	return out
}

// packState tells whether the signature in the pack's files holds.
func packState(t *testing.T, files map[string]string) string {
	dir := t.TempDir()
	for k, v := range files {
		if rest, ok := strings.CutPrefix(k, "pack/"); ok {
			writeFiles(t, dir, map[string]string{rest: v})
		}
	}
	p, err := sign.Open(dir)
	if err != nil {
		return err.Error()
	}
	defer p.Close()
	if err := p.Hash(); err != nil {
		return err.Error()
	}
	if !p.Signed() {
		return "unsigned"
	}
	key, err := p.Embedded()
	if err != nil {
		return err.Error()
	}
	if m, err := p.Verify(key); err != nil || m == nil {
		return "the signature does not hold"
	}
	return "holds"
}

// keyState tells whether a private key is there and the public one, if there is
// one, belongs to it.
func keyState(files map[string]string) string {
	key, err := sign.ParsePrivate([]byte(files["k1"]))
	if err != nil {
		return err.Error()
	}
	if text, ok := files["k1.pub"]; ok {
		if pub, err := sign.ParsePublic([]byte(text)); err != nil || !pub.Equal(key.Public()) {
			return "the public key does not belong to the private one"
		}
	}
	return "fits"
}

// mounted gives the test a small file system of its own.
func mounted(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("mounting is not permitted here: %s", bytes.TrimSpace(out))
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %s", out)
		}
	})
	return dir
}

func TestFullDiskChangesNothing(t *testing.T) {
	home, _ := scratch(t)
	packs := t.TempDir()
	pack := newPack(t, packs, "ferry")
	big := newPack(t, filepath.Join(packs, "big"), "ferry")
	writeFiles(t, big, map[string]string{"memory/big.md": strings.Repeat("x", 700<<10)})
	project := mounted(t, "size=1m")
	writeFiles(t, project, map[string]string{"CLAUDE.md": "# Mine\n"})
	if out, err := process(project, home, "install", "--from-path", pack, "--agent", "claude-code").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	before := contents(t, project)
	writeFiles(t, project, map[string]string{"ballast": strings.Repeat("x", 400<<10)})
	out, err := process(project, home, "install", "--from-path", big, "--agent", "claude-code").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "no space left") {
		t.Errorf("%v: %s", err, out)
	}
	os.Remove(filepath.Join(project, "ballast"))
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Errorf("the refused install changed:\n%s", d)
	}
	// Fill the disk to the last byte: uninstall must work all the same or change
	// nothing, and must work once there is room.
	fill, err := os.Create(filepath.Join(project, "ballast"))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = fill.Write(make([]byte, 4096))
	}
	fill.Close()
	if err := process(project, home, "uninstall", "ferry").Run(); err != nil {
		os.Remove(filepath.Join(project, "ballast"))
		if d := diffOf(before, contents(t, project)); d != "" {
			t.Errorf("the refused uninstall changed:\n%s", d)
		}
		if out, err := process(project, home, "uninstall", "ferry").CombinedOutput(); err != nil {
			t.Errorf("%v: %s", err, out)
		}
	}
	os.Remove(filepath.Join(project, "ballast"))
	if d := diffOf(map[string]string{"CLAUDE.md": "# Mine\n"}, contents(t, project)); d != "" {
		t.Errorf("after uninstall:\n%s", d)
	}
}

func TestReadOnlyDiskIsOneClearError(t *testing.T) {
	home, _ := scratch(t)
	pack := newPack(t, t.TempDir(), "ferry")
	project := mounted(t, "size=1m")
	writeFiles(t, project, map[string]string{"CLAUDE.md": "# Mine\n"})
	if out, err := process(project, home, "install", "--from-path", pack).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if out, err := exec.Command("mount", "-o", "remount,ro", project).CombinedOutput(); err != nil {
		t.Skipf("remounting is not permitted here: %s", out)
	}
	before := contents(t, project)
	for _, args := range [][]string{{"install", "--from-path", pack}, {"uninstall", "ferry"}} {
		cmd := process(project, home, args...)
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		err := cmd.Run()
		if err == nil || strings.Count(stderr.String(), "\n") != 1 || !strings.Contains(stderr.String(), "read-only") {
			t.Errorf("%v: %v: %q", args, err, stderr.String())
		}
	}
	for _, args := range [][]string{{"inspect", "ferry"}, {"list"}, {"verify", ".amp/ferry"}} {
		if out, err := process(project, home, args...).CombinedOutput(); err != nil && args[0] != "verify" {
			t.Errorf("%v needs to write: %v: %s", args, err, out)
		}
	}
	if d := diffOf(before, contents(t, project)); d != "" {
		t.Errorf("changed:\n%s", d)
	}
}

// prepared is a folder with what a user has and a copy of a pack, and a home, after
// some commands.
func prepared(t *testing.T, user map[string]string, pack string, before [][]string) (dir, home string) {
	t.Helper()
	dir, home = t.TempDir(), t.TempDir()
	writeFiles(t, dir, user)
	if err := os.CopyFS(filepath.Join(dir, "pack"), os.DirFS(pack)); err != nil {
		t.Fatal(err)
	}
	for _, args := range before {
		if out, err := process(dir, home, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %v: %s", args, err, out)
		}
	}
	return dir, home
}
