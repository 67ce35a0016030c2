package lsp

import (
	"strings"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Positions become lines and columns at the last moment, in this file, with the
// encoding that was negotiated. Everything else counts bytes.

// converter converts positions of one text.
type converter struct {
	tree *parser.Tree
	enc  text.Encoding
}

func (c converter) position(offset int) protocol.Position {
	line, units := c.tree.Position(offset, c.enc)
	return protocol.Position{Line: uint32(line), Character: uint32(units)}
}

// rng converts a span. One that ends inside a character covers that character:
// rounded down it could be empty, and an editor would show nothing.
func (c converter) rng(s text.Span) protocol.Range {
	if s.Len() > 0 {
		for _, b := range []byte(c.tree.Slice(text.Span{Start: s.End, End: s.End + 3})) {
			if b&0xC0 != 0x80 {
				break
			}
			s.End++
		}
	}
	return protocol.Range{Start: c.position(s.Start), End: c.position(s.End)}
}

func (c converter) offset(p protocol.Position) int {
	return c.tree.Offset(int(min(p.Line, 1<<30)), int(min(p.Character, 1<<30)), c.enc)
}

// span converts a range; a reversed one is put in order.
func (c converter) span(r protocol.Range) text.Span {
	s := text.Span{Start: c.offset(r.Start), End: c.offset(r.End)}
	if s.End < s.Start {
		s.Start, s.End = s.End, s.Start
	}
	return s
}

func (r *request) conv(t *parser.Tree) converter {
	return converter{tree: t, enc: r.client.encoding}
}

// documentURL is where the documentation of a rule is read.
const documentURL = "https://github.com/amp-toolchain/amp/blob/main/docs/rules/"

// source is what diagnostics name as their origin.
const source = "amp"

// diagnostics converts findings of one text. files resolves the texts of
// related places; it may be nil.
func (s *Server) diagnostics(c converter, found []analysis.Diagnostic, files *locator) []protocol.Diagnostic {
	out := make([]protocol.Diagnostic, 0, len(found))
	for i := range found {
		out = append(out, s.diagnostic(c, &found[i], files))
	}
	return out
}

func (s *Server) diagnostic(c converter, f *analysis.Diagnostic, files *locator) protocol.Diagnostic {
	d := protocol.Diagnostic{
		Range:    c.rng(f.Span),
		Severity: severity(f.Severity),
		Code:     protocol.String(f.Rule.Slug),
		Source:   protocol.NewOptional(source),
		Message:  protocol.String(f.Message),
	}
	if s.client.markupMessages {
		d.Message = &protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: messageMarkdown(f)}
	}
	if s.client.codeDescription {
		d.CodeDescription = protocol.CodeDescription{Href: uri.URI(documentURL + f.Rule.Slug + ".md")}
	}
	if f.Tags != 0 {
		var tags []protocol.DiagnosticTag
		if f.Tags&analysis.Unnecessary != 0 && s.client.tags[protocol.DiagnosticTagUnnecessary] {
			tags = append(tags, protocol.DiagnosticTagUnnecessary)
		}
		if f.Tags&analysis.Deprecated != 0 && s.client.tags[protocol.DiagnosticTagDeprecated] {
			tags = append(tags, protocol.DiagnosticTagDeprecated)
		}
		if tags != nil {
			d.Tags = protocol.NewDiagnosticTags(tags...)
		}
	}
	if !s.client.relatedInformation || files == nil {
		return d
	}
	for _, rel := range f.Related {
		if loc, ok := files.location(rel.Path, rel.Span); ok {
			d.RelatedInformation = append(d.RelatedInformation, protocol.DiagnosticRelatedInformation{Location: loc, Message: rel.Message})
		}
	}
	return d
}

// messageMarkdown is the message of a finding, word for word, with what the rule
// asks for below.
func messageMarkdown(f *analysis.Diagnostic) string {
	md := escapeMarkdown(f.Message) + "\n\n" + escapeMarkdown(f.Rule.Summary)
	if f.Rule.Spec != "" {
		md += " (" + escapeMarkdown(f.Rule.Spec) + ")"
	}
	return md
}

// escapeMarkdown makes Markdown that shows a text as it is: what a pack says must
// not become a link or an image in a message, not even one made of a bare address.
func escapeMarkdown(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch r {
		case '\n', '\r', '\t':
			r = ' '
		case '\\', '`', '*', '_', '{', '}', '[', ']', '<', '>', '(', ')', '#', '!', '|', '~', '&', '@', '^', '$':
			b.WriteByte('\\')
		case ':':
			if strings.HasPrefix(s[i:], "://") {
				b.WriteByte('\\')
			}
		case '.':
			if i >= 3 && strings.EqualFold(s[i-3:i], "www") {
				b.WriteByte('\\')
			}
		case '-', '+', '=':
			if i == 0 {
				b.WriteByte('\\') // a list, or a line under a heading
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

func severity(s analysis.Severity) protocol.DiagnosticSeverity {
	switch s {
	case analysis.Error:
		return protocol.DiagnosticSeverityError
	case analysis.Warning:
		return protocol.DiagnosticSeverityWarning
	case analysis.Info:
		return protocol.DiagnosticSeverityInformation
	default:
		return protocol.DiagnosticSeverityHint
	}
}

// locator resolves places in the files of one pack, or of one loose document.
type locator struct {
	snap *session.Snapshot
	view *session.View
	doc  *session.Doc // for documents outside of packs
	enc  text.Encoding
	seen map[string]*parser.Tree
}

func (s *Server) locator(snap *session.Snapshot, v *session.View, d *session.Doc) *locator {
	return &locator{snap: snap, view: v, doc: d, enc: s.client.encoding, seen: map[string]*parser.Tree{}}
}

// file returns URI and text of a file named by its path in the pack.
func (l *locator) file(rel string) (uri.URI, converter, bool) {
	if l.view == nil {
		return uri.URI(l.doc.URI), converter{l.doc.Tree, l.enc}, true
	}
	t, ok := l.seen[rel]
	if !ok {
		t = l.view.Tree(l.snap, rel)
		l.seen[rel] = t
	}
	if t == nil {
		return "", converter{}, false
	}
	return uri.URI(l.view.FileURI(l.snap, rel)), converter{t, l.enc}, true
}

func (l *locator) location(rel string, span text.Span) (protocol.Location, bool) {
	u, c, ok := l.file(rel)
	if !ok {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: u, Range: c.rng(span)}, true
}
