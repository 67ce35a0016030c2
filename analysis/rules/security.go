package rules

import (
	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// poisonFacts is what the poison rules keep with a block: the units that have
// something to say, with what they say, relative to the block.
type poisonFacts struct {
	units []poison.Unit
	facts []*poison.UnitFacts
}

// securityFacts reads one block for the poison rules.
func securityFacts(p *analysis.BlockPass) any {
	if poison.Quiet(p.Text()) {
		return nil
	}
	var out *poisonFacts
	list := units.OfBlock(p.Block)
	for i := range list {
		f := poison.Facts(&list[i])
		if f == nil {
			continue
		}
		if out == nil {
			out = &poisonFacts{}
		}
		out.units = append(out.units, list[i])
		out.facts = append(out.facts, f)
	}
	if out == nil {
		return nil
	}
	return out
}

// judgePoison puts the facts of a pack together. It serves all poison rules at
// once, because their evidence is shared.
func judgePoison(p *analysis.PackPass) {
	in := poison.Input{All: func(want func(string) bool, yield func(*poison.Unit) bool) { units.All(p.Pack, "", want, yield) }}
	for _, f := range units.LoadOrder(p.Pack) {
		if f.Err != nil || !f.Regular() {
			continue
		}
		if f.Tree == nil {
			for _, u := range units.OfFile(p.Pack, f) {
				if facts := poison.Facts(u); facts != nil {
					in.Units, in.Facts = append(in.Units, u), append(in.Facts, facts)
				}
			}
			continue
		}
		doc := units.Document(f)
		p.Facts(f, func(it parser.Item, v any) bool {
			b, ok := v.(*poisonFacts)
			if !ok {
				return true
			}
			for i := range b.units {
				in.Units = append(in.Units, units.Moved(&b.units[i], "", f.Path, it.Offset, doc))
				in.Facts = append(in.Facts, b.facts[i])
			}
			return true
		})
	}
	findings := poison.Judge(in)
	for _, f := range p.Pack.Files {
		if f.Tree != nil {
			src := f.Text
			if src == "" { // an editor's buffer is a tree alone
				src = f.Tree.String()
			}
			findings = append(findings, poison.Structure(f.Path, src)...)
		}
	}
	for i := range findings {
		reportPoison(p, &findings[i])
	}
}

func reportPoison(p *analysis.PackPass, f *poison.Finding) {
	var fixes []analysis.Fix
	if len(f.Fix) > 0 {
		x := analysis.Fix{Title: f.Title, Safety: analysis.Safe}
		for _, e := range f.Fix {
			x.Edits = append(x.Edits, analysis.FileEdit{Path: f.File, Span: text.Span{Start: e.Start, End: e.End}, New: e.New})
		}
		fixes = append(fixes, x)
	}
	d := p.ReportRule(f.Rule, SeverityOf(f.Severity), f.File, text.Span{Start: f.Start, End: f.End}, f.Message, fixes...)
	for _, r := range f.Related {
		d.Related = append(d.Related, analysis.Related{Path: r.File, Span: text.Span{Start: r.Start, End: r.End}, Message: r.Message})
	}
	if file := p.Pack.File(f.File); file != nil {
		d.Unit = unitLine(file, f.Start)
	}
}

// unitLine is the line of the tag of the primitive at an offset, 0 outside of
// primitives.
func unitLine(f *pack.File, offset int) int {
	if f.Tree == nil {
		return 0
	}
	it, ok := f.Tree.AtOffset(offset)
	if !ok || it.Tag().End == 0 {
		return 0
	}
	return it.Line + 1
}

// SeverityOf is the rank of a finding of package poison among all findings.
func SeverityOf(s poison.Severity) analysis.Severity {
	switch s {
	case poison.Error:
		return analysis.Error
	case poison.Warning:
		return analysis.Warning
	}
	return analysis.Info
}
