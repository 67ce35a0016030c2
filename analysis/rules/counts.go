package rules

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// countOrder is the order in which the specification's frontmatter lists types.
var countOrder = []parser.Type{parser.Directive, parser.Goal, parser.Claim, parser.Demonstration}

var countMismatch = &analysis.Rule{
	Slug: "count-mismatch", Severity: analysis.Warning, Scope: analysis.ScopeFile, Spec: "Part 2; R-y",
	Summary: "primitive_counts disagrees with what the file or the pack holds",
	Doc:     "The frontmatter counts the primitives of its file, the manifest those of all files. Types with a count of zero may be left out; words that are no type and text between braces are not counted. While a brace or a tag is open, nothing is said about counts. While a body seems to have swallowed primitives (`brace-near-miss`), no number is written by `--fix`.",
	Bad:     "---\ntype: cluster\napplies_to: requests\nsource: self\nprimitive_counts:\n  claim: 2\n---\n\n[claim] Requests are read on air.",
	Good:    "---\ntype: cluster\napplies_to: requests\nsource: self\nprimitive_counts:\n  claim: 1\n---\n\n[claim] Requests are read on air.",
	Fix:     "writes the right number",
	File: func(p *analysis.FilePass) {
		e := p.Frontmatter.Entry("primitive_counts")
		s := p.Tree.Summary()
		if e == nil || e.Kind != pack.Mapping || p.Frontmatter.Err != nil || s.Open > 0 || s.Lost > 0 || p.Tree.Format() != parser.V04 {
			return
		}
		it := p.FrontmatterItem
		safety := fileTrust(p)
		for _, t := range countOrder {
			have := s.Types[t]
			c := e.Child(t.String())
			if c == nil {
				if have > 0 {
					missingCount(p, e, t, have, safety)
				}
				continue
			}
			says := shown(c)
			if n, err := strconv.Atoi(c.Value); c.Kind == pack.Scalar && err == nil {
				if n == have {
					continue
				}
				says = c.Value
			} else if c.Kind == pack.Null && have == 0 {
				continue
			}
			fixes := setValue(p, c, strconv.Itoa(have), safety)
			for i := range fixes {
				fixes[i].Title = fmt.Sprintf("Set the count of %s to %d", t, have)
			}
			p.Report(it.At(c.KeyRel), fmt.Sprintf("primitive_counts says %s for %s, the file has %d", says, t, have), fixes...)
		}
	},
	Pack: func(p *analysis.PackPass) {
		n := p.Pack.Manifest.Member("primitive_counts")
		if n == nil || n.Kind != jsontree.Object || !p.Judged() {
			return
		}
		counts, complete := p.Pack.Counts()
		if !complete || !allRead(p.Pack) {
			return
		}
		w := &countWriter{p: p}
		for _, t := range countOrder {
			have := counts[t]
			c := n.Member(t.String())
			if c == nil {
				if have > 0 {
					w.missing(n, t, have)
				}
				continue
			}
			if f, err := strconv.ParseFloat(c.Text, 64); c.Kind == jsontree.Number && err == nil && f == float64(have) {
				continue
			}
			got := article(c.Kind)
			if c.Kind == jsontree.Number {
				got = c.Text
			}
			w.report(pack.NodeSpan(c), fmt.Sprintf("primitive_counts says %s for %s, the files have %d", got, t, have),
				edit(pack.ManifestName, fmt.Sprintf("Set the count of %s to %d", t, have), analysis.Safe, pack.NodeSpan(c), strconv.Itoa(have)))
		}
	},
}

// A countWriter reports counts of the manifest. How far its numbers can be trusted
// takes a look at every block, and is asked for only where one of them is wrong.
type countWriter struct {
	p       *analysis.PackPass
	known   bool
	trust   analysis.Safety
	written bool // there is a number to write
}

func (w *countWriter) report(s text.Span, msg string, fix analysis.Fix) *analysis.Diagnostic {
	if !w.known {
		w.known = true
		w.trust, w.written = packTrust(w.p.Pack)
	}
	if !w.written {
		return w.p.Report(pack.ManifestName, s, msg)
	}
	fix.Safety = max(fix.Safety, w.trust)
	return w.p.Report(pack.ManifestName, s, msg, fix)
}

func (w *countWriter) missing(n *jsontree.Node, t parser.Type, have int) {
	msg := fmt.Sprintf("primitive_counts does not list %s, the files have %d", t, have)
	for i := range n.Members {
		m := &n.Members[i]
		if meantType(m.Name) != t {
			continue
		}
		key := text.Span{Start: m.NameStart, End: m.NameEnd}
		d := w.report(pack.NodeSpan(n), msg+fmt.Sprintf("; %q is no type", m.Name), analysis.Fix{
			Title: fmt.Sprintf("Write `%s: %d` for %q", t, have, m.Name), Safety: analysis.Suggested,
			Edits: []analysis.FileEdit{
				{Path: pack.ManifestName, Span: key, New: quoteJSON(t.String())},
				{Path: pack.ManifestName, Span: pack.NodeSpan(m.Value), New: strconv.Itoa(have)},
			},
		})
		d.Related = []analysis.Related{{Path: pack.ManifestName, Span: key, Message: "the count of this name is read by nobody"}}
		return
	}
	w.report(pack.NodeSpan(n), msg, addMember(w.p.Pack, n, t.String(), strconv.Itoa(have)))
}

