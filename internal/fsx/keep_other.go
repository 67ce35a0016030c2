//go:build !linux

package fsx

import (
	"errors"
	"io/fs"
	"os"
)

// keepAttrs keeps no attributes on systems other than Linux.
func (f *File) keepAttrs(_ *os.Root, _ string, mode fs.FileMode, group bool, _ Lost) (common fs.FileMode, same bool, err error) {
	return mode >> 3 & mode & 7, group, nil
}

func exchange(*os.Root, string, string) error { return errors.ErrUnsupported }

func renameNoReplace(*os.Root, string, string) error { return errors.ErrUnsupported }
