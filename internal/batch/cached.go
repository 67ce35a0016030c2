package batch

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/cache"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// A Cache keeps what was found in packs. Findings are kept as rules report them,
// before any configuration: that may change without the pack.
//
// No credential is kept: a pack in which one was found is judged anew each time.
type Cache struct {
	Store *cache.Store
	// Tool names all that decides about findings besides the pack: the program
	// and its rules.
	Tool string
}

// Stats are what a report says of a pack besides findings.
type Stats struct {
	Name   string      `json:"name"`
	Format string      `json:"format"`
	Files  []FileStats `json:"files"`
}

// FileStats are the regular files of a pack with the number of their primitives.
type FileStats struct {
	Path       string `json:"path"`
	Primitives int    `json:"primitives"`
}

func statsOf(p *pack.Pack) *Stats {
	s := &Stats{Name: p.Name(), Format: p.FormatName()}
	for _, f := range p.Files {
		if !f.Regular() {
			continue
		}
		fs := FileStats{Path: f.Path}
		if f.Tree != nil && p.Format != pack.FormatOther {
			for _, n := range f.Tree.Summary().Types {
				fs.Primitives += n
			}
		}
		s.Files = append(s.Files, fs)
	}
	return s
}

type cached struct {
	Stats
	Reader parser.Format `json:"reader"` // of capability files
	Diags  []cachedDiag  `json:"diags,omitempty"`
}

type cachedDiag struct {
	analysis.Diagnostic
	Rule string
}

// lookup returns the remembered result of a target, or the keys to remember it by:
// that of its content, and that of its state where there is one. files are those of
// the pack, read and not parsed; nil when they could not be.
func (c *Cache) lookup(t *Target, reg *analysis.Registry) (r *Result, files []*pack.File, content cache.Key, state *cache.Key) {
	abs, err := filepath.Abs(t.Dir)
	if err != nil {
		return nil, nil, content, nil
	}
	k, hasState := cache.State(t.Dir, []byte(c.Tool+"\x00"+abs+"\x00"), skipped)
	if hasState {
		state = &k
		if data, ok := c.Store.Get(k); ok {
			if r := c.decode(t, data, reg); r != nil {
				return r, nil, content, nil
			}
		}
	}
	files, err = readAll(t.Dir)
	if err != nil {
		return nil, nil, content, nil
	}
	content = contentKey(c.Tool, files)
	if data, ok := c.Store.Get(content); ok {
		if r := c.decode(t, data, reg); r != nil {
			if hasState {
				c.Store.Put(k, data)
			}
			return r, nil, content, nil
		}
	}
	return nil, files, content, state
}

func readAll(dir string) ([]*pack.File, error) {
	fsys, err := diskfs.Open(dir)
	if err != nil {
		return nil, err
	}
	defer fsys.Close()
	return pack.Read(fsys)
}

func contentKey(tool string, files []*pack.File) cache.Key {
	h := sha256.New()
	part := func(s string) {
		var n [8]byte
		binary.LittleEndian.PutUint64(n[:], uint64(len(s)))
		h.Write(n[:])
		h.Write([]byte(s))
	}
	part(tool)
	files = slices.Clone(files)
	slices.SortFunc(files, func(a, b *pack.File) int { return strings.Compare(a.Path, b.Path) })
	for _, f := range files {
		part(f.Path)
		part(f.Type.String())
		if f.Err != nil {
			part(f.Err.Error())
		}
		part(f.Text)
	}
	var k cache.Key
	h.Sum(k[:0])
	return k
}

// decode reads an entry, and those files again that have findings.
func (c *Cache) decode(t *Target, data []byte, reg *analysis.Registry) *Result {
	var e cached
	if json.Unmarshal(data, &e) != nil {
		return nil
	}
	r := &Result{Target: *t, Stats: &e.Stats, Pack: &pack.Pack{Root: t.Display}}
	var need []string
	for i := range e.Diags {
		d := e.Diags[i].Diagnostic
		if d.Rule = reg.Rule(e.Diags[i].Rule); d.Rule == nil {
			return nil
		}
		need = append(need, d.Path)
		for _, o := range d.Related {
			need = append(need, o.Path)
		}
		for _, f := range d.Fixes {
			for _, e := range f.Edits {
				need = append(need, e.Path)
			}
		}
		r.Diags = append(r.Diags, d)
	}
	if need == nil {
		return r
	}
	fsys, err := diskfs.Open(t.Dir)
	if err != nil {
		return nil
	}
	defer fsys.Close()
	slices.Sort(need)
	for _, name := range slices.Compact(need) {
		f := pack.ReadFile(fsys, name)
		if f.Err == nil && f.Regular() && pack.IsCapability(name) {
			f.Tree = parser.Parse(f.Text, e.Reader)
		}
		if f.Err == nil {
			r.Pack.Files = append(r.Pack.Files, f)
		}
	}
	return r
}

// put remembers a result by the content it was found in, where that may be kept.
func (c *Cache) put(r *Result, content cache.Key, state *cache.Key) {
	if len(r.Errs) > 0 {
		return // something could not be read; next time it may be
	}
	e := cached{Stats: *r.Stats, Reader: r.Pack.Format.Reader()}
	for _, f := range r.Pack.Files {
		if f.Tree != nil && suppress.Mentioned(f.Text) {
			return // its comments are read with the whole pack at hand
		}
	}
	for _, d := range r.Diags {
		if d.Rule.Slug == "credential" {
			return
		}
		slug := d.Rule.Slug
		d.Rule = nil
		e.Diags = append(e.Diags, cachedDiag{d, slug})
	}
	data, err := json.Marshal(e)
	if err != nil {
		return
	}
	c.Store.Put(content, data)
	if state != nil {
		c.Store.Put(*state, data)
	}
}
