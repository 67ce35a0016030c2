package session

import (
	"hash/maphash"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/amp-toolchain/amp/pack"
)

// stampOf sums up what lies below a folder (names, sizes, times, kinds) without
// reading any file. Equal stamps mean that nothing has to be read again.
func stampOf(root string) uint64 {
	var h maphash.Hash
	h.SetSeed(seed)
	left := pack.MaxEntries
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if left--; left < 0 {
			return filepath.SkipAll
		}
		if err != nil {
			return nil // the pack's loader reports it
		}
		if e.IsDir() {
			if path != root && skipDir(e.Name()) {
				return filepath.SkipDir
			}
			_, _ = h.WriteString(path)
			return nil
		}
		_, _ = h.WriteString(path)
		if st, err := os.Lstat(path); err == nil {
			hashInts(&h, st.Size(), st.ModTime().UnixNano(), int64(st.Mode()))
		}
		return nil
	})
	return h.Sum64()
}

func hashInts(h *maphash.Hash, ints ...int64) {
	for _, n := range ints {
		var b [8]byte
		for i := range b {
			b[i] = byte(n >> (8 * i))
		}
		_, _ = h.Write(b[:])
	}
}
