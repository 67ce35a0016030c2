package rules_test

import (
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
)

const front = "---\ntype: cluster\napplies_to: pots\nsource: self\nprimitive_counts:\n  claim: 1\n  demonstration: 2\n---\n\n"

func packOf(t *testing.T, files ...string) *pack.Pack {
	t.Helper()
	var out []*pack.File
	for i := 0; i < len(files); i += 2 {
		out = append(out, &pack.File{Path: files[i], Text: files[i+1], Size: int64(len(files[i+1]))})
	}
	return pack.New("pots", out)
}

const manifestText = `{
  "name": "pots", "title": "Pots", "version": {"number": 1}, "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": ["claude-code"],
  "capability_files": ["operating-principles.md"],
  "primitive_counts": {"goal": 0, "directive": 0, "claim": 1, "demonstration": 2}
}
`

const agentsText = "# AMP Routing — pots\n\n## Always load\n- operating-principles.md — what comes first\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n"

func pots(t *testing.T, body string) *pack.Pack {
	return packOf(t, "manifest.json", manifestText, "agents.md", agentsText, "memory/operating-principles.md", front+body)
}

func found(ds []analysis.Diagnostic, slug string) (out []analysis.Diagnostic) {
	for _, d := range ds {
		if d.Rule.Slug == slug {
			out = append(out, d)
		}
	}
	return out
}

// Each of these bodies takes in the claim and the second demonstration.
func TestPrimitivesThatABodySwallowedAreToldAndNotCountedAway(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for _, closer := range []string{"} ", " }", "}\t", "}.", "}}", "};", "},", ""} {
		p := pots(t, "[demo positive] {\nHello\n"+closer+"\n\n[claim] The pot is red.\n\n[demo negative] {\nBad\n}\n")
		ds := found(r.All(p), "brace-near-miss")
		if len(ds) != 1 || ds[0].Severity != analysis.Warning {
			t.Errorf("%q: want one warning, got %+v", closer, ds)
			continue
		}
		next, sum, err := r.FixAll(p, analysis.Safe, nil)
		if err != nil || len(sum.Changed) > 0 {
			t.Errorf("%q: safe fixes changed %v (%v): the loss would be covered up\n%s", closer, sum.Changed, err, next.File("memory/operating-principles.md").Text)
		}
		next, _, err = r.FixAll(p, analysis.Suggested, nil)
		if left := r.All(next); err != nil || len(found(left, "brace-near-miss"))+len(found(left, "count-mismatch")) > 0 {
			t.Errorf("%q: suggested fixes left %v (%v)\n%s", closer, left, err, next.File("memory/operating-principles.md").Text)
		}
		if counts, _ := next.Counts(); counts != [5]int{} {
			if s := next.File("memory/operating-principles.md").Tree.Summary(); s.Types != p.File("memory/operating-principles.md").Tree.Summary().Types {
				continue
			}
		}
		t.Errorf("%q: no primitive came back", closer)
	}
}

func TestABodyMayShowBracesAndTags(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for _, body := range []string{
		"{\n  \"a\": {\n    \"b\": 1\n  }\n }",            // JSON
		"  }\n} \n}\t\n}}\n};\n} // end\n\t}",             // closers alone
		"[claim] not a block\n  > not a reason",           // tags in the first paragraph
		"Write it as\n[claim] not a block\nand no other.", // tags within a paragraph
		"a\n }\n\n[link](to) something",                   // no known type
		"a\n }\n\n  [claim] indented",
	} {
		ds := found(r.All(pots(t, "[demo positive] {\n"+body+"\n}\n")), "brace-near-miss")
		if len(ds) > 0 {
			t.Errorf("%q: %+v", body, ds)
		}
	}
	ds := found(r.All(pots(t, "[demo positive] {\nTags look so:\n\n[claim] The pot is red.\n}\n")), "brace-near-miss")
	if len(ds) != 1 || ds[0].Severity != analysis.Info {
		t.Errorf("a tag line behind a blank line is worth an info, got %+v", ds)
	}
}

