package packs

import (
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
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
