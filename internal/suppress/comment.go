// Package suppress reads the comments in a capability file's frontmatter that
// silence findings:
//
//	# amp-lint: suppress RULE[, RULE] [at "FIRST WORDS"] [in manifest|routing] -- REASON
//
// A YAML comment in the frontmatter is the one place that every reader of AMP
// skips (Part 2: the frontmatter is data, the body is primitives): an HTML
// comment in the body would be stray text, a key of its own would be one that
// other readers do not know, and a mark in a primitive would be content.
//
// The package is a function of texts: it opens nothing and prints nothing.
package suppress

import (
	"strings"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Marker is what a comment starts with, behind its `#`.
const Marker = "amp-lint:"

// A Comment silences findings.
type Comment struct {
	Span   text.Span // bytes of the file, without the line break
	Line   text.Span // the whole line, break included
	Rules  []Word
	Anchor string // how the primitive or line starts, "" for the whole file
	In     string // the path of another file of the pack, "" for the file it stands in
	Reason string
	// Problem says what is wrong with the comment, which then silences nothing.
	Problem string
}

// A Word is a rule name and where it stands.
type Word struct {
	text.Span
	Slug string
}

// Comments finds the comments of a file. A file without frontmatter has none.
func Comments(t *parser.Tree) []Comment {
	it, ok := t.AtIndex(0)
	if !ok || it.Kind() != parser.Frontmatter || it.Unclosed() {
		return nil
	}
	r := it.FrontmatterRange()
	src := it.Text()
	if !Mentioned(src[r.Start:r.End]) {
		return nil
	}
	var out []Comment
	for at := r.Start; at < r.End; {
		end, next := text.LineEnd(src, at)
		line := src[at:end]
		if body, rest, problem := marked(line); body != "" {
			start := it.Offset + at + len(line) - len(body)
			c := Comment{Problem: problem}
			if problem == "" {
				c = read(rest, it.Offset+end-len(rest))
			}
			c.Span = text.Span{Start: start, End: it.Offset + end}
			c.Line = text.Span{Start: it.Offset + at, End: it.Offset + next}
			out = append(out, c)
		}
		at = next
	}
	return out
}

// Mentioned reports whether a text may hold such a comment, well formed or not.
func Mentioned(s string) bool {
	for i := strings.IndexByte(s, ':'); i >= 0; {
		if start := i + 1 - len(Marker); start >= 0 && strings.EqualFold(s[start:i+1], Marker) {
			return true
		}
		n := strings.IndexByte(s[i+1:], ':')
		if n < 0 {
			return false
		}
		i += 1 + n
	}
	return false
}

// marked finds the comment of a line that starts with the marker: body is from the
// `#` on, rest what follows the marker. One that was meant as such and is not read
// has a problem; a line without any has no body.
func marked(line string) (body, rest, problem string) {
	at := strings.IndexByte(line, '#')
	if at < 0 {
		return "", "", ""
	}
	body = line[at:]
	rest = strings.TrimLeft(body[1:], " \t")
	if len(rest) < len(Marker) || !strings.EqualFold(rest[:len(Marker)], Marker) {
		return "", "", ""
	}
	before := strings.TrimLeft(line[:at], " \t")
	switch {
	case strings.ContainsAny(before, `"'`):
		return "", "", "" // text of a quoted value, as likely as not
	case before != "":
		problem = "it must stand on a line of its own"
	case rest[:len(Marker)] != Marker:
		problem = "`" + Marker + "` is written in lower case"
	}
	return body, rest[len(Marker):], problem
}

// read reads a comment behind its marker; at is the offset of its first byte.
func read(s string, at int) Comment {
	var c Comment
	l := lexer{s: s, at: at}
	if l.word() != "suppress" {
		c.Problem = "expected `suppress` behind `" + Marker + "`"
		return c
	}
	for {
		w := l.rule()
		if w.Slug == "" {
			c.Problem = "expected the name of a rule"
			return c
		}
		c.Rules = append(c.Rules, w)
		if !l.eat(",") {
			break
		}
	}
	for {
		switch l.word() {
		case "at":
			if c.Anchor = l.quoted(); strings.TrimSpace(c.Anchor) == "" {
				c.Problem = "expected the first words of the primitive in double quotes behind `at`"
				return c
			}
		case "in":
			// Not their paths: a comment that names agents.md could read as an
			// order to change it.
			switch l.word() {
			case "manifest":
				c.In = pack.ManifestName
			case "routing":
				c.In = pack.AgentsName
			default:
				c.Problem = "expected `manifest` or `routing` behind `in`"
				return c
			}
		case "--":
			if c.Reason = strings.TrimSpace(l.s); c.Reason == "" {
				c.Problem = "expected a reason behind `--`"
			}
			return c
		case "":
			c.Problem = "expected ` -- ` and a reason"
			return c
		default:
			c.Problem = "expected `at \"first words\"`, `in manifest`, `in routing` or `-- reason`"
			return c
		}
	}
}

type lexer struct {
	s  string
	at int
}

func (l *lexer) skip(n int) string {
	s := l.s[:n]
	l.s, l.at = l.s[n:], l.at+n
	return s
}

func (l *lexer) space() { l.skip(len(l.s) - len(strings.TrimLeft(l.s, " \t"))) }

func (l *lexer) word() string {
	l.space()
	n := strings.IndexAny(l.s, " \t\"")
	if n < 0 {
		n = len(l.s)
	}
	return l.skip(n)
}

func (l *lexer) rule() Word {
	l.space()
	n := 0
	for n < len(l.s) && ('a' <= l.s[n] && l.s[n] <= 'z' || 'A' <= l.s[n] && l.s[n] <= 'Z' || '0' <= l.s[n] && l.s[n] <= '9' || n > 0 && (l.s[n] == '-' || l.s[n] == '_')) {
		n++
	}
	start := l.at
	s := l.skip(n)
	return Word{text.Span{Start: start, End: l.at}, s}
}

func (l *lexer) eat(s string) bool {
	l.space()
	if !strings.HasPrefix(l.s, s) {
		return false
	}
	l.skip(len(s))
	return true
}

// quoted reads a text in double quotes, in which a backslash keeps a quote.
func (l *lexer) quoted() string {
	if !l.eat(`"`) {
		return ""
	}
	var b strings.Builder
	for i := 0; i < len(l.s); i++ {
		switch c := l.s[i]; {
		case c == '"':
			l.skip(i + 1)
			return b.String()
		case c == '\\' && i+1 < len(l.s):
			i++
			b.WriteByte(l.s[i])
		default:
			b.WriteByte(c)
		}
	}
	return ""
}
