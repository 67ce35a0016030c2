package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Lost is told, in words that follow the name of the file, what a file loses by
// being replaced. It may be nil.
//
// Kept are owner, group and mode, setuid, setgid and sticky bits included, and on
// Linux all extended attributes, of which POSIX ACLs are one. What the system does not let us keep
// is lost, but never so that somebody may read the new file who could not read the
// old one. Trouble of the disk is an error instead.
type Lost func(what string)

func (l Lost) tell(format string, args ...any) {
	if l != nil {
		l(fmt.Sprintf(format, args...))
	}
}

// LinkedNote is what to tell of a file with several names (see Names) that is
// replaced. Done in one step, which a killed run cannot leave half done, that
// leaves the other names behind.
const LinkedNote = "it has other names (hard links); it is replaced, and they keep the old text: change them yourself"

const allModes = fs.ModePerm | fs.ModeSetuid | fs.ModeSetgid | fs.ModeSticky

// keep gives a new file, so far open to its owner alone, what the file at name has.
// Everything is written to it already: writing takes attributes away.
func (f *File) keep(root *os.Root, name string, like fs.FileInfo, lost Lost) error {
	mode := like.Mode() & allModes
	if err := pass("chmod", f.name); err != nil {
		return err
	}
	owner, group := keepOwner(f.f, like)
	if !owner {
		lost.tell("its owner cannot be kept, it belongs to you now")
		mode &^= fs.ModeSetuid
		mode &= mode>>6&7*0o11 | ^fs.FileMode(0o77) // who owned it is one of the others now
	}
	if !group {
		lost.tell("its group cannot be kept")
		mode &^= fs.ModeSetgid
	}
	common, same, err := f.keepAttrs(root, name, mode, group, lost)
	if err != nil {
		return err
	}
	if narrow := mode&^0o77 | common*0o11; !same && narrow != mode {
		lost.tell("its mode is %04o now and not %04o, so that nobody can do more with it than before", narrow.Perm(), mode.Perm())
		mode = narrow
	}
	if fi, err := f.f.Stat(); err == nil && fi.Mode()&allModes == mode {
		return nil
	}
	if err := f.f.Chmod(mode); !refused(err) {
		return err
	}
	lost.tell("its mode %04o cannot be kept", mode.Perm())
	return nil
}

// refused reports whether an error means that the system does not let us, or cannot
// do it at all, and not that the disk is in trouble.
func refused(err error) bool {
	if err == nil {
		return false
	}
	for _, e := range []error{fs.ErrPermission, errors.ErrUnsupported, syscall.EINVAL, syscall.E2BIG, syscall.ERANGE} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}
