package report

import (
	"bufio"
	"fmt"
	"io"
)

// Concise writes one line for each finding: `path:LINE:COL: SEVERITY [rule]
// message`, columns in bytes as compilers print them.
func Concise(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		fmt.Fprintf(b, "%s:%d:%d: %s [%s] %s\n", oneLine(f.Path), f.Start.Line, f.Start.Column, severity(f), f.Rule.Slug, oneLine(f.Message))
	}
	return b.Flush()
}
