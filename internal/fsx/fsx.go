// Package fsx changes files so that a crash, a full disk or a planted link
// cannot lose or misplace data: atomic replacement with fsync, directory
// operations below an os.Root that never follow links, and a file lock.
//
// Every operation that changes the disk goes through one gate that tests use to
// fail or "kill" the program at each of these points. The package knows nothing
// about AMP.
package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"unicode/utf8"
)

// LinkError reports a symbolic link, device or other special file where a plain
// file or folder was needed.
type LinkError struct {
	Path string
	Mode fs.FileMode
}

func (e *LinkError) Error() string {
	want := "a plain file or folder"
	switch {
	case e.Mode.IsRegular():
		want = "a folder"
	case e.Mode.IsDir():
		want = "a file"
	}
	return fmt.Sprintf("%s is %s, expected %s", Printable(e.Path), kindOf(e.Mode), want)
}

func kindOf(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&(fs.ModeDevice|fs.ModeCharDevice) != 0:
		return "a device"
	case m.IsDir():
		return "a folder"
	case m.IsRegular():
		return "a file"
	}
	return "a special file"
}

// Printable returns name unchanged when it shows as one line of visible text,
// and quoted with escapes otherwise, so that file names and manifest values of a
// stranger cannot forge lines or steer a terminal. White space at an end is quoted
// too, and what is longer than any path is cut.
func Printable(name string) string {
	cut := ""
	if len(name) > maxShown {
		n := maxShown
		for n > 0 && !utf8.RuneStart(name[n]) {
			n--
		}
		name, cut = name[:n], "…"
	}
	if name != "" && name[0] != ' ' && name[len(name)-1] != ' ' && utf8.ValidString(name) && strings.IndexFunc(name, func(r rune) bool { return !Visible(r) }) < 0 {
		return name + cut
	}
	return quote(name) + cut
}

// maxShown is the longest path of Linux, in bytes.
const maxShown = 4096

func quote(s string) string {
	s = strconv.Quote(s)
	for _, r := range blanks { // which Quote takes for letters
		s = strings.ReplaceAll(s, string(r), fmt.Sprintf(`\u%04x`, r))
	}
	return s
}

// blanks lists the letters and symbols that look like nothing: Hangul fillers,
// half and full, and the empty Braille pattern.
const blanks = "\u115f\u1160\u3164\uffa0\u2800"

// Visible reports whether a character shows in a terminal, or is a space, and does
// nothing else.
func Visible(r rune) bool { return strconv.IsPrint(r) && !strings.ContainsRune(blanks, r) }

// In names the folder that a root was opened at in an error of the system that names
// a file relative to it, or a temporary one. Other errors stay as they are.
func In(folder string, err error) error {
	name := ""
	var pe *fs.PathError
	var le *os.LinkError
	switch {
	case errors.As(err, &pe):
		name = pe.Path
	case errors.As(err, &le):
		name = le.New
	}
	if name == "" || filepath.IsAbs(name) {
		return err
	}
	if said := err.Error(); strings.Contains(said, folder+string(filepath.Separator)) || strings.Contains(said, "in "+Printable(folder)+": ") {
		return err
	}
	return fmt.Errorf("in %s: %w", Printable(folder), err)
}

// Op is one change of the disk, as the test gate sees it.
type Op struct {
	Name string // "create", "write", "sync", "rename", "link", "mkdir", "remove", "chmod", "setxattr"
	Path string
}

// gate is nil outside tests.
var gate atomic.Pointer[func(Op) error]

// SetGate installs f before every change of the disk; an error from f is
// returned instead of making the change. It returns the function that removes
// the gate. Calls of f never overlap. Tests of the packages built on fsx use it.
func SetGate(f func(Op) error) (remove func()) {
	var mu sync.Mutex
	one := func(op Op) error {
		mu.Lock()
		defer mu.Unlock()
		return f(op)
	}
	gate.Store(&one)
	return func() { gate.Store(nil) }
}

func pass(name, p string) error {
	if f := gate.Load(); f != nil {
		return (*f)(Op{name, p})
	}
	return nil
}

// OpenDir opens the folder name below root one element at a time and refuses
// every link on the way. An os.Root alone would follow links that stay inside.
// Name "." opens root itself again. The caller closes the result.
func OpenDir(root *os.Root, name string) (*os.Root, error) {
	cur, err := root.OpenRoot(".")
	if err != nil {
		return nil, err
	}
	if name == "." || name == "" {
		return cur, nil
	}
	for elem := range strings.SplitSeq(name, "/") {
		next, err := openChild(cur, elem)
		cur.Close()
		if err != nil {
			var le *LinkError
			if errors.As(err, &le) {
				le.Path = name
			}
			return nil, err
		}
		cur = next
	}
	return cur, nil
}

