package report

import (
	"encoding/json"
	"io"

	"github.com/amp-toolchain/amp/analysis"
)

type rdReport struct {
	Source      rdSource       `json:"source"`
	Diagnostics []rdDiagnostic `json:"diagnostics"`
}

type rdSource struct {
	Name string `json:"name"`
}

type rdDiagnostic struct {
	Message     string         `json:"message"`
	Location    rdLocation     `json:"location"`
	Severity    string         `json:"severity"`
	Code        rdCode         `json:"code"`
	Suggestions []rdSuggestion `json:"suggestions,omitempty"`
	Related     []rdRelated    `json:"related_locations,omitempty"`
}

type rdCode struct {
	Value string `json:"value"`
}

type rdLocation struct {
	Path  string  `json:"path"`
	Range rdRange `json:"range"`
}

type rdRange struct {
	Start rdPos `json:"start"`
	End   rdPos `json:"end"`
}

type rdPos struct {
	Line   int `json:"line"`
	Column int `json:"column"` // in UTF-8 bytes
}

type rdSuggestion struct {
	Range rdRange `json:"range"`
	Text  string  `json:"text"`
}

type rdRelated struct {
	Message  string     `json:"message"`
	Location rdLocation `json:"location"`
}

// RDJSON writes the Reviewdog Diagnostic Format. A fix is a suggestion when it is
// a single edit of the file of the finding; nothing else can be said there.
func RDJSON(w io.Writer, r *Report) error {
	out := rdReport{rdSource{"amp-lint"}, []rdDiagnostic{}}
	for i := range r.Findings {
		f := &r.Findings[i]
		d := rdDiagnostic{
			Message: clean(f.Message), Location: rdPlace(&f.Place), Code: rdCode{f.Rule.Slug},
			Severity: map[analysis.Severity]string{analysis.Error: "ERROR", analysis.Warning: "WARNING"}[f.Severity],
		}
		if d.Severity == "" {
			d.Severity = "INFO"
		}
		for _, p := range f.Related {
			d.Related = append(d.Related, rdRelated{clean(p.Message), rdPlace(&p)})
		}
		for _, fix := range f.Fixes {
			if len(fix.Edits) != 1 || fix.Edits[0].Path != f.Path || fix.Edits[0].Create || fix.Safety == analysis.Manual {
				continue
			}
			start, end := fix.Edits[0].Positions()
			d.Suggestions = append(d.Suggestions, rdSuggestion{rdRangeOf(start, end), clean(fix.Edits[0].New)})
		}
		out.Diagnostics = append(out.Diagnostics, d)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func rdPlace(p *Place) rdLocation { return rdLocation{clean(p.Path), rdRangeOf(p.Start, p.End)} }

func rdRangeOf(start, end Pos) rdRange {
	return rdRange{rdPos{start.Line, start.Column}, rdPos{end.Line, end.Column}}
}
