package rules

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A swallow is what a closed brace body shows of primitives that were to stand
// behind it.
type swallow struct {
	certain bool       // more than a text that shows how primitives are written
	near    parser.Rel // the line that was to close the body, empty where none was
	tag     parser.Rel // the first tag line behind it
	blank   int        // start of the blank lines before tag
	tags    int        // tag lines from there on
}

// swallowed looks for tag lines in a body that has an end. A body is verbatim, and
// may show tags: those directly below `{` and those within a paragraph say nothing.
// One behind a line that nearly closes the body does, and so does one that opens a
// body of its own, since its `}` is the one that closed this.
func swallowed(b *parser.Block) (s swallow, ok bool) {
	if b.Kind() != parser.Primitive || !b.Brace() || b.Unclosed() || b.Format() != parser.V04 || b.Type() == parser.Unknown {
		return s, false
	}
	src, body := b.Text(), b.Body()
	if !strings.Contains(src[body.Start:body.End], "\n[") && !strings.Contains(src[body.Start:body.End], "\r[") {
		return s, false
	}
	near := parser.Rel{}
	blank := -1
	for at := body.Start; at < body.End; {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		switch {
		case parser.TrimSpace(line) == "":
			if blank < 0 {
				blank = at
			}
		case tagLine(line):
			if near.End > 0 || blank >= 0 {
				if s.tags == 0 {
					s.near, s.tag, s.blank = near, parser.Rel{Start: at, End: end}, blank
				}
				s.tags++
				s.certain = s.certain || near.End > 0 || opensAs(typeOfTag(line), line)
			}
			near, blank = parser.Rel{}, -1
		case nearlyCloses(line):
			near, blank = parser.Rel{Start: at, End: end}, -1
		case parser.IsReason(line) && near.End > 0:
			blank = -1
		default:
			near, blank = parser.Rel{}, -1
		}
		at = next
	}
	return s, s.tags > 0
}

// nearlyCloses reports whether a line was likely to close a body: a brace with
// white space, further braces or a mark around it.
func nearlyCloses(line string) bool {
	t := parser.TrimSpace(line)
	return strings.HasPrefix(t, "}") && strings.Trim(t, "}.,;`") == "" && line != "}"
}

func tagLine(line string) bool {
	return line != "" && line[0] == '[' && strings.Contains(line, "]") && typeOfTag(line) != parser.Unknown
}

func typeOfTag(line string) parser.Type {
	i := 1
	for i < len(line) && 'a' <= line[i] && line[i] <= 'z' {
		i++
	}
	if i == len(line) || line[i] != ']' && line[i] != ' ' && line[i] != '\t' {
		return parser.Unknown
	}
	return parser.TypeOf(line[1:i])
}

// reportSwallowed tells of primitives that a body took in.
func reportSwallowed(p *analysis.BlockPass) {
	s, ok := swallowed(p.Block)
	if !ok {
		return
	}
	what := "a primitive"
	if s.tags > 1 {
		what = fmt.Sprintf("%d primitives", s.tags)
	}
	nl := text.Newline(p.Text())
	switch {
	case s.near.End > 0:
		d := p.Report(s.near, fmt.Sprintf("this line does not close the body, since it is not exactly `}`: %s below it became text of the %s", what, p.Written()),
			analysis.Fix{Title: "Close the body here", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(s.near.Start, s.near.End, "}")}})
		d.Related = []analysis.Related{{Span: text.Span(s.tag), Message: "read as text, and counted nowhere"}}
	case s.certain:
		p.Report(s.tag, fmt.Sprintf("no `}` closes the body of the %s before this line: %s became text of it", p.Written(), what),
			analysis.Fix{Title: "Close the body before this line", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(s.blank, s.blank, "}"+nl)}})
	default:
		p.ReportAs(analysis.Info, s.tag, fmt.Sprintf("this line is text of a %s's body: it is no primitive, and counted nowhere", p.Written()))
	}
}

// Where a body seems to have swallowed primitives, a number that is written by
// what is left would cover the loss up.

// fileTrust is how far the counts of a file can be trusted.
func fileTrust(p *analysis.FilePass) analysis.Safety {
	out := analysis.Safe
	for d := range p.Found("brace-near-miss") {
		if it, ok := p.Tree.AtOffset(d.Span.Start); ok {
			out = max(out, blockTrust(it.Block))
		}
	}
	return out
}

// packTrust is how far the counts of all files can be trusted, and false when one
// of them can't be read as text at all.
func packTrust(p *pack.Pack) (analysis.Safety, bool) {
	out := analysis.Safe
	for _, f := range p.Files {
		if f.Tree == nil {
			continue
		}
		if analysis.BadByte(f.Text) >= 0 {
			return analysis.Manual, false
		}
		for it := range f.Tree.All() {
			out = max(out, blockTrust(it.Block))
		}
	}
	return out, true
}

func blockTrust(b *parser.Block) analysis.Safety {
	switch s, ok := swallowed(b); {
	case ok && s.certain:
		return analysis.Manual
	case ok:
		return analysis.Suggested
	}
	return analysis.Safe
}
