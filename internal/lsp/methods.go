package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/parser"
)

var emptyTree = parser.Parse("", parser.V04)

// handlers are the requests that are answered, besides initialize and shutdown.
var handlers = map[string]handler{
	"textDocument/hover":      on(hover),
	"textDocument/diagnostic": on(documentDiagnostic),
	"workspace/diagnostic":    on(workspaceDiagnostic),
}

// listeners are the notifications that are acted on, besides exit.
var listeners = map[string]listener{
	"initialized":     ignore,
	"$/setTrace":      setTrace,
	"$/cancelRequest": cancelRequest,

	"textDocument/didOpen":   didOpen,
	"textDocument/didChange": didChange,
	"textDocument/didSave":   didSave,
	"textDocument/didClose":  didClose,

	"workspace/didChangeWatchedFiles":     didChangeWatchedFiles,
	"workspace/didChangeWorkspaceFolders": didChangeWorkspaceFolders,
	"workspace/didChangeConfiguration":    didChangeConfiguration,
	"workspace/didCreateFiles":            didMoveFiles,
	"workspace/didRenameFiles":            didMoveFiles,
	"workspace/didDeleteFiles":            didMoveFiles,
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

func maskCredentials(s string) string { return s }
