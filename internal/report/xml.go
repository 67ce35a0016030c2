package report

import (
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"hash/fnv"
	"io"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
)

func hash(s string) string {
	h := fnv.New64a()
	h.Write([]byte(s))
	return hex.EncodeToString(h.Sum(nil))
}

// byFile groups findings, which are sorted by path, by their file.
func byFile(fs []Finding, yield func(path string, fs []Finding) error) error {
	for len(fs) > 0 {
		n := 1
		for n < len(fs) && fs[n].Path == fs[0].Path {
			n++
		}
		if err := yield(fs[0].Path, fs[:n]); err != nil {
			return err
		}
		fs = fs[n:]
	}
	return nil
}

// xmlText drops what XML 1.0 can't say.
func xmlText(s string) string {
	return strings.Map(func(c rune) rune {
		switch {
		case c == '\t', c == '\n', c == '\r', c >= 0x20 && c <= 0xD7FF, c >= 0xE000 && c <= 0xFFFD, c >= 0x10000:
			return c
		}
		return 0xFFFD
	}, clean(s))
}

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	File    string        `xml:"file,attr,omitempty"`
	Line    int           `xml:"line,attr,omitempty"`
	Failure *junitFailure `xml:"failure"`
	Error   *junitFailure `xml:"error"`
	Skipped *junitSkipped `xml:"skipped"`
}

type junitSkipped struct {
	Message string `xml:"message,attr"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// JUnit writes a suite for each pack, with a test for each finding, or one that
// passed where there is none. The test of a finding at or above the fail level has
// failed, that of another was skipped, so that a viewer is red when the run is.
// exit is the run's status: where too many warnings made it 1, they are what failed.
func JUnit(w io.Writer, r *Report, exit int) error {
	fails := func(f *Finding) bool { return f.Fails }
	if exit == 1 && !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Fails }) {
		fails = func(f *Finding) bool { return f.Severity == analysis.Warning }
	}
	out := junitSuites{Name: "amp-lint"}
	for _, p := range r.Packs {
		s := junitSuite{Name: xmlText(p.Root)}
		for i := range r.Findings {
			f := &r.Findings[i]
			if f.Root != p.Root {
				continue
			}
			where := fmt.Sprintf("%s:%d:%d", f.Path, f.Start.Line, f.Start.Column)
			c := junitCase{Name: xmlText(f.Rule.Slug + " " + where), Class: xmlText(f.Path), File: xmlText(f.Path), Line: f.Start.Line}
			if fails(f) {
				s.Failures++
				c.Failure = &junitFailure{xmlText(f.Message), severity(f), xmlText(where + ": " + f.Message)}
			} else {
				s.Skipped++
				c.Skipped = &junitSkipped{xmlText(severity(f) + ": " + f.Message)}
			}
			s.Cases = append(s.Cases, c)
		}
		if s.Cases == nil {
			s.Cases = []junitCase{{Name: "no findings", Class: s.Name}}
		}
		s.Tests = len(s.Cases)
		out.Suites = append(out.Suites, s)
	}
	if len(r.Errors) > 0 {
		s := junitSuite{Name: "errors"}
		for _, e := range r.Errors {
			s.Cases = append(s.Cases, junitCase{Name: xmlText(e.Path), Class: "errors", Error: &junitFailure{xmlText(e.Error()), "error", xmlText(e.Error())}})
		}
		s.Tests, s.Errors = len(s.Cases), len(s.Cases)
		out.Suites = append(out.Suites, s)
	}
	for _, s := range out.Suites {
		out.Tests, out.Failures, out.Errors, out.Skipped = out.Tests+s.Tests, out.Failures+s.Failures, out.Errors+s.Errors, out.Skipped+s.Skipped
	}
	return writeXML(w, out)
}

type checkstyle struct {
	XMLName xml.Name         `xml:"checkstyle"`
	Version string           `xml:"version,attr"`
	Files   []checkstyleFile `xml:"file"`
}

type checkstyleFile struct {
	Name   string            `xml:"name,attr"`
	Errors []checkstyleError `xml:"error"`
}

type checkstyleError struct {
	Line     int    `xml:"line,attr"`
	Column   int    `xml:"column,attr"`
	Severity string `xml:"severity,attr"`
	Message  string `xml:"message,attr"`
	Source   string `xml:"source,attr"`
}

// Checkstyle writes Checkstyle's XML, which many report viewers read.
func Checkstyle(w io.Writer, r *Report) error {
	out := checkstyle{Version: "4.3"}
	err := byFile(r.Findings, func(path string, fs []Finding) error {
		c := checkstyleFile{Name: xmlText(path)}
		for i := range fs {
			f := &fs[i]
			c.Errors = append(c.Errors, checkstyleError{f.Start.Line, f.Start.Column, severity(f), xmlText(f.Message), "amp-lint." + f.Rule.Slug})
		}
		out.Files = append(out.Files, c)
		return nil
	})
	if err != nil {
		return err
	}
	for _, e := range r.Errors {
		out.Files = append(out.Files, checkstyleFile{xmlText(e.Path), []checkstyleError{{1, 1, "error", xmlText(e.Err.Error()), "amp-lint"}}})
	}
	return writeXML(w, out)
}

func writeXML(w io.Writer, v any) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
