package install

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/testattr"
)

// looks tells all of a file that is not its content.
func looks(t *testing.T, name string) string {
	t.Helper()
	fi, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	out := fi.Mode().String()
	for _, attr := range []string{"user.note", testattr.ACLName} {
		b := make([]byte, 1000)
		n, err := unix.Getxattr(name, attr, b)
		if err != nil {
			out += ", " + attr + ": " + err.Error()
			continue
		}
		out += ", " + attr + ": " + string(b[:n])
	}
	return out
}

func TestRulesFilesKeepModeAttributesAndACL(t *testing.T) {
	w := newWorld(t)
	rules := filepath.Join(w.Dir, "CLAUDE.md")
	write(t, rules, "# Mine\n")
	testattr.Set(t, rules, "user.note", []byte("of the user"))
	testattr.Set(t, rules, testattr.ACLName, testattr.ACL(6, 4, 0, 4, 0))
	if err := os.Chmod(rules, 0o640|fs.ModeSetgid|fs.ModeSticky); err != nil {
		t.Fatal(err)
	}
	before := looks(t, rules)
	check := func(act string, warnings []string, err error) {
		t.Helper()
		warnings = slices.DeleteFunc(warnings, func(w string) bool { return strings.HasPrefix(w, "pack is not signed") })
		if err != nil || len(warnings) > 0 || looks(t, rules) != before {
			t.Errorf("%s: %v, %q, %s, want %s", act, err, warnings, looks(t, rules), before)
		}
	}
	r, err := w.install(w.pack("ferry", nil), Project, "claude-code")
	check("install", r.Warnings, err)
	r, err = w.install(w.pack("ferry", map[string]string{"agents.md": "# New\n"}), Project, "claude-code")
	check("re-install", r.Warnings, err)
	u, err := Uninstall(w.Where, Project, "ferry", testTime)
	check("uninstall", u.Warnings, err)
	if read(w, "CLAUDE.md") != "# Mine\n" {
		t.Errorf("CLAUDE.md is %q", read(w, "CLAUDE.md"))
	}
}

// A file that amp made, and that the user then closed to others, comes back as it
// was when an uninstall fails after removing it.
func TestRemovedRulesFilesComeBackAsTheyWere(t *testing.T) {
	points := 0
	for k := 1; ; k++ {
		w := newWorld(t)
		w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
		rules := filepath.Join(w.Dir, "CLAUDE.md")
		testattr.Set(t, rules, "user.note", []byte("of the user"))
		if err := os.Chmod(rules, 0o600); err != nil {
			t.Fatal(err)
		}
		before := looks(t, rules)
		n, removed := 0, false
		remove := fsx.SetGate(func(fsx.Op) error {
			if n++; n == k {
				removed = !exists(openRootOf(t, w.Dir), "CLAUDE.md")
				return errSentinel
			}
			return nil
		})
		err := w.uninstall("ferry", Project)
		remove()
		if n < k {
			break
		}
		if err == nil {
			continue
		}
		if removed {
			points++
		}
		if looks(t, rules) != before {
			t.Fatalf("failed at change %d: %s, want %s", k, looks(t, rules), before)
		}
	}
	if points == 0 {
		t.Error("no failure came after the removal")
	}
}

func openRootOf(t *testing.T, dir string) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

// A rules file that only its owner may read stays so at every moment, and with it
// every copy, also where the folder has a default ACL that lets others in.
func TestPrivateRulesAreNeverOpenToOthers(t *testing.T) {
	const secret = "the alarm code"
	w := newWorld(t)
	rules := filepath.Join(w.Dir, "CLAUDE.md")
	write(t, rules, secret+"\n")
	if err := os.Chmod(rules, 0o600); err != nil {
		t.Fatal(err)
	}
	testattr.Set(t, w.Dir, "system.posix_acl_default", testattr.ACL(7, 7, 7, 7, 7))
	seen := 0
	defer fsx.SetGate(func(op fsx.Op) error {
		return filepath.WalkDir(w.Dir, func(p string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) {
				return nil
			}
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return nil // gone since
			}
			if d.IsDir() && p != w.Dir && fi.Mode()&0o077 == 0 {
				return fs.SkipDir // nobody else comes in here
			}
			if data, _ := os.ReadFile(p); fi.Mode().IsRegular() && strings.Contains(string(data), secret) {
				seen++
				if fi.Mode()&0o077 != 0 {
					t.Errorf("before %v, %s has mode %v", op, p, fi.Mode())
				}
			}
			return nil
		})
	})()
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	edit(w, "CLAUDE.md", "## Always load", secret)
	r := w.mustInstall(w.pack("ferry", map[string]string{"agents.md": "# New\n"}), Project, "claude-code")
	if r.Sites[0].Backup == "" || seen < 20 {
		t.Errorf("backup %q, seen %d times", r.Sites[0].Backup, seen)
	}
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
}

// The command that finishes the work of a killed one tells what that loses.
func TestAttributesLostWhenFinishingAreTold(t *testing.T) {
	told := 0
	for k := 1; ; k++ {
		w := newWorld(t)
		rules := filepath.Join(w.Dir, "CLAUDE.md")
		write(t, rules, "# Mine\n")
		testattr.Set(t, rules, "user.note", []byte("of the user"))
		before := looks(t, rules)
		if !kill(k, func() { _, _ = w.install(w.pack("ferry", nil), Project, "claude-code") }) {
			break
		}
		remove := fsx.SetGate(func(op fsx.Op) error {
			if op.Name == "setxattr" {
				return unix.EPERM
			}
			return nil
		})
		where, warnings := w.Where, 0
		where.Warn = func(string) { warnings++ }
		_, err := List(where, Project)
		remove()
		if err != nil || (looks(t, rules) != before) != (warnings > 0) {
			t.Errorf("killed at %d: %v, %d warnings, %s", k, err, warnings, looks(t, rules))
		}
		told += warnings
	}
	if told == 0 {
		t.Error("nothing was finished")
	}
}

func TestAttributesThatARulesFileLosesAreNamed(t *testing.T) {
	w := newWorld(t)
	rules := filepath.Join(w.Dir, "CLAUDE.md")
	write(t, rules, "# Mine\n")
	testattr.Set(t, rules, "user.note", []byte("of the user"))
	defer fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "setxattr" {
			return unix.EPERM
		}
		return nil
	})()
	r := w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	want := rules + ": its attribute user.note cannot be kept"
	if len(r.Warnings) != 2 || !strings.HasPrefix(r.Warnings[1], want) {
		t.Errorf("warnings %q, want %q", r.Warnings, want)
	}
	testattr.Set(t, rules, "user.note", []byte("again"))
	u, err := Uninstall(w.Where, Project, "ferry", testTime)
	if err != nil || len(u.Warnings) != 1 || !strings.HasPrefix(u.Warnings[0], want) {
		t.Errorf("%v, warnings %q, want %q", err, u.Warnings, want)
	}
}
