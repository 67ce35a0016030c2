package unpack

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// A Request says what is to be filed.
type Request struct {
	Slug string // the pack's name in the wiki
	Pack *pack.Pack
	// Skip are capability files that must not be filed, by path, with the reason.
	Skip map[string]string
	// Withhold keeps the texts of manifest.json and agents.md out of the wiki.
	Withhold bool
	Links    []Link // asked for, in order
	// NoLinks leaves out the links that are found by their words.
	NoLinks bool
	// Prune also removes the pages of files that the pack no longer has.
	Prune bool
}

// A Link is a wikilink from a page of the wiki to the page of a capability file.
type Link struct {
	Page string `json:"page"` // relative to the wiki, with .md
	File string `json:"file"` // of the pack, in memory/
	// Why is "asked for", or the words that both are about.
	Why string `json:"why"`
	// Action is "add", "keep" or "skip".
	Action string `json:"action"`
	Note   string `json:"note,omitempty"`
}

// The actions of pages.
const (
	Create    = "create"
	Replace   = "replace"
	Unchanged = "unchanged"
	Skipped   = "skip"   // not filed, Note says why
	Failed    = "error"  // markers are missing or doubled, or the page can't be read
	Stale     = "stale"  // the pack no longer has the file
	Removed   = "remove" // of such a page, or of all with Remove
	Kept      = "keep"   // not removed, since the user wrote in it
)

// A Page is what is planned for one page.
type Page struct {
	Path   string `json:"path"` // relative to the wiki
	File   string `json:"file"` // of the pack, in memory/
	Action string `json:"action"`
	Lines  int    `json:"lines"` // that are new or go, for replace
	Note   string `json:"note,omitempty"`
}

// An Edit is one change of a file, for Apply.
type Edit struct {
	Path     string
	old, new string
	exists   bool
	remove   bool
}

// A Plan is what a run would do. Nothing of it has happened yet.
type Plan struct {
	Slug  string `json:"slug"`
	Pages []Page `json:"pages"`
	Links []Link `json:"links"`
	// Index is what happens to the wiki's index.md: create, replace, unchanged,
	// remove, or "" when no page is filed.
	Index string `json:"index"`
	// IndexLine is the pack's line in it.
	IndexLine string `json:"indexLine,omitempty"`
	// Cleared are the user's pages that lose lines of ours.
	Cleared []string `json:"cleared"`
	// Primitives are those on the pages, by type.
	Primitives map[string]int `json:"primitives"`
	Unfiled    Unfiled        `json:"unfiled"`
	Notes      []string       `json:"notes"`

	edits      []Edit
	left       []string // temporary files of a run that was killed
	unsettled  bool     // an earlier run failed to say that it is done
	removal    bool     // nothing is filed
	prune      bool     // remove folders that are empty at the end
	scaffolded bool     // the index was ours alone and goes
	newWiki    bool     // see NewWiki
	above      string
	stay       []string // folders of the user that were empty before amp, after Apply
}

// Unfiled counts what of the filed files is on no page.
type Unfiled struct {
	Blocks int `json:"blocks"` // of unknown types, or empty
	Lines  int `json:"lines"`  // that belong to no primitive
}

// Changes reports whether there is anything to do.
func (p *Plan) Changes() bool { return len(p.edits)+len(p.left) > 0 || p.unsettled }

// Failures is how many pages could not be planned.
func (p *Plan) Failures() (n int) {
	for _, pg := range p.Pages {
		if pg.Action == Failed {
			n++
		}
	}
	return n
}

// ErrFormat is returned for packs whose bodies no reader knows.
var ErrFormat = errors.New("this format cannot be read")

func newPlan(slug string) *Plan {
	return &Plan{Slug: slug, Pages: []Page{}, Links: []Link{}, Cleared: []string{}, Notes: []string{}, Primitives: map[string]int{}}
}

// New plans a run; root is the wiki's folder, nil when there is none. What is
// wrong with single pages is in the plan; an error means that there is none.
func New(root *os.Root, req Request) (*Plan, error) {
	if !pack.ValidName(req.Slug) {
		return nil, fmt.Errorf("%s is no name of a pack", fsx.Printable(req.Slug))
	}
	if req.Pack.Format == pack.FormatOther {
		return nil, fmt.Errorf("primitive_format %s: %w", fsx.Printable(req.Pack.FormatName()), ErrFormat)
	}
	plan := newPlan(req.Slug)
	b := builder{w: wiki{root, &plan.left}, req: req, plan: plan, head: newHeader(req.Slug, req.Pack, req.Withhold), made: map[string]*pack.File{}, changed: map[string]*Edit{}}
	if root != nil {
		f, err := b.w.readFolders()
		if err != nil {
			return nil, err
		}
		plan.unsettled = len(f.made) > 0
	}
	if err := b.pages(); err != nil {
		return nil, err
	}
	if err := b.stale(); err != nil {
		return nil, err
	}
	if err := b.links(); err != nil {
		return nil, err
	}
	if err := b.index(); err != nil {
		return nil, err
	}
	b.finish()
	return b.plan, nil
}

