package session

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// View is a pack as the user sees it: its files on disk with the unsaved
// buffers over them. It is immutable.
type View struct {
	Root string // real path of the folder
	URI  string // of the folder, as the client would spell it, without a slash at the end
	Pack *pack.Pack

	stamp   uint64 // of the files on disk when they were read as a whole
	lexical string // path under which the folder was reached
	runner  *analysis.Runner
	policy  analysis.Filter
	disk    map[string]*pack.File
	diskSig Signature
	sig     Signature
	buffers map[string]string // path in the pack → key of the document over it
	memo    *memo             // shared with the views before and after

	seq     uint64                // order among the views that share memo
	slow    []analysis.Diagnostic // of the slow rules, see slow.go
	slowDue bool                  // the slow rules have not run on this view

	aloneMu sync.Mutex
	alone   map[*Doc]*View // see For

	asksOnce sync.Once
	asks     capability.Summary

	once  sync.Once
	found map[string][]analysis.Diagnostic // by path
	raw   []analysis.Diagnostic            // before the policy, in no order
}

// memo remembers what the file rules said, for one version of each file. Views
// of the same pack share it: after an edit all files but one are the same.
type memo struct {
	mu    sync.Mutex
	files map[string]memoFile
	slow  slowState
}

type memoFile struct {
	file   *pack.File
	format pack.FormatState
	runner *analysis.Runner
	diags  []analysis.Diagnostic
}

// rel is the path in the pack of an absolute path.
func (v *View) rel(p string) (string, bool) {
	for _, root := range []string{v.Root, v.lexical} {
		if rest, ok := strings.CutPrefix(p, root); ok && root != "" {
			if rest == "" {
				return "", true
			}
			if os := rest[0]; os == filepath.Separator || os == '/' {
				return filepath.ToSlash(rest[1:]), true
			}
		}
	}
	return "", false
}

// Path is the absolute path of a file of the pack.
func (v *View) Path(rel string) string { return filepath.Join(v.Root, filepath.FromSlash(rel)) }

// Buffer is the key of the document that stands for a file, "" when the file
// counts as it is on disk.
func (v *View) Buffer(rel string) string { return v.buffers[rel] }

// Tree is the text of a file of the pack as a tree, whatever kind of file it is,
// or nil when there is none.
func (v *View) Tree(snap *Snapshot, rel string) *parser.Tree {
	if d := snap.docs[v.buffers[rel]]; d != nil {
		return d.Tree
	}
	f := v.Pack.File(rel)
	switch {
	case f == nil || f.Err != nil || !f.Regular():
		return nil
	case f.Tree != nil:
		return f.Tree
	default:
		return parser.Parse(f.Text, parser.V04)
	}
}

// overlay returns the view with the right content for one file: the buffer over
// it, or what is on disk. It also brings buffers in the pack's format.
//
// m is the edit that led to the content, or says that all has changed.
func (v *View) overlay(s *Snapshot, rel string, m move) *View {
	next := v.copy()
	next.moved(v, m)
	d := s.buffer(v.Root, rel)
	if !v.coverable(rel) {
		d = nil
	}
	switch {
	case d != nil:
		next.buffers = with(v.buffers, rel, d.Key)
		next.Pack = v.Pack.Replace(fileOf(d))
	case v.disk[rel] != nil:
		next.buffers = with(v.buffers, rel, "")
		next.Pack = v.Pack.Replace(v.disk[rel])
	default:
		next.buffers = with(v.buffers, rel, "")
		next.Pack = v.Pack.Remove(rel)
	}
	if next.Pack.Format != v.Pack.Format || d != nil && d.Tree.Format() != next.Pack.Format.Reader() {
		next.reformat(s)
	}
	next.sign(s)
	return next
}

// same reports whether a document that is laid over a file says what the file
// said before, as one that has just been opened does.
func (v *View) same(d *Doc) bool {
	f := v.Pack.File(d.rel)
	if f == nil || f.Err != nil || f.Size != int64(d.Tree.Len()) {
		return false
	}
	switch {
	case f.Tree == d.Tree:
		return true
	case f.Tree != nil && f.Text == "":
		return says(f.Tree, d.Tree.String())
	}
	return says(d.Tree, f.Text)
}

