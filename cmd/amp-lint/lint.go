package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/baseline"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/policy"
	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/pack"
)

func lint(cmd *cobra.Command, opt options, args []string, w streams) error {
	s, err := opt.validate(cmd, rules.All())
	if err != nil {
		return err
	}
	if s.watch {
		return s.watchPaths(cmd.Context(), args, w)
	}
	return s.once(args, w)
}

// once is one run: find, judge, report.
func (s *settings) once(args []string, w streams) error {
	j := &job{settings: s, w: w, policies: map[string]*policy.Policy{}, bases: map[string]*baseline.Baseline{}, warnings: map[string]int{}}
	if err := j.find(args); err != nil {
		return err
	}
	if err := j.spare(); err != nil {
		return err
	}
	confErr := j.configure()
	if confErr == nil && j.caps {
		return j.capabilities()
	}
	if confErr == nil && j.showFiles {
		return j.listFiles()
	}
	if confErr == nil && j.fixing {
		if done, err := j.fixAll(); done || err != nil {
			return err
		}
	}
	r := report.New(nil, j.errs)
	r.Rules = s.reg.Rules
	if confErr == nil {
		j.judge(r)
	} else {
		r.Errors = append(r.Errors, asPathErrors(confErr)...)
	}
	if s.updateBase && confErr == nil {
		return j.updateBaselines(r)
	}
	verdict := j.verdict(r, confErr)
	if err := j.write(r, verdict); err != nil {
		return &exitError{exitInput, err}
	}
	if verdict != exitClean {
		return &exitError{code: verdict}
	}
	return nil
}

// A job is what one run knows.
type job struct {
	*settings
	w        streams
	targets  []batch.Target
	errs     []batch.PathError
	opt      batch.Options
	policies map[string]*policy.Policy // by Dir of a target
	bases    map[string]*baseline.Baseline
	enabled  []string       // rules that are off by default
	failed   int            // findings at or above the fail level
	warnings map[string]int // by configuration file
	fixed    int            // fixes that were written
	stdin    bool           // the one target is a text from standard input
}

// configure finds the configuration of every target, and makes the runner with
// the rules that one of them asks for.
func (j *job) configure() error {
	finder := config.NewFinder(j.reg)
	var fixed *config.Config
	if j.config != "" {
		c, err := config.Load(j.config, j.reg)
		if err != nil {
			return err
		}
		fixed = c
	}
	var errs config.Errors
	enable := slices.Clone(j.only)
	for slug, l := range j.levels {
		if l != config.LevelOff {
			enable = append(enable, slug)
		}
	}
	kept := j.targets[:0]
	abs := fsx.Absolute()
	for _, t := range j.targets {
		dir, err := abs(t.Dir)
		if err != nil && j.stdin {
			dir, err = string(filepath.Separator)+t.Dir, nil // the text needs no folder
		}
		if err != nil {
			return fmt.Errorf("the working folder is not there: %w", err)
		}
		p := &policy.Policy{Registry: j.reg, Dir: dir}
		switch {
		case j.noConfig:
		case fixed != nil:
			p.Config = func(string) *config.Config { return fixed }
		default:
			var err error
			p, err = policy.Load(finder, j.reg, dir)
			var es config.Errors
			if errors.As(err, &es) {
				errs = append(errs, es...)
			}
		}
		p.NoInline, p.Override = j.noInline, j.override
		p.Asked = func(rule string) bool { return slices.Contains(j.only, rule) }
		c := p.ConfigOf(dir)
		if ignored, _ := c.Ignored(dir); ignored {
			continue
		}
		enable = append(enable, c.Enabled(j.reg)...)
		enable = append(enable, p.ConfigOf(filepath.Join(dir, pack.MemoryDir)).Enabled(j.reg)...)
		if err := j.openBaseline(c); err != nil {
			return usage("%v", err)
		}
		j.policies[t.Dir] = p
		kept = append(kept, t)
	}
	if len(errs) > 0 {
		return distinct(errs)
	}
	if n := len(j.targets) - len(kept); n > 0 {
		if len(kept) == 0 && len(j.errs) == 0 && !j.hook {
			return usage("the configuration ignores everything that was named: nothing was checked")
		}
		j.note(j.w, "%d ignored by configuration", n)
	}
	j.targets = kept
	slices.Sort(enable)
	j.enabled = slices.Compact(enable)
	j.opt.Runner = analysis.NewRunner(j.reg, j.enabled...)
	if j.specOnly {
		j.opt.Runner = analysis.NewSpecRunner(j.reg, j.enabled...)
	}
	j.opt.Filter = j.filter
	j.opt.Signature = signatureState
	return nil
}

