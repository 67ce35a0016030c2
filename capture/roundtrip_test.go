package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

func options() Options {
	return Options{Name: "ferry", Title: "The ferry desk", Created: "2026-05-02", Origin: "self", Agents: []string{"claude-code"}}
}

func load(files []File) *pack.Pack {
	var list []*pack.File
	for _, f := range files {
		list = append(list, &pack.File{Path: f.Path, Size: int64(len(f.Text)), Text: f.Text})
	}
	return pack.New("draft", list)
}

// unitOf is a primitive as a line of a units file has it.
func unitOf(b *parser.Block) Unit {
	u := Unit{Type: b.Written(), Reason: b.Reason()}
	for _, t := range b.Facets() {
		u.Facets = append(u.Facets, t.Text)
	}
	if b.Brace() {
		u.Body = b.Content()
	} else {
		u.Content = b.Content()
	}
	return u
}

// primitives are all primitives of a pack, each as one string, sorted.
func primitives(p *pack.Pack) (out []string) {
	for _, f := range p.Capabilities() {
		for it := range f.Tree.All() {
			switch it.Kind() {
			case parser.Primitive:
				out = append(out, fmt.Sprintf("%s %v %q %q %v", it.Type(), it.Resolved(), it.Content(), it.Reason(), it.Brace()))
				if r := it.Tail(); r.Start < r.End {
					out = append(out, "stray: "+it.Text()[r.Start:r.End])
				}
			case parser.Loose, parser.Malformed:
				out = append(out, "stray: "+it.Text())
			}
		}
	}
	slices.Sort(out)
	return out
}

func findings(p *pack.Pack) (out []string) {
	for _, d := range analysis.NewRunner(rules.All(), "facet-default").All(p) {
		out = append(out, d.Path+": "+d.Rule.Slug+": "+d.Message)
	}
	return out
}

// Every primitive of the complete examples, taken as units through a units file,
// gives a pack that lints clean and says the same.
func TestExamplesSurviveBeingTakenApart(t *testing.T) {
	for _, name := range []string{"brand-voice", "go-services", "home-bakery"} {
		p, err := pack.Load(os.DirFS("../examples/"+name), name)
		if err != nil {
			t.Fatal(err)
		}
		var file bytes.Buffer
		enc := json.NewEncoder(&file)
		codes := map[string]bool{}
		n := 0
		for _, f := range p.Capabilities() {
			for it := range f.Tree.All() {
				es, _ := it.LegendEntries()
				for _, e := range es {
					if !codes[e.Code] {
						codes[e.Code] = true
						_ = enc.Encode(Source{e.Code, e.Title, e.URL})
					}
				}
				if it.Kind() == parser.Primitive {
					n++
					_ = enc.Encode(unitOf(it.Block))
				}
			}
		}
		units, sources, problems := ReadUnits(&file, "units.jsonl")
		if len(problems) > 0 || len(units) != n || n < 60 {
			t.Fatalf("%s: %d of %d units, %v", name, len(units), n, problems)
		}
		d, err := Build(units, sources, options())
		if err != nil || len(d.Invalid)+len(d.Rejected)+len(d.Duplicates) > 0 {
			t.Fatalf("%s: %v %v %v %v", name, err, d.Invalid, d.Rejected, d.Duplicates)
		}
		got := load(d.Files)
		for _, f := range findings(got) {
			t.Errorf("%s: %s", name, f)
		}
		if a, b := primitives(p), primitives(got); !slices.Equal(a, b) {
			t.Errorf("%s: the primitives are not the same:\n%s\n\n%s", name, strings.Join(a, "\n"), strings.Join(b, "\n"))
		}
		counts, _ := got.Counts()
		if sum := d.Counts["goal"] + d.Counts["claim"] + d.Counts["directive"] + d.Counts["demonstration"]; sum != n || counts[parser.Claim] != d.Counts["claim"] {
			t.Errorf("%s: counts %v", name, d.Counts)
		}
		again, _ := Build(units, sources, options())
		if !slices.Equal(d.Files, again.Files) {
			t.Errorf("%s: the same input gives other bytes", name)
		}
	}
}

