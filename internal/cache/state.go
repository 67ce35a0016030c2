package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"io/fs"
	"os"
	"path/filepath"
	"time"
)

// restless is how long a file must have been left alone for its times to be
// trusted: within a tick of the file system's clock two versions of the same size
// could look alike.
const restless = 2 * time.Second

// State is a key for the state of a folder by what its entries' inodes say: names,
// sizes, times and numbers, no content. Equal states mean equal content, as git
// relies on for its index. ok is false where that can't be told: on systems
// without change times, for folders that changed just now, or that are too large.
func State(dir string, salt []byte, skip func(name string) bool) (k Key, ok bool) {
	h := sha256.New()
	h.Write(salt)
	w := walker{h: h, skip: skip, limit: time.Now().Add(-restless)}
	if !w.dir(dir, 0) {
		return k, false
	}
	h.Sum(k[:0])
	return k, true
}

const (
	maxDepth = 32
	maxFiles = 20_000
)

type walker struct {
	h     hash.Hash
	skip  func(string) bool
	limit time.Time
	files int
	buf   []byte
}

func (w *walker) dir(dir string, depth int) bool {
	entries, err := os.ReadDir(dir)
	if err != nil || depth > maxDepth {
		return false
	}
	for _, e := range entries {
		if e.IsDir() && w.skip(e.Name()) {
			continue
		}
		if w.files++; w.files > maxFiles {
			return false
		}
		fi, err := e.Info()
		if err != nil || !w.entry(e.Name(), fi) {
			return false
		}
		if e.IsDir() && !w.dir(filepath.Join(dir, e.Name()), depth+1) {
			return false
		}
	}
	w.h.Write([]byte{0xff}) // the end of a folder
	return true
}

func (w *walker) entry(name string, fi fs.FileInfo) bool {
	inode, changed, ok := identity(fi)
	if !ok || changed.After(w.limit) || fi.ModTime().After(w.limit) {
		return false
	}
	b := append(w.buf[:0], name...)
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint32(b, uint32(fi.Mode()))
	b = binary.LittleEndian.AppendUint64(b, inode)
	b = binary.LittleEndian.AppendUint64(b, uint64(changed.UnixNano()))
	if !fi.IsDir() {
		b = binary.LittleEndian.AppendUint64(b, uint64(fi.Size()))
		b = binary.LittleEndian.AppendUint64(b, uint64(fi.ModTime().UnixNano()))
	}
	w.buf = b
	w.h.Write(b)
	return true
}
