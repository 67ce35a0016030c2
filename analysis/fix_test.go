package analysis_test

import (
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

var safeties = []analysis.Safety{analysis.Safe, analysis.Suggested, analysis.Manual}

// fixtures are all packs of the conformance cases, each also with CRLF breaks
// and with a byte order mark in its Markdown files.
func fixtures(t testing.TB) map[string]*pack.Pack {
	names, err := filepath.Glob("testdata/conformance/*.txtar")
	if err != nil || len(names) < 100 {
		t.Fatalf("only %d cases found (%v)", len(names), err)
	}
	out := map[string]*pack.Pack{}
	for _, name := range names {
		_, p := loadCase(t, name)
		base := strings.TrimSuffix(filepath.Base(name), ".txtar")
		out[base] = p
		out[base+"+crlf"] = mapFiles(p, func(f *pack.File) string {
			return strings.ReplaceAll(strings.ReplaceAll(f.Text, "\r\n", "\n"), "\n", "\r\n")
		})
		out[base+"+bom"] = mapFiles(p, func(f *pack.File) string {
			if strings.HasSuffix(f.Path, ".md") && !strings.HasPrefix(f.Text, text.BOM) {
				return text.BOM + f.Text
			}
			return f.Text
		})
	}
	return out
}

func mapFiles(p *pack.Pack, f func(*pack.File) string) *pack.Pack {
	var files []*pack.File
	for _, o := range p.Files {
		s := f(o)
		files = append(files, &pack.File{Path: o.Path, Type: o.Type, Text: s, Size: int64(len(s)), Err: o.Err})
	}
	return pack.New(p.Root, files)
}

func TestFixAllReachesAFixpointAndDoesNoHarm(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	fixed := 0
	for name, p := range fixtures(t) {
		for _, s := range safeties {
			next, sum, err := r.FixAll(p, s, nil)
			if err != nil {
				t.Errorf("%s, %s: %v", name, s, err)
				continue
			}
			fixed += len(sum.Applied)
			checkFixed(t, name+", "+s.String(), r, p, next)
			again, sum2, err := r.FixAll(next, s, nil)
			if err != nil || len(sum2.Changed) > 0 {
				t.Errorf("%s, %s: the second run changed %v (%v): %v", name, s, sum2.Changed, err, sum2.Applied)
			}
			if !samePack(next, again) {
				t.Errorf("%s, %s: not idempotent", name, s)
			}
		}
	}
	if fixed < 300 {
		t.Errorf("only %d fixes were applied over all fixtures: the test has lost its subject", fixed)
	}
}

// checkFixed holds the promises of FixAll against the packs themselves.
func checkFixed(t testing.TB, name string, r *analysis.Runner, before, after *pack.Pack) {
	t.Helper()
	nb, na := perFile(r, before), perFile(r, after)
	hb, ha := hiding(r, before), hiding(r, after)
	for _, f := range before.Files {
		g := after.File(f.Path)
		if g == nil {
			t.Errorf("%s: %s is gone", name, f.Path)
			continue
		}
		if na[f.Path] > nb[f.Path] && ha[f.Path] >= hb[f.Path] && ha[pack.ManifestName] >= hb[pack.ManifestName] &&
			(f.Tree == nil || primitives(parser.Parse(g.Text, parser.V04)) <= primitives(parser.Parse(f.Text, parser.V04))) {
			t.Errorf("%s: %s has %d findings, had %d", name, f.Path, na[f.Path], nb[f.Path])
		}
		if strings.HasPrefix(f.Text, text.BOM) != strings.HasPrefix(g.Text, text.BOM) && strings.HasSuffix(f.Path, ".md") {
			t.Errorf("%s: the byte order mark of %s came or went", name, f.Path)
		}
		if crlf(f.Text) && !crlf(g.Text) {
			t.Errorf("%s: %s has mixed line breaks now:\n%q", name, f.Path, g.Text)
		}
		if f.Tree == nil || f.Text == g.Text {
			continue
		}
		// A mended manifest may tell another format; what counts is the text.
		was, is := f.Tree, g.Tree
		if was.Format() != is.Format() {
			was, is = parser.Parse(f.Text, parser.V04), parser.Parse(g.Text, parser.V04)
		}
		if a, b := primitives(was), primitives(is); b < a {
			t.Errorf("%s: %s has %d primitives, had %d", name, f.Path, b, a)
		}
		have := bodies(is)
		for _, b := range bodies(was) {
			if i := slices.Index(have, b); i >= 0 {
				have = slices.Delete(have, i, i+1)
			} else {
				t.Errorf("%s: a brace body of %s changed: %q", name, f.Path, b)
			}
		}
		if g.Tree.String() != g.Text {
			t.Errorf("%s: tree and text of %s differ", name, f.Path)
		}
	}
}

// hiding counts the mistakes behind which nothing is judged, by file. What is
// found once one of them is mended was there before.
func hiding(r *analysis.Runner, p *pack.Pack) map[string]int {
	out := map[string]int{}
	for _, d := range r.All(p) {
		switch d.Rule.Slug {
		case "manifest-json", "unclosed-brace", "malformed-tag", "brace-near-miss":
			if d.Severity >= analysis.Warning {
				out[d.Path]++
			}
		case "frontmatter":
			for _, words := range []string{"YAML", "closed", "twice"} {
				if strings.Contains(d.Message, words) {
					out[d.Path]++
					break
				}
			}
		}
	}
	return out
}

func perFile(r *analysis.Runner, p *pack.Pack) map[string]int {
	out := map[string]int{}
	for _, d := range r.All(p) {
		if d.Severity >= analysis.Warning {
			out[d.Path]++
		}
	}
	return out
}

// crlf reports whether all line breaks of s are CRLF.
func crlf(s string) bool {
	return strings.Count(s, "\r\n") > 0 && strings.Count(s, "\r\n") == strings.Count(s, "\n") && strings.Count(s, "\n") == strings.Count(s, "\r")
}

func primitives(t *parser.Tree) int {
	n := 0
	for it := range t.All() {
		if it.Kind() == parser.Primitive {
			n++
		}
	}
	return n
}

func bodies(t *parser.Tree) []string {
	var out []string
	for it := range t.All() {
		if it.Kind() == parser.Primitive && it.Type() == parser.Demonstration && it.Brace() && !it.Unclosed() {
			out = append(out, it.Content())
		}
	}
	return out
}

func samePack(a, b *pack.Pack) bool {
	return slices.EqualFunc(a.Files, b.Files, func(x, y *pack.File) bool { return x.Path == y.Path && x.Text == y.Text })
}

// Each fix alone, as an editor applies it: it must mend its finding and must not
// break a tag, a brace or a line elsewhere.
func TestEachFixMendsItsFindingAndBreaksNothingElse(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	tried := map[string]int{}
	for name, p := range fixtures(t) {
		diags := r.All(p)
		for _, d := range diags {
			for _, fix := range d.Fixes {
				where := fmt.Sprintf("%s: %s, fix %q (%s)", name, d.Rule.Slug, fix.Title, fix.Safety)
				tried[d.Rule.Slug]++
				next, applied := analysis.Apply(p, []analysis.Fix{fix})
				if len(applied) != 1 || samePack(p, next) {
					t.Errorf("%s: was not applied: %+v", where, fix.Edits)
					continue
				}
				after := r.All(next)
				if was, is := count(diags, d.Rule.Slug), count(after, d.Rule.Slug); fix.Safety != analysis.Manual && is >= was && !uncovers(d.Rule.Slug) {
					t.Errorf("%s: %d findings of the rule before, %d after\n%s", where, was, is, changes(p, next))
				}
				for _, slug := range []string{"unclosed-brace", "malformed-tag", "unknown-type", "mixed-format", "manifest-json", "encoding"} {
					if was, is := count(diags, slug), count(after, slug); is > was && fix.Safety != analysis.Manual && d.Rule.Slug != "primitive-format" && d.Rule.Slug != "unclosed-brace" {
						t.Errorf("%s: %d findings of %s before, %d after\n%s", where, was, slug, is, changes(p, next))
					}
				}
				for _, f := range p.Files {
					if g := next.File(f.Path); f.Tree != nil && g.Tree != nil && fix.Safety != analysis.Manual && g.Text != f.Text && primitives(g.Tree) < primitives(f.Tree) {
						t.Errorf("%s: lost a primitive\n%s", where, changes(p, next))
					}
				}
			}
		}
	}
	for _, rule := range rules.All().Rules {
		if rule.Fix != "" && tried[rule.Slug] == 0 && !rule.Off && !rule.Security {
			t.Logf("no fixture offers a fix of %s", rule.Slug)
		}
	}
}

// uncovers lists rules whose mended finding may uncover another one of the same rule.
func uncovers(slug string) bool {
	return slices.Contains([]string{"reason-indent", "frontmatter", "facet-value", "facet-order", "facet-extra", "manifest-json", "unclosed-brace"}, slug)
}

func count(ds []analysis.Diagnostic, slug string) int {
	n := 0
	for _, d := range ds {
		if d.Rule.Slug == slug {
			n++
		}
	}
	return n
}

func changes(a, b *pack.Pack) string {
	var sb strings.Builder
	for _, f := range b.Files {
		if old := a.File(f.Path); old == nil || old.Text != f.Text {
			was := ""
			if old != nil {
				was = old.Text
			}
			e := text.Diff(was, f.Text)
			fmt.Fprintf(&sb, "  %s@%d: %q -> %q\n  in %q", f.Path, e.Start, was[e.Start:e.End], e.New, f.Text[max(0, e.Start-80):min(len(f.Text), e.Start+len(e.New)+80)])
		}
	}
	return sb.String()
}

func TestApplyIsAllOrNothing(t *testing.T) {
	p := packOf(map[string]string{"agents.md": "abcdef", "notes.txt": "xyz"})
	ed := func(path string, a, b int, s string) analysis.FileEdit {
		return analysis.FileEdit{Path: path, Span: text.Span{Start: a, End: b}, New: s}
	}
	fix := func(es ...analysis.FileEdit) analysis.Fix { return analysis.Fix{Edits: es} }
	for _, c := range []struct {
		name    string
		fixes   []analysis.Fix
		want    string
		applied []int
	}{
		{"apart", []analysis.Fix{fix(ed("agents.md", 0, 1, "A")), fix(ed("agents.md", 5, 6, "F"))}, "AbcdeF", []int{0, 1}},
		{"overlap drops the later one", []analysis.Fix{fix(ed("agents.md", 0, 3, "X")), fix(ed("agents.md", 2, 4, "Y"))}, "Xdef", []int{0}},
		{"touching replacements are apart", []analysis.Fix{fix(ed("agents.md", 0, 3, "X")), fix(ed("agents.md", 3, 6, "Y"))}, "XY", []int{0, 1}},
		{"two insertions at one place", []analysis.Fix{fix(ed("agents.md", 2, 2, "X")), fix(ed("agents.md", 2, 2, "Y"))}, "abXcdef", []int{0}},
		{"insertion at an edge", []analysis.Fix{fix(ed("agents.md", 0, 2, "X")), fix(ed("agents.md", 2, 2, "Y"))}, "Xcdef", []int{0}},
		{"one bad edit drops the whole fix", []analysis.Fix{fix(ed("agents.md", 0, 1, "A"), ed("agents.md", 4, 99, "!"))}, "abcdef", nil},
		{"a fix of two files falls for a conflict in one", []analysis.Fix{fix(ed("notes.txt", 0, 3, "")), fix(ed("agents.md", 0, 1, "A"), ed("notes.txt", 1, 2, "Y"))}, "abcdef", []int{0}},
		{"missing file", []analysis.Fix{fix(ed("gone.md", 0, 0, "A"))}, "abcdef", nil},
		{"create over an existing file", []analysis.Fix{fix(analysis.FileEdit{Path: "agents.md", New: "A", Create: true})}, "abcdef", nil},
		{"twice the same file created", []analysis.Fix{fix(analysis.FileEdit{Path: "n.md", New: "A", Create: true}), fix(analysis.FileEdit{Path: "n.md", New: "B", Create: true})}, "abcdef", []int{0}},
	} {
		t.Run(c.name, func(t *testing.T) {
			next, applied := analysis.Apply(p, c.fixes)
			if got := next.File("agents.md").Text; got != c.want || !slices.Equal(applied, c.applied) {
				t.Errorf("got %q, applied %v; want %q, %v", got, applied, c.want, c.applied)
			}
		})
	}
}

// seesaw has two rules that undo each other's fixes.
func TestFixAllStopsWhenFixesUndoEachOther(t *testing.T) {
	flip := func(slug, from, to string) *analysis.Rule {
		return &analysis.Rule{Slug: slug, Summary: "x", Severity: analysis.Warning, Scope: analysis.ScopePack, Pack: func(p *analysis.PackPass) {
			f := p.Pack.File("agents.md")
			if i := strings.Index(f.Text, from); i >= 0 {
				s := text.Span{Start: i, End: i + len(from)}
				p.Report("agents.md", s, "flip", analysis.Fix{Edits: []analysis.FileEdit{{Path: "agents.md", Span: s, New: to}}})
			}
		}}
	}
	r := analysis.NewRunner(analysis.NewRegistry(flip("a", "left", "right"), flip("b", "right", "left")))
	p := packOf(map[string]string{"agents.md": "left"})
	next, sum, err := r.FixAll(p, analysis.Safe, nil)
	if err != analysis.ErrNoFixpoint || next != p || len(sum.Changed) != 0 {
		t.Errorf("got %v, %+v, changed %v", err, sum, next != p)
	}
	grow := &analysis.Rule{Slug: "g", Summary: "x", Severity: analysis.Warning, Scope: analysis.ScopePack, Pack: func(p *analysis.PackPass) {
		p.Report("agents.md", text.Span{}, "more", analysis.Fix{Edits: []analysis.FileEdit{{Path: "agents.md", New: "x"}}})
	}}
	if _, _, err := analysis.NewRunner(analysis.NewRegistry(grow)).FixAll(p, analysis.Safe, nil); err != analysis.ErrNoFixpoint {
		t.Errorf("a fix that never ends: %v", err)
	}
}

func TestFixAllRefusesHarm(t *testing.T) {
	body := "[demo positive] {\nkeep me\n}\n\n[claim] The desk is wide.\n"
	at := strings.Index(body, "keep")
	closer := strings.Index(body, "\n}")
	for _, c := range []struct {
		name   string
		edit   analysis.FileEdit
		reason string
	}{
		{"a changed body", analysis.FileEdit{Span: text.Span{Start: at, End: at + 4}, New: "lose"}, "between braces"},
		{"a removed closer", analysis.FileEdit{Span: text.Span{Start: closer, End: closer + 2}}, "lost"},
		{"a lost primitive", analysis.FileEdit{Span: text.Span{Start: strings.Index(body, "[claim"), End: len(body)}}, "lost"},
		{"a broken tag", analysis.FileEdit{Span: text.Span{Start: len(body), End: len(body)}, New: "\n[claim permanent\n"}, "break"},
		{"a new finding", analysis.FileEdit{Span: text.Span{Start: len(body), End: len(body)}, New: "\n[claim] No verb.\n\n[claim] No verb, either.\n"}, "more findings"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.edit.Path = "memory/a.md"
			bad := &analysis.Rule{Slug: "bad", Summary: "x", Severity: analysis.Warning, Scope: analysis.ScopePack, Pack: func(p *analysis.PackPass) {
				if p.Pack.File("memory/a.md").Text == body {
					p.Report("memory/a.md", text.Span{}, "bad", analysis.Fix{Title: "harm", Edits: []analysis.FileEdit{c.edit}})
				}
			}}
			r := analysis.NewRunner(analysis.NewRegistry(append(rules.All().Rules, bad)...))
			p := packOf(map[string]string{"memory/a.md": body})
			next, sum, err := r.FixAll(p, analysis.Safe, func(_ *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
				return slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool { return d.Rule != bad })
			})
			if err != nil || next != p || len(sum.Refused) != 1 || !strings.Contains(sum.Refused[0].Reason, c.reason) {
				t.Errorf("got %v, %+v", err, sum)
			}
		})
	}
}

