package rules_test

import (
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/parser"
)

func primitivesOf(s string) (out []string) {
	for it := range parser.Parse(s, parser.V04).All() {
		if it.Kind() == parser.Primitive {
			out = append(out, it.Content()+"|"+it.Reason())
		}
	}
	return out
}

// A list is how people write notes; none of its items is a primitive to a reader.
func TestTagsBehindListMarksAreToldWhyAndMadePrimitives(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for body, want := range map[string]string{
		"- [claim permanent] The pot is red.\n":                             "The pot is red.|",
		"* [claim] The pot is red.\n* [claim] The lid is blue.\n":           "The pot is red.| The lid is blue.|",
		"1. [claim] The pot is red.\n2) [claim] The lid is blue.\n":         "The pot is red.| The lid is blue.|",
		"**[claim]** The pot is red.\n":                                     "The pot is red.|",
		"`[claim]` The pot is red.\n":                                       "The pot is red.|",
		"## [claim] The pot is red.\n":                                      "The pot is red.|",
		"   [claim] The pot is red.\n":                                      "The pot is red.|",
		"[ claim ] The pot is red.\n":                                       "The pot is red.|",
		"- **[ claim permanent ]** The pot is red.\n":                       "The pot is red.|",
		"- [claim] The pot is red.\n  > It was bought so.\n":                "The pot is red.|It was bought so.",
		"- [claim] The pot is red.\n  > Old.\n- [claim] The lid is blue.\n": "The pot is red.|Old. The lid is blue.|",
		"[claim] The desk is wide.\n- [claim] The pot is red.\n":            "The desk is wide.| The pot is red.|",
		"- [claim] The pot is red.\r\n- [claim] The lid is blue.\r\n":       "The pot is red.| The lid is blue.|",
	} {
		p := pots(t, body)
		if strings.Contains(body, "\r") {
			p = packOf(t, "manifest.json", manifestText, "agents.md", agentsText, "memory/operating-principles.md", strings.ReplaceAll(front, "\n", "\r\n")+body)
		}
		ds := found(r.All(p), "stray-text")
		if len(ds) == 0 || !strings.Contains(ds[0].Message, "a tag is the first thing on its line") {
			t.Errorf("%q: %+v", body, ds)
		}
		for _, d := range found(r.All(p), "orphan-reason") {
			if strings.Contains(d.Message, "blank line") {
				t.Errorf("%q: %s", body, d.Message)
			}
		}
		next, _, err := r.FixAll(p, analysis.Suggested, nil)
		text := next.File("memory/operating-principles.md").Text
		if got := strings.Join(primitivesOf(text), " "); err != nil || got != want {
			t.Errorf("%q became %q (%v), want %q", body, got, err, want)
		}
		if left := r.All(next); len(left) > 0 {
			t.Errorf("%q: left %+v\n%q", body, left, text)
		}
	}
}

func TestOtherListsAreNoPrimitives(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for _, body := range []string{"- [x] The pot is red.\n", "- [link](to) it\n", "- a claim\n", "**[claim] The pot is red.**\n", "- [Claim] The pot is red.\n", "text [claim] x\n"} {
		for _, d := range found(r.All(pots(t, body)), "stray-text") {
			if strings.Contains(d.Message, "a tag is the first thing") {
				t.Errorf("%q: %s", body, d.Message)
			}
		}
	}
}

func TestAnotherMarkThanACommaIsNamedAndReplaced(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for tag, want := range map[string]string{
		"[demonstration positive illustrates: menus] The pot is red.":     "[demonstration positive, illustrates: menus]",
		"[goal should; project; permanent] The goal is to win.":           "[goal should, project, permanent]",
		"[directive must org permanent] In a, never b.":                   "[directive must, org, permanent]",
		"[directive must, org permanent] In a, never b.":                  "[directive must, org, permanent]",
		"[directive org must] In a, never b.":                             "[directive must, org]",
		"[directive must/org] In a, never b.":                             "[directive must, org]",
		"[demo positive illustrates: menus; and | signs] The pot is red.": "[demo positive, illustrates: menus; and | signs]",
	} {
		p := pots(t, tag+"\n")
		var got *analysis.Diagnostic
		for _, d := range r.All(p) {
			if strings.HasPrefix(d.Rule.Slug, "facet-") {
				got = &d
				break
			}
		}
		if got == nil || !strings.Contains(got.Message, "separated by commas") || !strings.HasPrefix(got.Message, "expected ") {
			t.Errorf("%s: %+v", tag, got)
			continue
		}
		next, _, err := r.FixAll(p, analysis.Safe, nil)
		if text := next.File("memory/operating-principles.md").Text; err != nil || !strings.Contains(text, want) {
			t.Errorf("%s: %v\n%s", tag, err, text)
		}
	}
	for _, tag := range []string{"[directive permanent, must, org] In a, never b.", "[directive must nowhere] In a, never b.", "[claim permanent, org] It is."} {
		for _, d := range r.All(pots(t, tag+"\n")) {
			if strings.Contains(d.Message, "commas") {
				t.Errorf("%s: %s", tag, d.Message)
			}
		}
	}
}

func TestSlipsOfYAMLAreMended(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for head, want := range map[string]string{
		"type: cluster\napplies_to: signs and menus: all of them\nsource: self\n": "applies_to: \"signs and menus: all of them\"\n",
		"type: cluster\napplies_to: @\"x\"\\y # note\nsource: self\n":             "applies_to: \"@\\\"x\\\"\\\\y\" # note\n",
		"type cluster\napplies_to: x\nsource: self\n":                             "type: cluster\n",
	} {
		p := packOf(t, "manifest.json", manifestText, "agents.md", agentsText, "memory/operating-principles.md", "---\n"+head+"---\n\n[claim] The pot is red.\n")
		next, _, err := r.FixAll(p, analysis.Suggested, nil)
		text := next.File("memory/operating-principles.md").Text
		if err != nil || !strings.Contains(text, want) || len(found(r.All(next), "frontmatter")) > 0 {
			t.Errorf("%q: %v\n%s\n%+v", head, err, text, found(r.All(next), "frontmatter"))
		}
	}
}
