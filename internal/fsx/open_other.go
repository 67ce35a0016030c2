//go:build !unix && !windows

package fsx

import "os"

const openFlags = 0

func syncDir(*os.Root, string) error { return nil }

// tryLock does nothing where the system has no file locks.
func tryLock(*os.File) (bool, error) { return true, nil }
