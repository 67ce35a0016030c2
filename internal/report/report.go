// Package report turns findings into output: one file per format. All formats
// are made from the same Report, whose positions are already resolved.
package report

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/baseline"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A Report is everything an output says.
type Report struct {
	Summary  Summary
	Packs    []Pack
	Audits   []Audit // for the formats that show them, see Audited
	Findings []Finding
	Errors   []batch.PathError // arguments and files that could not be read
	Rules    []*analysis.Rule  // all rules of the run, for formats that describe them
	FailFrom analysis.Severity // the fail level of what Add adds; 0 is that of errors
}

// Summary are the totals. Pass, Fail and Warn count primitives (Part 5; R-n).
type Summary struct {
	Packs, Files            int
	Pass, Fail, Warn        int
	Errors, Warnings, Infos int
}

// A Pack is one linted pack.
type Pack struct {
	Root, Name, Format string
	Pass, Fail, Warn   int
}

// A Pos is a place in a file: 1-based line and columns, Column in UTF-8 bytes,
// ColumnUTF16 in UTF-16 units, Offset in bytes from 0. A byte order mark counts
// for the offset alone.
type Pos struct{ Line, Column, ColumnUTF16, Offset int }

// A Place is a range of a file, End exclusive.
type Place struct {
	Path       string // as reached from the arguments, "/" separators
	Start, End Pos
	Message    string

	file *pack.File // nil when it does not exist
}

// A Finding is one diagnostic with its places resolved.
type Finding struct {
	Place
	Pack     string // the pack's name, its folder's when it has none
	Root     string // the pack's folder as reached from the arguments
	Rel      string // the path inside the pack
	Unit     string // "<file>:<line of the tag>" inside a primitive, else ""
	Rule     *analysis.Rule
	Severity analysis.Severity
	Fails    bool // it is at or above the fail level of its pack
	Related  []Place
	Fixes    []Fix
	File     *pack.File // nil when the file does not exist
}

// A Fix is a fix with its paths as outputs show them.
type Fix struct {
	Title  string
	Safety analysis.Safety
	Edits  []Edit
}

// An Edit replaces bytes [Start, End) of a file, or creates it.
type Edit struct {
	Path       string
	Start, End int
	New        string
	Create     bool
	File       *pack.File // nil when it does not exist
}

// Positions are the places of an edit's ends.
func (e *Edit) Positions() (start, end Pos) {
	t := treeOf(e.File)
	if t == nil {
		return Pos{1, 1, 1, 0}, Pos{1, 1, 1, 0}
	}
	return at(t, e.Start), at(t, e.End)
}

// Fingerprint names the finding by its content; see package baseline.
func (f *Finding) Fingerprint() string {
	return baseline.Fingerprint(f.Rule.Slug, f.Message, f.File, f.Start.Offset)
}

// New makes a report of the results of a batch run.
func New(results []batch.Result, errs []batch.PathError) *Report {
	r := &Report{Errors: append([]batch.PathError(nil), errs...)}
	for i := range results {
		r.Add(&results[i])
	}
	return r
}

// Sort puts packs, findings and errors in an order that does not depend on that of
// the arguments: by path, start, rule.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Audits, func(a, b Audit) int { return strings.Compare(a.Root, b.Root) })
	slices.SortStableFunc(r.Packs, func(a, b Pack) int { return strings.Compare(a.Root, b.Root) })
	slices.SortStableFunc(r.Errors, func(a, b batch.PathError) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Err.Error(), b.Err.Error()))
	})
	// Whoever looks for packs and whoever reads one both stumble over a folder
	// that can't be listed.
	r.Errors = slices.CompactFunc(r.Errors, func(a, b batch.PathError) bool { return a.Path == b.Path && a.Err.Error() == b.Err.Error() })
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), cmp.Compare(a.Start.Offset, b.Start.Offset), strings.Compare(a.Rule.Slug, b.Rule.Slug))
	})
}

