package ide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Hover is what is shown at a place.
type Hover struct {
	Markdown string
	Span     text.Span
}

// RuleURL returns where a rule is documented. Package lsp sets the base.
type RuleURL func(slug string) string

// HoverAt returns what to show at an offset. ok is false when there is nothing.
func HoverAt(s *session.Session, f *File, offset int, url RuleURL) (h Hover, ok bool) {
	switch f.Kind {
	case session.Manifest:
		h, ok = hoverManifest(f, offset)
	case session.Agents:
		h, ok = hoverAgents(f, offset)
	default:
		if f.Capability() {
			h, ok = hoverBlock(f, offset)
		}
	}
	// A finding at the place is what a reader points at.
	var parts []string
	found := f.Findings(s)
	var span text.Span
	for i := range found {
		d := &found[i]
		if !d.Span.Contains(offset) || d.Severity == analysis.Hint {
			continue
		}
		parts = append(parts, hoverFinding(d, url))
		if span.Len() == 0 || d.Span.Len() < span.Len() {
			span = d.Span
		}
	}
	if parts == nil {
		return h, ok
	}
	if ok {
		parts = append([]string{h.Markdown}, parts...)
		span = h.Span
	}
	return Hover{Markdown: strings.Join(slices.Compact(parts), "\n\n---\n\n"), Span: span}, true
}

func hoverFinding(d *analysis.Diagnostic, url RuleURL) string {
	return fmt.Sprintf("**[%s](%s)** %s\n\n%s", d.Rule.Slug, url(d.Rule.Slug), escape(d.Message), d.Rule.Doc)
}

// escape keeps text of a pack from being read as Markdown: a hover must not
// turn into links or images that a pack has made up.
func escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch r {
		case '\\', '`', '*', '_', '{', '}', '[', ']', '<', '>', '(', ')', '#', '!', '|', '~', '&':
			b.WriteByte('\\')
		case '\n', '\r':
			b.WriteByte(' ')
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

// code shows text of a pack in a code span, whatever backquotes it holds.
func code(s string) string {
	s = strings.NewReplacer("\r\n", " ", "\n", " ", "\r", " ").Replace(s)
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if strings.HasPrefix(s, "`") || strings.HasSuffix(s, "`") {
		s = " " + s + " "
	}
	return fence + s + fence
}

func hoverBlock(f *File, offset int) (Hover, bool) {
	it, ok := f.block(offset)
	if !ok {
		return Hover{}, false
	}
	at := offset - it.Offset
	switch it.Kind() {
	case parser.Frontmatter:
		return hoverFrontmatter(f, it, at)
	case parser.Legend:
		return hoverLegend(f, it, at)
	case parser.Primitive:
		if h, ok := hoverTag(f, it, at); ok {
			return h, true
		}
		return hoverCitation(f, it, at)
	default:
		return Hover{}, false
	}
}

func contains(r parser.Rel, at int) bool { return r.Start <= at && at <= r.End && r.Start < r.End }

func hoverTag(f *File, it parser.Item, at int) (Hover, bool) {
	t := it.Type()
	if t == parser.Unknown || !contains(it.Tag(), at) {
		return Hover{}, false
	}
	if contains(it.Word(), at) {
		var b strings.Builder
		fmt.Fprintf(&b, "```amp\n%s\n```\n\n%s", signatureOf(t), typeDoc(t))
		if ps := patterns(t); ps != nil {
			b.WriteString("\n\nSentence patterns:\n")
			for _, p := range ps {
				b.WriteString("- " + plain(p) + "\n")
			}
		}
		b.WriteString("\n" + resolvedFacets(it.Block))
		return Hover{strings.TrimSpace(b.String()), it.At(it.Word())}, true
	}
	specs := t.Facets()
	for i, tok := range it.Facets() {
		if !contains(tok.Rel, at) || i >= len(specs) {
			continue
		}
		spec := &specs[i]
		if !spec.Allows(tok.Text) {
			// Named for what it is, wherever it stands.
			for j := range specs {
				if specs[j].Allows(tok.Text) {
					spec = &specs[j]
				}
			}
		}
		return Hover{facetMarkdown(t, i, spec, tok.Text), it.At(tok.Rel)}, true
	}
	return Hover{}, false
}

func facetMarkdown(t parser.Type, i int, spec *parser.FacetSpec, value string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "**%s** (position %d of `%s`): %s", spec.Name, i+1, t, facetDoc(spec.Name))
	if doc := valueDoc(spec.Name, value); doc != "" {
		fmt.Fprintf(&b, "\n\n`%s`: %s", value, doc)
	}
	if spec.Values != nil {
		fmt.Fprintf(&b, "\n\nValues: `%s`", strings.Join(spec.Values, "`, `"))
	}
	switch {
	case spec.Default != "":
		fmt.Fprintf(&b, ". Default: `%s`.", spec.Default)
	case spec.Required:
		b.WriteString(". Required.")
	}
	return b.String()
}

