package unpack

import (
	"fmt"
	"path"
	"strings"

	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// filed counts what of a capability file is on its page and what is not.
type filed struct {
	types  [parser.NumTypes]int
	blocks int // of unknown types, and empty ones
	lines  int // that belong to no primitive
}

// region is what stands between the marks of a file's page.
func (h *header) region(f *pack.File) (string, filed) {
	var n filed
	legend := map[string]parser.LegendEntry{}
	subject := ""
	var parts [parser.NumTypes]strings.Builder
	for it := range f.Tree.All() {
		switch it.Kind() {
		case parser.Frontmatter:
			if e := pack.ParseFrontmatter(it.Block).Entry("applies_to"); e != nil && e.Kind == pack.Scalar {
				subject = oneLine(e.Value)
			}
		case parser.Legend:
			es, _ := it.LegendEntries()
			if it.Misplaced() {
				n.lines += countLines(it.Text())
				continue
			}
			for _, e := range es {
				if _, ok := legend[e.Code]; !ok {
					legend[e.Code] = e
				}
			}
		case parser.Primitive:
			r := it.Tail()
			n.lines += countLines(it.Text()[r.Start:r.End])
			if it.Type() == parser.Unknown || it.Unclosed() || parser.TrimSpace(it.Content()) == "" {
				n.blocks++
				continue
			}
			n.types[it.Type()]++
			primitive(&parts[it.Type()], it.Block, legend)
		case parser.Loose, parser.Malformed:
			n.lines += countLines(it.Text())
		}
	}
	if subject == "" {
		subject = stemOf(f.Name())
	}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s\nDo not edit between the markers; it is replaced on the next run.\n", escape(subject), h.line(f.Name()))
	for _, s := range []struct {
		t     parser.Type
		title string
	}{{parser.Goal, "Goals"}, {parser.Claim, "Facts"}, {parser.Directive, "Rules"}, {parser.Demonstration, "Examples"}} {
		if parts[s.t].Len() > 0 {
			fmt.Fprintf(&b, "\n## %s\n\n%s", s.title, strings.TrimPrefix(parts[s.t].String(), "\n"))
		}
	}
	return b.String(), n
}

func countLines(s string) (n int) {
	for at := 0; at < len(s); {
		end, next := text.LineEnd(s, at)
		if parser.TrimSpace(s[at:end]) != "" {
			n++
		}
		at = next
	}
	return n
}

// primitive writes one entry. Facets are mentioned where they are not what holds
// for most.
func primitive(b *strings.Builder, p *parser.Block, legend map[string]parser.LegendEntry) {
	v := p.Resolved()
	if p.Type() == parser.Demonstration {
		label := v["illustrates"]
		if label == "" {
			label = "Example"
		}
		fmt.Fprintf(b, "\n### %s", escape(label))
		if v["valence"] != "" {
			fmt.Fprintf(b, " (%s)", v["valence"])
		}
		b.WriteString("\n\n" + fenced(p.Content()))
		for _, r := range reasons(p, legend) {
			b.WriteString("\n" + indent + "> " + r)
		}
		if p.HasReason() {
			b.WriteByte('\n')
		}
		return
	}
	b.WriteString("- ")
	var said []string
	switch {
	case p.Type() == parser.Directive:
		fmt.Fprintf(b, "**%s** ", v["force"])
	case v["force"] != "" && v["force"] != "should":
		said = append(said, v["force"])
	}
	if v["scope"] != "" && v["scope"] != "project" {
		said = append(said, v["scope"])
	}
	if v["stability"] != "permanent" {
		said = append(said, v["stability"])
	}
	for i, l := range contentLines(p.Content()) {
		if i > 0 {
			b.WriteString("\n" + indent)
		}
		b.WriteString(escape(l))
	}
	if len(said) > 0 {
		fmt.Fprintf(b, " *(%s)*", strings.Join(said, ", "))
	}
	for i, r := range reasons(p, legend) {
		if i == 0 {
			b.WriteString(" — " + r)
		} else {
			b.WriteString("\n" + indent + r)
		}
	}
	b.WriteByte('\n')
}

// contentLines are the lines of a content that hold anything; in v0.4 there is one.
func contentLines(s string) (out []string) {
	for at := 0; at < len(s); {
		end, next := text.LineEnd(s, at)
		if parser.TrimSpace(s[at:end]) != "" {
			out = append(out, s[at:end])
		}
		at = next
	}
	return out
}

// reasons are the lines of the reason, escaped, with the sources that they cite.
func reasons(p *parser.Block, legend map[string]parser.LegendEntry) (out []string) {
	for _, l := range contentLines(p.Reason()) {
		out = append(out, cited(parser.TrimSpace(l), legend))
	}
	return out
}

func cited(s string, legend map[string]parser.LegendEntry) string {
	if len(s) < 3 || s[0] != '[' || s[len(s)-1] != ']' {
		return escape(s)
	}
	code, verbatim := strings.CutSuffix(s[1:len(s)-1], parser.Verbatim)
	e, ok := legend[parser.TrimSpace(code)]
	if !ok || e.Title == "" {
		return escape(s)
	}
	out := escape(e.Title)
	if e.URL != "" {
		out += ", " + escape(e.URL)
	}
	if verbatim {
		out += " (verbatim)"
	}
	return out
}

func stemOf(name string) string { return strings.TrimSuffix(name, ".md") }

// header is what a pack says about itself, for the pages of all its files.
type header struct {
	title, version string
	routes         *pack.Routing
	unfit          []string // cells of agents.md that no page repeats
}

// newHeader reads manifest and routing table; withheld leaves their texts out.
func newHeader(slug string, p *pack.Pack, withheld bool) *header {
	h := &header{title: slug}
	if withheld {
		return h
	}
	h.routes = p.Routing
	if t := oneLine(p.Manifest.Text("title")); t != "" {
		h.title = t
	}
	n := p.Manifest.Member("version")
	if n != nil && n.Kind == jsontree.Object {
		n = n.Member("number")
	}
	if n != nil && (n.Kind == jsontree.String || n.Kind == jsontree.Number) {
		h.version = oneLine(n.Text)
	}
	return h
}

// oneLine is a value of the manifest or the frontmatter as one line, bounded.
func oneLine(s string) string {
	s = visible(strings.Join(strings.Fields(strings.ToValidUTF8(s, "\uFFFD")), " "))
	if r := []rune(s); len(r) > maxWords {
		s = string(r[:maxWords]) + "…"
	}
	return s
}

// maxWords bounds titles and cells, in characters.
const maxWords = 300

func (h *header) line(file string) string {
	s := origin + escape(h.title) + "**"
	if h.version != "" {
		s += ", version " + escape(h.version)
	}
	s += "."
	if use := h.task(h.rows(), file); use != "" {
		s += " Use when: " + escape(use) + "."
	} else if listed, what := h.always(file); what != "" {
		s += " Always loaded: " + escape(what) + "."
	} else if listed {
		s += " Always loaded."
	}
	return s
}

func (h *header) rows() []pack.Route {
	if h.routes == nil {
		return nil
	}
	return h.routes.Rows
}

// task is what the first of some routes to a file says.
func (h *header) task(routes []pack.Route, file string) string {
	for i := range routes {
		if !names(&routes[i], file) {
			continue
		}
		task := oneLine(strings.ReplaceAll(routes[i].Task, `\|`, "|"))
		if task != "" && !h.unfitting(task) {
			return strings.TrimSuffix(task, ".")
		}
	}
	return ""
}

// always tells whether the always-load list has a file, and what it says about it.
func (h *header) always(file string) (listed bool, what string) {
	if h.routes == nil {
		return false, ""
	}
	for i := range h.routes.Items {
		listed = listed || names(&h.routes.Items[i], file)
	}
	return listed, h.task(h.routes.Items, file)
}

func names(rt *pack.Route, file string) bool {
	for _, f := range rt.Files {
		if pack.FileOf(f.Name) == file {
			return true
		}
	}
	return false
}

// unfitting tells cells that point out of the pack, by path or address, and
// remembers them for the report.
func (h *header) unfitting(task string) bool {
	if !strings.Contains(task, "..") && !strings.Contains(task, "://") && !strings.ContainsAny(task, `/\`) {
		return false
	}
	for w := range strings.FieldsSeq(task) {
		if strings.Contains(w, "..") && strings.Trim(w, ".…") != "" && strings.ContainsAny(w, `/\`) || strings.Contains(w, "://") || strings.HasPrefix(w, "/") || strings.HasPrefix(w, "~/") || path.Ext(w) == ".md" && strings.ContainsAny(w, `/\`) {
			for _, u := range h.unfit {
				if u == task {
					return true
				}
			}
			h.unfit = append(h.unfit, task)
			return true
		}
	}
	return false
}
