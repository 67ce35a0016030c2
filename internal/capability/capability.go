// Package capability sums up what a pack asks an agent to do: to read, run,
// send, write and remember what, and where it says so. Command line, installer,
// language server and report show the same summary, and registries read its JSON
// form (schemas/amp-capabilities.schema.json).
//
// It is a list of words in the text, no verdict and no sandbox: reading a file is
// no offence, but a buyer wants to know which.
package capability

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// Verbs are what can be asked for, in the order in which summaries name them.
var Verbs = []string{"read", "run", "send", "write", "remember"}

// Counts are the numbers of acts that a pack asks for. What it forbids is in
// Forbidden alone.
type Counts struct {
	Read      int `json:"read"`
	Run       int `json:"run"`
	Send      int `json:"send"`
	Write     int `json:"write"`
	Remember  int `json:"remember"`
	Forbidden int `json:"forbidden"`
}

// Ask is one act that a pack asks for.
type Ask struct {
	Verb string `json:"verb"` // one of Verbs
	// Object is what the verb applies to, on one line, at most 120 characters,
	// credentials masked.
	Object string `json:"object"`
	Path   string `json:"path"` // the root of the pack and the path in it, with /
	Line   int    `json:"line"` // from 1
	Column int    `json:"column"`
	// Text is that line, credentials masked, at most maxText bytes of it.
	Text      string `json:"text"`
	Forbidden bool   `json:"forbidden"` // the pack forbids the act
	Reported  bool   `json:"reported"`  // a warning or an error stands in the same unit
}

// Summary is what one pack asks for, in load order.
type Summary struct {
	Pack   string `json:"pack"`
	Root   string `json:"root"`
	Counts Counts `json:"counts"`
	Asks   []Ask  `json:"capabilities"`
	// Unread is what the summary knows nothing of.
	Unread []Unread `json:"unread"`
}

// Unread is a file or folder of a pack that was not read as text.
type Unread struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// maxText is how much of a line is kept, in bytes.
const maxText = 240

// Of sums up a pack. Trees stand for the texts of files that have one.
func Of(p *pack.Pack) Summary {
	out := Summary{Pack: p.Name(), Root: p.Root, Asks: []Ask{}, Unread: unreadOf(p)}
	var list []*poison.Unit
	units.All(p, "", nil, func(u *poison.Unit) bool {
		list = append(list, u)
		return true
	})
	files := map[string]*lines{}
	for _, c := range poison.Capabilities(list) {
		l := files[c.File]
		if l == nil {
			l = linesOf(p.File(c.File))
			files[c.File] = l
		}
		a := Ask{
			Verb: c.Verb, Object: c.Object, Path: path.Join(p.Root, c.File),
			Forbidden: c.Negated, Reported: c.Judged,
		}
		a.Line, a.Column, a.Text = l.at(c.Start)
		out.Asks = append(out.Asks, a)
		out.Counts.add(&a)
	}
	out.mask(p)
	return out
}

// mask takes credentials out of everything that a summary shows: names as well as
// text, and pieces of values whose rest stands elsewhere in their file.
func (s *Summary) mask(p *pack.Pack) {
	var known credential.Values
	for _, f := range p.Files {
		known.Add(linesOf(f).src)
	}
	m := func(text string) string { return clean(known.Mask(text)) }
	s.Pack, s.Root = m(s.Pack), m(s.Root)
	for i := range s.Asks {
		a := &s.Asks[i]
		a.Object, a.Path, a.Text = m(a.Object), m(a.Path), cut(m(a.Text))
	}
	for i := range s.Unread {
		u := &s.Unread[i]
		u.Path, u.Reason = m(u.Path), m(u.Reason)
	}
}

// cut bounds the text of a line.
func cut(src string) string {
	if len(src) <= maxText {
		return src
	}
	n := maxText
	for n > 0 && src[n]&0xC0 == 0x80 {
		n--
	}
	return src[:n] + "…"
}

