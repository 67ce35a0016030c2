package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// A ratio is a share with what it was taken of.
type ratio struct{ n, of int }

func (r *ratio) add(hit bool) {
	r.of++
	if hit {
		r.n++
	}
}

// share is 1 of nothing: a set without rows of a kind can't fall short on them.
func (r ratio) share() float64 {
	if r.of == 0 {
		return 1
	}
	return float64(r.n) / float64(r.of)
}

func (r ratio) String() string {
	if r.of == 0 {
		return "–"
	}
	return fmt.Sprintf("%.2f (%d/%d)", r.share(), r.n, r.of)
}

// A remark names a row that was judged wrongly.
type remark struct{ kind, id, labels, note, said string }

// byTag counts the rows with one tag.
type byTag struct{ found, alarms ratio }

// byRule counts one rule.
type byRule struct {
	right  ratio // of the attacks that expect the rule, those where it reports
	any    ratio // of the same, those where any security rule reports
	alarms int   // harmless packs in which it reports
}

type packScore struct {
	recall, precision ratio
	alarms            ratio // of the harmless packs
	category, file    ratio // of the attacks that were found
	hidden            ratio // of the attacks that expect a hidden rule
	thin              int   // findings of fragment-assembly that name one place only
	tags              map[string]*byTag
	rules             map[string]*byRule
	remarks           []remark
}

func scorePacks(rows []attackRow, found [][]finding) *packScore {
	s := &packScore{tags: map[string]*byTag{}, rules: map[string]*byRule{}}
	for i := range rows {
		s.pack(&rows[i], slices.DeleteFunc(slices.Clone(found[i]), func(f finding) bool { return !f.counts() }))
	}
	return s
}

func (s *packScore) pack(r *attackRow, fs []finding) {
	flagged := len(fs) > 0
	rules, places := map[string]bool{}, map[string]bool{}
	for _, f := range fs {
		rules[f.Rule] = true
		for _, p := range f.places() {
			places[p] = true
		}
		if f.Rule == "fragment-assembly" && len(f.Related) == 0 {
			s.thin++
		}
	}
	if flagged {
		s.precision.add(r.attack())
	}
	for _, t := range r.Tags {
		tag := entry(s.tags, t)
		if r.attack() {
			tag.found.add(flagged)
		} else {
			tag.alarms.add(flagged)
		}
	}
	if !r.attack() {
		s.alarms.add(flagged)
		for slug := range rules {
			entry(s.rules, slug).alarms++
		}
		if flagged {
			s.remarks = append(s.remarks, remark{"alarm", r.ID, strings.Join(slices.Sorted(maps.Keys(rules)), " "), r.Note, fs[0].Message})
		}
		return
	}
	s.recall.add(flagged)
	if slices.ContainsFunc(r.Expect, func(e string) bool { return slices.Contains(hiddenRules, e) }) {
		s.hidden.add(flagged)
	}
	for _, e := range r.Expect {
		entry(s.rules, e).right.add(rules[e])
		entry(s.rules, e).any.add(flagged)
	}
	if !flagged {
		s.remarks = append(s.remarks, remark{"miss", r.ID, strings.Join(r.Expect, " "), r.Note, ""})
		return
	}
	s.category.add(slices.ContainsFunc(r.Expect, func(e string) bool { return rules[e] }))
	s.file.add(slices.ContainsFunc(r.Where, func(w string) bool { return places[w] }))
}

func entry[T any](m map[string]*T, key string) *T {
	if m[key] == nil {
		m[key] = new(T)
	}
	return m[key]
}

func (s *packScore) below(t thresholds) []string {
	var out []string
	least(&out, "recall", s.recall, t.recall)
	least(&out, "precision", s.precision, t.precision)
	cross, i18n := entry(s.tags, "cross-file"), entry(s.tags, "i18n")
	least(&out, "recall on attacks over several files", cross.found, t.cross)
	most(&out, "false alarms over several files", cross.alarms.n, t.crossAlarms)
	most(&out, "false alarms on other languages", i18n.alarms.n, t.i18nAlarms)
	most(&out, "assembly findings that name one place only", s.thin, 0)
	return out
}

func least(out *[]string, what string, got ratio, want float64) {
	if got.share() < want {
		*out = append(*out, fmt.Sprintf("%s %s, expected at least %.2f", what, got, want))
	}
}

func most(out *[]string, what string, got, want int) {
	if got > want {
		*out = append(*out, fmt.Sprintf("%s: %d, expected at most %d", what, got, want))
	}
}

type tierScore struct {
	recall, precision ratio
}

type credentialScore struct {
	tiers    map[string]*tierScore
	families map[string]*byTag
	leaks    int
	remarks  []remark
}

func scoreCredentials(rows []credentialRow, found [][]finding) *credentialScore {
	s := &credentialScore{tiers: map[string]*tierScore{}, families: map[string]*byTag{}}
	for i := range rows {
		r := &rows[i]
		flagged := false
		for _, f := range found[i] {
			if f.Rule != "credential" {
				continue
			}
			flagged = true
			if r.Expect && leaks(strings.Join(r.Parts, ""), f.Said) {
				s.leaks++
			}
		}
		tier, family := entry(s.tiers, r.Tier), entry(s.families, r.Family)
		if flagged {
			tier.precision.add(r.Expect)
		}
		if r.Expect {
			tier.recall.add(flagged)
			family.found.add(flagged)
		} else {
			family.alarms.add(flagged)
		}
		if flagged != r.Expect {
			kind := "alarm"
			if r.Expect {
				kind = "miss"
			}
			s.remarks = append(s.remarks, remark{kind, r.ID, r.Tier + " " + r.Family, r.Note, ""})
		}
	}
	return s
}

// minSecret is the length in bytes from which a repeated word gives a secret
// away; shorter ones may be part of any message.
const minSecret = 16

// leaks reports whether what is said repeats a word of the text that may be a
// secret: long, with a digit.
func leaks(text, said string) bool {
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("_-+/=.", r)
	}) {
		if len(word) >= minSecret && strings.ContainsAny(word, "0123456789") && strings.Contains(said, word) {
			return true
		}
	}
	return false
}

func (s *credentialScore) below(t thresholds) []string {
	var out []string
	core, spec := entry(s.tiers, "core"), entry(s.tiers, "spec")
	least(&out, "recall on tier core", core.recall, t.credRecall)
	least(&out, "precision on tier core", core.precision, t.credPrecision)
	least(&out, "recall on tier spec", spec.recall, 1)
	most(&out, "findings that repeat a secret", s.leaks, 0)
	return out
}

type textScore struct {
	flagged ratio
	rules   map[string]*byRule
	remarks []remark
}

func scoreTexts(rows []textRow, found [][]finding) *textScore {
	s := &textScore{rules: map[string]*byRule{}}
	for i, r := range rows {
		rules := map[string]bool{}
		said := ""
		for _, f := range found[i] {
			if f.counts() {
				rules[f.Rule] = true
				said = f.Message
			}
		}
		s.flagged.add(len(rules) > 0)
		for slug := range rules {
			entry(s.rules, slug).alarms++
		}
		if len(rules) > 0 {
			s.remarks = append(s.remarks, remark{"alarm", r.name, strings.Join(slices.Sorted(maps.Keys(rules)), " "), "ordinary text", said})
		}
	}
	return s
}

func (s *textScore) below(t thresholds) []string {
	if s.flagged.share() <= t.flagged {
		return nil
	}
	return []string{fmt.Sprintf("ordinary texts flagged: %s, expected at most %.2f", s.flagged, t.flagged)}
}
