package examples

import (
	"io/fs"
	"os"
	"path"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/sign"
)

// findings lints the pack in dir with every rule on that is on by default, and
// those in enable.
func findings(t *testing.T, dir string, enable ...string) (*pack.Pack, []analysis.Diagnostic) {
	t.Helper()
	p, err := pack.Load(os.DirFS(dir), dir)
	if err != nil {
		t.Fatal(err)
	}
	return p, analysis.NewRunner(rules.All(), enable...).All(p)
}

func TestCompletePacksAreCleanAndRich(t *testing.T) {
	for _, dir := range []string{"go-services", "brand-voice", "home-bakery"} {
		t.Run(dir, func(t *testing.T) {
			p, found := findings(t, dir, "facet-default")
			for _, d := range found {
				t.Errorf("%s at byte %d: %s: %s", d.Path, d.Span.Start, d.Rule.Slug, d.Message)
			}
			if n := len(p.Capabilities()); n != 6 {
				t.Errorf("%d capability files, want 6", n)
			}
			counts, complete := p.Counts()
			total := 0
			for _, typ := range []parser.Type{parser.Goal, parser.Claim, parser.Directive, parser.Demonstration} {
				if counts[typ] == 0 {
					t.Errorf("no %s", typ)
				}
				total += counts[typ]
			}
			if !complete || total < 60 {
				t.Errorf("%d primitives (complete: %v), want 60 or more", total, complete)
			}
		})
	}
}

func TestBrokenPacksBreakEachRuleOfTheSpecificationOnce(t *testing.T) {
	without := map[string]string{
		"file-type":       "a link or device cannot be checked out everywhere",
		"signature-stale": "told by the signature, see below",
	}
	count := map[string]int{}
	entries, err := fs.ReadDir(os.DirFS("."), "broken")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		p, found := findings(t, path.Join("broken", e.Name()), "facet-default")
		for _, d := range suppress.Apply(rules.All(), p, found) {
			count[d.Rule.Slug]++
		}
	}
	for _, rule := range rules.All().Rules {
		if rule.Security && rule.Slug != "credential" || without[rule.Slug] != "" {
			continue
		}
		if n := count[rule.Slug]; n != 1 {
			t.Errorf("%s is broken %d times, want once", rule.Slug, n)
		}
	}
}

func TestStalePackWasSignedAndThenChanged(t *testing.T) {
	const dir = "broken/stale-signature"
	signed, err := sign.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer signed.Close()
	key, err := signed.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	if err := signed.Hash(); err != nil {
		t.Fatal(err)
	}
	match, err := signed.Verify(key)
	if err != nil || match != nil {
		t.Fatalf("Verify = %v, %v; want a signature that is well formed and does not hold", match, err)
	}
	p, err := pack.Load(os.DirFS(dir), dir)
	if err != nil {
		t.Fatal(err)
	}
	p.Signature = pack.SignatureStale
	found := analysis.NewRunner(rules.All()).All(p)
	if len(found) != 1 || found[0].Rule.Slug != "signature-stale" {
		t.Errorf("findings %v, want signature-stale alone", found)
	}
}
