package lsp

import "go.lsp.dev/protocol"

// capabilities advertises what is served, and nothing else.
func (s *Server) capabilities() protocol.ServerCapabilities {
	incremental := protocol.TextDocumentSyncKindIncremental
	c := protocol.ServerCapabilities{
		PositionEncoding: encodingKind(s.client.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true), Change: &incremental, Save: &protocol.SaveOptions{IncludeText: new(false)},
		},
		HoverProvider: protocol.Boolean(true),
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{
				Supported: new(true), ChangeNotifications: protocol.Boolean(true),
			},
		},
	}
	if s.client.pull {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{
			Identifier: new(source), InterFileDependencies: true, WorkspaceDiagnostics: true,
		}
	}
	return c
}
