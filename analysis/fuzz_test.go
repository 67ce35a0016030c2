package analysis_test

import (
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/testpack"
	"github.com/amp-toolchain/amp/pack"
)

// FuzzRules judges arbitrary files: no panic, every range lies in its file,
// every text is valid UTF-8 without a live credential, the same pack gives the
// same findings whether rules are kept from blocks without their traits or not,
// and every fix can be applied.
func FuzzRules(f *testing.F) {
	const manifest = `{"name": "p", "title": "P", "layout": "semantic-cluster", "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": [], "capability_files": ["operating-principles.md"]}`
	f.Add(manifest, "## Always load\n- operating-principles.md\n", "---\ntype: cluster\n---\n\n[claim permanent, org] A is b\nwrapped\n  > [C]\n")
	f.Add(strings.Replace(manifest, ".md\"]", ".md\", \"\\ud800\", 1,]", 1), "\ufeff| a |\n", "\ufeffsources:\n A: b\n\n[demo] {\n")
	f.Add("{", "", "\xff\xfe[\x00")
	f.Add(`{"primitive_format": "x", "name": "é", "signature": "a", "capability_files": ["a.txt", "../x"]}`, "# x\n\n- y", "---\na: [b\n---\n[claim {\n")
	reg := rules.All()
	f.Fuzz(func(t *testing.T, manifest, agents, body string) {
		p := fuzzPack(t, manifest, agents, body)
		ds := analysis.NewRunner(reg).All(p)
		for i := range ds {
			checkDiagnostic(t, p, &ds[i])
		}
		again := analysis.NewRunner(reg).All(fuzzPack(t, manifest, agents, body))
		if a, b := analysis.Render(ds), analysis.Render(again); a != b {
			t.Fatalf("two runs differ:\n%s\n%s", a, b)
		}
		called := analysis.NewSpecRunner(callingAll()).All(p)
		if a, b := analysis.Render(analysis.NewSpecRunner(reg).All(p)), analysis.Render(called); a != b {
			t.Fatalf("a rule has something to say about a block without its traits:\n%s\n%s", a, b)
		}
	})
}

func fuzzPack(t *testing.T, manifest, agents, body string) *pack.Pack {
	t.Helper()
	fsys := fstest.MapFS{
		"manifest.json":                   {Data: []byte(manifest)},
		"agents.md":                       {Data: []byte(agents)},
		"memory/operating-principles.md":  {Data: []byte(body)},
		"memory/a.txt":                    {Data: []byte(body)},
		"memory/copy\x1b\u202evoice é.md": {Data: []byte("[claim] A is b.\n")},
	}
	p, err := testpack.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func checkDiagnostic(t *testing.T, p *pack.Pack, d *analysis.Diagnostic) {
	t.Helper()
	if !utf8.ValidString(d.Message) || d.Message == "" {
		t.Fatalf("%s: message %q", d.Rule.Slug, d.Message)
	}
	size := func(path string) int {
		if f := p.File(path); f != nil {
			return len(f.Text)
		}
		return 0
	}
	if d.Span.Start < 0 || d.Span.Start > d.Span.End || d.Span.End > size(d.Path) {
		t.Fatalf("%s: %v lies outside of %s (%d bytes)", d.Rule.Slug, d.Span, d.Path, size(d.Path))
	}
	for _, r := range d.Related {
		if r.Span.Start < 0 || r.Span.Start > r.Span.End || r.Span.End > size(r.Path) || !utf8.ValidString(r.Message) {
			t.Fatalf("%s: related %+v", d.Rule.Slug, r)
		}
	}
	for _, fix := range d.Fixes {
		if !utf8.ValidString(fix.Title) || fix.Title == "" {
			t.Fatalf("%s: fix %q", d.Rule.Slug, fix.Title)
		}
		if _, applied := analysis.Apply(p, []analysis.Fix{fix}); len(applied) != 1 {
			t.Fatalf("%s: fix %+v does not apply", d.Rule.Slug, fix)
		}
	}
}
