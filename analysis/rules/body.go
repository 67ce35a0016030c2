package rules

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

var missingValence = &analysis.Rule{
	Slug: "missing-valence", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5",
	Summary: "a demonstration does not say whether it is to be matched or avoided",
	Doc:     "A demonstration needs `positive`, `negative` or `mixed` as its first facet. Without it an agent can't tell an example to follow from one to avoid.",
	Bad:     "[demo] Rye, 900 g, 7.20",
	Good:    "[demo positive] Rye, 900 g, 7.20",
	Fix:     "inserts the valence you choose",
	On:      analysis.OnOddTag,
	Block: func(p *analysis.BlockPass) {
		if f, _ := firstFacetFault(p); f != noValence {
			return
		}
		var fixes []analysis.Fix
		for _, v := range parser.Demonstration.Facets()[0].Values {
			ins := " " + v
			if len(p.Facets()) > 0 {
				ins += ","
			}
			at := p.Word().End
			fixes = append(fixes, analysis.Fix{Title: "Insert `" + v + "`", Safety: analysis.Manual, Edits: []analysis.FileEdit{analysis.Edit(at, at, ins)}})
		}
		p.Report(p.Tag(), "a demonstration needs a valence as its first facet: positive, negative or mixed", fixes...)
	},
}

var missingBody = &analysis.Rule{
	Slug: "missing-body", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 5",
	Summary: "a demonstration shows nothing",
	Doc:     "A demonstration is a whole artifact: on the tag line, or between braces whose `{` stands on the tag line. A `{` on the next line opens nothing.",
	Bad:     "[demo negative]\n{\nSopranos are late again.\n}",
	Good:    "[demo negative] {\nSopranos are late again.\n}",
	Fix:     "moves a `{` from the next line up to the tag",
	On:      analysis.OnDemonstration,
	Block: func(p *analysis.BlockPass) {
		if p.Kind() != parser.Primitive || p.Type() != parser.Demonstration || p.Unclosed() {
			return
		}
		r := p.Body()
		if parser.TrimSpace(p.Text()[r.Start:r.End]) != "" {
			return
		}
		var fixes []analysis.Fix
		if t := p.Tail(); !p.Brace() && t.Start < t.End {
			end, _ := text.LineEnd(p.Text(), t.Start)
			if parser.TrimSpace(p.Text()[t.Start:end]) == "{" && !p.HasReason() && closesBelow(p) {
				fixes = append(fixes, analysis.Fix{Title: "Move the brace up to the tag", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(p.Tag().End, end, " {")}})
			}
		}
		p.Report(p.Tag(), "a demonstration needs a body: an artifact on this line or between braces", fixes...)
	},
}

var unclosedBrace = &analysis.Rule{
	Slug: "unclosed-brace", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-f",
	Summary: "a brace block is never closed",
	Doc:     "A body ends at a line that is exactly `}`: nothing before it, nothing behind it. Without one, everything to the end of the file is the body, and all primitives in it are lost. Nothing else is reported for the swallowed lines.",
	Bad:     "[demo positive] {\nNGC 7789, 120 s\n  }",
	Good:    "[demo positive] {\nNGC 7789, 120 s\n}",
	Fix:     "inserts a closing line before the next primitive, or straightens one that is indented",
	On:      analysis.OnUnclosed,
	Block: func(p *analysis.BlockPass) {
		if p.Kind() != parser.Primitive || !p.Unclosed() || p.Format() != parser.V04 {
			return
		}
		h := p.Head()
		d := p.Report(parser.Rel{Start: h.End - 1, End: h.End}, "this brace is never closed: everything to the end of the file is its body")
		closeBrace(p, d)
	},
}

// closeBrace offers to close an open body: at a line that nearly closes it, or
// before the next tag that follows a blank line.
func closeBrace(p *analysis.BlockPass, d *analysis.Diagnostic) {
	src, body := p.Text(), p.Body()
	nl := text.Newline(src)
	blank := -1 // start of the run of blank lines before the current line
	for at := body.Start; at < body.End; {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		if parser.TrimSpace(line) == "}" || nearlyCloses(line) && closesAsMeant(src, next) {
			d.Related = append(d.Related, analysis.Related{Span: text.Span{Start: at, End: end}, Message: "this line does not close it: a closing line is exactly `}`"})
			fix := analysis.Fix{Title: "Straighten the closing line", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(at, end, "}")}}
			if more := alsoUnclosed(src, next, len(src)); len(more) > 0 {
				fix.Title = fmt.Sprintf("Straighten this closing line and %d below", len(more))
				fix.Edits = append(fix.Edits, more...)
			}
			d.Fixes = append(d.Fixes, fix)
			return
		}
		if parser.TrimSpace(line) == "" {
			if blank < 0 {
				blank = at
			}
		} else {
			if blank >= 0 && strings.HasPrefix(line, "[") && strings.Contains(line, "]") {
				d.Fixes = append(d.Fixes, analysis.Fix{Title: "Close the brace before the next primitive", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(blank, blank, "}"+nl)}})
				return
			}
			blank = -1
		}
		at = next
	}
	ins := nl + "}" + nl
	if body.Start == body.End || strings.HasSuffix(src, "\n") || strings.HasSuffix(src, "\r") {
		ins = "}" + nl
	}
	if body.Start == len(src) && !strings.HasSuffix(src, "\n") && !strings.HasSuffix(src, "\r") {
		ins = nl + "}" + nl
	}
	d.Fixes = append(d.Fixes, analysis.Fix{Title: "Close the brace at the end of the file", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(len(src), len(src), ins)}})
}

