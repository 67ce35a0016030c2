package report

import (
	"errors"
	"slices"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/pack"
)

// masked is a report whose names and texts hold no credential, whatever format
// writes them: somebody may have put one into the name of a file, a folder or a
// pack, and a message may quote a piece of one. A fix that would have to show one is
// left out: masked it would not apply.
func masked(r *Report) *Report {
	out := *r
	var known credential.Values
	src := sources{}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.File != nil {
			src.learn(f.File, &known)
		}
	}
	done := map[string]string{} // most are the same path
	m := func(s string) string {
		t, ok := done[s]
		if !ok {
			t = known.Mask(s)
			done[s] = t
		}
		return t
	}
	place := func(p *Place) { p.Path, p.Message = m(p.Path), m(p.Message) }
	out.Packs = slices.Clone(r.Packs)
	for i := range out.Packs {
		p := &out.Packs[i]
		p.Root, p.Name, p.Format = m(p.Root), m(p.Name), m(p.Format)
	}
	out.Audits = slices.Clone(r.Audits)
	for i := range out.Audits { // the summary of what is asked for was masked by its maker
		a := &out.Audits[i]
		a.Root, a.Title, a.Signer.Message = m(a.Root), m(a.Title), m(a.Signer.Message)
	}
	out.Errors = slices.Clone(r.Errors)
	for i := range out.Errors {
		e := &out.Errors[i]
		*e = batch.PathError{Path: m(e.Path), Err: errors.New(m(e.Err.Error()))}
	}
	out.Findings = slices.Clone(r.Findings)
	for i := range out.Findings {
		f := &out.Findings[i]
		place(&f.Place)
		f.Pack, f.Root, f.Rel, f.Unit = m(f.Pack), m(f.Root), m(f.Rel), m(f.Unit)
		f.Related = slices.Clone(f.Related)
		for k := range f.Related {
			place(&f.Related[k])
		}
		f.Fixes = slices.DeleteFunc(slices.Clone(f.Fixes), func(fix Fix) bool {
			return slices.ContainsFunc(fix.Edits, func(e Edit) bool { return m(e.Path) != e.Path || m(e.New) != e.New })
		})
		for k := range f.Fixes {
			f.Fixes[k].Title = m(f.Fixes[k].Title)
		}
	}
	return &out
}

// learn remembers the values of a file, once.
func (s sources) learn(f *pack.File, known *credential.Values) {
	if _, done := s[f]; done {
		return
	}
	s[f] = ""
	if f.Text == "" && f.Tree != nil {
		known.Add(f.Tree.String())
		return
	}
	known.Add(f.Text)
}
