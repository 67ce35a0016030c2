package rules

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
)

var facetOrder = &analysis.Rule{
	Slug: "facet-order", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3 and 5; R-h, R-m",
	Summary: "a facet stands in the place of another one",
	Doc:     `Facets have no names: a reader knows them by their place. ` + "`[directive permanent, must, org]`" + ` therefore says that the force is "permanent". Facets may be left out from the right end only, so one that is left out in the middle shifts all behind it.`,
	Bad:     "[directive permanent, must, org] In all copy, never use em dashes.",
	Good:    "[directive must, org, permanent] In all copy, never use em dashes.",
	Fix:     "puts the facets into their places and fills the ones left out in between with their defaults",
	On:      analysis.OnOddTag,
	Block:   func(p *analysis.BlockPass) { checkFacets(p, wrongPlace) },
}

var facetValue = &analysis.Rule{
	Slug: "facet-value", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3; R-s, R-t, R-v",
	Summary: "a facet is none of the values its place allows",
	Doc:     `Each place of a tag has a fixed list of values, written in lower case. Goals have no ` + "`session`" + ` scope and claims are not ` + "`seasonal`" + `; tokens without a comma between them are one token. [All values in one table](../facets.md), which ` + "`amp-lint explain facets`" + ` prints, too.`,
	Bad:     "[goal should, session, tactical] In tonight's run, the goal is to finish the flats.",
	Good:    "[goal should, project, tactical] In tonight's run, the goal is to finish the flats.",
	Fix:     "writes the value that was most likely meant, or the default of the place",
	On:      analysis.OnOddTag,
	Block:   func(p *analysis.BlockPass) { checkFacets(p, wrongValue) },
}

var facetExtra = &analysis.Rule{
	Slug: "facet-extra", Severity: analysis.Error, Scope: analysis.ScopeBlock, Spec: "Part 3; R-d",
	Summary: "a tag has more facets than its type",
	Doc:     `A claim has one facet, a demonstration two, goals and directives three. A directive has no id of its own: ` + "`illustrates:`" + ` on a demonstration is a free label.`,
	Bad:     "[claim permanent, org] The spine font is set in 9 pt.",
	Good:    "[claim permanent] The spine font is set in 9 pt.",
	Fix:     "removes the facet",
	On:      analysis.OnOddTag,
	Block:   func(p *analysis.BlockPass) { checkFacets(p, tooMany) },
}

var facetDefault = &analysis.Rule{
	Slug: "facet-default", Severity: analysis.Hint, Scope: analysis.ScopeBlock, Off: true, Spec: "Part 3",
	Summary: "facets are left out and take their defaults",
	Doc:     `Left out from the right end, facets have defaults: force ` + "`should`, scope `project`, stability `permanent`" + `. The rule is off by default; turn it on for packs that want every facet written out.`,
	Bad:     "[directive must] In copy, always name the source.",
	Good:    "[directive must, project, permanent] In copy, always name the source.",
	Fix:     "writes the defaults out",
	Block: func(p *analysis.BlockPass) {
		specs := p.Type().Facets()
		if p.Kind() != parser.Primitive || p.Format() != parser.V04 || len(p.Facets()) >= len(specs) || specs[len(p.Facets())].Default == "" {
			return
		}
		if f, _ := firstFacetFault(p); f != noFault {
			return
		}
		var add []string
		for _, s := range specs[len(p.Facets()):] {
			add = append(add, s.Default)
		}
		at := p.FacetString().End
		text := strings.Join(add, ", ")
		sep := " "
		if n := len(p.Facets()); n > 0 {
			at, sep = p.Facets()[n-1].End, ", "
		}
		p.Report(p.Tag(), "left out, by default: "+text,
			analysis.Fix{Title: "Write the defaults out", Safety: analysis.Safe, Edits: []analysis.FileEdit{analysis.Edit(at, at, sep+text)}})
	},
}

type facetFault uint8

const (
	noFault facetFault = iota
	wrongPlace
	wrongValue
	tooMany
	noValence
)

