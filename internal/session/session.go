package session

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
)

// Env is what a session needs from outside.
type Env struct {
	// Registry holds the rules.
	Registry *analysis.Registry
	// Verify checks the signature of the signed pack in a folder. It reads
	// files; nil means that signatures are not checked.
	Verify func(root string) Signature
	// Policy returns how the pack in a folder is to be judged, from
	// configuration files. It reads files; nil means as the rules say.
	Policy func(root string) Rules
	// Log receives what goes wrong while reading, for the log.
	Log func(format string, args ...any)
}

// Rules are how the packs of a project are judged.
type Rules struct {
	Filter analysis.Filter // weighs findings; nil keeps them as they are
	Enable []string        // rules that are off by default and wanted
}

// Signature is what is known about the signature of a pack.
type Signature struct {
	State       pack.SignatureState
	Word        string // for status displays; see docs/lsp-extensions.md
	Fingerprint string // of the key it holds under, "" when it holds under none
	Message     string // one sentence for people
}

// The words of Signature.Word.
const (
	Unsigned        = "unsigned"
	Valid           = "valid"
	IntactUntrusted = "intact-untrusted"
	Stale           = "stale"
	Invalid         = "invalid"
)

// Snapshot is the immutable state of a session at one moment.
type Snapshot struct {
	// ID counts the changes of the session.
	ID    uint64
	docs  map[string]*Doc
	views map[string]*View
	// scanned is set once all folders have been looked through.
	scanned bool
}

// Doc returns the open document with the canonical URI, or nil.
func (s *Snapshot) Doc(key string) *Doc { return s.docs[key] }

// Docs returns the open documents, ordered by canonical URI.
func (s *Snapshot) Docs() []*Doc {
	return slices.SortedFunc(maps.Values(s.docs), func(a, b *Doc) int { return strings.Compare(a.Key, b.Key) })
}

// Views returns the packs, ordered by folder.
func (s *Snapshot) Views() []*View {
	return slices.SortedFunc(maps.Values(s.views), func(a, b *View) int { return strings.Compare(a.Root, b.Root) })
}

// View returns the pack that a document belongs to, or nil.
func (s *Snapshot) View(d *Doc) *View {
	if d == nil || d.root == "" {
		return nil
	}
	return s.views[d.root]
}

// ViewAt returns the pack with the given folder, or the one that holds the
// given path, or nil.
func (s *Snapshot) ViewAt(path string) *View {
	if v := s.views[path]; v != nil {
		return v
	}
	var found *View
	for _, v := range s.views {
		if _, ok := v.rel(path); ok && (found == nil || len(v.Root) > len(found.Root)) {
			found = v
		}
	}
	return found
}

// File returns the pack that holds the file with an absolute path, and the path
// in that pack.
func (s *Snapshot) File(path string) (*View, string) {
	for _, p := range []string{path, ""} {
		if p == "" {
			p = realPath(path)
		}
		if v := s.ViewAt(p); v != nil {
			if rel, ok := v.rel(p); ok {
				return v, rel
			}
		}
	}
	return nil, ""
}

// Scanned reports whether all folders have been looked through for packs.
func (s *Snapshot) Scanned() bool { return s.scanned }

func (s *Snapshot) next() *Snapshot {
	return &Snapshot{ID: s.ID + 1, docs: maps.Clone(s.docs), views: maps.Clone(s.views), scanned: s.scanned}
}

// Session is the mutable state. Its methods may be called from any goroutine.
type Session struct {
	env  Env
	snap atomic.Pointer[Snapshot]

	mu      sync.Mutex
	changed chan struct{} // closed and replaced at each change
	seq     uint64        // orders changes of documents
	work    work

	runnersMu sync.Mutex
	runners   map[string]*analysis.Runner // by the rules they have besides the usual ones
	fixer     *analysis.Runner
}

// New returns an empty session.
func New(env Env) *Session {
	if env.Log == nil {
		env.Log = func(string, ...any) {}
	}
	s := &Session{env: env, changed: make(chan struct{}), work: newWork()}
	s.snap.Store(&Snapshot{docs: map[string]*Doc{}, views: map[string]*View{}})
	return s
}

