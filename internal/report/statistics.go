package report

import (
	"bufio"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

type statistic struct {
	Rule     string `json:"rule"`
	Severity string `json:"severity"`
	Count    int    `json:"count"`
	Fixable  int    `json:"fixable"`
}

// Statistics writes how many findings each rule and severity has, most first, and
// how many of them have a fix.
func Statistics(w io.Writer, r *Report, asJSON bool) error {
	at := map[string]int{}
	stats := []statistic{}
	for i := range r.Findings {
		f := &r.Findings[i]
		k := f.Rule.Slug + " " + severity(f)
		j, ok := at[k]
		if !ok {
			j = len(stats)
			at[k] = j
			stats = append(stats, statistic{Rule: f.Rule.Slug, Severity: severity(f)})
		}
		stats[j].Count++
		if len(f.Fixes) > 0 {
			stats[j].Fixable++
		}
	}
	slices.SortFunc(stats, func(a, b statistic) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Rule, b.Rule), cmp.Compare(a.Severity, b.Severity))
	})
	if asJSON {
		enc := json.NewEncoder(w)
		enc.SetIndent("", "  ")
		return enc.Encode(stats)
	}
	b := bufio.NewWriter(w)
	for _, s := range stats {
		fmt.Fprintf(b, "%6d  %-7s  %s", s.Count, s.Severity, s.Rule)
		if s.Fixable > 0 {
			fmt.Fprintf(b, "  (%d with a fix)", s.Fixable)
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(b, "%6d  in all\n", len(r.Findings))
	return b.Flush()
}