func distinct(es config.Errors) config.Errors {
	var out config.Errors
	for _, e := range es {
		if !slices.ContainsFunc(out, func(o *config.Error) bool { return *o == *e }) {
			out = append(out, e)
		}
	}
	return out
}

func asPathErrors(err error) []batch.PathError {
	var es config.Errors
	if !errors.As(err, &es) {
		return []batch.PathError{{Err: err}}
	}
	var out []batch.PathError
	for _, e := range es {
		out = append(out, batch.PathError{Path: e.Where(), Err: errors.New(e.Msg)})
	}
	return out
}

func (j *job) openBaseline(c *config.Config) error {
	path := j.baselinePath(c)
	if path == "" || j.bases[path] != nil {
		return nil
	}
	if j.updateBase {
		j.bases[path] = baseline.New(path)
		return nil
	}
	b, err := baseline.Load(path)
	j.bases[path] = b
	return err
}

func (j *job) baselinePath(c *config.Config) string {
	if j.options.baseline != "" {
		if abs, err := filepath.Abs(j.options.baseline); err == nil {
			return abs
		}
	}
	if c == nil {
		return ""
	}
	return c.Baseline.Value
}

// filter weighs the findings of a target.
func (j *job) filter(t *batch.Target) analysis.Filter {
	p := j.policies[t.Dir]
	b := j.bases[j.baselinePath(p.ConfigOf(p.Dir))]
	return func(pk *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
		ds = p.Apply(pk, ds)
		for i := range ds {
			if j.strict && ds[i].Rule.Slug == config.CredentialRule && ds[i].Severity == analysis.Warning {
				ds[i].Severity = analysis.Error // R-i: a pattern of the specification inside a word
			}
		}
		if b != nil && !j.fixing {
			ds = b.Filter(p.Dir, pk, ds)
		}
		return ds
	}
}

func (j *job) judge(r *report.Report) {
	bar := newProgress(j.w, len(j.targets), j.quiet)
	opt := j.opt
	audit, side := j.audits(), j.sides()
	if !audit && !side.any() { // a remembered result has no files to show
		if c := j.openCache(); c != nil {
			opt.Cache = c
			defer closeCache(c)
		}
	}
	opt.Each = func(res *batch.Result) {
		p := j.policies[res.Dir]
		r.FailFrom = j.failLevel(p.ConfigOf(p.Dir))
		j.weigh(res)
		r.Add(res)
		side.add(res)
		if audit && res.Pack != nil {
			r.Audits = append(r.Audits, j.audit(res))
		}
		bar.step()
	}
	batch.Lint(j.targets, opt)
	bar.done()
	side.report(r)
	r.Sort()
}

// weigh counts what makes the run fail, each finding by its own configuration.
func (j *job) weigh(res *batch.Result) {
	p := j.policies[res.Dir]
	c := p.ConfigOf(p.Dir)
	level := j.failLevel(c)
	for i := range res.Diags {
		d := &res.Diags[i]
		if d.Severity >= level {
			j.failed++
		}
		if d.Severity == analysis.Warning {
			j.warnings[limitKey(c)]++
		}
	}
	if limit := j.warningLimit(c); limit >= 0 && j.warnings[limitKey(c)] > limit {
		j.failed++
	}
}

func limitKey(c *config.Config) string {
	if c == nil {
		return ""
	}
	return c.Path
}

func (j *job) warningLimit(c *config.Config) int {
	if j.maxWarnings >= 0 || c == nil {
		return j.maxWarnings
	}
	return c.MaxWarnings.Value
}

func (j *job) failLevel(c *config.Config) analysis.Severity {
	name := j.failOn
	switch {
	case name == "" && j.strict:
		name = "warning"
	case name == "" && c != nil:
		name = c.FailOn.Value
	}
	switch name {
	case "never":
		return analysis.Error + 1
	case "info":
		return analysis.Info
	case "warning":
		return analysis.Warning
	}
	return analysis.Error
}