// coverable reports whether a buffer may stand for a file. A link or a device in
// a pack is a finding whatever a client shows under its name.
func (v *View) coverable(rel string) bool {
	f := v.disk[rel]
	return f == nil || f.Regular()
}

// reformat brings the trees of open documents into the pack's format, so that
// document and file are one tree.
func (v *View) reformat(s *Snapshot) {
	want := v.Pack.Format.Reader()
	for rel, key := range v.buffers {
		d := s.docs[key]
		if d == nil || !v.Pack.Loads(rel) || d.Tree.Format() == want {
			continue
		}
		c := *d
		clean := d.saved == d.Tree
		c.Tree = parser.Parse(d.Tree.String(), want)
		if clean {
			c.saved = c.Tree
		}
		s.docs[key] = &c
		v.Pack = v.Pack.Replace(fileOf(&c))
	}
}

// fileOf is a document as a file of its pack. Capability files are judged by
// their tree alone; making their text for every keystroke would cost as much as
// the file is long.
func fileOf(d *Doc) *pack.File {
	f := &pack.File{Path: d.rel, Size: int64(d.Tree.Len())}
	if path.Dir(d.rel) == pack.MemoryDir {
		f.Tree = d.Tree // dropped again by packs that do not load the file
	} else {
		f.Text = d.Tree.String()
	}
	return f
}

func (v *View) copy() *View {
	return &View{
		Root: v.Root, URI: v.URI, Pack: v.Pack, stamp: v.stamp, lexical: v.lexical, runner: v.runner, policy: v.policy,
		disk: v.disk, diskSig: v.diskSig, sig: v.sig, buffers: v.buffers, memo: v.memo,
		seq: v.seq, slow: v.slow, slowDue: v.slowDue,
	}
}

func with(m map[string]string, key, value string) map[string]string {
	if m[key] == value {
		return m
	}
	next := make(map[string]string, len(m)+1)
	for k, v := range m {
		next[k] = v
	}
	if value == "" {
		delete(next, key)
	} else {
		next[key] = value
	}
	return next
}

// sign sets what is known about the signature: it was checked on disk, and any
// buffer that differs from the disk makes it stale.
func (v *View) sign(s *Snapshot) {
	v.sig = v.diskSig
	switch {
	case v.Pack.Manifest != nil && !v.Pack.Manifest.Signed():
		v.sig = Signature{State: pack.SignatureNone, Word: Unsigned, Message: "The pack is not signed."}
	case v.sig.State == pack.SignatureIntact && v.differs(s):
		v.sig = Signature{State: pack.SignatureStale, Word: Stale, Message: "The pack has unsaved changes since it was signed."}
	}
	if v.Pack.Signature != v.sig.State {
		p := *v.Pack
		p.Signature = v.sig.State
		v.Pack = &p
	}
}

// Signature is what is known about the pack's signature.
func (v *View) Signature() Signature { return v.sig }

// Small reports whether a pack is small enough for work that reads all its prose
// while somebody waits.
func (v *View) Small() bool { return size(v.Pack) <= maxPoison }

// Capabilities sums up what the pack asks an agent to do. It reads all its prose,
// once for a view.
func (v *View) Capabilities() capability.Summary {
	v.asksOnce.Do(func() {
		p := *v.Pack
		p.Root = filepath.Base(v.Root) // the client knows where that is
		v.asks = capability.Of(&p)
	})
	return v.asks
}

// Paths are the paths of all files of the pack and of all that have findings,
// sorted.
func (v *View) Paths() []string {
	set := map[string]bool{}
	for _, f := range v.Pack.Files {
		set[f.Path] = true
	}
	for p := range v.All() {
		set[p] = true
	}
	return slices.Sorted(maps.Keys(set))
}

// differs reports whether some buffer differs from the file under it.
func (v *View) differs(s *Snapshot) bool {
	for rel, key := range v.buffers {
		d, f := s.docs[key], v.disk[rel]
		if d == nil {
			continue
		}
		if f == nil || f.Size != int64(d.Tree.Len()) {
			return true
		}
		if d.Tree != d.saved && d.Tree.String() != f.Text {
			return true
		}
	}
	return false
}

