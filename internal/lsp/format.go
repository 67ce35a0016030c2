package lsp

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/ide"
	"github.com/amp-toolchain/amp/parser/text"
)

func (r *request) textEdits(f *ide.File, edits []text.Edit) []protocol.TextEdit {
	c := r.conv(f.Tree)
	out := []protocol.TextEdit{}
	for _, e := range edits {
		out = append(out, protocol.TextEdit{Range: c.rng(e.Span), NewText: e.New})
	}
	return out
}

func formatting(ctx context.Context, r *request, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	return r.textEdits(f, ide.Format(f, text.Span{End: f.Tree.Len()})), nil
}

func rangeFormatting(ctx context.Context, r *request, p *protocol.DocumentRangeFormattingParams) ([]protocol.TextEdit, error) {
	return rangesFormatting(ctx, r, &protocol.DocumentRangesFormattingParams{TextDocument: p.TextDocument, Ranges: []protocol.Range{p.Range}})
}

func rangesFormatting(ctx context.Context, r *request, p *protocol.DocumentRangesFormattingParams) ([]protocol.TextEdit, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	c := r.conv(f.Tree)
	seen := map[text.Edit]bool{}
	var all []text.Edit
	for _, rng := range p.Ranges {
		for _, e := range ide.Format(f, c.span(rng)) {
			if !seen[e] { // two ranges may touch one block
				seen[e] = true
				all = append(all, e)
			}
		}
	}
	return r.textEdits(f, all), nil
}

func onTypeFormatting(ctx context.Context, r *request, p *protocol.DocumentOnTypeFormattingParams) ([]protocol.TextEdit, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	return r.textEdits(f, ide.FormatOnType(f, r.conv(f.Tree).offset(p.Position), p.Ch)), nil
}
