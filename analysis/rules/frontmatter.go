package rules

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

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
	Fix:     "inserts a frontmatter with the right counts, a missing key or colon, quotes, or the closing `---`",
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
			p.Report(text.Span{Start: start, End: start + 3}, "the frontmatter is never closed by a `---` line", closeFence(p))
			return
		}
		if f.Err != nil {
			p.Report(it.At(f.Err.Rel), f.Err.Message, yamlFixes(p)...)
			return
		}
		checkKeys(p)
	},
}

// yamlFixes are for the slips that a frontmatter's error names. Quotes keep every
// character of the value, and so its meaning.
func yamlFixes(p *analysis.FilePass) []analysis.Fix {
	e, it := p.Frontmatter.Err, p.FrontmatterItem
	switch {
	case e.Quote != parser.Rel{}:
		value := strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(p.Tree.Slice(it.At(e.Quote)))
		return []analysis.Fix{edit(p.File.Path, "Put the value in quotes", analysis.Safe, it.At(e.Quote), `"`+value+`"`)}
	case e.Colon != parser.Rel{}:
		return []analysis.Fix{edit(p.File.Path, "Insert the colon", analysis.Suggested, it.At(e.Colon), ":")}
	}
	return nil
}

func edit(path, title string, s analysis.Safety, span text.Span, new string) analysis.Fix {
	return analysis.Fix{Title: title, Safety: s, Edits: []analysis.FileEdit{{Path: path, Span: span, New: new}}}
}

func noFrontmatter(p *analysis.FilePass) {
	if it, ok := displacedFence(p); ok {
		at := bomLen(p)
		d := p.Report(text.Span{Start: at, End: at}, "the frontmatter must start on line 1", moveFence(p, it)...)
		d.Related = []analysis.Related{{Path: p.File.Path, Span: text.Span{Start: it.Offset, End: it.Offset + 3}, Message: "it stands here"}}
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

// closeFence closes a frontmatter behind its last line that reads as YAML of ours:
// at the first blank line, or where the primitives start.
func closeFence(p *analysis.FilePass) analysis.Fix {
	it, inner := p.FrontmatterItem, p.Frontmatter.Inner
	src, nl := it.Text(), text.Newline(it.Text())
	at := inner.Start
	for at < inner.End {
		end, next := text.LineEnd(src, at)
		if line := src[at:end]; parser.TrimSpace(line) == "" || !strings.Contains(line, ":") {
			break
		}
		at = next
	}
	ins := "---" + nl
	if at > 0 && src[at-1] != '\n' && src[at-1] != '\r' {
		ins = nl + ins
	}
	at += it.Offset
	return edit(p.File.Path, "Close the frontmatter", analysis.Suggested, text.Span{Start: at, End: at}, ins)
}

// moveFence moves a YAML block, from its opening line to its closing one, to the
// top of the file.
func moveFence(p *analysis.FilePass, it parser.Item) []analysis.Fix {
	src := it.Text()
	_, at := text.LineEnd(src, 0)
	for at < len(src) {
		end, next := text.LineEnd(src, at)
		if parser.TrimSpace(src[at:end]) == "---" {
			top := bomLen(p)
			if it.Offset == top {
				return nil // on line 1 already, only not as a reader wants it
			}
			fence := src[:end]
			if strings.HasPrefix(fence, "--- ") || src[at:end] != "---" {
				return nil
			}
			return []analysis.Fix{{Title: "Move the frontmatter to line 1", Safety: analysis.Suggested, Edits: []analysis.FileEdit{
				{Path: p.File.Path, Span: text.Span{Start: top, End: top}, New: fence + text.Newline(src)},
				{Path: p.File.Path, Span: text.Span{Start: it.Offset, End: it.Offset + next}},
			}}}
		}
		at = next
	}
	return nil
}

func bomLen(p *analysis.FilePass) int {
	if it, ok := p.Tree.AtIndex(0); ok && strings.HasPrefix(it.Text(), text.BOM) {
		return len(text.BOM)
	}
	return 0
}

// topic makes words of a file's name, for YAML and for a table's cell alike.
func topic(file string) string {
	words := strings.FieldsFunc(strings.TrimSuffix(file, ".md"), func(c rune) bool {
		return c < 0x80 && !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '.') || !unicode.IsPrint(c)
	})
	switch s := strings.Join(words, " "); strings.ToLower(s) {
	case "", "null", "true", "false", "yes", "no", "on", "off":
		return "the topic " + s
	default:
		return s
	}
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
			setValue(p, e, "cluster", analysis.Suggested)...)
	}
	if e := f.Entry("applies_to"); e == nil || e.Kind == pack.Null || e.Kind == pack.Scalar && parser.TrimSpace(e.Value) == "" {
		p.ReportAs(analysis.Warning, spanOr(it, e, top), "the frontmatter does not say in `applies_to` what tasks the file is for")
	} else if e.Kind != pack.Scalar || strings.Contains(parser.TrimSpace(e.Value), "\n") {
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
			fixes = append(fixes, setValue(p, e, v, s)...)
		}
		p.Report(it.At(e.KeyRel), fmt.Sprintf("source must be self, imported or inferred, got %s", shown(e)), fixes...)
	}
	if e := f.Entry("primitive_counts"); e != nil && e.Kind != pack.Null && e.Kind != pack.Mapping {
		p.ReportAs(analysis.Warning, it.At(e.KeyRel), "primitive_counts must map types to numbers")
	}
}

// setValue writes the value of a key whose value is a scalar or missing.
func setValue(p *analysis.FilePass, e *pack.Entry, v string, s analysis.Safety) []analysis.Fix {
	at := p.FrontmatterItem.At(e.ValueRel)
	switch {
	case e.Kind == pack.Null:
		at = p.FrontmatterItem.At(parser.Rel{Start: e.KeyRel.End + 1, End: e.KeyRel.End + 1})
		return []analysis.Fix{edit(p.File.Path, "Change to `"+v+"`", s, at, " "+v)}
	case e.Kind != pack.Scalar || at.Start == at.End || p.Tree.Slice(at) != e.Value && !quoted(p.Tree.Slice(at)):
		return nil // a list, or a value over several lines
	}
	return []analysis.Fix{edit(p.File.Path, "Change to `"+v+"`", s, at, v)}
}

func quoted(s string) bool {
	return len(s) >= 2 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] && !strings.ContainsAny(s, "\r\n")
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