func TestCountsUnderAnotherNameAreRenamedAndNotDoubled(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for _, name := range []string{"demo", "demos", "demonstrations", "Demonstration"} {
		p := pots(t, "[demo positive] The pot is red.\n")
		text := strings.Replace(p.File("memory/operating-principles.md").Text, "  claim: 1\n  demonstration: 2", "  "+name+": 9", 1)
		m := strings.Replace(manifestText, `"demonstration": 2`, `"`+name+`": 9`, 1)
		m = strings.Replace(m, `"claim": 1`, `"claim": 0`, 1)
		p = packOf(t, "manifest.json", m, "agents.md", agentsText, "memory/operating-principles.md", text)
		next, _, err := r.FixAll(p, analysis.Suggested, nil)
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"manifest.json", "memory/operating-principles.md"} {
			if s := next.File(file).Text; strings.Contains(s, name+":") || strings.Contains(s, `"`+name+`"`) || strings.Contains(s, "9") || len(found(r.All(next), "count-mismatch")) > 0 {
				t.Errorf("%s: %s is now\n%s", name, file, s)
			}
		}
	}
}

func TestWhatIsNoSentenceIsNotJoinedToOne(t *testing.T) {
	r := analysis.NewRunner(rules.All())
	for _, own := range []string{"sources:\n  A: b", "- a list", "# A heading", "| a | table |", "```\ncode\n```", "1. a list", "---"} {
		p := pots(t, "[claim] The pot is red.\n"+own+"\n\n[claim] The lid is blue.\n  > [A]\n")
		next, _, err := r.FixAll(p, analysis.Suggested, nil)
		text := next.File("memory/operating-principles.md").Text
		if err != nil || !strings.Contains(text, "[claim] The pot is red.\n") {
			t.Errorf("%q: %v\n%s", own, err, text)
		}
		if strings.HasPrefix(own, "sources") && len(found(r.All(next), "stray-text"))+len(found(r.All(next), "legend")) > 0 {
			t.Errorf("the legend was not moved to its place:\n%s", text)
		}
	}
}

func TestUndecodableFilesAreNeitherFixedNorCountedFrom(t *testing.T) {
	wide := func(s string, big bool) string {
		var b strings.Builder
		for _, c := range []byte(s) {
			if big {
				b.WriteByte(0)
			}
			b.WriteByte(c)
			if !big {
				b.WriteByte(0)
			}
		}
		return b.String()
	}
	r := analysis.NewRunner(rules.All())
	body := "# no frontmatter\n[claim] The pot is red.\n > crooked\n"
	for name, text := range map[string]string{
		"UTF-16LE": wide(body, false), "UTF-16BE": wide(body, true), "UTF-16LE with mark": "\xff\xfe" + wide(body, false),
		"Latin-1": body + "\n[claim] The caf\xe9 is open.\n", "NUL": body + "\x00",
	} {
		p := packOf(t, "manifest.json", manifestText, "agents.md", agentsText, "memory/operating-principles.md", text)
		next, sum, err := r.FixAll(p, analysis.Manual, nil)
		if err != nil || len(sum.Changed) > 0 {
			t.Errorf("%s: changed %v (%v)\n%q\n%s", name, sum.Changed, err, next.File("memory/operating-principles.md").Text, next.File("manifest.json").Text)
		}
		if ds := r.All(p); len(found(ds, "encoding")) != 1 || strings.HasPrefix(name, "UTF-16") && len(ds) > 1 {
			t.Errorf("%s: %+v", name, ds)
		}
		agents := packOf(t, "manifest.json", manifestText, "agents.md", "# AMP\xe9\n", "memory/operating-principles.md", front+"[claim] The pot is red.\n", "memory/more.md", front)
		next, _, _ = r.FixAll(agents, analysis.Manual, nil)
		if next.File("agents.md").Text != "# AMP\xe9\n" {
			t.Errorf("agents.md changed: %q", next.File("agents.md").Text)
		}
	}
}
