package lsp

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"go.lsp.dev/jsonrpc2"
)

const (
	// maxHeaderLine bounds one header line, in bytes.
	maxHeaderLine = 4 << 10
	// maxHeaderLines bounds the fields of one header block.
	maxHeaderLines = 64
	// maxBody bounds the body of one message, in bytes. Larger bodies are
	// skipped in step, so the messages after them are still understood.
	maxBody = 64 << 20
	// keepBuffer is the read buffer kept between messages, in bytes: one large
	// didOpen must not pin its size for the whole session.
	keepBuffer = 256 << 10
	// drainGrace bounds how long the end of input waits for calls in flight.
	drainGrace = 2 * time.Second
)

// errFraming means that the position of the next message is unknown, so the
// connection cannot go on.
var errFraming = errors.New("malformed message header")

// Stream is a [jsonrpc2.Stream] for stdio that survives hostile input: it
// answers a body that is not JSON with -32700 and one that is no JSON-RPC
// message with -32600 (both with a null id, as JSON-RPC 2.0 section 5 asks),
// skips bodies over the limit, and allocates as bytes arrive, never as a header
// claims. Only a broken header ends it, since the next message cannot be found.
//
// Writes are queued and sent by one goroutine (see outbox), so a client that
// has stopped reading does not stop the server from reading.
type Stream struct {
	in  *bufio.Reader
	src io.Closer
	out *outbox
	log func(format string, args ...any)

	buf  []byte
	owed ledger

	once   sync.Once
	ended  chan struct{} // closed when the input has ended
	endErr error         // set before ended is closed
}

// NewStream returns a stream over the given ends. log receives one line for
// each input that is refused; it must not print message contents.
func NewStream(in io.ReadCloser, out io.WriteCloser, log func(format string, args ...any)) *Stream {
	return &Stream{
		in:    bufio.NewReaderSize(in, 64<<10),
		src:   in,
		out:   newOutbox(out),
		log:   log,
		ended: make(chan struct{}),
	}
}

// Read implements [jsonrpc2.Stream].
func (s *Stream) Read(ctx context.Context) (jsonrpc2.Message, int64, error) {
	frame, n, err := s.ReadFrame(ctx)
	if err != nil {
		return nil, 0, err
	}
	msg, err := jsonrpc2.DecodeMessage(frame)
	return msg, n, err
}

// ReadFrame returns the body of the next well-formed message or batch. It is
// valid until the next call. The error is io.EOF at a clean end, otherwise the
// reason why no further message can be read.
func (s *Stream) ReadFrame(ctx context.Context) ([]byte, int64, error) {
	for {
		body, n, err := s.next(ctx)
		if err != nil {
			return nil, 0, s.end(err)
		}
		if body == nil {
			continue
		}
		calls, bad := checkFrame(body)
		if bad != nil {
			s.refuse(bad)
			continue
		}
		s.owed.add(calls)
		return body, n, nil
	}
}

// next reads one message. A nil body without an error means that the message
// was too large and has been skipped and answered.
func (s *Stream) next(ctx context.Context) ([]byte, int64, error) {
	if err := ctx.Err(); err != nil {
		return nil, 0, err
	}
	length, head, err := s.readHeader()
	if err != nil {
		return nil, 0, err
	}
	if length > maxBody {
		if _, err := io.CopyN(io.Discard, s.in, length); err != nil {
			return nil, 0, unexpected(err)
		}
		s.refuse(jsonrpc2.Errorf(jsonrpc2.InvalidRequest, "message of %d bytes exceeds the limit of %d bytes", length, maxBody))
		return nil, 0, nil
	}
	body, err := s.readBody(int(length))
	return body, head + length, err
}

// readBody reads n bytes, growing the buffer as they arrive.
func (s *Stream) readBody(n int) ([]byte, error) {
	if cap(s.buf) > keepBuffer && n <= keepBuffer {
		s.buf = nil
	}
	if cap(s.buf) < n {
		s.buf = make([]byte, 0, min(n, keepBuffer))
	}
	buf := s.buf[:0]
	for len(buf) < n {
		if len(buf) == cap(buf) {
			grown := make([]byte, len(buf), min(n, 2*cap(buf)))
			copy(grown, buf)
			buf = grown
		}
		m, err := io.ReadFull(s.in, buf[len(buf):min(n, cap(buf))])
		buf = buf[:len(buf)+m]
		if err != nil {
			return nil, unexpected(err)
		}
	}
	s.buf = buf
	return buf, nil
}

// readHeader reads one header block and returns the body length and the bytes
// read. Field names are matched in any letter case, unknown fields are ignored,
// and lines may end in LF alone, as some clients write them.
func (s *Stream) readHeader() (length, read int64, err error) {
	length = -1
	for range maxHeaderLines {
		line, err := s.headerLine()
		if err != nil {
			if errors.Is(err, io.EOF) && read == 0 && len(line) == 0 {
				return 0, 0, io.EOF
			}
			return 0, 0, unexpected(err)
		}
		read += int64(len(line))
		line = bytes.TrimRight(line, "\r\n")
		if len(line) == 0 {
			if length <= 0 {
				return 0, 0, fmt.Errorf("%w: no usable Content-Length", errFraming)
			}
			return length, read, nil
		}
		name, value, ok := bytes.Cut(line, []byte(":"))
		if !ok {
			return 0, 0, fmt.Errorf("%w: a line without a colon", errFraming)
		}
		if !bytes.EqualFold(bytes.TrimSpace(name), []byte("Content-Length")) {
			continue
		}
		if length, ok = parseLength(bytes.TrimSpace(value)); !ok {
			return 0, 0, fmt.Errorf("%w: Content-Length is not a positive number", errFraming)
		}
	}
	return 0, 0, fmt.Errorf("%w: more than %d lines", errFraming, maxHeaderLines)
}

