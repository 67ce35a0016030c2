package rules

import (
	"fmt"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

var illustratesUnmatched = &analysis.Rule{
	Slug: "illustrates-unmatched", Severity: analysis.Info, Scope: analysis.ScopePack, Spec: "Part 3; R-d",
	Summary: "no directive of the pack shares a word with what a demonstration illustrates",
	Doc:     "`illustrates:` names a directive, but directives have no ids: the label is free text, and agents match it by its words. A label none of whose words stands in any directive is likely a typo or a leftover.",
	Bad:     "[demo negative, illustrates: em-dash-ban] We ship — always.\n\n[directive must] In posts, always name the source.",
	Good:    "[demo negative, illustrates: em-dash-ban] We ship — always.\n\n[directive must] In copy, never use em dashes.",
	Pack: func(p *analysis.PackPass) {
		if !p.Judged() {
			return
		}
		labels := map[string]bool{}
		for _, f := range p.Pack.Capabilities() {
			for it := range f.Tree.All() {
				if l, _ := it.Illustrates(); l != "" {
					labels[l] = true
				}
			}
		}
		matchLabels(p.Pack, labels)
		if len(labels) == 0 {
			return
		}
		for _, f := range p.Pack.Capabilities() {
			for it := range f.Tree.All() {
				if l, r := it.Illustrates(); labels[l] {
					p.Report(f.Path, it.At(r), fmt.Sprintf("no directive of the pack shares a word with %q", l)).Unit = it.Line + 1
				}
			}
		}
	},
}

// matchLabels deletes the labels that some directive matches. It stops reading
// directives as soon as no label is left, which is early in most packs.
func matchLabels(p *pack.Pack, pending map[string]bool) {
	byWord := map[string][]string{} // stem -> labels
	var starts stemStarts
	for label := range pending {
		matched := false
		for w := range stems(label, nil) {
			byWord[w] = append(byWord[w], label)
			starts.add(w)
			matched = true
		}
		if !matched {
			delete(pending, label) // nothing to match by
		}
	}
	for _, f := range p.Capabilities() {
		for it := range f.Tree.All() {
			if len(pending) == 0 {
				return
			}
			if it.Type() != parser.Directive {
				continue
			}
			r := it.Body()
			for w := range stems(it.Text()[r.Start:r.End], &starts) {
				for _, label := range byWord[w] {
					delete(pending, label)
				}
				delete(byWord, w)
			}
		}
	}
}

// stemStarts is a set of first two letters of words in ASCII, whose case falls
// away with the upper bits, and now and then more than was put in: most words of
// a text need no closer look.
type stemStarts [1 << 10]bool

func (s *stemStarts) add(w string) { s[int(w[0]&31)<<5|int(w[1]&31)] = true }

func (s *stemStarts) has(w string) bool {
	return s == nil || w[0]|w[1] >= utf8.RuneSelf || s[int(w[0]&31)<<5|int(w[1]&31)]
}

// stems are the content words of a text, lower case, without common endings;
// where starts is given, only those that may start as it says.
func stems(s string, starts *stemStarts) iter.Seq[string] {
	return func(yield func(string) bool) {
		for i := 0; i < len(s); i++ {
			if !wordBytes[s[i]] {
				continue
			}
			from := i
			for i < len(s) && wordBytes[s[i]] {
				i++
			}
			w := s[from:i]
			if len(w) < 3 || !starts.has(w) {
				continue
			}
			w = strings.ToLower(w)
			if functionWords[w] {
				continue
			}
			for _, end := range []string{"ing", "ies", "ed", "es", "s", "e", "y"} {
				if len(w)-len(end) >= 3 && strings.HasSuffix(w, end) {
					w = w[:len(w)-len(end)]
					break
				}
			}
			if !yield(w) {
				return
			}
		}
	}
}

// wordBytes are ASCII letters and digits and whatever is part of other characters.
var wordBytes = func() (t [256]bool) {
	for c := range t {
		t[c] = c >= utf8.RuneSelf || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
	}
	return t
}()

var functionWords = map[string]bool{
	"the": true, "and": true, "for": true, "with": true, "from": true, "that": true, "this": true, "into": true, "over": true,
	"when": true, "always": true, "never": true, "prefer": true, "not": true, "are": true, "any": true, "all": true, "use": true,
	"rule": true, "must": true, "should": true, "may": true, "ban": true,
}
