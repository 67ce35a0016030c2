package rules

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
)

var malformedTag = &analysis.Rule{
	Slug: "malformed-tag", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 5; R-x",
	Summary: "a tag is not written as `[type facet, facet]`",
	Doc:     `White space stands between the type and the first facet, and a closing bracket ends the tag on the same line. A line that opens a tag and never closes it is no primitive for any reader: its content is lost.`,
	Bad:     "[demo-positive] Rye, 900 g, 7.20",
	Good:    "[demo positive] Rye, 900 g, 7.20",
	Fix:     "puts white space behind the type, or closes the bracket behind the last facet",
	On:      analysis.OnMalformed | analysis.OnOddTag,
	Block: func(p *analysis.BlockPass) {
		switch p.Kind() {
		case parser.Malformed:
			unclosedTag(p)
		case parser.Primitive:
			if !malformed(p) {
				return
			}
			r := p.FacetString()
			var fixes []analysis.Fix
			rest := strings.TrimLeft(p.Text()[r.Start:r.End], "-:,;=/. \t")
			if text, ok := asFacets(p.Type(), rest); ok {
				fixes = append(fixes, analysis.Fix{Title: "Separate the type from its facets", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(r.Start, r.End, text)}})
			}
			p.Report(parser.Rel{Start: r.Start, End: r.End}, fmt.Sprintf("malformed tag: expected white space or `]` after `%s`", p.Written()), fixes...)
		}
	},
}

// malformed reports whether the facet string of a known type does not start
// with white space; such facets are not judged (R-x).
func malformed(p *analysis.BlockPass) bool {
	if p.Kind() != parser.Primitive || p.Type() == parser.Unknown || p.Format() != parser.V04 {
		return false
	}
	r := p.FacetString()
	s := p.Text()[r.Start:r.End]
	_, n := utf8.DecodeRuneInString(s)
	return parser.TrimSpace(s[:n]) != ""
}

// asFacets reads s as a list of facets of the type and writes it in tag form.
func asFacets(t parser.Type, s string) (string, bool) {
	var toks []parser.Token
	for part := range strings.SplitSeq(s, ",") {
		if part = parser.TrimSpace(part); part != "" {
			toks = append(toks, parser.Token{Text: part})
		}
	}
	if len(toks) == 0 {
		return "", true
	}
	text, ok := orderFacets(t, toks, false)
	return " " + text, ok
}

func unclosedTag(p *analysis.BlockPass) {
	r := p.Head()
	line := p.Text()[r.Start:r.End]
	word := line[1:]
	for i := range len(word) {
		if !('a' <= word[i] && word[i] <= 'z') {
			word = word[:i]
			break
		}
	}
	var fixes []analysis.Fix
	if at := closeAt(parser.TypeOf(word), line, 1+len(word)); at > 0 {
		safety := analysis.Suggested
		if opensAs(parser.TypeOf(word), line) || parser.TrimSpace(line[at:]) == "{" {
			safety = opening(p)
		}
		fixes = append(fixes, analysis.Fix{Title: "Close the bracket", Safety: safety, Edits: []analysis.FileEdit{analysis.Edit(r.Start+at, r.Start+at, "]")}})
	}
	p.Report(r, "malformed tag: no `]` closes it on this line, so no reader sees a primitive here", fixes...)
}

// closeAt guesses where the tag was meant to end: behind the last legal facet
// value at the start of the line.
func closeAt(t parser.Type, line string, at int) int {
	for i := 0; ; i++ {
		specs := t.Facets()
		if i >= len(specs) {
			return at
		}
		j := at
		for j < len(line) && (line[j] == ' ' || line[j] == ',') {
			j++
		}
		k := j
		for k < len(line) && line[k] != ' ' && line[k] != ',' {
			k++
		}
		if !specs[i].Allows(line[j:k]) {
			return at
		}
		at = k
	}
}
