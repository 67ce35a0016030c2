package install

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// marker lines of a pack's block (Part 7).
func beginMarker(creator, slug string) string {
	return "<!-- amp:begin @" + creator + "/" + slug + " -->"
}

func endMarker(creator, slug string) string {
	return "<!-- amp:end @" + creator + "/" + slug + " -->"
}

// renderBlock builds a block with LF line ends and without a final one: the text
// of agents.md with its trailing newlines collapsed, the pointer to the pack's
// files, and the markers (R-q).
func renderBlock(creator, slug, agents, packFiles string) string {
	return beginMarker(creator, slug) + "\n" +
		strings.TrimRight(agents, "\r\n") + "\n\n" +
		"> Pack files: " + packFiles + "\n" +
		endMarker(creator, slug)
}

// BlockError says that a rules file cannot be changed without guessing.
type BlockError struct {
	File string
	Line int // 1-based, 0 when the whole file is meant
	Msg  string
}

func (e *BlockError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", fsx.Printable(e.File), e.Msg)
	}
	return fmt.Sprintf("%s:%d: %s", fsx.Printable(e.File), e.Line, e.Msg)
}

// region is a block in a text: [start, end) runs from the begin marker through
// the end marker, eol is the line end after it, if any.
type region struct {
	start, end int
	eol        string
}

// findBlock finds the block of a pack. No marker at all is (nil, nil); anything
// but one begin line followed by one end line, with no other block's marker in
// between, is an error that says where and what to do.
func findBlock(file, text, creator, slug string) (*region, error) {
	begin, end := beginMarker(creator, slug), endMarker(creator, slug)
	begins, err := markerLines(file, text, begin)
	if err != nil {
		return nil, err
	}
	ends, err := markerLines(file, text, end)
	if err != nil {
		return nil, err
	}
	fail := func(at int, format string, args ...any) (*region, error) {
		return nil, &BlockError{file, lineAt(text, at), fmt.Sprintf(format, args...)}
	}
	switch {
	case len(begins) == 0 && len(ends) == 0:
		return nil, nil
	case len(begins) > 1:
		return fail(begins[1], "second %s (the first is on line %d), remove one of the two blocks", begin, lineAt(text, begins[0]))
	case len(ends) > 1:
		return fail(ends[1], "second %s (the first is on line %d), remove one of them", end, lineAt(text, ends[0]))
	case len(ends) == 0:
		return fail(begins[0], "%s has no end marker, add the line %s after the block or remove the block", begin, end)
	case len(begins) == 0:
		return fail(ends[0], "%s has no begin marker, add the line %s before the block or remove the line", end, begin)
	case ends[0] < begins[0]:
		return fail(ends[0], "%s stands before its begin marker, remove the markers or put them in order", end)
	}
	inner := text[begins[0]+len(begin) : ends[0]]
	for _, other := range []string{"<!-- amp:begin ", "<!-- amp:end "} { // what HasMarker refuses, and no more
		if i := strings.Index(inner, other); i >= 0 {
			return fail(begins[0]+len(begin)+i, "another pack's marker inside the block of %s, move it out", slug)
		}
	}
	stop := ends[0] + len(end)
	return &region{begins[0], stop, eolAt(text, stop)}, nil
}

// markerLines returns where marker stands on a line of its own. Anywhere else it
// is an error, because other tools would take it for the block.
func markerLines(file, text, marker string) ([]int, error) {
	var out []int
	for at := 0; ; {
		i := strings.Index(text[at:], marker)
		if i < 0 {
			return out, nil
		}
		i += at
		at = i + len(marker)
		startsLine := i == 0 || text[i-1] == '\n' || text[i-1] == '\r' || text[:i] == bom
		endsLine := at == len(text) || text[at] == '\n' || text[at] == '\r'
		if !startsLine || !endsLine {
			return nil, &BlockError{file, lineAt(text, i), fmt.Sprintf("the marker %s does not stand on a line of its own, remove it or the text beside it", marker)}
		}
		out = append(out, i)
	}
}

const bom = "\uFEFF"

// lineAt returns the 1-based line of an offset; LF, CRLF and CR end lines.
func lineAt(text string, offset int) int {
	line := 1
	for i := 0; i < offset; i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 >= len(text) || text[i+1] != '\n') {
			line++
		}
	}
	return line
}

