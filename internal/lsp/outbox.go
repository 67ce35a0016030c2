package lsp

import (
	"context"
	"io"
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

const (
	// outboxSoft is the amount queued, in bytes, beyond which a large message
	// waits until the client reads.
	outboxSoft = 8 << 20
	// outboxHard is the amount queued, in bytes, beyond which even a small
	// message waits. A client that leaves that much unread is stuck, and
	// memory must stay bounded.
	outboxHard = 64 << 20
	// smallFrame is the size, in bytes, up to which a message never waits
	// below outboxHard: replies made on the reader are that small.
	smallFrame = 4 << 10
)

// outbox is the queue between the handlers and the client. One goroutine writes
// from it; send appends to it. Without it one unread reply would stop the
// reader (a bounded chain from stdout back to stdin deadlocks clients that
// write before they read).
type outbox struct {
	w io.WriteCloser

	mu      sync.Mutex
	pending []byte        // frames with headers, ready to be written
	writing int           // bytes being written
	room    chan struct{} // closed and replaced when bytes have left
	err     error         // first failure; sticky
	stopped bool

	wake   chan struct{}
	failed chan struct{} // closed with err
	done   chan struct{} // closed when the writer goroutine has ended
}

func newOutbox(w io.WriteCloser) *outbox {
	o := &outbox{
		w:      w,
		room:   make(chan struct{}),
		wake:   make(chan struct{}, 1),
		failed: make(chan struct{}),
		done:   make(chan struct{}),
	}
	go o.run()
	return o
}

// send queues one message body. It fails once the output is broken or closed,
// and with ctx's error if that ends while it waits for room.
func (o *outbox) send(ctx context.Context, body []byte) error {
	o.mu.Lock()
	for o.err == nil && o.full(len(body)) {
		room := o.room
		o.mu.Unlock()
		select {
		case <-room:
		case <-o.failed:
		case <-ctx.Done():
			return ctx.Err()
		}
		o.mu.Lock()
	}
	defer o.mu.Unlock()
	if o.err != nil {
		return o.err
	}
	o.pending = append(o.pending, "Content-Length: "...)
	o.pending = strconv.AppendInt(o.pending, int64(len(body)), 10)
	o.pending = append(o.pending, "\r\n\r\n"...)
	o.pending = append(o.pending, body...)
	select {
	case o.wake <- struct{}{}:
	default:
	}
	return nil
}

// full reports whether a message of n bytes has to wait. An empty queue takes
// any message, however large.
func (o *outbox) full(n int) bool {
	queued := len(o.pending) + o.writing
	if queued == 0 {
		return false
	}
	if n <= smallFrame {
		return queued > outboxHard
	}
	return queued > outboxSoft
}

func (o *outbox) run() {
	defer close(o.done)
	var spare []byte
	for {
		o.mu.Lock()
		if o.err != nil || (o.stopped && len(o.pending) == 0) {
			o.mu.Unlock()
			return
		}
		if len(o.pending) == 0 {
			o.mu.Unlock()
			<-o.wake
			continue
		}
		batch := o.pending
		o.pending, spare = spare[:0], nil
		o.writing = len(batch)
		o.mu.Unlock()

		_, err := o.w.Write(batch)

		if cap(batch) <= keepBuffer {
			spare = batch
		}
		o.mu.Lock()
		o.writing = 0
		if err != nil {
			o.fail(err)
		}
		close(o.room)
		o.room = make(chan struct{})
		o.mu.Unlock()
	}
}

// fail records the first error. The caller holds mu.
func (o *outbox) fail(err error) {
	if o.err != nil {
		return
	}
	o.err = err
	o.pending = nil
	close(o.failed)
}

// failure returns the first error as text, for the log.
func (o *outbox) failure() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err == nil {
		return ""
	}
	return o.err.Error()
}

// flush waits until the queue is empty, the output is broken, or the timeout
// has passed.
func (o *outbox) flush(timeout time.Duration) {
	deadline := time.NewTimer(timeout)
	defer deadline.Stop()
	for {
		o.mu.Lock()
		empty := len(o.pending) == 0 && o.writing == 0
		room, err := o.room, o.err
		o.mu.Unlock()
		if empty || err != nil {
			return
		}
		select {
		case <-room:
		case <-o.failed:
			return
		case <-deadline.C:
			return
		}
	}
}

// close ends the queue. What is still unwritten is lost; call flush before.
func (o *outbox) close() {
	o.mu.Lock()
	o.stopped = true
	o.fail(jsonrpc2.ErrServerClosing)
	o.mu.Unlock()
	select {
	case o.wake <- struct{}{}:
	default:
	}
	_ = o.w.Close()
}
