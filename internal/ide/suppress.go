package ide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// maxAnchor is the number of words by which a comment names a primitive.
const maxAnchor = 6

// suppressions offers, for each rule found at a span, a comment in the
// frontmatter that silences it there. The comment says where a reason goes: one
// without a reason silences nothing.
func suppressions(f *File, found []analysis.Diagnostic, span text.Span) []Action {
	var out []Action
	var done []string
	for i := range found {
		d := &found[i]
		if d.Span.End < span.Start || d.Span.Start > span.End || d.Severity < analysis.Info ||
			slices.Contains(suppress.Protected, d.Rule.Slug) || slices.Contains(done, d.Rule.Slug) {
			continue
		}
		done = append(done, d.Rule.Slug)
		if e, ok := suppression(f, d); ok {
			out = append(out, Action{Title: fmt.Sprintf("Ignore %s here, with a reason", d.Rule.Slug), Kind: KindQuickFix, Finding: d, Edits: []analysis.FileEdit{e}})
		}
	}
	return out
}

func suppression(f *File, d *analysis.Diagnostic) (analysis.FileEdit, bool) {
	rel, tree, in := f.Rel, f.Tree, ""
	if f.Kind != session.Capability {
		// Only the principles speak for the files that have no frontmatter.
		if f.View == nil {
			return analysis.FileEdit{}, false
		}
		rel, in = pack.MemoryDir+"/"+pack.PrinciplesName, " in "+f.Rel
		file := f.View.Pack.File(rel)
		if file == nil || file.Tree == nil {
			return analysis.FileEdit{}, false
		}
		tree = file.Tree
	}
	front, ok := tree.AtIndex(0)
	if !ok || front.Kind() != parser.Frontmatter || front.Unclosed() {
		return analysis.FileEdit{}, false
	}
	anchor := ""
	if in == "" {
		if it, ok := f.block(d.Span.Start); ok && it.Kind() == parser.Primitive {
			anchor = anchorOf(it)
		}
	}
	at := front.Offset + front.FrontmatterRange().End
	line := "# " + suppress.Marker + " ignore " + d.Rule.Slug + anchor + in + " -- say why" + text.Newline(front.Text())
	return analysis.FileEdit{Path: rel, Span: text.Span{Start: at, End: at}, New: line}, true
}

// anchorOf names a primitive by its first words.
func anchorOf(it parser.Item) string {
	words := strings.Fields(it.Content())
	if len(words) == 0 {
		return ""
	}
	s := strings.Join(words[:min(len(words), maxAnchor)], " ")
	return ` at "` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(s) + `"`
}
