package report

import (
	"bufio"
	"fmt"
	"io"

	"github.com/amp-toolchain/amp/analysis"
)

// Spec writes the validation report of Part 5, in its very shape (S5.17 to
// S5.19). A unit id is `<file>:<line of the tag>` (R-n), the file as reached
// from the arguments when there is more than one pack.
func Spec(w io.Writer, r *Report) error {
	if nothing(r) {
		return nil
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "PASS: %d primitives valid\n", r.Summary.Pass)
	fmt.Fprintf(b, "FAIL: %d primitives failed validation\n", r.Summary.Fail)
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Unit == "" || f.Severity != analysis.Error {
			continue
		}
		fmt.Fprintf(b, "  - %s — REASON: %s\n", oneLine(unitOf(r, f)), oneLine(f.Message))
	}
	fmt.Fprintf(b, "WARN: %d ambiguous units still unresolved — awaiting human review\n", r.Summary.Warn)
	return b.Flush()
}

func unitOf(r *Report, f *Finding) string {
	if len(r.Packs) == 1 {
		return f.Unit
	}
	return f.Path + f.Unit[len(f.Rel):]
}
