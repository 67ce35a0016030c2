//go:build !linux

package diskfs

import (
	"io/fs"
	"os"
)

type rootFS struct {
	fs.FS
	root *os.Root
}

// Open opens the folder at dir.
func Open(dir string) (FS, error) {
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rootFS{r.FS(), r}, nil
}

func (r rootFS) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }
func (r rootFS) Close() error                               { return r.root.Close() }
