package suppress

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

func commentsOf(line string) []Comment {
	return Comments(parser.Parse("---\ntype: cluster\n"+line+"\n---\n\n[claim] The desk is wide.\n", parser.V04))
}

func TestCommentsAreRead(t *testing.T) {
	for _, c := range []struct{ line, rules, anchor, in, reason, problem string }{
		{"# amp-lint: suppress stray-text -- why", "stray-text", "", "", "why", ""},
		{"#amp-lint:suppress a,b , c  --  why not ", "a,b,c", "", "", "why not", ""},
		{`  # amp-lint: suppress a at "In \"x\" y" -- z`, "a", `In "x" y`, "", "z", ""},
		{`# amp-lint: suppress a in routing at "x" -- z -- w`, "a", "x", "agents.md", "z -- w", ""},
		{"# amp-lint: suppress a", "a", "", "", "", "a reason"},
		{"# amp-lint: suppress a --", "a", "", "", "", "expected a reason"},
		{"# amp-lint: suppress", "", "", "", "", "the name of a rule"},
		{"# amp-lint: suppress a, -- x", "a", "", "", "", "the name of a rule"},
		{"# amp-lint: disable a -- x", "", "", "", "", "expected `suppress`"},
		{"# amp-lint: suppress a at x -- y", "a", "", "", "", "double quotes"},
		{`# amp-lint: suppress a at "x -- y`, "a", "", "", "", "double quotes"},
		{"# amp-lint: suppress a in", "a", "", "", "", "`manifest` or `routing`"},
		{"# amp-lint: suppress a b -- y", "a", "", "", "", "-- reason"},
	} {
		cs := commentsOf(c.line)
		if len(cs) != 1 {
			t.Errorf("%q: %d comments", c.line, len(cs))
			continue
		}
		got := cs[0]
		var slugs []string
		for _, w := range got.Rules {
			slugs = append(slugs, w.Slug)
		}
		if strings.Join(slugs, ",") != c.rules || got.Anchor != c.anchor || got.In != c.in || got.Reason != c.reason ||
			!strings.Contains(got.Problem, c.problem) || (got.Problem == "") != (c.problem == "") {
			t.Errorf("%q: %+v", c.line, got)
		}
	}
}

// What is no comment of the frontmatter silences nothing: not the body's text,
// not a value, not a file whose frontmatter is open.
func TestOtherPlacesHoldNoComments(t *testing.T) {
	for _, src := range []string{
		"[claim] The desk is wide.\n# amp-lint: suppress stray-text -- x\n",
		"---\napplies_to: \"# amp-lint: suppress a -- x\"\n---\n",
		"---\ntype: cluster\n# amp-lint: suppress a -- x\n",
		"---\ntype: cluster\n# see amp-lint: suppress a -- x\n---\n",
		"",
	} {
		if cs := Comments(parser.Parse(src, parser.V04)); len(cs) > 0 {
			t.Errorf("%q holds %+v", src, cs)
		}
	}
}

func TestSpansPointAtTheComment(t *testing.T) {
	src := "\ufeff---\r\ntype: cluster\r\n  # amp-lint: suppress stray-text -- x\r\n---\r\n"
	cs := Comments(parser.Parse(src, parser.V04))
	if len(cs) != 1 {
		t.Fatal(cs)
	}
	c := cs[0]
	if got := src[c.Span.Start:c.Span.End]; got != "# amp-lint: suppress stray-text -- x" {
		t.Errorf("span: %q", got)
	}
	if got := src[c.Line.Start:c.Line.End]; got != "  # amp-lint: suppress stray-text -- x\r\n" {
		t.Errorf("line: %q", got)
	}
	if w := c.Rules[0]; src[w.Start:w.End] != "stray-text" {
		t.Errorf("rule: %q", src[w.Start:w.End])
	}
}

// The comment must be nothing to other rules: neither content nor hidden text.
func TestACommentIsNoFinding(t *testing.T) {
	reg := rules.All()
	r := analysis.NewRunner(reg)
	for _, rule := range reg.Rules {
		for _, in := range []string{"", " in manifest", " in routing", ` at "Opening hours"`} {
			if rule.Slug == "instruction-override" && strings.Contains(in, "at ") {
				continue // these very words are what that rule looks for: silence hidden-markup with it
			}
			body := "---\ntype: cluster\napplies_to: all\nsource: self\n# amp-lint: suppress " + rule.Slug + in + " -- the table is for people\n---\n\n[claim] The desk is wide.\n"
			p, err := pack.Load(fstest.MapFS{
				"manifest.json":                  {Data: []byte(`{"name": "p", "title": "P", "layout": "semantic-cluster", "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": ["claude-code"], "capability_files": ["operating-principles.md"]}`)},
				"agents.md":                      {Data: []byte("# AMP Routing\n\n## Always load\n- operating-principles.md — all\n")},
				"memory/operating-principles.md": {Data: []byte(body)},
			}, "p")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range r.All(p) {
				if d.Severity > analysis.Hint {
					t.Errorf("%s%s: %s: %s", rule.Slug, in, d.Rule.Slug, d.Message)
				}
			}
		}
	}
}

