package batch

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// ErrSigned is why a signed pack is not fixed: its signature would no longer hold.
var ErrSigned = errors.New("the pack is signed, and a change would break its signature")

// A Fixed is what fixing did to one target.
type Fixed struct {
	Target
	Before, After *pack.Pack // nil when the target could not be loaded
	Summary       analysis.FixSummary
	Err           error // ErrSigned, analysis.ErrNoFixpoint, or why it could not be loaded

	count func(*pack.Pack) tally // judges a pack on its way from Before to After
}

// Fix applies the fixes of findings up to a safety, in memory. Packs that are
// signed are left alone unless signed is true.
func Fix(t Target, opt Options, want analysis.Safety, signed bool) Fixed {
	out := Fixed{Target: t}
	p, closer, err := load(t, opt)
	if err != nil {
		out.Err = cause(err)
		return out
	}
	defer closer()
	prefix := ""
	if t.Loose {
		// Only in its place in a pack is a file judged by all rules for it.
		f := *p.Files[0]
		prefix = pack.MemoryDir + "/"
		f.Path = prefix + f.Path
		p = &pack.Pack{Root: p.Root, Files: []*pack.File{&f}}
	}
	filter := func(p *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
		if opt.Filter != nil && !t.Loose {
			ds = opt.Filter(&t)(p, ds)
		}
		if opt.Confined {
			for i := range ds {
				ds[i].Fixes = slices.DeleteFunc(slices.Clone(ds[i].Fixes), func(f analysis.Fix) bool {
					return slices.ContainsFunc(f.Edits, func(e analysis.FileEdit) bool { return !slices.Contains(t.Only, strings.TrimPrefix(e.Path, prefix)) })
				})
			}
		}
		return slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool {
			return d.Severity == analysis.Hint || t.Loose && d.Path != p.Files[0].Path ||
				!t.Loose && t.Only != nil && !slices.Contains(t.Only, d.Path)
		})
	}
	out.Before, out.After = p, p
	if !t.Loose {
		out.count = func(p *pack.Pack) tally { return tallyOf(filter(p, opt.Runner.All(p))) }
	}
	next, sum, err := opt.Runner.FixAll(p, want, filter)
	out.Summary = sum
	switch {
	case err != nil:
		out.Err = err
		return out
	case len(sum.Changed) == 0:
		return out
	case p.Manifest.Signed() && !signed:
		out.Err = ErrSigned
		return out
	}
	out.After = next
	if t.Loose {
		out.Before, out.After = strip(out.Before, prefix), strip(out.After, prefix)
		for i := range out.Summary.Changed {
			out.Summary.Changed[i] = out.Summary.Changed[i][len(prefix):]
		}
	}
	return out
}

func strip(p *pack.Pack, prefix string) *pack.Pack {
	f := *p.Files[0]
	f.Path = f.Path[len(prefix):]
	return &pack.Pack{Root: p.Root, Files: []*pack.File{&f}}
}

// Write writes the changed files, keeping their permissions: all of them or, when
// one changed since it was read or can't be written, none.
//
// Several files can't be replaced in one step. Their new contents are written and
// synced beside them first, so that nothing but renames is left, and these come in
// an order in which the pack has at no point more findings than before, as far as
// there is one: whoever is killed in between leaves no pack that is worse.
func (f *Fixed) Write() []PathError {
	if f.After == f.Before {
		return nil
	}
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return []PathError{{f.Display, cause(err)}}
	}
	defer root.Close()
	var steps []*step
	defer func() {
		for _, s := range steps {
			s.close()
		}
	}()
	for _, name := range f.order() {
		s, err := stage(root, f.Before.File(name), f.After.File(name))
		if err != nil {
			return f.notWritten(name, err)
		}
		steps = append(steps, s)
	}
	for _, s := range steps {
		if err := s.unchanged(); err != nil {
			return f.notWritten(s.path, err)
		}
	}
	for i, s := range steps {
		if err := s.commit(); err != nil {
			errs := f.notWritten(s.path, err)
			for _, done := range steps[:i] {
				if err := done.undo(); err != nil {
					errs = append(errs, PathError{path.Join(f.Display, done.path), fmt.Errorf("written, and not taken back: %w", err)})
				}
			}
			return errs
		}
	}
	return nil
}

