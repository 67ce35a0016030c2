// Package cache keeps small results on disk by a name made of all they depend on.
// An entry is never changed, only written once and, one day, removed; a name that
// is not there, or an entry that is damaged, is a miss and nothing worse.
package cache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// MaxEntries bounds a cache. Prune removes the oldest entries above it.
const MaxEntries = 50_000

// maxEntry bounds one entry, in bytes.
const maxEntry = 4 << 20

// A Key names an entry.
type Key [sha256.Size]byte

// A Store is a cache in a folder. It is safe for concurrent use, by several
// processes as well.
type Store struct {
	root    *os.Root
	dir     string
	written atomic.Bool
}

// Open opens the cache in a folder and makes it where it is missing. Others can't
// read it.
func Open(dir string) (*Store, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return &Store{root: root, dir: dir}, nil
}

// Close closes the cache.
func (s *Store) Close() error { return s.root.Close() }

func name(k Key) string {
	h := hex.EncodeToString(k[:])
	return h[:2] + "/" + h[2:]
}

// Get returns an entry.
func (s *Store) Get(k Key) ([]byte, bool) {
	// The folder is the user's own and nothing in it is trusted: reading it the
	// plain way saves half of the system calls.
	data, err := os.ReadFile(filepath.Join(s.dir, name(k)))
	if err != nil || len(data) < sha256.Size || len(data) > maxEntry {
		return nil, false
	}
	sum := sha256.Sum256(data[sha256.Size:])
	if !bytes.Equal(sum[:], data[:sha256.Size]) {
		return nil, false
	}
	return data[sha256.Size:], true
}

// Put writes an entry. A cache that can't be written is no cache; that is all.
func (s *Store) Put(k Key, data []byte) {
	if len(data)+sha256.Size > maxEntry {
		return
	}
	s.written.Store(true)
	n := name(k)
	if err := s.root.Mkdir(n[:2], 0o700); err != nil && !os.IsExist(err) {
		return
	}
	tmp := n[:3] + fsx.TempName("entry")
	sum := sha256.Sum256(data)
	if err := s.root.WriteFile(tmp, append(sum[:], data...), 0o600); err != nil {
		_ = s.root.Remove(tmp)
		return
	}
	// No sync: an entry that a crash leaves half written fails its checksum.
	if err := s.root.Rename(tmp, n); err != nil {
		_ = s.root.Remove(tmp)
	}
}

// Prune removes the oldest entries of a cache that has grown beyond a number of
// them, and left-over temporary files. It looks only after something was written.
func (s *Store) Prune(limit int) {
	if !s.written.Load() {
		return
	}
	type entry struct {
		path string
		mod  time.Time
	}
	var all []entry
	err := filepath.WalkDir(s.dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil // what can't be listed is not pruned
		}
		if fi, err := d.Info(); err == nil {
			all = append(all, entry{p, fi.ModTime()})
		}
		return nil
	})
	if err != nil || len(all) <= limit {
		return
	}
	slices.SortFunc(all, func(a, b entry) int { return a.mod.Compare(b.mod) })
	// A tenth more than needed, so that the next run need not prune again.
	for _, e := range all[:min(len(all), len(all)-limit+limit/10)] {
		_ = os.Remove(e.path)
	}
}
