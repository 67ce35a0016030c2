//go:build !unix && !windows

package fsx

import (
	"io/fs"
	"os"
)

const openFlags = 0

func syncDir(*os.Root, string) error { return nil }

// tryLock does nothing where the system has no file locks.
func tryLock(*os.File) (bool, error) { return true, nil }

// keepOwner does nothing where files have no numeric owner.
func keepOwner(*os.File, fs.FileInfo) (owner, group bool) { return true, true }

// give and giveFolder do nothing where files have no numeric owner.
func give(*os.File, *os.Root, string) {}

func giveFolder(*os.Root, string) {}

// Ours is true where files have no numeric owner.
func Ours(fs.FileInfo) bool { return true }

// Names is 1 where it is not known how many names a file has.
func Names(*os.Root, string) uint64 { return 1 }

// IsCrossDevice is false where a rename to another file system is not told apart.
func IsCrossDevice(error) bool { return false }
