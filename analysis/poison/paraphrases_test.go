package poison

import (
	"os"
	"strings"
	"testing"
)

// The table holds attacks written in many ways and harmless lines in the same
// words, by kind. A rule that is widened for one must leave the other alone.
func TestKindsAreToldFromTheirLookAlikes(t *testing.T) {
	b, err := os.ReadFile("testdata/paraphrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	attacks, harmless := map[string]int{}, 0
	for line := range strings.SplitSeq(string(b), "\n") {
		rule, rest, ok := strings.Cut(line, "|")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		kind, text, _ := strings.Cut(rest, "|")
		u := &Unit{Kind: Content, Type: "directive", File: "memory/x.md", Text: text}
		if kind == "c" {
			u.Type = "claim"
		}
		hits := flagged(u)
		if rule == "-" {
			harmless++
			for _, h := range hits {
				t.Errorf("%s: %s (%s)", h.rule, text, h.msg)
			}
			continue
		}
		attacks[rule]++
		if len(hits) == 0 {
			t.Errorf("missed %s: %s", rule, text)
		}
	}
	if len(attacks) < 8 || harmless < 100 {
		t.Fatalf("only %d rules and %d harmless lines", len(attacks), harmless)
	}
}