// resolvedFacets lists what the facets of a primitive are after defaults.
func resolvedFacets(b *parser.Block) string {
	resolved := b.Resolved()
	facets := b.Facets()
	var parts []string
	for i, spec := range b.Type().Facets() {
		v, ok := resolved[spec.Name]
		if !ok || v == "" {
			continue
		}
		s := fmt.Sprintf("%s: %s", spec.Name, code(v))
		if i >= len(facets) {
			s += " (default)"
		}
		parts = append(parts, s)
	}
	if parts == nil {
		return ""
	}
	return "Here: " + strings.Join(parts, ", ")
}

func hoverCitation(f *File, it parser.Item, at int) (Hover, bool) {
	for c := range it.Citations {
		if !contains(c.Reason, at) {
			continue
		}
		_, entries, ok := legend(f.Tree)
		if !ok {
			return Hover{"The file has no legend, so " + code(c.Code) + " is the source as it stands.", it.At(c.Reason)}, true
		}
		for i := range entries {
			if entries[i].Code == c.Code {
				return Hover{sourceMarkdown(&entries[i], c.Verbatim), it.At(c.Reason)}, true
			}
		}
		return Hover{"The legend does not define " + code(c.Code) + ".", it.At(c.Reason)}, true
	}
	return Hover{}, false
}

func sourceMarkdown(e *parser.LegendEntry, verbatim bool) string {
	s := "**" + escape(e.Code) + "**: " + escape(e.Title)
	if e.URL != "" {
		s += "\n\n" + code(e.URL)
	}
	if verbatim {
		s += "\n\nThe primitive uses the source's exact words."
	}
	return s
}

func hoverLegend(f *File, it parser.Item, at int) (Hover, bool) {
	entries, _ := it.LegendEntries()
	for i := range entries {
		e := &entries[i]
		if at < e.Line.Start || at > e.End {
			continue
		}
		n := len(citations(f.Tree, e.Code))
		return Hover{fmt.Sprintf("%s\n\nCited %s in this file.", sourceMarkdown(e, false), times(n)), it.At(e.CodeRel)}, true
	}
	return Hover{}, false
}

func times(n int) string {
	switch n {
	case 0:
		return "nowhere"
	case 1:
		return "once"
	default:
		return fmt.Sprintf("%d times", n)
	}
}

func hoverFrontmatter(f *File, it parser.Item, at int) (Hover, bool) {
	fm := pack.ParseFrontmatter(it.Block)
	for i := range fm.Entries {
		e := &fm.Entries[i]
		for j := range e.Children {
			c := &e.Children[j]
			if e.Key != "primitive_counts" || !contains(c.KeyRel, at) && !contains(c.ValueRel, at) {
				continue
			}
			t := parser.TypeOf(c.Key)
			if t == parser.Unknown {
				return Hover{}, false
			}
			return Hover{fmt.Sprintf("The file holds %d of type `%s`.", f.Tree.Summary().Types[t], t), it.At(c.KeyRel)}, true
		}
		if !contains(e.KeyRel, at) && !contains(e.ValueRel, at) {
			continue
		}
		w, ok := lookup(frontmatterKeys, e.Key)
		if !ok {
			return Hover{}, false
		}
		md := "**" + w.name + "**: " + w.doc
		if v, ok := lookup(sources, e.Value); ok && e.Key == "source" {
			md += "\n\n`" + v.name + "`: " + v.doc
		}
		return Hover{md, it.At(e.KeyRel)}, true
	}
	return Hover{}, false
}

