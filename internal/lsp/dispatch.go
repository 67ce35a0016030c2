package lsp

import (
	"context"
	"fmt"
	"runtime/debug"
	"strings"

	"go.lsp.dev/jsonrpc2"

	"github.com/amp-toolchain/amp/internal/session"
)

// request is what a method handler gets: the state as it was when the request
// was read, whatever has been sent since.
type request struct {
	*Server
	moment session.Moment
	snap   *session.Snapshot // of the moment, or what it has settled to
	params []byte
}

// handler answers one method. It runs off the reader, in a compute slot.
type handler func(ctx context.Context, r *request) (any, error)

// on adapts a typed function to a handler.
func on[P, R any](f func(ctx context.Context, r *request, params *P) (R, error)) handler {
	return func(ctx context.Context, r *request) (any, error) {
		var params P
		if err := decode(r.params, &params); err != nil {
			return nil, err
		}
		return f(ctx, r, &params)
	}
}

// listener handles one notification, on the reader, in wire order. It must not
// block, write to the client, or call it.
type listener func(s *Server, params []byte) error

// handle is the connection's handler. It never returns an error for a
// notification, and never panics: either would end the connection.
func (s *Server) handle(ctx context.Context, req *jsonrpc2.Request) (any, error) {
	if !req.IsCall() {
		s.notified(req)
		return nil, nil
	}
	result, err := s.call(ctx, req)
	return result, wireError(err)
}

// notified runs a notification. Failures are logged: a notification has no
// reply, and the client's next one must still be heard.
func (s *Server) notified(req *jsonrpc2.Request) {
	method := req.Method()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("notification handler panicked", "method", logName(method), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
		}
	}()
	s.trace("received notification", method, "")
	if method == "exit" {
		s.exit()
		return
	}
	if s.phase.Load() == running {
		s.start()
	} else {
		if method != "$/setTrace" && method != "$/cancelRequest" {
			s.log.Debug("notification outside of a session dropped", "method", logName(method))
			return
		}
	}
	f, ok := listeners[method]
	if !ok {
		s.log.Debug("unknown notification", "method", logName(method))
		return
	}
	if err := f(s, req.Params()); err != nil {
		s.log.Warn("notification ignored", "method", logName(method), "error", err.Error())
	}
}

// call runs a request: what must be in wire order on the reader (the phase, the
// snapshot, its entry in the cancel map), the rest off it.
func (s *Server) call(ctx context.Context, req *jsonrpc2.Request) (result any, err error) {
	method, id := strings.Clone(req.Method()), req.ID()
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("request handler panicked", "method", logName(method), "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			result, err = nil, jsonrpc2.NewError(jsonrpc2.InternalError, "internal error in "+logName(method))
		}
	}()
	s.trace("received request", method, fmt.Sprintf("%q", id))

	// Small replies never wait for the client, so these may be made here.
	switch phase := s.phase.Load(); {
	case phase == stopped:
		return nil, errShutDown
	case method == "initialize" && phase == fresh:
		return s.initialize(req.Params())
	case method == "initialize":
		return nil, errInitializeTwo
	case phase == fresh:
		return nil, errNotInitialized
	}
	s.start()
	if method == "shutdown" {
		s.phase.Store(stopped)
		return nil, nil
	}
	f, ok := handlers[method]
	if !ok {
		return nil, jsonrpc2.Errorf(jsonrpc2.MethodNotFound, "method %q is not supported", logName(method))
	}
	if s.inflight.len() >= maxQueued {
		return nil, errBusy
	}
	moment := s.session.Now()
	ctx, c := s.inflight.add(ctx, id)
	jsonrpc2.Async(ctx)
	// From here req owns its bytes and the reader has gone on.

	defer s.inflight.done(id, c)
	if err := s.limit.acquire(ctx); err != nil {
		return nil, err
	}
	defer s.limit.release()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return f(ctx, &request{Server: s, moment: moment, snap: moment.Snapshot(), params: req.Params()})
}

// settle waits until what was asked of the disk before the request has been done:
// the pack of a document that has only just been opened is found, files that are
// said to have changed are read. The texts stay those of the request's place.
func (r *request) settle(ctx context.Context) error {
	if r.moment.Settled() {
		return ctx.Err()
	}
	return r.await(ctx, func() { r.snap = r.session.Settled(ctx, r.moment) })
}

// settleAll is settle that waits, for a while, until all folders have been looked
// through as well. What is found later comes with a refresh.
func (r *request) settleAll(ctx context.Context) error {
	if r.moment.Scanned() {
		return ctx.Err()
	}
	return r.await(ctx, func() {
		wait, cancel := context.WithTimeout(ctx, scanWait)
		defer cancel()
		r.snap = r.session.AllSettled(wait, r.moment)
	})
}

// await runs what waits, without the compute slot: a slow disk must not hold up
// requests that do not need it.
func (r *request) await(ctx context.Context, wait func()) error {
	r.limit.release()
	wait()
	// The slot is given back by whoever took it, so it is taken in any case.
	_ = r.limit.acquire(context.WithoutCancel(ctx))
	return ctx.Err()
}

// logName bounds a method name that a client made up.
func logName(method string) string {
	if len(method) > 80 {
		method = method[:80] + "…"
	}
	return method
}
