// Package units cuts a pack into the units that package poison judges.
package units

import (
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// OfBlock returns the units of one block of a capability file. Offsets are
// relative to the block and File is empty, so that the result can be kept with
// the block; see [Moved].
func OfBlock(b *parser.Block) []poison.Unit {
	src := b.Text()
	raw := poison.Unit{Kind: poison.Raw, File: memory, Text: src[b.Start():]}
	raw.Offset = b.Start()
	raw.Owner = -1
	add := func(list []poison.Unit, r parser.Rel, k poison.Kind) []poison.Unit {
		if s := src[r.Start:r.End]; strings.TrimSpace(s) != "" {
			list = append(list, poison.Unit{Kind: k, File: memory, Offset: r.Start, Text: s, Owner: -1})
		}
		return list
	}
	out := make([]poison.Unit, 1, 4)
	switch b.Kind() {
	case parser.Blank:
		return nil
	case parser.Frontmatter:
		out = append(out, frontmatter(b)...)
	case parser.Legend:
		entries, problems := b.LegendEntries()
		for _, e := range entries {
			out = add(out, e.TitleRel, poison.Legend)
			out = add(out, e.URLRel, poison.Legend)
		}
		for _, p := range problems {
			out = add(out, p.Rel, poison.Legend)
		}
	case parser.Primitive:
		u := poison.Unit{Type: b.Type().String(), File: memory, Owner: -1}
		if b.Type() == parser.Unknown {
			u.Type = ""
		}
		res := b.Resolved()
		u.Force, u.Valence = res["force"], res["valence"]
		if b.Type() == parser.Demonstration {
			u.Illustrates, _ = b.Illustrates()
		}
		raw.Type, raw.Valence = u.Type, u.Valence
		u.Kind = poison.Content
		switch {
		case u.Type == "":
			u.Kind = poison.Loose
		case b.Type() == parser.Demonstration:
			u.Kind = poison.DemoBody
		}
		if b.Format() == parser.V03 {
			// Content and reason are scattered over YAML; the whole block stands
			// for them.
			u.Offset, u.Text = b.Start(), src[b.Start():b.End()]
			out = append(out, u)
			break
		}
		owner := -1
		if body := b.Body(); strings.TrimSpace(src[body.Start:body.End]) != "" {
			u.Offset, u.Text = body.Start, src[body.Start:body.End]
			owner = len(out)
			out = append(out, u)
		}
		if b.Brace() {
			if head := b.Head(); strings.Trim(src[head.Start:head.End], " {") != "" {
				h := u
				h.Offset, h.Text = head.Start, src[head.Start:head.End]
				out = append(out, h)
			}
		}
		if b.HasReason() {
			lines := b.ReasonLines()
			u.Kind, u.Owner = poison.Reason, owner
			u.Offset, u.Text = lines.Start, unquoted(src[lines.Start:lines.End])
			out = append(out, u)
		}
		if f := b.FacetString(); f.End-f.Start > 60 {
			out = add(out, f, poison.FrontmatterValue)
		}
		out = add(out, b.Tail(), poison.Loose)
	default:
		out = add(out, parser.Rel{Start: b.Start(), End: b.End()}, poison.Loose)
	}
	out[0] = raw
	return out
}

// memory stands for the path of a capability file until [Moved] knows it.
const memory = "memory/"

// unquoted blanks the markers of reason lines, so that offsets stay.
func unquoted(s string) string {
	b := []byte(s)
	start := true
	for i, c := range b {
		switch {
		case c == '\n' || c == '\r':
			start = true
		case start && c == '>':
			b[i] = ' '
			start = false
		case c != ' ' && c != '\t':
			start = false
		}
	}
	return string(b)
}

// Moved sets what a block does not know: its file and where it stands. doc
// marks files without any primitive, which are documents.
func Moved(u *poison.Unit, pk, path string, offset int, doc bool) *poison.Unit {
	m := *u
	m.Pack, m.File = pk, path
	m.Offset += offset
	if doc && m.Kind == poison.Loose {
		m.Kind = poison.OtherFile
	}
	return &m
}

func frontmatter(b *parser.Block) []poison.Unit {
	var out []poison.Unit
	src := b.Text()
	fm := pack.ParseFrontmatter(b)
	var walk func(es []pack.Entry)
	walk = func(es []pack.Entry) {
		for _, e := range es {
			if e.Kind == pack.Scalar && len(e.Value) > 8 && e.ValueRel.End <= len(src) {
				out = append(out, poison.Unit{Kind: poison.FrontmatterValue, File: memory, Offset: e.ValueRel.Start, Text: src[e.ValueRel.Start:e.ValueRel.End], Owner: -1})
			}
			walk(e.Children)
		}
	}
	walk(fm.Entries)
	for at := fm.Inner.Start; at < fm.Inner.End; {
		end := strings.IndexByte(src[at:fm.Inner.End], '\n')
		if end < 0 {
			end = fm.Inner.End
		} else {
			end += at
		}
		line := src[at:end]
		if h := strings.IndexByte(line, '#'); h == 0 || h > 0 && (line[h-1] == ' ' || line[h-1] == '\t') {
			out = append(out, poison.Unit{Kind: poison.YAMLComment, File: memory, Offset: at + h, Text: line[h:], Owner: -1})
		} else if fm.Err != nil && strings.TrimSpace(line) != "" {
			out = append(out, poison.Unit{Kind: poison.FrontmatterValue, File: memory, Offset: at, Text: line, Owner: -1})
		}
		at = end + 1
	}
	return out
}

// OfFile returns the units of a file that is no capability file.
func OfFile(pk *pack.Pack, f *pack.File) []*poison.Unit {
	if f.Text == "" {
		return nil
	}
	out := []*poison.Unit{{Kind: poison.Raw, File: f.Path, Text: f.Text, Owner: -1}}
	switch f.Path {
	case pack.ManifestName:
		if pk.Manifest == nil || pk.Manifest.Root == nil {
			return append(out, &poison.Unit{Kind: poison.OtherFile, File: f.Path, Text: f.Text, Owner: -1})
		}
		manifest(pk.Manifest.Root, "", f, &out)
	case pack.AgentsName:
		if pk.Routing == nil {
			return out
		}
		agents(pk, f, &out)
	default:
		if !Binary(f.Text) {
			out = append(out, &poison.Unit{Kind: poison.OtherFile, File: f.Path, Text: f.Text, Owner: -1})
		}
	}
	return out
}

// Binary reports whether a file is no text for anybody: it holds a NUL byte, and
// a tenth of it or more is control characters or no UTF-8. A NUL that was put into
// a text takes it away from no reader, and so not from the rules either.
func Binary(s string) bool {
	if strings.IndexByte(s, 0) < 0 {
		return false
	}
	if odd := 0; len(s) > 4<<10 { // control characters alone are counted ten times faster
		for i := range len(s) {
			odd += int(control[s[i]])
			if i%(4<<10) == 0 && odd*10 >= len(s) {
				return true
			}
		}
	}
	odd := 0
	for i, r := range s {
		if r < ' ' && control[r] != 0 || r == utf8.RuneError && s[i] != 0xEF {
			if odd++; odd*10 >= len(s) {
				return true // what follows cannot change it
			}
		}
	}
	return false
}

// control marks the control characters that no text has, each a byte of its own.
var control = func() (t [256]uint8) {
	for c := range byte(' ') {
		if c != '\n' && c != '\r' && c != '\t' {
			t[c] = 1
		}
	}
	return t
}()

// manifest collects the strings that people or agents read.
func manifest(n *jsontree.Node, name string, f *pack.File, out *[]*poison.Unit) {
	switch n.Kind {
	case jsontree.Object:
		for _, m := range n.Members {
			manifest(m.Value, m.Name, f, out)
		}
	case jsontree.Array:
		for _, e := range n.Elems {
			manifest(e, name, f, out)
		}
	case jsontree.String:
		switch name {
		case "signature", "created", "layout", "primitive_format", "agents_file", "public_key":
			return
		}
		if n.End-n.Start > 10 {
			*out = append(*out, &poison.Unit{Kind: poison.ManifestString, File: f.Path, Offset: n.Start + 1, Text: f.Text[n.Start+1 : n.End-1], Owner: -1})
		}
	}
}

// agents cuts agents.md into routes and prose.
func agents(pk *pack.Pack, f *pack.File, out *[]*poison.Unit) {
	r := pk.Routing
	taken := make([]bool, len(f.Text)+1)
	var names []string
	for _, c := range pk.Capabilities() {
		names = append(names, c.Name())
	}
	cover := func(s, e int) {
		for i := max(0, s); i < min(e, len(taken)); i++ {
			taken[i] = true
		}
	}
	unit := func(k poison.Kind, s, e int) {
		if s >= 0 && e <= len(f.Text) && s < e && strings.TrimSpace(f.Text[s:e]) != "" {
			*out = append(*out, &poison.Unit{Kind: k, File: f.Path, Offset: s, Text: f.Text[s:e], Owner: -1, Names: names})
		}
	}
	for _, it := range r.Items {
		unit(poison.AlwaysLoad, it.Line.Start, it.Line.End)
		cover(it.Line.Start, it.Line.End)
	}
	for _, row := range r.Rows {
		unit(poison.TableCell, row.Line.Start, row.Cell.Start)
		unit(poison.RouteCell, row.Cell.Start, row.Cell.End)
		cover(row.Line.Start, row.Line.End)
	}
	// What is left is prose, paragraph by paragraph.
	start := -1
	for at := 0; at <= len(f.Text); {
		end := strings.IndexAny(f.Text[at:], "\r\n")
		if end < 0 {
			end = len(f.Text)
		} else {
			end += at
		}
		blank := strings.TrimSpace(f.Text[at:end]) == "" || taken[at]
		switch {
		case blank && start >= 0:
			unit(poison.AgentsLine, start, at)
			start = -1
		case !blank && start < 0:
			start = at
		}
		if end == len(f.Text) {
			if start >= 0 {
				unit(poison.AgentsLine, start, end)
			}
			return
		}
		at = end + 1
		if f.Text[end] == '\r' && at < len(f.Text) && f.Text[at] == '\n' {
			at++
		}
	}
}

// LoadOrder sorts the files of a pack as an agent meets them: manifest,
// agents.md, always loaded files, routed files, the rest.
func LoadOrder(pk *pack.Pack) []*pack.File {
	var out []*pack.File
	seen := map[*pack.File]bool{}
	add := func(f *pack.File) {
		if f != nil && !seen[f] {
			seen[f] = true
			out = append(out, f)
		}
	}
	add(pk.File(pack.ManifestName))
	add(pk.File(pack.AgentsName))
	if pk.Routing != nil {
		for _, list := range [][]pack.Route{pk.Routing.Items, pk.Routing.Rows} {
			for _, r := range list {
				for _, ref := range r.Files {
					add(pk.File(pack.MemoryDir + "/" + ref.Name))
				}
			}
		}
	}
	for _, f := range pk.Files {
		add(f)
	}
	return out
}

// Document reports whether a capability file holds no primitive at all.
func Document(f *pack.File) bool {
	if f.Tree == nil {
		return false
	}
	for _, n := range f.Tree.Summary().Types {
		if n > 0 {
			return false
		}
	}
	return true
}

// All yields every unit of a pack in load order.
// Blocks that want turns down are left out; a nil want takes all.
func All(pk *pack.Pack, name string, want func(block string) bool, yield func(*poison.Unit) bool) {
	for _, f := range LoadOrder(pk) {
		if f.Err != nil || !f.Regular() {
			continue
		}
		if f.Tree == nil {
			for _, u := range OfFile(pk, f) {
				u.Pack = name
				if !yield(u) {
					return
				}
			}
			continue
		}
		doc := Document(f)
		for it := range f.Tree.All() {
			if want != nil && !want(it.Text()) {
				continue
			}
			list := OfBlock(it.Block)
			for i := range list {
				if !yield(Moved(&list[i], name, f.Path, it.Offset, doc)) {
					return
				}
			}
		}
	}
}

// Judge judges whole packs at once, without caches.
func Judge(packs ...*pack.Pack) []poison.Finding {
	var in poison.Input
	each := func(want func(string) bool, yield func(*poison.Unit) bool) {
		for i, pk := range packs {
			name := ""
			if i > 0 {
				name = pk.Name()
			}
			All(pk, name, want, yield)
		}
	}
	each(nil, func(u *poison.Unit) bool {
		if f := poison.Facts(u); f != nil {
			in.Units = append(in.Units, u)
			in.Facts = append(in.Facts, f)
		}
		return true
	})
	in.All = each
	out := poison.Judge(in)
	for _, pk := range packs {
		for _, f := range pk.Files {
			if f.Tree != nil {
				out = append(out, poison.Structure(f.Path, f.Text)...)
			}
		}
	}
	return out
}
