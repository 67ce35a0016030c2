package session

import (
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// place finds out which pack a document belongs to, reads that pack when it is
// new, and lays the document over its file.
func (s *Session) place(key string) {
	d := s.Snapshot().Doc(key)
	if d == nil || d.Path == "" {
		return
	}
	root := s.packOf(d.Path)
	if root == "" {
		s.attach(key, "", "")
		return
	}
	real := realPath(root)
	if s.Snapshot().views[real] == nil {
		s.load(root)
	}
	rel := ""
	if v := s.Snapshot().views[real]; v != nil {
		var ok bool
		if rel, ok = v.rel(realPath(d.Path)); !ok {
			rel, ok = v.rel(filepath.Clean(d.Path))
		}
		if !ok || rel == "" {
			real, rel = "", ""
		}
	} else {
		real = ""
	}
	s.attach(key, real, rel)
}

// packOf returns the folder of the pack that a file belongs to, or "". A file
// that has not been saved yet, or whose neighbours have not, makes a folder a
// pack as they would on disk.
func (s *Session) packOf(path string) string {
	dir := filepath.Dir(filepath.Clean(path))
	for d := dir; ; {
		if s.looksLikePack(d) {
			return d
		}
		up := filepath.Dir(d)
		if up == d {
			return ""
		}
		d = up
	}
}

// looksLikePack is pack.IsPack with the open documents counted as files.
func (s *Session) looksLikePack(dir string) bool {
	if pack.IsPack(os.DirFS(dir), ".") {
		return true
	}
	parts := map[string]bool{}
	for _, d := range s.Snapshot().docs {
		rest, ok := strings.CutPrefix(filepath.Clean(d.Path), dir+string(filepath.Separator))
		if d.Path == "" || !ok {
			continue
		}
		switch rel := filepath.ToSlash(rest); {
		case rel == pack.ManifestName, rel == pack.AgentsName:
			parts[rel] = true
		case pack.IsCapability(rel):
			parts[pack.MemoryDir] = true
		}
	}
	if len(parts) == 0 {
		return false
	}
	for _, name := range []string{pack.ManifestName, pack.AgentsName, pack.MemoryDir} {
		if _, err := os.Stat(filepath.Join(dir, name)); err == nil {
			parts[name] = true
		}
	}
	return len(parts) >= 2
}

// attach records the pack of a document.
func (s *Session) attach(key, root, rel string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	old := s.snap.Load().docs[key]
	if old == nil || !old.Pending && old.root == root && old.rel == rel {
		return
	}
	s.update(func(next *Snapshot) {
		if old.root != "" && (old.root != root || old.rel != rel) {
			next.drop(old)
		}
		d := *old
		d.Pending, d.root, d.rel = false, root, rel
		next.put(&d)
	})
}

// load reads a pack from disk.
func (s *Session) load(dir string) {
	root := realPath(dir)
	stamp := stampOf(root) // before reading: what changes meanwhile is read again
	loaded, err := pack.Load(os.DirFS(root), root)
	if err != nil {
		s.env.Log("cannot read the pack in %s: %v", root, cause(err))
		s.unload(root)
		return
	}
	var rules Rules
	if s.env.Policy != nil {
		rules = s.env.Policy(root)
	}
	runner := s.runner(rules.Enable)
	sig := s.verify(root, loaded.Manifest)
	folders := s.Folders()
	if s.Snapshot().views[root] == nil {
		defer s.replaceDocs()
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	s.update(func(next *Snapshot) {
		old := next.views[root]
		disk := make(map[string]*pack.File, len(loaded.Files))
		for _, f := range loaded.Files {
			disk[f.Path] = f
		}
		v := &View{
			Root: root, lexical: filepath.Clean(dir), runner: runner, stamp: stamp,
			policy: rules.Filter, disk: disk, diskSig: sig, memo: &memo{files: map[string]memoFile{}},
		}
		if old != nil {
			v.lexical, v.memo = old.lexical, old.memo
			keepUnchanged(disk, old.disk)
		}
		v.URI = folderURI(folders, root, v.lexical)
		v.assemble(next)
		v.slowDue = true
		if old != nil {
			// Nothing is known of where the old findings are now, except in the
			// files that have not changed.
			v.moved(old, move{all: true})
			v.slow = slices.DeleteFunc(slices.Clone(old.slow), func(d analysis.Diagnostic) bool { return v.Pack.File(d.Path) != old.Pack.File(d.Path) })
		}
		next.views[root] = v
	})
}

// keepUnchanged keeps the files that have not changed, with all that is
// remembered about them.
func keepUnchanged(disk, old map[string]*pack.File) {
	for name, f := range disk {
		o := old[name]
		if o != nil && o.Err == nil && f.Err == nil && o.Type == f.Type && o.Size == f.Size && o.Text == f.Text {
			disk[name] = o
		}
	}
}

// assemble makes the pack of the files on disk and the buffers over them.
func (v *View) assemble(s *Snapshot) {
	files := maps.Clone(v.disk)
	v.buffers = map[string]string{}
	for _, d := range s.docs {
		if d.root != v.Root || d.Lost || !v.coverable(d.rel) {
			continue
		}
		b := s.buffer(v.Root, d.rel)
		v.buffers[d.rel] = b.Key
		files[d.rel] = fileOf(b)
	}
	list := make([]*pack.File, 0, len(files))
	for _, f := range files {
		list = append(list, f)
	}
	v.Pack = pack.New(v.Root, list)
	v.reformat(s)
	v.sign(s)
}

// unload forgets a pack that is no more. Its open documents are looked at again.
func (s *Session) unload(root string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.snap.Load().views[root] == nil {
		return
	}
	s.update(func(next *Snapshot) {
		delete(next.views, root)
		for key, d := range next.docs {
			if d.root == root {
				c := *d
				c.root, c.rel, c.Pending = "", "", false
				next.docs[key] = &c
			}
		}
	})
	s.work.mu.Lock()
	delete(s.work.queued, root)
	s.work.mu.Unlock()
}

// verify checks the signature of a pack on disk.
func (s *Session) verify(root string, m *pack.Manifest) Signature {
	switch {
	case m == nil || m.Object() == nil:
		return Signature{Word: Invalid, Message: "The manifest cannot be read."}
	case !m.Signed():
		return Signature{State: pack.SignatureNone, Word: Unsigned, Message: "The pack is not signed."}
	case s.env.Verify == nil:
		return Signature{Word: Invalid, Message: "Signatures are not checked here."}
	}
	return s.env.Verify(root)
}

// refresh looks again at paths that may have changed.
func (s *Session) refresh(touched map[string]bool) {
	reload := map[string]bool{}  // packs to read as a whole
	recheck := map[string]bool{} // packs of which single files were read again
	for _, p := range slices.Sorted(maps.Keys(touched)) {
		snap := s.Snapshot()
		v := snap.ViewAt(p)
		if v == nil {
			real := realPath(p)
			if v = snap.ViewAt(real); v != nil {
				p = real
			}
		}
		if v == nil {
			s.discover(p)
			continue
		}
		rel, _ := v.rel(p)
		switch {
		case reload[v.Root]:
		case strings.HasPrefix(filepath.Base(p), ".amp-lint.") || filepath.Base(p) == policyTouch:
			reload[v.Root] = true
		case wholeFolder(rel) && v.stamp == stampOf(v.Root):
		case !s.refreshFile(v, rel):
			reload[v.Root] = true
		default:
			recheck[v.Root] = true
		}
		if name := filepath.Base(p); name == pack.ManifestName || name == pack.AgentsName {
			s.discover(p) // it may have made a pack inside a pack
		}
	}
	for p := range touched {
		// A configuration file above packs concerns all of them.
		if strings.HasPrefix(filepath.Base(p), ".amp-lint.") {
			for root := range s.Snapshot().views {
				if within(root, realPath(filepath.Dir(p))) {
					reload[root] = true
				}
			}
		}
	}
	for root := range reload {
		if v := s.Snapshot().views[root]; v != nil && !pack.HasPart(os.DirFS(root), ".") && !s.looksLikePack(root) {
			s.unload(root)
			continue
		}
		s.load(root)
	}
	for root := range recheck {
		if !reload[root] {
			s.recheck(root)
		}
	}
}

// refreshFile reads one file of a pack again. It returns false when more than
// that one file may have changed.
func (s *Session) refreshFile(v *View, rel string) bool {
	if wholeFolder(rel) {
		return false
	}
	st, err := os.Lstat(v.Path(rel))
	if err == nil && st.IsDir() {
		return false
	}
	var f *pack.File
	switch {
	case os.IsNotExist(err):
		if v.disk[rel] == nil {
			return !hasBelow(v.disk, rel)
		}
	case err != nil:
		f = &pack.File{Path: rel, Err: cause(err)}
	case !st.Mode().IsRegular():
		f = &pack.File{Path: rel, Type: st.Mode().Type()}
	default:
		f = pack.ReadFile(os.DirFS(v.Root), rel)
	}

	s.mu.Lock()
	defer s.mu.Unlock()
	s.update(func(next *Snapshot) {
		cur := next.views[v.Root]
		if cur == nil {
			return
		}
		old := cur.disk[rel]
		if f != nil && old != nil && old.Err == nil && f.Err == nil && old.Type == f.Type && old.Text == f.Text {
			return
		}
		c := cur.copy()
		c.disk = maps.Clone(cur.disk)
		if f == nil {
			delete(c.disk, rel)
		} else {
			reuseTree(f, old)
			c.disk[rel] = f
		}
		next.views[v.Root] = c.overlay(next, rel, move{rel: rel, all: true})
	})
	return true
}

// wholeFolder reports whether a path stands for all files of a pack.
func wholeFolder(rel string) bool { return rel == "" || rel == pack.MemoryDir }

// reuseTree gives a file that has been read again a tree that shares what has
// not changed.
func reuseTree(f, old *pack.File) {
	if f.Err != nil || !f.Regular() || old == nil || old.Tree == nil {
		return
	}
	f.Tree, _ = old.Tree.Edit(text.Diff(old.Text, f.Text))
}

// hasBelow reports whether the pack has files below a path, which is then a
// folder that has gone.
func hasBelow(disk map[string]*pack.File, rel string) bool {
	for name := range disk {
		if strings.HasPrefix(name, rel+"/") {
			return true
		}
	}
	return false
}

// recheck checks the signature again after files have changed.
func (s *Session) recheck(root string) {
	v := s.Snapshot().views[root]
	if v == nil {
		return
	}
	disk := v.disk[pack.ManifestName]
	if disk == nil {
		return
	}
	sig := s.verify(root, pack.ParseManifest(disk))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.update(func(next *Snapshot) {
		cur := next.views[root]
		if cur == nil || cur.diskSig == sig {
			return
		}
		c := cur.copy()
		c.diskSig = sig
		c.sign(next)
		next.views[root] = c
	})
}

// discover looks for packs that a new file or folder may have made.
func (s *Session) discover(p string) {
	dir := p
	if st, err := os.Stat(p); err != nil || !st.IsDir() {
		dir = filepath.Dir(p)
		if filepath.Base(dir) == pack.MemoryDir {
			dir = filepath.Dir(dir)
		}
	} else if filepath.Base(p) == pack.MemoryDir {
		dir = filepath.Dir(p)
	}
	if s.Snapshot().views[realPath(dir)] == nil && pack.IsPack(os.DirFS(dir), ".") {
		s.load(dir)
	}
}

// replaceDocs looks again at the documents that belong to no pack, or to one
// that a new pack may lie in.
func (s *Session) replaceDocs() {
	for key, d := range s.Snapshot().docs {
		if d.Path != "" {
			s.work.classify(key)
		}
	}
}

// folderURI spells the URI of a pack's folder as the client spells those of its
// workspace folders: that of the folder which really holds the pack, or else the
// one through which it was reached. A pack outside of all of them is named as it
// was reached first.
func folderURI(folders []Folder, root, lexical string) string {
	for _, try := range []struct {
		dir  string
		path func(Folder) string
	}{
		{root, func(f Folder) string { return filepath.Clean(f.Path) }},
		{root, func(f Folder) string { return realPath(f.Path) }},
		{lexical, func(f Folder) string { return filepath.Clean(f.Path) }},
	} {
		best, uri := "", ""
		for _, f := range folders {
			if f.Path == "" {
				continue
			}
			p := try.path(f)
			if !within(try.dir, p) || len(p) <= len(best) {
				continue
			}
			rest := strings.TrimPrefix(filepath.ToSlash(strings.TrimPrefix(try.dir, p)), "/")
			best, uri = p, strings.TrimSuffix(f.URI, "/")
			if rest != "" {
				uri += "/" + EscapePath(rest)
			}
		}
		if best != "" {
			return uri
		}
	}
	return FileURI(lexical)
}

// FileURI returns the file URI of an absolute path.
func FileURI(path string) string {
	p := filepath.ToSlash(path)
	if runtime.GOOS == "windows" && !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return "file://" + EscapePath(p)
}

// EscapePath escapes a path with slashes for a URI.
func EscapePath(p string) string {
	return (&url.URL{Path: p}).EscapedPath()
}

// FileURI returns the URI of a file of the pack, spelled as the client does.
func (v *View) FileURI(snap *Snapshot, rel string) string {
	if d := snap.docs[v.buffers[rel]]; d != nil {
		return d.URI
	}
	if rel == "" {
		return v.URI
	}
	return v.URI + "/" + EscapePath(rel)
}
