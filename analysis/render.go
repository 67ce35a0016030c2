package analysis

import (
	"fmt"
	"strings"
)

// Render writes diagnostics one a line, with byte offsets: for tests that
// compare two ways of finding the same.
func Render(ds []Diagnostic) string {
	var b strings.Builder
	for i := range ds {
		d := &ds[i]
		fmt.Fprintf(&b, "%s:%d-%d %s %s unit %d: %s", d.Path, d.Span.Start, d.Span.End, d.Severity, d.Rule.Slug, d.Unit, d.Message)
		for _, r := range d.Related {
			fmt.Fprintf(&b, " (%s:%d-%d %s)", r.Path, r.Span.Start, r.Span.End, r.Message)
		}
		for _, f := range d.Fixes {
			fmt.Fprintf(&b, " [%s %s %+v]", f.Safety, f.Title, f.Edits)
		}
		b.WriteByte('\n')
	}
	return b.String()
}