func (f *Fixed) notWritten(name string, err error) []PathError {
	return []PathError{{path.Join(f.Display, name), fmt.Errorf("not written: %w", err)}}
}

// A step replaces one file.
type step struct {
	path   string
	dir    *os.Root
	before *pack.File // nil when the file is new
	staged *fsx.Staged
}

func stage(root *os.Root, before, after *pack.File) (*step, error) {
	dir, err := fsx.OpenDir(root, path.Dir(after.Path))
	if err != nil {
		return nil, err
	}
	s := &step{path: after.Path, dir: dir, before: before}
	if err := s.unchanged(); err != nil {
		s.close()
		return nil, err
	}
	if s.staged, err = fsx.Stage(dir, path.Base(after.Path), []byte(after.Text), 0o644); err != nil {
		s.close()
		return nil, err
	}
	return s, nil
}

// unchanged is an error when the file is not the one that was fixed.
func (s *step) unchanged() error {
	name := path.Base(s.path)
	if s.before == nil {
		if _, err := s.dir.Lstat(name); err == nil {
			return errors.New("the file appeared meanwhile")
		}
		return nil
	}
	now, err := fsx.ReadFile(s.dir, name, pack.MaxFile)
	switch {
	case err != nil:
		return err
	case string(now) != s.before.Text:
		return errors.New("the file changed meanwhile")
	}
	return nil
}

func (s *step) commit() error {
	staged := s.staged
	s.staged = nil
	return staged.Commit()
}

func (s *step) undo() error {
	if s.before == nil {
		return fsx.Remove(s.dir, path.Base(s.path))
	}
	return fsx.WriteIn(s.dir, path.Base(s.path), []byte(s.before.Text), 0o644)
}

func (s *step) close() {
	s.staged.Discard()
	s.dir.Close()
}

// maxTries bounds how often a pack is judged to find an order for its files.
const maxTries = 40

// order is the changed files in the order in which they are written: each time the
// first that leaves no more errors and warnings than there were, in a row that
// has the manifest, which speaks of the others, at its end.
func (f *Fixed) order() []string {
	left := slices.Clone(f.Summary.Changed)
	slices.SortStableFunc(left, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	if len(left) < 2 || f.count == nil {
		return left
	}
	limit := f.count(f.Before)
	var out []string
	for tries := 0; len(left) > 0; {
		pick, least := 0, -1
		for i, name := range left {
			if tries++; tries > maxTries || len(left) == 1 {
				break
			}
			n := f.count(f.between(append(slices.Clone(out), name)))
			over := max(n.errors-limit.errors, n.findings-limit.findings, 0)
			if least < 0 || over < least {
				pick, least = i, over
			}
			if over == 0 {
				break
			}
		}
		out = append(out, left[pick])
		left = slices.Delete(left, pick, pick+1)
	}
	return out
}

func rank(name string) int {
	switch name {
	case pack.ManifestName:
		return 2
	case pack.AgentsName:
		return 1
	}
	return 0
}

// between is the pack with some of the changed files written.
func (f *Fixed) between(written []string) *pack.Pack {
	files := slices.Clone(f.Before.Files)
	for _, name := range written {
		i := slices.IndexFunc(files, func(o *pack.File) bool { return o.Path == name })
		if i < 0 {
			files = append(files, f.After.File(name))
		} else {
			files[i] = f.After.File(name)
		}
	}
	p := pack.New(f.Before.Root, files)
	p.Signature = f.Before.Signature
	return p
}

// A tally is what must not grow.
type tally struct{ errors, findings int }

func tallyOf(ds []analysis.Diagnostic) (t tally) {
	for i := range ds {
		if ds[i].Severity >= analysis.Warning {
			t.findings++
		}
		if ds[i].Severity == analysis.Error {
			t.errors++
		}
	}
	return t
}

// Files are the files of a target that are judged, relative to its pack, sorted.
func Files(t Target, opt Options) ([]string, error) {
	p, closer, err := load(t, opt)
	if err != nil {
		return nil, cause(err)
	}
	defer closer()
	var out []string
	for _, f := range p.Files {
		if f.Regular() && (t.Only == nil || slices.Contains(t.Only, f.Path)) {
			out = append(out, f.Path)
		}
	}
	slices.Sort(out)
	return out, nil
}
