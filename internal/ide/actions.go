package ide

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Kinds of actions, in the hierarchy of LSP.
const (
	KindQuickFix     = "quickfix"
	KindRewrite      = "refactor.rewrite"
	KindMove         = "refactor.move"
	KindFixAll       = "source.fixAll.amp"
	KindUpdateCounts = "source.updateCounts.amp"
)

// Kinds are all kinds of actions that are offered.
var Kinds = []string{KindQuickFix, KindRewrite, KindMove, KindFixAll, KindUpdateCounts}

// Action is a change that the user can choose.
type Action struct {
	Title     string
	Kind      string
	Preferred bool
	// Finding is what the action mends, or nil.
	Finding *analysis.Diagnostic
	// Edits are the change. An action that is costly to make has none but a
	// Name, by which Resolve makes them.
	Edits []analysis.FileEdit
	Name  string
	// Disabled says why the action cannot be chosen here, "" when it can.
	Disabled string
}

// Names of actions that Resolve makes.
const (
	nameFixAll   = "fixAll"   // safe fixes in the file
	nameFixFile  = "fixFile:" // + rule: every fix of a rule in the file
	nameFixPack  = "fixPack:" // + rule: every fix of a rule in the pack
	nameMove     = "move:"    // + file name: the primitive at the span
	nameCounts   = "counts"
	nameCountAll = "countsIfWrong"
)

// Actions returns what can be done at a span of the file. want tells which kinds
// the client asks for; it sees a kind and reports whether to make its actions.
func Actions(s *session.Session, f *File, span text.Span, want func(kind string) bool) []Action {
	found := f.Findings(s)
	var out []Action
	if want(KindQuickFix) {
		out = append(out, quickFixes(f, found, span)...)
		out = append(out, suppressions(f, found, span)...)
	}
	if want(KindRewrite) && f.Capability() {
		out = append(out, rewrites(f, span)...)
	}
	if want(KindMove) && f.Capability() && f.View != nil {
		out = append(out, moves(f, span)...)
	}
	if want(KindFixAll) && slices.ContainsFunc(found, func(d analysis.Diagnostic) bool { return safeHere(&d, f.Rel) }) {
		out = append(out, Action{Title: "Apply all safe fixes in this file", Kind: KindFixAll, Name: nameFixAll})
	}
	if want(KindUpdateCounts) && f.View != nil && len(countFixes(f.View)) > 0 {
		out = append(out, Action{Title: "Update the counts of the pack", Kind: KindUpdateCounts, Name: nameCounts})
	}
	return out
}

// quickFixes are the fixes of the findings that the span touches, and for each
// rule among them one action for all its findings.
func quickFixes(f *File, found []analysis.Diagnostic, span text.Span) []Action {
	var out []Action
	var rules []string
	for i := range found {
		d := &found[i]
		if len(d.Fixes) == 0 || d.Span.End < span.Start || d.Span.Start > span.End {
			continue
		}
		preferred := true
		for _, fix := range d.Fixes {
			a := Action{Title: fix.Title, Kind: KindQuickFix, Finding: d, Edits: fix.Edits}
			if fix.Safety == analysis.Safe && preferred {
				a.Preferred, preferred = true, false
			}
			out = append(out, a)
		}
		if !slices.Contains(rules, d.Rule.Slug) {
			rules = append(rules, d.Rule.Slug)
		}
	}
	for _, rule := range rules {
		here, elsewhere := 0, false
		for i := range found {
			if found[i].Rule.Slug == rule && mendable(&found[i]) {
				here++
			}
		}
		if f.View != nil {
			for rel, ds := range f.View.All() {
				if rel != f.Rel && slices.ContainsFunc(ds, func(d analysis.Diagnostic) bool { return d.Rule.Slug == rule && mendable(&d) }) {
					elsewhere = true
				}
			}
		}
		if here > 1 {
			out = append(out, Action{Title: fmt.Sprintf("Fix all %s in this file", rule), Kind: KindQuickFix, Name: nameFixFile + rule})
		}
		if elsewhere {
			out = append(out, Action{Title: fmt.Sprintf("Fix all %s in the pack", rule), Kind: KindQuickFix, Name: nameFixPack + rule})
		}
	}
	return out
}

// mendable reports whether a finding can be mended without looking at each.
func mendable(d *analysis.Diagnostic) bool {
	return slices.ContainsFunc(d.Fixes, func(fix analysis.Fix) bool { return fix.Safety <= analysis.Suggested })
}

// safeHere reports whether a finding has a safe fix that changes nothing but the
// file itself.
func safeHere(d *analysis.Diagnostic, rel string) bool {
	for _, fix := range d.Fixes {
		if fix.Safety == analysis.Safe {
			return within(fix, rel)
		}
	}
	return false
}

func within(fix analysis.Fix, rel string) bool {
	for _, e := range fix.Edits {
		if e.Path != rel || e.Create {
			return false
		}
	}
	return true
}