func openChild(dir *os.Root, elem string) (*os.Root, error) {
	before, err := dir.Lstat(elem)
	if err != nil {
		return nil, err
	}
	if !before.IsDir() {
		return nil, &LinkError{elem, before.Mode()}
	}
	next, err := dir.OpenRoot(elem)
	if err != nil {
		return nil, err
	}
	after, err := next.Stat(".")
	if err == nil && !os.SameFile(before, after) {
		err = &LinkError{elem, fs.ModeSymlink} // swapped between the two calls
	}
	if err != nil {
		next.Close()
		return nil, err
	}
	return next, nil
}

// MkdirAll makes the folder name and its parents below root, refuses links on
// the way and returns the folders it made, outermost first.
func MkdirAll(root *os.Root, name string, perm fs.FileMode) (made []string, err error) {
	if name == "." || name == "" {
		return nil, nil
	}
	prefix := ""
	for elem := range strings.SplitSeq(name, "/") {
		dir := path.Join(prefix, elem)
		fi, err := root.Lstat(dir)
		switch {
		case err == nil && !fi.IsDir():
			return made, &LinkError{dir, fi.Mode()}
		case errors.Is(err, fs.ErrNotExist):
			if err := Mkdir(root, dir, perm); errors.Is(err, fs.ErrExist) {
				break // a concurrent run was faster
			} else if err != nil {
				return made, err
			}
			made = append(made, dir)
		case err != nil:
			return made, err
		}
		prefix = dir
	}
	return made, nil
}

// Mkdir makes one folder. What root makes in a folder of somebody else, here and
// in CreateNew, WriteIn and Acquire, belongs to that one, who could not use or remove
// it otherwise: under sudo that is the user.
func Mkdir(root *os.Root, name string, perm fs.FileMode) error {
	if err := MkdirOwn(root, name, perm); err != nil {
		return err
	}
	giveFolder(root, name)
	return nil
}

// MkdirOwn is Mkdir for a folder that stays with who makes it.
func MkdirOwn(root *os.Root, name string, perm fs.FileMode) error {
	if err := pass("mkdir", name); err != nil {
		return err
	}
	return root.Mkdir(name, perm)
}

// Rename moves oldname to newname below root. Links are moved, not followed.
func Rename(root *os.Root, oldname, newname string) error {
	if err := pass("rename", newname); err != nil {
		return err
	}
	return root.Rename(oldname, newname)
}

// RenameNew is Rename that fails with fs.ErrExist where newname exists. Where the
// system has no such step, the look comes first.
func RenameNew(root *os.Root, oldname, newname string) error {
	if err := pass("rename", newname); err != nil {
		return err
	}
	err := renameNoReplace(root, oldname, newname)
	if !errors.Is(err, errors.ErrUnsupported) {
		return err
	}
	if _, err := root.Lstat(newname); err == nil {
		return &fs.PathError{Op: "rename", Path: newname, Err: fs.ErrExist}
	}
	return root.Rename(oldname, newname)
}

// Link gives the file oldname, a link or pipe too, the second name newname.
func Link(root *os.Root, oldname, newname string) error {
	if err := pass("link", newname); err != nil {
		return err
	}
	return root.Link(oldname, newname)
}

// Symlink makes a symbolic link.
func Symlink(root *os.Root, target, name string) error {
	if err := pass("link", name); err != nil {
		return err
	}
	return root.Symlink(target, name)
}

// Remove removes one file or empty folder. A missing one is no error.
func Remove(root *os.Root, name string) error {
	if err := pass("remove", name); err != nil {
		return err
	}
	if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// RemoveAll removes name and everything below it without following links. A
// missing name is no error.
func RemoveAll(root *os.Root, name string) error {
	fi, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return Remove(root, name)
	}
	dir, err := openChild(root, name)
	if err != nil {
		return err
	}
	err = removeContents(dir)
	dir.Close()
	if err != nil {
		return err
	}
	return Remove(root, name)
}

func removeContents(dir *os.Root) error {
	f, err := dir.Open(".")
	if err != nil {
		return err
	}
	names, err := f.Readdirnames(-1)
	f.Close()
	if err != nil {
		return err
	}
	for _, n := range names {
		if err := RemoveAll(dir, n); err != nil {
			return err
		}
	}
	return nil
}

// SyncDir makes the entries of a folder durable. Systems that cannot sync a
// folder report no error, there is nothing to be done about it.
func SyncDir(root *os.Root, name string) error {
	if err := pass("sync", name); err != nil {
		return err
	}
	return syncDir(root, name)
}
