package report

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/mattn/go-runewidth"

	"github.com/amp-toolchain/amp/internal/capability"
)

// Page writes what a person should read before installing a pack: the verdict
// first, then what led to it with the lines, what the pack asks the agent to do,
// who signed it, and what nobody read.
func Page(w io.Writer, r *Report, opt TextOptions) error {
	b := bufio.NewWriter(w)
	t := pageText{b, style{opt.Color}, sources{}}
	for i, p := range r.pages() {
		if i > 0 {
			b.WriteString("\n\n")
		}
		t.pack(p)
	}
	fmt.Fprintf(b, "\n%s\n", wrap(limits, ""))
	return b.Flush()
}

type pageText struct {
	b   *bufio.Writer
	st  style
	src sources
}

// show makes a text of a stranger safe to print on one line.
func show(s string) string {
	var b strings.Builder
	visible(s, func(s string) { b.WriteString(s) }, func(c string) { b.WriteString("<" + c + ">") })
	return b.String()
}

func (t *pageText) pack(p *pagePack) {
	color := [...]string{blue, yellow, red}[p.verdict.level]
	name := show(p.Name)
	if p.audit.Title != "" {
		name += " — " + show(p.audit.Title)
	}
	fmt.Fprintf(t.b, "%s  %s\n%s\n", t.st.paint(color, p.verdict.word), t.st.paint(bold, name), wrap(p.verdict.text, ""))
	fmt.Fprintf(t.b, "%s\n", t.st.paint(dim, show(p.Root)))
	for _, e := range p.errors {
		fmt.Fprintf(t.b, "  could not be read: %s\n", show(e))
	}
	threats, minor, more := p.split()
	if len(threats) > 0 {
		t.head("What was found")
	}
	for _, f := range threats {
		t.finding(f)
	}
	if p.audit.Root != "" {
		t.head("What the pack asks your agent to: " + p.audit.Asks.Counts.Headline())
		for i := range p.audit.Asks.Asks {
			t.ask(&p.audit.Asks.Asks[i])
		}
		t.head("Who signed it")
		fmt.Fprintf(t.b, "%s\n", wrap(show(p.audit.Signer.Message), "  "))
		t.head("What was not read")
		for _, u := range p.audit.Asks.Unread {
			fmt.Fprintf(t.b, "  %s: %s\n", show(u.Path), show(u.Reason))
		}
		if len(p.audit.Asks.Unread) == 0 {
			t.b.WriteString("  Nothing: every file was read.\n")
		}
	}
	if len(minor) == 0 {
		return
	}
	t.head("Besides")
	for _, f := range minor {
		fmt.Fprintf(t.b, "  %s:%d: %s [%s] %s\n", show(f.Path), f.Start.Line, severity(f), f.Rule.Slug, show(f.Message))
	}
	if more > 0 {
		fmt.Fprintf(t.b, "  and %d more (--format text shows all)\n", more)
	}
}

func (t *pageText) head(s string) { fmt.Fprintf(t.b, "\n%s\n", t.st.paint(bold, s)) }

func (t *pageText) finding(f *Finding) {
	fmt.Fprintf(t.b, "  %s %s\n", t.st.paint(colorOf(f.Severity), severity(f)+" ["+f.Rule.Slug+"]"), strings.TrimPrefix(wrap(show(f.Message), "  "), "  "))
	fmt.Fprintf(t.b, "    why it matters: %s\n", show(f.Rule.Summary))
	t.place(&f.Place, f, "    ")
	for i := range f.Related {
		rel := &f.Related[i]
		fmt.Fprintf(t.b, "    - %s\n", show(rel.Message))
		t.place(rel, nil, "      ")
	}
}

// place shows where something stands and the line.
func (t *pageText) place(p *Place, f *Finding, indent string) {
	fmt.Fprintf(t.b, "%s%s:%d:%d\n", indent, show(p.Path), p.Start.Line, p.Start.Column)
	file := p.file
	if f != nil {
		file = f.File
	}
	before, marked, after := t.src.line(p, file)
	if strings.TrimSpace(before+marked+after) == "" {
		return
	}
	fmt.Fprintf(t.b, "%s| %s%s%s\n", indent, show(before), t.st.paint(bold, show(marked)), show(after))
}

func (t *pageText) ask(a *capability.Ask) {
	note := a.Note()
	if note != "" {
		note = " (" + note + ")"
	}
	fmt.Fprintf(t.b, "  %-8s %s%s\n           %s:%d\n", a.Verb, show(a.Object), note, show(a.Path), a.Line)
}

// wrap breaks a text into lines of at most 100 columns.
func wrap(s, indent string) string {
	var b strings.Builder
	at := 0
	for _, w := range strings.Fields(s) {
		n := runewidth.StringWidth(w)
		switch {
		case at == 0:
			b.WriteString(indent)
		case at+1+n > 100-len(indent):
			b.WriteString("\n" + indent)
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(w)
		at += n
	}
	return b.String()
}
