package rules

import (
	"fmt"
	"strings"

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
		pending := map[string][]place{} // by label
		for _, f := range p.Pack.Capabilities() {
			for it := range f.Tree.All() {
				if l, _ := it.Illustrates(); l != "" {
					pending[l] = append(pending[l], place{it, f})
				}
			}
		}
		matchLabels(p.Pack, pending)
		for label, places := range pending {
			for _, at := range places {
				_, r := at.Illustrates()
				p.Report(at.file.Path, at.At(r), fmt.Sprintf("no directive of the pack shares a word with %q", label)).Unit = at.Line + 1
			}
		}
	},
}

// matchLabels deletes the labels that some directive matches. It stops reading
// directives as soon as no label is left, which is early in most packs.
func matchLabels(p *pack.Pack, pending map[string][]place) {
	byWord := map[string][]string{} // stem -> labels
	var starts [256]bool            // first bytes of the stems: most words need no closer look
	for label := range pending {
		ws := stems(label, nil)
		if len(ws) == 0 {
			delete(pending, label) // nothing to match by
		}
		for _, w := range ws {
			byWord[w] = append(byWord[w], label)
			starts[w[0]] = true
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
			for _, w := range stems(it.Text()[r.Start:r.End], &starts) {
				for _, label := range byWord[w] {
					delete(pending, label)
				}
				delete(byWord, w)
			}
		}
	}
}

// stems are the content words of a text, lower case, without common endings;
// where starts is given, only those that start with a byte it holds.
func stems(s string, starts *[256]bool) []string {
	var out []string
	for i := 0; i < len(s); i++ {
		if !wordByte(s[i]) {
			continue
		}
		from := i
		for i < len(s) && wordByte(s[i]) {
			i++
		}
		w := s[from:i]
		if len(w) < 3 || starts != nil && w[0] < 0x80 && !starts[w[0]|0x20] {
			continue
		}
		w = strings.ToLower(w)
		if starts != nil && !starts[w[0]] || functionWords[w] {
			continue
		}
		for _, end := range []string{"ing", "ies", "ed", "es", "s", "e", "y"} {
			if len(w)-len(end) >= 3 && strings.HasSuffix(w, end) {
				w = w[:len(w)-len(end)]
				break
			}
		}
		out = append(out, w)
	}
	return out
}

func wordByte(c byte) bool {
	return c >= 0x80 || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

var functionWords = map[string]bool{
	"the": true, "and": true, "for": true, "with": true, "from": true, "that": true, "this": true, "into": true, "over": true,
	"when": true, "always": true, "never": true, "prefer": true, "not": true, "are": true, "any": true, "all": true, "use": true,
	"rule": true, "must": true, "should": true, "may": true, "ban": true,
}