func (s *Stream) headerLine() ([]byte, error) {
	line, err := s.in.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) || len(line) > maxHeaderLine {
		return line, fmt.Errorf("%w: a line of more than %d bytes", errFraming, maxHeaderLine)
	}
	return line, err
}

// parseLength reads a decimal length in bytes. Lengths up to 2^53 are kept so
// that an absurd but true length is skipped rather than misread.
func parseLength(value []byte) (int64, bool) {
	if len(value) == 0 || len(value) > 16 {
		return 0, false
	}
	var n int64
	for _, c := range value {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int64(c-'0')
	}
	return n, n > 0
}

// checkFrame reports why body is no JSON-RPC message or batch, if it is none:
// each of these would otherwise end the connection without a reply. calls is
// the number of replies that the library will make.
func checkFrame(body []byte) (calls int, bad *jsonrpc2.Error) {
	trimmed := bytes.TrimLeft(body, " \t\r\n")
	if len(trimmed) > 0 && trimmed[0] == '[' {
		views, err := jsonrpc2.ScanRequestViews(body)
		if err != nil {
			return 0, jsonrpc2.NewError(jsonrpc2.ParseError, "the batch is not a JSON array")
		}
		if len(views) == 0 {
			return 1, nil
		}
		for i := range views {
			if views[i].Err != nil || views[i].View.Kind == jsonrpc2.MessageViewCall {
				calls++
			}
		}
		return calls, nil
	}
	view, err := jsonrpc2.ScanMessageView(body)
	switch {
	case errors.Is(err, jsonrpc2.ErrParse):
		return 0, jsonrpc2.NewError(jsonrpc2.ParseError, "the message is not a JSON object")
	case err != nil:
		return 0, jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the message is not a JSON-RPC 2.0 request, notification or response")
	case view.Kind == jsonrpc2.MessageViewCall:
		return 1, nil
	default:
		return 0, nil
	}
}

// refuse answers with a null id and goes on.
func (s *Stream) refuse(reason *jsonrpc2.Error) {
	s.log("refused a message: %s", reason.Message)
	frame := jsonrpc2.AppendResponse(nil, jsonrpc2.ID{}, nil, reason)
	_ = s.out.send(context.Background(), frame)
}

// end records the end of input. A clean end is held back until every call has
// been answered, or for a grace period: the library drops replies made after
// its reader has seen the end, and a script that pipes requests in wants them.
func (s *Stream) end(err error) error {
	if errors.Is(err, io.EOF) {
		s.Drain(drainGrace)
	}
	s.once.Do(func() {
		s.endErr = err
		close(s.ended)
	})
	return err
}

// Drain waits until every call read so far has its reply queued, or for the
// timeout.
func (s *Stream) Drain(timeout time.Duration) {
	timer := time.NewTimer(timeout)
	defer timer.Stop()
	select {
	case <-s.owed.settled():
	case <-s.out.failed:
	case <-timer.C:
	}
}

// Write implements [jsonrpc2.Stream].
func (s *Stream) Write(ctx context.Context, msg jsonrpc2.Message) (int64, error) {
	frame := jsonrpc2.AppendMessage(make([]byte, 0, 256), msg)
	if bytes.HasPrefix(frame, responsePrefix) {
		defer s.owed.add(-1)
	}
	return s.send(ctx, frame)
}

// responsePrefix starts each response that the library encodes, and neither a
// call nor a notification. (Its response type is not exported.)
var responsePrefix = []byte(`{"jsonrpc":"2.0","id":`)

// WriteFrame queues the replies of one batch; data must not be changed
// afterwards.
func (s *Stream) WriteFrame(ctx context.Context, data []byte) (int64, error) {
	if views, err := jsonrpc2.ScanRequestViews(data); err == nil {
		defer s.owed.add(-len(views))
	}
	return s.send(ctx, data)
}

// send queues one message. It waits only while the queue is full.
func (s *Stream) send(ctx context.Context, data []byte) (int64, error) {
	if err := s.out.send(ctx, data); err != nil {
		return 0, err
	}
	return int64(len(data)), nil
}

// Flush waits until everything queued has been written, or for the timeout.
func (s *Stream) Flush(timeout time.Duration) { s.out.flush(timeout) }

// Close implements [jsonrpc2.Stream]: it ends the input. The library calls it as
// soon as the input has ended and no handler runs, when replies may still be
// queued, so the output stays open until shut.
func (s *Stream) Close() error { return s.src.Close() }

// shut ends both directions. What is still queued is lost; call Flush before. It
// does not wait for a read that blocks in the operating system.
func (s *Stream) shut() {
	s.out.close()
	_ = s.src.Close()
}

func unexpected(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}

// ledger counts the calls read and not yet answered.
type ledger struct {
	mu   sync.Mutex
	n    int
	zero chan struct{} // non-nil while someone waits
}

func (l *ledger) add(n int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n += n
	if l.n <= 0 && l.zero != nil {
		close(l.zero)
		l.zero = nil
	}
}

// settled returns a channel that is closed when no call is open.
func (l *ledger) settled() <-chan struct{} {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.n <= 0 {
		c := make(chan struct{})
		close(c)
		return c
	}
	if l.zero == nil {
		l.zero = make(chan struct{})
	}
	return l.zero
}
