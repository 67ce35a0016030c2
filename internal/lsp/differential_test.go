package lsp_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/lsptest"
	"github.com/amp-toolchain/amp/pack"
)

// pieces are what random edits insert: every construct of the format, broken and
// whole, and the characters that make columns differ.
var pieces = []string{
	"[directive must, org, permanent] In all copy, never use em dashes.\n", "[claim] The house is old.\n", "[goal must] Sing.\n",
	"[demo positive] {\n", "}\n", "{", "[", "]", "\n", "\n\n", "\r\n", "\r", "  > [Notes 1]\n", "  > a reason\n", " > ", "---\n",
	"sources:\n", "  Notes 1: A title\n", "permanent, must", ", ", "é", "😀", "漢字", "\u00a0", "sk-abcdefghijklmnopqrstuvwx", "primitive_counts:\n  claim: 3\n",
	"# amp-lint: suppress goal-pattern -- tested\n", "\"", ",", "\"capability_files\": []", "| x | copy-voice.md |\n", "- other.md — x\n", "#", "x",
}

// TestPublishedEqualsFreshLint edits every file of a pack at random, over the
// wire, in every encoding, and compares what is published in the end with a
// fresh lint of the same texts, message for message.
func TestPublishedEqualsFreshLint(t *testing.T) {
	seeds := 12
	if testing.Short() {
		seeds = 3
	}
	for seed := range seeds {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			rnd := rand.New(rand.NewPCG(uint64(seed), 7))
			dir := writePack(t)
			enc := []string{"utf-16", "utf-8", "utf-32"}[seed%3]
			e := open(t, fmt.Sprintf(`{"general":{"positionEncodings":[%q]}}`, enc), dir)
			var buffers []*lsptest.Buffer
			for _, f := range txtar.Parse([]byte(packFiles)).Files {
				buffers = append(buffers, e.Open(lsptest.FileURI(filepath.Join(dir, filepath.FromSlash(f.Name))), string(f.Data)))
			}
			for range 400 {
				b := buffers[rnd.IntN(len(buffers))]
				switch rnd.IntN(25) {
				case 0:
					e.SetText(b, b.Text+pieces[rnd.IntN(len(pieces))])
				case 1:
					e.CloseDoc(b)
					e.Open(b.URI, b.Text)
					*b = *e.Docs[b.URI]
					e.Docs[b.URI] = b
				default:
					start := boundary(b.Text, rnd.IntN(len(b.Text)+1))
					end := boundary(b.Text, min(len(b.Text), start+rnd.IntN(12)))
					if rnd.IntN(3) > 0 {
						end = start
					}
					e.Replace(b, start, end, pieces[rnd.IntN(len(pieces))])
				}
			}
			compareWithFresh(t, e, dir, buffers)
		})
	}
}

// boundary moves an offset to where an editor can put its cursor: not inside a
// character and not between CR and LF.
func boundary(s string, at int) int {
	for at > 0 && at < len(s) && (s[at]&0xC0 == 0x80 || s[at] == '\n' && s[at-1] == '\r') {
		at--
	}
	return at
}

func compareWithFresh(t *testing.T, e *lsptest.Editor, dir string, buffers []*lsptest.Buffer) {
	t.Helper()
	want := fresh(t, e, dir, buffers)
	var got map[string][]string
	for deadline := time.Now().Add(lsptest.Timeout); ; time.Sleep(10 * time.Millisecond) {
		got = map[string][]string{}
		current := true
		latest := e.Latest()
		for _, b := range buffers {
			p := latest[b.URI]
			current = current && p.Version != nil && *p.Version == b.Version
		}
		for uri, p := range latest {
			for _, d := range p.Diagnostics {
				got[uri] = append(got[uri], line(d.Range, d.Severity, d.Code, d.Message))
			}
		}
		if current && equalFindings(got, want) {
			return
		}
		if time.Now().After(deadline) {
			break
		}
	}
	for uri := range want {
		if !slices.Equal(got[uri], want[uri]) {
			t.Errorf("%s\npublished:\n  %s\nfresh:\n  %s", uri, strings.Join(got[uri], "\n  "), strings.Join(want[uri], "\n  "))
		}
	}
	for uri := range got {
		if want[uri] == nil {
			t.Errorf("%s: published %v, fresh lint finds nothing", uri, got[uri])
		}
	}
}

func equalFindings(a, b map[string][]string) bool {
	for k, v := range a {
		if !slices.Equal(v, b[k]) {
			return false
		}
	}
	return len(a) == len(b)
}

func line(r lsptest.Range, severity int, code, message string) string {
	return fmt.Sprintf("%d:%d-%d:%d %d %s %s", r.Start.Line, r.Start.Character, r.End.Line, r.End.Character, severity, code, message)
}

// fresh lints the texts of the buffers as a pack on disk. Positions are counted
// by the test's own editor.
func fresh(t *testing.T, e *lsptest.Editor, dir string, buffers []*lsptest.Buffer) map[string][]string {
	t.Helper()
	copied := t.TempDir()
	texts := map[string]string{}
	for _, b := range buffers {
		rel := strings.TrimPrefix(strings.TrimPrefix(b.URI, lsptest.FileURI(dir)), "/")
		path := filepath.Join(copied, filepath.FromSlash(rel))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(b.Text), 0o644); err != nil {
			t.Fatal(err)
		}
		texts[rel] = b.Text
	}
	p, err := pack.Load(os.DirFS(copied), "pack")
	if err != nil {
		t.Fatal(err)
	}
	found := judgeFresh(t, copied, p)
	out := map[string][]string{}
	for _, d := range found {
		uri := lsptest.FileURI(filepath.Join(dir, filepath.FromSlash(d.Path)))
		sev := map[analysis.Severity]int{analysis.Error: 1, analysis.Warning: 2, analysis.Info: 3, analysis.Hint: 4}[d.Severity]
		end := d.Span.End
		for src := texts[d.Path]; end > d.Span.Start && end < len(src) && src[end]&0xC0 == 0x80; {
			end++ // whole characters
		}
		out[uri] = append(out[uri], line(e.RangeOf(texts[d.Path], d.Span.Start, end), sev, d.Rule.Slug, d.Message))
	}
	return out
}

func judgeFresh(t *testing.T, dir string, p *pack.Pack) []analysis.Diagnostic {
	t.Helper()
	reg := rules.All()
	found := analysis.NewRunner(reg).All(p)
	return applyPolicy(t, reg, dir, p, found)
}
