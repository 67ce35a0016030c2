package pack

import "io/fs"

// Read reads the files of the pack at the root of fsys, as Load does, and parses none.
func Read(fsys fs.FS) ([]*File, error) {
	l := loader{fsys: fsys}
	if err := l.dir(".", 0); err != nil {
		return nil, err
	}
	return l.files, nil
}
