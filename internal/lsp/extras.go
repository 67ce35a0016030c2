package lsp

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/internal/ide"
)

func inlayHint(ctx context.Context, r *request, p *protocol.InlayHintParams) ([]protocol.InlayHint, error) {
	out := []protocol.InlayHint{}
	if !r.settings.Load().InlayHints.Defaults {
		return out, nil
	}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	for _, h := range ide.Hints(f, c.span(p.Range)) {
		pos := c.position(h.Offset)
		hint := protocol.InlayHint{Position: pos, Label: protocol.String(h.Label), Kind: protocol.InlayHintKindParameter}
		if h.Tooltip != "" {
			hint.Tooltip = protocol.String(h.Tooltip)
		}
		if h.Text != "" {
			hint.TextEdits = []protocol.TextEdit{{Range: protocol.Range{Start: pos, End: pos}, NewText: h.Text}}
		}
		out = append(out, hint)
	}
	return out, nil
}

// lensData lets codeLens/resolve make the title from the state then.
type lensData struct {
	URI  string       `json:"uri"`
	Kind ide.LensKind `json:"kind"`
}

func codeLens(ctx context.Context, r *request, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	out := []protocol.CodeLens{}
	if on := r.settings.Load().CodeLens.Enabled; on != nil && !*on {
		return out, nil
	}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	for _, l := range ide.Lenses(f) {
		raw, err := json.Marshal(lensData{string(p.TextDocument.URI), l.Kind}, lenient)
		if err != nil {
			return nil, err
		}
		out = append(out, protocol.CodeLens{Range: c.rng(l.Span), Data: jsontext.Value(raw)})
	}
	return out, nil
}

func codeLensResolve(ctx context.Context, r *request, p *protocol.CodeLens) (*protocol.CodeLens, error) {
	var data lensData
	if len(p.Data) == 0 || json.Unmarshal(p.Data, &data, lenient) != nil {
		return nil, invalidParams("the lens carries no data of ours")
	}
	f, err := r.settledFile(ctx, uri.URI(canonical(data.URI)))
	if err != nil {
		return nil, err
	}
	if f == nil || f.View == nil {
		return nil, failed("the document is no longer part of a pack")
	}
	pass, fail := tally(f.View)
	title, active := ide.LensTitle(f, data.Kind, pass, fail)
	out := *p
	out.Command = protocol.Command{Title: title}
	if active {
		arg := commandArgument{URI: f.View.URI}
		switch data.Kind {
		case ide.LensSignature:
			out.Command.Command = commandVerify
		case ide.LensAsks:
			out.Command.Command, arg.Show = commandCapabilities, true
		default:
			out.Command.Command = commandUpdateCounts
		}
		argument, err := json.Marshal(arg, lenient)
		if err != nil {
			return nil, err
		}
		out.Command.Arguments = []protocol.LSPAny{argument}
	}
	return &out, nil
}
