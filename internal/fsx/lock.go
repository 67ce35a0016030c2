package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Lock is an exclusive lock between processes, held until Unlock or the end of
// the process, however it ends.
type Lock struct {
	root *os.Root
	name string
	f    *os.File
}

// Acquire takes the lock file name below root and waits for other holders. It
// makes the file when needed.
//
// A holder may remove the file (Unlock with remove), so that no trace stays: an
// open file that is no longer the one at name is given up and tried again.
func Acquire(root *os.Root, name string) (*Lock, error) {
	for range 1000 {
		// An os.Root follows links that stay inside, and would create their target.
		if fi, err := root.Lstat(name); err == nil && !fi.Mode().IsRegular() {
			return nil, &LinkError{name, fi.Mode()}
		}
		if err := pass("create", name); err != nil {
			return nil, err
		}
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|openFlags, 0o600)
		if err != nil {
			return nil, err
		}
		if err := lockFile(f); err != nil {
			f.Close()
			if errors.Is(err, syscall.ENOSYS) {
				return nil, fmt.Errorf("the file system of %s has no file locks", Printable(name))
			}
			return nil, err
		}
		held, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		switch cur, err := root.Lstat(name); {
		case err == nil && os.SameFile(held, cur):
			return &Lock{root, name, f}, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			f.Close()
			return nil, err
		}
		f.Close()
	}
	return nil, fmt.Errorf("cannot take the lock %s, it is replaced all the time", Printable(name))
}

// Unlock gives the lock back and removes its file first when remove is set.
func (l *Lock) Unlock(remove bool) {
	if remove {
		// A lock file that stays is untidy but does no harm.
		_ = Remove(l.root, l.name)
	}
	l.f.Close()
}