// meantType is the type that a name in primitive_counts was meant to be which is
// not the type's own: the short form, a plural, another letter case.
func meantType(name string) parser.Type {
	low := strings.ToLower(name)
	if t := parser.TypeOf(low); t != parser.Unknown {
		return t
	}
	return parser.TypeOf(strings.TrimSuffix(low, "s"))
}

// missingCount reports a type that the file has and primitive_counts does not list.
func missingCount(p *analysis.FilePass, e *pack.Entry, t parser.Type, have int, safety analysis.Safety) {
	it := p.FrontmatterItem
	msg := fmt.Sprintf("primitive_counts does not list %s, the file has %d", t, have)
	for i := range e.Children {
		c := &e.Children[i]
		if meantType(c.Key) != t {
			continue
		}
		d := p.Report(it.At(e.KeyRel), msg+fmt.Sprintf("; %q is no type", c.Key))
		d.Related = []analysis.Related{{Path: p.File.Path, Span: it.At(c.KeyRel), Message: "the count of this name is read by nobody"}}
		for _, fix := range setValue(p, c, strconv.Itoa(have), safety) {
			fix.Title = fmt.Sprintf("Write `%s: %d` for %q", t, have, c.Key)
			fix.Edits = append(fix.Edits, analysis.FileEdit{Path: p.File.Path, Span: it.At(c.KeyRel), New: t.String()})
			d.Fixes = append(d.Fixes, fix)
		}
		return
	}
	p.Report(it.At(e.KeyRel), msg, addCount(p, e, t, have, safety)...)
}

// allRead reports whether every capability file the manifest lists is there, in
// a form in which it can be read: counts that a missing file explains are not worth a finding of their own.
func allRead(p *pack.Pack) bool {
	for _, e := range p.Manifest.Listed() {
		if e.Kind != jsontree.String || !pack.PlainName(e.Text) {
			continue
		}
		if f := p.File(pack.MemoryDir + "/" + e.Text); f == nil || f.Tree == nil {
			return false
		}
	}
	for _, f := range p.Files {
		if pack.IsCapability(f.Path) && (f.Tree == nil || analysis.WideText(f.Text)) {
			return false
		}
	}
	return true
}

func addCount(p *analysis.FilePass, e *pack.Entry, t parser.Type, n int, safety analysis.Safety) []analysis.Fix {
	it := p.FrontmatterItem
	if len(e.Children) == 0 {
		return nil
	}
	last := &e.Children[len(e.Children)-1]
	src := it.Text()
	if len(setValue(p, last, "0", analysis.Safe)) == 0 {
		return nil // its value goes on for several lines
	}
	line := strings.LastIndexAny(src[:last.KeyRel.Start], "\r\n") + 1
	lead := src[line:last.KeyRel.Start]
	title := fmt.Sprintf("Add `%s: %d`", t, n)
	if strings.TrimLeft(lead, " ") != "" {
		// A flow mapping: `{ claim: 1 }`.
		at := it.Offset + last.ValueRel.End
		return []analysis.Fix{edit(p.File.Path, title, safety, text.Span{Start: at, End: at}, fmt.Sprintf(", %s: %d", t, n))}
	}
	_, next := text.LineEnd(src, last.KeyRel.Start)
	at := it.Offset + next
	return []analysis.Fix{edit(p.File.Path, title, safety, text.Span{Start: at, End: at}, fmt.Sprintf("%s%s: %d%s", lead, t, n, text.Newline(src)))}
}

var noPrimitives = &analysis.Rule{
	Slug: "no-primitives", Severity: analysis.Warning, Scope: analysis.ScopeFile, Spec: "Part 2",
	Summary: "a capability file holds no primitive",
	Doc:     "The body of a capability file is one or more primitives. An empty file costs an agent a load for nothing; leave it out, with its entry in the manifest and its row in agents.md.",
	Bad:     "---\ntype: cluster\napplies_to: tools\nsource: self\n---\n",
	Good:    "---\ntype: cluster\napplies_to: tools\nsource: self\n---\n\n[claim] The saw is a 250 mm one.\n",
	File: func(p *analysis.FilePass) {
		s := p.Tree.Summary()
		if p.Tree.Format() != parser.V04 || s.Lost > 0 || p.Frontmatter != nil && p.FrontmatterItem.Unclosed() {
			return // a tag or a fence that is not closed hides what there is
		}
		for _, n := range s.Types {
			if n > 0 {
				return
			}
		}
		at := bomLen(p)
		p.Report(text.Span{Start: at, End: at}, "the file holds no primitive")
	},
}
