package unpack

import (
	"errors"
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// The marks of a page. The first line tells whose page it is and which text it was
// made from; what stands between the other two is replaced by an update.
const (
	startMark = "<!-- amp-unpack:start -->"
	endMark   = "<!-- amp-unpack:end -->"
	notes     = "## Notes"

	// origin opens the line that tells where a page comes from.
	origin = "From the pack **"
)

// A mark is the comment in a page's first line.
type mark struct {
	slug, file, sum string // sum is the SHA-256 of the capability file, hex
}

func (m mark) String() string {
	return "<!-- amp-unpack: " + m.slug + " " + m.file + " sha256:" + m.sum + " -->"
}

func parseMark(s string) (m mark, ok bool) {
	s, ok = strings.CutPrefix(strings.TrimRight(s, " \t"), "<!-- amp-unpack: ")
	if !ok {
		return m, false
	}
	if s, ok = strings.CutSuffix(s, " -->"); !ok {
		return m, false
	}
	i := strings.LastIndex(s, " sha256:")
	if i < 0 {
		return m, false
	}
	m.sum = s[i+len(" sha256:"):]
	m.slug, m.file, ok = strings.Cut(s[:i], " ")
	return m, ok && len(m.sum) == 64 && strings.Trim(m.sum, "0123456789abcdef") == "" && pack.ValidName(m.slug)
}

// A page is a page of ours as it stands in the wiki.
type page struct {
	lines []line
	mark  mark
	// start and end are the lines of the marks around what is replaced.
	start, end int
}

// errForeign marks a page that the user made.
var errForeign = errors.New("the page is not one of amp unpack's, it is left alone")

func readPage(s string) (*page, error) {
	p := &page{start: -1, end: -1}
	p.lines, _ = split(s)
	if len(p.lines) == 0 {
		return nil, errForeign
	}
	var ok bool
	if p.mark, ok = parseMark(strings.TrimPrefix(p.lines[0].text, text.BOM)); !ok {
		return nil, errForeign
	}
	for i, l := range p.lines {
		at := &p.start
		switch strings.TrimRight(l.text, " \t") {
		case startMark:
		case endMark:
			at = &p.end
		default:
			continue
		}
		if *at >= 0 {
			return p, fmt.Errorf("line %d: the marker %s stands here for the second time, first in line %d", i+1, l.text, *at+1)
		}
		*at = i
	}
	switch {
	case p.start < 0:
		return p, fmt.Errorf("line 1: the page has no marker %s", startMark)
	case p.end < 0:
		return p, fmt.Errorf("line %d: there is no marker %s behind this one", p.start+1, endMark)
	case p.end < p.start:
		return p, fmt.Errorf("line %d: the end marker stands before the start marker in line %d", p.end+1, p.start+1)
	}
	return p, nil
}

// newPage is the whole text of a page.
func newPage(m mark, region string) string {
	return m.String() + "\n" + startMark + "\n" + region + endMark + "\n\n" + notes + "\n"
}

// update replaces the hash and what stands between the marks, in the line breaks
// of the page. changed is how many lines are not the same afterwards.
func (p *page) update(m mark, region string) (out string, changed int) {
	nl := text.Newline(join(p.lines))
	var b strings.Builder
	first := p.lines[0]
	if strings.HasPrefix(first.text, text.BOM) {
		b.WriteString(text.BOM)
	}
	b.WriteString(m.String() + first.nl)
	b.WriteString(join(p.lines[1 : p.start+1]))
	old := map[string]int{}
	for _, l := range p.lines[p.start+1 : p.end] {
		old[l.text]++
	}
	for l := range strings.Lines(region) {
		l = strings.TrimSuffix(l, "\n")
		b.WriteString(l + nl)
		if old[l] > 0 {
			old[l]--
		} else {
			changed++
		}
	}
	for _, n := range old {
		changed += n
	}
	b.WriteString(join(p.lines[p.end:]))
	return b.String(), changed
}

// outdated reports whether a page of the same file only misses what the pack says
// about it elsewhere: title and route. A page in which anything else differs was
// changed by its user, and waits for the next change of the file; the version is the
// one that the text came with.
func (p *page) outdated(region string) bool {
	now := p.lines[p.start+1 : p.end]
	differs, n := false, 0
	for l := range strings.Lines(region) {
		l = strings.TrimSuffix(l, "\n")
		switch {
		case n == len(now):
			return false
		case now[n].text == l:
		case !strings.HasPrefix(l, origin) || !strings.HasPrefix(now[n].text, origin) || differs:
			return false
		default:
			differs = unversioned(now[n].text) != unversioned(l)
		}
		n++
	}
	return differs && n == len(now)
}

// unversioned takes the version out of a line that tells where a page comes from.
func unversioned(l string) string {
	title, rest, ok := strings.Cut(l, "**, version ")
	if !ok {
		return strings.Replace(l, "**. ", "**.", 1)
	}
	if i := strings.Index(rest, ". "); i >= 0 {
		return title + "**." + rest[i+2:]
	}
	return title + "**."
}

// edited reports whether the user wrote something around the marks.
func (p *page) edited() bool {
	for i, l := range p.lines {
		if i == 0 || i >= p.start && i <= p.end || l.blank() {
			continue
		}
		if i < p.start || strings.TrimSpace(l.text) != notes {
			return true
		}
	}
	return false
}
