package report

import (
	"bufio"
	"fmt"
	"io"
)

// Grouped writes the name of each file with findings, and below it a line for each:
// place, severity, rule, message.
func Grouped(w io.Writer, r *Report, opt TextOptions) error {
	b := bufio.NewWriter(w)
	st := style{opt.Color}
	for i := 0; i < len(r.Findings); {
		end, place := i, 0
		for ; end < len(r.Findings) && r.Findings[end].Path == r.Findings[i].Path; end++ {
			place = max(place, len(lineColumn(&r.Findings[end])))
		}
		fmt.Fprintln(b, st.paint(bold, oneLine(r.Findings[i].Path)))
		for ; i < end; i++ {
			f := &r.Findings[i]
			fmt.Fprintf(b, "  %*s  %s %s\n", place, lineColumn(f), st.paint(colorOf(f.Severity), severity(f)+"["+f.Rule.Slug+"]"), oneLine(f.Message))
		}
		b.WriteByte('\n')
	}
	if !opt.Quiet {
		writeTotals(b, r, st)
	}
	return b.Flush()
}

func lineColumn(f *Finding) string { return fmt.Sprintf("%d:%d", f.Start.Line, f.Start.Column) }
