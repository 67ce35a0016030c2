package batch

import (
	"errors"
	"fmt"
	"os"
	"path"
	"slices"

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
		return slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool {
			return d.Severity == analysis.Hint || t.Loose && d.Path != p.Files[0].Path ||
				!t.Loose && t.Only != nil && !slices.Contains(t.Only, d.Path)
		})
	}
	out.Before, out.After = p, p
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

// Write writes the changed files, each in one step, keeping their permissions.
// A file that changed since it was read is not touched and gives an error.
func (f *Fixed) Write() []PathError {
	if f.After == f.Before {
		return nil
	}
	root, err := os.OpenRoot(f.Dir)
	if err != nil {
		return []PathError{{f.Display, cause(err)}}
	}
	defer root.Close()
	var errs []PathError
	for _, name := range f.Summary.Changed {
		if err := writeFile(root, f.Before.File(name), f.After.File(name)); err != nil {
			errs = append(errs, PathError{path.Join(f.Display, name), err})
		}
	}
	return errs
}

func writeFile(root *os.Root, before, after *pack.File) error {
	dir, err := fsx.OpenDir(root, path.Dir(after.Path))
	if err != nil {
		return err
	}
	defer dir.Close()
	name := path.Base(after.Path)
	if before == nil {
		if _, err := dir.Lstat(name); err == nil {
			return errors.New("not written: the file appeared meanwhile")
		}
	} else {
		now, err := fsx.ReadFile(dir, name, pack.MaxFile)
		if err != nil {
			return err
		}
		if string(now) != before.Text {
			return errors.New("not written: the file changed meanwhile")
		}
	}
	if err := fsx.WriteIn(dir, name, []byte(after.Text), 0o644); err != nil {
		return fmt.Errorf("not written: %w", err)
	}
	return nil
}
