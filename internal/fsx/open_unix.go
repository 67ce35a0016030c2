//go:build unix

package fsx

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"
)

// openFlags keeps a link from being followed and a pipe from blocking the open.
const openFlags = unix.O_NOFOLLOW | unix.O_NONBLOCK

func syncDir(root *os.Root, name string) error {
	d, err := root.Open(name)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, syscall.EINVAL) && !errors.Is(err, syscall.ENOTSUP) {
		return err
	}
	return nil
}

// tryLock reports whether it got the lock.
func tryLock(f *os.File) (bool, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) || errors.Is(err, unix.EINTR) {
		return false, nil
	}
	return err == nil, err
}

// keepOwner gives a new file the owner and group of the file that it replaces and
// reports which of them it has then. Under sudo the user's file would become root's.
// Who may not give files away replaces them by their own, as editors do.
func keepOwner(f *os.File, like fs.FileInfo) (owner, group bool) {
	want, ok := like.Sys().(*syscall.Stat_t)
	fi, err := f.Stat()
	if !ok || err != nil {
		return false, false
	}
	have, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return false, false
	}
	owner, group = have.Uid == want.Uid, have.Gid == want.Gid
	switch {
	case owner && group:
	case f.Chown(int(want.Uid), int(want.Gid)) == nil:
		owner, group = true, true
	case !group:
		group = f.Chown(-1, int(want.Gid)) == nil // which members of the group may do
	}
	return owner, group
}

// give gives a file that root has just made, by its handle, to the owner of the
// folder that it is in or goes to. Where that fails it stays root's.
func give(f *os.File, root *os.Root, dir string) {
	if os.Geteuid() != 0 {
		return
	}
	if uid, gid, ok := ownerOf(root, dir); ok {
		_ = f.Chown(uid, gid)
	}
}

// giveFolder is give for a folder. The owner of the one above it can put another
// folder of root's in its place, so only an empty one is given away.
func giveFolder(root *os.Root, name string) {
	if os.Geteuid() != 0 {
		return
	}
	uid, gid, ok := ownerOf(root, path.Dir(name))
	if !ok {
		return
	}
	f, err := openDirFile(root, name)
	if err != nil {
		return
	}
	defer f.Close()
	if fi, err := f.Stat(); err != nil || !Ours(fi) {
		return
	}
	if _, err := f.Readdirnames(1); errors.Is(err, io.EOF) {
		_ = f.Chown(uid, gid)
	}
}

// ownerOf returns owner and group of a folder, and false when it is root's.
func ownerOf(root *os.Root, dir string) (uid, gid int, ok bool) {
	fi, err := root.Lstat(dir)
	if err != nil || !fi.IsDir() {
		return 0, 0, false
	}
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok || st.Uid == 0 {
		return 0, 0, false
	}
	return int(st.Uid), int(st.Gid), true
}

func openDirFile(root *os.Root, name string) (*os.File, error) {
	d, err := OpenDir(root, name)
	if err != nil {
		return nil, err
	}
	defer d.Close()
	return d.Open(".")
}

// Ours reports whether a file belongs to the user who runs the program.
func Ours(fi fs.FileInfo) bool {
	st, ok := fi.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == os.Geteuid()
}

// Names is how many names (hard links) a file has, 0 when there is none.
func Names(root *os.Root, name string) uint64 {
	fi, err := root.Lstat(name)
	if err != nil {
		return 0
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return uint64(st.Nlink) // its type differs between systems
	}
	return 1
}

// IsCrossDevice reports whether a rename failed because it leads to another file
// system.
func IsCrossDevice(err error) bool { return errors.Is(err, unix.EXDEV) }
