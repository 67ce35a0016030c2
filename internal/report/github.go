package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
)

var (
	githubData = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A")
	githubProp = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C")
)

// GitHub writes workflow commands, which GitHub shows as annotations in a pull
// request. Columns count characters there, UTF-16 units come nearest.
func GitHub(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		level := map[analysis.Severity]string{analysis.Error: "error", analysis.Warning: "warning"}[f.Severity]
		if level == "" {
			level = "notice"
		}
		fmt.Fprintf(b, "::%s file=%s,line=%d,col=%d,endLine=%d", level, githubProp.Replace(oneLine(f.Path)), f.Start.Line, f.Start.ColumnUTF16, f.End.Line)
		if f.End.Line == f.Start.Line {
			// GitHub takes no end column with a range of lines.
			fmt.Fprintf(b, ",endColumn=%d", f.End.ColumnUTF16)
		}
		fmt.Fprintf(b, ",title=%s::%s\n", githubProp.Replace("amp-lint: "+f.Rule.Slug), githubData.Replace(oneLine(f.Message)))
	}
	for _, e := range r.Errors {
		fmt.Fprintf(b, "::error title=amp-lint::%s\n", githubData.Replace(oneLine(e.Error())))
	}
	return b.Flush()
}
