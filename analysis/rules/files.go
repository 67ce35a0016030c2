package rules

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

var missingFile = &analysis.Rule{
	Slug: "missing-file", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2 and 7, gates 1, 4 and 5",
	Summary: "a file the pack needs is not there",
	Doc:     "A pack has a manifest.json, an agents.md, a memory/operating-principles.md, and every file that `capability_files` lists. Names are compared exactly, letter case included, on every disk.",
	Bad:     strings.Replace(manifestOK, `principles.md"`, `principles.md", "copy-voice.md"`, 1),
	Good:    manifestOK,
	Fix:     "creates the file, or removes it from the list",
	Pack: func(p *analysis.PackPass) {
		m := p.Pack.Manifest
		if m == nil {
			p.Report(pack.ManifestName, text.Span{}, "Missing manifest.json")
		}
		if p.Pack.File(pack.AgentsName) == nil {
			s := text.Span{}
			if n := m.Member("agents_file"); n != nil {
				s = pack.NodeSpan(n)
			}
			p.Report(pack.ManifestName, s, "Missing agents.md", create(pack.AgentsName, routingTemplate(p.Pack)))
		}
		if p.Pack.File(pack.MemoryDir) != nil {
			return // a link, or a folder that can't be read: that is the cause
		}
		var byCase map[string]string // names in memory/ by their lower case
		listsPrinciples, missing := false, 0
		for _, e := range m.Listed() {
			if e.Kind != jsontree.String || !pack.PlainName(e.Text) {
				continue
			}
			listsPrinciples = listsPrinciples || e.Text == pack.PrinciplesName
			file := pack.MemoryDir + "/" + e.Text
			if f := p.Pack.File(file); f != nil && f.Type != fs.ModeDir {
				continue
			}
			d := p.Report(pack.ManifestName, pack.NodeSpan(e), "Missing capability file: "+file)
			if missing++; missing > maxFixed {
				continue
			}
			if byCase == nil {
				byCase = lowerNames(p.Pack)
			}
			if other := byCase[strings.ToLower(e.Text)]; other != "" {
				d.Message += fmt.Sprintf(" (there is %s: names compare exactly)", other)
				d.Fixes = append(d.Fixes, edit(pack.ManifestName, "List "+other, analysis.Suggested, pack.NodeSpan(e), quoteJSON(other)))
				continue
			}
			if p.Pack.Format == pack.FormatInline && strings.HasSuffix(e.Text, ".md") && !isDir(p.Pack, file) {
				d.Fixes = append(d.Fixes, create(file, capabilityTemplate(e.Text)))
			}
			d.Fixes = append(d.Fixes, removeElement(m, e, "Remove it from capability_files"))
		}
		if p.Pack.File(pack.MemoryDir+"/"+pack.PrinciplesName) == nil && !listsPrinciples {
			s := text.Span{}
			if n := m.Member("capability_files"); n != nil {
				s = pack.NodeSpan(n)
			} else if o := m.Object(); o != nil {
				s = text.Span{Start: o.Start, End: o.Start + 1}
			}
			if m != nil && m.Object() == nil {
				return // an unreadable manifest is one cause, and enough
			}
			if m == nil {
				return
			}
			p.Report(pack.ManifestName, s, "Missing capability file: memory/"+pack.PrinciplesName+", which every pack has")
		}
	},
}

func create(path, content string) analysis.Fix {
	return analysis.Fix{Title: "Create " + path, Safety: analysis.Manual, Edits: []analysis.FileEdit{{Path: path, New: content, Create: true}}}
}

// maxFixed bounds how many findings of one kind get fixes: behind it, a hostile
// manifest costs more than anybody gains.
const maxFixed = 100

// maxLead bounds the white space that a new member or element copies.
const maxLead = 200

func lowerNames(p *pack.Pack) map[string]string {
	m := map[string]string{}
	for _, f := range p.Files {
		if name, ok := strings.CutPrefix(f.Path, pack.MemoryDir+"/"); ok && !strings.Contains(name, "/") {
			m[strings.ToLower(name)] = name
		}
	}
	return m
}

