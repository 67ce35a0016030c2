package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// failing lists the system calls that let each of the errors of a disk through.
var failing = []string{
	"openat", "mkdirat", "renameat", "renameat2", "linkat", "unlinkat", "write", "pwrite64", "fsync", "fdatasync", "ftruncate",
	"fchmod", "fchmodat", "fchown", "fchownat", "fsetxattr", "fremovexattr", "flock", "close", "copy_file_range",
}

// diskErrors are the errors of disks that break, are full, or are mounted read-only
// after trouble, with their words.
var diskErrors = [][2]string{
	{"EIO", "input/output error"},
	{"ENOSPC", "no space left on device"},
	{"EDQUOT", "disk quota exceeded"},
	{"EROFS", "read-only file system"},
}

// TestEachErrorOfTheDiskAtEachSystemCall lets one system call of a real process fail.
// The command then either does its work all the same or fails with words that name
// the error and the file; what is on the disk is as before or as after it, and the
// command succeeds when it is given again.
func TestEachErrorOfTheDiskAtEachSystemCall(t *testing.T) {
	slow(t)
	strace, err := exec.LookPath("strace")
	if err != nil {
		t.Skip("strace is not installed, it makes the calls fail")
	}
	root := t.TempDir()
	one := newPack(t, filepath.Join(root, "one"), "ferry")
	two := newPack(t, filepath.Join(root, "two"), "ferry")
	writeFiles(t, two, map[string]string{"agents.md": "# Other\n\n## Always load\n- operating-principles.md — x\n", "memory/more.md": "[claim permanent] Water is wet.\n"})
	install := func(pack string, agents ...string) []string {
		args := []string{"install", "--from-path", pack}
		for _, a := range agents {
			args = append(args, "--agent", a)
		}
		return args
	}
	unpack := []string{"unpack", "./pack", "--yes"}
	total, undone, torn := 0, 0, 0
	for _, c := range []struct {
		name   string
		before [][]string
		run    []string
	}{
		{"install", nil, install(one, "claude-code", "cursor")},
		{"re-install", [][]string{install(one, "claude-code")}, install(two, "codex")},
		{"uninstall", [][]string{install(one, "claude-code", "codex")}, []string{"uninstall", "ferry"}},
		{"sign", [][]string{{"keygen", "--out", "k1"}, {"keygen", "--out", "k2"}, {"sign", "pack", "--key", "k1"}}, []string{"sign", "pack", "--key", "k2"}},
		{"keygen", [][]string{{"keygen", "--out", "k1"}}, []string{"keygen", "--out", "k1", "--force"}},
		{"unpack", nil, unpack},
		{"unpack --remove", [][]string{unpack}, append([]string{"unpack", "--remove"}, unpack[1:]...)},
	} {
		t.Run(c.name, func(t *testing.T) {
			user := map[string]string{"CLAUDE.md": "# Mine\r\nno end", ".cursor/rules/mine.mdc": "x", "knowledge-base/wiki/index.md": "# Mine\n"}
			prepare := func() (dir, home string) { return prepared(t, user, one, c.before) }
			look := func(dir string) map[string]string { return withoutLeftovers(settled(t, c.name, contents(t, dir))) }
			dir, home := prepare()
			if out, err := process(dir, home, c.run...).CombinedOutput(); err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			after := look(dir)
			points := 0
			for _, call := range failing {
				for k := 1; ; k++ {
					kind := diskErrors[(k+len(call))%len(diskErrors)]
					dir, home := prepare()
					before := look(dir)
					what := fmt.Sprintf("%s %d fails with %s", call, k, kind[0])
					log := filepath.Join(home, "strace.log")
					cmd := process(dir, home, c.run...)
					cmd.Args = append([]string{"strace", "-f", "-qq", "-o", log, "-e", "trace=" + call, "-e", fmt.Sprintf("inject=%s:error=%s:when=%d", call, kind[0], k), cmd.Path}, c.run...)
					cmd.Path = strace
					var stdout, stderr bytes.Buffer
					cmd.Stdout, cmd.Stderr = &stdout, &stderr
					err := cmd.Run()
					trace, rerr := os.ReadFile(log)
					if rerr != nil {
						t.Skipf("strace cannot trace here: %s", stderr.String())
					}
					hit := injected(string(trace))
					if hit == "" {
						break
					}
					points++
					words := stderr.String()
					if c.name != "sign" {
						words += stdout.String() // where unpack shows what happens to each page
					}
					if strings.Contains(words, "the next amp command will try again") { // two calls failed, in two threads
						if out, err := process(dir, home, "list").CombinedOutput(); err != nil {
							t.Errorf("%s, and the next command too: %v: %s\n%s", what, err, out, hit)
						}
					}
					now := look(dir)
					old, done := diffOf(before, now), diffOf(after, now)
					switch {
					case strings.Contains(words, "error while loading shared libraries") || strings.Contains(hit, "write(2,"):
						// It did not start, or could not say anything.
					case strings.Contains(words, "fatal error: runtime") || strings.Contains(words, "runtime: epoll"):
						// The call was one of the runtime's own; this is like a kill.
					case err == nil && done != "" && !atomicAgain(c.name):
						torn++
						t.Errorf("%s and was passed over, but the result is another\n%s\n%s\n%s", what, done, hit, words)
					case err != nil && !strings.Contains(words, kind[1]):
						t.Errorf("%s and the words do not say so: %s\n%s", what, words, hit)
					case err != nil && !says(words, "/", ".md", "manifest.json", "in pack: ", "in .: ", "k1", "k2", "signing.pub", "open .: "):
						t.Errorf("%s and the words do not say where: %s\n%s", what, words, hit)
					case err != nil && old != "" && done != "" && !atomicAgain(c.name):
						torn++
						t.Errorf("%s, torn\nagainst before:\n%s\nagainst after:\n%s\n%s\n%s", what, old, done, words, hit)
					case err != nil && old == "":
						undone++
					}
					again := c.run
					if done == "" && c.name == "uninstall" {
						again = []string{"list"}
					}
					if out, err := process(dir, home, again...).CombinedOutput(); err != nil {
						t.Errorf("%s, and the command given again too: %v: %s\n%s", what, err, out, hit)
					} else if d := diffOf(after, look(dir)); d != "" {
						t.Errorf("%s, and the command given again ends elsewhere:\n%s\n%s", what, d, hit)
					}
					os.RemoveAll(dir)
					os.RemoveAll(home)
				}
			}
			total += points
			t.Logf("%d failed calls", points)
		})
	}
	t.Logf("%d failed calls, %d undone at once, %d torn states", total, undone, torn)
}

// atomicAgain reports whether a command is not one change but several, each whole by
// itself, which it goes on with when it is given again.
func atomicAgain(name string) bool { return strings.HasPrefix(name, "unpack") }

func says(words string, parts ...string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return strings.Contains(words, p) })
}

// injected returns the lines of a trace with a call that was made to fail.
func injected(trace string) string {
	var out []string
	for line := range strings.Lines(trace) {
		if strings.Contains(line, "(INJECTED)") {
			out = append(out, line)
		}
	}
	return strings.Join(out, "")
}

// withoutLeftovers leaves out what a run may leave for the next one to remove, and
// the key pairs whose names differ.
func withoutLeftovers(files map[string]string) map[string]string {
	for k := range files {
		if strings.Contains(k, ".amp/.tx/") || strings.HasSuffix(k, ".amp/.made") || strings.Contains(k, ".amp-tmp-") || strings.Contains(k, ".amp-sign/") {
			delete(files, k)
		}
	}
	return files
}
