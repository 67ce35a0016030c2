//go:build !linux

package fsx

import "os"

// Obstacle is "" on systems other than Linux: what is in the way shows when it is
// too late to ask, and is undone.
func Obstacle(*os.Root, string) string { return "" }
