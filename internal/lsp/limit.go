package lsp

import (
	"context"
	"runtime"
)

// maxQueued bounds the calls in flight. Beyond it a call is refused with
// ServerCancelled, so a flood costs neither memory nor the reader's time.
const maxQueued = 4096

// limiter bounds the calls that compute at the same time.
type limiter chan struct{}

func newLimiter() limiter { return make(limiter, max(2, runtime.GOMAXPROCS(0))) }

// acquire takes a slot, or fails when ctx ends first.
func (l limiter) acquire(ctx context.Context) error {
	select {
	case l <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (l limiter) release() { <-l }
