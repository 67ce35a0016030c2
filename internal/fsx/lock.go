package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"time"
)

// Lock is an exclusive lock between processes, held until Unlock or the end of
// the process, however it ends.
type Lock struct {
	root *os.Root
	name string
	f    *os.File
}

// LockTimeout is how long Acquire waits for other holders.
const LockTimeout = 2 * time.Minute

// Acquire takes the lock file name below root and waits for other holders, at
// most LockTimeout. It makes the file when needed.
//
// A holder may remove the file (Unlock with remove), so that no trace stays: an
// open file that is no longer the one at name is given up and tried again.
func Acquire(root *os.Root, name string) (*Lock, error) {
	deadline := time.Now().Add(LockTimeout)
	pause := time.Millisecond
	for {
		// An os.Root follows links that stay inside, and would create their target.
		if fi, err := root.Lstat(name); err == nil && !fi.Mode().IsRegular() {
			return nil, &LinkError{name, fi.Mode()}
		}
		if err := pass("create", name); err != nil {
			return nil, err
		}
		f, err := root.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL|openFlags, 0o600)
		if err == nil {
			give(f, root, path.Dir(name))
		} else if errors.Is(err, fs.ErrExist) {
			f, err = root.OpenFile(name, os.O_RDWR|openFlags, 0)
			if errors.Is(err, fs.ErrNotExist) {
				continue // its holder has just removed it
			}
		}
		if err != nil {
			return nil, err
		}
		got, err := waitLock(f, deadline, &pause)
		if err != nil {
			err = &fs.PathError{Op: "lock", Path: name, Err: err}
		}
		if err == nil && !got {
			err = fmt.Errorf("another process holds %s for more than %v", Printable(name), LockTimeout)
		}
		if err != nil {
			f.Close()
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
}

// waitLock tries until it has the lock or the deadline passes. Asking again and
// again, instead of waiting in the kernel, is what can time out everywhere.
func waitLock(f *os.File, deadline time.Time, pause *time.Duration) (bool, error) {
	for {
		got, err := tryLock(f)
		if got || err != nil {
			return got, err
		}
		if time.Now().After(deadline) {
			return false, nil
		}
		time.Sleep(*pause)
		*pause = min(2**pause, 50*time.Millisecond)
	}
}

// Unlock gives the lock back and removes its file first when remove is set.
func (l *Lock) Unlock(remove bool) {
	if remove {
		// A lock file that stays is untidy but does no harm.
		_ = Remove(l.root, l.name)
	}
	l.f.Close()
}

// Moved says that the folder with the lock has another name now.
func (l *Lock) Moved(name string) { l.name = name }

// Unheld reports whether the lock file name below root is there and nobody holds it.
func Unheld(root *os.Root, name string) bool {
	f, _, err := openPlain(root, name, os.O_RDWR)
	if err != nil {
		return false
	}
	defer f.Close()
	got, err := tryLock(f)
	return got && err == nil
}
