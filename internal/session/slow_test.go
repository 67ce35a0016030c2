package session

import (
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser/text"
)

func TestFindingsMoveWithTheText(t *testing.T) {
	span := func(a, b int) text.Span { return text.Span{Start: a, End: b} }
	tests := []struct {
		name string
		at   text.Span // of the finding
		m    move
		want text.Span
		kept bool
	}{
		{"edit behind it", span(10, 20), move{span: span(30, 31), size: 5}, span(10, 20), true},
		{"insertion in front", span(10, 20), move{span: span(3, 3), size: 4}, span(14, 24), true},
		{"deletion in front", span(10, 20), move{span: span(3, 7)}, span(6, 16), true},
		{"replacement right before it", span(10, 20), move{span: span(8, 10), size: 1}, span(9, 19), true},
		{"insertion at its start", span(10, 20), move{span: span(10, 10), size: 1}, text.Span{}, false},
		{"insertion at its end", span(10, 20), move{span: span(20, 20), size: 1}, text.Span{}, false},
		{"edit inside", span(10, 20), move{span: span(12, 13), size: 1}, text.Span{}, false},
		{"edit around", span(10, 20), move{span: span(5, 25)}, text.Span{}, false},
		{"edit over its start", span(10, 20), move{span: span(5, 11)}, text.Span{}, false},
		{"another text altogether", span(10, 20), move{all: true}, text.Span{}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.m.rel = "a.md"
			ds := moveAll([]analysis.Diagnostic{{Path: "a.md", Span: tt.at}, {Path: "b.md", Span: tt.at}}, tt.m)
			kept := len(ds) == 2
			if kept != tt.kept {
				t.Fatalf("kept %v, want %v", kept, tt.kept)
			}
			if last := ds[len(ds)-1]; last.Path != "b.md" || last.Span != tt.at {
				t.Errorf("the finding in another file moved to %v", last.Span)
			}
			if kept && ds[0].Span != tt.want {
				t.Errorf("moved to %v, want %v", ds[0].Span, tt.want)
			}
		})
	}
}

func TestFixesAndRelatedPlacesMoveToo(t *testing.T) {
	old := []analysis.Diagnostic{{
		Path: "a.md", Span: text.Span{Start: 10, End: 12},
		Related: []analysis.Related{{Path: "b.md", Span: text.Span{Start: 5, End: 6}}},
		Fixes: []analysis.Fix{
			{Title: "kept", Edits: []analysis.FileEdit{{Path: "b.md", Span: text.Span{Start: 5, End: 6}}}},
			{Title: "gone", Edits: []analysis.FileEdit{{Path: "b.md", Span: text.Span{Start: 1, End: 3}}}},
		},
	}}
	got := moveAll(old, move{rel: "b.md", span: text.Span{Start: 2, End: 2}, size: 3})
	if len(got) != 1 || got[0].Related[0].Span.Start != 8 || len(got[0].Fixes) != 1 || got[0].Fixes[0].Edits[0].Span.Start != 8 {
		t.Errorf("moved to %+v", got)
	}
	if old[0].Related[0].Span.Start != 5 || old[0].Fixes[0].Edits[0].Span.Start != 5 {
		t.Error("the findings of the older state have changed")
	}
	if got := moveAll(old, move{rel: "b.md", span: text.Span{Start: 5, End: 6}}); len(got) != 0 {
		t.Errorf("a finding whose evidence was edited is still there: %+v", got)
	}
}
