package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/capture"
	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

type captureFlags struct {
	name, title, out, units, created, origin string
	agents                                   []string
	dryRun, json                             bool
}

func newCaptureCmd() *cobra.Command {
	var f captureFlags
	cmd := &cobra.Command{
		Use:   "capture [SOURCE] --name NAME",
		Short: "Distil notes into a draft pack",
		Long: `Distil a folder of Markdown notes, or a file of units, into the draft of a pack,
NAME.draft/, which must not exist.

Notes are cut into units. Narration of work done and duplicates are dropped, a unit
with a credential is rejected, what already is the sentence of its type is
classified and routed. All else is ambiguous and goes to NAME.ambiguous.jsonl, one
JSON object a line. Once somebody decided their types, such lines can be given back
with --units, alone or together with SOURCE: they take the place of what was made of
the same source and line.

Exit codes: 0 written; 1 a credential was rejected, something could not be read, the
draft has lint errors (it is written all the same), or nothing could be written;
2 usage.`,
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usagef("capture takes one folder, got %d arguments", len(args))
			}
			if len(args) == 0 && f.units == "" {
				return usagef("capture needs a folder of notes or --units FILE (see %s --help)", cmd.CommandPath())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error { return runCapture(cmd, &f, args) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.name, "name", "", "the pack's `name`, ^[a-z0-9][a-z0-9-]{0,63}$")
	fl.StringVar(&f.title, "title", "", "the pack's title (made from the name by default)")
	fl.StringVar(&f.out, "out", ".", "the `folder` to put the draft into")
	fl.StringVar(&f.units, "units", "", "a `file` of units with their types, - for standard input")
	fl.StringVar(&f.created, "created", "", "`date` for the manifest, YYYY-MM-DD (SOURCE_DATE_EPOCH, else today)")
	fl.StringVar(&f.origin, "origin", "self", "whose knowledge it is: self, imported or inferred")
	fl.StringArrayVar(&f.agents, "agent", []string{"claude-code"}, "an agent that the pack is for, may be repeated: "+strings.Join(install.Agents, ", "))
	fl.BoolVar(&f.dryRun, "dry-run", false, "write nothing")
	fl.BoolVar(&f.json, "json", false, "print JSON, with all units")
	fixedCompletion(cmd, "origin", "self", "imported", "inferred")
	fixedCompletion(cmd, "agent", install.Agents...)
	if err := cmd.MarkFlagDirname("out"); err != nil {
		panic(err)
	}
	return cmd
}

func (f *captureFlags) options() (capture.Options, error) {
	o := capture.Options{Name: f.name, Title: f.title, Created: f.created, Origin: f.origin, Agents: f.agents}
	if f.name == "" {
		return o, usagef("capture needs --name NAME")
	}
	if !pack.ValidName(f.name) {
		return o, usagef("--name: %v", install.CheckSlug(f.name, install.User))
	}
	if err := install.CheckSlug(f.name, install.User); err != nil {
		return o, usagef("--name: %v", err)
	}
	for _, a := range f.agents {
		if err := install.CheckAgent(a); err != nil {
			return o, usagef("--agent: %v", err)
		}
	}
	if o.Title == "" {
		o.Title = titleOf(f.name)
	}
	if o.Created == "" {
		now := time.Now()
		if epoch := os.Getenv("SOURCE_DATE_EPOCH"); epoch != "" {
			n, err := strconv.ParseInt(epoch, 10, 64)
			if err != nil {
				return o, usagef("SOURCE_DATE_EPOCH is no number of seconds")
			}
			now = time.Unix(n, 0).UTC()
		}
		o.Created = now.Format(time.DateOnly)
	}
	if err := o.Check(); err != nil {
		return o, usagef("%v", err)
	}
	return o, nil
}

// captured is what capture found, as it is printed.
type captured struct {
	Version    int                 `json:"version"`
	Name       string              `json:"name"`
	Draft      string              `json:"draft"` // path, with /
	Written    bool                `json:"written"`
	Ambiguous  string              `json:"ambiguousFile,omitempty"` // where Open went
	Notes      int                 `json:"notes"`                   // read
	Counts     map[string]int      `json:"primitiveCounts"`
	DroppedLog int                 `json:"droppedActionLog"`
	Duplicates []capture.Duplicate `json:"duplicates"`
	Rejected   []capture.Problem   `json:"rejected"` // credentials; the message is their kind
	Invalid    []capture.Problem   `json:"invalid"`
	Unread     []capture.Problem   `json:"unread"`
	ByDefault  []capture.Placed    `json:"routedByDefault"`
	Units      []capture.Placed    `json:"units"`
	Open       []capture.Unit      `json:"ambiguous"`
	Lint       lintCounts          `json:"lint"`
	Error      string              `json:"error,omitempty"`
}

type lintCounts struct {
	Errors   int           `json:"errors"`
	Warnings int           `json:"warnings"`
	Infos    int           `json:"infos"`
	Findings []lintFinding `json:"findings"`
}

func runCapture(cmd *cobra.Command, f *captureFlags, args []string) error {
	o, err := f.options()
	if err != nil {
		return err
	}
	out, err := os.OpenRoot(f.out)
	if err != nil {
		return fmt.Errorf("--out %s: %w", fsx.Printable(f.out), err)
	}
	defer out.Close()
	c := captured{
		Version: 1, Name: f.name, Draft: filepath.ToSlash(filepath.Join(f.out, f.name+".draft")),
		Counts: map[string]int{}, Duplicates: []capture.Duplicate{}, Rejected: []capture.Problem{}, Invalid: []capture.Problem{}, Unread: []capture.Problem{},
		ByDefault: []capture.Placed{}, Units: []capture.Placed{}, Open: []capture.Unit{}, Lint: lintCounts{Findings: []lintFinding{}},
	}
	if !f.dryRun {
		for _, name := range []string{f.name + ".draft", ambiguousName(f.name)} {
			if _, err := out.Lstat(name); err == nil {
				return fmt.Errorf("%s exists, move it away or use another --name or --out", fsx.Printable(filepath.Join(f.out, name)))
			} else if !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
	}
	units, sources, err := f.collect(cmd, args, &o, &c)
	if err != nil {
		return err
	}
	err = f.build(out, units, sources, o, &c)
	if f.json {
		if err != nil {
			c.Error = errorText(err)
		}
		if jerr := writeJSON(cmd.OutOrStdout(), c); jerr != nil {
			return jerr
		}
	} else {
		c.print(cmd.OutOrStdout(), cmd.ErrOrStderr())
	}
	return err
}

func ambiguousName(name string) string { return name + ".ambiguous.jsonl" }

// collect reads the notes and the units.
func (f *captureFlags) collect(cmd *cobra.Command, args []string, o *capture.Options, c *captured) (units []capture.Unit, sources []capture.Source, err error) {
	decided := map[string]bool{}
	at := func(u *capture.Unit) string { return fmt.Sprintf("%s:%d", u.Source, u.Line) }
	if f.units != "" {
		r, closeIt, err := openUnits(f.units, cmd.InOrStdin())
		if err != nil {
			return nil, nil, err
		}
		given, srcs, problems := capture.ReadUnits(r, filepath.ToSlash(f.units))
		closeIt()
		c.Invalid = append(c.Invalid, problems...)
		sources = srcs
		for _, u := range given {
			if u.Type == "" {
				c.Open = append(c.Open, u)
				continue
			}
			decided[at(&u)] = true
			if u.Type == dropUnit {
				continue
			}
			units = append(units, u)
			if u.Source != filepath.ToSlash(f.units) && u.Source != "" {
				o.Sources = append(o.Sources, u.Source)
			}
		}
	}
	if len(args) == 0 {
		return units, sources, nil
	}
	notes, problems, err := readNotes(args[0])
	if err != nil {
		return nil, nil, err
	}
	c.Unread = append(c.Unread, problems...)
	if len(notes) == 0 {
		return nil, nil, fmt.Errorf("%s holds no Markdown file that can be read%s", fsx.Printable(args[0]), firstProblem(problems))
	}
	d := capture.Distil(notes)
	c.Notes, c.DroppedLog = len(notes), d.DroppedLog
	c.Duplicates = append(c.Duplicates, d.Duplicates...)
	c.Rejected = append(c.Rejected, d.Rejected...)
	o.Sources = append(o.Sources, d.Files...)
	o.DroppedLog, o.DroppedDuplicate = d.DroppedLog, len(d.Duplicates)
	overruled := maps.Clone(decided)
	open := c.Open
	c.Open = []capture.Unit{}
	for _, u := range d.Ambiguous {
		if !decided[at(&u)] {
			c.Open = append(c.Open, u)
			decided[at(&u)] = true
		}
	}
	for _, u := range open {
		if !decided[at(&u)] {
			c.Open = append(c.Open, u)
		}
	}
	// What somebody decided takes the place of what a rule did.
	own := slices.DeleteFunc(d.Units, func(u capture.Unit) bool { return overruled[at(&u)] })
	return append(own, units...), append(d.Sources, sources...), nil
}

// dropUnit is the type of a line that leaves out what stands at its source and line.
const dropUnit = "drop"

func firstProblem(ps []capture.Problem) string {
	if len(ps) == 0 {
		return ""
	}
	return ": " + oneLine(ps[0].String())
}

func openUnits(name string, stdin io.Reader) (io.Reader, func(), error) {
	if name == "-" {
		return stdin, func() {}, nil
	}
	fi, err := os.Stat(name)
	if err == nil && !fi.Mode().IsRegular() {
		err = &fs.PathError{Op: "open", Path: name, Err: errors.New("not a regular file")}
	}
	if err != nil {
		return nil, nil, err
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	return file, func() { file.Close() }, nil
}

func readNotes(dir string) ([]capture.Note, []capture.Problem, error) {
	fi, err := os.Stat(dir)
	if err == nil && !fi.IsDir() {
		err = &fs.PathError{Op: "open", Path: dir, Err: errors.New("not a folder")}
	}
	if err != nil {
		return nil, nil, err
	}
	fsys, err := diskfs.Open(dir)
	if err != nil {
		return nil, nil, err
	}
	defer fsys.Close()
	return capture.ReadNotes(fsys)
}

// build makes the draft, judges it and writes it.
func (f *captureFlags) build(out *os.Root, units []capture.Unit, sources []capture.Source, o capture.Options, c *captured) error {
	d, err := capture.Build(units, sources, o)
	if err != nil && !errors.Is(err, capture.ErrEmpty) {
		return err
	}
	c.Invalid = append(c.Invalid, d.Invalid...)
	c.Rejected = append(c.Rejected, d.Rejected...)
	c.Duplicates = append(c.Duplicates, d.Duplicates...)
	c.ByDefault = append(c.ByDefault, d.ByDefault...)
	c.Units = append(c.Units, d.Units...)
	c.Counts = d.Counts
	c.withhold()
	if n := len(c.Invalid); n > 0 {
		return fmt.Errorf("nothing was written: %d of the units cannot stand in a pack", n)
	}
	if err == nil {
		c.lint(d.Files)
	}
	if !f.dryRun {
		if werr := f.write(out, d.Files, c); werr != nil {
			return werr
		}
	}
	unread := slices.ContainsFunc(c.Unread, func(p capture.Problem) bool { return !p.Expected })
	switch {
	case err != nil:
		return err
	case len(c.Rejected) > 0:
		return fmt.Errorf("%d credentials were found; the units that hold them are not in the draft", len(c.Rejected))
	case unread:
		return errors.New("not everything could be read, see above")
	case c.Lint.Errors > 0:
		return fmt.Errorf("the draft has %d lint errors (see amp-lint)", c.Lint.Errors)
	}
	return nil
}

// withhold takes units with credentials out of the ambiguous ones: those of a units
// file were not looked at by anyone.
func (c *captured) withhold() {
	c.Open = slices.DeleteFunc(c.Open, func(u capture.Unit) bool {
		kind := u.Credential()
		if kind != "" {
			c.Rejected = append(c.Rejected, capture.Problem{Source: credential.MaskText(u.Source), Line: u.Line, Message: kind})
		}
		return kind != ""
	})
}

func (c *captured) lint(files []capture.File) {
	var list []*pack.File
	for _, f := range files {
		list = append(list, &pack.File{Path: f.Path, Size: int64(len(f.Text)), Text: f.Text})
	}
	p := pack.New(c.Draft, list)
	for _, d := range analysis.NewRunner(rules.All()).All(p) {
		switch d.Severity {
		case analysis.Error:
			c.Lint.Errors++
		case analysis.Warning:
			c.Lint.Warnings++
		case analysis.Info:
			c.Lint.Infos++
		default:
			continue
		}
		c.Lint.Findings = append(c.Lint.Findings, lintFinding{d.Path, lineOf(p, &d), d.Rule.Slug, d.Severity.String(), cleanText(d.Message)})
	}
}

// write puts the draft into place in one step, behind the ambiguous units: a draft
// that is there is whole.
func (f *captureFlags) write(out *os.Root, files []capture.File, c *captured) (err error) {
	if len(c.Open) > 0 {
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		for _, u := range c.Open {
			if err := enc.Encode(u); err != nil {
				return err
			}
		}
		name := ambiguousName(f.name)
		if err := fsx.Swap(out, name, nil, b.Bytes(), 0o644, nil); err != nil {
			return fmt.Errorf("%s: %w", fsx.Printable(filepath.Join(f.out, name)), err)
		}
		c.Ambiguous = filepath.ToSlash(filepath.Join(f.out, name))
	}
	if len(files) == 0 {
		return nil
	}
	target := f.name + ".draft"
	tmp := fsx.TempName(target)
	defer func() {
		if err != nil {
			_ = fsx.RemoveAll(out, tmp)
		}
	}()
	if _, err := fsx.MkdirAll(out, tmp+"/"+pack.MemoryDir, 0o755); err != nil {
		return err
	}
	for _, file := range files {
		if err := fsx.WriteIn(out, tmp+"/"+file.Path, []byte(file.Text), 0o644); err != nil {
			return err
		}
	}
	if _, err := out.Lstat(target); err == nil {
		return fmt.Errorf("%s: %w", fsx.Printable(c.Draft), fs.ErrExist)
	}
	if err := fsx.Rename(out, tmp, target); err != nil {
		return err
	}
	c.Written = true
	return fsx.SyncDir(out, ".")
}

// print writes the report for people. It ends in the lines of Part 5.
func (c *captured) print(w, stderr io.Writer) {
	for _, p := range c.Unread {
		fmt.Fprintf(stderr, "%s\n", shownLine(p.String()))
	}
	for _, p := range c.Invalid {
		fmt.Fprintf(stderr, "%s\n", shownLine(p.String()))
	}
	if c.Notes > 0 {
		fmt.Fprintf(w, "Notes:      %d read\n", c.Notes)
	}
	fmt.Fprintf(w, "Dropped:    %d of narration, %d duplicates\n", c.DroppedLog, len(c.Duplicates))
	for _, d := range c.Duplicates {
		fmt.Fprintf(w, "  %s\n", shownLine(fmt.Sprintf("%s:%d says what %s says", d.Source, d.Line, d.Of)))
	}
	perFile := map[string]map[string]int{}
	for _, u := range c.Units {
		if perFile[u.File] == nil {
			perFile[u.File] = map[string]int{}
		}
		perFile[u.File][u.Type]++
	}
	fmt.Fprintf(w, "Primitives: %d\n", len(c.Units))
	for _, file := range slices.Sorted(maps.Keys(perFile)) {
		var parts []string
		for _, t := range []string{"goal", "claim", "directive", "demonstration"} {
			if n := perFile[file][t]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, t))
			}
		}
		fmt.Fprintf(w, "  memory/%s: %s\n", file, strings.Join(parts, ", "))
	}
	for _, u := range c.ByDefault {
		fmt.Fprintf(w, "No routing rule speaks for %s, it went to %s\n", shownLine(fmt.Sprintf("%s:%d", u.Source, u.Line)), u.File)
	}
	for i, u := range c.Open {
		if i == shownFindings {
			fmt.Fprintf(w, "and %d more ambiguous units\n", len(c.Open)-i)
			break
		}
		between := ""
		if len(u.Between) > 0 {
			between = " (" + strings.Join(u.Between, " or ") + "?)"
		}
		fmt.Fprintf(w, "Ambiguous: %s\n", shownLine(fmt.Sprintf("%s:%d: %s%s: %s", u.Source, u.Line, u.Why, between, clip(u.Content, 100))))
	}
	for i, d := range c.Lint.Findings {
		if i == shownFindings {
			fmt.Fprintf(w, "and %d more findings\n", len(c.Lint.Findings)-i)
			break
		}
		fmt.Fprintf(w, "Lint: %s\n", shownLine(fmt.Sprintf("%s:%d: %s %s: %s", d.Path, d.Line, d.Severity, d.Rule, d.Message)))
	}
	switch {
	case c.Written:
		fmt.Fprintf(w, "Wrote %s\n", fsx.Printable(c.Draft))
	default:
		fmt.Fprintln(w, "No draft was written.")
	}
	if c.Ambiguous != "" {
		fmt.Fprintf(w, "Wrote %s\n", fsx.Printable(c.Ambiguous))
	}
	fmt.Fprintf(w, "PASS: %d primitives valid\nFAIL: %d primitives failed validation\n", len(c.Units), len(c.Rejected)+len(c.Invalid))
	for _, p := range c.Rejected {
		p.Message = "REASON: credential: " + p.Message
		fmt.Fprintf(w, "  - %s\n", shownLine(fmt.Sprintf("%s:%d — %s", p.Source, p.Line, p.Message)))
	}
	for _, p := range c.Invalid {
		fmt.Fprintf(w, "  - %s\n", shownLine(fmt.Sprintf("%s:%d — REASON: %s", p.Source, p.Line, p.Message)))
	}
	fmt.Fprintf(w, "WARN: %d ambiguous units still unresolved — awaiting human review\n", len(c.Open))
}