func FuzzComments(f *testing.F) {
	f.Add(`# amp-lint: suppress a, b at "x\"y" in routing -- z`)
	f.Fuzz(func(t *testing.T, line string) {
		src := "---\n" + line + "\n---\n"
		for _, c := range Comments(parser.Parse(src, parser.V04)) {
			if c.Span.Start < 0 || c.Span.End > len(src) || c.Line.End > len(src) || c.Span.Start > c.Span.End {
				t.Errorf("%q: %+v", line, c)
			}
			for _, w := range c.Rules {
				if src[w.Start:w.End] != w.Slug {
					t.Errorf("%q: %+v", line, w)
				}
			}
			if c.Problem == "" && (c.Reason == "" || len(c.Rules) == 0) {
				t.Errorf("%q: %+v", line, c)
			}
		}
	})
}

// What Write writes is read again, silences the finding, and repeats no credential.
func TestWhatIsWrittenIsRead(t *testing.T) {
	secret := "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"
	for _, body := range []string{
		"[goal should] Win \"it\" \\ all.\n", "Opening hours\tare   a table.\n", "[directive must] " + secret + " \x01.\n", "[x] {\n", "\n",
	} {
		for _, nl := range []string{"\n", "\r\n"} {
			src := strings.ReplaceAll("---\ntype: cluster\napplies_to: all\nsource: self\n---\n\n"+body, "\n", nl)
			p, err := pack.Load(fstest.MapFS{"memory/" + pack.PrinciplesName: {Data: []byte(src)}, "manifest.json": {Data: []byte("{}")}}, "p")
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range analysis.NewRunner(rules.All()).All(p) {
				name, in, ok := Host(d.Path)
				if !ok {
					continue
				}
				host := p.File(name)
				e, ok := Write(host.Tree, p.File(d.Path).Tree, in, &d, "because\nof \"it\"")
				if !ok {
					continue
				}
				tree, _ := host.Tree.Edit(e)
				cs := Comments(tree)
				if len(cs) != 1 || cs[0].Problem != "" || cs[0].Reason != `because of "it"` || !cs[0].silences(p, host, &d) {
					t.Errorf("%s: %q is read as %+v", d.Rule.Slug, e.New, cs)
				}
				if strings.Contains(e.New, secret) {
					t.Errorf("%s: the comment repeats a credential", d.Rule.Slug)
				}
				if !strings.HasSuffix(e.New, nl) {
					t.Errorf("%q ends in another line break", e.New)
				}
			}
		}
	}
}

// A comment that was meant to silence something and is not read must say so.
func TestCommentsThatAreNotReadAreNotPassedOver(t *testing.T) {
	for line, want := range map[string]string{
		"# AMP-LINT: suppress stray-text -- why":            "lower case",
		"#Amp-Lint: suppress stray-text -- why":             "lower case",
		"source: self # amp-lint: suppress stray-text -- x": "a line of its own",
		"# amp-lint: suppress unused-suppression -- why":    "remove the comment",
		"# amp-lint: suppress credential -- why":            "fingerprint",
	} {
		text := "---\ntype: cluster\napplies_to: x\n" + line + "\n---\n\nstray\n"
		p := pack.New("p", []*pack.File{{Path: "memory/a.md", Text: text}})
		ds := Apply(rules.All(), p, nil)
		if len(ds) != 1 || !strings.Contains(ds[0].Message, want) || strings.HasPrefix(want, "remove") && strings.Contains(ds[0].Message, "credential") {
			t.Errorf("%s: %+v", line, ds)
		}
	}
	for _, line := range []string{`applies_to: "a # amp-lint: b"`, "# see amp-lint: it is a linter", "# amp-linter: x"} {
		p := pack.New("p", []*pack.File{{Path: "memory/a.md", Text: "---\n" + line + "\n---\n"}})
		if ds := Apply(rules.All(), p, nil); len(ds) > 0 {
			t.Errorf("%s: %+v", line, ds)
		}
	}
}