// isDir reports whether files lie below the path.
func isDir(p *pack.Pack, dir string) bool {
	i, _ := slices.BinarySearchFunc(p.Files, dir+"/", func(f *pack.File, s string) int { return strings.Compare(f.Path, s) })
	return i < len(p.Files) && strings.HasPrefix(p.Files[i].Path, dir+"/")
}

func routingTemplate(p *pack.Pack) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# AMP Routing — %s\n\n## Always load\n- %s — what comes first and why\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n", p.Name(), pack.PrinciplesName)
	for _, f := range p.Capabilities() {
		if f.Name() != pack.PrinciplesName {
			fmt.Fprintf(&b, "| %s | %s |\n", topic(f.Name()), f.Name())
		}
	}
	return b.String()
}

func capabilityTemplate(name string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: cluster\napplies_to: %s\nsource: self\nprimitive_counts:\n", topic(name))
	for _, t := range countOrder {
		fmt.Fprintf(&b, "  %s: 0\n", t)
	}
	b.WriteString("---\n")
	return b.String()
}

// removeElement takes an element out of capability_files, with the comma that
// belongs to it.
func removeElement(m *pack.Manifest, e *jsontree.Node, title string) analysis.Fix {
	list := m.Listed()
	s := pack.NodeSpan(e)
	i, _ := slices.BinarySearchFunc(list, e.Start, func(n *jsontree.Node, at int) int { return n.Start - at })
	switch {
	case i+1 < len(list):
		s.End = list[i+1].Start
	case i > 0:
		s.Start = list[i-1].End
	}
	return edit(pack.ManifestName, title, analysis.Suggested, s, "")
}

var capabilityPath = &analysis.Rule{
	Slug: "capability-path", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2; R-cap",
	Summary: "an entry of capability_files is no plain file name",
	Doc:     "Entries are names of files in memory/, without the folder. One with a slash, a backslash, `..` or nothing in it could point anywhere on the buyer's disk; it is never looked up there.",
	Bad:     strings.Replace(manifestOK, `"operating-principles.md"`, `"memory/operating-principles.md"`, 1),
	Good:    manifestOK,
	Fix:     "cuts the `memory/` in front",
	Pack: func(p *analysis.PackPass) {
		for _, e := range p.Pack.Manifest.Listed() {
			if e.Kind != jsontree.String || pack.PlainName(e.Text) {
				continue
			}
			d := p.Report(pack.ManifestName, pack.NodeSpan(e), fmt.Sprintf("capability_files takes plain file names of memory/, got %q", e.Text))
			if rest, ok := strings.CutPrefix(e.Text, pack.MemoryDir+"/"); ok && pack.PlainName(rest) {
				d.Fixes = append(d.Fixes, edit(pack.ManifestName, "Remove the folder", analysis.Suggested, pack.NodeSpan(e), quoteJSON(rest)))
			}
		}
	},
}

var capabilityDuplicate = &analysis.Rule{
	Slug: "capability-duplicate", Severity: analysis.Warning, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2; R-cap",
	Summary: "capability_files lists a file twice",
	Doc:     "A file is listed once.",
	Bad:     strings.Replace(manifestOK, `principles.md"`, `principles.md", "operating-principles.md"`, 1),
	Good:    manifestOK,
	Fix:     "removes the second entry",
	Pack: func(p *analysis.PackPass) {
		first := map[string]*jsontree.Node{}
		for _, e := range p.Pack.Manifest.Listed() {
			if e.Kind != jsontree.String || !pack.PlainName(e.Text) {
				continue
			}
			if o, ok := first[e.Text]; ok {
				d := p.Report(pack.ManifestName, pack.NodeSpan(e), fmt.Sprintf("%s is listed twice", e.Text), removeElement(p.Pack.Manifest, e, "Remove the second entry"))
				d.Fixes[0].Safety = analysis.Safe
				d.Related = []analysis.Related{{Path: pack.ManifestName, Span: pack.NodeSpan(o), Message: "first here"}}
				continue
			}
			first[e.Text] = e
		}
	},
}

