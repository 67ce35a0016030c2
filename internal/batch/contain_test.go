package batch

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
)

func TestAPackThatMakesARulePanicIsAnErrorAndTheRestIsJudged(t *testing.T) {
	dir := t.TempDir()
	var targets []Target
	for _, name := range []string{"a", "b", "c"} {
		root := filepath.Join(dir, name)
		if err := os.MkdirAll(root, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(root, "manifest.json"), []byte(`{"name": "`+name+`"}`), 0o644); err != nil {
			t.Fatal(err)
		}
		targets = append(targets, Target{Dir: root, Display: name})
	}
	rule := &analysis.Rule{Slug: "x", Scope: analysis.ScopePack, Severity: analysis.Error, Summary: "x", Doc: "x", Spec: "x"}
	rule.Pack = func(p *analysis.PackPass) {
		text := p.Pack.File("manifest.json").Text
		if strings.Contains(text, `"b"`) {
			_ = text[len(text):][len(os.Args):] // out of range by more than the text holds
		}
	}
	got := Lint(targets, Options{Runner: analysis.NewRunner(analysis.NewRegistry(rule))})
	for i, r := range got {
		if failed := len(r.Errs) > 0; failed != (i == 1) || (r.Pack == nil) != failed {
			t.Errorf("%s: errors %v, pack %v", r.Display, r.Errs, r.Pack != nil)
		}
	}
	if len(got[1].Errs) == 1 && !strings.Contains(got[1].Errs[0].Error(), "out of range") {
		t.Errorf("the error does not say what failed: %v", got[1].Errs[0])
	}
}
