package pack

import (
	"bytes"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
)

// Overlay lays unsaved texts over a file system: a path among them reads as its
// text, on disk or not. Paths use "/" and are relative to the root.
func Overlay(base fs.FS, texts map[string]string) fs.FS {
	if len(texts) == 0 {
		return base
	}
	return overlay{base, texts}
}

type overlay struct {
	base  fs.FS
	texts map[string]string
}

func (o overlay) Open(name string) (fs.File, error) {
	if s, ok := o.texts[name]; ok {
		return &memFile{Reader: strings.NewReader(s), info: memInfo{path.Base(name), int64(len(s)), 0o644}}, nil
	}
	f, err := o.base.Open(name)
	if err != nil && o.below(name) {
		return &memFile{Reader: bytes.NewReader(nil), info: memInfo{path.Base(name), 0, fs.ModeDir | 0o755}}, nil
	}
	return f, err
}

// below reports whether some overlaid path lies in the folder.
func (o overlay) below(dir string) bool {
	for p := range o.texts {
		if strings.HasPrefix(p, dir+"/") {
			return true
		}
	}
	return false
}

func (o overlay) ReadDir(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(o.base, dir)
	if err != nil && !o.below(dir) {
		return nil, err
	}
	add := func(name string, mode fs.FileMode, size int64) {
		e := fs.FileInfoToDirEntry(memInfo{name, size, mode})
		for i := range entries {
			if entries[i].Name() == name {
				if !mode.IsDir() {
					entries[i] = e
				}
				return
			}
		}
		entries = append(entries, e)
	}
	prefix := dir + "/"
	if dir == "." {
		prefix = ""
	}
	for p, s := range o.texts {
		rest, ok := strings.CutPrefix(p, prefix)
		if !ok {
			continue
		}
		if first, _, deeper := strings.Cut(rest, "/"); deeper {
			add(first, fs.ModeDir|0o755, 0)
		} else {
			add(rest, 0o644, int64(len(s)))
		}
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return entries, nil
}

type memFile struct {
	io.Reader
	info memInfo
}

func (f *memFile) Stat() (fs.FileInfo, error) { return f.info, nil }
func (f *memFile) Close() error               { return nil }

type memInfo struct {
	name string
	size int64
	mode fs.FileMode
}

func (i memInfo) Name() string       { return i.name }
func (i memInfo) Size() int64        { return i.size }
func (i memInfo) Mode() fs.FileMode  { return i.mode }
func (i memInfo) ModTime() time.Time { return time.Time{} }
func (i memInfo) IsDir() bool        { return i.mode.IsDir() }
func (i memInfo) Sys() any           { return nil }
