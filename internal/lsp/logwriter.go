package lsp

import (
	"fmt"
	"io"
	"sync"
	"time"
)

// maxLog bounds the log that waits to be written, in bytes.
const maxLog = 256 << 10

// logWriter hands the log to a goroutine, so that nobody waits for it: a client
// that does not read standard error must not stop the server. Beyond maxLog lines
// are dropped and counted.
type logWriter struct {
	w io.Writer

	mu      sync.Mutex
	pending []byte
	dropped int
	stopped bool

	wake chan struct{}
	done chan struct{}
}

func newLogWriter(w io.Writer) *logWriter {
	l := &logWriter{w: w, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go l.run()
	return l
}

// Write queues one line. It never fails.
func (l *logWriter) Write(line []byte) (int, error) {
	l.mu.Lock()
	if len(l.pending)+len(line) > maxLog {
		l.dropped++
	} else {
		l.pending = append(l.pending, line...)
	}
	l.mu.Unlock()
	l.signal()
	return len(line), nil
}

func (l *logWriter) signal() {
	select {
	case l.wake <- struct{}{}:
	default:
	}
}

func (l *logWriter) run() {
	defer close(l.done)
	for range l.wake {
		l.mu.Lock()
		batch, dropped, stopped := l.pending, l.dropped, l.stopped
		l.pending, l.dropped = nil, 0
		l.mu.Unlock()
		if dropped > 0 {
			batch = fmt.Appendf(batch, "(%d lines were dropped: the log is not read)\n", dropped)
		}
		if len(batch) > 0 {
			_, _ = l.w.Write(batch) // there is nobody to tell
		}
		if stopped {
			return
		}
	}
}

// close writes what is left, for as long as that may take.
func (l *logWriter) close(timeout time.Duration) {
	l.mu.Lock()
	l.stopped = true
	l.mu.Unlock()
	l.signal()
	select {
	case <-l.done:
	case <-time.After(timeout):
	}
}
