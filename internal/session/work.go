package session

import (
	"cmp"
	"context"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/amp-toolchain/amp/pack"
)

// Folder is a workspace folder.
type Folder struct {
	URI  string // as the client spells it, without a slash at the end
	Path string
}

const (
	// maxScan bounds the folders looked at while searching a workspace for
	// packs; a pack beyond it is found when one of its files is opened.
	maxScan = 50_000
	// maxScanDepth bounds how deep below a workspace folder packs are sought.
	maxScanDepth = 12
)

// work is what waits to be done with the disk.
type work struct {
	wake chan struct{}

	mu      sync.Mutex
	folders []Folder
	rescan  bool
	docs    map[string]uint64 // documents whose pack is to be found, with their place in the queue
	touched map[string]bool   // paths that may have changed
	asked   uint64            // pieces of work queued in docs and touched so far
	served  uint64            // of these, how many are done
	roots   []string          // folders of packs to be read
	queued  map[string]bool   // the same, and those already read
}

func newWork() work {
	return work{wake: make(chan struct{}, 1), docs: map[string]uint64{}, touched: map[string]bool{}, queued: map[string]bool{}}
}

func (w *work) signal() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

func (w *work) classify(key string) {
	w.mu.Lock()
	w.asked++
	if w.docs[key] == 0 {
		w.docs[key] = w.asked
	}
	w.mu.Unlock()
	w.signal()
}

func (w *work) touch(paths ...string) {
	if len(paths) == 0 {
		return // a client may announce changes and name none
	}
	w.mu.Lock()
	for _, p := range paths {
		w.touched[filepath.Clean(p)] = true
	}
	w.asked++
	w.mu.Unlock()
	w.signal()
}

// Touched tells that files or folders with the given paths may have been
// created, changed or deleted. Requests that come later wait until they have been
// read.
func (s *Session) Touched(paths ...string) { s.work.touch(paths...) }

// Noticed is Touched for what the client has not told: no request waits.
func (s *Session) Noticed(paths ...string) {
	w := &s.work
	w.mu.Lock()
	for _, p := range paths {
		w.touched[filepath.Clean(p)] = true
	}
	w.mu.Unlock()
	w.signal()
}

// TouchAll tells that anything may have changed in any pack: files are now
// watched, but may have changed between reading and watching.
func (s *Session) TouchAll() {
	var roots []string
	for root := range s.Snapshot().views {
		roots = append(roots, root)
	}
	s.Noticed(roots...)
}

// SetFolders sets the workspace folders. Packs outside of them that have no
// open document are forgotten.
func (s *Session) SetFolders(folders []Folder) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.work.mu.Lock()
	s.work.folders = folders
	s.work.rescan = true
	s.work.queued = map[string]bool{}
	s.work.mu.Unlock()
	s.update(func(next *Snapshot) { next.scanned = false })
	s.work.signal()
}

// Folders returns the workspace folders.
func (s *Session) Folders() []Folder {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	return s.work.folders
}

// Reconfigure reads the configuration files of every pack again.
func (s *Session) Reconfigure() {
	var roots []string
	for root := range s.Snapshot().views {
		roots = append(roots, filepath.Join(root, policyTouch))
	}
	if roots != nil {
		s.work.touch(roots...)
	}
}

// policyTouch is a name that no file has: touching it reads the configuration
// of a pack again and nothing else.
const policyTouch = "\x00policy"

// Run does the work with the disk until ctx ends.
func (s *Session) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.work.wake:
		}
		for s.step(ctx) && ctx.Err() == nil {
		}
	}
}

// step does one piece of work: what the user waits for comes first. It returns
// false when nothing is left.
func (s *Session) step(ctx context.Context) bool {
	w := &s.work
	w.mu.Lock()
	switch {
	case len(w.docs) > 0 || len(w.touched) > 0 || w.served < w.asked:
		docs, touched, asked := w.docs, w.touched, w.asked
		w.docs, w.touched = map[string]uint64{}, map[string]bool{}
		w.mu.Unlock()
		// In the order in which they came: a pack is named as the first document of
		// it is.
		for _, key := range slices.SortedFunc(maps.Keys(docs), func(a, b string) int { return cmp.Compare(docs[a], docs[b]) }) {
			s.place(key)
		}
		if len(touched) > 0 {
			s.refresh(touched)
		}
		s.serve(asked)
	case len(w.roots) > 0:
		root := w.roots[0]
		w.roots = w.roots[1:]
		w.mu.Unlock()
		s.load(root)
	case w.rescan:
		w.rescan = false
		folders := w.folders
		w.mu.Unlock()
		s.scan(ctx, folders)
	default:
		w.mu.Unlock()
		return s.finishScan()
	}
	return true
}