// closesAsMeant reports whether what stands behind a line is what stands behind a
// body: reason lines, blank lines, then a tag line or the end.
func closesAsMeant(src string, at int) bool {
	for at < len(src) {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		if parser.TrimSpace(line) != "" && !parser.IsReason(line) {
			return tagLine(line)
		}
		at = next
	}
	return true
}

// alsoUnclosed straightens the closing lines of the bodies that open behind an
// offset and would be open next, and next again. Whoever wrote one line in a way
// wrote the others so, and one fix for all ends where a fix for each would have
// the rest of the file read anew for every body.
func alsoUnclosed(src string, at, limit int) []analysis.FileEdit {
	var edits []analysis.FileEdit
	open := false
	for at < limit {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		switch {
		case !open:
			open = tagLine(line) && opensAs(typeOfTag(line), line)
		case line == "}":
			open = false
		case parser.TrimSpace(line) == "}" && closesAsMeant(src, next):
			edits = append(edits, analysis.Edit(at, end, "}"))
			open = false
		}
		at = next
	}
	return edits
}

var braceNonDemo = &analysis.Rule{
	Slug: "brace-non-demo", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-e",
	Summary: "a brace block on a primitive that is no demonstration",
	Doc:     "Only demonstrations have bodies of several lines. A lone `{` behind another tag is read as one, so that the rest of the file is not garbled. A sentence that ends in `{` is one line for these tools; readers that follow the letter of Part 5 would swallow what follows, hence the warning.",
	Bad:     "[directive must, org, permanent] {\nIn returns, always check the cord.\n}",
	Good:    "[directive must, org, permanent] In returns, always check the cord.",
	Fix:     "puts the sentence on the tag line",
	On:      analysis.OnBrace | analysis.OnBraceAtEnd,
	Block: func(p *analysis.BlockPass) {
		if p.Kind() != parser.Primitive || p.Format() != parser.V04 || p.Type() == parser.Demonstration || p.Type() == parser.Unknown || p.Unclosed() {
			return
		}
		h := p.Head()
		if !p.Brace() {
			if h.End > h.Start && p.Text()[h.End-1] == '{' {
				p.ReportAs(analysis.Warning, parser.Rel{Start: h.End - 1, End: h.End}, "other readers take a `{` at the end of this line for the start of a body and swallow what follows")
			}
			return
		}
		var fixes []analysis.Fix
		b := p.Body()
		if body := p.Text()[b.Start:b.End]; body != "" && text.CountBreaks(body) == 0 && parser.TrimSpace(body) != "" {
			_, close := text.LineEnd(p.Text(), b.End)
			end, _ := text.LineEnd(p.Text(), close)
			fixes = append(fixes, analysis.Fix{Title: "Put the sentence on the tag line", Safety: analysis.Suggested, Edits: []analysis.FileEdit{
				analysis.Edit(h.Start, b.Start, ""), analysis.Edit(b.End, end, ""),
			}})
		}
		p.Report(parser.Rel{Start: h.Start, End: h.End}, "a "+p.Written()+" is one line; only demonstrations have brace blocks", fixes...)
	},
}

var braceNearMiss = &analysis.Rule{
	Slug: "brace-near-miss", Severity: analysis.Warning, Scope: analysis.ScopeBlock, Spec: "Part 5; R-f",
	Summary: "a brace that nearly opens or closes a body, and does not",
	Doc: "The tag line of a brace block ends with `{`. White space behind it makes the line single-line content, and the lines below belong to nothing.\n\n" +
		"A body ends at a line that is exactly `}`. One with white space, a full stop or another brace is text of the body, and so is all that follows, up to the `}` of some later body: primitives are lost without a word. It is reported where a tag line of a known type follows such a line, and where a body opens within a body. A tag line behind a blank line in a body is else an info, since bodies are verbatim and may show how primitives are written. As long as a body seems to have swallowed primitives, `--fix` writes no counts.",
	Bad:  "[demo positive] { \nWeir 97 cm, falling\n}",
	Good: "[demo positive] {\nWeir 97 cm, falling\n}",
	Fix:  "removes the white space, or closes the body",
	On:   analysis.OnBrace | analysis.OnDemonstration,
	Block: func(p *analysis.BlockPass) {
		reportSwallowed(p)
		if p.Kind() != parser.Primitive || p.Type() != parser.Demonstration || p.Brace() || p.Format() != parser.V04 {
			return
		}
		h := p.Head()
		head := p.Text()[h.Start:h.End]
		cut := strings.TrimRight(head, " \t\u00a0")
		if cut == head || !strings.HasSuffix(cut, "{") {
			return
		}
		at := h.Start + len(cut)
		p.Report(parser.Rel{Start: at - 1, End: at}, "this brace opens nothing: white space follows it on the line",
			analysis.Fix{Title: "Remove the white space behind the brace", Safety: opening(p), Edits: []analysis.FileEdit{analysis.Edit(at, h.End, "")}})
	},
}

// opening is the safety of a fix that makes the block open a brace: where no
// line of the block closes it, the fix would swallow what follows.
func opening(p *analysis.BlockPass) analysis.Safety {
	if closesBelow(p) {
		return analysis.Suggested
	}
	return analysis.Manual
}

// closesBelow reports whether a line that hangs on the block closes a brace.
func closesBelow(p *analysis.BlockPass) bool {
	src, t := p.Text(), p.Tail()
	for at := t.Start; at < t.End; {
		end, next := text.LineEnd(src, at)
		if src[at:end] == "}" {
			return true
		}
		at = next
	}
	return false
}

// opensAs reports whether a line's content opens a brace once its tag is of the type.
func opensAs(t parser.Type, content string) bool {
	return t == parser.Demonstration && strings.HasSuffix(content, "{")
}
