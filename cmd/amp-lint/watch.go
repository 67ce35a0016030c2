package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"time"

	"github.com/fsnotify/fsnotify"

	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/config"
)

// settleTime is how long a burst of changes must be over before linting: an
// editor writes a file in several steps.
const settleTime = 100 * time.Millisecond

// watchPaths lints, and again after each change, until it is interrupted.
func (s *settings) watchPaths(ctx context.Context, args []string, w streams) error {
	if len(args) == 0 {
		return usage("no path given; try 'amp-lint --watch .'")
	}
	if slices.Contains(args, "-") {
		return usage("--watch takes paths, and standard input is none")
	}
	if ctx == nil {
		ctx = context.Background()
	}
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt)
	defer stop()
	watcher, err := fsnotify.NewWatcher()
	if err != nil {
		return &exitError{exitInput, err}
	}
	defer watcher.Close()
	for {
		// Folders may be new since the last run; adding one twice is harmless.
		roots, err := watchAll(watcher, args)
		if err != nil {
			return &exitError{exitInput, err}
		}
		err = s.once(args, w)
		var ee *exitError
		if errors.As(err, &ee) && ee.err != nil {
			say(w.err, ee.err.Error())
		}
		s.note(w, "watching; interrupt to stop")
		if !changed(ctx, watcher, roots) {
			return nil
		}
	}
}

// changed waits for a burst of changes at or below one of the roots to be over;
// false means the end.
func changed(ctx context.Context, w *fsnotify.Watcher, roots []string) bool {
	var settle <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case e, ok := <-w.Events:
			if !ok {
				return false
			}
			if e.Op != fsnotify.Chmod && concerns(e.Name, roots) {
				settle = time.After(settleTime)
			}
		case _, ok := <-w.Errors:
			if !ok {
				return false
			}
			settle = time.After(settleTime) // events were lost: look again
		case <-settle:
			return true
		}
	}
}

// concerns reports whether a name lies in one of the roots or on the way to one.
func concerns(name string, roots []string) bool {
	return slices.ContainsFunc(roots, func(root string) bool {
		_, in := config.Within(root, name)
		_, above := config.Within(name, root)
		return in || above || name == root
	})
}

// watchAll watches the folders of the arguments, and the one each of them lies in:
// a folder that is removed and made anew is another one. It returns the roots.
func watchAll(w *fsnotify.Watcher, args []string) ([]string, error) {
	var roots []string
	for _, arg := range args {
		dir := arg
		if t, ok := batch.Around(arg); ok {
			dir = t.Dir
		} else if isFile(arg) {
			dir = filepath.Dir(arg)
		}
		dir, err := filepath.Abs(dir)
		if err != nil {
			return nil, err
		}
		roots = append(roots, dir)
		if err := watchAbove(w, dir); err != nil {
			return nil, err
		}
		err = filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil || !d.IsDir():
				return nil
			case p != dir && (d.Name() == ".git" || d.Name() == ".hg" || d.Name() == "node_modules"):
				return filepath.SkipDir
			}
			if err := w.Add(p); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return roots, nil
}

// watchAbove watches the nearest folder above one that is there.
func watchAbove(w *fsnotify.Watcher, dir string) error {
	for {
		up := filepath.Dir(dir)
		if up == dir {
			return nil
		}
		err := w.Add(up)
		if err == nil || !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		dir = up
	}
}
