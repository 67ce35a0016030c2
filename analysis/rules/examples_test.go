package rules

import (
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

const (
	okAgents = "# AMP Routing — small-press\n\n## Always load\n- operating-principles.md — first things first\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n"
	okHead   = "---\ntype: cluster\napplies_to: examples\nsource: self\n---\n\n"
	okBody   = okHead + "[claim] The press is a hand press.\n"
)

// packOf puts an example into an otherwise clean pack: as the manifest, the
// routing table, a whole capability file or a body.
func packOf(example string) fstest.MapFS {
	files := map[string]string{pack.ManifestName: manifestOK, pack.AgentsName: okAgents, "memory/operating-principles.md": okBody}
	switch {
	case strings.HasPrefix(example, "{"):
		files[pack.ManifestName] = example
	case strings.HasPrefix(example, "# AMP"):
		files[pack.AgentsName] = example
	case strings.HasPrefix(example, "---"):
		files["memory/operating-principles.md"] = example
	default:
		files["memory/operating-principles.md"] = okHead + example + "\n"
	}
	m := fstest.MapFS{}
	for name, s := range files {
		m[name] = &fstest.MapFile{Data: []byte(s)}
	}
	return m
}

func lintFS(t *testing.T, fsys fs.FS) (*pack.Pack, []analysis.Diagnostic) {
	t.Helper()
	p, err := pack.Load(fsys, "pack")
	if err != nil {
		t.Fatal(err)
	}
	var enable []string
	for _, r := range All().Rules {
		enable = append(enable, r.Slug)
	}
	ds := analysis.NewRunner(All(), enable...).All(p)
	return p, slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool { return d.Rule == facetDefault })
}

func slugs(ds []analysis.Diagnostic) []string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Rule.Slug)
	}
	return out
}

func TestBadExamplesAreReportedAndGoodOnesAreNot(t *testing.T) {
	for _, r := range All().Rules {
		if r.Bad == "" || r == facetDefault {
			continue
		}
		_, bad := lintFS(t, packOf(r.Bad))
		if !slices.Contains(slugs(bad), r.Slug) {
			t.Errorf("%s: the bad example is not reported, only %v", r.Slug, slugs(bad))
		}
		_, good := lintFS(t, packOf(r.Good))
		if len(good) > 0 {
			t.Errorf("%s: the good example is reported:\n%s", r.Slug, analysis.Render(good))
		}
	}
}

// TestEveryOfferedFixClearsItsFinding applies each fix of each bad example by itself.
func TestEveryOfferedFixClearsItsFinding(t *testing.T) {
	for _, r := range All().Rules {
		if r.Bad == "" || r == facetDefault {
			continue
		}
		fsys := packOf(r.Bad)
		_, ds := lintFS(t, fsys)
		offered := 0
		for _, d := range ds {
			if d.Rule != r {
				continue
			}
			for _, fix := range d.Fixes {
				offered++
				fixed := applyFix(t, fsys, fix)
				_, after := lintFS(t, fixed)
				n := len(slices.DeleteFunc(slices.Clone(after), func(e analysis.Diagnostic) bool { return e.Rule != r || e.Path != d.Path }))
				before := len(slices.DeleteFunc(slices.Clone(ds), func(e analysis.Diagnostic) bool { return e.Rule != r || e.Path != d.Path }))
				if n >= before {
					t.Errorf("%s: after %q the finding is still there:\n%s", r.Slug, fix.Title, analysis.Render(after))
				}
				if fix.Safety == analysis.Safe && len(after) >= len(ds) {
					t.Errorf("%s: the safe fix %q leaves %d findings of %d:\n%s", r.Slug, fix.Title, len(after), len(ds), analysis.Render(after))
				}
			}
		}
		if r.Fix != "" && offered == 0 {
			t.Errorf("%s says it has a fix, the bad example is offered none", r.Slug)
		}
	}
}

func applyFix(t *testing.T, fsys fstest.MapFS, fix analysis.Fix) fstest.MapFS {
	t.Helper()
	out := fstest.MapFS{}
	for k, v := range fsys {
		out[k] = v
	}
	byFile := map[string][]text.Edit{}
	for _, e := range fix.Edits {
		if e.Create {
			if out[e.Path] != nil {
				t.Errorf("%q creates %s, which exists", fix.Title, e.Path)
			}
			out[e.Path] = &fstest.MapFile{}
			byFile[e.Path] = append(byFile[e.Path], text.Edit{New: e.New})
			continue
		}
		byFile[e.Path] = append(byFile[e.Path], text.Edit{Span: e.Span, New: e.New})
	}
	for name, edits := range byFile {
		s, err := text.Apply(string(out[name].Data), edits)
		if err != nil {
			t.Fatalf("%q: %v", fix.Title, err)
		}
		out[name] = &fstest.MapFile{Data: []byte(s)}
	}
	return out
}
