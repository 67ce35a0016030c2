package fsx

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/amp-toolchain/amp/internal/testattr"
)

func modeOf(t *testing.T, name string) fs.FileMode {
	t.Helper()
	fi, err := os.Lstat(name)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Mode() & allModes
}

// ways are all ways to replace the file f, which holds "old".
var ways = map[string]func(*os.Root, Lost) error{
	"WriteIn":  func(r *os.Root, _ Lost) error { return WriteIn(r, "f", []byte("new"), 0o644) },
	"WriteVia": func(r *os.Root, l Lost) error { return WriteVia(r, "f", "tmp", []byte("new"), 0o644, l) },
	"Swap":     func(r *os.Root, l Lost) error { return Swap(r, "f", []byte("old"), []byte("new"), 0o644, l) },
	"Stage": func(r *os.Root, _ Lost) error {
		s, err := Stage(r, "f", []byte("new"), 0o644)
		if err != nil {
			return err
		}
		return s.Commit()
	},
}

func TestReplacingKeepsModeAttributesAndACL(t *testing.T) {
	for name, way := range ways {
		root, dir := openRoot(t)
		f := filepath.Join(dir, "f")
		put(t, f, "old", 0o600)
		put(t, filepath.Join(dir, "tmp", "x"), "", 0o600)
		list := testattr.ACL(7, 6, 0, 6, 1)
		testattr.Set(t, f, "user.note", []byte("of the user"))
		testattr.Set(t, f, aclName, list)
		if err := os.Chmod(f, 0o761|fs.ModeSetuid|fs.ModeSetgid|fs.ModeSticky); err != nil {
			t.Fatal(err)
		}
		want := modeOf(t, f)
		if want&(fs.ModeSetuid|fs.ModeSticky) == 0 {
			t.Fatalf("the set-up has mode %v", want)
		}
		if err := way(root, func(what string) { t.Errorf("%s: lost: %s", name, what) }); err != nil {
			t.Fatal(err)
		}
		if text, _ := os.ReadFile(f); string(text) != "new" || modeOf(t, f) != want || testattr.Get(f, "user.note") != "of the user" || testattr.Get(f, aclName) != string(list) {
			t.Errorf("%s: %q, mode %v, want %v, %q, %x", name, text, modeOf(t, f), want, testattr.Get(f, "user.note"), testattr.Get(f, aclName))
		}
	}
}

// A folder's default ACL lets somebody in who could not read the old file.
func TestReplacingTakesNoACLFromTheFolder(t *testing.T) {
	for name, way := range ways {
		root, dir := openRoot(t)
		f := filepath.Join(dir, "f")
		put(t, f, "old", 0o640)
		put(t, filepath.Join(dir, "tmp", "x"), "", 0o600)
		for _, d := range []string{dir, filepath.Join(dir, "tmp")} {
			testattr.Set(t, d, "system.posix_acl_default", testattr.ACL(7, 7, 7, 7, 7))
		}
		if err := way(root, nil); err != nil {
			t.Fatal(err)
		}
		if got := testattr.Get(f, aclName); got != unix.ENODATA.Error() || modeOf(t, f) != 0o640 {
			t.Errorf("%s: mode %v, ACL %x", name, modeOf(t, f), got)
		}
	}
}

func TestNewContentIsNeverOpenToOthers(t *testing.T) {
	for name, way := range ways {
		root, dir := openRoot(t)
		put(t, filepath.Join(dir, "f"), "old", 0o600)
		put(t, filepath.Join(dir, "tmp", "x"), "", 0o600)
		for _, d := range []string{dir, filepath.Join(dir, "tmp")} {
			testattr.Set(t, d, "system.posix_acl_default", testattr.ACL(7, 7, 7, 7, 7))
		}
		looks := 0
		remove := SetGate(func(op Op) error {
			return filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
				if err == nil && d.Type().IsRegular() {
					looks++
					if m := modeOf(t, p); m&0o77 != 0 {
						t.Errorf("%s: before %v, %s has mode %v", name, op, p, m)
					}
				}
				return err
			})
		})
		err := way(root, nil)
		remove()
		if err != nil || looks < 10 {
			t.Errorf("%s: %d looks, %v", name, looks, err)
		}
	}
}

// What the system refuses is told and does not keep the file from being replaced,
// but never opens it to more people than before.
func TestAttributesThatAreRefusedAreTold(t *testing.T) {
	for _, c := range []struct {
		name string
		acl  []byte
		err  error
		want fs.FileMode
		told []string
	}{
		{"no ACL", nil, unix.EPERM, 0o644, []string{"user.note cannot be kept"}},
		// The mode of the old file shows the mask, 6, where the group has nothing.
		{"group has less than the mask", testattr.ACL(6, 6, 0, 6, 4), unix.ENOTSUP, 0o600, []string{"user.note", "posix_acl_access cannot be kept", "mode is 0600 now and not 0664"}},
		{"a user has less than all others", testattr.ACL(6, 0, 4, 4, 4), unix.EPERM, 0o600, []string{"posix_acl_access", "mode is 0600"}},
		{"all may read", testattr.ACL(6, 6, 4, 6, 4), unix.E2BIG, 0o644, []string{"posix_acl_access", "mode is 0644 now and not 0664"}},
		{"the disk fails", testattr.ACL(6, 6, 4, 6, 4), unix.EIO, 0o664, nil},
		{"the disk is full", nil, unix.ENOSPC, 0o644, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			root, dir := openRoot(t)
			f := filepath.Join(dir, "f")
			put(t, f, "old", 0o644)
			testattr.Set(t, f, "user.note", []byte("x"))
			if c.acl != nil {
				testattr.Set(t, f, aclName, c.acl)
			}
			defer SetGate(func(op Op) error {
				if op.Name == "setxattr" {
					return c.err
				}
				return nil
			})()
			var told []string
			err := Swap(root, "f", []byte("old"), []byte("new"), 0o644, func(what string) { told = append(told, what) })
			text, _ := os.ReadFile(f)
			if c.told == nil {
				if !errors.Is(err, c.err) || string(text) != "old" || modeOf(t, f) != c.want {
					t.Errorf("%v, %q, mode %v", err, text, modeOf(t, f))
				}
				return
			}
			if err != nil || string(text) != "new" || modeOf(t, f) != c.want {
				t.Errorf("%v, %q, mode %v, want %v", err, text, modeOf(t, f), c.want)
			}
			for _, part := range c.told {
				if !strings.Contains(strings.Join(told, "\n"), part) {
					t.Errorf("told %q, want %q", told, part)
				}
			}
		})
	}
}

