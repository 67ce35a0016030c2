package lsp

import (
	"path/filepath"
	"slices"
	"sync/atomic"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/parser/text"
)

// clientInfo is what initialize said about the client. It does not change,
// except for watchFilesFailed.
type clientInfo struct {
	name     string
	encoding text.Encoding
	caps     protocol.ClientCapabilities

	pull                  bool // the client asks for diagnostics itself
	relatedInformation    bool
	relatedDocuments      bool
	codeDescription       bool
	tags                  map[protocol.DiagnosticTag]bool
	refreshable           uint32
	configuration         bool
	registerConfiguration bool
	watchFiles            bool
	watchFilesFailed      *atomic.Bool
	workDoneProgress      bool
	documentChanges       bool
	createFiles           bool
	applyEdit             bool
	resolvesEdits         bool // of code actions
	disabledActions       bool
	packStatus            bool
	signing               bool

	hoverMarkdown      bool
	completionMarkdown bool
	signatureMarkdown  bool
	labelOffsets       bool
	snippets           bool
	insertReplace      bool
	preselect          bool
	definitionLinks    bool
	linkTooltips       bool
	symbolTree         bool
	resolvesLocations  bool // of workspace symbols
	foldLines          bool
	foldLimit          int
	renameFiles        bool
	editMetadata       bool

	// LSP 3.18
	snippetEdits   bool
	markupMessages bool // in diagnostics that are pulled
	virtualFiles   bool // workspace/textDocumentContent
	showsDocuments bool
	editRange      bool // of completionList.itemDefaults
	insertFormat   bool // of the same
}

// yes reads an optional capability.
func yes(b *bool) bool { return b != nil && *b }

func clientOf(p *protocol.InitializeParams) clientInfo {
	c := clientInfo{
		name:             p.ClientInfo.Name,
		encoding:         negotiate(p.Capabilities.General),
		caps:             p.Capabilities,
		tags:             map[protocol.DiagnosticTag]bool{},
		watchFilesFailed: &atomic.Bool{},
	}
	options := readStartOptions(p.InitializationOptions)
	c.packStatus = options.PackStatus
	c.signing = options.Signing == nil || *options.Signing
	var d *protocol.DiagnosticsCapabilities
	if td := p.Capabilities.TextDocument; td != nil {
		if td.PublishDiagnostics != nil {
			d = &td.PublishDiagnostics.DiagnosticsCapabilities
		}
		// Neovim 0.10 to 0.12 never ask for the diagnostics of a buffer that joins a
		// running client, or that was named among related documents before.
		if td.Diagnostic != nil && c.name != "Neovim" {
			c.pull = true
			c.relatedDocuments = yes(td.Diagnostic.RelatedDocumentSupport)
			c.markupMessages = yes(td.Diagnostic.MarkupMessageSupport)
			if own := &td.Diagnostic.DiagnosticsCapabilities; own.RelatedInformation != nil || own.TagSupport.ValueSet != nil || d == nil {
				d = own // LSP 3.18; before, those of publishDiagnostics hold for both
			}
		}
	}
	if d != nil {
		c.relatedInformation = yes(d.RelatedInformation)
		c.codeDescription = yes(d.CodeDescriptionSupport)
		for _, t := range d.TagSupport.ValueSet {
			c.tags[t] = true
		}
	}
	if td := p.Capabilities.TextDocument; td != nil {
		c.textDocument(td)
	}
	if w := p.Capabilities.Window; w != nil {
		c.workDoneProgress = yes(w.WorkDoneProgress)
		c.showsDocuments = w.ShowDocument != nil && w.ShowDocument.Support
	}
	if w := p.Capabilities.Workspace; w != nil {
		c.workspace(w)
	}
	return c
}

func (c *clientInfo) textDocument(td *protocol.TextDocumentClientCapabilities) {
	if a := td.CodeAction; a != nil {
		c.disabledActions = yes(a.DisabledSupport)
		c.resolvesEdits = yes(a.DataSupport) && slices.Contains(a.ResolveSupport.Properties, "edit")
	}
	if h := td.Hover; h != nil {
		c.hoverMarkdown = wantsMarkdown(h.ContentFormat)
	}
	if td.Completion != nil && td.Completion.CompletionItem != nil {
		it := td.Completion.CompletionItem
		c.completionMarkdown = wantsMarkdown(it.DocumentationFormat)
		c.snippets = yes(it.SnippetSupport)
		c.insertReplace = yes(it.InsertReplaceSupport)
		c.preselect = yes(it.PreselectSupport)
	}
	if td.Completion != nil && td.Completion.CompletionList != nil {
		c.editRange = slices.Contains(td.Completion.CompletionList.ItemDefaults, "editRange")
		c.insertFormat = slices.Contains(td.Completion.CompletionList.ItemDefaults, "insertTextFormat")
	}
	if td.SignatureHelp != nil && td.SignatureHelp.SignatureInformation != nil {
		info := td.SignatureHelp.SignatureInformation
		c.signatureMarkdown = wantsMarkdown(info.DocumentationFormat)
		c.labelOffsets = yes(info.ParameterInformation.LabelOffsetSupport)
	}
	if d := td.Definition; d != nil {
		c.definitionLinks = yes(d.LinkSupport)
	}
	if l := td.DocumentLink; l != nil {
		c.linkTooltips = yes(l.TooltipSupport)
	}
	if s := td.DocumentSymbol; s != nil {
		c.symbolTree = yes(s.HierarchicalDocumentSymbolSupport)
	}
	if f := td.FoldingRange; f != nil {
		c.foldLines = yes(f.LineFoldingOnly)
		if f.RangeLimit != nil {
			c.foldLimit = int(*f.RangeLimit)
		}
	}
}

