package rules

import (
	"fmt"
	"path"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Agents are the hosts that an installer knows (S8.11).
var Agents = []string{"claude-code", "codex", "cursor", "windsurf", "openclaw"}

// required members by format (S2.16; R-o for v0.3).
var (
	requiredV04 = []string{"name", "title", "layout", "capability_files", "agents_file", "agents"}
	requiredV03 = []string{"name", "layout", "capability_files", "agents_file"}
)

const manifestOK = `{
  "name": "night-radio",
  "title": "Night radio desk",
  "version": { "number": 1 },
  "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4",
  "agents_file": "agents.md",
  "agents": ["claude-code"],
  "capability_files": ["operating-principles.md"]
}
`

var manifestJSON = &analysis.Rule{
	Slug: "manifest-json", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 7, gate 2; R-enc",
	Summary: "manifest.json is not valid JSON",
	Doc:     "An installer stops at a manifest it can't parse. The finding stands at the first byte that can't continue a JSON document. A byte order mark is such a byte. While the manifest can't be read, nothing else is said about its members.",
	Bad:     strings.Replace(manifestOK, `md"]`+"\n", `md"],`+"\n", 1),
	Good:    manifestOK,
	Fix:     "removes a comma before a closing bracket, or the byte order mark",
	Pack: func(p *analysis.PackPass) {
		m := p.Pack.Manifest
		if m == nil || m.Err == nil {
			return
		}
		src, at, msg := m.File.Text, m.Err.Offset, m.Err.Msg
		if at < 2 && analysis.WideText(src) {
			msg = "the file is UTF-16: save it as UTF-8"
		}
		var fixes []analysis.Fix
		if at == 0 && strings.HasPrefix(src, text.BOM) {
			fixes = append(fixes, edit(pack.ManifestName, "Remove the byte order mark", analysis.Safe, text.Span{End: len(text.BOM)}, ""))
		} else if at < len(src) && (src[at] == '}' || src[at] == ']') {
			if c := strings.TrimRight(src[:at], " \t\r\n"); strings.HasSuffix(c, ",") {
				fixes = append(fixes, edit(pack.ManifestName, "Remove the comma", analysis.Safe, text.Span{Start: len(c) - 1, End: len(c)}, ""))
			}
		}
		p.Report(pack.ManifestName, text.Span{Start: at, End: min(at+1, len(src))}, "manifest.json is not valid JSON: "+msg, fixes...)
	},
}

var manifest = &analysis.Rule{
	Slug: "manifest", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2; R-o, R-p, R-u",
	Summary: "a member of the manifest is missing or of the wrong shape",
	Doc:     "Required are `name`, `title`, `layout`, `capability_files`, `agents_file` and `agents`; v0.3 packs need no `title` and `agents`. `agents_file` must be `agents.md`, lists hold strings, `signed` is a boolean and `signature` is unpadded base64url, and the two agree with each other. Unknown members are allowed; a member that stands twice is a warning, because signing refuses it.",
	Bad:     strings.Replace(manifestOK, "  \"title\": \"Night radio desk\",\n", "", 1),
	Good:    manifestOK,
	Fix:     "inserts the missing member",
	Pack:    checkManifest,
}

func checkManifest(p *analysis.PackPass) {
	m := p.Pack.Manifest
	if m == nil || m.Root == nil {
		return
	}
	if m.Object() == nil {
		p.Report(pack.ManifestName, pack.NodeSpan(m.Root), "manifest.json must hold an object, not "+article(m.Root.Kind))
		return
	}
	c := manifestCheck{p, m}
	required := requiredV04
	if p.Pack.Format == pack.FormatYAML {
		required = requiredV03
	}
	open := text.Span{Start: m.Root.Start, End: m.Root.Start + 1}
	for _, name := range required {
		if m.Member(name) == nil {
			d := p.Report(pack.ManifestName, open, fmt.Sprintf("missing required member %q", name))
			if v := defaultMember(p.Pack, name); v != "" {
				d.Fixes = append(d.Fixes, addMember(p.Pack, m.Root, name, v))
			}
		}
	}
	c.duplicates(m.Root)
	c.kind("title", jsontree.String)
	if n := m.Member("title"); n != nil && n.Kind == jsontree.String && parser.TrimSpace(n.Text) == "" {
		c.warn(n, "title is empty")
	}
	if n := c.kind("agents_file", jsontree.String); n != nil && n.Text != pack.AgentsName {
		p.Report(pack.ManifestName, pack.NodeSpan(n), fmt.Sprintf("agents_file must be %q, got %q: installers look for that name", pack.AgentsName, n.Text),
			edit(pack.ManifestName, "Change to agents.md", analysis.Suggested, pack.NodeSpan(n), quoteJSON(pack.AgentsName)))
	}
	c.agents()
	c.strings("sources")
	for _, e := range c.list("capability_files") {
		if e.Kind != jsontree.String {
			p.Report(pack.ManifestName, pack.NodeSpan(e), "a capability file is named by a string, not "+article(e.Kind))
		}
	}
	if n := m.Member("created"); n != nil && (n.Kind != jsontree.String || !isDate(n.Text)) {
		got := article(n.Kind)
		if n.Kind == jsontree.String {
			got = strconv.Quote(n.Text)
		}
		c.warn(n, "created must be a date of the form YYYY-MM-DD, got "+got)
	}
	c.version()
	c.kind("primitive_counts", jsontree.Object)
	c.signature()
}

type manifestCheck struct {
	p *analysis.PackPass
	m *pack.Manifest
}

func (c manifestCheck) warn(n *jsontree.Node, msg string) {
	c.p.ReportAs(analysis.Warning, pack.ManifestName, pack.NodeSpan(n), msg)
}

// kind returns the member if it is of the kind, and reports it if it is of another.
func (c manifestCheck) kind(name string, k jsontree.Kind) *jsontree.Node {
	n := c.m.Member(name)
	if n == nil || n.Kind == k {
		return n
	}
	c.p.Report(pack.ManifestName, pack.NodeSpan(n), fmt.Sprintf("%s must be %s, not %s", name, article(k), article(n.Kind)))
	return nil
}

func (c manifestCheck) list(name string) []*jsontree.Node {
	n := c.kind(name, jsontree.Array)
	if n == nil {
		return nil
	}
	return n.Elems
}

func (c manifestCheck) strings(name string) []*jsontree.Node {
	var out []*jsontree.Node
	for _, e := range c.list(name) {
		if e.Kind != jsontree.String {
			c.p.Report(pack.ManifestName, pack.NodeSpan(e), fmt.Sprintf("%s must be a list of strings, here stands %s", name, article(e.Kind)))
			continue
		}
		out = append(out, e)
	}
	return out
}

func (c manifestCheck) agents() {
	for _, e := range c.strings("agents") {
		if contains(Agents, e.Text) {
			continue
		}
		msg := fmt.Sprintf("no installer knows the agent %q: %s", e.Text, strings.Join(Agents, ", "))
		d := c.p.ReportAs(analysis.Warning, pack.ManifestName, pack.NodeSpan(e), msg)
		if near := nearest(e.Text, Agents, 3); near != "" {
			d.Fixes = append(d.Fixes, edit(pack.ManifestName, fmt.Sprintf("Change to %q", near), analysis.Suggested, pack.NodeSpan(e), quoteJSON(near)))
		}
	}
}

// version takes the forms that capture skills write (R-p).
func (c manifestCheck) version() {
	n := c.m.Member("version")
	v := n
	if n != nil && n.Kind == jsontree.Object {
		v = n.Member("number")
	}
	if n == nil || v != nil && (v.Kind == jsontree.Number || v.Kind == jsontree.String) {
		return
	}
	msg := `version must be { "number": 1 }, a number or a string`
	if n.Kind != jsontree.Object {
		msg += ", not " + article(n.Kind)
	}
	c.p.Report(pack.ManifestName, pack.NodeSpan(n), msg)
}

// signature: signed and signature go together (S2.19, S2.20).
func (c manifestCheck) signature() {
	signed := c.kind("signed", jsontree.Bool)
	sig := c.kind("signature", jsontree.String)
	report := func(n *jsontree.Node, msg string) { c.p.Report(pack.ManifestName, pack.NodeSpan(n), msg) }
	switch {
	case signed != nil && signed.Bool && (sig == nil || sig.Text == ""):
		if sig == nil {
			if c.m.Member("signature") == nil {
				report(signed, "signed is true, but there is no signature")
			}
			return
		}
		report(sig, "signed is true, but the signature is empty")
	case sig == nil || sig.Text == "":
	case !base64URL(sig.Text):
		report(sig, "the signature must be unpadded base64url: letters, digits, - and _")
	case len(sig.Text) != 86:
		report(sig, fmt.Sprintf("an Ed25519 signature has 86 characters, this one has %d", len(sig.Text)))
	case signed == nil && c.m.Member("signed") == nil || signed != nil && !signed.Bool:
		report(sig, "there is a signature, but signed is not true")
	}
}

func (c manifestCheck) duplicates(n *jsontree.Node) {
	seen := map[string]int{}
	for i, m := range n.Members {
		if j, ok := seen[m.Name]; ok {
			d := c.p.ReportAs(analysis.Warning, pack.ManifestName, text.Span{Start: m.NameStart, End: m.NameEnd}, fmt.Sprintf("the member %q stands twice; readers take the last one, and signing refuses it", m.Name))
			d.Related = []analysis.Related{{Path: pack.ManifestName, Span: text.Span{Start: n.Members[j].NameStart, End: n.Members[j].NameEnd}, Message: "first here"}}
		}
		seen[m.Name] = i
		c.duplicates(m.Value)
	}
	for _, e := range n.Elems {
		c.duplicates(e)
	}
}

func article(k jsontree.Kind) string {
	switch k {
	case jsontree.Null:
		return "null"
	case jsontree.Array, jsontree.Object:
		return "an " + k.String()
	}
	return "a " + k.String()
}

func isDate(s string) bool {
	if len(s) != 10 || s[4] != '-' || s[7] != '-' {
		return false
	}
	y, err1 := strconv.Atoi(s[:4])
	m, err2 := strconv.Atoi(s[5:7])
	d, err3 := strconv.Atoi(s[8:])
	if err1 != nil || err2 != nil || err3 != nil || y < 0 || m < 1 || m > 12 || d < 1 {
		return false
	}
	days := [...]int{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31}[m-1]
	if m == 2 && y%4 == 0 && (y%100 != 0 || y%400 == 0) {
		days = 29
	}
	return d <= days
}

func defaultMember(p *pack.Pack, name string) string {
	switch name {
	case "name":
		if s := slug(path.Base(p.Root)); s != "" {
			return quoteJSON(s)
		}
	case "layout":
		return quoteJSON(pack.Layout)
	case "agents_file":
		return quoteJSON(pack.AgentsName)
	case "agents":
		return `["claude-code"]`
	case "title":
		if n := p.Name(); n != "" {
			return quoteJSON(titleOf(n))
		}
	case "capability_files":
		var names []string
		for _, f := range p.Capabilities() {
			names = append(names, quoteJSON(f.Name()))
		}
		return "[" + strings.Join(names, ", ") + "]"
	}
	return ""
}

func titleOf(name string) string {
	t := strings.ReplaceAll(name, "-", " ")
	_, n := utf8.DecodeRuneInString(t)
	return strings.ToUpper(t[:n]) + t[n:]
}

// addMember inserts a member at the end of an object, in the style of the
// members that are there.
func addMember(p *pack.Pack, obj *jsontree.Node, name, value string) analysis.Fix {
	src := p.Manifest.File.Text
	nl := text.Newline(src)
	at, lead, tail := obj.Start+1, nl+"  ", nl
	if n := len(obj.Members); n > 0 {
		last := obj.Members[n-1]
		at = last.Value.End
		from := obj.Start + 1
		if n > 1 {
			from = obj.Members[n-2].Value.End + 1
		}
		lead, tail = ","+src[from:last.NameStart], ""
		if i := strings.IndexByte(lead[1:], ','); i >= 0 {
			lead = "," + lead[i+2:]
		}
		if len(lead) > maxLead {
			lead = ", "
		}
	}
	fix := edit(pack.ManifestName, fmt.Sprintf("Add %q", name), analysis.Suggested, text.Span{Start: at, End: at}, lead+quoteJSON(name)+": "+value+tail)
	fix.Stacks = len(obj.Members) > 0
	return fix
}

var layout = &analysis.Rule{
	Slug: "layout", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 7, gate 3",
	Summary: "the pack's layout is not semantic-cluster",
	Doc:     "Installers accept one layout: `semantic-cluster`, capability files by what the knowledge is about.",
	Bad:     strings.Replace(manifestOK, "semantic-cluster", "flat", 1),
	Good:    manifestOK,
	Fix:     "writes `semantic-cluster`",
	Pack: func(p *analysis.PackPass) {
		n := p.Pack.Manifest.Member("layout")
		if n == nil || n.Kind == jsontree.String && n.Text == pack.Layout {
			return
		}
		got := n.Text
		switch n.Kind {
		case jsontree.String:
		case jsontree.Array, jsontree.Object:
			got = article(n.Kind)
		default:
			got = p.Pack.Manifest.File.Text[n.Start:n.End]
		}
		p.Report(pack.ManifestName, pack.NodeSpan(n), fmt.Sprintf("Pack layout is '%s', expected '%s'", got, pack.Layout),
			edit(pack.ManifestName, "Change to semantic-cluster", analysis.Suggested, pack.NodeSpan(n), quoteJSON(pack.Layout)))
	},
}

var name = &analysis.Rule{
	Slug: "name", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2; R-slug",
	Summary: "the pack's name is no slug",
	Doc:     "The name becomes the folder the pack is installed in: one to 64 lower-case letters, digits and hyphens, not starting with a hyphen.",
	Bad:     strings.Replace(manifestOK, "night-radio", "Night Radio", 1),
	Good:    manifestOK,
	Fix:     "writes the name as a slug",
	Pack: func(p *analysis.PackPass) {
		n := p.Pack.Manifest.Member("name")
		if n == nil || n.Kind == jsontree.String && pack.ValidName(n.Text) {
			return
		}
		if n.Kind != jsontree.String {
			p.Report(pack.ManifestName, pack.NodeSpan(n), "name must be a string, not "+article(n.Kind))
			return
		}
		d := p.Report(pack.ManifestName, pack.NodeSpan(n), fmt.Sprintf("name must match ^[a-z0-9][a-z0-9-]{0,63}$, got %q", n.Text))
		if s := slug(n.Text); s != "" {
			d.Fixes = append(d.Fixes, edit(pack.ManifestName, fmt.Sprintf("Change to %q", s), analysis.Suggested, pack.NodeSpan(n), quoteJSON(s)))
		}
	},
}

func slug(s string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(s) {
		switch {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	out := b.String()
	return strings.TrimRight(out[:min(len(out), 64)], "-")
}

var primitiveFormat = &analysis.Rule{
	Slug: "primitive-format", Severity: analysis.Error, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 2 and 11; R-p",
	Summary: "no reader knows the pack's primitive_format",
	Doc:     "`inline-tag-v0.4` for new packs, `yaml-frontmatter-v0.3` (also the default when the member is absent) for old ones. The bodies of a pack in any other format are not judged, only scanned for secrets.",
	Bad:     strings.Replace(manifestOK, "inline-tag-v0.4", "inline-tag-v0.9", 1),
	Good:    manifestOK,
	Fix:     "writes `inline-tag-v0.4`",
	Pack: func(p *analysis.PackPass) {
		if p.Pack.Format != pack.FormatOther {
			return
		}
		n := p.Pack.Manifest.Member("primitive_format")
		got := article(n.Kind)
		if n.Kind == jsontree.String {
			got = strconv.Quote(n.Text)
		}
		p.Report(pack.ManifestName, pack.NodeSpan(n), fmt.Sprintf("primitive_format must be %q or %q, got %s", parser.FormatV04, parser.FormatV03, got),
			edit(pack.ManifestName, "Change to "+parser.FormatV04, analysis.Suggested, pack.NodeSpan(n), quoteJSON(parser.FormatV04)))
	},
}

var v03Format = &analysis.Rule{
	Slug: "v03-format", Severity: analysis.Info, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 11",
	Summary: "the pack uses the old format",
	Doc:     "Packs of v0.3 install and verify without change, and there is no migration. Their primitives are not judged by the rules of v0.4. A manifest without `primitive_format` is v0.3, whatever its files look like.",
	Bad:     strings.Replace(manifestOK, "  \"primitive_format\": \"inline-tag-v0.4\",\n", "", 1),
	Good:    manifestOK,
	Pack: func(p *analysis.PackPass) {
		if p.Pack.Format != pack.FormatYAML {
			return
		}
		n := p.Pack.Manifest.Member("primitive_format")
		s := text.Span{Start: p.Pack.Manifest.Root.Start, End: p.Pack.Manifest.Root.Start + 1}
		msg := "no primitive_format: the pack is read as yaml-frontmatter-v0.3, its primitives are not judged"
		if n != nil {
			s, msg = pack.NodeSpan(n), "the pack is of v0.3; its primitives are not judged"
		}
		p.Report(pack.ManifestName, s, msg).Tags |= analysis.Deprecated
	},
}
