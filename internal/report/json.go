package report

import (
	"encoding/json"
	"io"
	"strings"
)

type jsonReport struct {
	Version     int              `json:"version"`
	Summary     jsonSummary      `json:"summary"`
	Packs       []jsonPack       `json:"packs"`
	Diagnostics []jsonDiagnostic `json:"diagnostics"`
	Errors      []jsonError      `json:"errors,omitempty"`
}

type jsonSummary struct {
	Packs    int `json:"packs"`
	Files    int `json:"files"`
	Pass     int `json:"pass"`
	Fail     int `json:"fail"`
	Warn     int `json:"warn"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
}

type jsonPack struct {
	Root   string `json:"root"`
	Name   string `json:"name"`
	Format string `json:"format"`
	Pass   int    `json:"pass"`
	Fail   int    `json:"fail"`
	Warn   int    `json:"warn"`
}

type jsonPos struct {
	Line        int `json:"line"`
	Column      int `json:"column"`
	ColumnUTF16 int `json:"column_utf16"`
	Offset      int `json:"offset"`
}

type jsonDiagnostic struct {
	Path     string        `json:"path"`
	Pack     string        `json:"pack"`
	Unit     string        `json:"unit,omitempty"`
	Rule     string        `json:"rule"`
	Severity string        `json:"severity"`
	Message  string        `json:"message"`
	Start    jsonPos       `json:"start"`
	End      jsonPos       `json:"end"`
	Related  []jsonRelated `json:"related"`
	Fixes    []jsonFix     `json:"fixes"`
	DocURL   string        `json:"doc_url"`
}

type jsonRelated struct {
	Path    string  `json:"path"`
	Start   jsonPos `json:"start"`
	End     jsonPos `json:"end"`
	Message string  `json:"message"`
}

type jsonFix struct {
	Title  string     `json:"title"`
	Safety string     `json:"safety"`
	Edits  []jsonEdit `json:"edits"`
}

type jsonEdit struct {
	Path        string `json:"path"`
	StartOffset int    `json:"start_offset"`
	EndOffset   int    `json:"end_offset"`
	NewText     string `json:"new_text"`
	Create      bool   `json:"create,omitempty"`
}

type jsonError struct {
	Path    string `json:"path"`
	Message string `json:"message"`
}

// JSON writes the one object of `--format json`. The text is valid UTF-8
// whatever the input.
func JSON(w io.Writer, r *Report) error {
	out := jsonReport{
		Version: 1, Summary: jsonSummary(r.Summary), Packs: []jsonPack{}, Diagnostics: []jsonDiagnostic{},
	}
	for _, p := range r.Packs {
		out.Packs = append(out.Packs, jsonPack{clean(p.Root), clean(p.Name), clean(p.Format), p.Pass, p.Fail, p.Warn})
	}
	for i := range r.Findings {
		out.Diagnostics = append(out.Diagnostics, toJSON(&r.Findings[i]))
	}
	for _, e := range r.Errors {
		out.Errors = append(out.Errors, jsonError{clean(e.Path), clean(e.Err.Error())})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}

func toJSON(f *Finding) jsonDiagnostic {
	d := jsonDiagnostic{
		Path: clean(f.Path), Pack: clean(f.Pack), Unit: clean(f.Unit), Rule: f.Rule.Slug, Severity: severity(f),
		Message: clean(f.Message), Start: jsonPos(f.Start), End: jsonPos(f.End), Related: []jsonRelated{}, Fixes: []jsonFix{}, DocURL: DocURL(f.Rule),
	}
	for _, p := range f.Related {
		d.Related = append(d.Related, jsonRelated{clean(p.Path), jsonPos(p.Start), jsonPos(p.End), clean(p.Message)})
	}
	for _, fix := range f.Fixes {
		jf := jsonFix{Title: clean(fix.Title), Safety: fix.Safety.String(), Edits: []jsonEdit{}}
		for _, e := range fix.Edits {
			jf.Edits = append(jf.Edits, jsonEdit{clean(e.Path), e.Start, e.End, clean(e.New), e.Create})
		}
		d.Fixes = append(d.Fixes, jf)
	}
	return d
}

// severity: outputs know three levels; hints are shown as info where asked for.
func severity(f *Finding) string {
	if s := f.Severity.String(); s != "hint" {
		return s
	}
	return "info"
}

func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
