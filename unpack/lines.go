package unpack

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/parser/text"
)

// A line is one line of a wiki's page with its break.
type line struct {
	text, nl string
	// inert lines belong to frontmatter, a code block or a comment: nothing in
	// them is a heading or a list item.
	inert bool
}

// split cuts a page into lines. open tells that it ends inside a code block or a
// comment, behind which nothing can be added.
func split(s string) (lines []line, open bool) {
	var sc blockScan
	for at := 0; at < len(s); {
		end, next := text.LineEnd(s, at)
		l := line{text: s[at:end], nl: s[end:next]}
		if at == 0 {
			l.inert = sc.first(strings.TrimPrefix(l.text, text.BOM))
		} else {
			l.inert = sc.next(l.text)
		}
		lines = append(lines, l)
		at = next
	}
	return lines, sc.until != ""
}

func join(lines []line) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString(l.text)
		b.WriteString(l.nl)
	}
	return b.String()
}

// blockScan follows what spans lines and holds no markup.
type blockScan struct {
	until string // what ends it: "---", "-->" or a fence
}

func (b *blockScan) first(s string) bool {
	if strings.TrimRight(s, " \t") == "---" {
		b.until = "---"
		return true
	}
	return b.next(s)
}

func (b *blockScan) next(s string) bool {
	t := strings.TrimSpace(s)
	switch {
	case b.until == "---":
		if t == "---" || t == "..." {
			b.until = ""
		}
		return true
	case b.until == "-->":
		if strings.Contains(t, "-->") {
			b.until = ""
		}
		return true
	case b.until != "":
		if strings.HasPrefix(t, b.until) && strings.Trim(t, b.until[:1]) == "" {
			b.until = ""
		}
		return true
	case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
		n := len(t) - len(strings.TrimLeft(t, t[:1]))
		if t[0] == '`' && strings.Contains(t[n:], "`") {
			return false // a code span
		}
		b.until = t[:n]
		return true
	case strings.HasPrefix(t, "<!--") && !strings.Contains(t[4:], "-->"):
		b.until = "-->"
		return true
	}
	return false
}

// heading returns the level and the text of an ATX heading, level 0 for others.
func (l line) heading() (level int, title string) {
	t := strings.TrimPrefix(l.text, text.BOM)
	if l.inert || strings.HasPrefix(t, "    ") {
		return 0, ""
	}
	t = strings.TrimSpace(t)
	n := len(t) - len(strings.TrimLeft(t, "#"))
	if n == 0 || n > 6 || n < len(t) && t[n] != ' ' && t[n] != '\t' {
		return 0, ""
	}
	title = strings.TrimSpace(t[n:])
	if cut := strings.TrimRight(title, "#"); cut == "" || strings.HasSuffix(cut, " ") {
		title = strings.TrimSpace(cut)
	}
	return n, title
}

func (l line) blank() bool { return strings.TrimSpace(l.text) == "" }

// An item is a line of ours in somebody's page: it links to a page of a pack and
// ends with the pack's comment.
type item struct{ slug, stem string }

func (l line) item() (it item, ok bool) {
	if l.inert {
		return it, false
	}
	t, ok := strings.CutPrefix(strings.TrimSpace(l.text), "- [["+pagesDir+"/")
	if !ok {
		return it, false
	}
	target, rest, ok := strings.Cut(t, "]]")
	if !ok {
		return it, false
	}
	target, _, _ = strings.Cut(target, "|")
	it.slug, it.stem, ok = strings.Cut(target, "/")
	return it, ok && strings.HasSuffix(rest, lineMark(it.slug))
}

func lineMark(slug string) string { return "<!-- amp-unpack: " + slug + " -->" }

// sectionMark stands below a heading that this package made. n is how many line
// breaks it put before the heading: what has to go with it.
func sectionMark(n int) string { return fmt.Sprintf("<!-- amp-unpack:section %d -->", n) }

func parseSectionMark(s string) (n int, ok bool) {
	for n := range 3 {
		if strings.TrimSpace(s) == sectionMark(n) {
			return n, true
		}
	}
	return 0, false
}