// unreadOf lists what of a pack nobody has read as text, in path order.
func unreadOf(p *pack.Pack) []Unread {
	out := []Unread{}
	add := func(name, reason string) { out = append(out, Unread{clean(path.Join(p.Root, name)), reason}) }
	for _, f := range p.Files {
		switch {
		case f.Err != nil:
			add(f.Path, f.Err.Error())
		case !f.Regular():
			add(f.Path, "not a regular file, never opened")
		case f.Tree == nil && units.Binary(f.Text):
			add(f.Path, "binary, only searched for credentials and hidden characters")
		}
	}
	for _, dir := range p.Skipped {
		add(dir, "a folder of its own (a pack, version control or dependencies), left out")
	}
	slices.SortFunc(out, func(a, b Unread) int { return strings.Compare(a.Path, b.Path) })
	return out
}

func (c *Counts) add(a *Ask) {
	if a.Forbidden {
		c.Forbidden++
		return
	}
	switch a.Verb {
	case "read":
		c.Read++
	case "run":
		c.Run++
	case "send":
		c.Send++
	case "write":
		c.Write++
	case "remember":
		c.Remember++
	}
}

// Merge adds what another part of the same pack asks for.
func (s *Summary) Merge(o *Summary) {
	s.Asks = append(s.Asks, o.Asks...)
	s.Unread = append(s.Unread, o.Unread...)
	for i := range o.Asks {
		s.Counts.add(&o.Asks[i])
	}
}

func (c *Counts) of(verb string) int {
	return [...]int{c.Read, c.Run, c.Send, c.Write, c.Remember}[slices.Index(Verbs, verb)]
}

// Headline is the summary in a few words: "run 2, send 1 (forbids 1)".
func (c *Counts) Headline() string {
	var parts []string
	for _, v := range Verbs {
		if n := c.of(v); n > 0 {
			parts = append(parts, fmt.Sprintf("%s %d", v, n))
		}
	}
	s := strings.Join(parts, ", ")
	if s == "" {
		s = "nothing that reads, runs, sends, writes or remembers"
	}
	if c.Forbidden > 0 {
		s += fmt.Sprintf(" (forbids %d)", c.Forbidden)
	}
	return s
}

// Name is the pack's name, its folder's when it has none.
func (s *Summary) Name() string {
	if s.Pack != "" {
		return s.Pack
	}
	return path.Base(s.Root)
}

// Note says of an act what its verb does not: that it is forbidden or reported.
func (a *Ask) Note() string {
	switch {
	case a.Forbidden && a.Reported:
		return "forbidden, reported"
	case a.Forbidden:
		return "forbidden"
	case a.Reported:
		return "reported"
	}
	return ""
}

// lines finds lines in one file.
type lines struct {
	src    string
	starts []int
}

func linesOf(f *pack.File) *lines {
	l := &lines{starts: []int{0}}
	if f == nil {
		return l
	}
	if l.src = f.Text; l.src == "" && f.Tree != nil {
		l.src = f.Tree.String()
	}
	for at := 0; ; {
		end, next := text.LineEnd(l.src, at)
		if next == end {
			return l
		}
		l.starts = append(l.starts, next)
		at = next
	}
}

// at is the line and the column of an offset, from 1, in bytes, and the line's
// text.
func (l *lines) at(offset int) (line, column int, src string) {
	offset = min(max(offset, 0), len(l.src))
	n, found := slices.BinarySearch(l.starts, offset)
	if !found {
		n--
	}
	start := l.starts[n]
	end, _ := text.LineEnd(l.src, start)
	src = l.src[start:end]
	column = offset - start + 1
	if n == 0 && strings.HasPrefix(src, text.BOM) {
		src, column = src[len(text.BOM):], max(1, column-len(text.BOM))
	}
	// What shows is cut once it is masked; a line can be as long as its file.
	return n + 1, column, strings.TrimSpace(src[:min(len(src), 16*maxText)])
}

func clean(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }
