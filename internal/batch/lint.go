package batch

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/pack"
)

// A Result is what was found in one target.
type Result struct {
	Target
	Pack  *pack.Pack // nil when the target could not be loaded
	Stats *Stats     // nil when the target could not be loaded
	Diags []analysis.Diagnostic
	Errs  []PathError
}

// Options tell how to judge.
type Options struct {
	Runner *analysis.Runner
	// Overlays hold unsaved texts: by the Dir of a target, then by the path in it.
	Overlays map[string]map[string]string
	// Tracked, by the Dir of a target, are the files that there are in it, with
	// their types: others on disk are as if they were not.
	Tracked map[string]map[string]fs.FileMode
	// Confined keeps fixes to the files that were named.
	Confined bool
	// Filter, when set, weighs the findings of a target before those in files
	// that were not named are dropped.
	Filter func(*Target) analysis.Filter
	// Signature tells what is known of the signature of the pack in dir, asked
	// only for packs that say they are signed; nil leaves it unknown.
	Signature func(dir string) pack.SignatureState
	// Cache, when set, is asked before a pack is judged.
	Cache *Cache
	// Hints keeps findings that are meant for editors.
	Hints bool
	// Each, when set, gets each result as soon as it and all before it are done.
	// Results are then not kept: memory does not grow with the number of packs.
	Each func(*Result)
}

// Lint judges the targets in parallel. Results come in the order of targets.
//
// Workers take targets from a counter, and whoever completes the next result in
// order hands it on: passing each small pack through channels cost more context
// switches than the packs have files.
func Lint(targets []Target, opt Options) []Result {
	results := make([]Result, len(targets))
	var next atomic.Int64
	var mu sync.Mutex
	done, handed := make([]bool, len(targets)), 0
	finish := func(i int) {
		mu.Lock()
		defer mu.Unlock()
		done[i] = true
		for opt.Each != nil && handed < len(targets) && done[handed] {
			opt.Each(&results[handed])
			results[handed] = Result{}
			handed++
		}
	}
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), len(targets)) {
		wg.Go(func() {
			for i := int(next.Add(1)) - 1; i < len(targets); i = int(next.Add(1)) - 1 {
				results[i] = one(targets[i], opt)
				finish(i)
			}
		})
	}
	wg.Wait()
	if opt.Each != nil {
		return nil
	}
	return results
}

func one(t Target, opt Options) (r Result) {
	defer contain(t, &r)
	r = judge(t, opt)
	if r.Pack == nil {
		return r
	}
	if opt.Filter != nil {
		r.Diags = opt.Filter(&t)(r.Pack, r.Diags)
	}
	r.Diags = slices.DeleteFunc(r.Diags, func(d analysis.Diagnostic) bool {
		return !opt.Hints && d.Severity == analysis.Hint || t.Only != nil && !slices.Contains(t.Only, d.Path)
	})
	return r
}

// contain turns a panic while a target was judged into an error of that target:
// one hostile pack must not keep the others from being judged, nor pass for clean.
func contain(t Target, r *Result) {
	p := recover()
	if p == nil {
		return
	}
	what := "a panic"
	if err, ok := p.(runtime.Error); ok { // its text holds numbers and types, never content
		what = err.Error()
	}
	*r = Result{Target: t, Errs: []PathError{{t.Display, fmt.Errorf("not analysed, the linter has failed here: %s; please report this", what)}}}
}

// judge finds what rules report in a target, or remembers it.
func judge(t Target, opt Options) Result {
	if opt.Cache == nil || t.Loose || opt.Overlays[t.Dir] != nil {
		return fresh(t, opt)
	}
	old, files, content, state := opt.Cache.lookup(&t, opt.Runner.Registry())
	switch {
	case old != nil:
		return *old
	case files == nil:
		return fresh(t, opt)
	}
	r := examine(t, pack.New(t.Display, files), opt)
	opt.Cache.put(&r, content, state)
	return r
}

func fresh(t Target, opt Options) Result {
	p, closer, err := load(t, opt)
	if err != nil {
		return Result{Target: t, Errs: []PathError{{t.Display, cause(err)}}}
	}
	defer closer()
	return examine(t, p, opt)
}

func examine(t Target, p *pack.Pack, opt Options) Result {
	r := Result{Target: t}
	r.Pack, r.Stats = p, statsOf(p)
	for _, f := range p.Files {
		if unread(f) {
			r.Errs = append(r.Errs, PathError{path.Join(t.Display, f.Path), f.Err})
		}
	}
	if t.Loose {
		r.Diags = opt.Runner.File(p.Files[0], pack.FormatInline)
		analysis.Sort(r.Diags)
		return r
	}
	if opt.Signature != nil && p.Manifest.Signed() {
		p.Signature = opt.Signature(t.Dir)
	}
	r.Diags = opt.Runner.All(p)
	return r
}

// unread reports whether a file could not be read for a reason outside of the
// pack; what the pack itself did wrong is a finding of the rule file-type.
func unread(f *pack.File) bool {
	return f.Err != nil && !errors.Is(f.Err, pack.ErrTooLarge) && !errors.Is(f.Err, pack.ErrTooMany) && !errors.Is(f.Err, pack.ErrTooDeep)
}

// Cause drops the path from a file error: outputs show their own.
func Cause(err error) error { return cause(err) }

func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

func load(t Target, opt Options) (*pack.Pack, func(), error) {
	if t.Loose {
		f := pack.ReadFile(os.DirFS(t.Dir), t.Only[0])
		if text, ok := opt.Overlays[t.Dir][t.Only[0]]; ok {
			f = &pack.File{Path: t.Only[0], Text: text, Size: int64(len(text))}
		}
		if f.Err != nil {
			return nil, nil, f.Err
		}
		f.Tree = parseLoose(f.Text)
		return &pack.Pack{Root: t.Display, Files: []*pack.File{f}}, func() {}, nil
	}
	over := opt.Overlays[t.Dir]
	root, err := diskfs.Open(t.Dir)
	if errors.Is(err, fs.ErrNotExist) && len(over) > 0 {
		p, err := pack.Load(pack.Overlay(noFS{}, over), t.Display)
		return p, func() {}, err
	}
	if err != nil {
		return nil, nil, err
	}
	fsys := pack.Overlay(root, over)
	if files, ok := opt.Tracked[t.Dir]; ok {
		fsys = newTracked(fsys, files)
	}
	p, err := pack.Load(fsys, t.Display)
	if err != nil {
		root.Close()
		return nil, nil, err
	}
	return p, func() { root.Close() }, nil
}

// noFS is an empty folder: a pack of unsaved files may have none on disk.
type noFS struct{}

func (noFS) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
}

func (noFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "." {
		return nil, nil
	}
	return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrNotExist}
}
