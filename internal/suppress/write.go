package suppress

import (
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// maxAnchor is the number of words by which a comment names a primitive or line.
const maxAnchor = 6

// Host is the file whose frontmatter holds the comment for a finding in the file
// at path, and the word for that file where it is another: only the principles
// speak for files that have no frontmatter.
func Host(path string) (host, in string, ok bool) {
	switch {
	case path == pack.ManifestName:
		return pack.MemoryDir + "/" + pack.PrinciplesName, "manifest", true
	case path == pack.AgentsName:
		return pack.MemoryDir + "/" + pack.PrinciplesName, "routing", true
	}
	return path, "", pack.IsCapability(path)
}

// Write makes the comment that silences a finding, as an edit of its host. in is
// what Host said, target the tree of the file with the finding, nil when that has
// none. ok is false where no comment can.
func Write(host *parser.Tree, target *parser.Tree, in string, d *analysis.Diagnostic, reason string) (e text.Edit, ok bool) {
	if host == nil || slices.Contains(Protected, d.Rule.Slug) {
		return e, false
	}
	front, found := host.AtIndex(0)
	if !found || front.Kind() != parser.Frontmatter || front.Unclosed() {
		return e, false
	}
	line := "# " + Marker + " suppress " + d.Rule.Slug
	if a := anchor(target, d); a != "" && in == "" {
		line += ` at "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(a) + `"`
	}
	if in != "" {
		line += " in " + in
	}
	line += " -- " + squeeze(reason) + text.Newline(front.Text())
	at := front.Offset + front.FrontmatterRange().End
	return text.Edit{Span: text.Span{Start: at, End: at}, New: line}, true
}

// anchor is the first words of the primitive, or else the line, of a finding; ""
// for findings in the frontmatter and wherever the words could be a credential,
// which a comment must not repeat.
func anchor(t *parser.Tree, d *analysis.Diagnostic) string {
	if t == nil {
		return ""
	}
	it, ok := t.AtOffset(d.Span.Start)
	if !ok || it.Kind() == parser.Frontmatter {
		return ""
	}
	content := it.Content()
	if it.Kind() != parser.Primitive || strings.TrimSpace(content) == "" {
		src := it.Text()
		at := min(max(d.Span.Start-it.Offset, 0), len(src))
		start := strings.LastIndexAny(src[:at], "\r\n") + 1
		end, _ := text.LineEnd(src, start)
		content = strings.TrimPrefix(src[start:end], text.BOM)
	}
	words := strings.Fields(content)
	s := strings.Join(words[:min(len(words), maxAnchor)], " ")
	if credential.MaskText(s) != s || strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f || r == 0xFFFD }) {
		return ""
	}
	return s
}
