package rules_test

import (
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
)

// An entry that is nearly right is corrected, not joined by a second one.
func TestTheAlwaysLoadEntryIsMendedAndNotDoubled(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for _, item := range []string{"* operating-principles", "- operating-principle.md — first", "1. Operating-Principles.md", "- `operating-principles.MD`", "- a book — first"} {
		agents := strings.Replace(agentsText, "- operating-principles.md — what comes first", item, 1)
		p := packOf(t, "manifest.json", strings.Replace(manifestText, `"demonstration": 2`, `"demonstration": 0`, 1), "agents.md", agents, "memory/operating-principles.md",
			strings.Replace(front, "demonstration: 2", "demonstration: 0", 1)+"[claim] The pot is red.\n")
		next, _, err := r.FixAll(p, analysis.Suggested, nil)
		text := next.File("agents.md").Text
		if err != nil || strings.Count(strings.ToLower(text), "operating-principle") != 1 || len(next.Routing.Items) > 1 && !strings.Contains(item, "book") {
			t.Errorf("%s: %v\n%s", item, err, text)
		}
		if ds := found(r.All(next), "routing"); len(ds) > 0 && !strings.Contains(item, "book") {
			t.Errorf("%s: left %+v", item, ds)
		}
	}
}
