package lsp

import (
	"github.com/amp-toolchain/amp/parser"
)

var emptyTree = parser.Parse("", parser.V04)

// handlers are the requests that are answered, besides initialize and shutdown.
var handlers = map[string]handler{
	"textDocument/diagnostic": on(documentDiagnostic),
	"workspace/diagnostic":    on(workspaceDiagnostic),

	"textDocument/codeAction": on(codeAction),
	"codeAction/resolve":      on(codeActionResolve),

	"textDocument/completion":    on(completion),
	"textDocument/signatureHelp": on(signatureHelp),
	"textDocument/hover":         on(hover),

	"textDocument/definition":        on(definition),
	"textDocument/references":        on(references),
	"textDocument/documentHighlight": on(documentHighlight),
	"textDocument/prepareRename":     on(prepareRename),
	"textDocument/rename":            on(rename),
	"workspace/willRenameFiles":      on(willRenameFiles),
	"textDocument/documentLink":      on(documentLink),

	"textDocument/documentSymbol": on(documentSymbol),
	"workspace/symbol":            on(workspaceSymbol),
	"workspaceSymbol/resolve":     on(workspaceSymbolResolve),
	"textDocument/foldingRange":   on(foldingRange),
	"textDocument/selectionRange": on(selectionRange),

	"textDocument/semanticTokens/full":       on(semanticTokensFull),
	"textDocument/semanticTokens/full/delta": on(semanticTokensDelta),
	"textDocument/semanticTokens/range":      on(semanticTokensRange),

	"textDocument/formatting":       on(formatting),
	"textDocument/rangeFormatting":  on(rangeFormatting),
	"textDocument/rangesFormatting": on(rangesFormatting),
	"textDocument/onTypeFormatting": on(onTypeFormatting),

	"textDocument/inlayHint": on(inlayHint),
	"textDocument/codeLens":  on(codeLens),
	"codeLens/resolve":       on(codeLensResolve),

	"workspace/executeCommand": on(executeCommand),

	"workspace/textDocumentContent": on(textDocumentContent),
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

	"window/workDoneProgress/cancel": ignore,
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
