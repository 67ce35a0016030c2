package ide

import (
	"fmt"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// loose makes a document outside of packs that is judged as a capability file.
func loose(src string) *File {
	s := session.New(session.Env{})
	s.Open(session.Identity{Key: "untitled:x", URI: "untitled:x"}, 1, "amp", src)
	snap := s.Snapshot()
	d := snap.Doc("untitled:x")
	return &File{Snap: snap, Doc: d, Rel: d.Name(), Tree: d.Tree}
}

// FuzzFeatures asks for every feature at every kind of place: none may panic,
// all spans lie in the text, formatting keeps what readers read and is a
// fixpoint.
func FuzzFeatures(f *testing.F) {
	f.Add("---\ntype: cluster\nprimitive_counts:\n  goal: 1\n---\n\nsources:\n  A: b\n\n[goal must,org]  x\n\t\t>[A]\n", 60)
	f.Add("[demo positive,illustrates:x]{\n}\n  >y\n", 12)
	f.Add("[directive ", 11)
	f.Add("\ufeff[claim] x\r\ry {\r\n", 3)
	f.Add("\n\xbb\r[i]m\r \x00i[\r[ii]m\x7f\r[i]{\x7f\xe8\x17|\r[i]{\r\xef", 3)
	f.Add("\r\ufeff[claim] x\r\ry {\r\n", 3)
	f.Fuzz(func(t *testing.T, src string, at int) {
		if len(src) > 1<<14 {
			return
		}
		stuck := time.AfterFunc(5*time.Second, func() { panic(fmt.Sprintf("stuck on %q at %d", src, at)) })
		defer stuck.Stop()
		file := loose(src)
		offset := min(max(at, 0), len(src))
		check := func(what string, s text.Span) {
			if s.Start < 0 || s.End < s.Start || s.End > len(src) {
				t.Fatalf("%s: span %v outside of %d bytes", what, s, len(src))
			}
		}
		for _, it := range Complete(file, offset) {
			check("completion", it.Replace)
			check("completion", it.Insert)
		}
		SignatureAt(file, offset)
		_, places := Definition(file, offset)
		for _, p := range append(places, References(file, offset, true)...) {
			check("reference", p.Span)
		}
		var symbols func([]Symbol)
		symbols = func(list []Symbol) {
			for _, s := range list {
				check("symbol", s.Span)
				if s.NameSpan.Start < s.Span.Start || s.NameSpan.End > s.Span.End || s.Name == "" {
					t.Fatalf("symbol %q: name %v outside of %v", s.Name, s.NameSpan, s.Span)
				}
				symbols(s.Children)
			}
		}
		symbols(Symbols(file))
		for _, fold := range Folds(file) {
			check("fold", fold.Span)
		}
		last := text.Span{Start: offset, End: offset}
		for _, s := range Selections(file, offset) {
			check("selection", s)
			if s.Start > last.Start || s.End < last.End {
				t.Fatalf("selection %v is not around %v", s, last)
			}
			last = s
		}
		end := 0
		Tokens(file, text.Span{End: len(src)}, func(tok Token) {
			check("token", tok.Span)
			if tok.Span.Start < end {
				t.Fatalf("token %v overlaps the one before, which ends at %d", tok.Span, end)
			}
			end = tok.Span.End
		})
		for _, h := range Hints(file, text.Span{End: len(src)}) {
			check("hint", text.Span{Start: h.Offset, End: h.Offset})
		}
		for _, l := range Links(file) {
			check("link", l.Span)
		}
		for _, a := range rewrites(file, text.Span{Start: offset, End: offset}) {
			for _, e := range a.Edits {
				check(a.Title, e.Span)
			}
		}
		FormatOnType(file, offset, "\n")
		FormatOnType(file, offset, "}")
		formatIsHarmless(t, src)
	})
}

// formatIsHarmless checks that formatting changes nothing that a reader reads,
// and that formatting again changes nothing at all.
func formatIsHarmless(t *testing.T, src string) {
	t.Helper()
	edits := Format(loose(src), text.Span{End: len(src)})
	out, err := text.Apply(src, edits)
	if err != nil {
		t.Fatalf("%q: %v in %v", src, err, edits)
	}
	if again := Format(loose(out), text.Span{End: len(out)}); len(again) > 0 {
		t.Fatalf("%q becomes %q, and formatting that changes %v", src, out, again)
	}
	before, after := readings(src), readings(out)
	if len(before) != len(after) {
		t.Fatalf("%q has %d primitives, formatted %q has %d", src, len(before), out, len(after))
	}
	for i := range before {
		if before[i] != after[i] {
			t.Fatalf("%q reads %q, formatted %q reads %q", src, before[i], out, after[i])
		}
	}
}

// readings are what a reader takes from each primitive.
func readings(src string) []string {
	var out []string
	for it := range parser.Parse(src, parser.V04).All() {
		if it.Kind() != parser.Primitive {
			continue
		}
		s := it.Written() + "|" + it.Content() + "|" + it.Reason()
		for _, tok := range it.Facets() {
			s += "|" + tok.Text
			if v, ok := parser.Demonstration.Facets()[1].KeyValue(tok.Text); ok {
				s = s[:len(s)-len(tok.Text)] + "illustrates=" + v
			}
		}
		out = append(out, s)
	}
	return out
}

// FuzzPlaceInJSON reads any text at any offset without a panic.
func FuzzPlaceInJSON(f *testing.F) {
	f.Add(`{"a": ["x", "`, 12)
	f.Add(`{"a": {"b": 1}, "c`, 18)
	f.Fuzz(func(_ *testing.T, src string, offset int) {
		placeInJSON(src, min(max(offset, 0), len(src)))
	})
}