type builder struct {
	w    wiki
	req  Request
	plan *Plan
	head *header
	made map[string]*pack.File // the files that have a page after the run, by name
	// changed are the user's pages as they become; order keeps it deterministic.
	changed map[string]*Edit
	order   []string
	removal []Edit
}

// pagePath is where the page of a capability file stands.
func pagePath(slug, file string) string { return pagesDir + "/" + slug + "/" + stemOf(file) + ".md" }

func (b *builder) pages() error {
	taken := map[string]string{}
	for _, f := range b.req.Pack.Files {
		if path.Dir(f.Path) != pack.MemoryDir || f.Tree == nil && !pack.IsCapability(f.Path) {
			continue
		}
		name := f.Name()
		pg := Page{Path: pagePath(b.req.Slug, name), File: name, Action: Skipped}
		switch other := taken[strings.ToLower(pg.Path)]; {
		case b.req.Skip[f.Path] != "":
			pg.Note = b.req.Skip[f.Path]
		case f.Err != nil:
			pg.Note = f.Err.Error()
		case !f.Regular():
			pg.Note = "no plain file"
		case !utf8.ValidString(f.Text) || strings.IndexByte(f.Text, 0) >= 0:
			pg.Note = "the file is no text: it holds NUL or is not valid UTF-8"
		case !linkable(name):
			pg.Note = "the name cannot stand in a wikilink"
		case other != "":
			pg.Note = "its page would be that of " + other
		default:
			taken[strings.ToLower(pg.Path)] = name
			b.page(f, &pg)
		}
		if pg.Action == Skipped {
			// A page of an earlier run stays, and links to it stay good.
			if s, exists, err := b.w.read(pg.Path); err == nil && exists && b.ours(s, name) {
				b.made[name] = f
			}
		}
		b.plan.Pages = append(b.plan.Pages, pg)
	}
	return nil
}

func (b *builder) ours(s, file string) bool {
	p, _ := readPage(s)
	return p != nil && p.mark.slug == b.req.Slug && p.mark.file == file
}

// linkable reports whether a file's name can stand in a link, a path and a comment.
func linkable(name string) bool {
	if !pack.PlainName(name) || strings.HasPrefix(name, ".") || strings.Contains(name, "--") || strings.TrimSpace(stemOf(name)) != stemOf(name) {
		return false
	}
	return !strings.ContainsFunc(name, func(r rune) bool {
		return strings.ContainsRune("[]|#^<>\"'`*?%{}$", r) || !unicode.IsPrint(r)
	})
}

func (b *builder) page(f *pack.File, pg *Page) {
	sum := sha256.Sum256([]byte(f.Text))
	m := mark{b.req.Slug, f.Name(), hex.EncodeToString(sum[:])}
	old, exists, err := b.w.read(pg.Path)
	if err != nil {
		pg.Action, pg.Note = Failed, err.Error()
		return
	}
	region, n := b.head.region(f)
	if len(region)+len(old)+500 > MaxPage {
		pg.Note = fmt.Sprintf("its page would be larger than %d bytes", MaxPage)
		return
	}
	count := func() {
		b.made[f.Name()] = f
		for t, k := range n.types {
			if k > 0 {
				b.plan.Primitives[parser.Type(t).String()] += k
			}
		}
		b.plan.Unfiled.Blocks += n.blocks
		b.plan.Unfiled.Lines += n.lines
	}
	if !exists {
		count()
		pg.Action = Create
		b.plan.edits = append(b.plan.edits, Edit{Path: pg.Path, new: newPage(m, region)})
		return
	}
	p, err := readPage(old)
	switch {
	case errors.Is(err, errForeign) || p.mark.slug != m.slug || p.mark.file != m.file:
		pg.Note = errForeign.Error()
	case err != nil:
		b.made[f.Name()] = f
		pg.Action, pg.Note = Failed, err.Error()
	case p.mark.sum == m.sum && !p.outdated(region):
		count()
		pg.Action = Unchanged
	default:
		count()
		pg.Action = Replace
		var text string
		text, pg.Lines = p.update(m, region)
		b.plan.edits = append(b.plan.edits, Edit{Path: pg.Path, old: old, new: text, exists: true})
	}
}

// stale finds the pages of files that are no longer in the pack.
func (b *builder) stale() error {
	dir := pagesDir + "/" + b.req.Slug
	pages, unread, err := b.w.list(dir, nil)
	if err != nil {
		return err
	}
	b.plan.Notes = append(b.plan.Notes, unread...)
	here := map[string]bool{}
	for _, pg := range b.plan.Pages {
		here[pg.File] = true
	}
	for _, name := range pages {
		s, exists, err := b.w.read(name)
		if err != nil || !exists {
			continue
		}
		p, perr := readPage(s)
		if p == nil || p.mark.slug != b.req.Slug || here[p.mark.file] || name != pagePath(b.req.Slug, p.mark.file) {
			continue
		}
		pg := Page{Path: name, File: p.mark.file, Action: Stale, Note: "the pack no longer has this file"}
		switch {
		case !b.req.Prune:
		case perr != nil:
			pg.Action, pg.Note = Failed, perr.Error()
		case p.edited():
			pg.Action, pg.Note = Kept, "the pack no longer has this file, but you wrote in its page"
		default:
			pg.Action = Removed
			b.removal = append(b.removal, Edit{Path: name, old: s, exists: true, remove: true})
		}
		b.plan.Pages = append(b.plan.Pages, pg)
	}
	return nil
}

