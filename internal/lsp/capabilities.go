package lsp

import (
	"slices"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/ide"
)

// capabilities advertises what is served, and nothing else.
func (s *Server) capabilities() protocol.ServerCapabilities {
	incremental := protocol.TextDocumentSyncKindIncremental
	yes := protocol.Boolean(true)
	c := protocol.ServerCapabilities{
		PositionEncoding: encodingKind(s.client.encoding),
		TextDocumentSync: &protocol.TextDocumentSyncOptions{
			OpenClose: new(true), Change: &incremental, Save: &protocol.SaveOptions{IncludeText: new(false)},
		},
		CodeActionProvider: &protocol.CodeActionOptions{CodeActionKinds: actionKinds(), ResolveProvider: new(true)},
		CompletionProvider: &protocol.CompletionOptions{TriggerCharacters: []string{"[", " ", ",", ":", "\"", "|", "-"}},
		SignatureHelpProvider: &protocol.SignatureHelpOptions{
			TriggerCharacters: []string{"[", " ", ","}, RetriggerCharacters: []string{"]"},
		},
		HoverProvider:             yes,
		DefinitionProvider:        yes,
		ReferencesProvider:        yes,
		DocumentHighlightProvider: yes,
		RenameProvider:            protocol.Boolean(true),
		DocumentLinkProvider:      &protocol.DocumentLinkOptions{},
		DocumentSymbolProvider:    yes,
		WorkspaceSymbolProvider:   &protocol.WorkspaceSymbolOptions{ResolveProvider: new(s.client.resolvesLocations)},
		FoldingRangeProvider:      yes,
		SelectionRangeProvider:    yes,
		SemanticTokensProvider: &protocol.SemanticTokensOptions{
			Legend: protocol.SemanticTokensLegend{TokenTypes: ide.TokenTypes, TokenModifiers: ide.TokenMods},
			Range:  yes,
			Full:   &protocol.SemanticTokensFullDelta{Delta: new(true)},
		},
		DocumentFormattingProvider:       yes,
		DocumentRangeFormattingProvider:  &protocol.DocumentRangeFormattingOptions{RangesSupport: new(s.client.formatsRanges())},
		DocumentOnTypeFormattingProvider: protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n", MoreTriggerCharacter: []string{"}"}},
		InlayHintProvider:                yes,
		CodeLensProvider:                 &protocol.CodeLensOptions{ResolveProvider: new(true)},
		ExecuteCommandProvider:           protocol.ExecuteCommandOptions{Commands: commands},
		Workspace: &protocol.WorkspaceOptions{
			WorkspaceFolders: &protocol.WorkspaceFoldersServerCapabilities{Supported: new(true), ChangeNotifications: yes},
			FileOperations: &protocol.FileOperationOptions{
				WillRename: packFiles(), DidRename: packFiles(), DidCreate: packFiles(), DidDelete: packFiles(),
			},
		},
	}
	if s.client.virtualFiles {
		c.Workspace.TextDocumentContent = &protocol.TextDocumentContentOptions{Schemes: []string{virtualScheme}}
		c.ExecuteCommandProvider.Commands = append(slices.Clone(commands), commandShowReport)
	}
	if td := s.client.caps.TextDocument; td != nil && td.Rename != nil && td.Rename.PrepareSupport != nil && *td.Rename.PrepareSupport {
		c.RenameProvider = &protocol.RenameOptions{PrepareProvider: new(true)}
	}
	if s.client.pull {
		c.DiagnosticProvider = &protocol.DiagnosticOptions{
			Identifier: new(source), InterFileDependencies: true, WorkspaceDiagnostics: true,
		}
	}
	return c
}

// packFiles are the files whose creation, renaming and deletion matter.
func packFiles() protocol.FileOperationRegistrationOptions {
	var filters []protocol.FileOperationFilter
	for _, glob := range []string{"**/memory/*.md", "**/agents.md", "**/manifest.json"} {
		filters = append(filters, protocol.FileOperationFilter{
			Scheme: new("file"), Pattern: protocol.FileOperationPattern{Glob: glob, Matches: protocol.FileOperationPatternKindFile},
		})
	}
	return protocol.FileOperationRegistrationOptions{Filters: filters}
}

// formatsRanges reports whether the client asks for several ranges at once
// (LSP 3.18).
func (c *clientInfo) formatsRanges() bool {
	td := c.caps.TextDocument
	return td != nil && td.RangeFormatting != nil && yes(td.RangeFormatting.RangesSupport)
}

func actionKinds() []protocol.CodeActionKind {
	var kinds []protocol.CodeActionKind
	for _, k := range ide.Kinds {
		kinds = append(kinds, protocol.CodeActionKind(k))
	}
	return kinds
}