func packOf(files map[string]string) *pack.Pack {
	fsys := fstest.MapFS{}
	for name, s := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(s), Mode: 0o644}
	}
	p, err := pack.Load(fs.FS(fsys), "pack")
	if err != nil {
		panic(err)
	}
	return p
}

func FuzzFixAll(f *testing.F) {
	names, _ := filepath.Glob("testdata/conformance/*.txtar")
	for _, name := range names {
		_, p := loadCase(f, name)
		manifest, agents := "", ""
		if m := p.File(pack.ManifestName); m != nil {
			manifest = m.Text
		}
		if a := p.File(pack.AgentsName); a != nil {
			agents = a.Text
		}
		for _, c := range p.Capabilities() {
			f.Add(c.Text, agents, manifest, uint8(len(name)))
		}
	}
	for _, rule := range rules.All().Rules {
		f.Add(rule.Bad, "# A\n", "", uint8(1))
	}
	r := analysis.NewRunner(rules.All())
	f.Fuzz(func(t *testing.T, body, agents, manifest string, want uint8) {
		if len(body)+len(agents)+len(manifest) > 1<<14 {
			return
		}
		s := safeties[int(want)%len(safeties)]
		p := packOf(map[string]string{"memory/operating-principles.md": body, "agents.md": agents, "manifest.json": manifest})
		next, _, err := r.FixAll(p, s, nil)
		if err != nil {
			if s == analysis.Manual {
				return // starting points for a person: two of them may well feed each other
			}
			t.Fatalf("%s: %v", s, err)
		}
		checkFixed(t, s.String(), r, p, next)
		if again, sum, err := r.FixAll(next, s, nil); err != nil || !samePack(next, again) {
			t.Fatalf("%s: not idempotent (%v): %+v\n%s", s, err, sum, changes(next, again))
		}
	})
}
