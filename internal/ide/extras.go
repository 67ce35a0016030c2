package ide

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Link is a text that leads somewhere: to a web address or to a file of the pack.
type Link struct {
	Span    text.Span
	URL     string // "" for a file
	Rel     string
	Tooltip string
}

// Links returns the links of a file: addresses in the legend, file names in the
// manifest and the routing table. Only http and https count, since a click must
// not start a program.
func Links(f *File) []Link {
	var out []Link
	file := func(span text.Span, name string) {
		rel := pack.MemoryDir + "/" + name
		if pack.PlainName(name) && f.View.Pack.File(rel) != nil {
			out = append(out, Link{Span: span, Rel: rel, Tooltip: "Open " + rel})
		}
	}
	switch {
	case f.Kind == session.Manifest:
		for _, e := range f.Manifest().Listed() {
			if e.Kind == jsontree.String {
				file(inner(e), e.Text)
			}
		}
		if n := f.Manifest().Member("agents_file"); n != nil && n.Kind == jsontree.String && n.Text == pack.AgentsName && f.View.Pack.Routing != nil {
			out = append(out, Link{Span: inner(n), Rel: pack.AgentsName, Tooltip: "Open " + pack.AgentsName})
		}
	case f.Kind == session.Agents:
		for _, rt := range f.View.Pack.Routing.Routes() {
			for _, ref := range rt.Files {
				file(ref.Span, ref.Name)
			}
		}
	case f.Capability():
		it, entries, ok := legend(f.Tree)
		if !ok {
			break
		}
		for _, e := range entries {
			if strings.HasPrefix(e.URL, "https://") || strings.HasPrefix(e.URL, "http://") {
				out = append(out, Link{Span: it.At(e.URLRel), URL: e.URL, Tooltip: e.Title})
			}
		}
	}
	return out
}

// Hint is a text shown at a place that is not in the file.
type Hint struct {
	Offset  int
	Label   string
	Tooltip string
	// Text, inserted at the place, makes the hint part of the file; "" when it
	// cannot be.
	Text string
}

// Hints returns what is left out and holds all the same, within a span: the
// defaults of facets, and the true count behind a wrong one.
func Hints(f *File, span text.Span) []Hint {
	if !f.Capability() {
		return nil
	}
	var out []Hint
	first, ok := f.Tree.AtOffset(span.Start)
	if !ok {
		return nil
	}
	for i := first.Index; ; i++ {
		it, ok := f.Tree.AtIndex(i)
		if !ok || it.Offset > span.End {
			return out
		}
		switch it.Kind() {
		case parser.Frontmatter:
			out = append(out, countHints(f, it)...)
		case parser.Primitive:
			if at, s, ok := missingDefaults(it.Block); ok && it.Type() != parser.Unknown {
				out = append(out, Hint{
					Offset: it.Offset + at, Label: s, Text: s,
					Tooltip: "Left out, so the default holds.",
				})
			}
		}
	}
}

func countHints(f *File, it parser.Item) []Hint {
	summary := f.Tree.Summary()
	if summary.Open > 0 {
		return nil
	}
	var out []Hint
	counts := pack.ParseFrontmatter(it.Block).Entry("primitive_counts")
	if counts == nil {
		return nil
	}
	for i := range counts.Children {
		c := &counts.Children[i]
		t := parser.TypeOf(c.Key)
		n, err := strconv.Atoi(c.Value)
		if t == parser.Unknown || err != nil || n == summary.Types[t] {
			continue
		}
		out = append(out, Hint{Offset: it.Offset + c.ValueRel.End, Label: fmt.Sprintf(" (%d in the file)", summary.Types[t])})
	}
	return out
}

// Lens is a line above a place that says something and can be clicked.
type Lens struct {
	Span text.Span
	Kind LensKind
}

// LensKind says what a lens shows; LensTitle makes its text.
type LensKind string

// The kinds of lenses.
const (
	LensReport    LensKind = "report"    // how many primitives pass
	LensCounts    LensKind = "counts"    // counts, and updating them
	LensSignature LensKind = "signature" // the signature, and verifying it
	LensAsks      LensKind = "asks"      // what the pack asks the agent to do
)

// Lenses returns the lenses of a file.
func Lenses(f *File) []Lens {
	var out []Lens
	switch {
	case f.Kind == session.Manifest:
		root := f.Manifest().Object()
		if root == nil {
			return nil
		}
		start := text.Span{Start: root.Start, End: root.Start + 1}
		out = append(out, Lens{start, LensReport}, Lens{start, LensAsks})
		for i := range root.Members {
			m := &root.Members[i]
			switch m.Name {
			case "primitive_counts":
				out = append(out, Lens{text.Span{Start: m.NameStart, End: m.NameEnd}, LensCounts})
			case "signed":
				out = append(out, Lens{text.Span{Start: m.NameStart, End: m.NameEnd}, LensSignature})
			}
		}
	case f.Capability() && f.View != nil:
		it, fm := frontmatter(f.Tree)
		if e := fm.Entry("primitive_counts"); e != nil {
			out = append(out, Lens{it.At(e.KeyRel), LensCounts})
		}
	}
	return out
}

// LensTitle returns the text of a lens, and whether it can be clicked.
func LensTitle(f *File, kind LensKind, pass, fail int) (title string, active bool) {
	switch kind {
	case LensReport:
		return fmt.Sprintf("%d primitives valid, %d failed", pass, fail), false
	case LensAsks:
		if !f.View.Small() {
			return "what the pack asks the agent to do · show", true
		}
		asks := f.View.Capabilities()
		return fmt.Sprintf("asks the agent to: %s · show", asks.Counts.Headline()), true
	case LensSignature:
		return fmt.Sprintf("signature: %s · verify", f.View.Signature().Word), true
	default:
		var listed, have int
		complete := true
		if f.Kind == session.Manifest {
			var counts [parser.NumTypes]int
			counts, complete = f.View.Pack.Counts()
			for _, t := range primitiveTypes {
				have += counts[t]
				if n := f.Manifest().Member("primitive_counts").Member(t.String()); n != nil {
					k, _ := strconv.Atoi(n.Text)
					listed += k
				}
			}
		} else {
			s := f.Tree.Summary()
			complete = s.Open == 0
			_, fm := frontmatter(f.Tree)
			for _, t := range primitiveTypes {
				have += s.Types[t]
				if c := fm.Entry("primitive_counts").Child(t.String()); c != nil {
					k, _ := strconv.Atoi(c.Value)
					listed += k
				}
			}
		}
		switch {
		case !complete:
			return "a brace is open, so nothing can be counted", false
		case len(countFixes(f.View)) > 0:
			return fmt.Sprintf("counts %d/%d · update", listed, have), true
		default:
			return fmt.Sprintf("counts %d/%d", listed, have), false
		}
	}
}
