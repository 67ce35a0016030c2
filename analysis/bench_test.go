package analysis_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// benchText is a clean capability file of about n bytes with all block kinds.
func benchText(n int) string {
	var sb strings.Builder
	sb.WriteString("---\ntype: cluster\napplies_to: benchmarks\nsource: self\n---\n\nsources:\n  Log 7: The log\n\n")
	for i := 0; sb.Len() < n; i++ {
		fmt.Fprintf(&sb, "[directive must, org, permanent] In the %dth kiln room, always log the cone before the door is opened.\n  > Number %d cracked when nobody did.\n\n", i, i)
		fmt.Fprintf(&sb, "[claim permanent] Kiln %d is fired on Thursdays and cooled until Saturday noon, since the glaze needs a slow fall.\n  > [Log 7]\n\n", i)
		fmt.Fprintf(&sb, "[demo negative, illustrates: kiln-log] {\n  Opened at %d degrees, no cone noted.\n  Opened again.\n}\n\n", i)
		fmt.Fprintf(&sb, "[goal should, project, permanent] Optimize for whole pots over full shelves in firing %d.\n\n", i)
	}
	return sb.String()
}

func benchFile(t *parser.Tree) *pack.File {
	return &pack.File{Path: "memory/operating-principles.md", Tree: t}
}

// BenchmarkParseAndJudge reads 10 MB and applies every block and file rule.
func BenchmarkParseAndJudge(b *testing.B) {
	src := benchText(10 << 20)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	r := analysis.NewRunner(rules.All())
	for b.Loop() {
		if ds := r.File(benchFile(parser.Parse(src, parser.V04)), pack.FormatInline); len(ds) > 0 {
			b.Fatal(analysis.Render(ds[:1]))
		}
	}
}

// BenchmarkKeystroke types one letter in the middle of a file and judges the
// file; its peer parses and judges all of it again.
func BenchmarkKeystroke(b *testing.B) {
	for _, size := range []int{10 << 10, 256 << 10, 10 << 20} {
		src := benchText(size)
		r := analysis.NewRunner(rules.All())
		tree := parser.Parse(src, parser.V04)
		r.File(benchFile(tree), pack.FormatInline)
		mid := len(src)/2 + strings.Index(src[len(src)/2:], "always")
		e := text.Edit{Span: text.Span{Start: mid, End: mid}, New: "x"}
		b.Run(fmt.Sprintf("incremental/%dKB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				next, _ := tree.Edit(e)
				r.File(benchFile(next), pack.FormatInline)
			}
		})
		if size > 1<<20 {
			continue
		}
		b.Run(fmt.Sprintf("from-scratch/%dKB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				r.File(benchFile(parser.Parse(src[:mid]+"x"+src[mid:], parser.V04)), pack.FormatInline)
			}
		})
	}
}
