// Package batch finds packs on disk, loads and judges them in parallel, and
// returns the results in an order that depends on the arguments alone.
package batch

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// A Target is one pack to judge, or some files of one.
type Target struct {
	Dir     string // on disk
	Display string // as reached from the arguments, "/" separators
	// Only are the files to report on, relative to the pack; nil means all.
	Only []string
	// Loose marks a single capability file that lies in no pack: Only has its
	// name, and rules that need a pack don't apply.
	Loose bool
}

// A PathError is an argument or a file that could not be used.
type PathError struct {
	Path string // as reached from the arguments
	Err  error
}

func (e *PathError) Error() string {
	if e.Path == "" {
		return e.Err.Error()
	}
	return fsx.Printable(e.Path) + ": " + e.Err.Error()
}

var errNoPack = errors.New("no AMP pack here: no folder with two of manifest.json, agents.md and memory/")

// Discover turns arguments into targets: an argument is a pack, a folder with
// packs at any depth, or a file of a pack. Errors don't keep the rest from being found.
//
// skip, when set, is asked for each folder below an argument, by its path as
// reached from there; true leaves out the folder and all in it. What is named
// itself is never left out, and neither is what lies in it when it would have been.
func Discover(args []string, skip func(dir string) bool) ([]Target, []PathError) {
	d := discovery{at: map[string]int{}, skip: skip, abs: fsx.Absolute()}
	for _, arg := range args {
		d.argument(arg)
	}
	return d.targets, d.errs
}

// Any reports whether a folder holds a pack at any depth; it ends at the first.
func Any(dir string, skip func(dir string) bool) bool {
	d := discovery{at: map[string]int{}, skip: skip, abs: fsx.Absolute(), first: true}
	d.walk(dir, 0)
	return len(d.targets) > 0
}

type discovery struct {
	first   bool // one pack is enough
	targets []Target
	at      map[string]int // pack folder -> index in targets
	errs    []PathError
	skip    func(string) bool
	abs     func(string) (string, error)
}

func (d *discovery) fail(name string, err error) {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	d.errs = append(d.errs, PathError{Display(name), err})
}

// Display is a path as outputs show it: cleaned, "/" separators.
func Display(name string) string { return filepath.ToSlash(filepath.Clean(name)) }

func (d *discovery) argument(arg string) {
	st, err := os.Stat(arg)
	if err != nil {
		d.fail(arg, err)
		return
	}
	if !st.IsDir() {
		d.file(arg, st)
		return
	}
	n := len(d.targets)
	failed := len(d.errs)
	skip := d.skip
	if skip != nil && skip(filepath.Clean(arg)) {
		d.skip = nil // all in it is left out for the one reason that it was named in spite of
	}
	d.walk(arg, 0)
	d.skip = skip
	if len(d.targets) == n && len(d.errs) == failed && !d.known(arg) {
		d.fail(arg, errNoPack)
	}
}

func (d *discovery) known(dir string) bool { _, ok := d.at[d.key(dir)]; return ok }

func (d *discovery) key(dir string) string {
	if abs, err := d.abs(dir); err == nil {
		return abs
	}
	return filepath.Clean(dir)
}

func (d *discovery) add(t Target) {
	k := d.key(t.Dir)
	if t.Loose {
		k = d.key(filepath.Join(t.Dir, t.Only[0]))
	}
	i, ok := d.at[k]
	if !ok {
		d.at[k] = len(d.targets)
		d.targets = append(d.targets, t)
		return
	}
	old := &d.targets[i]
	if old.Only == nil || t.Only == nil {
		old.Only = nil
		return
	}
	for _, f := range t.Only {
		if !slices.Contains(old.Only, f) {
			old.Only = append(old.Only, f)
		}
	}
}

const maxDepth = 64

// walk looks for packs at and below dir. Links are not followed: a cycle of them
// would never end, and what they point to is not part of what was named.
func (d *discovery) walk(dir string, depth int) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		d.fail(dir, err)
		return
	}
	if n, manifest := pack.Parts(entries); n >= 2 || n == 1 && (depth == 0 || manifest && pack.IsPack(os.DirFS(dir), ".")) {
		d.add(Target{Dir: filepath.Clean(dir), Display: Display(dir)})
	}
	for _, e := range entries {
		if d.first && len(d.targets) > 0 {
			return
		}
		if !e.IsDir() || skipped(e.Name()) || depth >= maxDepth {
			continue
		}
		sub := filepath.Join(dir, e.Name())
		if d.skip != nil && d.skip(sub) {
			continue
		}
		d.walk(sub, depth+1)
	}
}

func skipped(name string) bool { return name == ".git" || name == ".hg" || name == "node_modules" }

func (d *discovery) file(name string, st fs.FileInfo) {
	t, ok := Around(name)
	switch {
	case ok:
		d.add(t)
	case filepath.Base(name) == pack.AgentsName && st.Mode().IsRegular():
		d.add(Alone(name))
	case !st.Mode().IsRegular():
		d.fail(name, errors.New("not a regular file"))
	case strings.HasSuffix(name, ".md"):
		d.add(Target{Dir: filepath.Dir(name), Display: Display(filepath.Dir(name)), Only: []string{filepath.Base(name)}, Loose: true})
	default:
		d.fail(name, errors.New("not a file of an AMP pack"))
	}
}

// Alone is the pack of which a manifest.json or agents.md is all there is.
func Alone(name string) Target {
	dir := filepath.Dir(name)
	return Target{Dir: dir, Display: Display(dir), Only: []string{filepath.Base(name)}}
}

// Around is the pack that a file, existing or not, belongs to.
func Around(name string) (Target, bool) {
	dir, rel := filepath.Dir(name), filepath.Base(name)
	for range 8 {
		if pack.IsPack(os.DirFS(dir), ".") || path.Dir(rel) == pack.MemoryDir && pack.HasPart(os.DirFS(dir), ".") {
			return Target{Dir: dir, Display: Display(dir), Only: []string{rel}}, true
		}
		if filepath.Base(dir) == ".." {
			break
		}
		up := filepath.Dir(dir)
		if up == dir {
			if dir != "." {
				break
			}
			// A relative name may lie in a pack above the current folder.
			abs, err := filepath.Abs(dir)
			if err != nil || filepath.Dir(abs) == abs {
				break
			}
			rel = filepath.ToSlash(filepath.Join(filepath.Base(abs), rel))
			dir = ".."
			continue
		}
		rel = filepath.ToSlash(filepath.Join(filepath.Base(dir), rel))
		dir = up
	}
	return Target{}, false
}
