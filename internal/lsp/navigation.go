package lsp

import (
	"context"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/ide"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/parser/text"
)

func definition(ctx context.Context, r *request, p *protocol.DefinitionParams) (protocol.DefinitionResult, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	c := r.conv(f.Tree)
	origin, places := ide.Definition(f, c.offset(p.Position))
	files := r.locator(r.snap, f.View, f.Doc)
	if !r.client.definitionLinks {
		return protocol.LocationSlice(locations(files, places)), nil
	}
	links := protocol.DefinitionLinkSlice{}
	from := c.rng(origin)
	for _, loc := range locations(files, places) {
		links = append(links, protocol.DefinitionLink{
			OriginSelectionRange: &from, TargetURI: loc.URI, TargetRange: loc.Range, TargetSelectionRange: loc.Range,
		})
	}
	return links, nil
}

func locations(files *locator, places []ide.Place) []protocol.Location {
	out := []protocol.Location{}
	for _, place := range places {
		if loc, ok := files.location(place.Rel, place.Span); ok {
			out = append(out, loc)
		}
	}
	return out
}

func references(ctx context.Context, r *request, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return []protocol.Location{}, err
	}
	places := ide.References(f, r.conv(f.Tree).offset(p.Position), p.Context.IncludeDeclaration)
	return locations(r.locator(r.snap, f.View, f.Doc), places), nil
}

func documentHighlight(ctx context.Context, r *request, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	out := []protocol.DocumentHighlight{}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	for _, h := range ide.Highlights(f, c.offset(p.Position)) {
		kind := protocol.DocumentHighlightKindRead
		if h.Write {
			kind = protocol.DocumentHighlightKindWrite
		}
		out = append(out, protocol.DocumentHighlight{Range: c.rng(h.Span), Kind: kind})
	}
	return out, nil
}

func prepareRename(ctx context.Context, r *request, p *protocol.PrepareRenameParams) (protocol.PrepareRenameResult, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	c := r.conv(f.Tree)
	span, name, err := ide.PrepareRename(f, c.offset(p.Position))
	if err != nil {
		return nil, failed("%s", err.Error())
	}
	return &protocol.PrepareRenamePlaceholder{Range: c.rng(span), Placeholder: name}, nil
}

func rename(ctx context.Context, r *request, p *protocol.RenameParams) (*protocol.WorkspaceEdit, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, failed("the document is not open")
	}
	result, err := ide.Rename(f, r.conv(f.Tree).offset(p.Position), strings.Clone(p.NewName))
	if err != nil {
		return nil, failed("%s", err.Error())
	}
	if result.OldFile != "" && !r.client.renameFiles {
		return nil, failed("this editor cannot rename files for a language server; rename %s itself", result.OldFile)
	}
	edit, reason := r.workspaceEdit(f, result.Edits)
	if reason != "" {
		return nil, failed("%s", reason)
	}
	if result.OldFile != "" {
		edit.DocumentChanges = append(edit.DocumentChanges, &protocol.RenameFile{
			Kind: "rename", OldURI: r.fileURI(f, result.OldFile), NewURI: uri.URI(f.View.URI + "/" + session.EscapePath(result.NewFile)),
			Options: &protocol.RenameFileOptions{Overwrite: new(false)},
		})
	}
	return edit, nil
}

// willRenameFiles lets manifest and routing table follow a capability file.
func willRenameFiles(_ context.Context, r *request, p *protocol.RenameFilesParams) (*protocol.WorkspaceEdit, error) {
	var at *ide.File
	var edits []analysis.FileEdit
	for _, file := range p.Files {
		from, to := identify(file.OldURI), identify(file.NewURI)
		if from.Path == "" || to.Path == "" {
			continue
		}
		v, oldRel := r.snap.File(from.Path)
		w, newRel := r.snap.File(to.Path)
		if v == nil || v != w || at != nil && at.View != v {
			continue
		}
		at = &ide.File{Snap: r.snap, View: v}
		edits = append(edits, ide.RenameFiles(v, oldRel, newRel)...)
	}
	if len(edits) == 0 {
		return nil, nil
	}
	edit, reason := r.workspaceEdit(at, edits)
	if reason != "" {
		return nil, failed("%s", reason)
	}
	return edit, nil
}

func documentLink(ctx context.Context, r *request, p *protocol.DocumentLinkParams) ([]protocol.DocumentLink, error) {
	out := []protocol.DocumentLink{}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	for _, l := range ide.Links(f) {
		target := uri.URI(l.URL)
		if l.URL == "" {
			target = r.fileURI(f, l.Rel)
		}
		link := protocol.DocumentLink{Range: c.rng(l.Span), Target: &target}
		if r.client.linkTooltips && l.Tooltip != "" {
			link.Tooltip = new(l.Tooltip)
		}
		out = append(out, link)
	}
	return out, nil
}

