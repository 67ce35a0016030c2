package docgen

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis/rules"
)

var update = flag.Bool("update", false, "write the pages instead of comparing them")

const dir = "../../docs/rules"

func TestPagesAreUpToDate(t *testing.T) {
	pages := map[string]string{"README.md": Index(rules.All()), "../facets.md": Facets()}
	for _, r := range rules.All().Rules {
		pages[r.Slug+".md"] = Page(r)
	}
	for name, want := range pages {
		file := filepath.Join(dir, name)
		if *update {
			if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(file)
		if err != nil || string(got) != want {
			t.Errorf("%s is not what the registry says; run go test ./internal/docgen -update (%v)", file, err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if _, ok := pages[e.Name()]; !ok && strings.HasSuffix(e.Name(), ".md") {
			t.Errorf("%s belongs to no rule", e.Name())
		}
	}
}

func TestEveryRuleIsDocumented(t *testing.T) {
	for _, r := range rules.All().Rules {
		if r.Doc == "" || r.Spec == "" {
			t.Errorf("%s has no documentation or names no part of the specification", r.Slug)
		}
		if (r.Bad == "") != (r.Good == "") {
			t.Errorf("%s has a bad example without a good one", r.Slug)
		}
	}
}
