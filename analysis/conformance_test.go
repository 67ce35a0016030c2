package analysis_test

import (
	"cmp"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/testpack"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

type want struct {
	File            string
	Line, Col       int
	ColUTF16        int `json:"col_utf16"`
	Severity, Code  string
	MessageContains string `json:"message_contains"`
	MessageOmits    string `json:"message_omits"`
	Alt, Soft       []string
}

func (w want) soft(s string) bool { return slices.Contains(w.Soft, s) }

type conformanceCase struct {
	Encode      map[string][]string
	Diagnostics []want
	Optional    []want
	Blocks      map[string][]struct {
		Type, Written, Content string
		Facets                 []string
		Reason                 *string
		StartLine              int `json:"start_line"`
		EndLine                int `json:"end_line"`
		Resolved               map[string]string
	}
	Report *struct{ Pass, Fail int }
}

// caseRules are the rules that a case lists completely; findings of others are
// free unless they are errors.
var caseRules = strings.Fields(`unknown-type facet-order facet-value facet-extra malformed-tag missing-valence missing-body
goal-pattern claim-pattern directive-pattern credential unclosed-brace brace-non-demo stray-text orphan-reason reason-indent
block-separator mixed-format frontmatter count-mismatch no-primitives legend citation-undefined citation-duplicate manifest-json
manifest layout name primitive-format missing-file capability-path capability-duplicate unlisted-file routing encoding`)

type got struct {
	analysis.Diagnostic
	line, col, col16 int
}

func loadCase(t testing.TB, name string) (conformanceCase, *pack.Pack) {
	t.Helper()
	a, err := txtar.ParseFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var c conformanceCase
	i := slices.IndexFunc(a.Files, func(f txtar.File) bool { return f.Name == "want.json" })
	if err := json.Unmarshal(a.Files[i].Data, &c); err != nil {
		t.Fatal(err)
	}
	fsys := testpack.FS(a, "pack/")
	for name, ops := range c.Encode {
		fsys[name].Data = testpack.Encode(fsys[name].Data, ops)
	}
	p, err := testpack.Load(fsys)
	if err != nil {
		t.Fatal(err)
	}
	return c, p
}

func lintCase(p *pack.Pack) []got {
	var out []got
	for _, d := range analysis.NewRunner(rules.All()).All(p) {
		if d.Severity == analysis.Hint {
			continue
		}
		g := got{d, 1, 1, 1}
		if f := p.File(d.Path); f != nil {
			tree := f.Tree
			if tree == nil {
				tree = parser.Parse(f.Text, parser.V04)
			}
			l, c := tree.Position(d.Span.Start, text.UTF8)
			_, c16 := tree.Position(d.Span.Start, text.UTF16)
			if l == 0 && strings.HasPrefix(f.Text, text.BOM) {
				c, c16 = max(0, c-3), max(0, c16-1)
			}
			g.line, g.col, g.col16 = l+1, c+1, c16+1
		}
		out = append(out, g)
	}
	return out
}

func (w want) agrees(g got) bool {
	return w.File == g.Path && (w.Code == g.Rule.Slug || slices.Contains(w.Alt, g.Rule.Slug)) &&
		(w.soft("line") || w.Line == g.line) &&
		(w.soft("line") || w.soft("col") || w.Col == g.col && cmp.Or(w.ColUTF16, w.Col) == g.col16) &&
		(w.soft("severity") || w.Severity == g.Severity.String()) &&
		(w.soft("message") || strings.Contains(g.Message, w.MessageContains)) &&
		(w.MessageOmits == "" || !strings.Contains(g.Message, w.MessageOmits))
}

func (w want) allows(g got) bool {
	rank := map[string]analysis.Severity{"hint": 0, "info": analysis.Info, "warning": analysis.Warning, "error": analysis.Error}
	return w.File == g.Path && (w.Code == g.Rule.Slug || slices.Contains(w.Alt, g.Rule.Slug)) &&
		(w.soft("line") || w.Line == g.line) && (w.soft("severity") || g.Severity <= rank[w.Severity])
}

// caseNames are the cases that every implementation shares, and those of this
// one, in the same form.
func caseNames(t testing.TB) []string {
	t.Helper()
	names, _ := filepath.Glob("testdata/conformance/*.txtar")
	own, _ := filepath.Glob("testdata/own/*.txtar")
	if len(names) < 100 || len(own) < 50 {
		t.Fatalf("only %d and %d cases found", len(names), len(own))
	}
	return append(names, own...)
}

func TestConformance(t *testing.T) {
	for _, name := range caseNames(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			c, p := loadCase(t, name)
			have := lintCase(p)
			slices.SortStableFunc(c.Diagnostics, func(a, b want) int { return cmp.Compare(len(a.Soft), len(b.Soft)) })
			free := slices.Clone(have)
			for _, w := range c.Diagnostics {
				best := -1
				for i, g := range free {
					if w.agrees(g) && (best < 0 || g.line == w.Line && free[best].line != w.Line) {
						best = i
					}
				}
				if best < 0 {
					t.Errorf("missing: %s:%d:%d %s %s %s", w.File, w.Line, w.Col, w.Severity, w.Code, w.MessageContains)
					continue
				}
				free = slices.Delete(free, best, best+1)
			}
			for _, g := range free {
				if slices.Contains(caseRules, g.Rule.Slug) && !slices.ContainsFunc(c.Optional, func(w want) bool { return w.allows(g) }) ||
					!slices.Contains(caseRules, g.Rule.Slug) && g.Severity == analysis.Error {
					t.Errorf("unwanted: %s:%d:%d %s %s: %s", g.Path, g.line, g.col, g.Severity, g.Rule.Slug, g.Message)
				}
			}
			checkReport(t, c, p, have)
			checkBlocks(t, c, p)
		})
	}
}

