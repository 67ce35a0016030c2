package batch

import (
	"io/fs"
	"maps"
	"path"
	"slices"
	"time"
)

// tracked is a folder in which there is what a list says, and nothing else on
// disk. Texts are read from base.
type tracked struct {
	base fs.FS
	dirs map[string]map[string]fs.FileMode // types of entries by their name
}

func newTracked(base fs.FS, files map[string]fs.FileMode) tracked {
	t := tracked{base, map[string]map[string]fs.FileMode{".": {}}}
	for f, kind := range files {
		for {
			dir, name := path.Dir(f), path.Base(f)
			known := t.dirs[dir] != nil
			if !known {
				t.dirs[dir] = map[string]fs.FileMode{}
			}
			t.dirs[dir][name] = kind
			if known {
				break
			}
			f, kind = dir, fs.ModeDir
		}
	}
	return t
}

// Open opens what is listed, and the folders above it.
func (t tracked) Open(name string) (fs.File, error) {
	if _, ok := t.dirs[path.Dir(name)][path.Base(name)]; !ok && name != "." {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return t.base.Open(name)
}

// ReadDir lists a folder in name order. Git has no empty ones.
func (t tracked) ReadDir(dir string) ([]fs.DirEntry, error) {
	if t.dirs[dir] == nil {
		return nil, &fs.PathError{Op: "readdir", Path: dir, Err: fs.ErrNotExist}
	}
	var out []fs.DirEntry
	for _, name := range slices.Sorted(maps.Keys(t.dirs[dir])) {
		out = append(out, fs.FileInfoToDirEntry(listed{t, path.Join(dir, name), t.dirs[dir][name]}))
	}
	return out, nil
}

// listed is an entry of a list. Its size is looked up when it is asked for.
type listed struct {
	fsys tracked
	path string
	kind fs.FileMode
}

func (l listed) Name() string       { return path.Base(l.path) }
func (l listed) Mode() fs.FileMode  { return l.kind | 0o644 }
func (l listed) ModTime() time.Time { return time.Time{} }
func (l listed) IsDir() bool        { return l.kind.IsDir() }
func (l listed) Sys() any           { return nil }

func (l listed) Size() int64 {
	st, err := fs.Stat(l.fsys.base, l.path)
	if err != nil || l.kind != 0 {
		return 0
	}
	return st.Size()
}
