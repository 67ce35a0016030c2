package ide

import (
	"errors"
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

// symbolKind is what a name at a place is a name of.
type symbolKind uint8

const (
	noSymbol   symbolKind = iota
	sourceCode            // a short code: legend entry and citations, in one file
	label                 // an illustrates label, in the whole pack
	fileName              // a capability file: manifest, agents.md, disk
)

// symbol is the name at a place.
type symbol struct {
	kind symbolKind
	name string
	span text.Span
}

// symbolAt returns the name at an offset.
func symbolAt(f *File, offset int) symbol {
	switch f.Kind {
	case session.Manifest:
		for _, e := range f.Manifest().Listed() {
			if e.Kind == jsontree.String && pack.NodeSpan(e).Contains(offset) {
				return symbol{fileName, e.Text, inner(e)}
			}
		}
		return symbol{}
	case session.Agents:
		for _, rt := range f.View.Pack.Routing.Routes() {
			for _, ref := range rt.Files {
				if ref.Contains(offset) {
					return symbol{fileName, ref.Name, ref.Span}
				}
			}
		}
		return symbol{}
	}
	if !f.Capability() {
		return symbol{}
	}
	it, ok := f.block(offset)
	if !ok {
		return symbol{}
	}
	at := offset - it.Offset
	switch it.Kind() {
	case parser.Legend:
		entries, _ := it.LegendEntries()
		for _, e := range entries {
			if contains(e.CodeRel, at) {
				return symbol{sourceCode, e.Code, it.At(e.CodeRel)}
			}
		}
	case parser.Primitive:
		if name, r := it.Illustrates(); name != "" && contains(r, at) {
			return symbol{label, name, it.At(r)}
		}
		for c := range it.Citations {
			if contains(c.Reason, at) {
				return symbol{sourceCode, c.Code, it.At(c.Rel)}
			}
		}
	}
	return symbol{}
}

// inner is the span of a JSON string without its quotes.
func inner(n *jsontree.Node) text.Span {
	return text.Span{Start: n.Start + 1, End: max(n.Start+1, n.End-1)}
}

// citations returns where a file cites a short code.
func citations(t *parser.Tree, name string) []text.Span {
	var out []text.Span
	for it := range t.All() {
		if it.Kind() != parser.Primitive || !it.HasReason() {
			continue
		}
		for c := range it.Citations {
			if c.Code == name {
				out = append(out, it.At(c.Rel))
			}
		}
	}
	return out
}

// labels returns where the files of the pack use a label: the capability files
// in order, or the document alone when it is in no pack.
func labels(f *File, name string) []Place {
	var out []Place
	each(f, func(rel string, t *parser.Tree) {
		for it := range t.All() {
			if l, r := it.Illustrates(); l == name && l != "" {
				out = append(out, Place{rel, it.At(r)})
			}
		}
	})
	return out
}

// each calls yield for every capability file of the pack.
func each(f *File, yield func(rel string, t *parser.Tree)) {
	if f.View == nil {
		yield(f.Rel, f.Tree)
		return
	}
	for _, file := range f.View.Pack.Capabilities() {
		if file.Path == f.Rel {
			yield(f.Rel, f.Tree) // the document's own text, when two buffers differ
			continue
		}
		yield(file.Path, file.Tree)
	}
}

// directivesFor returns the directives whose words a label shares: the one
// meaning that the format gives a label (R-d).
func directivesFor(f *File, name string) []Place {
	words := strings.FieldsFunc(strings.ToLower(name), func(r rune) bool { return r == '-' || r == '_' || r == ' ' })
	var out []Place
	best := 0
	each(f, func(rel string, t *parser.Tree) {
		for it := range t.All() {
			if it.Kind() != parser.Primitive || it.Type() != parser.Directive {
				continue
			}
			n := shared(words, strings.ToLower(it.Content()))
			switch {
			case n == 0 || n < best:
				continue
			case n > best:
				best, out = n, nil
			}
			out = append(out, Place{rel, it.At(parser.Rel{Start: it.Tag().Start, End: it.Head().End})})
		}
	})
	return out
}

func shared(words []string, content string) int {
	n := 0
	for _, w := range words {
		if len(w) > 2 && strings.Contains(content, w) || len(w) > 3 && strings.Contains(content, strings.TrimSuffix(w, "s")) {
			n++
		}
	}
	return n
}

// Definition returns where the name at an offset is defined.
func Definition(f *File, offset int) (origin text.Span, places []Place) {
	sym := symbolAt(f, offset)
	switch sym.kind {
	case sourceCode:
		it, entries, ok := legend(f.Tree)
		if !ok {
			break
		}
		for _, e := range entries {
			if e.Code == sym.name {
				places = append(places, Place{f.Rel, it.At(e.CodeRel)})
			}
		}
	case label:
		places = directivesFor(f, sym.name)
	case fileName:
		rel := pack.MemoryDir + "/" + sym.name
		if pack.PlainName(sym.name) && f.View.Pack.File(rel) != nil {
			places = []Place{{rel, text.Span{}}}
		}
	}
	return sym.span, places
}

// References returns where the name at an offset is used, its definition
// included when asked for.
func References(f *File, offset int, declaration bool) []Place {
	sym := symbolAt(f, offset)
	var out []Place
	switch sym.kind {
	case sourceCode:
		if _, def := Definition(f, offset); declaration {
			out = append(out, def...)
		}
		for _, s := range citations(f.Tree, sym.name) {
			out = append(out, Place{f.Rel, s})
		}
	case label:
		out = labels(f, sym.name)
	case fileName:
		out = fileReferences(f.View, sym.name)
		if _, def := Definition(f, offset); declaration {
			out = append(out, def...)
		}
	default:
		// In a capability file, anywhere else: who loads this file?
		if f.View != nil && f.View.Pack.Loads(f.Rel) && offset == 0 {
			out = fileReferences(f.View, nameOf(f.Rel))
		}
	}
	return out
}

func nameOf(rel string) string { return rel[strings.LastIndexByte(rel, '/')+1:] }

// fileReferences returns where manifest and routing table name a capability file.
func fileReferences(v *session.View, name string) []Place {
	var out []Place
	for _, e := range v.Pack.Manifest.Listed() {
		if e.Kind == jsontree.String && e.Text == name {
			out = append(out, Place{pack.ManifestName, inner(e)})
		}
	}
	for _, rt := range v.Pack.Routing.Routes() {
		for _, ref := range rt.Files {
			if ref.Name == name {
				out = append(out, Place{pack.AgentsName, ref.Span})
			}
		}
	}
	return out
}

// A Highlight is an occurrence of the name at the cursor.
type Highlight struct {
	Span  text.Span
	Write bool // the definition
}

// Highlights returns the occurrences of the name at an offset in its own file.
func Highlights(f *File, offset int) []Highlight {
	_, defs := Definition(f, offset)
	var out []Highlight
	for _, p := range References(f, offset, true) {
		if p.Rel == f.Rel && p.Span.Len() > 0 {
			out = append(out, Highlight{p.Span, slices.Contains(defs, p)})
		}
	}
	return out
}

// PrepareRename returns the name at an offset that can be renamed.
func PrepareRename(f *File, offset int) (span text.Span, name string, err error) {
	sym := symbolAt(f, offset)
	switch sym.kind {
	case noSymbol:
		return text.Span{}, "", errors.New("only short codes, labels and capability files can be renamed")
	case fileName:
		if !pack.PlainName(sym.name) {
			return text.Span{}, "", errors.New("the entry is no plain file name")
		}
	}
	return sym.span, sym.name, nil
}

// RenameResult is what a rename changes. File is the capability file that gets a
// new name on disk, "" when none does.
type RenameResult struct {
	Edits            []analysis.FileEdit
	OldFile, NewFile string
}

// Rename gives the name at an offset a new spelling, wherever it stands.
func Rename(f *File, offset int, name string) (RenameResult, error) {
	sym := symbolAt(f, offset)
	switch sym.kind {
	case sourceCode:
		return renameCode(f, sym.name, name)
	case label:
		if strings.ContainsAny(name, ",]\r\n") || strings.TrimSpace(name) != name || name == "" {
			return RenameResult{}, fmt.Errorf("a label holds no comma, bracket or line break and no white space at its ends")
		}
		var r RenameResult
		for _, p := range labels(f, sym.name) {
			r.Edits = append(r.Edits, analysis.FileEdit{Path: p.Rel, Span: p.Span, New: name})
		}
		return r, nil
	case fileName:
		return renameFile(f.View, sym.name, name)
	default:
		return RenameResult{}, errors.New("only short codes, labels and capability files can be renamed")
	}
}

func renameCode(f *File, old, name string) (RenameResult, error) {
	switch {
	case name == "" || strings.TrimSpace(name) != name:
		return RenameResult{}, errors.New("a short code is not empty and has no white space at its ends")
	case strings.ContainsAny(name, "[]\r\n"):
		return RenameResult{}, errors.New("a short code holds no brackets and no line break")
	case strings.Contains(name, ": ") || strings.HasSuffix(name, ":"):
		return RenameResult{}, errors.New("a colon with a space behind it ends a short code in the legend")
	case strings.HasSuffix(name, parser.Verbatim):
		return RenameResult{}, errors.New("a short code does not end in the mark for exact words")
	}
	var r RenameResult
	if it, entries, ok := legend(f.Tree); ok {
		for _, e := range entries {
			if e.Code == name && name != old {
				return RenameResult{}, fmt.Errorf("the legend already defines %q", name)
			}
			if e.Code == old {
				r.Edits = append(r.Edits, analysis.FileEdit{Path: f.Rel, Span: it.At(e.CodeRel), New: name})
			}
		}
	}
	for _, s := range citations(f.Tree, old) {
		r.Edits = append(r.Edits, analysis.FileEdit{Path: f.Rel, Span: s, New: name})
	}
	return r, nil
}

func renameFile(v *session.View, old, name string) (RenameResult, error) {
	switch {
	case !pack.PlainName(name):
		return RenameResult{}, errors.New("a capability file has a plain file name, without folders")
	case !strings.HasSuffix(name, ".md"):
		return RenameResult{}, errors.New("a capability file ends in .md")
	case v.Pack.File(pack.MemoryDir+"/"+name) != nil && name != old:
		return RenameResult{}, fmt.Errorf("memory/%s exists already", name)
	}
	r := RenameResult{Edits: renamed(v, old, name)}
	if rel := pack.MemoryDir + "/" + old; v.Pack.File(rel) != nil {
		r.OldFile, r.NewFile = rel, pack.MemoryDir+"/"+name
	}
	return r, nil
}

// renamed returns the edits that make manifest and routing table follow a
// capability file to its new name.
func renamed(v *session.View, old, name string) []analysis.FileEdit {
	var out []analysis.FileEdit
	for _, p := range fileReferences(v, old) {
		s := name
		if p.Rel == pack.ManifestName {
			s = jsonEscapes.Replace(name)
		}
		out = append(out, analysis.FileEdit{Path: p.Rel, Span: p.Span, New: s})
	}
	return out
}

// RenameFiles returns the edits that make a pack follow capability files that
// are about to be renamed. A file that leaves memory/ or stops being Markdown is
// taken off the lists by the findings that follow, not silently here.
func RenameFiles(v *session.View, oldRel, newRel string) []analysis.FileEdit {
	if !pack.IsCapability(oldRel) || !pack.IsCapability(newRel) {
		return nil
	}
	return renamed(v, nameOf(oldRel), nameOf(newRel))
}
