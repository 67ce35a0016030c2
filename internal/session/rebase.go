package session

import "maps"

// rebase returns a state with the documents of an earlier one over the packs of
// the present one.
func (s *Session) rebase(then, now *Snapshot) *Snapshot {
	if then == now {
		return now
	}
	next := &Snapshot{ID: now.ID, docs: make(map[string]*Doc, len(then.docs)), views: maps.Clone(now.views), scanned: now.scanned}
	changed := map[string]map[string]bool{} // files with another document over them than now, by pack
	note := func(d *Doc) {
		if d.root == "" {
			return
		}
		if changed[d.root] == nil {
			changed[d.root] = map[string]bool{}
		}
		changed[d.root][d.rel] = true
	}
	for key, d := range then.docs {
		cur := now.docs[key]
		if cur != nil && cur.says(d) {
			next.docs[key] = cur
			continue
		}
		d = d.placed(cur, now)
		next.docs[key] = d
		note(d)
	}
	for key, d := range now.docs {
		if next.docs[key] != d {
			note(d)
		}
	}
	for root, files := range changed {
		if v := now.views[root]; v != nil {
			next.views[root] = v.rebased(then.views[root], next, files)
		}
	}
	return next
}

// says reports whether a document is the same as an earlier one for every reader.
func (d *Doc) says(old *Doc) bool {
	return d == old || d.Tree == old.Tree && d.Version == old.Version && d.Lost == old.Lost &&
		d.URI == old.URI && d.Language == old.Language
}

// placed returns an earlier document with the pack that it belongs to now. cur
// is the document with the same URI now, nil when it has been closed.
func (d *Doc) placed(cur *Doc, now *Snapshot) *Doc {
	c := *d
	switch {
	case cur != nil && !cur.Pending:
		c.Pending, c.root, c.rel = false, cur.root, cur.rel
	case d.Path != "" && (d.Pending || now.views[d.root] == nil):
		c.Pending, c.root, c.rel = false, "", ""
		if v, rel := now.File(d.Path); v != nil && rel != "" {
			c.root, c.rel = v.Root, rel
		}
	}
	return &c
}

// rebased returns a view of now with the documents of s over some files. then is
// the view of the same pack when those documents were current, or nil. The
// outcome is no part of the order of views: what is remembered with that order
// is left alone.
func (v *View) rebased(then *View, s *Snapshot, files map[string]bool) *View {
	c := v.copy()
	v.memo.mu.Lock()
	c.memo = &memo{files: maps.Clone(v.memo.files)}
	v.memo.mu.Unlock()
	for rel := range files {
		c = c.overlay(s, rel, move{rel: rel, all: true})
	}
	if then == nil {
		return c
	}
	// What the slow rules said of these texts when they were current.
	for _, d := range then.slow {
		if files[d.Path] && sameText(then, c, d.Path) {
			c.slow = append(c.slow, d)
		}
	}
	return c
}

func sameText(a, b *View, rel string) bool {
	x, y := a.Pack.File(rel), b.Pack.File(rel)
	return x != nil && y != nil && x.Tree == y.Tree && x.Text == y.Text
}
