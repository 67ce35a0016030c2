package rules

import (
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

var strayText = &analysis.Rule{
	Slug: "stray-text", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 5; R-g",
	Summary: "a line belongs to no primitive",
	Doc:     "The content of a primitive ends with its line. A sentence that is wrapped at 80 columns loses everything behind the first line break, in every reader: that is an error. Text that stands alone (a heading, a paragraph, a list) loses nothing of a primitive and is a warning; no agent loads it as one. Code fences, comments and rules have no meaning either. One finding for each run of lines.",
	Bad:     "[directive must, org, permanent] In donation calls, always say that the frame\nis checked for cracks.",
	Good:    "[directive must, org, permanent] In donation calls, always say that the frame is checked for cracks.",
	Fix:     "joins wrapped lines to the line they continue, makes a primitive of a list item that holds a tag, or removes lines that stand alone",
	On:      analysis.OnLoose | analysis.OnHanging,
	Block:   func(p *analysis.BlockPass) { checkLines(p, straying) },
}

var orphanReason = &analysis.Rule{
	Slug: "orphan-reason", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 5; R-g",
	Summary: "a reason line belongs to no primitive",
	Doc:     "Reason lines follow the content, or the closing brace, at once. A blank line ends the primitive and any other line ends its reasons; what comes after is read by nobody.",
	Bad:     "[claim] The freezer is at minus 18.\n\n  > Seeds older than five years live there.",
	Good:    "[claim] The freezer is at minus 18.\n  > Seeds older than five years live there.",
	Fix:     "removes the blank lines between the primitive and its reason",
	On:      analysis.OnLoose | analysis.OnHanging,
	Block:   func(p *analysis.BlockPass) { checkLines(p, orphaned) },
	File: func(p *analysis.FilePass) {
		for d := range p.Found("orphan-reason") {
			attachReason(p, d)
		}
	},
}

var reasonIndent = &analysis.Rule{
	Slug: "reason-indent", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-l",
	Summary: "a reason line is not indented by two spaces",
	Doc:     "A reason line is two spaces, `>`, and the reason. With one space, three, a tab or none it is no reason line for any reader. Two white-space characters of another kind match the regular expression of Part 5, but not its words: a warning.",
	Bad:     "[claim] The mixer has 12 channels.\n > For the choir.",
	Good:    "[claim] The mixer has 12 channels.\n  > For the choir.",
	Fix:     "indents the line by two spaces",
	On:      analysis.OnLoose | analysis.OnHanging | analysis.OnOddReason,
	Block: func(p *analysis.BlockPass) {
		checkLines(p, misindented)
		if !p.OddReason() || p.Format() != parser.V04 {
			return
		}
		src, r := p.Text(), p.ReasonLines()
		for at := r.Start; at < r.End; {
			end, next := text.LineEnd(src, at)
			if !strings.HasPrefix(src[at:end], "  >") {
				gt := at + strings.IndexByte(src[at:end], '>')
				p.ReportAs(analysis.Warning, parser.Rel{Start: at, End: end}, "a reason line is indented by two spaces; this white space only happens to match", indent(at, gt))
			}
			at = next
		}
	},
}

func indent(start, gt int) analysis.Fix {
	return analysis.Fix{Title: "Indent the reason by two spaces", Safety: analysis.Safe, Edits: []analysis.FileEdit{analysis.Edit(start, gt, "  ")}}
}

var blockSeparator = &analysis.Rule{
	Slug: "block-separator", Severity: analysis.Warning, Scope: analysis.ScopeBlock, Spec: "Part 2 and 5",
	Summary: "no blank line stands between two primitives",
	Doc:     "Primitives are separated by blank lines. A tag line starts a new primitive all the same in a reader that follows Part 5; one that splits at blank lines joins the two.",
	Bad:     "[claim] The dome is motorized.\n[claim] The slit is manual.",
	Good:    "[claim] The dome is motorized.\n\n[claim] The slit is manual.",
	Fix:     "inserts a blank line",
	On:      analysis.OnTight,
	Block: func(p *analysis.BlockPass) {
		if p.Format() != parser.V04 || !p.Tight() || p.Kind() != parser.Primitive {
			return
		}
		end, _ := text.LineEnd(p.Text(), 0)
		p.Report(parser.Rel{End: end}, "a blank line must separate this primitive from the one before",
			analysis.Fix{Title: "Insert a blank line", Safety: analysis.Safe, Edits: []analysis.FileEdit{analysis.Edit(0, 0, text.Newline(p.Text()))}})
	},
}

var mixedFormat = &analysis.Rule{
	Slug: "mixed-format", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 2 and 11",
	Summary: "a YAML block in the body of an inline-tag file",
	Doc:     "A v0.4 file has one frontmatter, at its top. A further `---` block is how v0.3 wrote primitives; readers of v0.4 don't see a primitive in it. A lone `---` is `stray-text`.",
	Bad:     "[claim] The stand is bolted down.\n\n---\ntype: directive\nforce: must\n---",
	Good:    "[claim] The stand is bolted down.\n\n[directive must] In the stand, never leave a bike overnight.",
	On:      analysis.OnLoose | analysis.OnHanging,
	Block: func(p *analysis.BlockPass) {
		if !p.Top() {
			checkLines(p, mixed)
		}
	},
	File: func(p *analysis.FilePass) {
		if it, ok := displacedFence(p); ok && p.Frontmatter != nil {
			end, _ := text.LineEnd(it.Text(), 0)
			p.Report(text.Span{Start: it.Offset, End: it.Offset + end}, mixedMessage)
		}
	},
}

const mixedMessage = "a YAML block in the body: v0.4 files have one frontmatter, and primitives are inline tags"

// displacedFence is a YAML block above the first primitive that is not the
// file's frontmatter: a second one, or the only one below line 1.
func displacedFence(p *analysis.FilePass) (parser.Item, bool) {
	for i := range 3 {
		it, ok := p.Tree.AtIndex(i)
		if !ok {
			break
		}
		if it.Kind() == parser.Loose && it.Top() && opensYAML(it.Text(), 0) {
			return it, true
		}
	}
	return parser.Item{}, false
}

// opensYAML reports whether a `---` line with a key behind it stands at offset at.
func opensYAML(src string, at int) bool {
	end, next := text.LineEnd(src, at)
	if !strings.HasPrefix(src[at:end], "---") || parser.TrimSpace(src[at+3:end]) != "" || next >= len(src) {
		return false
	}
	end, _ = text.LineEnd(src, next)
	key, value, ok := strings.Cut(src[next:end], ":")
	return ok && key != "" && (value == "" || value[0] == ' ' || value[0] == '\t') && strings.Trim(key, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-") == ""
}

type lineClass uint8

const (
	straying lineClass = iota + 1
	orphaned
	misindented
	mixed
)

// A run is lines of one class, one after the other.
type run struct {
	class      lineClass
	start, end int // of the text, the last break left out
	next       int // behind the last break
}

// looseLines sorts the lines that belong to no primitive into runs: those that
// hang on a block, or all of a loose block.
func looseLines(p *analysis.BlockPass, yield func(run) bool) {
	src := p.Text()
	at, limit := p.Tail().Start, p.Tail().End
	attached := p.Kind() == parser.Primitive || p.Kind() == parser.Malformed
	if p.Kind() == parser.Loose {
		at, limit = p.Start(), p.End()
	}
	hanging := attached // still directly behind the primitive's own lines
	var cur run
	for at < limit {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		class := straying
		switch {
		case cur.class == mixed && !strings.HasPrefix(line, "---"):
			class = mixed
		case cur.class == mixed:
			// The closing fence: still of the run, and its last line.
			cur.end, cur.next = end, next
			if !yield(cur) {
				return
			}
			cur, at, hanging = run{}, next, false
			continue
		case opensYAML(src, at):
			class = mixed
		case parser.IsReason(line):
			class = orphaned
		case hanging && strings.HasPrefix(parser.TrimSpace(line), ">"):
			class = misindented
		}
		hanging = hanging && class == misindented
		if cur.class == class && class != misindented {
			cur.end, cur.next = end, next
		} else {
			if cur.class != 0 && !yield(cur) {
				return
			}
			cur = run{class, at, end, next}
		}
		at = next
	}
	if cur.class != 0 {
		yield(cur)
	}
}

func checkLines(p *analysis.BlockPass, want lineClass) {
	if p.Format() != parser.V04 || p.Kind() != parser.Loose && p.Tail() == (parser.Rel{}) || p.Tail().Start == p.Tail().End && p.Kind() != parser.Loose {
		return
	}
	if p.Kind() == parser.Malformed && want != mixed {
		return // all that hangs on a tag without `]` is lost by that one mistake
	}
	attached := p.Kind() != parser.Loose
	for r := range func(yield func(run) bool) { looseLines(p, yield) } {
		if r.class != want {
			continue
		}
		rel := parser.Rel{Start: r.start, End: r.end}
		switch want {
		case straying:
			severity, msg := analysis.Warning, "this text belongs to no primitive, and no agent will load it as one"
			if attached {
				severity, msg = analysis.Error, strayMessage(p, r)
			}
			var fixes []analysis.Fix
			switch fix, ok := bulletFix(p, r); {
			case ok:
				msg, fixes = bulletMessage, []analysis.Fix{fix, removeRun(p, r, analysis.Manual)}
			case attached:
				fixes = joinFixes(p, r)
			default:
				fixes = []analysis.Fix{removeRun(p, r, analysis.Manual)}
			}
			p.ReportAs(severity, rel, msg, fixes...)
		case orphaned:
			severity, why := analysis.Warning, "a blank line ended the one before"
			if attached {
				severity = analysis.Error
			}
			switch {
			case belowMeant(p.Text(), r.start):
				why = "the line above it is none"
			case attached, r.start > p.Start():
				why = "other lines stand between them"
			}
			p.ReportAs(severity, rel, "this reason belongs to no primitive: "+why)
		case misindented:
			gt := r.start + strings.IndexByte(p.Text()[r.start:r.end], '>')
			p.Report(rel, "a reason line is indented by exactly two spaces; this one is no reason for any reader", indent(r.start, gt))
		case mixed:
			end, _ := text.LineEnd(p.Text(), r.start)
			p.Report(parser.Rel{Start: r.start, End: end}, mixedMessage)
		}
	}
}

// joinFixes offers to join wrapped lines to the line before. Only the breaks
// and indents between them are replaced; the text itself is not touched.
func joinFixes(p *analysis.BlockPass, r run) []analysis.Fix {
	src := p.Text()
	fixes := []analysis.Fix{}
	from := p.PrimitiveEnd()
	if r.start == p.Tail().Start && !(p.Brace() && !p.HasReason()) && p.Kind() == parser.Primitive {
		title := "Join the lines to the content"
		if p.HasReason() {
			title = "Join the lines to the reason"
		}
		var edits []analysis.FileEdit
		for at := r.start; at < r.end; {
			end, next := text.LineEnd(src, at)
			lead := len(src[at:end]) - len(strings.TrimLeft(src[at:end], " \t"))
			sep := " "
			if from > 0 && (src[from-1] == ' ' || src[from-1] == '\t') || p.Head().Start == p.Head().End && at == r.start {
				sep = ""
			}
			if p.Head().Start == p.Head().End && at == r.start && src[from-1] == ']' {
				sep = " "
			}
			edits = append(edits, analysis.Edit(from, at+lead, sep))
			from, at = end, next
		}
		safety := analysis.Suggested
		switch at, kind := ownLine(src, r); {
		case kind == ownLegend && at == r.start:
			return []analysis.Fix{setApart(src, r.start, "Set the legend apart"), removeRun(p, r, analysis.Manual)}
		case kind != ownNothing:
			safety = analysis.Manual
		}
		if joined := parser.TrimSpace(src[p.Head().Start:from]); joined != "{" && !opensAs(p.Type(), src[:from]) && !(p.Type() == parser.Unknown && strings.HasSuffix(src[:from], "{")) || p.HasReason() {
			fixes = append(fixes, analysis.Fix{Title: title, Safety: safety, Edits: edits})
		}
	} else if p.Kind() == parser.Primitive && r.start == p.Tail().Start {
		var edits []analysis.FileEdit
		for at := r.start; at < r.end; {
			end, next := text.LineEnd(src, at)
			lead := len(src[at:end]) - len(strings.TrimLeft(src[at:end], " \t"))
			edits = append(edits, analysis.Edit(at, at+lead, "  > "))
			at = next
		}
		safety := analysis.Suggested
		if _, kind := ownLine(src, r); kind != ownNothing {
			safety = analysis.Manual
		}
		fixes = append(fixes, analysis.Fix{Title: "Make the lines a reason", Safety: safety, Edits: edits})
	}
	return append(fixes, removeRun(p, r, analysis.Manual))
}

// What a line is that goes on with no sentence.
const (
	ownNothing = iota
	ownLegend
	ownMarkup
)

// ownLine finds the first line of a run that is something of its own: the head of
// a legend, or Markdown that starts a list, a table, a heading or a fence. Joined to
// the line before, it would become part of a sentence it has no part in.
func ownLine(src string, r run) (at, kind int) {
	for at := r.start; at < r.end; {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		switch trimmed := parser.TrimSpace(line); {
		case strings.HasPrefix(line, "sources:") && parser.TrimSpace(line[len("sources:"):]) == "":
			if next < r.end && (src[next] == ' ' || src[next] == '\t') {
				return at, ownLegend
			}
			return at, ownMarkup
		case markup(trimmed):
			return at, ownMarkup
		}
		at = next
	}
	return 0, ownNothing
}

func markup(line string) bool {
	for _, mark := range []string{"#", "|", "```", "~~~", "<!--", "---", "***", "- ", "* ", "+ ", "> "} {
		if strings.HasPrefix(line, mark) {
			return true
		}
	}
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	return digits > 0 && digits < 4 && (strings.HasPrefix(line[digits:], ". ") || strings.HasPrefix(line[digits:], ") "))
}

func strayMessage(p *analysis.BlockPass, r run) string {
	if at, kind := ownLine(p.Text(), r); kind == ownLegend && at == r.start {
		return "this text belongs to no primitive: a legend stands directly behind the frontmatter, and never below a primitive"
	}
	return "this text belongs to no primitive: content ends with its line, so what is wrapped is lost"
}

// setApart puts a blank line before a line.
func setApart(src string, at int, title string) analysis.Fix {
	return analysis.Fix{Title: title, Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(at, at, text.Newline(src))}}
}

func removeRun(p *analysis.BlockPass, r run, s analysis.Safety) analysis.Fix {
	return analysis.Fix{Title: "Remove the text", Safety: s, Edits: []analysis.FileEdit{analysis.Edit(r.start, r.next, "")}}
}

// attachReason adds the fix that only the file shows: the blank lines between a
// reason and the primitive before it.
func attachReason(p *analysis.FilePass, d *analysis.Diagnostic) {
	it, ok := p.Tree.AtOffset(d.Span.Start)
	if !ok || it.Kind() != parser.Loose || it.Offset+it.Start() != d.Span.Start {
		return
	}
	prev, ok := p.Tree.AtIndex(it.Index - 1)
	if !ok || prev.Kind() != parser.Primitive || prev.Tail().Start != prev.Tail().End || prev.Unclosed() {
		return
	}
	from := prev.Offset + prev.Tail().End
	if from >= it.Offset {
		return
	}
	d.Fixes = append(d.Fixes, analysis.Fix{Title: "Attach the reason to the primitive above", Safety: analysis.Suggested, Edits: []analysis.FileEdit{
		{Path: p.File.Path, Span: text.Span{Start: from, End: it.Offset}},
	}})
}