// Resolve makes the edits of a named action. span is the one that Actions was
// called with. ok is false when the action is no longer possible.
func Resolve(ctx context.Context, s *session.Session, f *File, span text.Span, name string) (edits []analysis.FileEdit, ok bool) {
	switch {
	case name == nameFixAll:
		return fixAll(s, f, analysis.Safe, func(d *analysis.Diagnostic) bool { return d.Path == f.Rel && safeHere(d, f.Rel) })
	case strings.HasPrefix(name, nameFixFile):
		rule := strings.TrimPrefix(name, nameFixFile)
		return fixAll(s, f, analysis.Suggested, func(d *analysis.Diagnostic) bool { return d.Path == f.Rel && d.Rule.Slug == rule })
	case strings.HasPrefix(name, nameFixPack):
		rule := strings.TrimPrefix(name, nameFixPack)
		return fixAll(s, f, analysis.Suggested, func(d *analysis.Diagnostic) bool { return d.Rule.Slug == rule })
	case strings.HasPrefix(name, nameMove):
		return move(f, span, strings.TrimPrefix(name, nameMove))
	case name == nameCounts:
		if f.View == nil {
			return nil, false
		}
		return UpdateCounts(f.View), true
	default:
		return nil, false
	}
}

// fixAll applies fixes to a fixpoint and returns the difference.
func fixAll(s *session.Session, f *File, want analysis.Safety, keep func(*analysis.Diagnostic) bool) ([]analysis.FileEdit, bool) {
	before := wholePack(f)
	after, _, err := s.Fixer().FixAll(before, want, func(p *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
		if f.View != nil && f.View.Policy() != nil {
			ds = f.View.Policy()(p, ds)
		}
		return slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool { return !keep(&d) })
	})
	if err != nil {
		return nil, false
	}
	return difference(before, after), true
}

// wholePack is the pack with the text of every file. A document outside of packs
// makes a pack of one file.
func wholePack(f *File) *pack.Pack {
	if f.View != nil {
		return f.View.Whole()
	}
	src := f.Tree.String()
	return &pack.Pack{Files: []*pack.File{{Path: f.Rel, Text: src, Size: int64(len(src)), Tree: f.Tree}}}
}

// difference returns the edits that turn one pack into another.
func difference(before, after *pack.Pack) []analysis.FileEdit {
	var out []analysis.FileEdit
	for _, file := range after.Files {
		old := before.File(file.Path)
		switch {
		case old == nil:
			out = append(out, analysis.FileEdit{Path: file.Path, New: file.Text, Create: true})
		case old.Text != file.Text:
			out = append(out, diff(file.Path, old.Text, file.Text)...)
		}
	}
	return out
}

// maxFineDiff is the size, in bytes, up to which differences are computed within
// lines, so that cursors and marks stay where they are.
const maxFineDiff = 256 << 10

func diff(rel, old, src string) []analysis.FileEdit {
	compare := udiff.Strings
	if len(old)+len(src) > maxFineDiff {
		compare = udiff.Lines
	}
	var out []analysis.FileEdit
	for _, e := range compare(old, src) {
		out = append(out, analysis.FileEdit{Path: rel, Span: text.Span{Start: e.Start, End: e.End}, New: e.New})
	}
	return out
}

// countFixes are the safe fixes of wrong counts, in every file of the pack.
func countFixes(v *session.View) []analysis.FileEdit {
	var out []analysis.FileEdit
	for _, d := range v.Unweighed() {
		if d.Rule.Slug == "count-mismatch" && len(d.Fixes) > 0 && d.Fixes[0].Safety == analysis.Safe {
			out = append(out, d.Fixes[0].Edits...)
		}
	}
	return out
}

// UpdateCounts returns the edits that make every count of the pack true,
// whether the configuration shows wrong ones or not.
func UpdateCounts(v *session.View) []analysis.FileEdit {
	edits := countFixes(v)
	// Two counts missing from one mapping are inserted at one place: one edit.
	slices.SortStableFunc(edits, func(a, b analysis.FileEdit) int {
		if c := strings.Compare(a.Path, b.Path); c != 0 {
			return c
		}
		return a.Span.Start - b.Span.Start
	})
	var out []analysis.FileEdit
	for _, e := range edits {
		if n := len(out); n > 0 && out[n-1].Path == e.Path && out[n-1].Span == e.Span && e.Span.Len() == 0 {
			out[n-1].New += e.New
			continue
		}
		out = append(out, e)
	}
	return out
}

// primitiveAt returns the primitive that a span touches.
func primitiveAt(f *File, span text.Span) (parser.Item, bool) {
	it, ok := f.block(span.Start)
	if !ok || it.Kind() != parser.Primitive || span.Start > it.Offset+it.PrimitiveEnd() {
		return it, false
	}
	return it, true
}
