package analysis_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// Lines that fixes meet at: each is harmless or wrong alone, and the generator
// puts them next to each other in every way.
var (
	genTags = strings.Fields(`goal claim directive demonstration demo Directive DEMO Claim direktive rule x demoo`)
	genHead = []string{
		"", " ", " must, org, permanent", " permanent, must, org", " must,, permanent", " , must", ",must", " must, org,", " org", "-positive", ": x", " must org permanent",
		" positive", " positive, illustrates: em-dash", " illustrates: a, positive", " Positive", " negativ", " Must, Org", " must, must, org", " permanent, org", " ,", " positive,", " positive, illustrates x",
		" must, org, permanent, session", " ,,,", " should, nowhere",
	}
	genContent = []string{
		"", " ", " {", " { ", "{", " In copy, never use em dashes.", " In copy, lead with the level.", " The desk is wide.", " In 2026 the desk is wide.", " The goal is to win.", " Optimise speed over cost.",
		" an artifact {", " text }", " sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y", " Use short words.",
	}
	genLines = []string{
		"", "", "", "  > because", " > because", "> because", "\t> because", "\t\t> because", "   > because", "  > [Plate 88]", "  > [Plate 88 - verbatim]", "  > [Plate 89]", "}", " }", "} ", "{", "wrapped words", "  indented words",
		"- a bullet", "# Heading", "---", "type: directive", "sources:", "  Plate 88: Archive", "  Plate 88: Again", "    https://example.org", "[docs](url)", "[x] done", "[TODO] x", "[^1]: x", "[claim", "[demo positive {", "[directive must, org In copy, never shout.",
		"```", "words ending in {", "key = abcdefghijklmnopqrstuvwxyz123", "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y alone", "[claim sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y] The key is here.",
	}
	genFront = []string{
		"", "\n", "---\ntype: cluster\napplies_to: x\nsource: self\nprimitive_counts:\n  claim: 9\n---\n\n", "---\ntype:\nsource: selv\n---\n", "---\ntype: cluster\n", "---\n---\n", "---\ntype: cluster\nprimitive_counts: { claim: 1 }\n---\n",
		"---\ntype: cluster\nprimitive_counts:\n  claim: |\n    7\n---\n", "---\n{type: cluster}\n---\n", "---\ntype: [a,\n  b]\nsource:\n  x: 1\n---\n\n", "\n---\ntype: cluster\n---\n", "words first\n---\ntype: cluster\nsource: self\n---\n\n", "---\napplies_to: sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y\n---\n",
	}
	genAgents = []string{
		"", "# AMP Routing — x\n\n## Always load\n- operating-principles.md — all\n", "words\n", "\n\nno heading", "# T", "## Always load\n", "# T\n\n## Always load\n- memory/a.md\n- memory/operating-principles.md — x\n\n| a | b |\n|---|---|\n| x | memory/a.md |\n| y | b.md |",
		"# T\n| If | Load |\n|---|---|\n",
	}
	genMembers = []string{
		`"name": "Night Radio"`, `"name": "x"`, `"title": ""`, `"layout": "flat"`, `"primitive_format": "inline-tag-v0.4"`, `"primitive_format": "inline-tag-v0.9"`, `"agents_file": "AGENTS.md"`, `"agents": ["claude"]`, `"agents": []`,
		`"capability_files": ["operating-principles.md", "a.md", "a.md"]`, `"capability_files": []`, `"capability_files": ["memory/a.md", "A.md", "gone.md"]`, "\n  \"capability_files\": [\n    \"a.md\"\n  ]", `"primitive_counts": {}`, `"primitive_counts": {"claim": 3}`, `"primitive_counts": {"claim": 3, "goal": 1}`,
		`"name": "x",`, `"signed": true`, `"note": "sk-` + `4fQ9zLw2Xc7VbN8mKj3HtR6y"`,
	}
)

func pick[T any](r *rand.Rand, from []T) T { return from[r.IntN(len(from))] }