func (j *job) verdict(r *report.Report, confErr error) int {
	switch {
	case confErr != nil:
		return exitUsage
	case len(r.Errors) > 0:
		return exitInput
	case (j.failed > 0 || j.fixed > 0 && j.failOnFix) && !j.exitZero:
		return exitFindings
	}
	return exitClean
}

// write writes the report to standard output and wherever else it was asked for.
func (j *job) write(r *report.Report, exit int) error {
	o := report.Options{Version: internal.Version, Exit: exit}
	j.stale()
	return errors.Join(j.writeMain(r, o), j.writeOutputs(r, o))
}

func (j *job) writeMain(r *report.Report, o report.Options) error {
	w := j.w.out
	if j.stdin && (j.fix || j.fixSuggested) {
		w = j.w.err // standard output has the text
	}
	if j.stats {
		return report.Statistics(w, r, j.format == "json")
	}
	if !machine[j.format] {
		for i := range r.Errors {
			j.say(r.Errors[i].Error())
		}
	}
	o.Text = report.TextOptions{Color: color(w), Quiet: j.quiet}
	return report.Write(w, j.format, r, o)
}

// machine are the formats that have a place for errors of their own.
var machine = map[string]bool{"json": true, "jsonl": true, "sarif": true, "github": true, "azure": true, "junit": true, "checkstyle": true}

func (j *job) say(msg string) { say(j.w.err, msg) }

func (j *job) dirs() []string {
	var out []string
	for _, p := range j.policies {
		out = append(out, p.Dir)
	}
	return out
}

// stale reports baseline entries that no finding came up for. Only whole packs
// tell: a file that was named alone leaves the others out.
func (j *job) stale() {
	if slices.ContainsFunc(j.targets, func(t batch.Target) bool { return t.Only != nil }) {
		return
	}
	for path, b := range j.bases {
		if b == nil || j.updateBase {
			continue
		}
		if es := b.Stale(j.dirs()); len(es) > 0 {
			j.note(j.w, "%s: %d stale, the first for %s in %s; --baseline-update removes them", batch.Display(path), len(es), es[0].Rule, es[0].Path)
		}
	}
}

func (j *job) updateBaselines(r *report.Report) error {
	if len(j.bases) == 0 {
		return usage("--baseline-update needs --baseline FILE, or `baseline` in the configuration")
	}
	for _, e := range r.Errors {
		j.say(e.Error())
	}
	if len(r.Errors) > 0 {
		return &exitError{code: exitInput}
	}
	for path, b := range j.bases {
		added, removed, err := b.Update(j.dirs())
		var unreadable *baseline.UnreadableError
		switch {
		case errors.As(err, &unreadable):
			return &exitError{exitUsage, err}
		case err != nil:
			return &exitError{exitInput, pathError(path, err)}
		}
		j.note(j.w, "%s: %d added, %d removed", batch.Display(path), added, removed)
	}
	held := 0
	for i := range r.Findings {
		if slices.Contains(baseline.Excluded, r.Findings[i].Rule.Slug) {
			held++
		}
	}
	if held > 0 {
		j.note(j.w, "%d findings are of rules that no baseline holds (credential, unused-suppression)", held)
	}
	return nil
}

// listFiles lists what would be judged.
func (j *job) listFiles() error {
	var all []string
	for _, t := range j.targets {
		files, err := batch.Files(t, j.opt)
		if err != nil {
			j.errs = append(j.errs, batch.PathError{Path: t.Display, Err: err})
			continue
		}
		p := j.policies[t.Dir]
		for _, f := range files {
			abs := filepath.Join(p.Dir, filepath.FromSlash(f))
			if ignored, _ := p.ConfigOf(filepath.Dir(abs)).Ignored(abs); !ignored {
				all = append(all, batch.Display(filepath.Join(t.Dir, filepath.FromSlash(f))))
			}
		}
	}
	slices.Sort(all)
	for _, f := range slices.Compact(all) {
		if err := j.w.printf("%s\n", fsx.Printable(f)); err != nil {
			return &exitError{exitInput, err}
		}
	}
	for i := range j.errs {
		j.say(j.errs[i].Error())
	}
	if len(j.errs) > 0 {
		return &exitError{code: exitInput}
	}
	return nil
}

func pathError(path string, err error) error {
	e := batch.PathError{Path: batch.Display(path), Err: batch.Cause(err)}
	return &e
}

func workingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return "."
	}
	return dir
}
