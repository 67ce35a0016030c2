package baseline

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

const version = 1

// Excluded are the rules whose findings no baseline holds: a leaked key is not
// something to put up with, and a comment that does nothing is easily removed.
var Excluded = []string{config.CredentialRule, "unused-suppression"}

// An Entry stands for Count findings of a rule in a file that have the same content.
type Entry struct {
	Path        string `json:"path"` // relative to the baseline's folder, "/" separators
	Rule        string `json:"rule"`
	Fingerprint string `json:"fingerprint"`
	Count       int    `json:"count"`
}

type document struct {
	Version  int     `json:"version"`
	Findings []Entry `json:"findings"`
}

type key struct{ path, rule, fingerprint string }

// A Baseline is a list of known findings. It is safe for concurrent use.
type Baseline struct {
	path string // absolute
	mu   sync.Mutex
	left map[key]int
	seen map[key]int // findings met in this run, known or not
}

// An UnreadableError says that what is to be updated is no baseline.
type UnreadableError struct{ Err error }

func (e *UnreadableError) Error() string { return e.Err.Error() }

func (e *UnreadableError) Unwrap() error { return e.Err }

// New returns an empty baseline that would be written to a path.
func New(path string) *Baseline {
	return &Baseline{path: path, left: map[key]int{}, seen: map[key]int{}}
}

// Load reads a baseline. A file that does not exist is an error.
func Load(path string) (*Baseline, error) {
	src, err := os.ReadFile(path)
	if err != nil {
		var pe *fs.PathError
		if errors.As(err, &pe) {
			err = pe.Err
		}
		hint := ""
		if errors.Is(err, fs.ErrNotExist) {
			hint = " (--baseline-update makes one)"
		}
		return nil, fmt.Errorf("baseline %s: %w%s", filepath.ToSlash(path), err, hint)
	}
	var doc document
	dec := json.NewDecoder(strings.NewReader(string(src)))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&doc); err != nil {
		return nil, fmt.Errorf("baseline %s: %w", filepath.ToSlash(path), config.JSONError(err))
	}
	if doc.Version != version {
		return nil, fmt.Errorf("baseline %s: version %d is not known, expected %d", filepath.ToSlash(path), doc.Version, version)
	}
	b := New(path)
	for _, e := range doc.Findings {
		if e.Count < 1 || slices.Contains(Excluded, e.Rule) {
			return nil, fmt.Errorf("baseline %s: an entry of %s for %s is not allowed", filepath.ToSlash(path), e.Rule, e.Path)
		}
		b.left[key{e.Path, e.Rule, e.Fingerprint}] += e.Count
	}
	return b, nil
}

// Filter drops the known findings of a pack in a folder (an absolute path).
func (b *Baseline) Filter(dir string, p *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
	return slices.DeleteFunc(ds, func(d analysis.Diagnostic) bool {
		return b.take(b.rel(filepath.Join(dir, filepath.FromSlash(d.Path))), p, &d)
	})
}

func (b *Baseline) rel(file string) string {
	if r, err := filepath.Rel(filepath.Dir(b.path), file); err == nil {
		return filepath.ToSlash(r)
	}
	return filepath.ToSlash(file)
}

func (b *Baseline) take(path string, p *pack.Pack, d *analysis.Diagnostic) bool {
	if d.Severity == analysis.Hint || slices.Contains(Excluded, d.Rule.Slug) {
		return false
	}
	k := key{path, d.Rule.Slug, Fingerprint(d.Rule.Slug, d.Message, p.File(d.Path), d.Span.Start)}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.seen[k]++
	if b.left[k] == 0 {
		return false
	}
	b.left[k]--
	return true
}

// Stale are the entries, in files of packs below the given folders (absolute
// paths), that no finding came up for.
func (b *Baseline) Stale(dirs []string) []Entry {
	b.mu.Lock()
	defer b.mu.Unlock()
	var out []Entry
	for k, n := range b.left {
		if n > 0 && b.covered(k.path, dirs) {
			out = append(out, Entry{k.path, k.rule, k.fingerprint, n})
		}
	}
	return sorted(out)
}

func (b *Baseline) covered(path string, dirs []string) bool {
	abs := filepath.Join(filepath.Dir(b.path), filepath.FromSlash(path))
	return slices.ContainsFunc(dirs, func(d string) bool {
		_, ok := config.Within(d, abs)
		return ok
	})
}

// Update writes the findings met in this run, in place of the entries for packs
// below the given folders; others stay. It returns how many entries were added
// and removed.
func (b *Baseline) Update(dirs []string) (added, removed int, err error) {
	old := map[key]int{}
	if prev, err := Load(b.path); err == nil {
		old = prev.left
	} else if !errors.Is(err, fs.ErrNotExist) {
		return 0, 0, &UnreadableError{err}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	doc := document{Version: version, Findings: []Entry{}}
	for k, n := range b.seen {
		doc.Findings = append(doc.Findings, Entry{k.path, k.rule, k.fingerprint, n})
		if old[k] == 0 {
			added++
		}
	}
	for k, n := range old {
		switch {
		case !b.covered(k.path, dirs):
			doc.Findings = append(doc.Findings, Entry{k.path, k.rule, k.fingerprint, n})
		case b.seen[k] == 0:
			removed++
		}
	}
	sorted(doc.Findings)
	out, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return 0, 0, err
	}
	return added, removed, fsx.WriteFile(b.path, append(out, '\n'), 0o644)
}

func sorted(es []Entry) []Entry {
	slices.SortFunc(es, func(a, b Entry) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Rule, b.Rule), strings.Compare(a.Fingerprint, b.Fingerprint))
	})
	return es
}