func eolAt(text string, i int) string {
	switch {
	case strings.HasPrefix(text[i:], "\r\n"):
		return "\r\n"
	case i < len(text) && (text[i] == '\n' || text[i] == '\r'):
		return text[i : i+1]
	}
	return ""
}

// lineEnd returns the line end that a text mostly uses, LF when it has none.
func lineEnd(text string) string {
	crlf := strings.Count(text, "\r\n")
	lf := strings.Count(text, "\n") - crlf
	cr := strings.Count(text, "\r") - crlf
	switch {
	case crlf > lf:
		return "\r\n"
	case lf == 0 && crlf == 0 && cr > 0:
		return "\r"
	}
	return "\n"
}

// withEOL gives a block the line ends of the file it goes into. A file with LF
// takes the block verbatim, also when agents.md itself has CRLF.
func withEOL(block, eol string) string {
	if eol == "\n" {
		return block
	}
	block = strings.ReplaceAll(block, "\r\n", "\n")
	return strings.ReplaceAll(block, "\n", eol)
}

// separator returns what must stand between a text and a block appended to it, so
// that a blank line separates them: up to two line ends.
func separator(text, eol string) string {
	t := strings.TrimPrefix(text, bom)
	switch {
	case t == "":
		return ""
	case !endsLine(t):
		return eol + eol
	case trimEOL(t) == "" || endsLine(trimEOL(t)):
		return ""
	}
	return eol
}

func endsLine(s string) bool {
	return strings.HasSuffix(s, "\n") || strings.HasSuffix(s, "\r")
}

// trimEOL removes one line end.
func trimEOL(s string) string {
	if t, ok := strings.CutSuffix(s, "\r\n"); ok {
		return t
	}
	if endsLine(s) {
		return s[:len(s)-1]
	}
	return s
}

// putBlock returns text with the block in it: in place of the one at r, or at the
// end. The returned separator is what was added before it.
func putBlock(text, block string, r *region) (out, sep string) {
	if r != nil {
		eol := eolAt(text, r.start+strings.IndexAny(text[r.start:]+"\n", "\r\n"))
		return text[:r.start] + withEOL(block, eol) + text[r.end:], ""
	}
	eol := lineEnd(text)
	sep = separator(text, eol)
	return text + sep + withEOL(block, eol) + eol, sep
}

// cutBlock returns text without the block at r and without the separator that was
// added before it.
func cutBlock(text string, r *region, sep string) string {
	before, after := text[:r.start], text[r.end+len(r.eol):]
	before = cutSeparator(before, sep, eolAt(text, r.start+strings.IndexAny(text[r.start:]+"\n", "\r\n")))
	if before != "" && before != bom && !endsLine(before) && after != "" && !strings.HasPrefix(after, "\n") && !strings.HasPrefix(after, "\r") {
		// Text that was added after the block must not glue to the last line.
		return before + lineEnd(text) + after
	}
	return before + after
}

// cutSeparator removes the recorded separator. When the file's line ends were
// converted since (git's autocrlf), it counts line ends instead of bytes.
func cutSeparator(before, sep, eolNow string) string {
	if sep == "" || eolNow == "" {
		return before
	}
	if strings.ReplaceAll(sep, eolNow, "") == "" {
		for s := sep; s != ""; s = s[:len(s)-len(eolNow)] {
			if t, ok := strings.CutSuffix(before, s); ok {
				return t
			}
		}
		return before
	}
	for range strings.Count(sep, "\n") + strings.Count(strings.ReplaceAll(sep, "\r\n", ""), "\r") {
		before = trimEOL(before)
	}
	return before
}

// validSeparator bounds what a metadata file may claim was added before a block.
func validSeparator(s string) bool {
	switch s {
	case "", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "\r\r":
		return true
	}
	return false
}

// HasMarker reports whether an agents.md holds an amp:begin or amp:end marker in
// any spelling that a reader might take for one. Inlined, it would end the
// managed block early or open another one.
func HasMarker(text string) bool {
	lower := strings.ToLower(text)
	for {
		i := strings.Index(lower, "<!--")
		if i < 0 {
			return false
		}
		lower = lower[i+len("<!--"):]
		rest := strings.TrimLeft(lower, "- \t\r\n\u00a0\u200b\ufeff")
		if strings.HasPrefix(rest, "amp:begin") || strings.HasPrefix(rest, "amp:end") {
			return true
		}
	}
}
