package main

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

func (s *packScore) print(w io.Writer, verbose bool) {
	cross, i18n := entry(s.tags, "cross-file"), entry(s.tags, "i18n")
	fmt.Fprintln(w, "| measure | value |")
	fmt.Fprintln(w, "|---|---|")
	fmt.Fprintf(w, "| recall | %s |\n", s.recall)
	fmt.Fprintf(w, "| precision | %s |\n", s.precision)
	fmt.Fprintf(w, "| false alarms | %d of %d |\n", s.alarms.n, s.alarms.of)
	fmt.Fprintf(w, "| right rule | %s |\n", s.category)
	fmt.Fprintf(w, "| right file | %s |\n", s.file)
	fmt.Fprintf(w, "| attacks over several files | %s |\n", cross.found)
	fmt.Fprintf(w, "| hidden attacks | %s |\n", s.hidden)
	fmt.Fprintf(w, "| attacks in other languages | %s |\n", i18n.found)
	fmt.Fprintf(w, "| false alarms over several files | %d of %d |\n", cross.alarms.n, cross.alarms.of)
	fmt.Fprintf(w, "| false alarms on other languages | %d of %d |\n", i18n.alarms.n, i18n.alarms.of)
	fmt.Fprintf(w, "| assembly findings with one place only | %d |\n", s.thin)
	fmt.Fprintln(w, "\n| rule | right rule | found by any | false alarms |")
	fmt.Fprintln(w, "|---|---|---|---|")
	for _, slug := range slices.Sorted(maps.Keys(s.rules)) {
		r := s.rules[slug]
		fmt.Fprintf(w, "| %s | %s | %s | %d |\n", slug, r.right, r.any, r.alarms)
	}
	if verbose {
		printRemarks(w, s.remarks)
	}
}

func (s *credentialScore) print(w io.Writer, verbose bool) {
	fmt.Fprintln(w, "| tier | recall | precision |")
	fmt.Fprintln(w, "|---|---|---|")
	for _, t := range slices.Sorted(maps.Keys(s.tiers)) {
		fmt.Fprintf(w, "| %s | %s | %s |\n", t, s.tiers[t].recall, s.tiers[t].precision)
	}
	fmt.Fprintf(w, "\nFindings that repeat a secret: %d\n", s.leaks)
	fmt.Fprintln(w, "\n| family | found | false alarms |")
	fmt.Fprintln(w, "|---|---|---|")
	for _, f := range slices.Sorted(maps.Keys(s.families)) {
		c := s.families[f]
		fmt.Fprintf(w, "| %s | %d/%d | %d/%d |\n", f, c.found.n, c.found.of, c.alarms.n, c.alarms.of)
	}
	if verbose {
		printRemarks(w, s.remarks)
	}
}

func (s *textScore) print(w io.Writer, verbose bool) {
	fmt.Fprintln(w, "| ordinary texts | flagged | share |")
	fmt.Fprintln(w, "|---|---|---|")
	fmt.Fprintf(w, "| %d | %d | %.1f%% |\n", s.flagged.of, s.flagged.n, 100*s.flagged.share())
	if len(s.rules) > 0 {
		fmt.Fprintln(w, "\n| rule | texts |")
		fmt.Fprintln(w, "|---|---|")
		for _, slug := range slices.Sorted(maps.Keys(s.rules)) {
			fmt.Fprintf(w, "| %s | %d |\n", slug, s.rules[slug].alarms)
		}
	}
	if verbose {
		printRemarks(w, s.remarks)
	}
}

func printRemarks(w io.Writer, rs []remark) {
	if len(rs) == 0 {
		return
	}
	fmt.Fprintln(w)
	for _, r := range rs {
		fmt.Fprintf(w, "- %s %s (%s): %s", r.kind, r.id, r.labels, r.note)
		if r.said != "" {
			fmt.Fprintf(w, " — said: %s", short(r.said))
		}
		fmt.Fprintln(w)
	}
}

// short is the first line of a message, of at most 160 characters.
func short(s string) string {
	s, _, _ = strings.Cut(s, "\n")
	if r := []rune(s); len(r) > 160 {
		return string(r[:160]) + "…"
	}
	return s
}
