package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// A lockedBuffer is written by the watcher while the test reads it.
type lockedBuffer struct {
	mu  sync.Mutex
	buf bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.buf.String()
}

func TestWatchLintsAgainAfterAChange(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p", "agents.md"), []byte("# A\n\n## Always load\n- operating-principles.md — all\n"))
	file := filepath.Join(dir, "p", "memory", "operating-principles.md")
	write(t, file, []byte("---\ntype: cluster\napplies_to: x\nsource: self\n---\n\n[claim] The desk is wide.\n"))
	var out, errs lockedBuffer
	cmd := newCommand(streams{strings.NewReader(""), &out, &errs})
	cmd.SetArgs([]string{"--watch", "--no-config", "--format", "concise", dir})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	wait := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(60 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: waited in vain\n%s%s", what, out.String(), errs.String())
			}
		}
	}
	runs := func() int { return strings.Count(errs.String(), "watching") }
	wait("the first run", func() bool { return runs() >= 1 })
	if strings.Contains(out.String(), "goal-pattern") {
		t.Fatal(out.String())
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString("\n[goal should] Win.\n"); err != nil {
		t.Fatal(err)
	}
	f.Close()
	wait("a changed file", func() bool { return strings.Contains(out.String(), "goal-pattern") })
	// A new pack in a new folder is seen, too.
	n := runs()
	write(t, filepath.Join(dir, "q", "agents.md"), []byte("# A\n"))
	wait("a new folder", func() bool { return runs() > n })
	write(t, filepath.Join(dir, "q", "memory", "operating-principles.md"), []byte("[goal should] Lose.\n"))
	wait("a new pack", func() bool { return strings.Contains(out.String(), "q/memory/operating-principles.md") })
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
}

// A generator removes the folder and writes it anew; a checkout does.
func TestWatchGoesOnWhenThePackIsMadeAnew(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "deep", "p")
	fill := func(text string) {
		write(t, filepath.Join(dir, "agents.md"), []byte("# A\n\n## Always load\n- operating-principles.md — all\n"))
		write(t, filepath.Join(dir, "memory", "operating-principles.md"), []byte("---\ntype: cluster\napplies_to: x\nsource: self\n---\n\n"+text))
	}
	fill("[claim] The desk is wide.\n")
	var out, errs lockedBuffer
	cmd := newCommand(streams{strings.NewReader(""), &out, &errs})
	cmd.SetArgs([]string{"--watch", "--no-config", "--format", "concise", dir})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- cmd.ExecuteContext(ctx) }()
	wait := func(what string, ok func() bool) {
		t.Helper()
		for deadline := time.Now().Add(60 * time.Second); !ok(); time.Sleep(20 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s: waited in vain\n%s%s", what, out.String(), errs.String())
			}
		}
	}
	runs := func() int { return strings.Count(errs.String(), "watching") }
	wait("the first run", func() bool { return runs() >= 1 })
	for i, above := range []string{dir, filepath.Dir(dir)} {
		if err := os.RemoveAll(above); err != nil {
			t.Fatal(err)
		}
		wait("the removed folder", func() bool { return strings.Count(errs.String(), "no such file") > i })
		n := runs()
		fill("[goal should] Win.\n")
		wait("the new folder", func() bool { return runs() > n })
		was := strings.Count(out.String(), "claim-pattern")
		write(t, filepath.Join(dir, "memory", "operating-principles.md"), []byte("[claim] Never.\n"))
		wait("a change in the new folder", func() bool { return strings.Count(out.String(), "claim-pattern") > was })
	}
	n := runs()
	write(t, filepath.Join(top, "deep", "other.txt"), []byte("x"))
	time.Sleep(3 * settleTime)
	if runs() != n {
		t.Error("a file beside the pack made it run")
	}
	cancel()
	select {
	case err := <-done:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(30 * time.Second):
		t.Error("it does not end")
	}
}
