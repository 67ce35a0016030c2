package lsp

import (
	"strings"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser/text"
)

// snippetEdit makes the edit that puts the cursor into the hole of another (LSP
// 3.18), or nil where it has none.
//
// Editors indent the further lines of a snippet like the line it is inserted in,
// which would be wrong here. A new line behind one is therefore inserted at the
// start of the next, and where none follows the edit stays a plain one.
func snippetEdit(c converter, e *analysis.FileEdit) protocol.TextDocumentEditElement {
	if e.Hole.End == 0 || e.Create {
		return nil
	}
	span, src, hole := e.Span, e.New, e.Hole
	if nl := text.Newline(src); strings.HasPrefix(src, nl) && span.Len() == 0 && hole.Start >= len(nl) &&
		c.tree.Slice(text.Span{Start: span.Start, End: span.Start + len(nl)}) == nl {
		span.Start += len(nl)
		span.End = span.Start
		src = src[len(nl):] + nl
		hole.Start -= len(nl)
		hole.End -= len(nl)
	}
	at := c.rng(span)
	if at.Start.Character > 0 && strings.ContainsAny(src, "\r\n") {
		return nil
	}
	value := escapeSnippet(src[:hole.Start])
	if hole.Len() > 0 {
		value += "${1:" + escapeSnippet(src[hole.Start:hole.End]) + "}"
	} else {
		value += "$0"
	}
	value += escapeSnippet(src[hole.End:])
	return &protocol.SnippetTextEdit{Range: at, Snippet: protocol.StringValue{Kind: "snippet", Value: value}}
}

// escapeSnippet escapes what means something in a snippet.
func escapeSnippet(s string) string {
	return strings.NewReplacer(`\`, `\\`, `$`, `\$`, `}`, `\}`).Replace(s)
}
