package rules

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// asPrimitive is the primitive line that a line was meant as which is none because
// of what stands before its tag or around it: white space, a list mark, a heading's
// marks, emphasis, blanks within the bracket.
func asPrimitive(line string) (string, bool) {
	s := strings.TrimLeft(line, " \t")
	for _, mark := range []string{"- ", "* ", "+ ", "> "} {
		if rest, ok := strings.CutPrefix(s, mark); ok {
			s = strings.TrimLeft(rest, " \t")
			break
		}
	}
	if rest := strings.TrimLeft(s, "#"); len(rest) < len(s) && strings.HasPrefix(rest, " ") {
		s = strings.TrimLeft(rest, " ")
	}
	if n := len(s) - len(strings.TrimLeft(s, "0123456789")); n > 0 && n < 4 && (strings.HasPrefix(s[n:], ". ") || strings.HasPrefix(s[n:], ") ")) {
		s = strings.TrimLeft(s[n+1:], " \t")
	}
	mark := ""
	for _, m := range []string{"***", "**", "__", "*", "_", "`"} {
		if strings.HasPrefix(s, m+"[") {
			mark, s = m, s[len(m):]
			break
		}
	}
	if s == "" || s[0] != '[' {
		return "", false
	}
	end := strings.IndexByte(s, ']')
	if end < 0 {
		return "", false
	}
	tag, rest := "["+strings.Trim(s[1:end], " \t")+"]", s[end+1:]
	if mark != "" {
		var ok bool
		if rest, ok = strings.CutPrefix(rest, mark); !ok {
			return "", false // the emphasis goes on into the sentence
		}
	}
	if !tagLine(tag) {
		return "", false
	}
	out := tag + rest
	if rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		out = tag + " " + rest
	}
	return out, out != line
}

// meantLines counts the lines of a run that were meant as primitives.
func meantLines(src string, r run) (meant, all int) {
	for at := r.start; at < r.end; {
		end, next := text.LineEnd(src, at)
		if _, ok := asPrimitive(src[at:end]); ok {
			meant++
		}
		all++
		at = next
	}
	return meant, all
}

// bulletFix makes primitives of the lines of a run that were meant as such.
func bulletFix(p *analysis.BlockPass, r run) (analysis.Fix, bool) {
	src := p.Text()
	meant, all := meantLines(src, r)
	if meant == 0 {
		return analysis.Fix{}, false
	}
	fix := analysis.Fix{Title: "Make the line a primitive", Safety: analysis.Suggested}
	if meant > 1 {
		fix.Title = fmt.Sprintf("Make the %d lines primitives", meant)
	}
	if meant < all {
		fix.Safety = analysis.Manual // what hangs on them may be theirs or not
	}
	nl := text.Newline(src)
	for at := r.start; at < r.end; {
		end, next := text.LineEnd(src, at)
		if out, ok := asPrimitive(src[at:end]); ok {
			if opensAs(typeOfTag(out), out) {
				fix.Safety = analysis.Manual // it opens a body that nothing may close
			}
			if at > r.start || at > p.Start() {
				out = nl + out
			}
			fix.Edits = append(fix.Edits, analysis.Edit(at, end, out))
		}
		at = next
	}
	return fix, true
}

const bulletMessage = "this text belongs to no primitive: a tag is the first thing on its line, with no list mark, white space or emphasis before it"

// belowMeant reports whether the line above an offset was meant as a primitive.
func belowMeant(src string, at int) bool {
	for at > 0 {
		end := at - 1
		if end > 0 && src[end] == '\n' && src[end-1] == '\r' {
			end--
		}
		start := strings.LastIndexAny(src[:end], "\r\n") + 1
		line := src[start:end]
		if _, ok := asPrimitive(line); ok {
			return true
		}
		if !parser.IsReason(line) {
			return false
		}
		at = start
	}
	return false
}
