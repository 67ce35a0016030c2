package ide

import (
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// move moves the primitive at a span to the end of another capability file. The
// sources that it cites go along into the other file's legend; the counts of both
// files, the manifest and the routing table follow.
func move(f *File, span text.Span, name string) ([]analysis.FileEdit, bool) {
	it, ok := primitiveAt(f, span)
	if !ok || f.View == nil || it.Unclosed() {
		return nil, false
	}
	rel := pack.MemoryDir + "/" + name
	target := f.View.Pack.File(rel)
	if target == nil || target.Tree == nil || rel == f.Rel || target.Tree.Summary().Open > 0 {
		return nil, false
	}
	before := f.View.Whole()
	source, dest := before.File(f.Rel), before.File(rel)

	start, end := it.Offset, it.Offset+len(it.Text())
	moved := strings.TrimRight(it.Text(), " \t\r\n")
	src := source.Text[:start] + source.Text[end:]
	if start == len(strings.TrimRight(src, "\r\n")) || end == len(source.Text) {
		src = strings.TrimRight(src, "\r\n") + text.Newline(source.Text)
	}

	nl := text.Newline(dest.Text)
	out := addSources(dest.Text, target.Tree, f.Tree, it, nl)
	out = strings.TrimRight(out, "\r\n") + nl + nl + strings.ReplaceAll(normalize(moved), "\n", nl) + nl

	files := make([]*pack.File, 0, len(before.Files))
	for _, file := range before.Files {
		switch file.Path {
		case f.Rel:
			file = &pack.File{Path: f.Rel, Text: src, Size: int64(len(src))}
		case rel:
			file = &pack.File{Path: rel, Text: out, Size: int64(len(out))}
		}
		files = append(files, file)
	}
	after := pack.New(before.Root, files)
	after = recount(after, f.Rel)
	after = recount(after, rel)
	after = list(after, name)
	return difference(before, after), true
}

func normalize(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// addSources returns the text of the destination with legend entries for what
// the primitive cites and the destination does not define.
func addSources(dest string, t, from *parser.Tree, it parser.Item, nl string) string {
	_, have, _ := legend(t)
	_, defined, ok := legend(from)
	if !ok {
		return dest
	}
	known := map[string]bool{}
	for _, e := range have {
		known[e.Code] = true
	}
	var add strings.Builder
	for c := range it.Citations {
		if known[c.Code] {
			continue
		}
		for _, e := range defined {
			if e.Code == c.Code {
				known[c.Code] = true
				add.WriteString("  " + e.Code + ": " + e.Title + nl)
				if e.URL != "" {
					add.WriteString("    " + e.URL + nl)
				}
				break
			}
		}
	}
	if add.Len() == 0 {
		return dest
	}
	if l, entries, ok := legend(t); ok && len(entries) > 0 {
		at := l.Offset + entries[len(entries)-1].End
		return dest[:at] + nl + strings.TrimRight(add.String(), "\r\n") + dest[at:]
	}
	at := 0
	if it, ok := t.AtIndex(0); ok && it.Kind() == parser.Frontmatter && !it.Unclosed() {
		at = len(it.Text())
	}
	return dest[:at] + "sources:" + nl + add.String() + nl + dest[at:]
}

// recount sets the counts in the frontmatter of a file to what it holds.
func recount(p *pack.Pack, rel string) *pack.Pack {
	file := p.File(rel)
	item, fm := frontmatter(file.Tree)
	if fm == nil || fm.Err != nil {
		return p
	}
	counts := fm.Entry("primitive_counts")
	if counts == nil || counts.Kind != pack.Mapping {
		return p
	}
	var edits []text.Edit
	for _, t := range []parser.Type{parser.Directive, parser.Goal, parser.Claim, parser.Demonstration} {
		n := itoa(file.Tree.Summary().Types[t])
		if c := counts.Child(t.String()); c != nil {
			if c.Value != n {
				edits = append(edits, text.Edit{Span: item.At(c.ValueRel), New: n})
			}
			continue
		}
		if n == "0" || len(counts.Children) == 0 {
			continue
		}
		last := counts.Children[len(counts.Children)-1]
		at := item.Offset + nextLine(item.Text(), last.KeyRel.Start)
		edits = append(edits, text.Edit{Span: text.Span{Start: at, End: at}, New: "  " + t.String() + ": " + n + text.Newline(file.Text)})
	}
	src, err := text.Apply(file.Text, edits)
	if err != nil || len(edits) == 0 {
		return p
	}
	return p.Replace(&pack.File{Path: rel, Text: src, Size: int64(len(src))})
}

// list adds a capability file to the manifest and to the routing table, where it
// is missing.
func list(p *pack.Pack, name string) *pack.Pack {
	n := p.Manifest.Member("capability_files")
	if n != nil && n.Kind == jsontree.Array && !p.Manifest.Lists(name) {
		src := p.Manifest.File.Text
		at, lead := n.Start+1, ""
		if k := len(n.Elems); k > 0 {
			at, lead = n.Elems[k-1].End, ", "
			if k > 1 {
				lead = src[n.Elems[k-2].End:n.Elems[k-1].Start]
			}
		}
		src = src[:at] + lead + quote(name) + src[at:]
		p = p.Replace(&pack.File{Path: pack.ManifestName, Text: src, Size: int64(len(src))})
	}
	r := p.Routing
	if r == nil || r.TableEnd == 0 || routes(r, name) {
		return p
	}
	src := r.Text[:r.TableEnd] + text.Newline(r.Text) + "| " + topic(name) + " | " + name + " |" + r.Text[r.TableEnd:]
	return p.Replace(&pack.File{Path: pack.AgentsName, Text: src, Size: int64(len(src))})
}

func routes(r *pack.Routing, name string) bool {
	for _, rt := range r.Routes() {
		for _, ref := range rt.Files {
			if ref.Name == name {
				return true
			}
		}
	}
	return false
}

// topic is a first description of a capability file, from its name.
func topic(name string) string {
	return strings.ReplaceAll(strings.TrimSuffix(name, ".md"), "-", " ")
}