// Findings returns the findings of one file, in their order. The caller must
// not change them.
func (v *View) Findings(rel string) []analysis.Diagnostic {
	v.judge()
	return v.found[rel]
}

// All returns the findings of every file that has some, by path. The caller
// must not change them.
func (v *View) All() map[string][]analysis.Diagnostic {
	v.judge()
	return v.found
}

// FindingsFor returns the findings of an open document of the pack. It differs
// from Findings when the file is open under two names with two texts.
func (v *View) FindingsFor(d *Doc) []analysis.Diagnostic {
	return v.For(d).Findings(d.rel)
}

// For returns the view with an open document over its file. It is another one
// where another text stands for the file: when it is open under two names, when
// the document's text is not known, when the file is none that may be covered.
func (v *View) For(d *Doc) *View {
	if v.buffers[d.rel] == d.Key {
		return v
	}
	v.aloneMu.Lock()
	defer v.aloneMu.Unlock()
	if v.alone[d] == nil {
		c := v.copy()
		c.Pack = v.Pack.Replace(fileOf(d))
		c.buffers = with(v.buffers, d.rel, d.Key)
		c.memo = &memo{files: map[string]memoFile{}}
		c.slow = slowOf(v.runner, c.Pack)
		if v.alone == nil {
			v.alone = map[*Doc]*View{}
		}
		v.alone[d] = c
	}
	return v.alone[d]
}

// Unweighed returns the findings as the rules made them, before configuration.
// The caller must not change them.
func (v *View) Unweighed() []analysis.Diagnostic {
	v.judge()
	return v.raw
}

// Policy is how the project weighs findings, nil for as the rules say.
func (v *View) Policy() analysis.Filter { return v.policy }

// Runner is what judges the pack.
func (v *View) Runner() *analysis.Runner { return v.runner }

// Whole returns the pack with the text of every file, which fixes need.
func (v *View) Whole() *pack.Pack { return WithText(v.Pack) }

// WithText returns a pack with the text of every file. It is made when asked for:
// for judging, trees are enough.
func WithText(of *pack.Pack) *pack.Pack {
	files := slices.Clone(of.Files)
	for i, f := range files {
		if f.Tree != nil && f.Text == "" && f.Tree.Len() > 0 {
			c := *f
			c.Text = f.Tree.String()
			files[i] = &c
		}
	}
	p := *of
	p.Files = files
	return &p
}

// judge runs the rules, once.
func (v *View) judge() {
	v.once.Do(func() {
		var all []analysis.Diagnostic
		for _, f := range v.Pack.Files {
			if f.Capability() {
				all = append(all, v.judgeFile(f)...)
			}
		}
		all = append(all, v.runner.PackOnly(v.Pack, fastRule)...)
		all = append(all, v.slow...)
		v.raw = all
		if v.policy != nil {
			all = v.policy(v.Pack, slices.Clone(all))
		}
		analysis.Sort(all)
		v.found = map[string][]analysis.Diagnostic{}
		for i := 0; i < len(all); {
			j := i
			for j < len(all) && all[j].Path == all[i].Path {
				j++
			}
			v.found[all[i].Path] = slices.Clip(all[i:j])
			i = j
		}
	})
}

func (v *View) judgeFile(f *pack.File) []analysis.Diagnostic {
	v.memo.mu.Lock()
	m := v.memo.files[f.Path]
	v.memo.mu.Unlock()
	if m.file == f && m.format == v.Pack.Format && m.runner == v.runner {
		return m.diags
	}
	m = memoFile{file: f, format: v.Pack.Format, runner: v.runner, diags: v.runner.File(f, v.Pack.Format)}
	v.memo.mu.Lock()
	v.memo.files[f.Path] = m
	v.memo.mu.Unlock()
	return m.diags
}

// FindingsLoose returns the findings of a document outside of packs, from the
// rules that need no pack.
func (s *Session) FindingsLoose(d *Doc) []analysis.Diagnostic {
	if !d.Judged() {
		return nil
	}
	ds := s.Runner().File(&pack.File{Path: d.Name(), Size: int64(d.Tree.Len()), Tree: d.Tree}, pack.FormatInline)
	analysis.Sort(ds)
	return ds
}
