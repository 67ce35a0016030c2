package rules

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

var routing = &analysis.Rule{
	Slug: "routing", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2",
	Summary: "agents.md routes to a file that is not there, or lacks its fixed parts",
	Doc:     "An agent reads agents.md to know what to load. It has an `## Always load` section whose items include operating-principles.md, and a table whose last column names capability files that exist, by their plain names. A capability file that nothing routes to is shown as a hint in editors: no agent will load it.",
	Bad:     "# AMP Routing — small-press\n\n## Always load\n- operating-principles.md — first things first\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n| Writing jacket copy | copy-voice.md |\n",
	Good:    "# AMP Routing — small-press\n\n## Always load\n- operating-principles.md — first things first\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n",
	Fix:     "adds the section or the item, corrects a name that is nearly right, or removes the row",
	Pack: func(p *analysis.PackPass) {
		r := p.Pack.Routing
		if r == nil || analysis.WideText(r.Text) {
			return
		}
		alwaysLoad(p, r)
		c := refCheck{PackPass: p, r: r}
		for _, rt := range r.Routes() {
			for _, f := range rt.Files {
				c.check(rt, f)
			}
		}
		unrouted(p, r)
	},
}

func alwaysLoad(p *analysis.PackPass, r *pack.Routing) {
	nl := text.Newline(r.Text)
	if r.Always == (text.Span{}) {
		at := r.Title.End
		ins := nl + nl + "## Always load" + nl + "- " + pack.PrinciplesName + " — what comes first and why"
		if at == 0 { // no heading to stand under
			if strings.HasPrefix(r.Text, text.BOM) {
				at = len(text.BOM)
			}
			ins = strings.TrimPrefix(ins, nl+nl) + nl + nl
		}
		p.Report(pack.AgentsName, text.Span{Start: r.Title.Start, End: r.Title.End}, "agents.md has no `## Always load` section",
			edit(pack.AgentsName, "Add the section", analysis.Suggested, text.Span{Start: at, End: at}, ins))
		return
	}
	if !exists(p.Pack, pack.PrinciplesName) {
		return // missing-file says so
	}
	at := r.Always.End
	var near *pack.FileRef // what was meant as the entry
	for i := range r.Items {
		for k := range r.Items[i].Files {
			f := &r.Items[i].Files[k]
			name := pack.FileOf(f.Name)
			if name == pack.PrinciplesName {
				return
			}
			if near == nil && !exists(p.Pack, name) && nearest(strings.ToLower(name), []string{pack.PrinciplesName}, 3) != "" {
				near = f
			}
		}
	}
	if near != nil { // added, it would stand twice
		p.Report(pack.AgentsName, r.Always, pack.PrinciplesName+" must be in the Always load section, by this very name",
			edit(pack.AgentsName, "Change to "+pack.PrinciplesName, analysis.Suggested, near.Span, pack.PrinciplesName))
		return
	}
	p.Report(pack.AgentsName, r.Always, pack.PrinciplesName+" must be in the Always load section",
		edit(pack.AgentsName, "Add "+pack.PrinciplesName, analysis.Suggested, text.Span{Start: at, End: at}, nl+"- "+pack.PrinciplesName+" — what comes first and why"))
}

// exists reports whether a capability file is on disk or at least listed; a
// listed one that is not there has a finding of its own.
func exists(p *pack.Pack, name string) bool {
	return p.File(pack.MemoryDir+"/"+name) != nil || p.Manifest.Lists(name)
}

// refCheck judges the file names of routes.
type refCheck struct {
	*analysis.PackPass
	r     *pack.Routing
	names []string // of the capability files that are there
	n     int      // findings
}

func (c *refCheck) check(rt pack.Route, f pack.FileRef) {
	if exists(c.Pack, f.Name) {
		return
	}
	name := pack.FileOf(f.Name)
	if name != f.Name && exists(c.Pack, name) {
		if f.Kind != pack.RefLink {
			c.ReportAs(analysis.Warning, pack.AgentsName, f.Span, fmt.Sprintf("routes name files without their folder: %s", name),
				edit(pack.AgentsName, "Remove the folder", analysis.Safe, f.Span, name))
		}
		return
	}
	if escapes(f.Name) {
		return // route-escape judges names that point out of memory/
	}
	if f.Kind == pack.RefGuess && strings.ContainsAny(name, " \t(") {
		c.ReportAs(analysis.Warning, pack.AgentsName, f.Span, "this route names no capability file")
		return
	}
	c.Report(pack.AgentsName, f.Span, fmt.Sprintf("no capability file %s in memory/", name), c.fixes(rt, f, name)...)
}

func (c *refCheck) fixes(rt pack.Route, f pack.FileRef, name string) []analysis.Fix {
	if c.n++; c.n > maxFixed {
		return nil
	}
	if c.names == nil {
		for _, f := range c.Pack.Capabilities() {
			c.names = append(c.names, f.Name())
		}
	}
	var fixes []analysis.Fix
	for _, n := range c.names {
		if strings.EqualFold(n, name) {
			fixes = append(fixes, edit(pack.AgentsName, "Change to "+n, analysis.Suggested, f.Span, n))
		}
	}
	if near := nearest(name, c.names, 3); near != "" && len(fixes) == 0 {
		fixes = append(fixes, edit(pack.AgentsName, "Change to "+near, analysis.Suggested, f.Span, near))
	}
	if len(rt.Files) == 1 {
		_, next := text.LineEnd(c.r.Text, rt.Line.Start)
		fixes = append(fixes, edit(pack.AgentsName, "Remove the route", analysis.Manual, text.Span{Start: rt.Line.Start, End: next}, ""))
	}
	return fixes
}

// escapes reports whether a name points at something other than a place below
// the pack's folder.
func escapes(name string) bool {
	return strings.Contains(name, "..") || strings.ContainsAny(name, `\:`) || strings.HasPrefix(name, "/") || strings.HasPrefix(name, "~")
}

// routable reports whether a route can name a file: in a table, some characters end a name.
func routable(name string) bool {
	return pack.PlainName(name) && !strings.ContainsAny(name, " \t,;`\"'()[]<>*+&|")
}

func unrouted(p *analysis.PackPass, r *pack.Routing) {
	for _, c := range p.Pack.Capabilities() {
		if c.Name() == pack.PrinciplesName || r.Names(c.Name()) || !p.Pack.Manifest.Lists(c.Name()) {
			continue
		}
		d := p.ReportAs(analysis.Hint, c.Path, text.Span{}, fmt.Sprintf("nothing in agents.md routes to %s, so no agent loads it", c.Name()))
		if r.TableEnd > 0 && routable(c.Name()) {
			d.Fixes = append(d.Fixes, analysis.Fix{Title: "Add a row to agents.md", Safety: analysis.Suggested, Edits: []analysis.FileEdit{routingRow(r, c.Name())}})
		}
	}
}

// routingRow adds a row for a file to the routing table. When to load the file is
// guessed from its name.
func routingRow(r *pack.Routing, name string) analysis.FileEdit {
	before, task := text.Newline(r.Text)+"| ", topic(name)
	return analysis.FileEdit{
		Path: pack.AgentsName, Span: text.Span{Start: r.TableEnd, End: r.TableEnd}, New: before + task + " | " + name + " |",
		Hole: text.Span{Start: len(before), End: len(before) + len(task)},
	}
}
