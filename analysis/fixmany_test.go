package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
)

const potsManifest = `{
  "name": "pots", "title": "Pots", "version": {"number": 1}, "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": ["claude-code"],
  "capability_files": ["operating-principles.md"]%s
}
`

const potsAgents = "# AMP Routing — pots\n\n## Always load\n- operating-principles.md — what comes first\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n"

const potsFront = "---\ntype: cluster\napplies_to: pots\nsource: self\n---\n\n"

// One fix more or less than some number of rounds must make no difference.
func TestManyFixesOfAKindComeToAnEnd(t *testing.T) {
	r := analysis.NewSpecRunner(rules.All())
	for _, n := range []int{1, 2, 99, 101, 260} {
		files := map[string]string{
			"manifest.json": fmt.Sprintf(potsManifest, ""), "agents.md": potsAgents,
			"memory/operating-principles.md": potsFront + "[claim] The pot is red.\n",
		}
		for i := range n {
			files[fmt.Sprintf("memory/pot-%03d.md", i)] = potsFront + fmt.Sprintf("[claim] Pot %d is red.\n", i)
		}
		next, sum, err := r.FixAll(packOf(files), analysis.Suggested, nil)
		if err != nil || len(r.All(next)) > 0 {
			t.Errorf("%d unlisted files: %v, %d findings left", n, err, len(r.All(next)))
		}
		if sum.Rounds > 5 {
			t.Errorf("%d unlisted files took %d rounds", n, sum.Rounds)
		}
		for i := range n {
			name := fmt.Sprintf("pot-%03d.md", i)
			if strings.Count(next.File("manifest.json").Text, name) != 1 || strings.Count(next.File("agents.md").Text, name) != 1 {
				t.Errorf("%s is not listed once", name)
			}
		}
	}
	for _, closer := range []string{" }", "} ", "}\t"} {
		for _, n := range []int{1, 3, 150} {
			body := potsFront
			for i := range n {
				body += fmt.Sprintf("[demo positive] {\nPot %d\n%s\n\n", i, closer)
			}
			next, sum, err := r.FixAll(packOf(map[string]string{
				"manifest.json": fmt.Sprintf(potsManifest, ""), "agents.md": potsAgents, "memory/operating-principles.md": body,
			}), analysis.Suggested, nil)
			if err != nil || len(r.All(next)) > 0 {
				t.Fatalf("%d open bodies: %v, %d left", n, err, len(r.All(next)))
			}
			if got := primitives(next.File("memory/operating-principles.md").Tree); got != n {
				t.Errorf("%d open bodies gave %d primitives", n, got)
			}
			if sum.Rounds > 5 {
				t.Errorf("%d open bodies took %d rounds", n, sum.Rounds)
			}
		}
	}
	// A chain: each fix shows the next.
	body := potsFront
	for i := range 130 {
		body += fmt.Sprintf("[demo positive] {\nPot %d\n\n", i)
	}
	next, _, err := r.FixAll(packOf(map[string]string{
		"manifest.json": fmt.Sprintf(potsManifest, ""), "agents.md": potsAgents, "memory/operating-principles.md": body,
	}), analysis.Suggested, nil)
	if err != nil || primitives(next.File("memory/operating-principles.md").Tree) != 130 {
		t.Errorf("a chain of fixes: %v, %d primitives", err, primitives(next.File("memory/operating-principles.md").Tree))
	}
}

// What a mistake in the syntax hid was there before it was mended.
func TestFindingsThatComeToLightAreNotHeldAgainstAFix(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	hidden := strings.Replace(strings.Replace(fmt.Sprintf(potsManifest, ","), `"semantic-cluster"`, `"flat"`, 1), `"title": "Pots"`, `"title": 7`, 1)
	next, _, err := r.FixAll(packOf(map[string]string{
		"manifest.json": hidden, "agents.md": potsAgents, "memory/operating-principles.md": potsFront + "[claim] The pot is red.\n",
	}), analysis.Safe, nil)
	if err != nil || next.Manifest.Err != nil {
		t.Errorf("the manifest is no JSON yet (%v):\n%s", err, next.File("manifest.json").Text)
	}
	next, _, err = r.FixAll(packOf(map[string]string{
		"manifest.json": fmt.Sprintf(potsManifest, ""), "agents.md": potsAgents,
		"memory/operating-principles.md": potsFront + "[demo positive] {\nPot\n }\n\n[claim] red pot\n\n[goal] red pot\n\n[directive] red pot\n",
	}), analysis.Suggested, nil)
	if err != nil || primitives(next.File("memory/operating-principles.md").Tree) != 4 {
		t.Errorf("the body is still open (%v):\n%s", err, next.File("memory/operating-principles.md").Text)
	}
}