func (c *clientInfo) workspace(w *protocol.WorkspaceClientCapabilities) {
	c.configuration = yes(w.Configuration)
	c.applyEdit = yes(w.ApplyEdit)
	if w.DidChangeConfiguration != nil {
		c.registerConfiguration = yes(w.DidChangeConfiguration.DynamicRegistration)
	}
	if w.DidChangeWatchedFiles != nil {
		c.watchFiles = yes(w.DidChangeWatchedFiles.DynamicRegistration)
	}
	if e := w.WorkspaceEdit; e != nil {
		c.documentChanges = yes(e.DocumentChanges)
		c.createFiles = c.documentChanges && slices.Contains(e.ResourceOperations, protocol.ResourceOperationKindCreate)
		c.renameFiles = c.documentChanges && slices.Contains(e.ResourceOperations, protocol.ResourceOperationKindRename)
		c.editMetadata = yes(e.MetadataSupport)
		c.snippetEdits = c.documentChanges && yes(e.SnippetEditSupport)
	}
	if w.TextDocumentContent != nil {
		c.virtualFiles = true
		c.refreshable |= refreshReports
	}
	if w.Symbol != nil {
		c.resolvesLocations = slices.Contains(w.Symbol.ResolveSupport.Properties, "location.range")
	}
	if w.Diagnostics != nil && yes(w.Diagnostics.RefreshSupport) {
		c.refreshable |= refreshDiagnostics
	}
	if w.CodeLens != nil && yes(w.CodeLens.RefreshSupport) {
		c.refreshable |= refreshLenses
	}
	if w.InlayHint != nil && yes(w.InlayHint.RefreshSupport) {
		c.refreshable |= refreshHints
	}
	if w.SemanticTokens != nil && yes(w.SemanticTokens.RefreshSupport) {
		c.refreshable |= refreshTokens
	}
}

// initialize runs on the reader: the next message must see its outcome.
func (s *Server) initialize(params []byte) (any, error) {
	p, err := decodeInitialize(params)
	if err != nil {
		return nil, err
	}
	s.client = clientOf(p)
	s.applySettings(readStartOptions(p.InitializationOptions).Settings)
	s.session.SetFolders(startFolders(params))
	if level, ok := parseTrace(p.Trace); ok {
		s.traceLevel.Store(int32(level))
	}
	if p.ProcessID != nil && *p.ProcessID > 0 && s.opts.Parent == 0 {
		s.parent <- int(*p.ProcessID)
	}
	s.phase.Store(running)
	s.log.Info("initialize", "client", s.client.name)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "amp-lsp", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

// startFolders are the folders to look for packs in: the workspace folders, or
// what clients sent before there were any. They are read from the message, since
// the library canonicalises URIs and the client's spelling would be lost.
func startFolders(params []byte) []session.Folder {
	var folders []wireFolder
	if raw := member(params, "workspaceFolders"); raw != nil && json.Unmarshal(raw, &folders, lenient) == nil && len(folders) > 0 {
		return foldersOf(folders)
	}
	var name string
	if raw := member(params, "rootUri"); raw != nil && json.Unmarshal(raw, &name, lenient) == nil && name != "" {
		return foldersOf([]wireFolder{{URI: name}})
	}
	if raw := member(params, "rootPath"); raw != nil && json.Unmarshal(raw, &name, lenient) == nil && name != "" {
		return []session.Folder{{URI: session.FileURI(name), Path: filepath.Clean(name)}}
	}
	return nil
}

// negotiate picks the position encoding: utf-8 when the client offers it, as
// nothing has to be counted then, otherwise the client's first known one.
func negotiate(general *protocol.GeneralClientCapabilities) text.Encoding {
	if general == nil {
		return text.UTF16
	}
	for _, kind := range general.PositionEncodings {
		if kind == protocol.PositionEncodingKindUTF8 {
			return text.UTF8
		}
	}
	for _, kind := range general.PositionEncodings {
		switch kind {
		case protocol.PositionEncodingKindUTF16:
			return text.UTF16
		case protocol.PositionEncodingKindUTF32:
			return text.UTF32
		}
	}
	return text.UTF16
}

func encodingKind(e text.Encoding) protocol.PositionEncodingKind {
	switch e {
	case text.UTF8:
		return protocol.PositionEncodingKindUTF8
	case text.UTF32:
		return protocol.PositionEncodingKindUTF32
	default:
		return protocol.PositionEncodingKindUTF16
	}
}
