package report

import (
	"fmt"
	"io"
	"slices"
	"strings"
)

// Options tell how outputs look.
type Options struct {
	Text    TextOptions
	Version string // of the tool, where a format names it
	// Exit is what the run will end with, where a format tells.
	Exit int
}

type format struct {
	name  string
	short string
	write func(io.Writer, *Report, Options) error
}

func plain(f func(io.Writer, *Report) error) func(io.Writer, *Report, Options) error {
	return func(w io.Writer, r *Report, _ Options) error { return f(w, r) }
}

var formats = []format{
	{"text", "findings with their source lines, for people", func(w io.Writer, r *Report, o Options) error { return Text(w, r, o.Text) }},
	{"page", "one page to read before installing: verdict, findings, what is asked for, who signed", func(w io.Writer, r *Report, o Options) error { return Page(w, r, o.Text) }},
	{"html", "the same as a web page, without scripts", HTML},
	{"concise", "one line a finding", plain(Concise)},
	{"grouped", "one line a finding, under the name of its file", func(w io.Writer, r *Report, o Options) error { return Grouped(w, r, o.Text) }},
	{"spec", "the validation report of the specification, Part 5", plain(Spec)},
	{"json", "one object", plain(JSON)},
	{"jsonl", "one object a line for each finding, and a summary", plain(JSONLines)},
	{"sarif", "SARIF 2.1.0, for code scanning", SARIF},
	{"github", "workflow commands that annotate a pull request on GitHub", plain(GitHub)},
	{"azure", "logging commands that annotate a run on Azure Pipelines", plain(Azure)},
	{"gitlab", "a code quality report for GitLab", plain(GitLab)},
	{"junit", "JUnit XML, a test for each finding: failed where the run fails for it, else skipped", func(w io.Writer, r *Report, o Options) error { return JUnit(w, r, o.Exit) }},
	{"checkstyle", "Checkstyle XML", plain(Checkstyle)},
	{"rdjson", "Reviewdog Diagnostic Format", plain(RDJSON)},
}

// Formats are the names of the output formats.
func Formats() []string {
	var out []string
	for _, f := range formats {
		out = append(out, f.name)
	}
	return out
}

// FormatHelp describes the formats, one line each.
func FormatHelp() string {
	var b strings.Builder
	for _, f := range formats {
		fmt.Fprintf(&b, "  %-11s %s\n", f.name, f.short)
	}
	return b.String()
}

// Known reports whether there is a format of the name.
func Known(name string) bool {
	return slices.ContainsFunc(formats, func(f format) bool { return f.name == name })
}

// Write writes a report in a format. This is the one way out: no format shows a
// credential.
func Write(w io.Writer, name string, r *Report, o Options) error {
	for _, f := range formats {
		if f.name == name {
			return f.write(w, masked(r), o)
		}
	}
	return fmt.Errorf("unknown format %q", name)
}
