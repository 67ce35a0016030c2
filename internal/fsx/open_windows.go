package fsx

import (
	"errors"
	"io/fs"
	"os"

	"golang.org/x/sys/windows"
)

const openFlags = 0

// syncDir does nothing: Windows cannot flush a folder, NTFS journals renames.
func syncDir(*os.Root, string) error { return nil }

// tryLock reports whether it got the lock.
func tryLock(f *os.File) (bool, error) {
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{})
	if errors.Is(err, windows.ERROR_LOCK_VIOLATION) {
		return false, nil
	}
	return err == nil, err
}

// keepOwner does nothing where files have no numeric owner.
func keepOwner(*os.File, fs.FileInfo) (owner, group bool) { return true, true }

// give and giveFolder do nothing where files have no numeric owner.
func give(*os.File, *os.Root, string) {}

func giveFolder(*os.Root, string) {}

// Ours is true where files have no numeric owner.
func Ours(fs.FileInfo) bool { return true }

// Names is how many names (hard links) a file has, 0 when there is none.
func Names(root *os.Root, name string) uint64 {
	f, err := root.Open(name)
	if err != nil {
		return 0
	}
	defer f.Close()
	var info windows.ByHandleFileInformation
	if windows.GetFileInformationByHandle(windows.Handle(f.Fd()), &info) != nil {
		return 1
	}
	return uint64(info.NumberOfLinks)
}

// IsCrossDevice is false where a rename to another file system is not told apart.
func IsCrossDevice(error) bool { return false }
