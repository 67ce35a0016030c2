package parser

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/parser/text"
)

// pieces are what the grammar is sensitive to; random texts are made of them.
var pieces = []string{
	"\n", "\n", "\r\n", "\r", "\n\n", " ", "  ", "\t", "\u00a0", "\u2028", "\ufeff", "\x00", "\xe9", "é", "日", "😀",
	"[claim] The kiln is hot.", "[directive must, org] In x, never y.", "[demo positive] {", "[demo positive, illustrates: a]",
	"[goal", "[claim", "[", "]", "{", "}", "\n}\n", "  > why", "  > [Code]", "> near", "   > three", "---", "---\n", "---\ntype: directive\n",
	"sources:", "sources:\n", "sources:\n\n", "  Code: Title", "    https://u.example/", "type: cluster", "text", "# Head", ",", "[x] y", "**Why:** z",
}

func randomText(r *rand.Rand, n int) string {
	var sb strings.Builder
	for range n {
		sb.WriteString(pieces[r.IntN(len(pieces))])
		if r.IntN(3) == 0 {
			sb.WriteByte('\n')
		}
	}
	return sb.String()
}

func TestEditsEqualAFreshParse(t *testing.T) {
	smallFanOut(t)
	for seed := range uint64(3000) {
		r := rand.New(rand.NewPCG(seed, 1))
		f := Format(seed % 2)
		src := randomText(r, r.IntN(40))
		tree := Parse(src, f)
		check(t, tree, src)
		for range 12 {
			a := r.IntN(len(src) + 1)
			e := text.Edit{Span: text.Span{Start: a, End: min(len(src), a+r.IntN(6)*r.IntN(12))}}
			if r.IntN(4) > 0 {
				e.New = randomText(r, 1+r.IntN(3))
			}
			next := src[:e.Start] + e.New + src[e.End:]
			got, change := tree.Edit(e)
			check(t, got, next)
			want := Parse(next, f)
			if d, w := dump(got), dump(want); d != w {
				t.Fatalf("seed %d: editing %q by %+v gives\n%s\na fresh parse\n%s", seed, src, e, d, w)
			}
			if got.Summary() != want.Summary() {
				t.Fatalf("seed %d: summaries differ", seed)
			}
			checkChange(t, tree, got, change)
			src, tree = next, got
		}
	}
}

// checkChange: what the change says happened is what happened.
func checkChange(t *testing.T, old, now *Tree, c Change) {
	t.Helper()
	before, after := blocksOf(old), blocksOf(now)
	if len(before)-len(c.Old)+len(c.New) != len(after) {
		t.Fatalf("change replaces %d by %d, the tree went from %d to %d blocks", len(c.Old), len(c.New), len(before), len(after))
	}
	for i, b := range after {
		var want *Block
		switch {
		case i < c.From:
			want = before[i]
		case i < c.From+len(c.New):
			want = c.New[i-c.From]
		default:
			want = before[i-len(c.New)+len(c.Old)]
		}
		if b != want {
			t.Fatalf("block %d is not the one the change promises", i)
		}
	}
}

func FuzzEdit(f *testing.F) {
	smallFanOut(f)
	f.Add("---\ntype: cluster\n---\n\n[claim] A is b.\n  > why\n", 20, 3, "{\n", false)
	f.Add("[demo positive] {\nx\n}\n[claim] b", 16, 1, "", false)
	f.Add("---\ntype: claim\n---\n\nx\n\n---\ntype: goal\n---\ny", 12, 9, "-", true)
	f.Fuzz(func(t *testing.T, src string, at, n int, ins string, v03 bool) {
		format := V04
		if v03 {
			format = V03
		}
		tree := Parse(src, format)
		check(t, tree, src)
		e := text.Edit{Span: text.Span{Start: at, End: at + n%64}, New: ins}.Clamp(len(src))
		got, change := tree.Edit(e)
		next := src[:e.Start] + ins + src[e.End:]
		check(t, got, next)
		if d, w := dump(got), dump(Parse(next, format)); d != w {
			t.Fatalf("edit gives\n%s\na fresh parse\n%s", d, w)
		}
		checkChange(t, tree, got, change)
		back, _ := got.Edit(text.Edit{Span: text.Span{Start: e.Start, End: e.Start + len(ins)}, New: src[e.Start:e.End]})
		if d, w := dump(back), dump(tree); d != w {
			t.Fatalf("undo gives\n%s\nbefore\n%s", d, w)
		}
	})
}

func TestUntouchedBlocksAreShared(t *testing.T) {
	var sb strings.Builder
	for range 1000 {
		sb.WriteString("[claim] The oven is hot.\n  > Since dawn.\n\n")
	}
	tree := Parse(sb.String(), V04)
	got, change := tree.Edit(text.Edit{Span: text.Span{Start: 20000, End: 20000}, New: "x"})
	if len(change.New) > 4 {
		t.Errorf("one keystroke re-read %d blocks", len(change.New))
	}
	before, shared := map[*Block]bool{}, 0
	for it := range tree.All() {
		before[it.Block] = true
	}
	for it := range got.All() {
		if before[it.Block] {
			shared++
		}
	}
	if shared < 999 {
		t.Errorf("only %d of 1000 blocks are shared after one keystroke", shared)
	}
}
