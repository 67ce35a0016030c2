package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/amp-toolchain/amp/analysis"
)

type gitlabIssue struct {
	Description string         `json:"description"`
	CheckName   string         `json:"check_name"`
	Fingerprint string         `json:"fingerprint"`
	Severity    string         `json:"severity"`
	Location    gitlabLocation `json:"location"`
}

type gitlabLocation struct {
	Path  string      `json:"path"`
	Lines gitlabLines `json:"lines"`
}

type gitlabLines struct {
	Begin int `json:"begin"`
	End   int `json:"end"`
}

// GitLab writes a code quality report. Its fingerprints name findings by their
// content, so that a merge request shows those it adds.
func GitLab(w io.Writer, r *Report) error {
	out := []gitlabIssue{}
	seen := map[string]int{}
	for i := range r.Findings {
		f := &r.Findings[i]
		sev := map[analysis.Severity]string{analysis.Error: "critical", analysis.Warning: "minor"}[f.Severity]
		switch {
		case sev == "":
			sev = "info"
		case f.Rule.Security && f.Severity == analysis.Error:
			sev = "blocker"
		}
		// GitLab drops an issue whose fingerprint another one has.
		fp := f.Fingerprint() + "-" + hash(f.Path)
		if seen[fp]++; seen[fp] > 1 {
			fp = fmt.Sprintf("%s-%d", fp, seen[fp])
		}
		out = append(out, gitlabIssue{
			Description: clean(f.Message), CheckName: f.Rule.Slug, Fingerprint: fp, Severity: sev,
			Location: gitlabLocation{clean(f.Path), gitlabLines{f.Start.Line, f.End.Line}},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
