package rules

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

var legend = &analysis.Rule{
	Slug: "legend", Severity: analysis.Warning, Scope: analysis.ScopeFile, Spec: "Part 2; R-j",
	Summary: "the citation legend is misplaced or malformed",
	Doc:     "A legend is `sources:` at column 0, the first line behind the frontmatter; its entries are indented by two spaces, `<code>: <title>`, each with at most one deeper line for a url. Anywhere else it is loose text. A code that no reason cites is shown as unnecessary in editors.",
	Bad:     "[claim] The saw is 250 mm.\n\nsources:\n  Manual: Saw manual, 2nd edition\n\n[claim] The blade is steel.\n  > [Manual]",
	Good:    "sources:\n  Manual: Saw manual, 2nd edition\n\n[claim] The saw is 250 mm.\n\n[claim] The blade is steel.\n  > [Manual]",
	Fix:     "moves the legend to the top",
	On:      analysis.OnLegend,
	Block: func(p *analysis.BlockPass) {
		if p.Kind() != parser.Legend || p.Format() != parser.V04 {
			return
		}
		if p.Misplaced() {
			end, _ := text.LineEnd(p.Text(), 0)
			p.Report(parser.Rel{End: end}, "a legend stands directly behind the frontmatter; here it is read as loose text")
			return
		}
		entries, problems := p.LegendEntries()
		for _, q := range problems {
			p.Report(q.Rel, q.Message)
		}
		if len(entries) == 0 && len(problems) == 0 {
			p.Report(parser.Rel{Start: p.Start(), End: p.End()}, "the legend is empty")
		}
	},
	File: func(p *analysis.FilePass) {
		for d := range p.Found("legend") {
			moveLegend(p, d)
		}
		if p.Legend.Block == nil {
			return
		}
		cites := p.Cites()
		for _, e := range p.Entries {
			if _, used := slices.BinarySearch(cites, e.Code); !used && e.Code != "" {
				d := p.ReportAs(analysis.Hint, p.Legend.At(parser.Rel{Start: e.Line.Start, End: e.End}), fmt.Sprintf("no reason cites %q", e.Code))
				d.Tags |= analysis.Unnecessary
			}
		}
	},
}

func moveLegend(p *analysis.FilePass, d *analysis.Diagnostic) {
	it, ok := p.Tree.AtOffset(d.Span.Start)
	if !ok || it.Kind() != parser.Legend || !it.Misplaced() || p.Legend.Block != nil || p.Frontmatter == nil || p.FrontmatterItem.Unclosed() {
		return
	}
	if entries, problems := it.LegendEntries(); len(entries) == 0 || len(problems) > 0 {
		return
	}
	src := it.Text()[:it.End()]
	nl := text.Newline(it.Text())
	at := p.FrontmatterItem.Offset + len(p.FrontmatterItem.Text())
	if at > it.Offset {
		return
	}
	d.Fixes = append(d.Fixes, analysis.Fix{Title: "Move the legend behind the frontmatter", Safety: analysis.Suggested, Edits: []analysis.FileEdit{
		{Path: p.File.Path, Span: text.Span{Start: at, End: at}, New: src + nl + nl},
		{Path: p.File.Path, Span: text.Span{Start: it.Offset, End: it.Offset + len(it.Text())}},
	}})
}

