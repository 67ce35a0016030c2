package units_test

import (
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/pack"
)

// clean are the ordinary lines of the benign packs, repeated.
func clean(tb testing.TB, size int) string {
	var b strings.Builder
	var lines []string
	for _, set := range []string{"public.jsonl", "own.jsonl", "blind1.jsonl", "blind2.jsonl"} {
		for _, r := range readSet(tb, set) {
			if len(r.Expect) > 0 || strings.Contains(strings.Join(r.Tags, " "), "i18n") {
				continue
			}
			for path, text := range r.Files {
				if !pack.IsCapability(path) {
					continue
				}
				for block := range strings.SplitSeq(text, "\n\n") {
					if strings.HasPrefix(block, "[directive") || strings.HasPrefix(block, "[claim") || strings.HasPrefix(block, "[goal") {
						lines = append(lines, block)
					}
				}
			}
		}
	}
	for i := 0; b.Len() < size; i++ {
		b.WriteString(lines[i*7919%len(lines)])
		b.WriteString("\n\n")
	}
	return b.String()
}

func BenchmarkFacts(b *testing.B) {
	text := clean(b, 1<<20)
	pk := load(map[string]string{"manifest.json": plainManifest, "agents.md": "# AMP Routing\n", "memory/notes.md": text})
	b.Run("clean", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		b.ReportAllocs()
		for b.Loop() {
			for it := range pk.File("memory/notes.md").Tree.All() {
				if poison.Quiet(it.Text()) {
					continue
				}
				list := units.OfBlock(it.Block)
				for i := range list {
					poison.Facts(&list[i])
				}
			}
		}
	})
	b.Run("quiet", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			for it := range pk.File("memory/notes.md").Tree.All() {
				poison.Quiet(it.Text())
			}
		}
	})
}

func BenchmarkPack(b *testing.B) {
	var packs []*pack.Pack
	n := 0
	for _, r := range readSet(b, "public.jsonl") {
		packs = append(packs, load(r.Files))
		for _, t := range r.Files {
			n += len(t)
		}
	}
	b.SetBytes(int64(n))
	b.ReportAllocs()
	for b.Loop() {
		for _, p := range packs {
			units.Judge(p)
		}
	}
}