// serve notes that all work asked for up to a moment is done.
func (s *Session) serve(asked uint64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.work.mu.Lock()
	s.work.served = asked
	s.work.mu.Unlock()
	close(s.changed)
	s.changed = make(chan struct{})
}

// finishScan notes that everything found has been read.
func (s *Session) finishScan() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.work.mu.Lock()
	idle := len(s.work.docs) == 0 && len(s.work.touched) == 0 && len(s.work.roots) == 0 && !s.work.rescan
	s.work.mu.Unlock()
	if !idle {
		return true
	}
	if !s.snap.Load().scanned {
		s.update(func(next *Snapshot) {
			next.scanned = true
			s.forget(next)
		})
	}
	return false
}

// forget drops the packs that lie in no workspace folder and have no open
// document.
func (s *Session) forget(next *Snapshot) {
	used := map[string]bool{}
	for _, d := range next.docs {
		used[d.root] = true
	}
	folders := s.Folders()
	for root, v := range next.views {
		if !used[root] && !inFolders(folders, v) {
			delete(next.views, root)
		}
	}
}

func inFolders(folders []Folder, v *View) bool {
	for _, f := range folders {
		real := realPath(f.Path)
		if within(v.Root, real) || within(v.lexical, f.Path) || within(v.Root, f.Path) {
			return true
		}
	}
	return false
}

func within(path, dir string) bool {
	rest, ok := strings.CutPrefix(path, dir)
	return ok && (rest == "" || rest[0] == filepath.Separator || strings.HasSuffix(dir, string(filepath.Separator)))
}

// realPath resolves links; a path that does not exist is resolved as far as it
// does. (What exists is found first: to resolve each of many missing folders
// would take the square of their number.)
func realPath(p string) string {
	p = filepath.Clean(p)
	for dir := p; ; {
		if _, err := os.Stat(dir); err == nil {
			real, err := filepath.EvalSymlinks(dir)
			if err != nil {
				return p
			}
			return filepath.Join(real, p[len(dir):])
		}
		up := filepath.Dir(dir)
		if up == dir {
			return p
		}
		dir = up
	}
}

// scan looks for packs below the workspace folders and queues them. A folder
// that is a pack itself, or lies in one, counts too.
func (s *Session) scan(ctx context.Context, folders []Folder) {
	seen := 0
	for _, f := range folders {
		if f.Path == "" {
			continue
		}
		if root := packAbove(f.Path); root != "" {
			s.queue(root)
		}
		s.walk(ctx, f.Path, 0, &seen)
	}
	if seen >= maxScan {
		s.env.Log("stopped looking for packs after %d folders; packs in the rest are found when one of their files is opened", maxScan)
	}
}

func (s *Session) walk(ctx context.Context, dir string, depth int, seen *int) {
	if *seen++; *seen > maxScan || depth > maxScanDepth || ctx.Err() != nil {
		return
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		s.env.Log("cannot look into %s: %v", dir, cause(err))
		return
	}
	if mayBePack(entries) && pack.IsPack(os.DirFS(dir), ".") {
		s.queue(dir)
	}
	for _, e := range entries {
		if e.IsDir() && !skipDir(e.Name()) {
			s.walk(ctx, filepath.Join(dir, e.Name()), depth+1, seen)
		}
	}
}

// mayBePack saves the reads of IsPack in the many folders without any part of a
// pack.
func mayBePack(entries []fs.DirEntry) bool {
	for _, e := range entries {
		switch e.Name() {
		case pack.ManifestName, pack.AgentsName, pack.MemoryDir:
			return true
		}
	}
	return false
}

// skipDir names the folders that are not looked into, as the batch linter does.
func skipDir(name string) bool {
	switch name {
	case ".git", ".hg", "node_modules":
		return true
	default:
		return false
	}
}

func cause(err error) error {
	if pe, ok := err.(*fs.PathError); ok {
		return pe.Err
	}
	return err
}

// queue notes a pack to be read, unless it has been.
func (s *Session) queue(dir string) {
	s.work.mu.Lock()
	defer s.work.mu.Unlock()
	if s.work.queued[dir] {
		return
	}
	s.work.queued[dir] = true
	s.work.roots = append(s.work.roots, dir)
}

// packAbove returns the innermost folder at or above dir that is a pack, or "".
func packAbove(dir string) string {
	for range 64 {
		if pack.IsPack(os.DirFS(dir), ".") {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
	return ""
}
