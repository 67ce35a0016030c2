package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// A sideBySide gathers packs that an agent loads together, to find what is spread
// over them: those installed in one .amp folder, and with --gate all that were
// named.
type sideBySide struct {
	j      *job
	all    bool              // all that were named are one group
	groups map[string]*group // by the .amp folder, "" for all that were named
}

// maxNamed is how many named packs are taken for those of one agent. More are a
// registry or an archive, where putting strangers together finds only noise.
const maxNamed = 64

type group struct {
	size    int
	amp     []string // the .amp folders in it
	results []*batch.Result
}

// sides finds the groups of more than one pack.
func (j *job) sides() *sideBySide {
	s := &sideBySide{j, j.gate && len(j.targets) <= maxNamed, map[string]*group{}}
	if j.gate && !s.all {
		j.note(j.w, "%d packs are more than %d, so only those of one .amp folder are put together", len(j.targets), maxNamed)
	}
	for _, t := range j.targets {
		key, ok := s.key(&t)
		if !ok {
			continue
		}
		g := s.groups[key]
		if g == nil {
			g = &group{}
			s.groups[key] = g
		}
		g.size++
		if amp := ampFolder(t.Dir); amp != "" && !slices.Contains(g.amp, amp) {
			g.amp = append(g.amp, amp)
		}
	}
	for key, g := range s.groups {
		if g.size < 2 && g.amp == nil {
			delete(s.groups, key)
		}
	}
	return s
}

func (s *sideBySide) key(t *batch.Target) (string, bool) {
	switch {
	case t.Loose || s.j.specOnly:
		return "", false
	case s.all:
		return "", true
	}
	amp := ampFolder(t.Dir)
	return amp, amp != ""
}

// ampFolder is the absolute .amp folder that a pack is installed in, "" for none.
func ampFolder(dir string) string {
	abs, err := filepath.Abs(dir)
	if err != nil || filepath.Base(filepath.Dir(abs)) != ".amp" {
		return ""
	}
	return filepath.Dir(abs)
}

func (s *sideBySide) any() bool { return len(s.groups) > 0 }

// add keeps a result whose pack is judged with others.
func (s *sideBySide) add(res *batch.Result) {
	if !s.any() {
		return
	}
	key, ok := s.key(&res.Target)
	if g := s.groups[key]; ok && g != nil && res.Pack != nil {
		kept := *res
		kept.Diags = nil
		g.results = append(g.results, &kept)
	}
}

// report adds what lies across packs.
func (s *sideBySide) report(r *report.Report) {
	for _, key := range sortedGroups(s.groups) {
		s.group(r, s.groups[key])
	}
	if s.any() {
		r.Sort()
	}
}

func sortedGroups(m map[string]*group) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

func (s *sideBySide) group(r *report.Report, g *group) {
	by := map[string]*batch.Result{}
	var members []units.Member
	for _, res := range g.results {
		by[res.Display] = res
		members = append(members, units.Member{Name: res.Display, Pack: res.Pack})
	}
	for _, amp := range g.amp {
		w := install.Where{Dir: filepath.Dir(amp)}
		if home, err := os.UserHomeDir(); err == nil && home == w.Dir {
			w = install.Where{Home: home}
		}
		_, blocks, err := install.Beside(w, "")
		if err != nil {
			r.Errors = append(r.Errors, batch.PathError{Path: batch.Display(amp), Err: batch.Cause(err)})
			continue
		}
		for _, b := range blocks {
			name, res := s.rulesFile(amp, &b)
			by[name] = res
			members = append(members, units.Member{Name: name, Texts: []units.Text{{File: res.Pack.Files[0].Path, Offset: b.Start, Text: b.Text}}})
		}
	}
	for _, f := range units.Across(members) {
		s.finding(r, by, &f)
	}
}

// rulesFile stands for a rules file with a managed block.
func (s *sideBySide) rulesFile(amp string, b *install.Block) (string, *batch.Result) {
	dir := filepath.Dir(amp)
	shown := batch.Display(dir)
	for _, t := range s.j.targets { // as the packs beside it were reached
		if ampFolder(t.Dir) == amp {
			shown = batch.Display(filepath.Join(t.Dir, "..", ".."))
		}
	}
	rel, err := filepath.Rel(dir, b.File)
	if real, e := filepath.EvalSymlinks(dir); e == nil && (err != nil || strings.HasPrefix(rel, "..")) {
		rel, _ = filepath.Rel(real, b.File)
	}
	f := &pack.File{Path: filepath.ToSlash(rel), Text: b.Whole, Size: int64(len(b.Whole))}
	return shown + "/" + f.Path + "#" + b.Slug, &batch.Result{Target: batch.Target{Dir: dir, Display: shown}, Pack: &pack.Pack{Root: shown, Files: []*pack.File{f}}}
}

// finding weighs one finding as the configuration of its pack says, and adds it.
func (s *sideBySide) finding(r *report.Report, by map[string]*batch.Result, f *poison.Finding) {
	at := func(p *poison.Place) report.AcrossPlace {
		return report.AcrossPlace{Result: by[p.Pack], Path: p.File, Span: text.Span{Start: p.Start, End: p.End}, Message: p.Message}
	}
	a := report.Across{Rule: s.j.reg.Rule(f.Rule), Severity: rules.SeverityOf(f.Severity), Place: at(&f.Place)}
	packs := map[string]bool{f.Pack: true}
	for i := range f.Related {
		a.Related = append(a.Related, at(&f.Related[i]))
		packs[f.Related[i].Pack] = true
	}
	a.Place.Message += fmt.Sprintf(" (put together over %d packs)", len(packs))
	level := analysis.Error
	if res := a.Place.Result; res.Stats != nil {
		d := analysis.Diagnostic{Rule: a.Rule, Severity: a.Severity, Path: f.File, Span: a.Place.Span, Message: a.Place.Message}
		kept := s.j.filter(&res.Target)(res.Pack, []analysis.Diagnostic{d})
		if len(kept) == 0 {
			return
		}
		a.Severity = kept[0].Severity
		p := s.j.policies[res.Dir]
		level = s.j.failLevel(p.ConfigOf(p.Dir))
	}
	if a.Severity >= level {
		s.j.failed++
	}
	r.AddAcross(&a)
}
