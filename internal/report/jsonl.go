package report

import (
	"encoding/json"
	"io"
)

// JSONLines writes each finding of the JSON format as a line of its own, with
// `"type": "diagnostic"`, then the errors and a line with the summary. A reader
// that stops early has whole findings.
func JSONLines(w io.Writer, r *Report) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for i := range r.Findings {
		if err := enc.Encode(struct {
			Type string `json:"type"`
			jsonDiagnostic
		}{"diagnostic", toJSON(&r.Findings[i])}); err != nil {
			return err
		}
	}
	for _, e := range r.Errors {
		if err := enc.Encode(struct {
			Type string `json:"type"`
			jsonError
		}{"error", jsonError{clean(e.Path), clean(e.Err.Error())}}); err != nil {
			return err
		}
	}
	return enc.Encode(struct {
		Type    string `json:"type"`
		Version int    `json:"version"`
		jsonSummary
	}{"summary", 1, jsonSummary(r.Summary)})
}
