package parser

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/parser/text"
)

// benchText is prose of all block kinds, of about n bytes.
func benchText(n int) string {
	var sb strings.Builder
	sb.WriteString("---\ntype: cluster\napplies_to: benchmarks\nsource: self\n---\n\nsources:\n  Log 7: The log\n\n")
	for i := 0; sb.Len() < n; i++ {
		fmt.Fprintf(&sb, "[directive must, org, permanent] In the %dth kiln room, always log the cone before the door is opened.\n  > Number %d cracked when nobody did.\n\n", i, i)
		fmt.Fprintf(&sb, "[claim permanent] Kiln %d is fired on Thursdays and cooled until Saturday noon, since the glaze needs a slow fall.\n  > [Log 7]\n\n", i)
		fmt.Fprintf(&sb, "[demo negative, illustrates: kiln-log] {\n  Opened at %d degrees, no cone noted.\n  Opened again.\n}\n\n", i)
	}
	return sb.String()
}

func BenchmarkParse(b *testing.B) {
	src := benchText(10 << 20)
	b.SetBytes(int64(len(src)))
	b.ReportAllocs()
	for b.Loop() {
		Parse(src, V04)
	}
}

// BenchmarkKeystroke types one letter in the middle of a file; its peer splices
// the text and parses all of it again.
func BenchmarkKeystroke(b *testing.B) {
	for _, size := range []int{10 << 10, 256 << 10, 10 << 20} {
		src := benchText(size)
		tree := Parse(src, V04)
		mid := len(src)/2 + strings.Index(src[len(src)/2:], "always")
		e := text.Edit{Span: text.Span{Start: mid, End: mid}, New: "x"}
		b.Run(fmt.Sprintf("edit/%dKB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tree.Edit(e)
			}
		})
		b.Run(fmt.Sprintf("reparse/%dKB", size>>10), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Parse(src[:mid]+"x"+src[mid:], V04)
			}
		})
	}
}

// BenchmarkOpenBrace types `{` behind a tag near the top of 10 MB, where the
// next closing line is the end of the next demonstration, and where there is none.
func BenchmarkOpenBrace(b *testing.B) {
	src := benchText(10 << 20)
	for _, c := range []struct{ name, src string }{{"next-closer", src}, {"to-the-end", strings.ReplaceAll(src, "\n}\n", "\n)\n")}} {
		head := "[demo positive]"
		full := "---\ntype: cluster\n---\n\n" + head + "\n\n" + c.src
		at := strings.Index(full, head) + len(head)
		tree := Parse(full, V04)
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tree.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: " {"})
			}
		})
	}
}
