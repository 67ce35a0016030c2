package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/mattn/go-runewidth"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser/text"
)

// TextOptions tell how the text format looks.
type TextOptions struct {
	Color bool
	Width int  // columns of a source line that are shown, 0 for the default
	Quiet bool // findings alone, no totals
}

type style struct{ on bool }

func (s style) paint(code, t string) string {
	if !s.on {
		return t
	}
	return "\x1b[" + code + "m" + t + "\x1b[0m"
}

const (
	bold   = "1"
	red    = "1;31"
	yellow = "1;33"
	blue   = "1;34"
	dim    = "2"
)

// Text writes each finding with its source line and carets, and ends with the
// PASS/FAIL/WARN lines of Part 5.
func Text(w io.Writer, r *Report, opt TextOptions) error {
	b := bufio.NewWriter(w)
	st, src := style{opt.Color}, sources{}
	if opt.Width <= 0 {
		opt.Width = 110
	}
	for i := range r.Findings {
		writeFinding(b, src, &r.Findings[i], st, opt.Width)
	}
	if !opt.Quiet {
		writeTotals(b, r, st)
	}
	return b.Flush()
}

func writeFinding(b *bufio.Writer, src sources, f *Finding, st style, width int) {
	fmt.Fprintf(b, "%s %s %s\n", st.paint(bold, fmt.Sprintf("%s:%d:%d:", oneLine(f.Path), f.Start.Line, f.Start.Column)),
		st.paint(colorOf(f.Severity), severity(f)+"["+f.Rule.Slug+"]"), oneLine(f.Message))
	writeSnippet(b, src, f, st, width)
	for _, p := range f.Related {
		fmt.Fprintf(b, "   %s %s:%d:%d: %s\n", st.paint(blue, "="), oneLine(p.Path), p.Start.Line, p.Start.Column, oneLine(p.Message))
	}
	for i, fix := range f.Fixes {
		if i == 3 {
			fmt.Fprintf(b, "   %s and %d more\n", st.paint(blue, "="), len(f.Fixes)-i)
			break
		}
		note := ""
		if fix.Safety != analysis.Safe {
			note = " (" + fix.Safety.String() + ")"
		}
		fmt.Fprintf(b, "   %s fix: %s%s\n", st.paint(blue, "="), oneLine(fix.Title), note)
	}
	b.WriteByte('\n')
}

func colorOf(s analysis.Severity) string {
	switch s {
	case analysis.Error:
		return red
	case analysis.Warning:
		return yellow
	}
	return blue
}

// nothing reports whether nothing could be judged: totals of zero would read as
// if all were well.
func nothing(r *Report) bool { return len(r.Packs) == 0 && len(r.Findings) == 0 && len(r.Errors) > 0 }

func writeTotals(b *bufio.Writer, r *Report, st style) {
	if nothing(r) {
		return
	}
	s := r.Summary
	fmt.Fprintf(b, "PASS: %d primitives valid\n", s.Pass)
	fmt.Fprintf(b, "FAIL: %d primitives failed validation\n", s.Fail)
	fmt.Fprintf(b, "WARN: %d ambiguous units still unresolved — awaiting human review\n", s.Warn)
	fmt.Fprintf(b, "%s, %s, %s in %s\n", plural(s.Errors, "error"), plural(s.Warnings, "warning"), plural(s.Infos, "note"), plural(s.Packs, "pack"))
	if hint := fixable(r); hint != "" {
		fmt.Fprintln(b, hint)
	}
}

// fixable says how many findings a flag would mend, "" when none.
func fixable(r *Report) string {
	count := map[analysis.Safety]int{}
	for i := range r.Findings {
		if fixes := r.Findings[i].Fixes; len(fixes) > 0 {
			least := fixes[0].Safety
			for _, f := range fixes {
				least = min(least, f.Safety)
			}
			count[least]++
		}
	}
	safe, more := count[analysis.Safe], count[analysis.Suggested]
	switch {
	case safe > 0 && more > 0:
		return fmt.Sprintf("%d fixable with --fix, %d more with --fix-suggested", safe, more)
	case safe > 0:
		return fmt.Sprintf("%d fixable with --fix", safe)
	case more > 0:
		return fmt.Sprintf("%d fixable with --fix-suggested", more)
	}
	return ""
}

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

