package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/amp-toolchain/amp/analysis"
)

// maxExtends bounds a chain of extends.
const maxExtends = 32

// Load reads a configuration file with all that it extends.
func Load(name string, reg *analysis.Registry) (*Config, error) {
	abs, err := filepath.Abs(name)
	if err != nil {
		return nil, Errors{{Path: name, Msg: cause(err)}}
	}
	cfg, errs := load(abs, reg, nil)
	if len(errs) > 0 {
		return nil, errs
	}
	return cfg, nil
}

func load(name string, reg *analysis.Registry, above []string) (*Config, Errors) {
	src, ferr := readFile(name)
	if ferr != nil {
		return nil, Errors{ferr}
	}
	r := read(src, name, reg)
	above = append(slices.Clip(above), name)
	cfg := New()
	var errs Errors
	for _, e := range r.ext {
		next := filepath.Join(r.dir, filepath.FromSlash(e.text))
		switch {
		case slices.ContainsFunc(above, func(a string) bool { return sameFile(a, next) }):
			r.fail(e, "`extends` goes in a circle: %s is already being read", e.text)
		case len(above) >= maxExtends:
			r.fail(e, "`extends` is nested more than %d deep", maxExtends)
		default:
			base, berrs := load(next, reg, above)
			if len(berrs) == 1 && berrs[0].Line == 0 && berrs[0].Path == next {
				r.fail(e, "cannot extend %s: %s", e.text, berrs[0].Msg)
				continue
			}
			errs = append(errs, berrs...)
			if base != nil {
				cfg.merge(base)
			}
		}
	}
	if errs = append(errs, r.errs.sorted()...); len(errs) > 0 {
		return nil, errs
	}
	cfg.merge(r.cfg)
	return cfg, nil
}

func sameFile(a, b string) bool {
	if a == b {
		return true
	}
	x, err1 := os.Stat(a)
	y, err2 := os.Stat(b)
	return err1 == nil && err2 == nil && os.SameFile(x, y)
}

// A Finder finds the configuration of files. It reads each one once and is safe
// for concurrent use; a new Finder sees changes.
type Finder struct {
	reg *analysis.Registry

	mu   sync.Mutex
	dirs map[string]*found
	file map[string]*found
}

type found struct {
	cfg *Config
	err error
}

// NewFinder makes a finder for the rules of a registry.
func NewFinder(reg *analysis.Registry) *Finder {
	return &Finder{reg: reg, dirs: map[string]*found{}, file: map[string]*found{}}
}

// For is the configuration of the files in a folder (an absolute path): that in
// the folder or in the nearest one above it up to the root of its repository.
// Without one it is nil. The error is Errors.
func (f *Finder) For(dir string) (*Config, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	r := f.at(filepath.Clean(dir))
	return r.cfg, r.err
}

func (f *Finder) at(dir string) *found {
	if r := f.dirs[dir]; r != nil {
		return r
	}
	r := f.here(dir)
	if r == nil {
		r = &found{}
		if up := filepath.Dir(dir); up != dir && !isRepository(dir) {
			r = f.at(up)
		}
	}
	f.dirs[dir] = r
	return r
}

func (f *Finder) here(dir string) *found {
	var names []string
	for _, n := range Names {
		if _, err := os.Lstat(filepath.Join(dir, n)); err == nil {
			names = append(names, filepath.Join(dir, n))
		}
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return f.load(names[0])
	}
	return &found{err: Errors{{Path: names[1], Msg: "a second configuration beside " + Names[0] + "; keep one of them"}}}
}

func (f *Finder) load(name string) *found {
	if r := f.file[name]; r != nil {
		return r
	}
	r := &found{}
	r.cfg, r.err = Load(name, f.reg)
	f.file[name] = r
	return r
}

func isRepository(dir string) bool {
	_, err := os.Lstat(filepath.Join(dir, ".git"))
	return err == nil
}

// Repository is the root of the repository that a folder (an absolute path) lies
// in, "" when it lies in none.
func Repository(dir string) string {
	for {
		if isRepository(dir) {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func cause(err error) string {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if errors.Is(err, fs.ErrNotExist) {
		return "no such file"
	}
	return fmt.Sprint(err)
}
