package pack

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// FuzzFrontmatter compares the reader of plain lines with the YAML library:
// where the first one takes a text, both must see the same.
func FuzzFrontmatter(f *testing.F) {
	for _, s := range []string{
		"type: cluster\nsource: self\n", "a: b # c\n", "a:\n  b: 1\n  c: 2\nd: e\n", "a: 'b'\n", "a: b: c\n", "a:\r\n  b: c\r\n", "a: [x]\n",
		"on: yes\nn: 0x1\nz: null\n", "a: &x b\nc: *x\n", "a: |\n  b\n", "a: b\n\n  c: d\n", "a: é\n", "a: ~\nb: .inf\n", "a:   b   \n", "z: Null\n", "z: NULL\n", "z: nULL\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		checkSpans(t, src)
		if !utf8.ValidString(src) {
			return // the library reads bad bytes in its own way; both are an error of `encoding`
		}
		plain, ok := plainYAML(src, 0)
		if !ok {
			return
		}
		full := &Frontmatter{Inner: parser.Rel{End: len(src)}}
		full.full(src)
		if full.Err != nil {
			t.Fatalf("%q is read as %+v, the library says %q", src, plain, full.Err.Message)
		}
		sameEntries(t, src, plain, full.Entries)
	})
}

func sameEntries(t *testing.T, src string, plain, full []Entry) {
	t.Helper()
	if len(plain) != len(full) {
		t.Fatalf("%q is read as %+v, by the library as %+v", src, plain, full)
	}
	for i := range plain {
		a, b := plain[i], full[i]
		if a.Key != b.Key || a.Kind != b.Kind || a.Kind == Scalar && a.Value != b.Value || a.KeyRel != b.KeyRel {
			t.Fatalf("%q: entry %d is %+v, by the library %+v", src, i, a, b)
		}
		sameEntries(t, src, a.Children, b.Children)
	}
}

// checkSpans reads the text as a frontmatter block: no panic, and every range
// lies in the block.
func checkSpans(t *testing.T, src string) {
	t.Helper()
	it, ok := parser.Parse("---\n"+src+"\n---\n", parser.V04).AtIndex(0)
	if !ok || it.Kind() != parser.Frontmatter {
		return
	}
	fm := ParseFrontmatter(it.Block)
	if fm.Err != nil {
		inside(t, it.Text(), fm.Err.Rel)
		if fm.Err.Message == "" {
			t.Fatalf("%q: an error without words", src)
		}
	}
	insideAll(t, it.Text(), fm.Entries)
}

func insideAll(t *testing.T, src string, es []Entry) {
	t.Helper()
	for i := range es {
		inside(t, src, es[i].KeyRel)
		inside(t, src, es[i].ValueRel)
		insideAll(t, src, es[i].Children)
		insideAll(t, src, es[i].Items)
	}
}

func inside(t *testing.T, src string, r parser.Rel) {
	t.Helper()
	if r.Start < 0 || r.Start > r.End || r.End > len(src) {
		t.Fatalf("range %v lies outside of %q", r, src)
	}
}

// FuzzRouting: every span lies in the text and in its line, and names are what
// the text says there.
func FuzzRouting(f *testing.F) {
	for _, s := range []string{
		"# T\n\n## Always load\n- a.md — x\n\n| a | b |\n|---|---|\n| x \\| y | `a.md`, b.md |\n", "a | b\n--|--\nx | [a](memory/a.md)\n",
		"\ufeff## Always load\r1. a.md\r", "```\n| a |\n", "|\\", "||\n|-|\n||", "- ", "## Always load\n-\n- .\n- _._\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) {
		r := ParseRouting(src)
		span := func(s text.Span) {
			if s.Start < 0 || s.Start > s.End || s.End > len(src) {
				t.Fatalf("span %v lies outside of %q", s, src)
			}
		}
		span(r.Always)
		span(r.Title)
		if r.AlwaysEnd > len(src) || r.TableEnd > len(src) {
			t.Fatalf("ends %d and %d lie outside of %q", r.AlwaysEnd, r.TableEnd, src)
		}
		for _, rt := range r.Routes() {
			span(rt.Line)
			span(rt.Cell)
			if strings.ContainsAny(src[rt.Line.Start:rt.Line.End], "\r\n") {
				t.Fatalf("route %+v of %q is more than a line", rt, src)
			}
			for _, ref := range rt.Files {
				span(ref.Span)
				if ref.Start < rt.Cell.Start || ref.End > rt.Cell.End || src[ref.Start:ref.End] != ref.Name || ref.Name == "" {
					t.Fatalf("name %+v of %q is not in its cell %v", ref, src, rt.Cell)
				}
				if !r.Names(FileOf(ref.Name)) {
					t.Fatalf("%q: the table does not know its own name %q", src, ref.Name)
				}
			}
		}
	})
}

func TestYAMLOfAnySizeIsReadQuicklyOrRefused(t *testing.T) {
	for name, src := range map[string]string{
		"brackets": "a: " + strings.Repeat("[", 200_000),
		"braces":   "a: " + strings.Repeat("{a: ", 200_000),
		"dashes":   strings.Repeat("- ", 200_000),
		"indents":  strings.Repeat("a:\n ", 50_000),
		"keys":     strings.Repeat("a: b\n", 100_000),
		"aliases":  "a: &a [x]\nb: &b [*a, *a]\n" + strings.Repeat("c: [*b, *b, *b, *b]\n", 50),
	} {
		it, _ := parser.Parse("---\n"+src+"\n---\n", parser.V04).AtIndex(0)
		if fm := ParseFrontmatter(it.Block); fm.Err == nil {
			t.Errorf("%s: %d bytes were taken", name, len(src))
		}
	}
}
