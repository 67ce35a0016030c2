package unpack

import (
	"fmt"
	"os"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// Removal plans to take a pack out of the wiki again: its lines from index and
// pages, then its pages. A page in which the user wrote stays. Where nothing was
// edited, every file gets back the bytes it had.
func Removal(root *os.Root, slug string) (*Plan, error) {
	if !pack.ValidName(slug) {
		return nil, fmt.Errorf("%s is no name of a pack", fsx.Printable(slug))
	}
	plan := newPlan(slug)
	b := builder{w: wiki{root, &plan.left}, req: Request{Slug: slug}, plan: plan, head: &header{}, changed: map[string]*Edit{}}
	dir := pagesDir + "/" + slug
	own, unread, err := b.w.list(dir, nil)
	if err != nil {
		return nil, err
	}
	for _, name := range own {
		s, exists, err := b.w.read(name)
		if err != nil || !exists {
			b.plan.Pages = append(b.plan.Pages, Page{Path: name, Action: Failed, Note: fmt.Sprint(err)})
			continue
		}
		p, perr := readPage(s)
		if p == nil || p.mark.slug != slug {
			b.plan.Pages = append(b.plan.Pages, Page{Path: name, Action: Kept, Note: errForeign.Error()})
			continue
		}
		pg := Page{Path: name, File: p.mark.file, Action: Removed}
		switch {
		case perr != nil:
			pg.Action, pg.Note = Failed, perr.Error()
		case p.edited():
			pg.Action, pg.Note = Kept, "you wrote in the page"
		default:
			b.removal = append(b.removal, Edit{Path: name, old: s, exists: true, remove: true})
		}
		b.plan.Pages = append(b.plan.Pages, pg)
	}
	pages, more, err := b.w.list(".", func(p string) bool { return p == pagesDir })
	if err != nil {
		return nil, err
	}
	b.plan.Notes = append(append(b.plan.Notes, unread...), more...)
	for _, name := range pages {
		s, _, err := b.w.read(name)
		if err == nil {
			err = b.clear(name, s, func(it item) bool { return it.slug == slug })
		}
		if err != nil {
			b.plan.Notes = append(b.plan.Notes, fmt.Sprintf("%s: %v", fsx.Printable(name), err))
		}
	}
	b.finish()
	if e := b.changed[indexName]; e != nil {
		b.plan.Index = Replace
		if e.new == scaffold {
			b.plan.Index, b.plan.scaffolded = Removed, true
			for i := range b.plan.edits {
				if b.plan.edits[i].Path == indexName {
					b.plan.edits[i].remove = true
				}
			}
		}
	}
	b.plan.removal, b.plan.prune = true, true
	return b.plan, nil
}
