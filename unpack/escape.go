package unpack

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/parser"
)

// escape makes one line of a pack's text show as the letters it is, wherever it
// stands in a line of Markdown. Code spans stay code, since nothing in them is
// markup; those that a wiki reads all the same are escaped like other text.
func escape(s string) string {
	s = parser.TrimSpace(visible(s))
	var b strings.Builder
	b.Grow(len(s) + 8)
	for i := 0; i < len(s); {
		if s[i] != '`' {
			if special(s, i) {
				b.WriteByte('\\')
			}
			b.WriteByte(s[i])
			i++
			continue
		}
		n := run(s, i)
		if end := closing(s, i+n, n); end > 0 && inert(s[i+n:end]) {
			b.WriteString(s[i : end+n])
			i = end + n
			continue
		}
		for range n {
			b.WriteString("\\`")
		}
		i += n
	}
	return b.String()
}

// visible replaces control characters, which are no letters and can steer a terminal.
func visible(s string) string {
	return strings.Map(func(r rune) rune {
		if r != '\t' && unicode.IsControl(r) {
			return utf8.RuneError
		}
		return r
	}, s)
}

// run is the length of the run of backticks at i.
func run(s string, i int) int {
	n := i
	for n < len(s) && s[n] == '`' {
		n++
	}
	return n - i
}

// closing is where the run of exactly n backticks starts that closes a code span
// whose text starts at i, -1 without one.
func closing(s string, i, n int) int {
	for i < len(s) {
		if s[i] != '`' {
			i++
			continue
		}
		m := run(s, i)
		if m == n {
			return i
		}
		i += m
	}
	return -1
}

// inert reports whether a code span is code to wikis as well: some read links,
// comments, templates and queries in it.
func inert(code string) bool {
	t := strings.TrimLeft(code, " ")
	if strings.HasPrefix(t, "=") || strings.HasPrefix(t, "$=") {
		return false
	}
	for _, mark := range []string{"[[", "<!--", "-->", "<%", "{{", "{%"} {
		if strings.Contains(code, mark) {
			return false
		}
	}
	return true
}

// special reports whether the byte at i would be markup, or the start of some, to
// CommonMark or to a wiki.
func special(s string, i int) bool {
	var prev, next byte
	if i > 0 {
		prev = s[i-1]
	}
	if i+1 < len(s) {
		next = s[i+1]
	}
	open := i == 0 || prev == ' ' || prev == '\t'
	switch c := s[i]; c {
	case '<', '[', '*', '$', '~':
		return true
	case '!':
		return prev == '<' // so that no comment can be read out of it by anyone
	case '\\':
		return next == 0 || punct(next)
	case '_':
		return !word(prev) || !word(next)
	case '=', '%':
		return i == 0 || prev == c || next == c || prev == '{'
	case '{':
		return prev == '{'
	case '#', '^':
		return open || prev == '{'
	case ':':
		return i == 0 || prev == '{'
	case '>', '+', '-', '|':
		return i == 0
	case '.', ')':
		return i > 0 && i < 10 && (next == 0 || next == ' ' || next == '\t') && strings.Trim(s[:i], "0123456789") == ""
	case '&':
		return entity(s[i+1:])
	}
	return false
}

func entity(s string) bool {
	n := strings.IndexByte(s, ';')
	if n < 1 || n > 32 {
		return false
	}
	for i := range n {
		if !word(s[i]) && s[i] != '#' {
			return false
		}
	}
	return true
}

func punct(c byte) bool {
	return '!' <= c && c <= '/' || ':' <= c && c <= '@' || '[' <= c && c <= '`' || '{' <= c && c <= '~'
}

func word(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// alias makes a text fit to stand behind the bar of a wikilink, where nothing can
// be escaped.
func alias(s string) string {
	s = strings.Map(func(r rune) rune {
		switch r {
		case '[', ']', '|', '<', '>', '#', '^', '`', '*', '_', '$', '%', '{', '}', '\\', '\n', '\r', '\t':
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// fenced writes a body as a fenced code block, letter by letter. Fence and body
// are indented, which CommonMark takes away again, so that no line of the body
// starts where one of our marks would.
func fenced(body string) string {
	longest := 2
	for i := 0; i < len(body); i++ {
		if body[i] == '`' {
			n := run(body, i)
			longest = max(longest, n)
			i += n
		}
	}
	fence := indent + strings.Repeat("`", longest+1)
	var b strings.Builder
	b.WriteString(fence + "text\n")
	for line := range strings.SplitSeq(body, "\n") {
		if line != "" {
			b.WriteString(indent)
		}
		b.WriteString(breakMarks(visible(line)))
		b.WriteByte('\n')
	}
	b.WriteString(fence + "\n")
	return b.String()
}

const indent = "  "

// breakMarks keeps a text that cannot be escaped from spelling one of the
// comments by which amp knows its own lines. No honest example holds one.
func breakMarks(s string) string {
	const open = "<!--"
	from := 0
	var b strings.Builder
	for {
		i := strings.Index(s[from:], open)
		if i < 0 {
			break
		}
		at := from + i + len(open)
		b.WriteString(s[from : at-3])
		if rest := strings.TrimLeft(s[at:], " \t"); len(rest) >= 3 && strings.EqualFold(rest[:3], "amp") {
			b.WriteByte('\\')
		}
		b.WriteString(s[at-3 : at])
		from = at
	}
	b.WriteString(s[from:])
	return b.String()
}