// FuzzUnitsAreReadBackAsGiven holds that whatever Build takes, a reader gets back
// as it was, and nothing of it becomes another primitive or is lost.
func FuzzUnitsAreReadBackAsGiven(f *testing.F) {
	for _, s := range []string{
		"The kiln is hot.", "In all copy, never shout.", "x {", "{", "}", "a\n}\nb", "  > reason", "[claim] x", "---", "sources:\n  a: b", "a\r\nb\rc",
		" In x, never y\u2028z", "\ufeffThe x is y", "Optimize a over b", "a\u00a0", "\u3000The x is", "]", "a, b", "x\n\n\n",
	} {
		f.Add(s, s, s, s)
	}
	f.Add("The kiln is hot.", "x", "y", "label")
	f.Fuzz(func(t *testing.T, content, body, reason, label string) {
		for _, u := range []Unit{
			{Type: "claim", Content: content, Reason: reason},
			{Type: "directive", Content: "In " + content + ", always " + body, Reason: reason, Facets: []string{"must", "org"}},
			{Type: "goal", Content: "Optimize " + content, Reason: body, Facets: []string{"", "user", "tactical"}},
			{Type: "demo", Content: content, Facets: []string{"positive", "illustrates: " + label}, Reason: reason},
			{Type: "demonstration", Body: body, Facets: []string{"mixed"}, Illustrates: label, Reason: reason},
		} {
			d, err := Build([]Unit{u, {Type: "goal", Content: "Optimize sleep."}}, nil, options())
			if err != nil || len(d.Invalid)+len(d.Rejected)+len(d.Duplicates) > 0 {
				continue
			}
			var at *Placed
			for i := range d.Units {
				if d.Units[i].Content != "Optimize sleep." {
					at = &d.Units[i]
				}
			}
			if at == nil {
				continue
			}
			want := fmt.Sprintf("%s %q %q", at.Type, at.Content, at.Reason)
			if at.Body != "" {
				want = fmt.Sprintf("%s %q %q", at.Type, indented(at.Body), at.Reason)
			}
			p := load(d.Files)
			var got []string
			for _, f := range p.Capabilities() {
				for it := range f.Tree.All() {
					switch it.Kind() {
					case parser.Primitive:
						if it.Content() != "Optimize sleep." {
							got = append(got, fmt.Sprintf("%s %q %q", it.Type(), it.Content(), it.Reason()))
							if v := it.Resolved()["illustrates"]; v != at.Illustrates {
								t.Errorf("label %q became %q", at.Illustrates, v)
							}
						}
						if r := it.Tail(); r.Start < r.End {
							got = append(got, "tail "+it.Text())
						}
					case parser.Loose, parser.Malformed:
						got = append(got, "stray "+it.Text())
					}
				}
			}
			if len(got) != 1 || got[0] != want {
				t.Errorf("%q was read back as %q", want, got)
			}
			for _, diag := range analysis.NewRunner(rules.All()).All(p) {
				if diag.Severity == analysis.Error && !diag.Rule.Security {
					t.Errorf("%s: %s in %q", diag.Rule.Slug, diag.Message, want)
				}
			}
			for _, file := range d.Files {
				credential.Scan(file.Text, func(h credential.Hit) bool {
					t.Errorf("%s holds a %s", file.Path, h.Family)
					return true
				})
			}
		}
	})
}

// FuzzNotesNeverBreakADraft holds that whatever a note says, what was classified can
// be written, no credential gets through, and every line that says something is
// accounted for.
func FuzzNotesNeverBreakADraft(f *testing.F) {
	for _, s := range []string{
		"", "# x\n\n- a\n  - b\n\n    c\n", "**In x, never y.** z\n\nSource: a, http://b\n", "```\n}\n```\n", "<!--\n", "---\ntype: log\n---\n- Ran \"In x, always y z.\"\n",
		"> \"The x is y\n", "1. The x is y {\n", "- \n-\n*\n+ [x] \n", "|a|\n", "[[a|b]] is [[c]] ![[d]] ^e\n", "## Approved examples\n- {\n\n```\n```\n", "Why:\nSource: : \nThe x is y.\nWhy: [a]\n",
		"\u2028In x, never y\u2029", "\u00a0The x is y", "** **", "**a", "In x,\tnever y ]", "The key is " + secret + "\n",
	} {
		for _, name := range []string{"a.md", "log.md", "philosophy.md", "feedback.md", "project.md", "marketing.md", "priorities.md"} {
			f.Add(s, name)
		}
	}
	f.Fuzz(func(t *testing.T, text, name string) {
		text = breaks(strings.ToValidUTF8(text, "?"))
		if strings.Contains(text, "\x00") || !utf8.ValidString(name) {
			return
		}
		d := Distil([]Note{{name, text}, {"feedback.md", "In x, never y.\n"}})
		lines := strings.Count(text, "\n") + 1
		for _, u := range append(slices.Clone(d.Units), d.Ambiguous...) {
			if u.Source == name && (u.Line < 1 || u.Line > lines) {
				t.Errorf("line %d of %d", u.Line, lines)
			}
			if kind := u.Credential(); kind != "" && credentialFree(name) {
				t.Errorf("a unit holds a %s", kind)
			}
		}
		if len(d.Rejected) > 0 || !credentialFree(name) {
			return
		}
		draft, err := Build(d.Units, d.Sources, options())
		if err != nil && !errors.Is(err, ErrEmpty) || len(draft.Invalid)+len(draft.Rejected) > 0 {
			t.Errorf("%v %v %v", err, draft.Invalid, draft.Rejected)
		}
	})
}

func credentialFree(s string) bool { return hit(s) == "" }
