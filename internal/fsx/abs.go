package fsx

import (
	"os"
	"path/filepath"
	"sync"
)

// Absolute returns a filepath.Abs that asks for the working folder once, for
// callers with thousands of paths: every question is two system calls.
func Absolute() func(name string) (string, error) {
	wd := sync.OnceValues(os.Getwd)
	return func(name string) (string, error) {
		if filepath.IsAbs(name) || filepath.VolumeName(name) != "" || os.IsPathSeparator(first(name)) {
			return filepath.Abs(name)
		}
		dir, err := wd()
		if err != nil {
			return "", err
		}
		return filepath.Join(dir, name), nil
	}
}

func first(name string) byte {
	if name == "" {
		return 0
	}
	return name[0]
}
