package install

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestBlockKeepsEveryByteAroundIt(t *testing.T) {
	texts := []string{
		"", "\n", "\n\n", "x", "x\n", "x\n\n", "x\n\n\n", "\r\n", "x\r\n", "x\r\n\r\n", "x\r\ny", "x\ny\r\n", "\r", "x\ry\r", "x\ry",
		bom, bom + "x", bom + "x\r\n", "\x00\xff\n", "no end   ", "```\nopen fence", "<!-- open comment", "a\nb\r", "\n\r", "x\n\r\n",
	}
	for _, text := range texts {
		block := renderBlock("local", "ferry", "# R\n\ntext\n\n", ".amp/ferry/memory/")
		with, sep := putBlock(text, block, nil)
		if !strings.HasPrefix(with, text) {
			t.Errorf("%q: the text before the block changed: %q", text, with)
		}
		if !validSeparator(sep) {
			t.Errorf("%q: separator %q", text, sep)
		}
		r, err := findBlock("f", with, "local", "ferry")
		if err != nil || r == nil {
			t.Errorf("%q: block not found: %v", text, err)
			continue
		}
		if again, _ := putBlock(with, block, r); again != with {
			t.Errorf("%q: putting the block again changes %q to %q", text, with, again)
		}
		if back := cutBlock(with, r, sep); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
		other, _ := putBlock(with, renderBlock("local", "ferry", "# Other\n", "x"), r)
		if r, err = findBlock("f", other, "local", "ferry"); err != nil || r == nil {
			t.Errorf("%q: replaced block not found: %v", text, err)
		} else if back := cutBlock(other, r, sep); back != text {
			t.Errorf("%q: after replacing the block it comes back as %q", text, back)
		}
	}
}

func TestBlockTakesTheLineEndsOfTheFile(t *testing.T) {
	block := renderBlock("local", "ferry", "a\r\nb\nc", "p")
	with, _ := putBlock("x\r\ny\r\n", block, nil)
	if strings.Contains(strings.ReplaceAll(with, "\r\n", ""), "\n") {
		t.Errorf("a file with CRLF got bare LF: %q", with)
	}
	with, _ = putBlock("x\n", block, nil)
	if !strings.Contains(with, "\na\r\nb\nc\n") {
		t.Errorf("a file with LF did not get agents.md verbatim: %q", with)
	}
}

func TestBlockSurvivesConvertedLineEnds(t *testing.T) {
	with, sep := putBlock("x\ny", renderBlock("local", "ferry", "a", "p"), nil)
	crlf := strings.ReplaceAll(with, "\n", "\r\n") // as git's autocrlf does
	r, err := findBlock("f", crlf, "local", "ferry")
	if err != nil || r == nil {
		t.Fatal(err)
	}
	if back := cutBlock(crlf, r, sep); back != "x\r\ny" {
		t.Errorf("came back as %q", back)
	}
}

func TestTextAddedAfterTheBlockDoesNotGlue(t *testing.T) {
	with, sep := putBlock("last line", renderBlock("local", "ferry", "a", "p"), nil)
	with += "added later\n"
	r, _ := findBlock("f", with, "local", "ferry")
	if back := cutBlock(with, r, sep); back != "last line\nadded later\n" {
		t.Errorf("came back as %q", back)
	}
}

func TestDamagedMarkersAreExplainedNotGuessed(t *testing.T) {
	b, e := beginMarker("local", "ferry"), endMarker("local", "ferry")
	cases := []struct{ name, text, part string }{
		{"no end", "x\n" + b + "\ntext\n", "f:2: " + b + " has no end marker"},
		{"no begin", "x\n" + e + "\n", "f:2: " + e + " has no begin marker"},
		{"two begins", b + "\n" + b + "\n" + e + "\n", "f:2: second " + b},
		{"two ends", b + "\n" + e + "\n" + e + "\n", "f:3: second " + e},
		{"two blocks", b + "\n" + e + "\n" + b + "\n" + e + "\n", "f:3: second"},
		{"wrong order", e + "\n" + b + "\n", "f:1: " + e + " stands before"},
		{"in other text", "see `" + b + "` here\n", "f:1: the marker " + b + " does not stand on a line of its own"},
		{"indented", "  " + b + "\n" + e + "\n", "f:1: the marker"},
		{"other pack inside", b + "\n<!-- amp:begin @local/evil -->\n" + e + "\n", "f:2: another pack's marker"},
		{"other end inside", b + "\r\n<!-- amp:end @local/evil -->\r\n" + e + "\r\n", "f:2: another pack's marker"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			_, err := findBlock("f", c.text, "local", "ferry")
			wantError(t, err, c.part)
		})
	}
	if r, err := findBlock("f", "<!-- amp:begin @local/ferry-2 -->\n<!-- amp:end @local/ferry-2 -->\n", "local", "ferry"); r != nil || err != nil {
		t.Errorf("another pack's block was taken: %v %v", r, err)
	}
}

