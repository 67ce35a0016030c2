package install

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// act is something a user does, on a world prepared by setup.
type act struct {
	name  string
	setup func(*world)
	run   func(*world) error
}

// done is what there is once the act is over.
func (a *act) done(t *testing.T) map[string]string {
	t.Helper()
	w := newWorld(t)
	a.setup(w)
	if err := a.run(w); err != nil {
		t.Fatal(err)
	}
	settleAll(w)
	return files(w.snapshot())
}

func acts() []act {
	prepare := func(w *world) {
		write(w.t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\r\nno final line end")
		write(w.t, filepath.Join(w.Dir, "AGENTS.md"), "")
		write(w.t, filepath.Join(w.Home, ".claude/CLAUDE.md"), "user rules\n\n")
	}
	long := map[string]string{"memory/extra.md": strings.Repeat("long\n", 1000), "deep/er/file.txt": "x"}
	installed := func(w *world) {
		prepare(w)
		w.mustInstall(w.pack("ferry", nil), Project, "claude-code", "cursor")
	}
	return []act{
		{"install", prepare, func(w *world) error {
			_, err := w.install(w.pack("ferry", long), Project, "claude-code", "codex", "cursor", "windsurf")
			return err
		}},
		{"install for the user", prepare, func(w *world) error {
			_, err := w.install(w.pack("ferry", nil), User, "claude-code", "codex", "openclaw")
			return err
		}},
		{"install beside another pack", func(w *world) {
			prepare(w)
			w.mustInstall(w.pack("other", nil), Project, "claude-code", "codex")
		}, func(w *world) error {
			_, err := w.install(w.pack("ferry", nil), Project, "claude-code")
			return err
		}},
		{"re-install with other content and agents", installed, func(w *world) error {
			_, err := w.install(w.pack("ferry", map[string]string{"agents.md": "# New\n", "memory/b.md": "b"}), Project, "codex", "claude-code")
			return err
		}},
		{"re-install over changed files", func(w *world) {
			installed(w)
			write(w.t, filepath.Join(w.Dir, ".amp/ferry/memory/mine.md"), "notes")
			edit(w, "CLAUDE.md", "## Always load", "## ALWAYS load")
		}, func(w *world) error {
			_, err := w.install(w.pack("ferry", map[string]string{"memory/b.md": "b"}), Project, "claude-code")
			return err
		}},
		{"uninstall", installed, func(w *world) error { return w.uninstall("ferry", Project) }},
		{"uninstall with changed files", func(w *world) {
			installed(w)
			write(w.t, filepath.Join(w.Dir, ".amp/ferry/agents.md"), "changed")
			write(w.t, filepath.Join(w.Dir, "CLAUDE.md"), read(w, "CLAUDE.md")+"more of mine\n")
		}, func(w *world) error { return w.uninstall("ferry", Project) }},
	}
}

func read(w *world, name string) string {
	data, err := os.ReadFile(filepath.Join(w.Dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

func edit(w *world, name, old, new string) {
	text := read(w, name)
	if !strings.Contains(text, old) {
		w.t.Fatalf("%s has no %q", name, old)
	}
	write(w.t, filepath.Join(w.Dir, name), strings.Replace(text, old, new, 1))
}

// settleAll is what any next amp command does first.
func settleAll(w *world) {
	w.t.Helper()
	for _, scope := range []Scope{Project, User} {
		if _, err := List(w.Where, scope); err != nil {
			w.t.Errorf("the next command fails: %v", err)
		}
	}
}

// TestKilledAnywhere kills each act before each change of the disk and lets the
// next command settle things. The disk must then be as before the act or as
// after it.
func TestKilledAnywhere(t *testing.T) {
	total := 0
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			after := a.done(t)
			points := 0
			for k := 1; ; k++ {
				w := newWorld(t)
				a.setup(w)
				before := files(w.snapshot())
				n := 0
				remove := fsx.SetGate(func(fsx.Op) error {
					if n++; n >= k { // dead from here on: nothing more reaches the disk
						return errSentinel
					}
					return nil
				})
				_ = a.run(w)
				remove()
				if n < k {
					break
				}
				points++
				settleAll(w)
				now := files(w.snapshot())
				if d, e := differences(before, now), differences(after, now); len(d) > 0 && len(e) > 0 {
					t.Fatalf("killed at change %d: torn\nagainst before:\n%s\nagainst after:\n%s", k, strings.Join(d, "\n"), strings.Join(e, "\n"))
				}
			}
			if points < 20 {
				t.Errorf("only %d kill points, the gate is not passed", points)
			}
			total += points
		})
	}
	t.Logf("%d kill points, 0 torn states", total)
}

// TestFailingAnywhere lets one change of the disk fail, as on a full disk. Either
// the act succeeds all the same, or everything is at once as before.
func TestFailingAnywhere(t *testing.T) {
	total := 0
	for _, a := range acts() {
		t.Run(a.name, func(t *testing.T) {
			w := newWorld(t)
			a.setup(w)
			if err := a.run(w); err != nil {
				t.Fatal(err)
			}
			after := files(w.snapshot())
			for k := 1; ; k++ {
				w := newWorld(t)
				a.setup(w)
				before := files(w.snapshot())
				n, failed := 0, fsx.Op{}
				remove := fsx.SetGate(func(op fsx.Op) error {
					if n++; n == k {
						failed = op
						return fmt.Errorf("%w: %w", errSentinel, diskErrors[k%len(diskErrors)])
					}
					return nil
				})
				err := a.run(w)
				remove()
				if n < k {
					break
				}
				total++
				switch {
				case err == nil:
					settleAll(w)
					if d := differences(after, files(w.snapshot())); len(d) > 0 {
						t.Fatalf("%v failed and was passed over, but the result is another:\n%s", failed, strings.Join(d, "\n"))
					}
				case !errors.Is(err, errSentinel):
					t.Fatalf("%v failed, the error is about something else: %v", failed, err)
				default:
					if d := differences(before, files(w.snapshot())); len(d) > 0 && !onlyLeftovers(d) {
						t.Fatalf("%v failed and was not undone:\n%s", failed, strings.Join(d, "\n"))
					}
					settleAll(w)
					if d := differences(before, files(w.snapshot())); len(d) > 0 {
						t.Fatalf("%v failed and left:\n%s", failed, strings.Join(d, "\n"))
					}
				}
			}
		})
	}
	t.Logf("%d failures, 0 not undone", total)
}

// diskErrors are those of disks that break, are full, or are read-only after trouble.
var diskErrors = []error{syscall.EIO, syscall.ENOSPC, syscall.EDQUOT, syscall.EROFS}

// TestBrokenDisks lets the disk break for good in the middle of an act: nothing can be
// written any more, and then nothing removed or renamed either. Once there is a disk
// again, the next command finds everything as before the act or as after it.
func TestBrokenDisks(t *testing.T) {
	total, step := 0, 3
	if os.Getenv("AMP_SLOW") == "1" {
		step = 1
	}
	for _, a := range acts() {
		after := a.done(t)
		for k := 1; ; k += step {
			w := newWorld(t)
			a.setup(w)
			before := files(w.snapshot())
			n, kind := 0, diskErrors[k%len(diskErrors)]
			remove := fsx.SetGate(func(op fsx.Op) error {
				if n++; n < k || errors.Is(kind, syscall.ENOSPC) && (op.Name == "remove" || op.Name == "rename" || op.Name == "sync") {
					return nil
				}
				return kind
			})
			err := a.run(w)
			remove()
			if n < k {
				break
			}
			total++
			if err != nil && !errors.Is(err, kind) {
				t.Errorf("%s, %v from change %d on: the error is about something else: %v", a.name, kind, k, err)
			}
			settleAll(w)
			now := files(w.snapshot())
			d, e := differences(before, now), differences(after, now)
			if len(e) > 0 && (len(d) > 0 || err == nil) {
				t.Fatalf("%s, %v from change %d on: torn, error %v\nagainst before:\n%s\nagainst after:\n%s", a.name, kind, k, err, strings.Join(d, "\n"), strings.Join(e, "\n"))
			}
		}
	}
	t.Logf("%d disks broken, 0 torn states", total)
}

// onlyLeftovers reports whether all differences are in the staging folder, which
// the next command clears.
func onlyLeftovers(d []string) bool {
	for _, s := range d {
		if !strings.Contains(s, txDir) {
			return false
		}
	}
	return true
}

// kill lets an act die before its k-th change of the disk and reports whether it
// got that far.
func kill(k int, run func()) bool {
	n := 0
	remove := fsx.SetGate(func(fsx.Op) error {
		if n++; n >= k {
			return errSentinel
		}
		return nil
	})
	defer remove()
	run()
	return n >= k
}

// TestKilledWhileRecovering kills acts and then also the next commands that settle
// things, until one gets through.
func TestKilledWhileRecovering(t *testing.T) {
	step := 7
	if os.Getenv("AMP_SLOW") == "1" {
		step = 1
	}
	total := 0
	for _, a := range acts() {
		after := a.done(t)
		for k := 1; ; k += step {
			w := newWorld(t)
			a.setup(w)
			before := files(w.snapshot())
			if !kill(k, func() { _ = a.run(w) }) {
				break
			}
			for m := 1; ; m++ { // each try gets one change further, on the same disk
				died := kill(m, func() {
					_, _ = List(w.Where, Project)
					_, _ = List(w.Where, User)
				})
				if !died {
					break
				}
				total++
			}
			now := files(w.snapshot())
			if d, e := differences(before, now), differences(after, now); len(d) > 0 && len(e) > 0 {
				t.Fatalf("%s, killed at change %d and while recovering: torn\nagainst before:\n%s\nagainst after:\n%s", a.name, k, strings.Join(d, "\n"), strings.Join(e, "\n"))
			}
		}
	}
	t.Logf("%d kills of recoveries, 0 torn states", total)
}

// TestEditsBetweenKillAndRecoveryAreKept has the user edit the rules file after a
// run was killed and before the next command finishes it.
func TestEditsBetweenKillAndRecoveryAreKept(t *testing.T) {
	const mine, edit = "# Mine\n", "edited meanwhile\n"
	for _, uninstalling := range []bool{false, true} {
		for k := 1; ; k++ {
			w := newWorld(t)
			write(t, filepath.Join(w.Dir, "CLAUDE.md"), mine)
			pack := w.pack("ferry", nil)
			if uninstalling {
				w.mustInstall(pack, Project, "claude-code")
			}
			if !kill(k, func() {
				if uninstalling {
					_ = w.uninstall("ferry", Project)
				} else {
					_, _ = w.install(pack, Project, "claude-code")
				}
			}) {
				break
			}
			write(t, filepath.Join(w.Dir, "CLAUDE.md"), read(w, "CLAUDE.md")+edit)
			settleAll(w)
			text := read(w, "CLAUDE.md")
			if !strings.HasPrefix(text, mine) || strings.Count(text, edit) != 1 {
				t.Fatalf("uninstall %v, killed at %d: CLAUDE.md is %q", uninstalling, k, text)
			}
			_, err := Inspect(w.Where, Project, "ferry", nil)
			if has := strings.Contains(text, "amp:begin"); has != (err == nil) {
				t.Fatalf("uninstall %v, killed at %d: block %v, pack: %v", uninstalling, k, has, err)
			}
			if err == nil {
				if err := w.uninstall("ferry", Project); err != nil {
					t.Fatal(err)
				}
			}
			if text := read(w, "CLAUDE.md"); text != mine+edit {
				t.Fatalf("uninstall %v, killed at %d: at the end CLAUDE.md is %q", uninstalling, k, text)
			}
		}
	}
}

// TestManyAtOnceOnASlowDisk installs from several goroutines while every change of
// the disk takes its time.
func TestManyAtOnceOnASlowDisk(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\n")
	before := w.snapshot()
	defer fsx.SetGate(func(fsx.Op) error {
		time.Sleep(time.Millisecond)
		return nil
	})()
	var packs []string
	for i := range 8 {
		packs = append(packs, w.pack(fmt.Sprintf("p%d", i), nil))
	}
	var g errgroup.Group
	for _, p := range packs {
		g.Go(func() error {
			_, err := w.install(p, Project, "claude-code", "cursor")
			return err
		})
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	for i := range packs {
		g.Go(func() error { return w.uninstall(fmt.Sprintf("p%d", i), Project) })
	}
	if err := g.Wait(); err != nil {
		t.Fatal(err)
	}
	w.expectUnchanged(before)
}

// TestLinesWrittenDuringAnInstallAreKept lets another program append to the rules
// file at every point at which an install or uninstall waits for the disk.
func TestLinesWrittenDuringAnInstallAreKept(t *testing.T) {
	const mine, line = "# Mine\n", "written meanwhile\n"
	exchanges := runtime.GOOS == "linux" // the temporary folder's file system included
	for _, uninstalling := range []bool{false, true} {
		w := newWorld(t)
		name := filepath.Join(w.Dir, "CLAUDE.md")
		write(t, name, mine)
		pack := w.pack("ferry", nil)
		if uninstalling {
			w.mustInstall(pack, Project, "claude-code")
		}
		written := 0
		remove := fsx.SetGate(func(op fsx.Op) error {
			if op.Name == "rename" && !exchanges || written == 20 {
				return nil // from the look to the rename nothing waits
			}
			f, err := os.OpenFile(name, os.O_APPEND|os.O_WRONLY, 0)
			if err != nil {
				return err
			}
			defer f.Close()
			written++
			_, err = f.WriteString(line)
			return err
		})
		var err error
		if uninstalling {
			err = w.uninstall("ferry", Project)
		} else {
			_, err = w.install(pack, Project, "claude-code")
		}
		remove()
		if err != nil {
			t.Fatal(err)
		}
		if text := read(w, "CLAUDE.md"); strings.Count(text, line) != written || strings.Contains(text, "amp:begin") == uninstalling {
			t.Errorf("uninstall %v: %d lines written, CLAUDE.md is\n%s", uninstalling, written, text)
		}
	}
}
