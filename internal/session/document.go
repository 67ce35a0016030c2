package session

import (
	"fmt"
	"hash/maphash"
	"path"
	"strings"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Kind is the part that a document plays in a pack.
type Kind uint8

// The parts.
const (
	Loose      Kind = iota // in no pack
	Capability             // memory/*.md
	Manifest               // manifest.json
	Agents                 // agents.md
	Other                  // any other file of a pack
)

// Doc is an open document. It is immutable.
type Doc struct {
	Key      string // canonical URI
	URI      string // the URI as the client spells it
	Path     string // file system path, "" for documents that are no files
	Version  int64
	Language string
	Tree     *parser.Tree
	// Pending is set until it is known whether the document belongs to a pack.
	Pending bool
	// Lost is set when a change could not be read: the text is unknown until
	// the client sends it whole.
	Lost bool

	root string // folder of the pack, "" for none
	rel  string // path in the pack

	seq    uint64 // of the last change; the newest of two buffers of one file wins
	saved  *parser.Tree
	bumped bool   // the version has increased since the document was opened
	last   uint64 // hash of the last change
}

// Rel is the path in the pack, with /, or "".
func (d *Doc) Rel() string { return d.rel }

// Kind tells which part the document plays.
func (d *Doc) Kind() Kind {
	if d.root == "" {
		return Loose
	}
	return KindOf(d.rel)
}

// KindOf tells which part the file of a pack with a relative path plays.
func KindOf(rel string) Kind {
	switch {
	case rel == pack.ManifestName:
		return Manifest
	case rel == pack.AgentsName:
		return Agents
	case pack.IsCapability(rel):
		return Capability
	default:
		return Other
	}
}

// Name is the last element of the document's path or URI.
func (d *Doc) Name() string {
	if d.Path != "" {
		return path.Base(strings.ReplaceAll(d.Path, `\`, "/"))
	}
	return d.Key[strings.LastIndexAny(d.Key, "/:")+1:]
}

// Dirty reports whether the buffer differs from what was opened or saved last,
// as far as the client has said.
func (d *Doc) Dirty() bool { return d.Tree != d.saved }

// Judged reports whether a document outside of packs is a capability file for
// all that can be seen: one that has the language id of AMP, or one that is no
// file (an untitled buffer) and holds a primitive. Files in a folder without a
// pack are none of our business.
func (d *Doc) Judged() bool {
	if d.root != "" || d.Pending || d.Lost {
		return false
	}
	if strings.HasPrefix(d.Language, "amp") {
		return true
	}
	return d.Path == "" && d.Language != "json" && holdsPrimitive(d.Tree)
}

// holdsPrimitive tells a capability file from other Markdown, where `[demo](url)`
// is a link.
func holdsPrimitive(t *parser.Tree) bool {
	for it := range t.All() {
		if it.Kind() == parser.Primitive && it.Type() != parser.Unknown && !strings.HasPrefix(it.Text()[it.Tag().End:], "(") {
			return true
		}
	}
	return false
}

// A Change is one content change of a document.
type Change struct {
	// Whole replaces the whole text; the positions do not count then.
	Whole                bool
	StartLine, StartChar int // 0-based; the column in units of the encoding
	EndLine, EndChar     int
	Text                 string
}

// Identity names a document.
type Identity struct {
	Key, URI, Path string // see Doc
}

// Open opens a document, or gives an open one a new text. text is kept.
func (s *Session) Open(id Identity, version int64, language, src string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seq++
	d := &Doc{
		Key: id.Key, URI: id.URI, Path: id.Path, Version: version, Language: language,
		seq: s.seq, Pending: id.Path != "",
	}
	snap := s.snap.Load()
	if old := snap.docs[id.Key]; old != nil && !old.Pending {
		d.Pending, d.root, d.rel = false, old.root, old.rel
	} else if id.Path != "" {
		// Most documents lie in a pack that has been read. Run looks again.
		if v := snap.ViewAt(id.Path); v != nil {
			if rel, ok := v.rel(id.Path); ok && rel != "" {
				d.Pending, d.root, d.rel = false, v.Root, rel
			}
		}
	}
	d.Tree = snap.known(d, src)
	if d.Tree == nil {
		d.Tree = parser.Parse(src, parser.V04)
	}
	d.saved = d.Tree
	s.update(func(next *Snapshot) { next.put(d) })
	if d.Path != "" {
		s.work.classify(d.Key)
	}
}

// known returns the tree of the file under a document when it has the text: it
// has been read and judged.
func (s *Snapshot) known(d *Doc, src string) *parser.Tree {
	v := s.views[d.root]
	if v == nil {
		return nil
	}
	f := v.Pack.File(d.rel)
	if f == nil || f.Tree == nil || !says(f.Tree, src) {
		return nil
	}
	return f.Tree
}

// says reports whether a tree has a text, without putting the tree's together.
func says(t *parser.Tree, src string) bool {
	if t.Len() != len(src) {
		return false
	}
	for it := range t.All() {
		if src[it.Offset:it.Offset+len(it.Text())] != it.Text() {
			return false
		}
	}
	return true
}

// Edit applies changes in order, each to the outcome of the one before. The
// error says why the changes were not taken.
//
// Messages arrive in the order in which they were sent, so a version that does
// not increase means that one has been repeated or overtaken on its way to the
// transport; applying it would tear the texts apart. A client that never counts
// is believed as long as it does not repeat itself.
func (s *Session) Edit(key string, version int64, enc text.Encoding, changes []Change) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.snap.Load().docs[key]
	if old == nil {
		return fmt.Errorf("the document is not open")
	}
	sum := hashChanges(changes)
	if version < old.Version || version == old.Version && (old.bumped || sum == old.last) {
		return fmt.Errorf("version %d comes after version %d", version, old.Version)
	}
	d := *old
	d.bumped = old.bumped || version > old.Version
	d.Version, d.last = version, sum
	moves := []move{}
	for i := range changes {
		var e text.Edit
		switch c := &changes[i]; {
		case c.Whole:
			d.Lost = false
			d.Tree, e = replaceAll(d.Tree, c.Text)
		case d.Lost:
			continue
		default:
			d.Tree, e = replaceRange(d.Tree, c, enc)
		}
		moves = append(moves, move{span: e.Span, size: len(e.New)})
	}
	s.seq++
	d.seq = s.seq
	s.update(func(next *Snapshot) { next.put(&d, moves...) })
	if d.Lost {
		return fmt.Errorf("an earlier change could not be read; waiting for the whole text")
	}
	return nil
}

// Lose marks a document whose text is no longer known, because a change could
// not be read.
func (s *Session) Lose(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.snap.Load().docs[key]
	if old == nil || old.Lost {
		return
	}
	d := *old
	d.Lost = true
	s.update(func(next *Snapshot) { next.put(&d) })
}

func replaceAll(t *parser.Tree, src string) (*parser.Tree, text.Edit) {
	e := text.Diff(t.String(), src)
	if e.Len() == 0 && e.New == "" {
		return t, e
	}
	e.New = strings.Clone(e.New)
	next, _ := t.Edit(e)
	return next, e
}

func replaceRange(t *parser.Tree, c *Change, enc text.Encoding) (*parser.Tree, text.Edit) {
	start := t.Offset(c.StartLine, c.StartChar, enc)
	end := t.Offset(c.EndLine, c.EndChar, enc)
	if end < start {
		start, end = end, start
	}
	e := text.Edit{Span: text.Span{Start: start, End: end}, New: c.Text}
	if start == end && c.Text == "" {
		return t, e
	}
	next, _ := t.Edit(e)
	return next, e
}

var seed = maphash.MakeSeed()

func hashChanges(changes []Change) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range changes {
		c := &changes[i]
		fmt.Fprint(&h, c.Whole, c.StartLine, c.StartChar, c.EndLine, c.EndChar, len(c.Text))
		_, _ = h.WriteString(c.Text)
	}
	return h.Sum64()
}

// Save records that a document has been saved. src is its text when the client
// sends it, else nil.
func (s *Session) Save(key string, src *string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.snap.Load().docs[key]
	if old == nil {
		return
	}
	d := *old
	if src != nil {
		d.Lost = false
		d.Tree, _ = replaceAll(d.Tree, *src)
	}
	d.saved = d.Tree
	s.update(func(next *Snapshot) {
		if d.Tree == old.Tree {
			next.docs[key] = &d // the text is what it was
			return
		}
		next.put(&d)
	})
	if d.Path != "" {
		s.work.touch(d.Path)
	}
}

// Close closes a document. The file on disk counts again, once it has been read
// again.
func (s *Session) Close(key string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.snap.Load().docs[key]
	if d == nil {
		return
	}
	s.update(func(next *Snapshot) { next.drop(d) })
	if d.Path != "" {
		s.work.touch(d.Path)
	}
}

// put stores a document and lays it over the file it belongs to. moves are the
// edits that made its text of the file's, in order; none means that the text may
// be another altogether.
func (s *Snapshot) put(d *Doc, moves ...move) {
	s.docs[d.Key] = d
	v := s.views[d.root]
	if v == nil {
		return
	}
	if len(moves) == 0 || v.buffers[d.rel] != d.Key {
		s.views[d.root] = v.overlay(s, d.rel, move{rel: d.rel, all: !v.same(d)})
		return
	}
	for i, m := range moves {
		m.rel = d.rel
		if i < len(moves)-1 {
			c := v.copy()
			c.moved(v, m)
			v = c
			continue
		}
		v = v.overlay(s, d.rel, m)
	}
	s.views[d.root] = v
}

func (s *Snapshot) drop(d *Doc) {
	delete(s.docs, d.Key)
	if v := s.views[d.root]; v != nil {
		s.views[d.root] = v.overlay(s, d.rel, move{rel: d.rel, all: true})
	}
}

// buffer returns the document that stands for a file of a pack: the one changed
// last, when the file is open under two names.
func (s *Snapshot) buffer(root, rel string) *Doc {
	var found *Doc
	for _, d := range s.docs {
		if d.root == root && d.rel == rel && !d.Lost && (found == nil || d.seq > found.seq) {
			found = d
		}
	}
	return found
}
