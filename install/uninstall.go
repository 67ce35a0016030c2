package install

import (
	"errors"
	"io/fs"
	"slices"
	"time"
)

// ErrNotInstalled says that a scope holds nothing of a pack.
var ErrNotInstalled = errors.New("not installed")

// Uninstall removes a pack from a scope: its blocks in every place where amp or
// the npm CLI may have written them, its folder and its metadata. Rules files
// get back the bytes they had. Files in the folder that the user changed or
// added are moved to a backup folder. Nothing at all of the pack being there is
// ErrNotInstalled.
func Uninstall(w Where, scope Scope, slug string, now time.Time) (_ *SiteResult, err error) {
	if err := CheckSlug(slug, scope); err != nil {
		return nil, err
	}
	s, err := openSite(scope, w)
	if err != nil {
		return nil, err
	}
	defer s.close()
	defer func() { err = s.in(err) }()
	s.sweepShells() // where nothing is installed, nobody else would
	if _, err := s.root.Lstat(ampDir); errors.Is(err, fs.ErrNotExist) && !s.anyBlock(slug) {
		return nil, ErrNotInstalled
	}
	if err := s.acquire(); err != nil {
		return nil, err
	}
	defer s.release()
	pl, old, err := newPlan(s, slug, now)
	if err != nil {
		return nil, err
	}
	defer pl.close()
	if err := pl.uninstall(old); err != nil {
		return nil, err
	}
	if !pl.changes() {
		return nil, ErrNotInstalled
	}
	if err := carryOut([]*plan{pl}, nil, nil); err != nil {
		return nil, err
	}
	r := pl.result()
	r.Warnings = slices.Concat(pl.warnings, s.warnings)
	return &r, nil
}

func (pl *plan) uninstall(old *Meta) error {
	j := &pl.journal
	j.Swap = pl.oldDir != nil
	if pl.oldDir != nil {
		now, err := scan(pl.oldDir)
		if err != nil {
			return err
		}
		pl.keepChanges(now, old, nil, nil)
	}
	recorded := map[string]HostRecord{}
	for _, r := range old.hosts(pl.site.scope) {
		recorded[r.File] = r
	}
	for _, h := range allPlaces(pl.site.scope, j.Slug) {
		r, known := recorded[h.file]
		if _, shared := pl.site.ofUser(h.file, j.Slug); shared && !known {
			continue // the block is that of user scope
		}
		t := hostTask{host: h, creators: old.creators(), recorded: r, known: known && old.Amp != nil}
		if c := pl.site.claimed(h.file, j.Slug); c != nil {
			if !known {
				continue
			}
			if err := pl.handOver(t, c); err != nil {
				return err
			}
			continue
		}
		// A place that was never recorded and cannot be read is none of ours.
		if err := pl.removeBlock(t); err != nil && (known || isBlockError(err)) {
			return err
		}
	}
	if old != nil && old.Amp != nil {
		for _, d := range old.Amp.Dirs {
			if ownDir(pl.site.scope, j.Slug, d) && !slices.Contains(j.Dirs, d) {
				j.Dirs = append(j.Dirs, d)
			}
		}
		slices.Sort(j.Dirs) // parents first
	}
	return nil
}

func isBlockError(err error) bool {
	var be *BlockError
	var fixed *fixedError
	return errors.As(err, &fixed) || errors.As(err, &be) && be.Line > 0
}

// anyBlock reports whether a block of the pack stands in any place.
func (s *site) anyBlock(slug string) bool {
	for _, h := range allPlaces(s.scope, slug) {
		if _, shared := s.ofUser(h.file, slug); shared {
			continue
		}
		text, ok, err := s.readRules(h.file)
		if err != nil || !ok {
			continue
		}
		if r, err := findBlock(h.file, text, localCreator, slug); r != nil || err != nil {
			return true
		}
	}
	return false
}