var citationUndefined = &analysis.Rule{
	Slug: "citation-undefined", Severity: analysis.Warning, Scope: analysis.ScopeFile, Spec: "Part 3; R-j",
	Summary: "a reason cites a short code that the legend does not define",
	Doc:     "A reason line that is exactly one bracket pair cites a source by its short code, in the very letters of the legend. The mark for exact words is ` — verbatim`, with an em dash between spaces; any other dash makes another code. In a file without a legend nothing is reported: the legend is optional.",
	Bad:     "sources:\n  Plate 88: Plate archive, box 88\n\n[claim] The comet was seen twice.\n  > [Plate 88]\n  > [Plate 89]",
	Good:    "sources:\n  Plate 88: Plate archive, box 88\n  Plate 89: Plate archive, box 89\n\n[claim] The comet was seen twice.\n  > [Plate 88]\n  > [Plate 89]",
	Fix:     "writes the dash or the code that was meant, or adds an entry to the legend",
	File: func(p *analysis.FilePass) {
		if len(p.Entries) == 0 || p.Tree.Format() != parser.V04 {
			return // a legend that defines nothing has a finding of its own
		}
		var codes []string
		for _, e := range p.Entries {
			codes = append(codes, e.Code)
		}
		slices.Sort(codes)
		var missing []string
		for _, c := range p.Cites() {
			if _, ok := slices.BinarySearch(codes, c); !ok {
				missing = append(missing, c)
			}
		}
		if missing == nil {
			return
		}
		n := 0
		for it := range p.Citing(missing) {
			for c := range it.Citations {
				if _, ok := slices.BinarySearch(missing, c.Code); !ok {
					continue
				}
				d := p.Report(it.At(c.Reason), fmt.Sprintf("the legend does not define %q", c.Code), citationFixes(p, it, c, codes, &n)...)
				d.Unit = it.Line + 1
			}
		}
	},
}

func citationFixes(p *analysis.FilePass, it parser.Item, c parser.Citation, codes []string, n *int) []analysis.Fix {
	if *n++; *n > maxFixed {
		return nil
	}
	var fixes []analysis.Fix
	if i := strings.LastIndexAny(c.Code, "-–—"); i > 0 {
		base, tail := strings.TrimSpace(c.Code[:i]), strings.ToLower(strings.Trim(c.Code[i:], " -–—"))
		if _, ok := slices.BinarySearch(codes, base); ok && tail == "verbatim" {
			return []analysis.Fix{edit(p.File.Path, "Write the verbatim mark with an em dash", analysis.Safe, it.At(c.Rel), base+parser.Verbatim)}
		}
	}
	for _, code := range codes {
		if strings.EqualFold(code, c.Code) {
			fixes = append(fixes, edit(p.File.Path, fmt.Sprintf("Cite %q", code), analysis.Suggested, it.At(c.Rel), code))
		}
	}
	if len(fixes) == 0 {
		if near := nearest(c.Code, codes, 2); near != "" {
			fixes = append(fixes, edit(p.File.Path, fmt.Sprintf("Cite %q", near), analysis.Suggested, it.At(c.Rel), near))
		}
	}
	if n := len(p.Entries); n > 0 {
		at := p.Legend.Offset + p.Entries[n-1].End
		entry := text.Newline(p.Legend.Text()) + "  " + c.Code + ": " + c.Code
		fix := edit(p.File.Path, fmt.Sprintf("Add %q to the legend", c.Code), analysis.Manual, text.Span{Start: at, End: at}, entry)
		fix.Edits[0].Hole = text.Span{Start: len(entry) - len(c.Code), End: len(entry)} // the title
		fixes = append(fixes, fix)
	}
	return fixes
}

var citationDuplicate = &analysis.Rule{
	Slug: "citation-duplicate", Severity: analysis.Warning, Scope: analysis.ScopeFile, Spec: "Part 2; R-j",
	Summary: "the legend defines a short code twice",
	Doc:     "Readers keep the first or the last of two entries with the same code; which one is chance.",
	Bad:     "sources:\n  Glaze 12: Notebook, page 12\n  Glaze 12: Notebook, page 12, second copy\n\n[claim] Copper red is unstable.\n  > [Glaze 12]",
	Good:    "sources:\n  Glaze 12: Notebook, page 12\n  Glaze 12b: Notebook, page 12, second copy\n\n[claim] Copper red is unstable.\n  > [Glaze 12]\n  > [Glaze 12b]",
	File: func(p *analysis.FilePass) {
		first := map[string]parser.Rel{}
		for _, e := range p.Entries {
			if e.Code == "" {
				continue
			}
			if r, ok := first[e.Code]; ok {
				d := p.Report(p.Legend.At(e.CodeRel), fmt.Sprintf("%q is defined twice", e.Code))
				d.Related = []analysis.Related{{Path: p.File.Path, Span: p.Legend.At(r), Message: "first defined here"}}
				continue
			}
			first[e.Code] = e.CodeRel
		}
	},
}
