package report

import (
	"encoding/json"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/batch"
)

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	ColumnKind  string            `json:"columnKind"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"semanticVersion"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string         `json:"id"`
	Short         sarifMessage   `json:"shortDescription"`
	Full          sarifMarkdown  `json:"fullDescription"`
	Help          sarifMarkdown  `json:"help"`
	Configuration sarifLevel     `json:"defaultConfiguration"`
	Properties    map[string]any `json:"properties"`
}

type sarifLevel struct {
	Level   string `json:"level"`
	Enabled bool   `json:"enabled"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifMarkdown struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	ExitCode      int                 `json:"exitCode"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level     string          `json:"level"`
	Message   sarifMessage    `json:"message"`
	Locations []sarifLocation `json:"locations,omitempty"`
}

type sarifResult struct {
	RuleID              string            `json:"ruleId"`
	RuleIndex           int               `json:"ruleIndex"`
	Level               string            `json:"level"`
	Message             sarifMessage      `json:"message"`
	Locations           []sarifLocation   `json:"locations"`
	Related             []sarifLocation   `json:"relatedLocations,omitempty"`
	Fixes               []sarifFix        `json:"fixes,omitempty"`
	PartialFingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	ID       *int           `json:"id,omitempty"`
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
	Kind               string `json:"kind"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI string `json:"uri"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}

type sarifFix struct {
	Description sarifMessage  `json:"description"`
	Changes     []sarifChange `json:"artifactChanges"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRegion   `json:"deletedRegion"`
	Inserted *sarifMessage `json:"insertedContent,omitempty"`
}

// SARIF writes SARIF 2.1.0. It holds no source text: snippets are optional there,
// and one of them could be a credential.
func SARIF(w io.Writer, r *Report, o Options) error {
	index := map[*analysis.Rule]int{}
	run := sarifRun{
		Tool:       sarifTool{sarifDriver{Name: "amp-lint", Version: o.Version, Rules: []sarifRule{}}},
		ColumnKind: "utf16CodeUnits", Results: []sarifResult{},
		Invocations: []sarifInvocation{{Successful: len(r.Errors) == 0, ExitCode: o.Exit}},
	}
	for _, rule := range r.Rules {
		index[rule] = len(run.Tool.Driver.Rules)
		run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(rule))
	}
	for _, e := range r.Errors {
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, sarifNotificationOf(&e))
	}
	for i := range r.Findings {
		f := &r.Findings[i]
		at, ok := index[f.Rule]
		if !ok {
			at = len(run.Tool.Driver.Rules)
			index[f.Rule] = at
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, sarifRuleOf(f.Rule))
		}
		run.Results = append(run.Results, sarifResultOf(f, at))
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

func sarifResultOf(f *Finding, rule int) sarifResult {
	loc := sarifLocation{Physical: sarifPhysicalOf(&f.Place)}
	if f.Unit != "" {
		loc.Logical = []sarifLogical{{clean(f.Unit), "member"}}
	}
	res := sarifResult{
		RuleID: f.Rule.Slug, RuleIndex: rule, Level: sarifLevelOf(f.Severity), Message: sarifMessage{clean(f.Message)},
		Locations:           []sarifLocation{loc},
		PartialFingerprints: map[string]string{"ampPrimitive/v1": f.Fingerprint()},
	}
	for i := range f.Related {
		p := &f.Related[i]
		res.Related = append(res.Related, sarifLocation{ID: new(i + 1), Physical: sarifPhysicalOf(p), Message: &sarifMessage{clean(p.Message)}})
	}
	for _, fix := range f.Fixes {
		if fix.Safety == analysis.Manual {
			continue // a starting point for a person, not a repair
		}
		sf := sarifFix{Description: sarifMessage{clean(fix.Title)}}
		for i := range fix.Edits {
			sf.add(&fix.Edits[i])
		}
		res.Fixes = append(res.Fixes, sf)
	}
	return res
}

// add adds an edit; those of one file belong together.
func (sf *sarifFix) add(e *Edit) {
	start, end := e.Positions()
	rep := sarifReplacement{Deleted: *sarifRegionOf(start, end)}
	if e.New != "" {
		rep.Inserted = &sarifMessage{clean(e.New)}
	}
	uri := sarifURI(e.Path)
	for i := range sf.Changes {
		if sf.Changes[i].Artifact.URI == uri {
			sf.Changes[i].Replacements = append(sf.Changes[i].Replacements, rep)
			return
		}
	}
	sf.Changes = append(sf.Changes, sarifChange{sarifArtifact{uri}, []sarifReplacement{rep}})
}

func sarifRuleOf(r *analysis.Rule) sarifRule {
	out := sarifRule{
		ID: r.Slug, Short: sarifMessage{r.Summary}, Full: sarifMarkdown{Text: r.Doc, Markdown: r.Doc}, Help: sarifMarkdown{Text: r.Doc, Markdown: r.Doc},
		Configuration: sarifLevel{sarifLevelOf(r.Severity), !r.Off},
		Properties:    map[string]any{"tags": []string{"amp"}, "specification": r.Spec},
	}
	if r.Security {
		out.Properties["tags"] = []string{"amp", "security"}
		score := "5.0"
		if r.Severity == analysis.Error {
			score = "8.0"
		}
		out.Properties["security-severity"] = score
	}
	return out
}

func sarifNotificationOf(e *batch.PathError) sarifNotification {
	n := sarifNotification{Level: "error", Message: sarifMessage{clean(e.Error())}}
	if e.Path != "" {
		n.Locations = []sarifLocation{{Physical: sarifPhysical{Artifact: sarifArtifact{sarifURI(e.Path)}}}}
	}
	return n
}

func sarifLevelOf(s analysis.Severity) string {
	switch s {
	case analysis.Error:
		return "error"
	case analysis.Warning:
		return "warning"
	}
	return "note"
}

func sarifPhysicalOf(p *Place) sarifPhysical {
	return sarifPhysical{sarifArtifact{sarifURI(p.Path)}, sarifRegionOf(p.Start, p.End)}
}

func sarifRegionOf(start, end Pos) *sarifRegion {
	return &sarifRegion{start.Line, start.ColumnUTF16, end.Line, end.ColumnUTF16}
}

// sarifURI makes a URI of a path with "/" separators: relative ones stay
// relative, a drive letter or a leading slash makes it absolute.
func sarifURI(p string) string {
	p = clean(p)
	if len(p) > 1 && p[1] == ':' {
		p = "/" + p
	}
	if path.IsAbs(p) {
		return (&url.URL{Scheme: "file", Path: p}).String()
	}
	s := (&url.URL{Path: p}).EscapedPath()
	if first, _, _ := strings.Cut(s, "/"); strings.Contains(first, ":") {
		return fmt.Sprintf("./%s", s) // or the first element would read as a scheme
	}
	return s
}