// Add adds one result. Of its pack only files with findings are kept.
func (r *Report) Add(res *batch.Result) {
	r.Errors = append(r.Errors, res.Errs...)
	if res.Pack == nil {
		return
	}
	p := Pack{Root: res.Display, Name: res.Stats.Name, Format: res.Stats.Format}
	if p.Name == "" {
		p.Name = path.Base(res.Display)
	}
	total := 0
	for _, f := range res.Stats.Files {
		if res.Only == nil || slices.Contains(res.Only, f.Path) {
			r.Summary.Files++
			total += f.Primitives
		}
	}
	failed := map[string]bool{}
	pos := positions{}
	for _, d := range res.Diags {
		f := Finding{Pack: p.Name, Root: p.Root, Rel: d.Path, Rule: d.Rule, Severity: d.Severity, File: res.Pack.File(d.Path)}
		f.Place = pos.place(res, d.Path, d.Span, d.Message)
		f.Fails = r.fails(d.Severity)
		if d.Unit > 0 {
			f.Unit = d.Path + ":" + strconv.Itoa(d.Unit)
			if d.Severity == analysis.Error {
				failed[f.Unit] = true
			}
		}
		for _, rel := range d.Related {
			f.Related = append(f.Related, pos.place(res, rel.Path, rel.Span, rel.Message))
		}
		for _, fix := range d.Fixes {
			if out, ok := fixOf(res, fix); ok {
				f.Fixes = append(f.Fixes, out)
			}
		}
		r.Summary.count(d.Severity)
		r.Findings = append(r.Findings, f)
	}
	p.Fail = len(failed)
	p.Pass = max(total-p.Fail, 0)
	r.Summary.Packs++
	r.Summary.Pass += p.Pass
	r.Summary.Fail += p.Fail
	r.Packs = append(r.Packs, p)
}

func (r *Report) fails(s analysis.Severity) bool {
	return s >= cmp.Or(r.FailFrom, analysis.Error)
}

// Across is a finding whose places lie in several packs, or in files beside them.
type Across struct {
	Rule     *analysis.Rule
	Severity analysis.Severity
	Place    AcrossPlace
	Related  []AcrossPlace
}

// An AcrossPlace is a place in a file of a result.
type AcrossPlace struct {
	Result  *batch.Result
	Path    string
	Span    text.Span
	Message string
}

// AddAcross adds a finding across packs to those of the pack it is in.
func (r *Report) AddAcross(a *Across) {
	resolve := func(p *AcrossPlace) Place { return positions{}.place(p.Result, p.Path, p.Span, p.Message) }
	f := Finding{Rule: a.Rule, Severity: a.Severity, Root: a.Place.Result.Display, Rel: a.Place.Path, File: a.Place.Result.Pack.File(a.Place.Path)}
	f.Place = resolve(&a.Place)
	f.Fails = r.fails(f.Severity)
	f.Pack = path.Base(f.Root)
	if st := a.Place.Result.Stats; st != nil && st.Name != "" {
		f.Pack = st.Name
	}
	for i := range a.Related {
		f.Related = append(f.Related, resolve(&a.Related[i]))
	}
	r.Summary.count(a.Severity)
	r.Findings = append(r.Findings, f)
}

func (s *Summary) count(of analysis.Severity) {
	switch of {
	case analysis.Error:
		s.Errors++
	case analysis.Warning:
		s.Warnings++
	default:
		s.Infos++
	}
}

// fixOf shows a fix. One that would move a credential's text about is not shown:
// no output repeats a value, and the credential has a fix of its own.
func fixOf(res *batch.Result, fix analysis.Fix) (Fix, bool) {
	out := Fix{Title: fix.Title, Safety: fix.Safety}
	for _, e := range fix.Edits {
		if credential.MaskText(e.New) != e.New {
			return out, false
		}
		out.Edits = append(out.Edits, Edit{path.Join(res.Display, e.Path), e.Span.Start, e.Span.End, e.New, e.Create, res.Pack.File(e.Path)})
	}
	return out, true
}

func treeOf(f *pack.File) *parser.Tree {
	switch {
	case f == nil:
		return nil
	case f.Tree == nil:
		return parser.Parse(f.Text, parser.V04)
	}
	return f.Tree
}

// positions resolves spans; texts without a tree are parsed for their lines once.
type positions map[string]*locator

func (ps positions) place(res *batch.Result, name string, s text.Span, msg string) Place {
	pl := Place{Path: path.Join(res.Display, name), Start: Pos{1, 1, 1, 0}, End: Pos{1, 1, 1, 0}, Message: msg}
	f := res.Pack.File(name)
	if f == nil || f.Text == "" && f.Tree == nil {
		return pl
	}
	pl.file = f
	l := ps[name]
	if l == nil {
		src := f.Text
		if src == "" {
			src = f.Tree.String()
		}
		l = newLocator(src)
		ps[name] = l
	}
	pl.Start = l.at(s.Start)
	end := *l // the next finding goes on from the start of this one
	pl.End = end.at(s.End)
	return pl
}

func at(t *parser.Tree, offset int) Pos {
	line, col := t.Position(offset, text.UTF8)
	_, col16 := t.Position(offset, text.UTF16)
	if line == 0 && strings.HasPrefix(t.Slice(text.Span{End: len(text.BOM)}), text.BOM) {
		col, col16 = max(0, col-len(text.BOM)), max(0, col16-1)
	}
	return Pos{line + 1, col + 1, col16 + 1, offset}
}

// DocURL is where a rule's page lies in the project.
func DocURL(r *analysis.Rule) string { return "docs/rules/" + r.Slug + ".md" }
