package session

import (
	"context"
	"slices"
	"time"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// Some pack rules read every block of a pack, and those against poisoned memory
// put its whole text together, which takes much longer than a keystroke may. They
// run in the background, when the user pauses. Until then their last findings
// stand where the text has moved them; one whose text has been edited is gone
// until they have run again.

// slowRule tells the pack rules that are put off: their cost grows with the pack.
func slowRule(r *analysis.Rule) bool {
	if r.Pack == nil {
		return false
	}
	return r.Security || r.Slug == "duplicate-primitive" || r.Slug == "illustrates-unmatched"
}

// fastRule tells the pack rules that run with every change.
func fastRule(r *analysis.Rule) bool { return !slowRule(r) }

const (
	// slowQuiet is how long a pack must rest before its slow rules run.
	slowQuiet = 75 * time.Millisecond
	// slowQuietMax bounds the rest that packs need whose rules take long.
	slowQuietMax = 10 * time.Second
	// maxPoison is the size of a pack, in bytes of its capability files, up to
	// which the rules against poisoned memory run here. Putting parts together
	// takes more than linear time; beyond it they are amp-lint's alone.
	maxPoison = 2 << 20
)

// slowRules tells which of the slow rules run on a pack.
func slowRules(p *pack.Pack) func(*analysis.Rule) bool {
	small := size(p) <= maxPoison
	return func(r *analysis.Rule) bool { return slowRule(r) && (small || !r.Security) }
}

// size is that of a pack's capability files, in bytes.
func size(p *pack.Pack) (n int) {
	for _, f := range p.Files {
		if f.Tree != nil {
			n += f.Tree.Len()
		}
	}
	return n
}

// move is an edit of one file, by which findings made before it are moved.
type move struct {
	seq  uint64 // of the view that it led to
	rel  string
	span text.Span // replaced
	size int       // of what replaced it
	all  bool      // the file changed altogether
}

// slowState is what the slow rules said last, with what has changed since. Views
// of a pack share it; mu is that of memo.
type slowState struct {
	seq   uint64 // of the newest view
	moves []move // since base
	base  uint64 // of the view that the slow rules ran on
}

// maxMoves bounds the edits that are remembered while the slow rules run. Beyond
// it their findings are dropped and made anew.
const maxMoves = 4096

// moved gives a view its place in the order, and the slow findings of the view
// before, moved by an edit.
func (v *View) moved(from *View, m move) {
	v.memo.mu.Lock()
	defer v.memo.mu.Unlock()
	s := &v.memo.slow
	s.seq++
	v.seq, m.seq = s.seq, s.seq
	if len(s.moves) < maxMoves {
		s.moves = append(s.moves, m)
	} else {
		m.all = true
		s.moves[len(s.moves)-1] = m
	}
	v.slow = moveAll(from.slow, m)
	v.slowDue = true
}

// moveAll moves findings by an edit and drops those that it touches.
func moveAll(ds []analysis.Diagnostic, m move) []analysis.Diagnostic {
	if len(ds) == 0 {
		return nil
	}
	out := make([]analysis.Diagnostic, 0, len(ds))
	for _, d := range ds {
		if moveOne(&d, m) {
			out = append(out, d)
		}
	}
	return out
}

func moveOne(d *analysis.Diagnostic, m move) bool {
	if d.Path == m.rel {
		if !moveSpan(&d.Span, m) {
			return false
		}
		d.Unit = 0 // its line is not known without the text; the rules will say
	}
	d.Related = slices.Clone(d.Related)
	for i := range d.Related {
		if r := &d.Related[i]; r.Path == m.rel && !moveSpan(&r.Span, m) {
			return false
		}
	}
	kept := d.Fixes[:0:0]
	for _, fix := range d.Fixes {
		fix.Edits = slices.Clone(fix.Edits)
		ok := true
		for i := range fix.Edits {
			if e := &fix.Edits[i]; e.Path == m.rel && !moveSpan(&e.Span, m) {
				ok = false
			}
		}
		if ok {
			kept = append(kept, fix)
		}
	}
	d.Fixes = kept
	return true
}

// moveSpan moves a span that an edit does not touch.
func moveSpan(s *text.Span, m move) bool {
	switch {
	case m.all:
		return false
	case s.End < m.span.Start:
		return true
	case s.Start < m.span.End || s.Start == m.span.Start && s.Len() > 0 && m.span.Len() == 0:
		return false
	}
	by := m.size - m.span.Len()
	s.Start += by
	s.End += by
	return true
}

// Settle runs the slow rules of packs that rest, until ctx ends.
func (s *Session) Settle(ctx context.Context) {
	last := map[string]time.Duration{}
	for ctx.Err() == nil {
		snap, changed := s.Changed()
		v := due(snap)
		if v == nil {
			select {
			case <-changed:
				continue
			case <-ctx.Done():
				return
			}
		}
		if !rest(ctx, s, v, min(slowQuietMax, max(slowQuiet, 2*last[v.Root]))) {
			continue
		}
		start := time.Now()
		found := v.runner.PackOnly(v.Pack, slowRules(v.Pack))
		last[v.Root] = time.Since(start)
		s.found(v, found)
	}
}

// due returns a pack whose slow rules have to run; one that was edited last comes
// first.
func due(snap *Snapshot) *View {
	var found *View
	for _, v := range snap.views {
		if v.slowDue && (found == nil || v.seq > found.seq) {
			found = v
		}
	}
	return found
}

// rest waits until a pack has not changed for a while. It returns false when it
// changes before, or ctx ends.
func rest(ctx context.Context, s *Session, v *View, quiet time.Duration) bool {
	if len(v.buffers) == 0 {
		quiet = 0 // nobody types here
	}
	timer := time.NewTimer(quiet)
	defer timer.Stop()
	for {
		snap, changed := s.Changed()
		if cur := snap.views[v.Root]; cur == nil || cur.Pack != v.Pack {
			return false
		}
		select {
		case <-changed:
		case <-timer.C:
			return true
		case <-ctx.Done():
			return false
		}
	}
}

// found stores what the slow rules said of a view. Edits that came while they
// ran move it.
func (s *Session) found(v *View, ds []analysis.Diagnostic) {
	s.mu.Lock()
	defer s.mu.Unlock()
	cur := s.snap.Load().views[v.Root]
	if cur == nil || cur.memo != v.memo {
		return
	}
	v.memo.mu.Lock()
	slow := &v.memo.slow
	if v.seq < slow.base {
		v.memo.mu.Unlock()
		return
	}
	for _, m := range slow.moves {
		if m.seq > v.seq && m.seq <= cur.seq {
			ds = moveAll(ds, m)
		}
	}
	slow.base = v.seq
	slow.moves = slices.DeleteFunc(slow.moves, func(m move) bool { return m.seq <= v.seq })
	v.memo.mu.Unlock()

	s.update(func(next *Snapshot) {
		c := cur.copy()
		c.slow = ds
		c.slowDue = cur.Pack != v.Pack
		next.views[v.Root] = c
	})
}

// Complete reports whether every rule has run on the view as it is.
func (v *View) Complete() bool { return !v.slowDue }

// Completed waits until the slow rules have run on a pack as it is now.
func (s *Session) Completed(ctx context.Context, root string) *Snapshot {
	return s.await(ctx, func(snap *Snapshot) bool {
		v := snap.views[root]
		return v == nil || v.Complete()
	})
}

// slowOf judges a pack by the slow rules at once, for a text that is in no
// snapshot.
func slowOf(r *analysis.Runner, p *pack.Pack) []analysis.Diagnostic {
	return r.PackOnly(p, slowRules(p))
}