// edit changes a page of the user's, in memory.
func (b *builder) edit(name string, change func(string) (string, error)) error {
	e := b.changed[name]
	if e == nil {
		s, exists, err := b.w.read(name)
		if err != nil {
			return err
		}
		e = &Edit{Path: name, old: s, new: s, exists: exists}
		b.changed[name] = e
		b.order = append(b.order, name)
	}
	s, err := change(e.new)
	if err == nil {
		e.new = s
	}
	return err
}

// index writes the pack's line in the index.
func (b *builder) index() error {
	file := pack.PrinciplesName
	if b.made[file] == nil {
		file = ""
		for _, pg := range b.plan.Pages {
			if b.made[pg.File] != nil {
				file = pg.File
				break
			}
		}
	}
	if file == "" {
		return nil
	}
	target := pagesDir + "/" + b.req.Slug + "/" + stemOf(file)
	title := alias(b.head.title)
	if title == "" {
		title = b.req.Slug
	}
	written := "- [[" + target + "|" + title + "]]"
	if _, what := b.head.always(file); what != "" {
		written += " — " + escape(what)
	}
	written += " " + lineMark(b.req.Slug)
	b.plan.IndexLine = written
	before, exists, err := b.w.read(indexName)
	if err == nil {
		err = b.edit(indexName, func(s string) (string, error) {
			if !exists {
				s = scaffold
			}
			return put(s, indexTitle, item{slug: b.req.Slug}, written, func(it item) bool { return it.slug == b.req.Slug })
		})
	}
	if err != nil {
		return fmt.Errorf("%s: %w", indexName, err)
	}
	switch {
	case !exists:
		b.plan.Index = Create
	case b.changed[indexName].new != before:
		b.plan.Index = Replace
	default:
		b.plan.Index = Unchanged
	}
	return nil
}

// finish orders the changes: pages, links, index, removals. A run that is cut
// short at any point leaves no link without its page.
func (b *builder) finish() {
	slices.Sort(b.order)
	last := func(name string) bool { return name == indexName }
	for _, wantIndex := range []bool{false, true} {
		for _, name := range b.order {
			if e := b.changed[name]; last(name) == wantIndex && (e.new != e.old || !e.exists) {
				b.plan.edits = append(b.plan.edits, *e)
			}
		}
	}
	b.plan.edits = append(b.plan.edits, b.removal...)
	b.plan.prune = len(b.removal) > 0
	for i := range b.plan.edits {
		if e := &b.plan.edits[i]; e.exists && fsx.Names(b.w.root, e.Path) > 1 {
			b.plan.Notes = append(b.plan.Notes, fsx.Printable(e.Path)+": "+fsx.LinkedNote)
		}
	}
	for _, name := range b.plan.left {
		b.plan.Notes = append(b.plan.Notes, fsx.Printable(name)+": left over by a run that was ended in between, it is removed")
	}
	for _, u := range b.head.unfit {
		b.plan.Notes = append(b.plan.Notes, "agents.md: left out, since it points out of the pack: "+fsx.Printable(u))
	}
}

// Apply makes the changes of the plan. Each file is replaced in one step, and only
// while it is still the one that was planned for; the error names it.
//
// What replaced pages could not keep of their attributes is returned, and noted in
// the plan.
func (p *Plan) Apply(root *os.Root) (warnings []string, err error) {
	w := wiki{root: root}
	defer func() { p.Notes = append(p.Notes, warnings...) }()
	if !p.removal {
		if err := w.claim(p); err != nil {
			return nil, err
		}
	}
	defer func() {
		var perr error
		p.stay, perr = w.prune(p)
		err = cmp.Or(err, perr)
	}()
	for _, name := range p.left {
		if err := w.drop(name); err != nil {
			return nil, fmt.Errorf("%s: %w", fsx.Printable(name), err)
		}
	}
	for i := range p.edits {
		lost := func(what string) { warnings = append(warnings, fsx.Printable(p.edits[i].Path)+": "+what) }
		if err := w.apply(&p.edits[i], lost); err != nil {
			return warnings, fmt.Errorf("%s: %w", fsx.Printable(p.edits[i].Path), err)
		}
	}
	return warnings, nil
}

// NewWiki says, before Apply, that the wiki's folder was made for it. above is a
// folder above it ("..", "../..") that was there and empty, or "".
func (p *Plan) NewWiki(above string) { p.newWiki, p.above = true, above }

// Stays reports, after Apply, whether an empty folder, relative to the wiki, was
// there before amp filed something in it.
func (p *Plan) Stays(folder string) bool { return slices.Contains(p.stay, folder) }

// Scaffolded reports whether a removal took away an index that held nothing but
// what this package had put into a new wiki.
func (p *Plan) Scaffolded() bool { return p.scaffolded }