// firstFacetFault finds the first thing wrong with the facets of a tag. Only the
// first is reported: what follows it is mostly shifted by the same mistake (R-h).
func firstFacetFault(p *analysis.BlockPass) (facetFault, int) {
	if p.Shared == 0 {
		f, i := findFacetFault(p)
		p.Shared = 1 | uint32(f)<<1 | uint32(i)<<8
	}
	return facetFault(p.Shared >> 1 & 0x7f), int(p.Shared >> 8)
}

func findFacetFault(p *analysis.BlockPass) (facetFault, int) {
	if p.Kind() != parser.Primitive || p.Type() == parser.Unknown || malformed(p) {
		return noFault, 0
	}
	specs := p.Type().Facets()
	if p.Type() == parser.Demonstration && !hasValence(p) {
		return noValence, 0
	}
	for i, t := range p.Facets() {
		if i >= len(specs) {
			return tooMany, i
		}
		if specs[i].Allows(t.Text) {
			continue
		}
		for j := range specs {
			if specs[j].Allows(t.Text) {
				return wrongPlace, i
			}
		}
		return wrongValue, i
	}
	return noFault, 0
}

// hasValence reports whether a demonstration has any token that could be meant
// as its valence: anything but the illustrates facet.
func hasValence(p *analysis.BlockPass) bool {
	ill := &parser.Demonstration.Facets()[1]
	for _, t := range p.Facets() {
		if _, ok := ill.KeyValue(t.Text); !ok {
			return true
		}
	}
	return false
}

func checkFacets(p *analysis.BlockPass, want facetFault) {
	fault, i := firstFacetFault(p)
	if fault != want {
		return
	}
	t := p.Facets()[i]
	specs := p.Type().Facets()
	if fault == tooMany {
		prev := p.Facets()[i-1].End
		safety := analysis.Suggested
		what := fmt.Sprintf("unexpected facet %q: a %s has %d", t.Text, p.Written(), len(specs))
		if t.Text == "" {
			safety = analysis.Safe
			what = fmt.Sprintf("unexpected comma: a %s has %d facets", p.Written(), len(specs))
		}
		p.Report(t.Rel, what, analysis.Fix{Title: "Remove the facet", Safety: safety, Edits: []analysis.FileEdit{analysis.Edit(prev, t.End, "")}})
		return
	}
	spec := &specs[i]
	got := t.Text
	if got == "" {
		got = "nothing"
	}
	// The wording is the specification's (S5.16, R-m).
	msg := fmt.Sprintf("expected %s at position %d for %s, got %s", spec.Name, i+1, p.Written(), got)
	if _, ok := withCommas(p); ok {
		msg += "; facets are separated by commas"
	}
	p.Report(t.Rel, msg, facetFixes(p, fault, i)...)
}

func facetFixes(p *analysis.BlockPass, fault facetFault, i int) []analysis.Fix {
	t := p.Facets()[i]
	spec := &p.Type().Facets()[i]
	replace := func(title, text string, s analysis.Safety) []analysis.Fix {
		return []analysis.Fix{{Title: title, Safety: s, Edits: []analysis.FileEdit{analysis.Edit(t.Start, t.End, text)}}}
	}
	if text, ok := orderFacets(p.Type(), p.Facets(), false); ok {
		return reorder(p, text, analysis.Safe)
	}
	if fault == wrongPlace {
		if text, ok := orderFacets(p.Type(), p.Facets(), true); ok {
			return reorder(p, text, analysis.Suggested)
		}
		return nil
	}
	if t.Text == "" {
		if spec.Default == "" {
			return nil
		}
		return replace(fmt.Sprintf("Insert the default `%s`", spec.Default), apart(p, t.Start)+spec.Default, analysis.Safe)
	}
	if lower := strings.ToLower(t.Text); spec.Allows(lower) {
		return replace("Write the facet in lower case", lower, analysis.Safe)
	}
	if text, ok := withCommas(p); ok {
		fixes := reorder(p, text, analysis.Safe)
		fixes[0].Title = "Put commas between the facets"
		return fixes
	}
	if spec.Key {
		if rest, ok := strings.CutPrefix(t.Text, spec.Name); ok && strings.TrimSpace(rest) != "" && rest[0] == ' ' {
			return replace("Insert the colon", spec.Name+": "+strings.TrimSpace(rest), analysis.Suggested)
		}
		return []analysis.Fix{{Title: "Remove the facet", Safety: analysis.Manual, Edits: []analysis.FileEdit{analysis.Edit(p.Facets()[i-1].End, t.End, "")}}}
	}
	if near := nearest(strings.ToLower(t.Text), spec.Values, 2); near != "" {
		return replace(fmt.Sprintf("Change to `%s`", near), near, analysis.Suggested)
	}
	if spec.Default != "" {
		return replace(fmt.Sprintf("Change to the default `%s`", spec.Default), spec.Default, analysis.Manual)
	}
	return nil
}

