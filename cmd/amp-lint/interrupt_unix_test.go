//go:build unix

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// Ctrl-C between two files of a pack must leave neither half of the fixes nor
// temporary files.
func TestARequestToStopWaitsForThePackToBeWhole(t *testing.T) {
	for _, sig := range []unix.Signal{unix.SIGINT, unix.SIGTERM, unix.SIGHUP} {
		done := false
		err := uninterrupted(func() {
			if err := unix.Kill(os.Getpid(), sig); err != nil {
				t.Fatal(err)
			}
			time.Sleep(50 * time.Millisecond) // for the system to deliver it
			done = true                       // still here: it did not end the process
		})
		var ee *exitError
		if !done || !errors.As(err, &ee) || ee.code != 128+int(sig) {
			t.Errorf("%v: done %v, %v", sig, done, err)
		}
	}
	if err := uninterrupted(func() {}); err != nil {
		t.Errorf("without a signal: %v", err)
	}
}

// The name of a file comes from whoever made the pack.
func TestNamesOfFilesSteerNoTerminal(t *testing.T) {
	evil := "a\x1b[2J\nPASS: 99 primitives valid\u202e.md"
	dir := hostilePack(t, map[string]string{"memory/" + evil: "---\ntype: cluster\napplies_to: x\nsource: self\n---\n\n[directive permanent, must, org] In a, never b.\n"})
	for _, args := range [][]string{
		{"--check", dir},
		{"--fix-suggested", "--check", dir},
		{"--format", "github", dir},
		{"--format", "concise", dir},
		{"--format", "spec", dir},
		{"--format", "azure", dir},
		{dir},
		{filepath.Join(dir, "memory", evil)},
		{filepath.Join(dir, evil)},
		{"--show-files", dir},
		{"--capabilities", dir},
		{"--config", evil, dir},
		{"--baseline", evil, dir},
		{"--output", "json=" + filepath.Join(dir, "no", evil), dir},
		{"--gate", dir},
		{"--stdin-filename", filepath.Join(dir, "no", evil), "-"},
	} {
		var out, errs strings.Builder
		run(args, strings.NewReader(""), &out, &errs)
		for _, s := range []string{out.String(), errs.String()} {
			if strings.ContainsAny(s, "\x1b\u202e") || strings.Contains(s, "\nPASS: 99") {
				t.Errorf("%.60q printed %q", args, s)
			}
		}
	}
}
