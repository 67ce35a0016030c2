package lsp

import (
	"context"
	"errors"
)

// Methods that only tests have: what a broken or slow handler does must be seen
// from outside.
func init() {
	handlers["test/panic"] = func(context.Context, *request) (any, error) { panic("on purpose") }
	handlers["test/error"] = func(context.Context, *request) (any, error) { return nil, errors.New("plain") }
	handlers["test/block"] = func(ctx context.Context, _ *request) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	}
	listeners["test/panic"] = func(*Server, []byte) error { panic("on purpose") }
	listeners["test/error"] = func(*Server, []byte) error { return errors.New("plain") }
}

const MaxQueued = maxQueued
