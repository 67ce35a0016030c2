package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Apply returns s with all edits applied. Offsets refer to s; order does not
// matter. It is an error when two edits overlap or a span is outside of s.
func Apply(s string, edits []Edit) (string, error) {
	sorted := slices.Clone(edits)
	slices.SortStableFunc(sorted, func(a, b Edit) int {
		return cmp.Or(cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
	})
	var b strings.Builder
	at := 0
	for _, e := range sorted {
		if e.Start < at || e.End < e.Start || e.End > len(s) {
			return "", fmt.Errorf("edit %d-%d overlaps another or lies outside of a text of %d bytes", e.Start, e.End, len(s))
		}
		b.WriteString(s[at:e.Start])
		b.WriteString(e.New)
		at = e.End
	}
	b.WriteString(s[at:])
	return b.String(), nil
}

// Diff returns the smallest single edit that turns old into new: what lies
// between their common prefix and suffix, widened to whole UTF-8 characters.
func Diff(old, new string) Edit {
	n := min(len(old), len(new))
	p := 0
	for p < n && old[p] == new[p] {
		p++
	}
	for p > 0 && p < len(old) && old[p]&0xC0 == 0x80 {
		p--
	}
	q := 0
	for q < n-p && old[len(old)-1-q] == new[len(new)-1-q] {
		q++
	}
	for q > 0 && old[len(old)-q]&0xC0 == 0x80 {
		q--
	}
	return Edit{Span{p, len(old) - q}, new[p : len(new)-q]}
}
