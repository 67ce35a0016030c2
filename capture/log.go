package capture

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/sentence"
)

// deeds are what narration of work done opens with (Part 4).
var deeds = wordSet(`ran committed deployed shipped fixed pushed pulled merged released published posted sent wrote drafted
	updated upgraded added removed deleted created built rebuilt tested reviewed refactored renamed moved migrated started
	stopped restarted finished completed implemented installed configured cleaned closed opened resolved reverted rolled
	uploaded downloaded scheduled generated edited investigated debugged tweaked set switched bumped tagged synced imported
	exported converted replaced rewrote launched recorded captured ingested filed logged met called emailed replied talked
	discussed checked verified enabled disabled hooked wired spent tried worked got made did triggered executed processed
	prepared scraped crawled fetched backfilled archived patched setup`)

// openers may follow a deed that is narrated; a noun may as well be one that the
// participle describes, as in "Fixed costs are …".
var openers = wordSet(`the a an my our your his her its their this that these those it them all both some two three four five six
	seven eight nine ten to into from on in at with for up down out off over about by through another more new`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

// narrates reports whether a text tells of work that was done.
func narrates(s string) bool {
	s = bare(s)
	first, rest, _ := strings.Cut(s, " ")
	w := strings.ToLower(strings.Trim(first, ",.:;!*_`"))
	if w == "i" || w == "we" || w == "i've" || w == "we've" || w == "also" || w == "then" || w == "just" || w == "finally" {
		second, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
		return deeds[strings.ToLower(strings.Trim(second, ",.:;!*_`"))]
	}
	if !deeds[w] {
		return false
	}
	rest = strings.TrimSpace(rest)
	if rest == "" {
		return true
	}
	next, _, _ := strings.Cut(rest, " ")
	if r := []rune(next)[0]; !unicode.IsLetter(r) || unicode.IsUpper(r) || openers[strings.ToLower(strings.Trim(next, ",.:;"))] {
		return true
	}
	problem, _, _ := sentence.Claim(s)
	return problem != sentence.None
}

// bare takes off what stands before a log entry's words: times, dates, check marks
// and emphasis.
func bare(s string) string {
	for {
		t := strings.TrimLeftFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '"' && r != '“' })
		w, rest, ok := strings.Cut(t, " ")
		if core := strings.Trim(w, ".:;,-–—*_[]()"); ok && core != "" && strings.Trim(core, "0123456789:-/.hT") == "" {
			s = rest
			continue
		}
		if rest, ok := labelled(t, "done", "log", "shipped"); ok {
			return rest
		}
		return t
	}
}

// quotations are the texts between quotation marks, three words or longer.
func quotations(s string) (out []string) {
	for {
		at := strings.IndexAny(s, `"“„«`)
		if at < 0 {
			return out
		}
		mark, size := utf8.DecodeRuneInString(s[at:])
		end := map[rune]string{'"': `"`, '“': "”", '„': "“", '«': "»"}[mark]
		q, rest, ok := strings.Cut(s[at+size:], end)
		if !ok {
			return out
		}
		s = rest
		if q = strings.TrimSpace(q); len(strings.Fields(q)) >= 3 {
			out = append(out, q)
		}
	}
}

// decides reports whether a quotation is a principle or a decision and no mere
// wording: it orders, or speaks of a goal.
func decides(q string) bool { return orders(q) || sentence.Goal(q) }
