package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"go.lsp.dev/protocol"
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
	handlers["test/work"] = func(ctx context.Context, r *request) (any, error) {
		var p struct {
			Milliseconds  int    `json:"milliseconds"`
			WorkDoneToken string `json:"workDoneToken"`
		}
		if err := json.Unmarshal(r.params, &p); err != nil {
			return nil, err
		}
		var token protocol.ProgressToken
		if p.WorkDoneToken != "" {
			token = protocol.String(p.WorkDoneToken)
		}
		done := r.progress(ctx, token, "Working")
		time.Sleep(time.Duration(p.Milliseconds) * time.Millisecond)
		done()
		return nil, nil
	}
	listeners["test/panic"] = func(*Server, []byte) error { panic("on purpose") }
	listeners["test/error"] = func(*Server, []byte) error { return errors.New("plain") }
}

const MaxQueued = maxQueued
