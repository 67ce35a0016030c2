package main

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// routing reports what agents.md does to the rules file that it is copied into,
// which no rule sees that judges the file alone.
func (sum *lintSummary) routing(p *pack.Pack) {
	f := p.File(pack.AgentsName)
	if f == nil {
		return
	}
	for _, im := range importsOf(f.Text) {
		sum.block(im.line, "import", fsx.Printable(clip(im.path, 80))+" would be read into the agent's context")
	}
	if line, what := leftOpen(f.Text); what != "" {
		sum.block(line, "open-block", what+" is never closed, it would swallow what follows in the rules file")
	}
}

// block adds a finding in agents.md that installing refuses.
func (sum *lintSummary) block(line int, rule, what string) {
	sum.Errors++
	sum.Blocking = append(sum.Blocking, fmt.Sprintf("%s:%d: %s: %s", pack.AgentsName, line, rule, what))
	sum.keep(lintFinding{pack.AgentsName, line, rule, "error", cleanText(what)})
}

type imported struct {
	line int
	path string // with the @
}

// importsOf finds what agents.md would make Claude Code read into its context once
// it stands in CLAUDE.md: @path outside of code. Paths that stay in the project
// are fine unless they name hidden files (.env, .git/config), which is where
// secrets are; the pack's own files lie in .amp.
//
// Where code begins and ends is a question on which Markdown readers differ, so
// fences count as text, and so do backticks unless every line pairs its own.
func importsOf(text string) (out []imported) {
	plain := codeIsPlain(text)
	for i, line := range lines(text) {
		rest := line
		if plain {
			rest = blankCode(line)
		}
		for at := 0; at < len(rest); {
			j := strings.IndexByte(rest[at:], '@')
			if j < 0 {
				break
			}
			j += at
			at = j + 1
			before, _ := utf8.DecodeLastRuneInString(rest[:j])
			if unicode.IsLetter(before) || unicode.IsDigit(before) || before == '\\' || before == '@' {
				continue // an address, or escaped
			}
			if name := importPath(rest[at:]); leadsOut(name) {
				out = append(out, imported{i + 1, "@" + name})
			}
		}
	}
	return out
}

// importPath reads a path to the next white space; "\ " is a space in a name.
func importPath(s string) string {
	for i, r := range s {
		if (unicode.IsSpace(r) || r == bomRune) && (r != ' ' || i == 0 || s[i-1] != '\\') {
			return s[:i]
		}
	}
	return s
}

const bomRune = '\uFEFF'

// leadsOut reports whether a path names anything but a visible file of the project
// or a file of a pack.
func leadsOut(name string) bool {
	name = strings.ReplaceAll(name, `\ `, " ")
	name = strings.ReplaceAll(name, `\`, "/")
	if strings.HasPrefix(name, "~") || strings.HasPrefix(name, "/") {
		return true
	}
	if len(name) > 2 && name[1] == ':' && name[2] == '/' { // a drive
		return true
	}
	depth, hidden := 0, false
	for i, elem := range strings.Split(name, "/") {
		switch {
		case elem == "" || elem == ".":
			continue
		case strings.HasPrefix(elem, "..") && !strings.HasPrefix(elem, "..."): // "..)" too, not every reader ends there
			if depth--; depth < 0 {
				return true
			}
			continue
		case strings.HasPrefix(elem, ".") && strings.Trim(elem, ".") != "":
			hidden = hidden || i > 0 && depth > 0 || elem != ".amp"
		}
		depth++
	}
	return hidden
}

// codeIsPlain reports whether the backticks of a text mean the same to every
// reader: each line pairs its own, none is escaped, and there is no HTML, in which
// they mean nothing.
func codeIsPlain(text string) bool {
	if strings.Contains(text, "\\`") {
		return false
	}
	for i := 0; i+1 < len(text); i++ {
		if c := text[i+1] | 0x20; text[i] == '<' && (c >= 'a' && c <= 'z' || strings.IndexByte("/!?", text[i+1]) >= 0) {
			return false
		}
	}
	for _, line := range lines(text) {
		if t := strings.TrimLeft(line, " >-*+\t"); strings.HasPrefix(t, "```") && strings.IndexByte(strings.TrimLeft(t, "`"), '`') < 0 {
			continue // a fence
		}
		if strings.Contains(line, "|") && strings.Contains(line, "`") { // a cell may end in code
			return false
		}
		if _, ok := codeSpans(line); !ok {
			return false
		}
	}
	return true
}