func TestHasMarkerSeesEverySpelling(t *testing.T) {
	yes := []string{
		"<!-- amp:begin @local/x -->", "<!--amp:end-->", "text <!--   AMP:Begin", "<!--\namp:end", "<!-- -- amp:end @a/b -->", "<!-- x --><!-- amp:end @local/ferry -->",
		"<!--\u00a0amp:begin", "<!--\u200bamp:end",
	}
	for _, s := range yes {
		if !HasMarker(s) {
			t.Errorf("%q passes", s)
		}
	}
	for _, s := range []string{"", "amp:begin in prose", "<!-- about amp:begin markers -->", "<!-- amp -->", "<!-- champ:begin -->"} {
		if HasMarker(s) {
			t.Errorf("%q is refused", s)
		}
	}
}

// randomText makes rules files that lean towards hard line ends.
func randomText(r *rand.Rand) string {
	parts := []string{"a", "# Title", "\n", "\n", "\r\n", "\r", " ", "\t", "é", "- item", "```", "<!-- note -->", "\x00", "\xff", "<!-- amp:begin @li/else -->\n<!-- amp:end @li/else -->\n"}
	var b strings.Builder
	if r.IntN(5) == 0 {
		b.WriteString(bom)
	}
	for range r.IntN(8) {
		b.WriteString(parts[r.IntN(len(parts))])
	}
	return b.String()
}

// TestAnyOrderEndsInTheOriginalBytes installs and removes random packs for random
// agents over random rules files, also the same pack again and in another
// version, and compares every byte at the end.
func TestAnyOrderEndsInTheOriginalBytes(t *testing.T) {
	n := 40
	if os.Getenv("AMP_SLOW") == "1" {
		n = 1500
	}
	for seed := range n {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			r := rand.New(rand.NewPCG(uint64(seed), 7))
			w := newWorld(t)
			rules := []string{"CLAUDE.md", "AGENTS.md", ".windsurfrules", ".cursor/rules/mine.mdc", ".windsurf/rules/mine.md"}
			for _, f := range rules {
				if r.IntN(2) == 0 {
					write(t, filepath.Join(w.Dir, f), randomText(r))
				}
			}
			for _, f := range []string{".claude/CLAUDE.md", ".codex/AGENTS.md", ".codeium/windsurf/memories/global_rules.md", ".openclaw/workspace/AGENTS.md", ".amp/keys/signing.key"} {
				if r.IntN(2) == 0 {
					write(t, filepath.Join(w.Home, f), randomText(r))
				}
			}
			before := w.snapshot()
			type placed struct {
				slug  string
				scope Scope
			}
			var in []placed
			for range 2 + r.IntN(8) {
				slug := []string{"alpha", "beta", "gamma"}[r.IntN(3)]
				scope := []Scope{Project, Project, User}[r.IntN(3)]
				if i := slices.Index(in, placed{slug, scope}); i >= 0 && r.IntN(2) == 0 {
					if err := w.uninstall(slug, scope); err != nil {
						t.Fatal(err)
					}
					in = slices.Delete(in, i, i+1)
					continue
				}
				var agents []string
				for _, a := range Agents {
					if r.IntN(2) == 0 && (a != "openclaw" || scope == User) {
						agents = append(agents, a)
					}
				}
				if len(agents) == 0 {
					agents = []string{"claude-code"}
				}
				agentsMD := "# " + slug + strings.Repeat("\n", r.IntN(4)) + []string{"", "x\r\n", "\ttail"}[r.IntN(3)]
				if _, err := w.install(w.pack(slug, map[string]string{"agents.md": agentsMD}), scope, agents...); err != nil {
					t.Fatal(err)
				}
				if !slices.Contains(in, placed{slug, scope}) {
					in = append(in, placed{slug, scope})
				}
			}
			for _, i := range r.Perm(len(in)) {
				if err := w.uninstall(in[i].slug, in[i].scope); err != nil {
					t.Fatal(err)
				}
			}
			w.expectUnchanged(before)
		})
	}
}

func FuzzBlock(f *testing.F) {
	f.Add("x\r\ny", "# R\n")
	f.Add("\uFEFF", "a\r\n\r\n")
	f.Add("x\n", "<!-- amp:note --> <!-- AMP: x <!--amp:")
	f.Add("<!-- amp:begin @local/ferry -->\nold\n<!-- amp:end @local/ferry -->\n", "")
	f.Fuzz(func(t *testing.T, text, agents string) {
		if HasMarker(agents) {
			return
		}
		r, err := findBlock("f", text, "local", "ferry")
		if err != nil {
			return
		}
		block := renderBlock("local", "ferry", agents, ".amp/ferry/memory/")
		with, sep := putBlock(text, block, r)
		again, err := findBlock("f", with, "local", "ferry")
		if err != nil || again == nil {
			t.Fatalf("%q: the block is not found in %q: %v", text, with, err)
		}
		if twice, _ := putBlock(with, block, again); twice != with {
			t.Fatalf("putting the block twice changes %q to %q", with, twice)
		}
		if back := cutBlock(with, again, sep); r == nil && back != text {
			t.Fatalf("%q comes back as %q", text, back)
		}
	})
}
