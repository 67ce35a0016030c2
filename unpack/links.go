package unpack

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// MaxLinks is how many pages link to one capability file.
const MaxLinks = 5

// Asked is why a link is made that the user named.
const Asked = "asked for"

// links plans the wikilinks: those that were asked for, then those whose page is
// literally about what the file is about.
func (b *builder) links() error {
	pages, unread, err := b.w.list(".", func(p string) bool { return p == pagesDir })
	if err != nil {
		return err
	}
	b.plan.Notes = append(b.plan.Notes, unread...)
	var subjects map[string][]string // words -> files
	if !b.req.NoLinks {
		subjects = b.subjects()
	}
	gone := map[item]bool{}
	for _, e := range b.removal {
		gone[item{b.req.Slug, stemOf(path.Base(e.Path))}] = true
	}
	var found []Link
	have := map[item][]string{} // pages that link to a file of the pack
	for _, name := range pages {
		s, _, err := b.w.read(name)
		if err != nil {
			b.plan.Notes = append(b.plan.Notes, fmt.Sprintf("%s: %v", fsx.Printable(name), err))
			continue
		}
		if err := b.clear(name, s, func(it item) bool { return gone[it] }); err != nil {
			return err
		}
		if name == indexName {
			continue
		}
		lines, _ := split(s)
		for _, l := range lines {
			if it, ok := l.item(); ok && it.slug == b.req.Slug {
				have[it] = append(have[it], name)
			}
		}
		for _, words := range about(name, lines) {
			for _, file := range subjects[words] {
				found = append(found, Link{Page: name, File: file, Why: words})
			}
		}
	}
	done := map[[2]string]bool{}
	for _, l := range b.req.Links {
		l.Page, l.File, l.Why = withMD(l.Page), withMD(l.File), Asked
		switch key := [2]string{l.Page, l.File}; {
		case done[key]:
			continue
		case b.made[l.File] == nil:
			l.Action, l.Note = Skipped, "the pack has no page for this file"
		case !slices.Contains(pages, l.Page):
			l.Action, l.Note = Skipped, "the wiki has no such page"
		default:
			b.link(&l, have)
			done[key] = true
		}
		b.plan.Links = append(b.plan.Links, l)
	}
	for _, l := range found {
		if key := [2]string{l.Page, l.File}; !done[key] {
			done[key] = true
			b.link(&l, have)
			b.plan.Links = append(b.plan.Links, l)
		}
	}
	return nil
}

func withMD(s string) string {
	s = path.Clean(strings.TrimPrefix(s, "./"))
	if !strings.HasSuffix(s, ".md") {
		s += ".md"
	}
	return s
}

// link plans one line, unless the file has as many as it may have.
func (b *builder) link(l *Link, have map[item][]string) {
	it := item{b.req.Slug, stemOf(l.File)}
	if slices.Contains(have[it], l.Page) {
		l.Action = Kept
		return
	}
	if len(have[it]) >= MaxLinks {
		l.Action, l.Note = Skipped, fmt.Sprintf("%d pages link to the file already", MaxLinks)
		return
	}
	written := "- [[" + pagesDir + "/" + it.slug + "/" + it.stem + "]] " + lineMark(it.slug)
	err := b.edit(l.Page, func(s string) (string, error) {
		return put(s, seeAlso, it, written, func(o item) bool { return o == it })
	})
	if err != nil {
		l.Action, l.Note = Skipped, err.Error()
		return
	}
	have[it] = append(have[it], l.Page)
	l.Action = "add"
}

// clear takes lines of ours out of a page of the user's.
func (b *builder) clear(name, s string, mine func(item) bool) error {
	if drop(s, mine) == s {
		return nil
	}
	b.plan.Cleared = append(b.plan.Cleared, name)
	return b.edit(name, func(s string) (string, error) { return drop(s, mine), nil })
}

// subjects are what the capability files are about: the parts of applies_to, and
// the titles of the sources in the legend.
func (b *builder) subjects() map[string][]string {
	out := map[string][]string{}
	for _, pg := range b.plan.Pages {
		f := b.made[pg.File]
		if f == nil || f.Tree == nil {
			continue
		}
		add := func(s string) {
			if w := normal(s); len(w) >= 3 && !slices.Contains(out[w], pg.File) {
				out[w] = append(out[w], pg.File)
			}
		}
		for it := range f.Tree.All() {
			switch it.Kind() {
			case parser.Frontmatter:
				if e := pack.ParseFrontmatter(it.Block).Entry("applies_to"); e != nil && e.Kind == pack.Scalar {
					add(e.Value)
					for part := range strings.FieldsFuncSeq(e.Value, func(r rune) bool { return r == ',' || r == ';' }) {
						add(part)
						for half := range strings.SplitSeq(part, " and ") {
							add(half)
						}
					}
				}
			case parser.Legend:
				es, _ := it.LegendEntries()
				for _, e := range es {
					add(e.Title)
				}
			}
		}
	}
	return out
}

// about is what a page of the wiki is about: its file's name and its first heading.
func about(name string, lines []line) []string {
	out := []string{normal(stemOf(path.Base(name)))}
	for _, l := range lines {
		if n, title := l.heading(); n == 1 {
			if w := normal(title); w != out[0] {
				out = append(out, w)
			}
			break
		}
	}
	return out
}

// normal makes words comparable: lower case, white space, hyphens and underscores
// alike, a leading article or conjunction left out.
func normal(s string) string {
	s = strings.TrimPrefix(s, text.BOM)
	words := strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return unicode.IsSpace(r) || r == '-' || r == '_' })
	for len(words) > 1 && (words[0] == "the" || words[0] == "a" || words[0] == "an" || words[0] == "and") {
		words = words[1:]
	}
	return strings.Trim(strings.Join(words, " "), ".:!?*`\"'")
}