// put writes one line of ours into a page: in place of the line it updates, else
// in the section with the title, sorted, else in a new section at the end. same
// tells which line of ours means the same thing.
func put(page, title string, it item, written string, same func(item) bool) (string, error) {
	lines, open := split(page)
	nl := text.Newline(page)
	for i, l := range lines {
		if have, ok := l.item(); ok && same(have) {
			if t := strings.TrimSpace(l.text); t != written {
				lines[i].text = strings.Replace(l.text, t, written, 1)
			}
			return join(lines), nil
		}
	}
	from, to := section(lines, title)
	if from < 0 {
		if open {
			return "", fmt.Errorf("line %d: the page ends inside a code block or comment, nothing can be added behind it", len(lines))
		}
		return page + newSection(page, title, written, nl), nil
	}
	at := -1
	for i := from + 1; i < to; i++ {
		have, ok := lines[i].item()
		if !ok {
			continue
		}
		if have.slug > it.slug || have.slug == it.slug && have.stem > it.stem {
			if at < 0 {
				at = i
			}
			break
		}
		at = i + 1
	}
	if at < 0 {
		for at = to; lines[at-1].blank(); at-- {
		}
		if lines[at-1].inert && at == len(lines) && open {
			return "", fmt.Errorf("line %d: the section ends inside a code block or comment, nothing can be added behind it", len(lines))
		}
	}
	return join(insert(lines, at, written, nl)), nil
}

// section returns the range of a second-level section: its heading's line and
// behind its last one; -1 when there is none.
func section(lines []line, title string) (from, to int) {
	from = -1
	for i, l := range lines {
		n, t := l.heading()
		switch {
		case from < 0 && n == 2 && strings.EqualFold(t, title):
			from = i
		case from >= 0 && n > 0 && n <= 2:
			return from, i
		}
	}
	return from, len(lines)
}

func newSection(page, title, written, nl string) string {
	body := strings.TrimPrefix(page, text.BOM)
	if strings.HasSuffix(body, "\r") {
		nl = "\r" // a line feed behind it would join it to one break
	}
	last := strings.TrimSuffix(body, nl)
	n, end := 2, ""
	switch {
	case body == "":
		n, end = 0, nl
	case last != body: // ends with a line break
		n, end = 1, nl
		if last == "" || strings.HasSuffix(last, "\n") || strings.HasSuffix(last, "\r") {
			n = 0
		}
	case strings.HasSuffix(body, "\n") || strings.HasSuffix(body, "\r"): // mixed breaks
		n, end = 1, nl
	}
	return strings.Repeat(nl, n) + "## " + title + nl + sectionMark(n) + nl + written + end
}

// insert puts a line before the one at index at, with the break of the line above:
// in a page that mixes them, a CR could come before the LF of an empty line and make
// one break of two. A page without final line break stays one.
func insert(lines []line, at int, written, nl string) []line {
	if at > 0 && lines[at-1].nl != "" {
		nl = lines[at-1].nl
	}
	l := line{text: written, nl: nl}
	if at == len(lines) && lines[at-1].nl == "" {
		lines[at-1].nl, l.nl = nl, ""
	}
	return append(lines[:at:at], append([]line{l}, lines[at:]...)...)
}

// drop takes lines of ours out of a page, and the sections that this package made
// and that hold nothing any more. It undoes put.
func drop(page string, mine func(item) bool) string {
	all, _ := split(page)
	lines := make([]line, 0, len(all))
	for _, l := range all {
		if it, ok := l.item(); !ok || !mine(it) {
			lines = append(lines, l)
		}
	}
	if len(lines) == len(all) {
		return page
	}
	// A page without final line break stays one.
	if n := len(lines); n > 0 && all[len(all)-1].nl == "" {
		lines[n-1].nl = ""
	}
	for i := len(lines) - 1; i > 0; i-- {
		breaks, ok := parseSectionMark(lines[i].text)
		if !ok || lines[i].inert {
			continue
		}
		if level, title := lines[i-1].heading(); level == 2 && emptySection(lines, i-1, title) {
			lines = removeSection(lines, i-1, breaks)
			i = min(i-1, len(lines))
		}
	}
	for i := range lines[:max(len(lines)-1, 0)] {
		// What was written between a CR and a LF goes: they would become one break.
		if next := lines[i+1]; lines[i].nl == "\r" && next.text == "" && strings.HasPrefix(next.nl, "\n") {
			lines[i].nl = "\r\n"
		}
	}
	return join(lines)
}

// emptySection reports whether the section whose heading is at index at holds
// nothing but its mark.
func emptySection(lines []line, at int, title string) bool {
	if title != indexTitle && title != seeAlso {
		return false
	}
	for _, l := range lines[at+2:] {
		if n, _ := l.heading(); n > 0 && n <= 2 {
			break
		}
		if !l.blank() {
			return false
		}
	}
	return true
}

// removeSection takes out a heading of ours and its mark, and the breaks that were
// put before them: the first of two ended the page's last line, the other one is an
// empty line.
func removeSection(lines []line, at, breaks int) []line {
	head, tail := lines[:at:at], lines[at+2:]
	if at == 0 && strings.HasPrefix(lines[0].text, text.BOM) {
		head = []line{{text: text.BOM}}
	}
	if breaks > 0 && at > 1 && lines[at-1].blank() {
		head = head[:at-1]
		if breaks == 2 && len(tail) == 0 {
			head[at-2].nl = ""
		}
	}
	return append(head, tail...)
}
