//go:build unix

package lsp

import (
	"errors"
	"syscall"
)

// processAlive reports whether a process exists. One that may not be signalled
// (EPERM) does.
func processAlive(pid int) bool {
	err := syscall.Kill(pid, 0)
	return err == nil || errors.Is(err, syscall.EPERM)
}
