package lsptest

import (
	"bytes"
	"os/exec"
	"sync"
	"testing"
)

// Process is a server in a process of its own.
type Process struct {
	*Client
	Cmd    *exec.Cmd
	stderr lockedBuffer
}

// Exec starts a server process and connects a client to it.
func Exec(t testing.TB, cmd *exec.Cmd) *Process {
	t.Helper()
	p := &Process{Cmd: cmd}
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = &p.stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	p.Client = newClient(t, in, out)
	ended := make(chan struct{})
	go func() {
		_ = cmd.Wait()
		p.exit <- cmd.ProcessState.ExitCode()
		close(ended)
	}()
	t.Cleanup(func() {
		p.Resume()
		_ = cmd.Process.Kill()
		<-ended
	})
	return p
}

// Stderr returns what the process has logged.
func (p *Process) Stderr() string { return p.stderr.String() }

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