func checkReport(t *testing.T, c conformanceCase, p *pack.Pack, have []got) {
	t.Helper()
	if c.Report == nil {
		return
	}
	counts, _ := p.Counts()
	total, failed := 0, map[[2]any]bool{}
	for _, n := range counts {
		total += n
	}
	for _, g := range have {
		if g.Unit > 0 && g.Severity == analysis.Error {
			failed[[2]any{g.Path, g.Unit}] = true
		}
	}
	if p, f := total-len(failed), len(failed); p != c.Report.Pass || f != c.Report.Fail {
		t.Errorf("PASS %d FAIL %d, want %d and %d", p, f, c.Report.Pass, c.Report.Fail)
	}
}

func checkBlocks(t *testing.T, c conformanceCase, p *pack.Pack) {
	t.Helper()
	for file, blocks := range c.Blocks {
		i := 0
		for it := range p.File(file).Tree.All() {
			if it.Kind() != parser.Primitive {
				continue
			}
			if i == len(blocks) {
				t.Errorf("%s: more than %d blocks", file, len(blocks))
				break
			}
			w := blocks[i]
			i++
			typ := it.Type().String()
			if it.Type() == parser.Unknown {
				typ = it.Written()
			}
			var facets []string
			for _, f := range it.Facets() {
				facets = append(facets, f.Text)
			}
			reason := ""
			if w.Reason != nil {
				reason = *w.Reason
			}
			end := it.Line + 1 + text.CountBreaks(it.Text()[:it.PrimitiveEnd()])
			if typ != w.Type || it.Written() != w.Written || !slices.Equal(facets, w.Facets) || it.Content() != w.Content ||
				it.Reason() != reason || it.Line+1 != w.StartLine || end != w.EndLine {
				t.Errorf("%s: block %d is %s %v %q %q, lines %d-%d\nwant %+v", file, i, typ, facets, it.Content(), it.Reason(), it.Line+1, end, w)
			}
			for k, v := range w.Resolved {
				if got := it.Resolved()[k]; got != v {
					t.Errorf("%s: block %d has %s %q, want %q", file, i, k, got, v)
				}
			}
		}
		if i < len(blocks) {
			t.Errorf("%s: %d blocks, want %d", file, i, len(blocks))
		}
	}
}

// TestFindingsAfterEditsEqualThoseOfAFreshRun edits the cases' files at random
// and compares what the runner remembers with what it finds from scratch.
func TestFindingsAfterEditsEqualThoseOfAFreshRun(t *testing.T) {
	names := caseNames(t)
	reg := rules.All()
	warm := analysis.NewRunner(reg)
	for n, name := range names {
		_, p := loadCase(t, name)
		for i, f := range p.Capabilities() {
			tree := f.Tree
			for step := range 12 {
				e := scriptedEdit(n*31+i*7+step, tree.Len())
				tree, _ = tree.Edit(e)
				c := *f
				c.Tree, c.Text = tree, tree.String()
				p = p.Replace(&c)
				fresh := c
				fresh.Tree = parser.Parse(tree.String(), tree.Format())
				got := analysis.Render(warm.All(p))
				want := analysis.Render(analysis.NewRunner(reg).All(p.Replace(&fresh)))
				if got != want {
					t.Fatalf("%s, step %d: after %+v\n%s\na fresh run says\n%s", name, step, e, got, want)
				}
			}
		}
	}
}

var insertions = []string{"x", "{", "}", "\n", "\n}\n", "[claim] A is b.\n", "  > [Code]\n", "\xff", "---\n", " ", "sources:\n  A: b\n", ""}

func scriptedEdit(seed, n int) text.Edit {
	h := uint32(seed)*2654435761 + 12345
	next := func(m int) int {
		h ^= h << 13
		h ^= h >> 17
		h ^= h << 5
		return int(h % uint32(m))
	}
	start := next(n + 1)
	return text.Edit{Span: text.Span{Start: start, End: min(n, start+next(9))}, New: insertions[next(len(insertions))]}
}
