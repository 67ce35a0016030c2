package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// Azure writes the logging commands of Azure Pipelines, which shows them at their
// lines in the run. It knows errors and warnings; notes count as the latter.
func Azure(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	for i := range r.Findings {
		f := &r.Findings[i]
		kind := "warning"
		if severity(f) == "error" {
			kind = "error"
		}
		fmt.Fprintf(b, "##vso[task.logissue type=%s;sourcepath=%s;linenumber=%d;columnnumber=%d;code=%s;]%s\n",
			kind, azureProperty(oneLine(f.Path)), f.Start.Line, f.Start.ColumnUTF16, f.Rule.Slug, azureMessage(oneLine(f.Message)))
	}
	for _, e := range r.Errors {
		fmt.Fprintf(b, "##vso[task.logissue type=error;]%s\n", azureMessage(oneLine(e.Error())))
	}
	return b.Flush()
}

func azureMessage(s string) string {
	return strings.NewReplacer("%", "%AZP25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// azureProperty escapes what would end a property as well.
func azureProperty(s string) string {
	return strings.NewReplacer("%", "%AZP25", "\r", "%0D", "\n", "%0A", ";", "%3B", "]", "%5D").Replace(s)
}