var unlistedFile = &analysis.Rule{
	Slug: "unlisted-file", Severity: analysis.Warning, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2",
	Summary: "a capability file is not listed in the manifest",
	Doc:     "A file in memory/ that `capability_files` does not list ships with the pack, and no gate checks that it arrived. It is linted all the same. A temporary file that a run of these tools left over when it was killed is an info; `amp sign` refuses to sign it.",
	Fix:     "adds the file to capability_files and, where it is not routed yet, to agents.md",
	Pack: func(p *analysis.PackPass) {
		for _, f := range p.Pack.Files {
			if leftover(f.Path) {
				p.ReportAs(analysis.Info, f.Path, text.Span{}, "this file was left over by a run that was ended in between: it ships with the pack, and nothing in it is judged; remove it")
			}
		}
		n := p.Pack.Manifest.Member("capability_files")
		if n == nil || n.Kind != jsontree.Array {
			return
		}
		meant := meantNames(n)
		for _, f := range p.Pack.Files {
			if !f.Regular() || !utf8.ValidString(f.Path) {
				continue // file-type says what it is, and it is nothing to list
			}
			if !f.Capability() && !pack.IsCapability(f.Path) || p.Pack.Manifest.Lists(f.Name()) || meant[strings.ToLower(f.Name())] {
				continue
			}
			p.Report(f.Path, text.Span{}, fmt.Sprintf("capability_files does not list %s", f.Name()), listFile(p.Pack, n, f.Name()))
		}
	},
}

// leftover reports whether a name is that of a temporary file of these tools.
func leftover(name string) bool {
	base := path.Base(name)
	i := strings.LastIndex(base, ".amp-tmp-")
	return i > 0 && base[0] == '.' && len(base)-i == len(".amp-tmp-")+16 && strings.Trim(base[i+len(".amp-tmp-"):], "0123456789abcdef") == ""
}

