package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Sources are the legal values of a capability file's source (S2.37).
var Sources = []string{"self", "imported", "inferred"}

var frontmatter = &analysis.Rule{
	Slug: "frontmatter", Severity: analysis.Error, Scope: analysis.ScopeFile, Spec: "Part 2; R-fm",
	Summary: "a capability file's frontmatter is missing or wrong",
	Doc:     "A capability file starts, on line 1, with a YAML block between `---` lines that declares `type: cluster`, `applies_to` (one line), `source` (self, imported or inferred) and `primitive_counts`. Without it, or with YAML that can't be read, an agent can't tell what the file is for. A missing `source` or `applies_to` is a warning.",
	Bad:     "---\ntype: cluster\napplies_to: timetable questions\nsource: other\n---\n\n[claim] The last boat is at 22:10.",
	Good:    "---\ntype: cluster\napplies_to: timetable questions\nsource: imported\n---\n\n[claim] The last boat is at 22:10.",
	Fix:     "inserts a frontmatter with the right counts, a missing key, or the closing `---`",
	File: func(p *analysis.FilePass) {
		if p.Tree.Format() != parser.V04 {
			return
		}
		f := p.Frontmatter
		if f == nil {
			noFrontmatter(p)
			return
		}
		it := p.FrontmatterItem
		start := it.Offset + it.Start()
		if it.Unclosed() {
			nl := text.Newline(it.Text())
			at := it.Offset + f.Inner.End
			p.Report(text.Span{Start: start, End: start + 3}, "the frontmatter is never closed by a `---` line",
				edit(p.File.Path, "Close the frontmatter", analysis.Suggested, text.Span{Start: at, End: at}, "---"+nl))
			return
		}
		if f.Err != nil {
			p.Report(it.At(f.Err.Rel), "the frontmatter is not valid YAML: "+f.Err.Message)
			return
		}
		checkKeys(p)
	},
}

func edit(path, title string, s analysis.Safety, span text.Span, new string) analysis.Fix {
	return analysis.Fix{Title: title, Safety: s, Edits: []analysis.FileEdit{{Path: path, Span: span, New: new}}}
}

func noFrontmatter(p *analysis.FilePass) {
	if it, ok := displacedFence(p); ok {
		p.Report(text.Span{Start: it.Offset, End: it.Offset + 3}, "the frontmatter must start on line 1",
			edit(p.File.Path, "Move the frontmatter to line 1", analysis.Suggested, text.Span{Start: bomLen(p), End: it.Offset}, ""))
		return
	}
	nl := "\n"
	if it, ok := p.Tree.AtIndex(0); ok {
		nl = text.Newline(it.Text())
	}
	s := p.Tree.Summary()
	lines := []string{"---", "type: cluster", "applies_to: " + topic(p.File.Name()), "source: self", "primitive_counts:"}
	for _, t := range countOrder {
		lines = append(lines, fmt.Sprintf("  %s: %d", t, s.Types[t]))
	}
	lines = append(lines, "---", "", "")
	at := bomLen(p)
	p.Report(text.Span{Start: at, End: at}, "the file has no frontmatter: line 1 must be `---`",
		edit(p.File.Path, "Insert a frontmatter", analysis.Suggested, text.Span{Start: at, End: at}, strings.Join(lines, nl)))
}

func bomLen(p *analysis.FilePass) int {
	if it, ok := p.Tree.AtIndex(0); ok && strings.HasPrefix(it.Text(), text.BOM) {
		return len(text.BOM)
	}
	return 0
}

func topic(file string) string {
	return strings.ReplaceAll(strings.TrimSuffix(file, ".md"), "-", " ")
}

func checkKeys(p *analysis.FilePass) {
	it, f := p.FrontmatterItem, p.Frontmatter
	nl := text.Newline(it.Text())
	end := it.Offset + f.Inner.End
	insert := func(line string) analysis.Fix {
		return edit(p.File.Path, "Insert `"+line+"`", analysis.Suggested, text.Span{Start: end, End: end}, line+nl)
	}
	top := text.Span{Start: it.Offset + it.Start(), End: it.Offset + it.Start() + 3}
	if e := f.Entry("type"); e == nil {
		p.ReportAs(analysis.Warning, top, "the frontmatter has no `type: cluster`", insert("type: cluster"))
	} else if e.Kind != pack.Scalar || e.Value != "cluster" {
		p.Report(it.At(e.KeyRel), fmt.Sprintf("type must be cluster, got %s", shown(e)),
			edit(p.File.Path, "Change to `cluster`", analysis.Suggested, it.At(e.ValueRel), "cluster"))
	}
	if e := f.Entry("applies_to"); e == nil || e.Kind == pack.Null || e.Kind == pack.Scalar && parser.TrimSpace(e.Value) == "" {
		p.ReportAs(analysis.Warning, spanOr(it, e, top), "the frontmatter does not say in `applies_to` what tasks the file is for")
	} else if e.Kind != pack.Scalar {
		p.ReportAs(analysis.Warning, it.At(e.KeyRel), "applies_to must be one line of text")
	}
	if e := f.Entry("source"); e == nil {
		p.ReportAs(analysis.Warning, top, "the frontmatter has no `source` (self, imported or inferred)", insert("source: self"))
	} else if e.Kind != pack.Scalar || !contains(Sources, e.Value) {
		var fixes []analysis.Fix
		for _, v := range Sources {
			s := analysis.Manual
			if nearest(strings.ToLower(e.Value), Sources, 2) == v {
				s = analysis.Suggested
			}
			if e.ValueRel.Start < e.ValueRel.End {
				fixes = append(fixes, edit(p.File.Path, "Change to `"+v+"`", s, it.At(e.ValueRel), v))
			}
		}
		p.Report(it.At(e.KeyRel), fmt.Sprintf("source must be self, imported or inferred, got %s", shown(e)), fixes...)
	}
	if e := f.Entry("primitive_counts"); e != nil {
		switch {
		case e.Kind == pack.Null:
		case e.Kind != pack.Mapping:
			p.ReportAs(analysis.Warning, it.At(e.KeyRel), "primitive_counts must map types to numbers")
		default:
			for i := range e.Children {
				c := &e.Children[i]
				if n, err := strconv.Atoi(c.Value); c.Kind != pack.Scalar || err != nil || n < 0 {
					p.ReportAs(analysis.Warning, it.At(c.KeyRel), fmt.Sprintf("the count of %s must be a whole number, got %s", c.Key, shown(c)))
				}
			}
		}
	}
}

func spanOr(it parser.Item, e *pack.Entry, s text.Span) text.Span {
	if e == nil {
		return s
	}
	return it.At(e.KeyRel)
}

func shown(e *pack.Entry) string {
	switch e.Kind {
	case pack.Mapping:
		return "a mapping"
	case pack.Sequence:
		return "a list"
	case pack.Null:
		return "nothing"
	}
	return strconv.Quote(e.Value)
}

func contains(list []string, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}
