package lsp

import (
	"context"

	"go.lsp.dev/protocol"
)

// handlers are the requests that are answered, besides initialize and shutdown.
var handlers = map[string]handler{
	"textDocument/hover": on(hover),
}

// listeners are the notifications that are acted on, besides exit.
var listeners = map[string]listener{
	"initialized":     ignore,
	"$/setTrace":      setTrace,
	"$/cancelRequest": cancelRequest,
}

func ignore(*Server, []byte) error { return nil }

func cancelRequest(s *Server, params []byte) error {
	id, ok := cancelID(params)
	if !ok {
		return invalidParams("no usable id")
	}
	s.inflight.cancel(id)
	return nil
}

func hover(_ context.Context, _ *request, _ *protocol.HoverParams) (*protocol.Hover, error) {
	return nil, nil
}

func (s *Server) capabilities() protocol.ServerCapabilities {
	return protocol.ServerCapabilities{PositionEncoding: encodingKind(s.client.encoding)}
}
func (s *Server) publish(ctx context.Context)  { <-ctx.Done() }
func (s *Server) load(ctx context.Context)     { <-ctx.Done() }
func (s *Server) register(ctx context.Context) { <-ctx.Done() }

func maskCredentials(s string) string { return s }
