package lsp_test

import (
	"os"
	"os/exec"
	"testing"
)

// endedProcess returns the id of a process that has ended and been waited for.
func endedProcess(t *testing.T) int {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(exe, "-test.run=^$")
	if err := cmd.Run(); err != nil {
		t.Fatal(err)
	}
	return cmd.Process.Pid
}
