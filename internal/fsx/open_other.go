//go:build !unix && !windows

package fsx

import "os"

const openFlags = 0

func syncDir(*os.Root, string) error { return nil }

// lockFile does nothing where the system has no file locks.
func lockFile(*os.File) error { return nil }
