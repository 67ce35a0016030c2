package suppress

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Rule is the slug under which comments that do nothing are reported.
const Rule = "unused-suppression"

// Protected are the rules that no comment silences.
var Protected = []string{"credential", Rule}

// Apply drops the findings that comments silence, and adds one for each comment
// that is malformed or silences nothing. It may change ds in place.
func Apply(reg *analysis.Registry, p *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
	rule := reg.Rule(Rule)
	for _, f := range p.Files {
		if f.Tree == nil {
			continue
		}
		for _, c := range Comments(f.Tree) {
			used := map[string]bool{}
			problem := c.Problem
			if problem == "" {
				problem = check(reg, p, f, &c)
			}
			if problem == "" {
				ds = slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool {
					if !c.silences(p, f, &d) {
						return false
					}
					used[d.Rule.Slug] = true
					return true
				})
			}
			if rule != nil {
				ds = append(ds, report(rule, f, &c, problem, used)...)
			}
		}
	}
	return ds
}

// check says why a comment that reads well can't silence anything.
func check(reg *analysis.Registry, p *pack.Pack, f *pack.File, c *Comment) string {
	for _, w := range c.Rules {
		switch {
		case w.Slug == Rule:
			return "`" + Rule + "` cannot be silenced by a comment: remove the comment that it is about"
		case slices.Contains(Protected, w.Slug):
			return fmt.Sprintf("`%s` cannot be silenced by a comment; allow a credential by its fingerprint in .amp-lint.yaml", w.Slug)
		case reg.Rule(w.Slug) == nil:
			return fmt.Sprintf("there is no rule `%s`", w.Slug)
		}
	}
	if c.In == "" {
		return ""
	}
	if f.Name() != pack.PrinciplesName {
		return "`in` may stand in " + pack.PrinciplesName + " alone, which speaks for the whole pack"
	}
	return ""
}

func (c *Comment) silences(p *pack.Pack, f *pack.File, d *analysis.Diagnostic) bool {
	target := f.Path
	if c.In != "" {
		target = c.In
	}
	if d.Path != target || !slices.ContainsFunc(c.Rules, func(w Word) bool { return w.Slug == d.Rule.Slug }) {
		return false
	}
	return c.Anchor == "" || anchored(p.File(target), d, c.Anchor)
}

// anchored reports whether the primitive of a finding, or else its line, starts
// with the anchor. White space counts as one blank.
func anchored(f *pack.File, d *analysis.Diagnostic, anchor string) bool {
	if f == nil {
		return false
	}
	anchor = squeeze(anchor)
	if f.Tree != nil {
		if it, ok := f.Tree.AtOffset(d.Span.Start); ok && it.Kind() == parser.Primitive {
			if strings.HasPrefix(squeeze(it.Content()), anchor) {
				return true
			}
		}
	}
	at := min(d.Span.Start, len(f.Text))
	start := strings.LastIndexAny(f.Text[:at], "\r\n") + 1
	end, _ := text.LineEnd(f.Text, start)
	return strings.HasPrefix(squeeze(strings.TrimPrefix(f.Text[start:end], text.BOM)), anchor)
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

func report(rule *analysis.Rule, f *pack.File, c *Comment, problem string, used map[string]bool) []analysis.Diagnostic {
	remove := analysis.Fix{Title: "Remove the comment", Safety: analysis.Suggested, Edits: []analysis.FileEdit{{Path: f.Path, Span: c.Line}}}
	finding := func(s text.Span, msg string, fixes ...analysis.Fix) analysis.Diagnostic {
		d := analysis.New(rule, rule.Severity, f.Path, s, msg)
		d.Tags, d.Fixes = analysis.Unnecessary, fixes
		return d
	}
	if problem != "" {
		return []analysis.Diagnostic{finding(c.Span, "this comment silences nothing: "+problem)}
	}
	var out []analysis.Diagnostic
	if len(used) == 0 {
		return append(out, finding(c.Span, "this comment silences nothing: no finding fits it", remove))
	}
	for _, w := range c.Rules {
		if !used[w.Slug] {
			out = append(out, finding(w.Span, fmt.Sprintf("no finding of `%s` fits this comment", w.Slug)))
		}
	}
	return out
}
