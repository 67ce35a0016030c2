package fsx

import (
	"os"

	"golang.org/x/sys/windows"
)

const openFlags = 0

// syncDir does nothing: Windows cannot flush a folder, NTFS journals renames.
func syncDir(*os.Root, string) error { return nil }

func lockFile(f *os.File) error {
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{})
}
