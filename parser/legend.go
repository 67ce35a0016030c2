package parser

import (
	"strings"
	"unicode/utf8"
)

// A LegendEntry is one source of a `sources:` legend (R-j): a line at indent
// two, `<code>: <title>`, with its url on a deeper line. In a legend that is
// indented deeper as a whole, its smallest indent takes the place of two.
type LegendEntry struct {
	Code, Title, URL          string
	CodeRel, TitleRel, URLRel Rel
	Line                      Rel // the entry's first line
	End                       int // end of its last line, relative to the block
}

// A LegendProblem is a line of a legend that is neither entry nor url.
type LegendProblem struct {
	Rel
	Message string
}

// LegendEntries reads the entries of a legend block, in order, and the lines
// that are none. The code is the text up to the first colon that white space or
// the line's end follows; it may hold spaces (`Lex 252`) and colons (`a:b`).
func (b *Block) LegendEntries() (entries []LegendEntry, problems []LegendProblem) {
	if b.kind != Legend {
		return nil, nil
	}
	base := b.legendIndent()
	for at := int(b.body); at < int(b.bodyE); {
		end, next := lineEnd(b.text, at)
		line := b.text[at:end]
		lead := skipSpace(line)
		stop := at + trimRight(line)
		start := at + lead
		at = next
		if lead == len(line) {
			continue
		}
		ind := utf8.RuneCountInString(line[:lead])
		whole := Rel{start, stop}
		if ind > base {
			if n := len(entries); n > 0 && entries[n-1].URL == "" {
				entries[n-1].URL, entries[n-1].URLRel, entries[n-1].End = b.text[start:stop], whole, stop
			} else {
				problems = append(problems, LegendProblem{whole, "a legend entry has one url line at most; this line belongs to no entry"})
			}
			continue
		}
		colon := -1
		for i := start; i < stop; i++ {
			if b.text[i] == ':' && (i+1 == stop || spaceLen(b.text[i+1:]) > 0) {
				colon = i
				break
			}
		}
		if colon < 0 {
			problems = append(problems, LegendProblem{whole, "a legend entry is `<short-code>: <full source title>`; this line has no colon with a space behind it"})
			continue
		}
		ts := min(stop, colon+1+skipSpace(b.text[colon+1:stop]))
		item := strings.HasPrefix(b.text[start:colon], "- ")
		if item {
			start += 1 + skipSpace(b.text[start+1:colon])
		}
		code := Rel{start, start + trimRight(b.text[start:colon])}
		e := LegendEntry{
			Code: b.text[code.Start:code.End], Title: b.text[ts:stop], CodeRel: code, TitleRel: Rel{ts, stop},
			Line: whole, End: stop,
		}
		entries = append(entries, e)
		switch {
		case e.Code == "":
			problems = append(problems, LegendProblem{whole, "this legend entry has no short code"})
		case e.Title == "":
			problems = append(problems, LegendProblem{whole, "this legend entry has no title"})
		case line[:lead] != "  ":
			problems = append(problems, LegendProblem{whole, "a legend entry is indented by two spaces"})
		case item:
			problems = append(problems, LegendProblem{whole, "a legend entry is `<short-code>: <full source title>`, not a list item"})
		}
	}
	return entries, problems
}

// legendIndent is the indent of a legend's entries in characters: the smallest
// one, at least two.
func (b *Block) legendIndent() int {
	least := 0
	for at := int(b.body); at < int(b.bodyE); {
		end, next := lineEnd(b.text, at)
		line := b.text[at:end]
		if lead := skipSpace(line); lead < len(line) {
			if n := utf8.RuneCountInString(line[:lead]); least == 0 || n < least {
				least = n
			}
		}
		at = next
	}
	return max(least, 2)
}

// Verbatim is the suffix of a citation whose primitive uses the source's exact
// words: an em dash between spaces, lower case (R-j).
const Verbatim = " — verbatim"

// A Citation is a reason line that is exactly one bracket pair.
type Citation struct {
	Code     string // without the verbatim suffix
	Verbatim bool
	Rel          // the code, brackets and suffix left out
	Reason   Rel // the whole bracket pair
}

// Citations calls yield for each citation among the reason lines.
func (b *Block) Citations(yield func(Citation) bool) {
	if c, ok := b.plainCitation(); ok {
		yield(c)
		return
	}
	b.citations(yield)
}

func (b *Block) citations(yield func(Citation) bool) {
	for r := range b.Reasons {
		s := b.text[r.Start:r.End]
		lead := skipSpace(s)
		s = s[lead : lead+trimRight(s[lead:])]
		if len(s) < 3 || s[0] != '[' || s[len(s)-1] != ']' {
			continue
		}
		in := s[1 : len(s)-1]
		if hasBracket(in) {
			continue
		}
		c := Citation{Reason: Rel{r.Start + lead, r.Start + lead + len(s)}}
		n := len(in)
		if len(in) > len(Verbatim) && in[len(in)-len(Verbatim):] == Verbatim {
			c.Verbatim = true
			n -= len(Verbatim)
		}
		ws := skipSpace(in[:n])
		if ws == n {
			continue
		}
		c.Rel = Rel{c.Reason.Start + 1 + ws, c.Reason.Start + 1 + ws + trimRight(in[ws:n])}
		c.Code = b.text[c.Start:c.End]
		if !yield(c) {
			return
		}
	}
}

// plainCitation recognises the form that most citations have: one reason line,
// "  > [code]", in ASCII.
func (b *Block) plainCitation() (c Citation, ok bool) {
	const open = "  > ["
	s := b.text[b.rsn:b.rsnE]
	n := len(s)
	if n > 0 && s[n-1] == '\n' {
		n--
	}
	if n < len(open)+2 || s[:len(open)] != open || s[n-1] != ']' || s[len(open)] == ' ' || s[n-2] == ' ' {
		return c, false
	}
	for i := len(open); i < n-1; i++ {
		if x := s[i]; x < ' ' || x >= utf8.RuneSelf || x == '[' || x == ']' {
			return c, false
		}
	}
	from := int(b.rsn) + len(open)
	c.Rel = Rel{from, int(b.rsn) + n - 1}
	c.Reason = Rel{from - 1, int(b.rsn) + n}
	c.Code = s[len(open) : n-1]
	return c, true
}

func hasBracket(s string) bool {
	for i := range len(s) {
		if s[i] == '[' || s[i] == ']' {
			return true
		}
	}
	return false
}

// Illustrates is the label of a demonstration's `illustrates:` facet in its
// legal place, and its range; "" when there is none.
func (b *Block) Illustrates() (string, Rel) {
	if b.typ != Demonstration {
		return "", Rel{}
	}
	if r := b.FacetString(); strings.IndexByte(b.text[r.Start:r.End], ':') < 0 && b.format == V04 {
		return "", Rel{}
	}
	var buf [4]Token
	spec := &facetSpecs[Demonstration][1]
	for i, t := range b.AppendFacets(buf[:0]) {
		if v, ok := spec.KeyValue(t.Text); ok && i == 1 {
			return v, Rel{t.End - len(v), t.End}
		}
	}
	return "", Rel{}
}