func documentSymbol(ctx context.Context, r *request, p *protocol.DocumentSymbolParams) (protocol.DocumentSymbolResult, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return protocol.DocumentSymbolSlice{}, err
	}
	c := r.conv(f.Tree)
	symbols := ide.Symbols(f)
	if r.client.symbolTree {
		return documentSymbols(c, symbols), nil
	}
	flat := protocol.SymbolInformationSlice{}
	var add func(parent string, list []ide.Symbol)
	add = func(parent string, list []ide.Symbol) {
		for _, s := range list {
			info := protocol.SymbolInformation{
				BaseSymbolInformation: protocol.BaseSymbolInformation{Name: s.Name, Kind: symbolKind(s.Kind)},
				Location:              protocol.Location{URI: r.fileURI(f, f.Rel), Range: c.rng(s.Span)},
			}
			if parent != "" {
				info.ContainerName = new(parent)
			}
			flat = append(flat, info)
			add(s.Name, s.Children)
		}
	}
	add("", symbols)
	return flat, nil
}

func documentSymbols(c converter, list []ide.Symbol) protocol.DocumentSymbolSlice {
	out := protocol.DocumentSymbolSlice{}
	for _, s := range list {
		d := protocol.DocumentSymbol{
			Name: s.Name, Kind: symbolKind(s.Kind), Range: c.rng(s.Span), SelectionRange: c.rng(s.NameSpan),
		}
		if s.Detail != "" {
			d.Detail = new(s.Detail)
		}
		if len(s.Children) > 0 {
			d.Children = documentSymbols(c, s.Children)
		}
		out = append(out, d)
	}
	return out
}

func symbolKind(k ide.SymbolKind) protocol.SymbolKind {
	switch k {
	case ide.SymGoal:
		return protocol.SymbolKindEvent
	case ide.SymClaim:
		return protocol.SymbolKindConstant
	case ide.SymDirective:
		return protocol.SymbolKindMethod
	case ide.SymDemonstration, ide.SymObject:
		return protocol.SymbolKindObject
	case ide.SymFrontmatter:
		return protocol.SymbolKindFile
	case ide.SymKey:
		return protocol.SymbolKindProperty
	case ide.SymLegend, ide.SymHeading:
		return protocol.SymbolKindNamespace
	case ide.SymSource:
		return protocol.SymbolKindKey
	case ide.SymRow:
		return protocol.SymbolKindField
	case ide.SymArray:
		return protocol.SymbolKindArray
	case ide.SymNumber:
		return protocol.SymbolKindNumber
	case ide.SymBool:
		return protocol.SymbolKindBoolean
	case ide.SymNull:
		return protocol.SymbolKindNull
	default:
		return protocol.SymbolKindString
	}
}

// symbolData lets workspaceSymbol/resolve find the place of a symbol.
type symbolData struct {
	Root  string `json:"root"`
	Rel   string `json:"rel"`
	Start int    `json:"start"`
	End   int    `json:"end"`
}

func workspaceSymbol(ctx context.Context, r *request, p *protocol.WorkspaceSymbolParams) (protocol.WorkspaceSymbolResult, error) {
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	found := ide.WorkspaceSymbols(r.snap, p.Query, func() bool { return ctx.Err() != nil })
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	locators := map[*session.View]*locator{}
	locate := func(s *ide.WorkspaceSymbol) (protocol.Location, bool) {
		if locators[s.View] == nil {
			locators[s.View] = r.locator(r.snap, s.View, nil)
		}
		return locators[s.View].location(s.Rel, s.Span)
	}
	if !r.client.resolvesLocations {
		out := protocol.SymbolInformationSlice{}
		for i := range found {
			s := &found[i]
			if loc, ok := locate(s); ok {
				out = append(out, protocol.SymbolInformation{BaseSymbolInformation: base(s), Location: loc})
			}
		}
		return out, nil
	}
	out := protocol.WorkspaceSymbolSlice{}
	for i := range found {
		s := &found[i]
		raw, err := json.Marshal(symbolData{s.View.Root, s.Rel, s.Span.Start, s.Span.End}, lenient)
		if err != nil {
			return nil, err
		}
		out = append(out, protocol.WorkspaceSymbol{
			BaseSymbolInformation: base(s), Data: jsontext.Value(raw),
			Location: &protocol.LocationUriOnly{URI: uri.URI(s.View.FileURI(r.snap, s.Rel))},
		})
	}
	return out, nil
}

func base(s *ide.WorkspaceSymbol) protocol.BaseSymbolInformation {
	return protocol.BaseSymbolInformation{Name: s.Name, Kind: symbolKind(s.Kind), ContainerName: new(s.Rel)}
}

func workspaceSymbolResolve(_ context.Context, r *request, p *protocol.WorkspaceSymbol) (*protocol.WorkspaceSymbol, error) {
	var data symbolData
	if len(p.Data) == 0 || json.Unmarshal(p.Data, &data, lenient) != nil {
		return nil, invalidParams("the symbol carries no data of ours")
	}
	v := r.snap.ViewAt(data.Root)
	if v == nil {
		return nil, failed("the pack is no longer open")
	}
	loc, ok := r.locator(r.snap, v, nil).location(data.Rel, text.Span{Start: data.Start, End: data.End})
	if !ok {
		return nil, failed("the file is gone")
	}
	out := *p
	out.Location = &loc
	return &out, nil
}
