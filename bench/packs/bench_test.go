package packs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// BenchmarkRules reads and judges packs of 100 KB by the rules of the
// specification, and by these and the rules on poisoned memory: the goal is that
// the second is not much slower than the first.
func BenchmarkRules(b *testing.B) {
	const n = 24
	var all [][]File
	size := 0
	for i := range n {
		all = append(all, Pack(1, i, 100_000))
		for _, f := range all[i] {
			size += len(f.Data)
		}
	}
	for _, run := range []struct {
		name string
		make func(*analysis.Registry, ...string) *analysis.Runner
	}{{"spec", analysis.NewSpecRunner}, {"all", analysis.NewRunner}} {
		b.Run(run.name, func(b *testing.B) {
			b.SetBytes(int64(size))
			b.ReportAllocs()
			for b.Loop() {
				runner := run.make(rules.All())
				for _, files := range all {
					p, err := pack.Load(filesystem(files), ".")
					if err != nil {
						b.Fatal(err)
					}
					runner.All(p)
				}
			}
		})
	}
}

// BenchmarkPoison judges one pack by the pack rules, of which those on poisoned
// memory cost most: at first, and again after one edit, when every block but one
// is known.
func BenchmarkPoison(b *testing.B) {
	for _, size := range []int{10_000, 60_000, 1_000_000, 10_000_000} {
		files := Single(1, size)
		load := func() *pack.Pack {
			p, err := pack.Load(filesystem(files), ".")
			if err != nil {
				b.Fatal(err)
			}
			return p
		}
		name := fmt.Sprintf("%dKB", size/1000)
		b.Run(name+"/first", func(b *testing.B) {
			for b.Loop() {
				b.StopTimer()
				p, runner := load(), analysis.NewRunner(rules.All())
				b.StartTimer()
				runner.Pack(p)
			}
		})
		b.Run(name+"/edited", func(b *testing.B) {
			p, runner := load(), analysis.NewRunner(rules.All())
			runner.Pack(p)
			f := p.File("memory/product-context.md")
			at := strings.Index(f.Text[len(f.Text)/2:], " the ") + len(f.Text)/2
			for b.Loop() {
				b.StopTimer()
				edited := *f
				edited.Text = f.Text[:at] + " then" + f.Text[at:]
				edited.Tree, _ = f.Tree.Edit(text.Edit{Span: text.Span{Start: at, End: at}, New: " then"})
				q := p.Replace(&edited)
				b.StartTimer()
				runner.Pack(q)
			}
		})
	}
}
