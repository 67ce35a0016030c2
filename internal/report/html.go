package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
	"strings"

	"github.com/amp-toolchain/amp/internal/capability"
)

// htmlHead opens the page. It loads nothing and runs nothing, and says so to the
// browser: whatever slipped in would have no effect.
const htmlHead = `<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="referrer" content="no-referrer">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>%s</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:52rem;margin:2rem auto;padding:0 1rem;color:#1b1b1b;background:#fff}
h1{font-size:1.4rem;margin:2.5rem 0 .3rem}h2{font-size:1.05rem;margin:1.6rem 0 .4rem}
.v{border-left:.5rem solid;padding:.6rem 1rem;margin:.6rem 0}.v b{display:block;font-size:1.15rem}
.v0{border-color:#3867d6;background:#eef3ff}.v1{border-color:#c78500;background:#fff7e6}.v2{border-color:#c0262d;background:#fdeced}
.f{margin:.8rem 0;padding-left:1rem;border-left:3px solid #ccc}.error{border-color:#c0262d}.warning{border-color:#c78500}
.at{color:#555;font-size:.85rem;overflow-wrap:anywhere}
pre{margin:.2rem 0;padding:.4rem .6rem;background:#f4f4f4;font:13px/1.5 ui-monospace,monospace;white-space:pre-wrap;overflow-wrap:anywhere;unicode-bidi:isolate;direction:ltr}
mark{background:#ffe08a;color:inherit}.u{font:11px ui-monospace,monospace;background:#c0262d;color:#fff;padding:0 .25em;border-radius:.2em}
table{border-collapse:collapse;width:100%%}td,th{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;border-bottom:1px solid #e4e4e4;overflow-wrap:anywhere}
ul{padding-left:1.2rem}.s{color:#555;font-size:.85rem;margin-top:2.5rem}
</style>
</head>
<body>
`

// HTML writes Page as one file for a browser: no script, no address to follow,
// every text of the pack escaped, credentials masked, and characters that cannot
// be seen shown by their numbers.
func HTML(w io.Writer, r *Report, o Options) error {
	b := bufio.NewWriter(w)
	h := pageHTML{b, sources{}}
	pages := r.pages()
	title := "AMP packs before installing"
	if len(pages) == 1 {
		title = pages[0].Name + " before installing"
	}
	fmt.Fprintf(b, htmlHead, plainHTML(title))
	for _, p := range pages {
		h.pack(p)
	}
	fmt.Fprintf(b, "<p class=\"s\">%s</p>\n<p class=\"s\">amp-lint %s</p>\n</body>\n</html>\n", html.EscapeString(limits), html.EscapeString(o.Version))
	return b.Flush()
}

type pageHTML struct {
	b   *bufio.Writer
	src sources
}

// text escapes a text of a stranger and shows what cannot be seen.
func textHTML(s string) string {
	var b strings.Builder
	visible(s, func(s string) { b.WriteString(html.EscapeString(s)) }, func(c string) { b.WriteString(`<span class="u">` + c + `</span>`) })
	return b.String()
}

// plainHTML is textHTML for places where no element may stand.
func plainHTML(s string) string { return html.EscapeString(show(s)) }

func (h *pageHTML) printf(format string, args ...any) { fmt.Fprintf(h.b, format, args...) }

func (h *pageHTML) pack(p *pagePack) {
	h.printf("<h1>%s</h1>\n", textHTML(p.Name))
	if p.audit.Title != "" {
		h.printf("<p>%s</p>\n", textHTML(p.audit.Title))
	}
	h.printf("<div class=\"v v%d\"><b>%s</b>%s</div>\n<p class=\"at\">%s</p>\n", p.verdict.level, p.verdict.word, html.EscapeString(p.verdict.text), textHTML(p.Root))
	if len(p.errors) > 0 {
		h.b.WriteString("<h2>What could not be read</h2>\n<ul>\n")
		for _, e := range p.errors {
			h.printf("<li>%s</li>\n", textHTML(e))
		}
		h.b.WriteString("</ul>\n")
	}
	threats, minor, more := p.split()
	if len(threats) > 0 {
		h.b.WriteString("<h2>What was found</h2>\n")
	}
	for _, f := range threats {
		h.finding(f)
	}
	if p.audit.Root != "" {
		h.asks(&p.audit.Asks)
		h.printf("<h2>Who signed it</h2>\n<p>%s</p>\n", textHTML(p.audit.Signer.Message))
		h.b.WriteString("<h2>What was not read</h2>\n")
		if len(p.audit.Asks.Unread) == 0 {
			h.b.WriteString("<p>Nothing: every file was read.</p>\n")
		} else {
			h.b.WriteString("<ul>\n")
			for _, u := range p.audit.Asks.Unread {
				h.printf("<li>%s: %s</li>\n", textHTML(u.Path), textHTML(u.Reason))
			}
			h.b.WriteString("</ul>\n")
		}
	}
	if len(minor) == 0 {
		return
	}
	h.b.WriteString("<h2>Besides</h2>\n<ul>\n")
	for _, f := range minor {
		h.printf("<li>%s <span class=\"at\">%s, %s:%d</span></li>\n", textHTML(f.Message), severity(f)+" "+f.Rule.Slug, textHTML(f.Path), f.Start.Line)
	}
	if more > 0 {
		h.printf("<li>and %d more</li>\n", more)
	}
	h.b.WriteString("</ul>\n")
}

func (h *pageHTML) finding(f *Finding) {
	h.printf("<div class=\"f %s\"><b>%s</b> %s<br><span class=\"at\">%s: %s</span>\n", severity(f), f.Rule.Slug, textHTML(f.Message), severity(f), html.EscapeString(f.Rule.Summary))
	h.place(&f.Place, f)
	for i := range f.Related {
		h.printf("<div>%s</div>\n", textHTML(f.Related[i].Message))
		h.place(&f.Related[i], nil)
	}
	h.b.WriteString("</div>\n")
}

func (h *pageHTML) place(p *Place, f *Finding) {
	h.printf("<div class=\"at\">%s:%d:%d</div>\n", textHTML(p.Path), p.Start.Line, p.Start.Column)
	file := p.file
	if f != nil {
		file = f.File
	}
	before, marked, after := h.src.line(p, file)
	if strings.TrimSpace(before+marked+after) != "" {
		h.printf("<pre>%s<mark>%s</mark>%s</pre>\n", textHTML(before), textHTML(marked), textHTML(after))
	}
}

func (h *pageHTML) asks(s *capability.Summary) {
	h.printf("<h2>What the pack asks your agent to: %s</h2>\n", html.EscapeString(s.Counts.Headline()))
	if len(s.Asks) == 0 {
		return
	}
	h.b.WriteString("<table>\n<tr><th>act</th><th>on</th><th>where</th></tr>\n")
	for i := range s.Asks {
		a := &s.Asks[i]
		note := a.Note()
		if note != "" {
			note = " (" + note + ")"
		}
		h.printf("<tr><td>%s%s</td><td>%s</td><td class=\"at\">%s:%d</td></tr>\n", a.Verb, note, textHTML(a.Object), textHTML(a.Path), a.Line)
	}
	h.b.WriteString("</table>\n")
}
