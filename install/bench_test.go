package install

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/amp-toolchain/amp/sign"
)

// bigPack makes a pack with files of the given number and size in bytes.
func bigPack(w *world, count, size int) string {
	w.t.Helper()
	dir := w.pack("big", nil)
	data := make([]byte, size)
	for i := range count {
		data[i%size]++ // no two files alike
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("f%d.bin", i)), data, 0o644); err != nil {
			w.t.Fatal(err)
		}
	}
	return dir
}

// allocated returns the bytes that f allocates, freed or not.
func allocated(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

func TestMemoryDoesNotGrowWithTheSizeOfAPack(t *testing.T) {
	w := newWorld(t)
	pack := bigPack(w, 4, 12<<20)
	const limit = 8 << 20
	if n := allocated(func() {
		p, err := sign.Open(pack)
		if err != nil {
			t.Fatal(err)
		}
		defer p.Close()
		if err := p.Hash(); err != nil {
			t.Fatal(err)
		}
	}); n > limit {
		t.Errorf("hashing 48 MB allocates %d bytes", n)
	}
	if n := allocated(func() { w.mustInstall(pack, Project, "codex") }); n > limit {
		t.Errorf("installing 48 MB allocates %d bytes", n)
	}
	if n := allocated(func() {
		if _, err := Inspect(w.Where, Project, "big", nil); err != nil {
			t.Fatal(err)
		}
	}); n > limit {
		t.Errorf("inspecting 48 MB allocates %d bytes", n)
	}
}

// The benchmarks below, with 100 MB, are the Go side of scripts/bench-install.sh,
// which compares with sha256sum and cp.

func BenchmarkHash(b *testing.B) {
	w := newWorld(b)
	pack := bigPack(w, 100, 1<<20)
	b.SetBytes(100 << 20)
	for b.Loop() {
		p, err := sign.Open(pack)
		if err != nil {
			b.Fatal(err)
		}
		if err := p.Hash(); err != nil {
			b.Fatal(err)
		}
		p.Close()
	}
}

func BenchmarkInstall(b *testing.B) {
	w := newWorld(b)
	pack := bigPack(w, 100, 1<<20)
	b.SetBytes(100 << 20)
	for b.Loop() {
		w.mustInstall(pack, Project, "codex")
		b.StopTimer()
		if err := w.uninstall("big", Project); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
	}
}
