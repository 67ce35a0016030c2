package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/fsx"
)

type buffer = bytes.Buffer

// fixAll fixes the targets. done is true when that was all there was to do.
func (j *job) fixAll() (done bool, err error) {
	dry := j.diff || j.check
	var files, fixes int
	for _, t := range j.targets {
		f := batch.Fix(t, j.opt, j.safety, j.allowUnsigned)
		if j.stdin && !dry {
			if err := j.emit(&f); err != nil {
				return true, &exitError{exitInput, err}
			}
		}
		switch {
		case errors.Is(f.Err, batch.ErrSigned):
			j.say(fmt.Sprintf("%s: not fixed: %v (--allow-unsigned-change fixes it all the same)", t.Display, f.Err))
			continue
		case errors.Is(f.Err, analysis.ErrNoFixpoint):
			j.say(fmt.Sprintf("%s: not fixed: %v; please report this", t.Display, f.Err))
			continue
		case f.Err != nil:
			if dry {
				j.errs = append(j.errs, batch.PathError{Path: t.Display, Err: f.Err})
			}
			continue // linting says it again
		}
		for _, r := range f.Summary.Refused {
			j.note(j.w, "%s:%d: fix of %s left out: %s", path.Join(t.Display, r.Path), r.Line+1, r.Rule.Slug, r.Reason)
		}
		if len(f.Summary.Changed) == 0 {
			continue
		}
		switch {
		case j.diff:
			if err := j.patch(&f); err != nil {
				return true, &exitError{exitInput, err}
			}
		case j.check:
			for _, name := range f.Summary.Changed {
				_ = j.w.printf("would fix %s\n", fsx.Printable(path.Join(t.Display, name)))
			}
		case j.stdin:
		default:
			var errs []batch.PathError
			if err := uninterrupted(func() { errs = f.Write() }); err != nil {
				return true, err
			}
			j.errs = append(j.errs, errs...)
			if len(errs) > 0 {
				continue
			}
		}
		files += len(f.Summary.Changed)
		fixes += len(f.Summary.Applied)
	}
	if dry {
		return true, j.dryVerdict(files, fixes)
	}
	j.fixed = fixes
	if fixes > 0 {
		j.note(j.w, "applied %s in %s", count(fixes, "fix", "fixes"), count(files, "file", "files"))
	}
	return false, nil
}

// emit writes the text from standard input as it is now, fixed or not, and has it
// judged from here on.
func (j *job) emit(f *batch.Fixed) error {
	text := j.opt.Overlays[f.Dir]
	name := f.Only[0]
	if f.Err == nil && f.After != nil {
		if file := f.After.File(name); file != nil {
			text[name] = file.Text
		}
	}
	_, err := io.WriteString(j.w.out, text[name])
	return err
}

func (j *job) dryVerdict(files, fixes int) error {
	for _, e := range j.errs {
		j.say(e.Error())
	}
	if files > 0 {
		j.note(j.w, "%s in %s", count(fixes, "fix", "fixes"), count(files, "file", "files"))
	}
	switch {
	case len(j.errs) > 0:
		return &exitError{code: exitInput}
	case files > 0 && !j.exitZero:
		return &exitError{code: exitFindings}
	}
	return nil
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// relative makes an absolute path relative to the working folder, as patches are.
func relative(p string) string {
	native := filepath.FromSlash(p)
	if !filepath.IsAbs(native) {
		return p
	}
	rel, err := filepath.Rel(workingDir(), native)
	if err != nil || !filepath.IsLocal(rel) {
		return strings.TrimPrefix(p, "/")
	}
	return filepath.ToSlash(rel)
}

// gitName quotes a path as git does where it has characters that would end it.
func gitName(p string) string {
	if !strings.ContainsFunc(p, func(c rune) bool { return c < ' ' || c == '"' || c == '\\' || c == 0x7f }) {
		if strings.Contains(p, " ") {
			return p + "\t" // the tab tells where the name ends
		}
		return p
	}
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(p) {
		switch {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
