package lsp

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"go.lsp.dev/jsonrpc2"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/session"
)

// Options configure a server.
type Options struct {
	Version string     // reported as serverInfo.version
	Log     io.Writer  // where the log goes; nil means nowhere
	Level   slog.Level // lowest level logged
	// Parent is the process that the server must not outlive; 0 means the one
	// that initialize names. It is looked for every ParentPoll (0: 10 s).
	Parent     int
	ParentPoll time.Duration
	Session    session.Env // files, clock and settings of the session
}

// Phases of a session. A call outside of running is answered with the error
// that LSP defines for it; a notification is dropped.
const (
	fresh int32 = iota
	running
	stopped
)

// Server serves one client over one connection.
type Server struct {
	opts    Options
	log     *slog.Logger
	stream  *Stream
	conn    jsonrpc2.Conn
	session *session.Session

	phase      atomic.Int32
	traceLevel atomic.Int32
	inflight   inflight
	limit      limiter

	registry   *analysis.Registry
	complained atomic.Pointer[string] // the last problem shown with the configuration

	client     clientInfo // written by initialize, on the reader, before anything reads it
	settings   atomic.Pointer[settings]
	settingsMu sync.Mutex
	pulls      atomic.Int64 // changes of the settings that have not been pulled

	lastSpelled, lastKey string // of key; the reader's own

	refreshKinds atomic.Uint32
	refreshWake  chan struct{}
	reported     reported
	tokens       atomic.Int64
	tokenCache   tokenCache
	virtual      virtualFiles

	background context.Context // ends with the session
	workers    sync.WaitGroup  // goroutines that end with background
	startOnce  sync.Once

	exiting  chan int // receives the exit code of an exit notification
	exitOnce sync.Once
	parent   chan int // receives the parent's process id, once
}

// stopGrace bounds how long the end of a session waits for its goroutines and
// for unread output.
const stopGrace = 2 * time.Second

// logGrace is how long it waits for the log to be written: one that nobody reads
// is not worth waiting for.
const logGrace = 200 * time.Millisecond

// Serve runs a session over in and out until the client says exit, closes in,
// stops taking output, or dies, and returns the process's exit code: 0 when
// shutdown came first, otherwise 1, as LSP asks. Both ends are closed.
func Serve(ctx context.Context, in io.ReadCloser, out io.WriteCloser, opts Options) int {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	log := newLogWriter(opts.Log)
	defer log.close(logGrace)
	s := &Server{
		opts:    opts,
		log:     newLogger(log, opts.Level, maskCredentials),
		limit:   newLimiter(),
		exiting: make(chan int, 1),
		parent:  make(chan int, 1),

		refreshWake: make(chan struct{}, 1),
	}
	s.settings.Store(&settings{})
	background, stop := context.WithCancel(ctx)
	s.background = background
	if opts.Session.Registry == nil {
		opts.Session.Registry = rules.All()
	}
	s.registry = opts.Session.Registry
	if opts.Session.Policy == nil {
		opts.Session.Policy = s.loadPolicy
	}
	if opts.Session.Verify == nil {
		opts.Session.Verify = checkSignature
	}
	opts.Session.Log = func(format string, args ...any) { s.log.Info(fmt.Sprintf(format, args...)) }
	s.session = session.New(opts.Session)
	s.stream = NewStream(in, out, func(format string, args ...any) {
		s.log.Warn(fmt.Sprintf(format, args...))
	})
	s.conn = jsonrpc2.NewConn(s.stream, jsonrpc2.WithCodec(codec{}))
	if opts.Parent > 0 {
		s.parent <- opts.Parent
	}
	// The connection must not see ctx end: it would drop the replies in flight.
	s.conn.Go(context.WithoutCancel(ctx), s.handle)

	code := s.wait(ctx)
	stop()
	s.inflight.cancelAll()
	s.stream.Drain(stopGrace)
	s.stream.Flush(stopGrace)
	s.stream.shut()
	s.join(stopGrace)
	return code
}

// wait returns the exit code once the session is over.
func (s *Server) wait(ctx context.Context) int {
	code := 1
	orphaned := s.watchParent(s.background)
	select {
	case code = <-s.exiting:
		s.log.Info("exit", "code", code)
		return code
	case <-s.stream.ended:
		if s.phase.Load() == stopped {
			code = 0
		}
		s.log.Info("input ended", "reason", s.stream.endErr.Error(), "code", code)
	case <-s.stream.out.failed:
		s.log.Error("the client does not take output", "error", s.stream.out.failure())
	case <-orphaned:
		s.log.Warn("the client process has ended")
	case <-ctx.Done():
		s.log.Info("interrupted")
	}
	// An exit read just before the end decides.
	select {
	case code = <-s.exiting:
	default:
	}
	return code
}

// join waits for the reader and the workers, but not for a reader that blocks
// in the operating system: closing a pipe does not wake it on every system, and
// the process is about to end.
func (s *Server) join(timeout time.Duration) {
	done := make(chan struct{})
	go func() {
		s.workers.Wait()
		<-s.conn.Done()
		<-s.stream.out.done
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(timeout):
		s.log.Debug("gave up waiting for the reader")
	}
}

// exit handles the exit notification. It only signals: closing the connection
// from its own handler would wait for itself.
func (s *Server) exit() {
	code := 1
	if s.phase.Load() == stopped {
		code = 0
	}
	s.exitOnce.Do(func() { s.exiting <- code })
}

// start begins the background work of a session. It runs on the reader with the
// first message after initialize, so nothing the server sends on its own can
// come before the reply to initialize, and a client that never sends initialized
// is served all the same.
func (s *Server) start() {
	s.startOnce.Do(func() {
		s.spawn(s.session.Run)
		s.spawn(s.session.Settle)
		s.spawn(s.publish)
		s.spawn(s.refreshLoop)
		s.spawn(s.register)
	})
}

// spawn runs f on a goroutine that ends with the session.
func (s *Server) spawn(f func(context.Context)) {
	s.workers.Go(func() { f(s.background) })
}

// notifyClient sends a notification. It fails only when the connection is over,
// which the reader finds out by itself.
func (s *Server) notifyClient(method string, params any) {
	if err := s.conn.Notify(context.WithoutCancel(s.background), method, params); err != nil {
		s.log.Debug("notification not sent", "method", method, "error", err.Error())
	}
}

// callClient calls the client. It must not run on the reader, which would then
// wait for itself.
func (s *Server) callClient(ctx context.Context, method string, params, result any) error {
	_, err := s.conn.Call(ctx, method, params, result)
	return err
}