// meantNames are the files that entries were meant to be which have a folder,
// another letter case or white space around the name: their own finding is enough.
func meantNames(list *jsontree.Node) map[string]bool {
	m := map[string]bool{}
	for _, e := range list.Elems {
		if e.Kind == jsontree.String {
			name := e.Text[strings.LastIndexAny(e.Text, `/\`)+1:]
			m[strings.ToLower(parser.TrimSpace(name))] = true
		}
	}
	return m
}

func listFile(p *pack.Pack, list *jsontree.Node, name string) analysis.Fix {
	src := p.Manifest.File.Text
	at, lead := list.Start+1, ""
	if n := len(list.Elems); n > 0 {
		at, lead = list.Elems[n-1].End, ", "
		if n > 1 {
			lead = src[list.Elems[n-2].End:list.Elems[n-1].Start]
		} else if ws := src[list.Start+1 : list.Elems[0].Start]; strings.Contains(ws, "\n") {
			lead = "," + ws
		}
	}
	if len(lead) > maxLead {
		lead = ", "
	}
	fix := edit(pack.ManifestName, "List "+name+" in the manifest", analysis.Suggested, text.Span{Start: at, End: at}, lead+quoteJSON(name))
	fix.Stacks = len(list.Elems) > 0
	if r := p.Routing; r != nil && !r.Names(name) && r.TableEnd > 0 && routable(name) {
		fix.Title = "List " + name + " in manifest and routing table"
		fix.Edits = append(fix.Edits, routingRow(r, name))
	}
	return fix
}

var fileType = &analysis.Rule{
	Slug: "file-type", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2 and 6",
	Summary: "a pack holds something that is no regular file, or too large to be read",
	Doc:     "Links, devices, pipes and sockets have no place in a pack: a signature does not cover where a link points, and opening a pipe waits forever. They are reported and never opened. Files of more than 64 MB (.md files of more than 16 MB, manifest.json and agents.md of more than 1 MB), what lies behind the first 20,000 files of a pack, and folders more than 32 deep, are not read: the pack is then not fully analysed.",
	Pack: func(p *analysis.PackPass) {
		for _, f := range p.Pack.Files {
			switch {
			case errors.Is(f.Err, pack.ErrTooLarge):
				p.Report(f.Path, text.Span{}, fmt.Sprintf("not fully analysed: %s has %d MB; one of more than %d MB is not read", f.Path, f.Size>>20, pack.Limit(f.Path)>>20))
			case errors.Is(f.Err, pack.ErrTooMany):
				p.Report(f.Path, text.Span{}, fmt.Sprintf("not fully analysed: the pack has more than %d files; this one and those behind it were not read", pack.MaxEntries))
			case errors.Is(f.Err, pack.ErrTooDeep):
				p.Report(f.Path, text.Span{}, "not fully analysed: "+f.Path+" lies too deep; nothing in it was read")
			case f.Type.IsDir() && (f.Path == pack.ManifestName || f.Path == pack.AgentsName || pack.IsCapability(f.Path)):
				p.Report(f.Path, text.Span{}, f.Path+" is a folder, not a file")
			case !utf8.ValidString(f.Path):
				p.Report(f.Path, text.Span{}, f.Path+" has a name that is not valid UTF-8; it is not read")
			case !f.Regular() && f.Type != fs.ModeDir:
				p.Report(f.Path, text.Span{}, fmt.Sprintf("%s is %s, not a regular file", f.Path, typeName(f.Type)))
			}
		}
	},
}

func typeName(m fs.FileMode) string {
	switch {
	case m&fs.ModeSymlink != 0:
		return "a symbolic link"
	case m&fs.ModeNamedPipe != 0:
		return "a pipe"
	case m&fs.ModeSocket != 0:
		return "a socket"
	case m&fs.ModeDevice != 0:
		return "a device"
	}
	return "an irregular file"
}

var encoding = &analysis.Rule{
	Slug: "encoding", Severity: analysis.Error, Scope: analysis.ScopeFile, AnyFormat: true, Spec: "Part 2; R-enc",
	Summary: "a file is not clean UTF-8",
	Doc:     "Files of a pack are UTF-8. A NUL byte or an invalid sequence is read differently by every program, so it is an error, once per file, at the first bad byte. A byte order mark is ignored in .md files; in JSON it is an error of `manifest-json`.",
	File: func(p *analysis.FilePass) {
		if at := p.FirstBad(); at >= 0 {
			reportByte(at, p.Tree.Slice(text.Span{Start: at, End: at + 1}), p.Tree.Slice(text.Span{End: min(p.Tree.Len(), 4)}), func(s text.Span, msg string) { p.Report(s, msg) })
		}
	},
	Pack: func(p *analysis.PackPass) {
		for _, name := range []string{pack.ManifestName, pack.AgentsName} {
			f := p.Pack.File(name)
			if f == nil {
				continue
			}
			if at := analysis.BadByte(f.Text); at >= 0 {
				if m := p.Pack.Manifest; name == pack.ManifestName && m.Err != nil && m.Err.Offset == at {
					continue // manifest-json says it already
				}
				reportByte(at, f.Text[at:], f.Text, func(s text.Span, msg string) { p.Report(name, s, msg) })
			}
		}
	},
}

func reportByte(at int, b, start string, report func(text.Span, string)) {
	msg := fmt.Sprintf("byte 0x%02X is not valid UTF-8 here", b[0])
	switch {
	case at < 2 && analysis.WideText(start):
		msg = "the file is UTF-16: save it as UTF-8"
	case b[0] == 0:
		msg = "a NUL byte"
	}
	report(text.Span{Start: at, End: at + 1}, msg)
}
