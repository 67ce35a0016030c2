package packs

import (
	"bytes"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/pack"
)

func filesystem(files []File) fs.FS {
	m := fstest.MapFS{}
	for _, f := range files {
		m[f.Path] = &fstest.MapFile{Data: f.Data}
	}
	return m
}

// Every rule is on, hints included: a finding would make a benchmark measure the
// making of diagnostics, and random phrases are no attack.
func TestPacksHaveNoFinding(t *testing.T) {
	runner := analysis.NewRunner(rules.All(), "facet-default")
	check := func(t *testing.T, files []File) {
		t.Helper()
		p, err := pack.Load(filesystem(files), ".")
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range runner.All(p) {
			t.Errorf("%s at byte %d: %s: %s", d.Path, d.Span.Start, d.Rule.Slug, d.Message)
		}
	}
	for n := range 150 {
		check(t, Pack(1, n, 100_000))
	}
	for _, size := range []int{10_000, 100_000, 2_000_000} {
		check(t, Single(1, size))
	}
}

func TestPackHasTheSizeAskedFor(t *testing.T) {
	for n := range 20 {
		files := Pack(7, n, 100_000)
		if len(files) != 7 {
			t.Fatalf("%d files, want 7", len(files))
		}
		total := 0
		for _, f := range files {
			total += len(f.Data)
		}
		if total < 97_000 || total > 103_000 {
			t.Errorf("pack %d has %d bytes, want about 100,000", n, total)
		}
	}
	for _, f := range Single(7, 1_000_000) {
		if f.Path == "memory/product-context.md" && (len(f.Data) < 990_000 || len(f.Data) > 1_010_000) {
			t.Errorf("the single file has %d bytes, want about a million", len(f.Data))
		}
	}
}

func TestSameSeedSameBytes(t *testing.T) {
	a, b, other := Pack(3, 5, 50_000), Pack(3, 5, 50_000), Pack(4, 5, 50_000)
	for i := range a {
		if a[i].Path != b[i].Path || !bytes.Equal(a[i].Data, b[i].Data) {
			t.Errorf("%s differs between two runs", a[i].Path)
		}
	}
	if bytes.Equal(a[2].Data, other[2].Data) {
		t.Error("another seed gave the same file")
	}
}

// A benchmark over text that repeats would flatter caches and compressors.
func TestProseIsVaried(t *testing.T) {
	seen := map[string]int{}
	lines := 0
	for n := range 50 {
		for _, f := range Pack(1, n, 100_000)[2:] {
			for line := range bytes.Lines(f.Data) {
				if bytes.HasPrefix(line, []byte("[")) && !bytes.HasSuffix(line, []byte("{\n")) {
					seen[string(line)]++
					lines++
				}
			}
		}
	}
	if distinct := len(seen); distinct < lines*9/10 {
		t.Errorf("%d distinct of %d primitives", distinct, lines)
	}
}