func hoverManifest(f *File, offset int) (Hover, bool) {
	root := f.Manifest().Object()
	if root == nil {
		return Hover{}, false
	}
	for i := range root.Members {
		m := &root.Members[i]
		key := text.Span{Start: m.NameStart, End: m.NameEnd}
		value := pack.NodeSpan(m.Value)
		if !key.Contains(offset) && !value.Contains(offset) {
			continue
		}
		if h, ok := hoverManifestValue(f, m, offset); ok && !key.Contains(offset) {
			return h, true
		}
		w, ok := lookup(manifestKeys, m.Name)
		if !ok {
			return Hover{}, false
		}
		md := "**" + w.name + "**: " + w.doc
		if m.Name == "signed" || m.Name == "signature" {
			md += "\n\n" + signatureMarkdown(f.View)
		}
		return Hover{md, key}, true
	}
	return Hover{}, false
}

func signatureMarkdown(v *session.View) string {
	sig := v.Signature()
	s := escape(sig.Message)
	if sig.Fingerprint != "" {
		s += "\n\nKey: " + code(sig.Fingerprint)
	}
	return s
}

func hoverManifestValue(f *File, m *jsontree.Member, offset int) (Hover, bool) {
	switch m.Name {
	case "capability_files":
		for _, e := range m.Value.Elems {
			if pack.NodeSpan(e).Contains(offset) && e.Kind == jsontree.String {
				return Hover{fileMarkdown(f.View, e.Text), pack.NodeSpan(e)}, true
			}
		}
	case "primitive_counts":
		counts, complete := f.View.Pack.Counts()
		for i := range m.Value.Members {
			c := &m.Value.Members[i]
			t := parser.TypeOf(c.Name)
			key := text.Span{Start: c.NameStart, End: c.NameEnd}
			if t == parser.Unknown || !key.Contains(offset) && !pack.NodeSpan(c.Value).Contains(offset) {
				continue
			}
			if !complete {
				return Hover{"A brace is open somewhere, so the primitives cannot be counted.", key}, true
			}
			return Hover{fmt.Sprintf("The files hold %d of type `%s`.", counts[t], t), key}, true
		}
	}
	return Hover{}, false
}

// fileMarkdown describes a capability file by its name.
func fileMarkdown(v *session.View, name string) string {
	file := v.Pack.File(pack.MemoryDir + "/" + name)
	if file == nil || file.Tree == nil {
		return code(name) + " is not in memory/."
	}
	s := file.Tree.Summary()
	var parts []string
	for _, t := range primitiveTypes {
		if n := s.Types[t]; n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, plural(t, n)))
		}
	}
	if parts == nil {
		parts = []string{"no primitives"}
	}
	md := "**" + escape(name) + "**: " + strings.Join(parts, ", ")
	if _, fm := frontmatter(file.Tree); fm != nil {
		if e := fm.Entry("applies_to"); e != nil && e.Value != "" {
			md += "\n\n" + escape(e.Value)
		}
	}
	return md
}

func plural(t parser.Type, n int) string {
	if n == 1 {
		return t.String()
	}
	return t.String() + "s"
}

func hoverAgents(f *File, offset int) (Hover, bool) {
	for _, rt := range f.View.Pack.Routing.Routes() {
		for _, ref := range rt.Files {
			if ref.Contains(offset) {
				return Hover{fileMarkdown(f.View, ref.Name), ref.Span}, true
			}
		}
	}
	return Hover{}, false
}
