//go:build !unix

package lsp

import (
	"os"
	"runtime"
)

// processAlive reports whether a process exists. Opening a process by id fails
// on Windows once it has ended; elsewhere nothing is known, so it counts as
// alive and the end of input decides.
func processAlive(pid int) bool {
	if runtime.GOOS != "windows" {
		return true
	}
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	_ = p.Release()
	return true
}