// writeSnippet shows the finding's first line, credentials masked, cut to the
// width around the finding, and carets that are right for tabs, wide characters
// and emoji.
func writeSnippet(b *bufio.Writer, src sources, f *Finding, st style, width int) {
	if f.File == nil {
		return
	}
	line, col, end := src.sourceLine(f)
	if strings.TrimSpace(line) == "" {
		return
	}
	before, marked, after := line[:col], line[col:end], line[end:]
	lead, mid := render(before), render(marked)
	if mid == "" {
		mid = render(firstRune(after))
		if mid == "" {
			mid = " "
		}
		after = after[min(len(after), len(firstRune(after))):]
	}
	tail := render(after)
	leadW := runewidth.StringWidth(lead)
	if leadW > width/2 {
		lead = "…" + runewidth.TruncateLeft(lead, leadW-width/3, "")
		leadW = runewidth.StringWidth(lead)
	}
	midW := runewidth.StringWidth(mid)
	if leadW+midW > width {
		mid, tail = runewidth.Truncate(mid, max(width-leadW, 2), "…"), ""
		midW = runewidth.StringWidth(mid)
	}
	tail = runewidth.Truncate(tail, max(width-leadW-midW, 1), "…")
	no := fmt.Sprint(f.Start.Line)
	pad := strings.Repeat(" ", len(no))
	fmt.Fprintf(b, " %s %s\n", pad, st.paint(blue, "|"))
	fmt.Fprintf(b, " %s %s %s%s%s\n", st.paint(blue, no), st.paint(blue, "|"), lead, mid, tail)
	fmt.Fprintf(b, " %s %s %s%s\n", pad, st.paint(blue, "|"), strings.Repeat(" ", leadW), st.paint(colorOf(f.Severity), strings.Repeat("^", max(midW, 1))))
}

func firstRune(s string) string {
	_, n := utf8.DecodeRuneInString(s)
	return s[:n]
}

// sourceLine is the line of the finding's start, and the byte range of the
// finding in it. What looks like a credential is masked, byte for byte.
func (s sources) sourceLine(f *Finding) (line string, col, end int) {
	src := s.of(f.File)
	at := min(max(f.Start.Offset, 0), len(src))
	start := strings.LastIndexAny(src[:at], "\r\n") + 1
	if f.File.Tree != nil { // it knows its lines
		_, span := f.File.Tree.Line(f.Start.Line - 1)
		start = span.Start
	}
	stop, _ := text.LineEnd(src, start)
	line = src[start:stop]
	if strings.HasPrefix(line, text.BOM) {
		line = line[len(text.BOM):]
		start += len(text.BOM)
	}
	col = min(max(f.Start.Offset-start, 0), len(line))
	end = len(line)
	if f.End.Line == f.Start.Line {
		end = min(max(f.End.Offset-start, col), len(line))
	}
	return line, col, end
}

// render makes text safe to print in one line: tabs become four spaces, and
// characters that could move the cursor, hide or reorder text become visible.
func render(s string) string {
	plain := true
	for i := range len(s) {
		if c := s[i]; c < ' ' || c >= 0x7f {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	for _, c := range s {
		switch {
		case c == '\t':
			b.WriteString("    ")
		case c == utf8.RuneError:
			b.WriteString("�")
		case c < ' ' || c == 0x7f:
			fmt.Fprintf(&b, "<%02X>", c)
		case unicode.In(c, unicode.Cf, unicode.Zl, unicode.Zp) && c != 0x200d || 0x80 <= c && c < 0xa0:
			fmt.Fprintf(&b, "<U+%04X>", c)
		default:
			b.WriteRune(c)
		}
	}
	return b.String()
}

// oneLine is render for messages and paths.
// Line makes a text that may come from a stranger safe to print as one line.
func Line(s string) string { return render(s) }

func oneLine(s string) string { return render(s) }