// codeSpans returns where the code of a line is, backticks included. ok is false
// when a backtick has no partner.
func codeSpans(line string) (spans [][2]int, ok bool) {
	for i := 0; i < len(line); {
		if line[i] != '`' {
			i++
			continue
		}
		n := ticks(line[i:])
		end := -1
		for j := i + n; j < len(line); {
			if line[j] != '`' {
				j++
				continue
			}
			m := ticks(line[j:])
			if j += m; m == n {
				end = j
				break
			}
		}
		if end < 0 {
			return nil, false
		}
		spans = append(spans, [2]int{i, end})
		i = end
	}
	return spans, true
}

func ticks(s string) int { return len(s) - len(strings.TrimLeft(s, "`")) }

// blankCode replaces code by spaces, in a line that codeIsPlain accepts.
func blankCode(line string) string {
	b := []byte(line)
	spans, _ := codeSpans(line)
	for _, s := range spans {
		for i := s[0]; i < s[1]; i++ {
			b[i] = ' '
		}
	}
	return string(b)
}

// lines splits at LF, CRLF and CR.
func lines(text string) []string {
	return strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
}

// rawHTML lists what opens a block that runs, through blank lines, to its end.
// Comments are not in it, the marker behind the text ends them.
var rawHTML = []struct{ open, end string }{
	{"<script", "</script>"},
	{"<pre", "</pre>"},
	{"<style", "</style>"},
	{"<textarea", "</textarea>"},
	{"<![cdata[", "]]>"},
	{"<?", "?>"},
}

// leftOpen finds a fence or block of HTML that agents.md opens and does not close
// (CommonMark 4.5, 4.6). In a rules file it would run on over the blocks of other
// packs and the user's own lines.
func leftOpen(text string) (line int, what string) {
	var fence, end string
	for i, l := range lines(text) {
		t := strings.TrimLeft(l, " ")
		indented := len(l)-len(t) > 3 || strings.HasPrefix(t, "\t")
		switch {
		case fence != "":
			mark := t[:len(t)-len(strings.TrimLeft(t, fence[:1]))]
			if !indented && len(mark) >= len(fence) && strings.Trim(t[len(mark):], " \t") == "" {
				fence = ""
			}
		case end != "":
			if strings.Contains(strings.ToLower(l), end) {
				end = ""
			}
		case indented:
		case strings.HasPrefix(t, "```") || strings.HasPrefix(t, "~~~"):
			mark := t[:len(t)-len(strings.TrimLeft(t, t[:1]))]
			if t[0] == '~' || !strings.Contains(t[len(mark):], "`") {
				fence, line, what = mark, i+1, "the code fence "+mark[:min(len(mark), 10)]
			}
		case strings.HasPrefix(t, "<"):
			low := strings.ToLower(t)
			for _, h := range rawHTML {
				rest, ok := strings.CutPrefix(low, h.open)
				if ok && (!isTag(h.open) || rest == "" || strings.ContainsAny(rest[:1], " \t>")) && !strings.Contains(rest, h.end) {
					end, line, what = h.end, i+1, h.open
				}
			}
		}
	}
	if fence == "" && end == "" {
		return 0, ""
	}
	return line, what
}

func isTag(open string) bool { return open[1] >= 'a' && open[1] <= 'z' }
