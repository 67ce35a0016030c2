package rules

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
)

var unknownType = &analysis.Rule{
	Slug: "unknown-type", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3; R-k, R-v",
	Summary: "the first word of a tag is none of the primitive types",
	Doc: `A line that starts with a bracketed word opens a primitive, and the word must be ` + "`goal`, `claim`, `directive`, `demonstration` or its alias `demo`" + `, exactly and in lower case. There is no fifth type.

Markdown links, ticked boxes and link definitions at the start of a line look like tags to every reader and are reported here too.`,
	Bad:  "[Directive must, org, permanent] In returns, always check the cord.",
	Good: "[directive must, org, permanent] In returns, always check the cord.",
	Fix:  "writes the type the word most likely means; a tag that is only in the wrong letter case is put into lower case",
	On:   analysis.OnUnknownType,
	Block: func(p *analysis.BlockPass) {
		if p.Kind() != parser.Primitive || p.Type() != parser.Unknown || p.Format() != parser.V04 {
			return
		}
		word, r := p.Written(), p.Word()
		lower := strings.ToLower(word)
		if parser.TypeOf(lower) != parser.Unknown {
			edits := []analysis.FileEdit{analysis.Edit(r.Start, r.End, lower)}
			for i, spec := range parser.TypeOf(lower).Facets() {
				if i < len(p.Facets()) && !spec.Allows(p.Facets()[i].Text) && spec.Allows(strings.ToLower(p.Facets()[i].Text)) {
					edits = append(edits, analysis.Edit(p.Facets()[i].Start, p.Facets()[i].End, strings.ToLower(p.Facets()[i].Text)))
				}
			}
			safety := analysis.Safe
			if opensAs(parser.TypeOf(lower), p.Text()[p.Head().Start:p.Head().End]) && !p.Brace() {
				safety = opening(p)
			}
			p.Report(r, fmt.Sprintf("unknown primitive type %q: types are written in lower case, %q", word, lower),
				analysis.Fix{Title: "Write the tag in lower case", Safety: safety, Edits: edits})
			return
		}
		head := p.Text()[p.Head().Start:p.Head().End]
		switch {
		case strings.HasPrefix(head, "(") || strings.HasPrefix(head, ":"):
			p.Report(r, fmt.Sprintf("unknown primitive type %q: a line that starts with a Markdown link reads as a tag", word))
		case lower == "x":
			p.Report(r, fmt.Sprintf("unknown primitive type %q: a line that starts with a ticked box reads as a tag", word))
		default:
			var fixes []analysis.Fix
			if near := nearest(lower, parser.TypeWords, 2); near != "" {
				safety := analysis.Suggested
				if opensAs(parser.TypeOf(near), head) && !p.Brace() {
					safety = opening(p)
				}
				fixes = append(fixes, analysis.Fix{Title: fmt.Sprintf("Change the type to `%s`", near), Safety: safety, Edits: []analysis.FileEdit{analysis.Edit(r.Start, r.End, near)}})
			}
			p.Report(r, fmt.Sprintf("unknown primitive type %q, expected goal, claim, directive, demonstration or demo", word), fixes...)
		}
	},
}

// nearest is the candidate at the smallest edit distance from word, "" when
// none is within max or two are equally near.
func nearest(word string, candidates []string, limit int) string {
	best, dist, tie := "", limit+1, false
	for _, c := range candidates {
		if d := distance(word, c, limit); d < dist {
			best, dist, tie = c, d, false
		} else if d == dist && d <= limit {
			tie = true
		}
	}
	if tie || dist >= len(word) {
		return ""
	}
	return best
}

// distance is the number of insertions, deletions, replacements and swaps of
// neighbours (bytes) that turn a into b, limit+1 when there are more.
func distance(a, b string, limit int) int {
	if len(a)-len(b) > limit || len(b)-len(a) > limit || len(a) > 64 {
		return limit + 1
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return min(prev[len(b)], limit+1)
}