func genPack(r *rand.Rand) *pack.Pack {
	body := func() string {
		var b strings.Builder
		if r.IntN(8) == 0 {
			b.WriteString(text.BOM)
		}
		b.WriteString(pick(r, genFront))
		for range r.IntN(14) {
			if r.IntN(2) == 0 {
				fmt.Fprintf(&b, "[%s%s]%s\n", pick(r, genTags), pick(r, genHead), pick(r, genContent))
			} else {
				b.WriteString(pick(r, genLines) + "\n")
			}
		}
		s := b.String()
		if r.IntN(4) == 0 {
			s = strings.TrimSuffix(s, "\n")
		}
		return s
	}
	var m []string
	for range r.IntN(8) {
		m = append(m, pick(r, genMembers))
	}
	files := map[string]string{
		"memory/operating-principles.md": body(), "memory/a.md": body(), "agents.md": pick(r, genAgents),
		"manifest.json": "{" + strings.Join(m, ", ") + "}\n",
	}
	if r.IntN(6) == 0 {
		files["memory/odd: name \"x\" | y.md"] = body()
	}
	if r.IntN(4) == 0 {
		files["manifest.json"] = "{\n  " + strings.Join(m, ",\n  ") + "\n}\n"
	}
	if r.IntN(4) == 0 {
		for k, s := range files {
			files[k] = strings.ReplaceAll(s, "\n", "\r\n")
		}
	}
	return packOf(files)
}

func TestFixAllOverGeneratedPacks(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	r := analysis.NewRunner(rules.All())
	for seed := range uint64(n) {
		p := genPack(rand.New(rand.NewPCG(seed, 1)))
		for _, s := range safeties[:2] {
			name := fmt.Sprintf("seed %d, %s", seed, s)
			next, _, err := r.FixAll(p, s, nil)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			checkFixed(t, name, r, p, next)
			if again, sum, err := r.FixAll(next, s, nil); err != nil || !samePack(next, again) {
				t.Errorf("%s: not idempotent (%v): %+v\n%s", name, err, sum, changes(next, again))
			}
		}
		if t.Failed() {
			for _, f := range p.Files {
				t.Logf("%s: %q", f.Path, f.Text)
			}
			return
		}
	}
}

// The same for each fix alone: what an editor offers must hold without the net
// that FixAll has.
func TestEachFixOverGeneratedPacks(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 200
	}
	r := analysis.NewRunner(rules.All())
	failures := map[string]int{}
	for seed := range uint64(n) {
		p := genPack(rand.New(rand.NewPCG(seed, 2)))
		diags := r.All(p)
		for _, d := range diags {
			for _, fix := range d.Fixes {
				next, applied := analysis.Apply(p, []analysis.Fix{fix})
				problem := ""
				if len(applied) != 1 || samePack(p, next) {
					problem = "was not applied"
				} else {
					after := r.All(next)
					for _, slug := range []string{"unclosed-brace", "malformed-tag", "unknown-type", "mixed-format", "manifest-json", "encoding"} {
						switch {
						case d.Rule.Slug == "primitive-format", d.Rule.Slug == "manifest-json", d.Rule.Slug == "unclosed-brace", d.Rule.Slug == "unknown-type" && slug == "malformed-tag":
							continue // they uncover what was not judged
						}
						if fix.Safety != analysis.Manual && count(after, slug) > count(diags, slug) {
							problem = "more " + slug
						}
					}
					if count(after, d.Rule.Slug) >= count(diags, d.Rule.Slug) && fix.Safety != analysis.Manual && !uncovers(d.Rule.Slug) {
						problem = "does not mend"
					}
					for _, f := range p.Files {
						if g := next.File(f.Path); f.Tree != nil && g.Tree != nil && fix.Safety != analysis.Manual && g.Text != f.Text && primitives(g.Tree) < primitives(f.Tree) {
							problem = "loses a primitive"
						}
					}
				}
				if problem == "" {
					continue
				}
				key := d.Rule.Slug + ": " + fix.Title + ": " + problem
				if failures[key]++; failures[key] == 1 {
					t.Errorf("seed %d: %s, fix %q (%s): %s\n%s", seed, d.Rule.Slug, fix.Title, fix.Safety, problem, changes(p, next))
				}
			}
		}
	}
	for k, n := range failures {
		t.Logf("%d x %s", n, k)
	}
}
