package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// callingAll are the rules, each asked about every block.
func callingAll() *analysis.Registry {
	reg := rules.All()
	all := make([]*analysis.Rule, len(reg.Rules))
	for i, r := range reg.Rules {
		c := *r
		c.On = 0
		all[i] = &c
	}
	return analysis.NewRegistry(all...)
}

func TestRulesHaveNothingToSayOnBlocksWithoutTheirTraits(t *testing.T) {
	gated, called := analysis.NewSpecRunner(rules.All(), "facet-default"), analysis.NewSpecRunner(callingAll(), "facet-default")
	found := 0
	same := func(name string, load func() *pack.Pack) { // twice: results are remembered with a pack
		t.Helper()
		want := called.All(load())
		found += len(want)
		if a, b := analysis.Render(gated.All(load())), analysis.Render(want); a != b {
			t.Errorf("%s: got\n%swant\n%s", name, a, b)
		}
	}
	cases, err := filepath.Glob("testdata/conformance/*.txtar")
	if err != nil || len(cases) == 0 {
		t.Fatal("no cases", err)
	}
	for _, name := range cases {
		same(name, func() *pack.Pack {
			_, p := loadCase(t, name)
			return p
		})
	}
	for seed := range uint64(500) {
		same(fmt.Sprintf("seed %d", seed), func() *pack.Pack { return genPack(rand.New(rand.NewPCG(seed, 3))) })
	}
	if found < 100 {
		t.Errorf("only %d findings were compared", found)
	}
}

// What hangs on a tag without its bracket is lost by that one mistake, which is reported.
func TestReasonsOfAMalformedTagCiteNothing(t *testing.T) {
	const src = "---\ntype: cluster\napplies_to: x\nsource: self\n---\n\nsources:\n  A: Book\n\n[claim] B is c.\n  > [A]\n\n[claim B is d.\n  > [Z]\n"
	f := benchFile(parser.Parse(src, parser.V04))
	var slugs []string
	for _, d := range analysis.NewRunner(rules.All()).File(f, pack.FormatInline) {
		slugs = append(slugs, d.Rule.Slug)
	}
	if !slices.Equal(slugs, []string{"malformed-tag"}) {
		t.Errorf("got %v, want malformed-tag alone", slugs)
	}
}
