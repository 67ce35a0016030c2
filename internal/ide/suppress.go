package ide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/parser/text"
)

// stillToSay is what a suppression gives as its reason at first.
const stillToSay = "say why"

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
	rel, in, ok := suppress.Host(f.Rel)
	if !ok {
		return analysis.FileEdit{}, false
	}
	host := f.Tree
	if in != "" {
		if f.View == nil {
			return analysis.FileEdit{}, false
		}
		file := f.View.Pack.File(rel)
		if file == nil {
			return analysis.FileEdit{}, false
		}
		host = file.Tree
	}
	e, ok := suppress.Write(host, f.Tree, in, d, stillToSay)
	at := strings.LastIndex(e.New, stillToSay)
	if !ok || at < 0 {
		return analysis.FileEdit{}, false
	}
	return analysis.FileEdit{Path: rel, Span: e.Span, New: e.New, Hole: text.Span{Start: at, End: at + len(stillToSay)}}, true
}
