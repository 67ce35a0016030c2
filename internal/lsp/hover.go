package lsp

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/ide"
)

func ruleURL(slug string) string { return documentURL + slug + ".md" }

func hover(ctx context.Context, r *request, p *protocol.HoverParams) (*protocol.Hover, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	c := r.conv(f.Tree)
	h, ok := ide.HoverAt(r.session, f, c.offset(p.Position), ruleURL)
	if !ok {
		return nil, nil
	}
	rng := c.rng(h.Span)
	return &protocol.Hover{Contents: r.markup(h.Markdown, r.client.hoverMarkdown), Range: &rng}, nil
}

// markup makes documentation in the form that the client shows.
func (s *Server) markup(md string, markdown bool) *protocol.MarkupContent {
	if markdown {
		return &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: md}
	}
	return &protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plainText(md)}
}

// plainText takes the marks out of the Markdown that this server writes.
func plainText(md string) string {
	var b strings.Builder
	for line := range strings.Lines(md) {
		if strings.HasPrefix(line, "```") {
			continue
		}
		for i := 0; i < len(line); i++ {
			switch c := line[i]; {
			case c == '\\' && i+1 < len(line):
				i++
				b.WriteByte(line[i])
			case c == '`', c == '*' && strings.HasPrefix(line[i:], "**"):
				for i+1 < len(line) && line[i+1] == c {
					i++
				}
			case c == '[':
				// A link: its text, without the address.
				end := strings.Index(line[i:], "](")
				stop := strings.IndexByte(line[i:], ')')
				if end > 0 && stop > end {
					b.WriteString(line[i+1 : i+end])
					i += stop
					continue
				}
				b.WriteByte(c)
			default:
				b.WriteByte(c)
			}
		}
	}
	return strings.TrimSpace(b.String())
}

// wantsMarkdown reports whether a client shows Markdown, given its formats in
// order of preference; none at all means that it knows plain text only.
func wantsMarkdown(formats []protocol.MarkupKind) bool {
	return slices.Contains(formats, protocol.MarkupKindMarkdown)
}
