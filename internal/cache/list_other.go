//go:build !linux

package cache

// list: states are told on Linux alone; elsewhere content is read.
func list(string) ([]inode, bool) { return nil, false }
