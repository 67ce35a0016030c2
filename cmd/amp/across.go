package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// across judges the pack together with what the agent loads besides it: a payload
// may be spread over packs that are harmless one by one. What the others hold
// among themselves was there before and is not this pack's doing.
func (sum *lintSummary) across(w install.Where) error {
	p := sum.pack
	if p == nil {
		return nil
	}
	folders, blocks, err := install.Beside(w, p.Name())
	if err != nil {
		return err
	}
	here := p.Root
	members := []units.Member{{Name: here, Pack: p}}
	texts := map[string]string{} // by name and path, for lines
	add := func(name string, p *pack.Pack) {
		for _, f := range p.Files {
			texts[name+"\x00"+f.Path] = f.Text
		}
	}
	add(here, p)
	for _, dir := range folders {
		if sameFolder(dir, here) {
			continue
		}
		name := shortPath(w.Dir, dir)
		fsys, err := diskfs.Open(dir)
		if err != nil {
			sum.unread(name, "an installed pack that cannot be read and so was not put together with this one: "+batch.Cause(err).Error())
			continue
		}
		other, err := pack.Load(fsys, name)
		fsys.Close()
		if err != nil {
			sum.unread(name, "an installed pack that cannot be read and so was not put together with this one: "+err.Error())
			continue
		}
		members = append(members, units.Member{Name: name, Pack: other})
		add(name, other)
	}
	for _, b := range blocks {
		file := shortPath(w.Dir, b.File)
		members = append(members, units.Member{Name: file + "#" + b.Slug, Texts: []units.Text{{File: file, Offset: b.Start, Text: b.Text}}})
		texts[file+"#"+b.Slug+"\x00"+file] = b.Whole
	}
	line := func(pl poison.Place) string {
		src := texts[pl.Pack+"\x00"+pl.File]
		name := pl.File
		if pl.Pack != here && !strings.HasPrefix(pl.Pack, pl.File+"#") {
			name = pl.Pack + "/" + pl.File
		}
		return fmt.Sprintf("%s:%d", fsx.Printable(name), 1+text.CountBreaks(src[:min(max(pl.Start, 0), len(src))]))
	}
	for _, f := range units.Across(members) {
		ours := f.Pack == here
		var rest []string
		for _, r := range f.Related {
			ours = ours || r.Pack == here
			rest = append(rest, fmt.Sprintf("%s (%s)", line(r), oneLine(r.Message)))
		}
		if !ours || f.Severity < poison.Warning {
			continue
		}
		at := line(f.Place)
		msg := oneLine(f.Message) + "; with " + strings.Join(rest, ", ")
		shown := fmt.Sprintf("%s: %s %s: %s", at, f.Severity, f.Rule, msg)
		if f.Severity == poison.Error {
			sum.Errors++
			sum.Blocking = append(sum.Blocking, shown)
			continue
		}
		sum.Warnings++
		sum.First = append(sum.First, shown)
	}
	return nil
}

func sameFolder(a, b string) bool {
	ra, err := filepath.EvalSymlinks(a)
	if err != nil {
		return false
	}
	rb, err := filepath.EvalSymlinks(b)
	if err != nil {
		return false
	}
	rb, err = filepath.Abs(rb)
	return err == nil && ra == rb
}

// shortPath shows a path below the project relative to it.
func shortPath(dir, name string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if rel, err := filepath.Rel(dir, name); err == nil && !strings.HasPrefix(rel, "..") {
		return filepath.ToSlash(rel)
	}
	return filepath.ToSlash(name)
}