// withCommas are the facets of a tag in which white space or another mark stands
// for a comma: "must org permanent", "must; org", "positive illustrates: menus".
func withCommas(p *analysis.BlockPass) (string, bool) {
	var toks []parser.Token
	for _, t := range p.Facets() {
		head, label := t.Text, ""
		for _, spec := range p.Type().Facets() {
			if i := strings.Index(head, spec.Name+":"); spec.Key && i > 0 {
				head, label = head[:i], head[i:] // a label may hold anything
			}
		}
		if _, ok := keyed(p.Type(), t.Text); ok {
			head, label = "", t.Text
		}
		for _, w := range strings.FieldsFunc(head, func(c rune) bool { return strings.ContainsRune(" \t;|/", c) }) {
			toks = append(toks, parser.Token{Text: w})
		}
		if label != "" {
			toks = append(toks, parser.Token{Text: label})
		}
	}
	if len(toks) <= len(p.Facets()) {
		return "", false
	}
	return orderFacets(p.Type(), toks, false)
}

// keyed reports whether a token starts with the name of a facet that has one.
func keyed(t parser.Type, token string) (string, bool) {
	for _, spec := range t.Facets() {
		if v, ok := spec.KeyValue(token); ok {
			return v, true
		}
	}
	return "", false
}

func reorder(p *analysis.BlockPass, text string, s analysis.Safety) []analysis.Fix {
	from, to := p.Facets()[0].Start, p.Facets()[len(p.Facets())-1].End
	return []analysis.Fix{{Title: "Reorder the facets", Safety: s, Edits: []analysis.FileEdit{analysis.Edit(from, to, apart(p, from)+text)}}}
}

// apart is the blank that a facet inserted at an offset needs before it: an empty
// token starts directly behind the type or a comma.
func apart(p *analysis.BlockPass, at int) string {
	if c := p.Text()[at-1]; c == ' ' || c == '\t' {
		return ""
	}
	return " "
}

// orderFacets puts tokens into their places. Every token must be legal for
// exactly one place; ones left out in between get their defaults. Tokens that
// say the same twice are an error unless dedupe is set.
func orderFacets(t parser.Type, toks []parser.Token, dedupe bool) (string, bool) {
	specs := t.Facets()
	slots := make([]string, len(specs))
	last := -1
	for _, tok := range toks {
		if tok.Text == "" {
			continue
		}
		at := -1
		for j := range specs {
			if specs[j].Allows(tok.Text) {
				at = j
				break
			}
		}
		if at < 0 || slots[at] != "" && !(dedupe && slots[at] == tok.Text) {
			return "", false
		}
		slots[at] = tok.Text
		last = max(last, at)
	}
	if last < 0 {
		return "", false
	}
	for j := range last {
		if slots[j] == "" {
			slots[j] = specs[j].Default
		}
		if slots[j] == "" {
			return "", false
		}
	}
	return strings.Join(slots[:last+1], ", "), true
}
