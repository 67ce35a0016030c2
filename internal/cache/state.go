package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"hash"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// restless is how long a file must have been left alone for its times to be
// trusted: within a tick of the file system's clock two versions of the same size
// could look alike.
const restless = 2 * time.Second

// State is a key for the state of a folder by what its entries' inodes say: names,
// sizes, times and numbers, no content. Equal states mean equal content, as git
// relies on for its index. ok is false where that can't be told: on systems other than
// Linux, for folders that changed just now, or that are too large.
func State(dir string, salt []byte, skip func(name string) bool) (k Key, ok bool) {
	h := sha256.New()
	h.Write(salt)
	w := walker{h: h, skip: skip, limit: time.Now().Add(-restless).UnixNano()}
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
	limit int64
	files int
	buf   []byte
}

func (w *walker) dir(dir string, depth int) bool {
	if depth > maxDepth {
		return false
	}
	entries, ok := list(dir)
	if !ok {
		return false
	}
	slices.SortFunc(entries, func(a, b inode) int { return strings.Compare(a.name, b.name) })
	for i := range entries {
		e := &entries[i]
		if e.isDir && w.skip(e.name) {
			continue
		}
		if w.files++; w.files > maxFiles || !w.entry(e) {
			return false
		}
		if e.isDir && !w.dir(filepath.Join(dir, e.name), depth+1) {
			return false
		}
	}
	w.h.Write([]byte{0xff}) // the end of a folder
	return true
}

// An inode is what the file system says of an entry without opening it. Its change
// time is that of its content or attributes, which no program can set.
type inode struct {
	name              string
	isDir             bool
	mode              uint32
	number            uint64
	size              int64
	modified, changed int64 // nanoseconds since 1970
}

func (w *walker) entry(e *inode) bool {
	if e.changed > w.limit || e.modified > w.limit {
		return false
	}
	b := append(w.buf[:0], e.name...)
	b = append(b, 0)
	b = binary.LittleEndian.AppendUint32(b, e.mode)
	b = binary.LittleEndian.AppendUint64(b, e.number)
	b = binary.LittleEndian.AppendUint64(b, uint64(e.changed))
	if !e.isDir {
		b = binary.LittleEndian.AppendUint64(b, uint64(e.size))
		b = binary.LittleEndian.AppendUint64(b, uint64(e.modified))
	}
	w.buf = b
	w.h.Write(b)
	return true
}
