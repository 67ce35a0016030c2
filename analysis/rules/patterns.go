package rules

import (
	"fmt"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/sentence"
	"github.com/amp-toolchain/amp/parser"
)

// sentenceOf is the content that a sentence rule judges. Bodies between braces
// and ones without end are other rules' business.
func sentenceOf(p *analysis.BlockPass, t parser.Type) (string, parser.Rel, bool) {
	if p.Kind() != parser.Primitive || p.Type() != t || p.Brace() || p.Format() != parser.V04 {
		return "", parser.Rel{}, false
	}
	h := p.Head()
	return p.Text()[h.Start:h.End], h, true
}

var goalPattern = &analysis.Rule{
	Slug: "goal-pattern", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-c",
	Summary: "a goal is not phrased as one",
	Doc:     "A goal contains `the goal is to`, `optimize` or `default`, in any letter case: *In [context], the goal is to [outcome]*, *Optimize [X] over [Y]*, *Default [stance]: [behavior]*. `optimise` is not among them.",
	Bad:     "[goal should, project, permanent] Optimise blend over volume.",
	Good:    "[goal should, project, permanent] Optimize blend over volume.",
	On:      analysis.OnGoal,
	Block: func(p *analysis.BlockPass) {
		s, h, ok := sentenceOf(p, parser.Goal)
		if ok && !sentence.Goal(s) {
			p.Report(h, "a goal must contain `the goal is to`, `optimize` or `default`", goalFix(s, h)...)
		}
	},
	Fix: "writes `optimize` for `optimise`",
}

// goalFix mends the one spelling that misses the pattern by a letter.
func goalFix(s string, h parser.Rel) []analysis.Fix {
	for i := 0; i+8 <= len(s); i++ {
		if w := s[i : i+8]; (w == "optimise" || w == "Optimise") && (i == 0 || s[i-1] == ' ') {
			at := h.Start + i + 6
			return []analysis.Fix{{Title: "Spell it `optimize`", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(at, at+1, "z")}}}
		}
	}
	return nil
}

var claimPattern = &analysis.Rule{
	Slug: "claim-pattern", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-a",
	Summary: "a claim does not state a fact as `[subject] is / has …`",
	Doc:     "A claim starts with a noun phrase and contains a finite form of be or have (am, is, are, was, were, has, have, had, their n't forms, and contractions such as it's or we're), as a word of its own. It is not judged by meaning: only openings that are certainly no noun phrase fail (a preposition, a conjunction, an adverb, an imperative, a question), so *In 2026 the company is …* fails and *The company is, since 2026, …* passes.",
	Bad:     "[claim] In 2026 the bakery is open on Sundays.",
	Good:    "[claim] The bakery is open on Sundays since 2026.",
	On:      analysis.OnClaim,
	Block: func(p *analysis.BlockPass) {
		s, h, ok := sentenceOf(p, parser.Claim)
		if !ok {
			return
		}
		problem, start, end := sentence.Claim(s)
		switch problem {
		case sentence.None:
		case sentence.NoVerb:
			p.Report(h, "a claim must say what its subject is or has: no form of be or have stands in it")
		default:
			p.Report(h, fmt.Sprintf("a claim must start with a noun phrase, not with the %s %q", problem, s[start:end]))
		}
	},
}

var directivePattern = &analysis.Rule{
	Slug: "directive-pattern", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-b, R-c",
	Summary: "a directive does not say when it holds and what to do",
	Doc:     "A directive matches `(In|When)\\s.*(always|never|prefer)`: a context first, then one of the three words, in any letter case. The specification's own minimal file has a directive without any of them; the regular expression is what other readers check.",
	Bad:     "[directive must, org, permanent] In flood notices, lead with the station and the level.",
	Good:    "[directive must, org, permanent] In flood notices, always lead with the station and the level.",
	Fix:     "inserts `always` behind the context",
	On:      analysis.OnDirective,
	Block: func(p *analysis.BlockPass) {
		s, h, ok := sentenceOf(p, parser.Directive)
		if !ok || sentence.Directive(s) {
			return
		}
		var fixes []analysis.Fix
		if at, ins, ok := sentence.FixDirective(s); ok {
			fixes = append(fixes, analysis.Fix{Title: "Insert `always`", Safety: analysis.Suggested, Edits: []analysis.FileEdit{analysis.Edit(h.Start+at, h.Start+at, ins)}})
		}
		p.Report(h, "a directive must match `(In|When) … (always|never|prefer)`: a context, then what always, never or preferably to do", fixes...)
	},
}
