package pack

import (
	"strings"

	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A Manifest is manifest.json with the position of everything in it. A nil
// Manifest answers every question as an empty one does.
type Manifest struct {
	File *File
	// Root is the top-level value; nil when the file can't be parsed.
	Root *jsontree.Node
	// Err is the syntax error. A byte order mark is one, though what follows is
	// still read, so that the rest can be judged (R-enc).
	Err *jsontree.SyntaxError

	listed map[string]bool // the strings of capability_files
}

// ParseManifest reads a manifest. It never fails; see Manifest.Err and File.Err.
func ParseManifest(f *File) *Manifest {
	m := &Manifest{File: f}
	if f.Err != nil || !f.Regular() {
		return m
	}
	src, shift := f.Text, 0
	if strings.HasPrefix(src, text.BOM) {
		m.Err = &jsontree.SyntaxError{Offset: 0, Msg: "the file starts with a byte order mark"}
		src, shift = src[len(text.BOM):], len(text.BOM)
	}
	root, err := jsontree.Parse([]byte(src))
	if err != nil {
		if m.Err == nil {
			m.Err = err
		}
		return m
	}
	if shift > 0 {
		move(root, shift)
	}
	m.Root = root
	m.listed = map[string]bool{}
	for _, e := range m.Listed() {
		if e.Kind == jsontree.String {
			m.listed[e.Text] = true
		}
	}
	return m
}

func move(n *jsontree.Node, by int) {
	n.Start += by
	n.End += by
	for _, e := range n.Elems {
		move(e, by)
	}
	for i := range n.Members {
		m := &n.Members[i]
		m.NameStart += by
		m.NameEnd += by
		move(m.Value, by)
	}
}

// Object is the top-level object, nil when there is none.
func (m *Manifest) Object() *jsontree.Node {
	if m == nil || m.Root == nil || m.Root.Kind != jsontree.Object {
		return nil
	}
	return m.Root
}

// Member is the value of a top-level member, nil when there is none.
func (m *Manifest) Member(name string) *jsontree.Node { return m.Object().Member(name) }

// Text is the value of a string member, "" for anything else.
func (m *Manifest) Text(name string) string {
	if n := m.Member(name); n != nil && n.Kind == jsontree.String {
		return n.Text
	}
	return ""
}

// Signed reports whether `signed` is true.
func (m *Manifest) Signed() bool {
	n := m.Member("signed")
	return n != nil && n.Kind == jsontree.Bool && n.Bool
}

// Listed are the elements of capability_files, whatever their type.
func (m *Manifest) Listed() []*jsontree.Node {
	n := m.Member("capability_files")
	if n == nil || n.Kind != jsontree.Array {
		return nil
	}
	return n.Elems
}

// Lists reports whether capability_files has the plain file name.
func (m *Manifest) Lists(name string) bool { return m != nil && m.listed[name] }

func (m *Manifest) format() FormatState {
	if m.Object() == nil {
		return FormatInline
	}
	n := m.Member("primitive_format")
	switch {
	case n == nil:
		return FormatYAML
	case n.Kind != jsontree.String:
		return FormatOther
	case n.Text == parser.FormatV04:
		return FormatInline
	case n.Text == parser.FormatV03:
		return FormatYAML
	}
	return FormatOther
}

// NodeSpan is the byte span of a JSON value.
func NodeSpan(n *jsontree.Node) text.Span { return text.Span{Start: n.Start, End: n.End} }

// PlainName reports whether a capability_files entry is a plain file name; any
// other is never touched on disk (R-cap). Control characters and the names that
// mean a folder are none.
func PlainName(s string) bool {
	if s == "" || s == "." || s == ".." || strings.ContainsAny(s, `/\`) || strings.Contains(s, "..") {
		return false
	}
	for _, c := range s {
		if c < ' ' || c == 0x7f {
			return false
		}
	}
	// A drive letter or an NTFS stream: no plain name on Windows.
	return !strings.Contains(s, ":")
}

// ValidName reports whether a pack name matches ^[a-z0-9][a-z0-9-]{0,63}$ as a whole (S2.21).
func ValidName(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '-' {
		return false
	}
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || '0' <= c && c <= '9' || c == '-') {
			return false
		}
	}
	return true
}