// runner returns the runner for a set of rules that are off by default. One
// runner for everybody would let a rule that only one project wants slow down
// all others.
func (s *Session) runner(enable []string) *analysis.Runner {
	enable = slices.Clone(enable)
	slices.Sort(enable)
	enable = slices.Compact(enable)
	key := strings.Join(enable, " ")
	s.runnersMu.Lock()
	defer s.runnersMu.Unlock()
	if s.runners[key] == nil {
		if s.runners == nil {
			s.runners = map[string]*analysis.Runner{}
		}
		s.runners[key] = analysis.NewRunner(s.env.Registry, enable...)
	}
	return s.runners[key]
}

// Fixer returns a runner without the slow rules, for fixes that judge a pack
// again and again until nothing is left to mend. Those rules have no fix that may
// be applied unseen.
func (s *Session) Fixer() *analysis.Runner {
	s.runnersMu.Lock()
	defer s.runnersMu.Unlock()
	if s.fixer == nil {
		var fast []*analysis.Rule
		for _, r := range s.env.Registry.Rules {
			if fastRule(r) {
				fast = append(fast, r)
			}
		}
		s.fixer = analysis.NewRunner(analysis.NewRegistry(fast...))
	}
	return s.fixer
}

// Runner judges documents outside of packs.
func (s *Session) Runner() *analysis.Runner { return s.runner(nil) }

// Snapshot returns the current state.
func (s *Session) Snapshot() *Snapshot { return s.snap.Load() }

// Changed returns the current state and a channel that is closed when it is no
// longer current.
func (s *Session) Changed() (*Snapshot, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.snap.Load(), s.changed
}

// update makes the next state. The caller holds mu.
func (s *Session) update(f func(*Snapshot)) *Snapshot {
	next := s.snap.Load().next()
	f(next)
	s.snap.Store(next)
	close(s.changed)
	s.changed = make(chan struct{})
	return next
}

// A Moment is a place in the order of the messages: the state there, and which
// of the work with the disk that was asked for before is not done yet.
type Moment struct {
	snap    *Snapshot
	asked   uint64
	settled bool // nothing is left to do
}

// Now returns the present moment.
func (s *Session) Now() Moment {
	s.work.mu.Lock()
	m := Moment{asked: s.work.asked, settled: s.work.served >= s.work.asked}
	s.work.mu.Unlock()
	m.snap = s.Snapshot() // after: what has been served is in it
	return m
}

// Snapshot is the state at the moment, whatever waits for the disk.
func (m Moment) Snapshot() *Snapshot { return m.snap }

// Settled reports whether nothing waited for the disk.
func (m Moment) Settled() bool { return m.settled }

// Scanned reports whether, besides, all folders had been looked through.
func (m Moment) Scanned() bool { return m.settled && m.snap.scanned }

// Settled returns the state at a moment once the work with the disk that was
// asked for before it is done: a document whose pack is not known yet, or a file
// that is said to have changed, would make an answer wrong as soon as it is
// given. Texts of open documents are those of the moment, however long it takes;
// files and packs are as they were found meanwhile.
func (s *Session) Settled(ctx context.Context, m Moment) *Snapshot {
	if m.settled {
		return m.snap
	}
	s.await(ctx, func(*Snapshot) bool { return s.served(m) })
	return s.rebase(m.snap, s.Snapshot()) // after: what has been served is in it
}

// AllSettled is Settled that waits until every folder has been looked through as
// well.
func (s *Session) AllSettled(ctx context.Context, m Moment) *Snapshot {
	if m.Scanned() {
		return m.snap
	}
	s.await(ctx, func(now *Snapshot) bool { return now.scanned && s.served(m) })
	return s.rebase(m.snap, s.Snapshot())
}

func (s *Session) served(m Moment) bool {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	return s.work.served >= m.asked
}

func (s *Session) await(ctx context.Context, ok func(*Snapshot) bool) *Snapshot {
	for {
		snap, changed := s.Changed()
		if ok(snap) {
			return snap
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return snap
		}
	}
}