// Who replaces somebody else's file becomes its owner. His group must not read what
// it could not, and nothing runs under his name that ran under another.
func TestReplacingAFileOfSomebodyElse(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as two users")
	}
	const uid, gid = 4321, 4322
	for _, c := range []struct {
		owner, group int
		mode, want   fs.FileMode
	}{
		{1234, 1235, 0o640, 0o600},
		{1234, 1235, 0o604, 0o600},
		{1234, 1235, 0o664, 0o644},
		{1234, 1235, 0o755 | fs.ModeSetuid | fs.ModeSetgid, 0o755},
		{1234, gid, 0o664, 0o664},
		{1234, gid, 0o466, 0o444},
		{1234, gid, 0o775 | fs.ModeSetuid, 0o775},
	} {
		root, dir := openRoot(t)
		f := filepath.Join(dir, "f")
		put(t, f, "old", 0o600)
		for _, err := range []error{os.Chown(f, c.owner, c.group), os.Chmod(f, c.mode), os.Chown(dir, uid, gid)} {
			if err != nil {
				t.Fatal(err)
			}
		}
		var told []string
		asUser(t, uid, gid, func() {
			// The text was read with other rights than these, if they do not do.
			if err := WriteVia(root, "f", ".", []byte("new"), 0o644, func(what string) { told = append(told, what) }); err != nil {
				t.Error(err)
			}
		})
		all := strings.Join(told, "\n")
		if got := modeOf(t, f); got != c.want || !strings.Contains(all, "its owner cannot be kept") || strings.Contains(all, "its group") != (c.group != gid) {
			t.Errorf("%v of %d:%d became %v, want %v; told %q", c.mode, c.owner, c.group, got, c.want, told)
		}
	}
}

// asUser runs f with the rights of another user.
func asUser(t *testing.T, uid, gid int, f func()) {
	t.Helper()
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // for good: the thread ends with the goroutine
		err := unix.Setfsgid(gid)
		if err == nil {
			err = unix.Setfsuid(uid)
		}
		if err == nil {
			f()
		}
		done <- err
	}()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
}

// Another program appends to a file at the last moment, after the last look.
func TestTextWrittenAtTheLastMomentIsNotLost(t *testing.T) {
	root, dir := openRoot(t)
	f := filepath.Join(dir, "f")
	put(t, f, "old", 0o600)
	late := func() error {
		w, err := os.OpenFile(f, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		defer w.Close()
		_, err = w.WriteString(", late")
		return err
	}
	remove := SetGate(func(op Op) error {
		if op.Name == "rename" {
			return late()
		}
		return nil
	})
	err := Swap(root, "f", []byte("old"), []byte("new"), 0o644, nil)
	remove()
	text, _ := os.ReadFile(f)
	if !errors.Is(err, ErrChanged) || string(text) != "old, late" {
		t.Errorf("%v, the file holds %q", err, text)
	}
	remove = SetGate(func(op Op) error {
		if op.Name == "rename" {
			return os.WriteFile(filepath.Join(dir, "g"), []byte("theirs"), 0o600)
		}
		return nil
	})
	err = Swap(root, "g", nil, []byte("new"), 0o644, nil)
	remove()
	if text, _ := os.ReadFile(filepath.Join(dir, "g")); !errors.Is(err, ErrChanged) || string(text) != "theirs" {
		t.Errorf("%v, the new file holds %q", err, text)
	}
	if names, _ := os.ReadDir(dir); len(names) != 2 {
		t.Errorf("left: %v", names)
	}
}

func TestASecretTakesNothingFromTheFileBefore(t *testing.T) {
	root, dir := openRoot(t)
	f := filepath.Join(dir, "f")
	put(t, f, "old", 0o644)
	testattr.Set(t, f, aclName, testattr.ACL(6, 4, 4, 4, 4))
	if err := WriteSecret(root, "f", []byte("new")); err != nil {
		t.Fatal(err)
	}
	if modeOf(t, f) != 0o600 || testattr.Get(f, aclName) != unix.ENODATA.Error() {
		t.Errorf("mode %v, ACL %x", modeOf(t, f), testattr.Get(f, aclName))
	}
	if err := os.Symlink("f", filepath.Join(dir, "l")); err != nil {
		t.Fatal(err)
	}
	var le *LinkError
	if err := WriteSecret(root, "l", nil); !errors.As(err, &le) {
		t.Errorf("a link was replaced: %v", err)
	}
}
