package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/sentence"
	"github.com/amp-toolchain/amp/parser"
)

// maxSentence is the longest text that is taken for one sentence, in characters.
const maxSentence = 400

// classify returns the type whose sentence a text already is. Where none is, or
// more than one could be, the type is Unknown, and why and between say what keeps
// it from being decided. The patterns are those of Part 3, which are narrower than
// what Part 5 lets pass: nearly every sentence has an `is` in it.
func classify(s string) (t parser.Type, between []string, why string) {
	goal, directive := goalForm(s), directiveForm(s)
	problem, _, _ := sentence.Claim(s)
	claim := problem == sentence.None && !goal && !directive
	switch {
	case s == "":
		return 0, nil, "it says nothing"
	case utf8.RuneCountInString(s) > maxSentence:
		return 0, nil, "it is too long for one sentence"
	case strings.HasSuffix(s, "{") || strings.ContainsAny(s, "\u2028\u2029"):
		return 0, nil, "it cannot stand on one line of a pack"
	case strings.HasSuffix(strings.TrimRight(s, `"'”’)*_ `), "?"):
		return 0, nil, "it is a question"
	case strings.HasSuffix(s, ":"):
		return 0, candidates(goal, claim, directive), "it introduces what follows"
	case s[0] == '<' || strings.HasPrefix(s, "!["):
		return 0, nil, "it is markup"
	case sentences(s) > 1:
		return 0, candidates(goal, claim, directive), "it is more than one sentence"
	case goal && directive:
		return 0, candidates(goal, false, directive), "it reads as both"
	case goal:
		return parser.Goal, nil, ""
	case directive:
		return parser.Directive, nil, ""
	case claim && orders(s):
		return 0, []string{"claim", "directive"}, "it states something and orders something"
	case claim && sentence.Goal(s):
		return 0, []string{"claim", "goal"}, "it states something and speaks of a goal"
	case claim && pointing(s):
		return 0, []string{"claim"}, "its subject is named elsewhere"
	case claim:
		return parser.Claim, nil, ""
	case sentence.Goal(s):
		return 0, []string{"goal", "directive"}, "it has no type's sentence"
	case orders(s) || problem == sentence.Imperative:
		return 0, []string{"directive"}, "it orders something without saying when it holds"
	}
	return 0, nil, "it has no type's sentence"
}

func candidates(goal, claim, directive bool) (out []string) {
	if goal {
		out = append(out, "goal")
	}
	if claim {
		out = append(out, "claim")
	}
	if directive {
		out = append(out, "directive")
	}
	return out
}

// goalForm: "Optimize … over …", "Default …: …" or "[In …, ]the goal is to …".
func goalForm(s string) bool {
	l := strings.ToLower(s)
	const phrase = "the goal is to "
	if i := strings.Index(l, phrase); i >= 0 {
		before := strings.TrimSpace(l[:i])
		return before == "" || context(l) && strings.HasSuffix(before, ",")
	}
	return strings.HasPrefix(l, "optimize ") || strings.HasPrefix(l, "default ") && strings.Contains(l, ": ")
}

// directiveForm: the pattern of Part 5, anchored at the start as in Part 3.
func directiveForm(s string) bool { return context(strings.ToLower(s)) && sentence.Directive(s) }

func context(l string) bool { return strings.HasPrefix(l, "in ") || strings.HasPrefix(l, "when ") }

// orders reports whether words of command stand in a text.
func orders(s string) bool {
	for _, w := range words(s) {
		switch w {
		case "always", "never", "prefer", "must", "should", "shall", "don't", "dont", "avoid", "please", "ensure":
			return true
		}
	}
	return false
}

// pointing reports whether a sentence opens with a word that stands for something
// said before: it makes no sense alone.
func pointing(s string) bool {
	ws := words(s)
	if len(ws) == 0 {
		return false
	}
	switch strings.TrimSuffix(ws[0], "'s") {
	case "it", "this", "that", "these", "those", "they", "he", "she", "they're", "both", "such", "its", "their":
		return true
	}
	return false
}

// words are the words of a text in lower case, apostrophes made straight.
func words(s string) []string {
	s = strings.ReplaceAll(strings.ToLower(s), "’", "'")
	return strings.FieldsFunc(s, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\''
	})
}

// sentences counts the sentences of a line: a full stop, a question mark or an
// exclamation mark before white space and a letter that opens the next one.
func sentences(s string) int {
	n := 1
	for i := 0; i+2 < len(s); i++ {
		if c := s[i]; c != '.' && c != '!' && c != '?' {
			continue
		}
		j := i + 1
		for j < len(s) && strings.IndexByte(`"')*_`, s[j]) >= 0 {
			j++
		}
		if j == len(s) || s[j] != ' ' || abbreviation(s[:i]) {
			continue
		}
		r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s[j:], " \"'“‘(*_`"))
		if unicode.IsUpper(r) || unicode.IsDigit(r) && s[i] != '.' {
			n++
		}
	}
	return n
}

// abbreviation reports whether the full stop behind s ends no sentence.
func abbreviation(s string) bool {
	w := s[strings.LastIndexAny(s, " (")+1:]
	switch strings.ToLower(w) {
	case "e.g", "i.e", "vs", "etc", "dr", "mr", "mrs", "ms", "no", "st", "approx", "inc", "ltd", "co":
		return true
	}
	// An initial, or the number of a list.
	return utf8.RuneCountInString(w) == 1 && w != "I" || w != "" && strings.Trim(w, "0123456789") == ""
}
