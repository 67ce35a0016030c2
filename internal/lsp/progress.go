package lsp

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// progressDelay is how long work runs before it shows progress: a bar that
// flashes up for nothing is worse than none.
const progressDelay = 500 * time.Millisecond

// progress shows work that takes long, until the function it returns is called.
// token is the one the client sent with the request, or nil.
func (s *Server) progress(ctx context.Context, token protocol.ProgressToken, title string) (done func()) {
	if token == nil && !s.client.workDoneProgress {
		return func() {}
	}
	ctx, cancel := context.WithCancel(ctx)
	var wg sync.WaitGroup
	wg.Go(func() {
		select {
		case <-time.After(progressDelay):
		case <-ctx.Done():
			return
		}
		t := token
		if t == nil {
			t = protocol.String(fmt.Sprintf("amp-%d", s.tokens.Add(1)))
			if s.callClient(ctx, "window/workDoneProgress/create", &protocol.WorkDoneProgressCreateParams{Token: t}, nil) != nil {
				return
			}
		}
		s.sendProgress(t, &protocol.WorkDoneProgressBegin{Kind: "begin", Title: title})
		<-ctx.Done()
		s.sendProgress(t, &protocol.WorkDoneProgressEnd{Kind: "end"})
	})
	return func() {
		cancel()
		wg.Wait()
	}
}

// sendProgress sends a $/progress notification.
func (s *Server) sendProgress(token protocol.ProgressToken, value any) {
	raw, err := protocol.Marshal(value)
	if err != nil {
		s.log.Error("progress not encoded", "error", err.Error())
		return
	}
	s.notifyClient("$/progress", &protocol.ProgressParams{Token: token, Value: jsontext.Value(raw)})
}
