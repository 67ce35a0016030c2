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
		if err := watchAll(watcher, args); err != nil {
			return &exitError{exitInput, err}
		}
		err := s.once(args, w)
		var ee *exitError
		if errors.As(err, &ee) && ee.err != nil {
			say(w.err, ee.err.Error())
		}
		s.note(w, "watching; interrupt to stop")
		if !changed(ctx, watcher) {
			return nil
		}
	}
}

// changed waits for a burst of changes to be over; false means the end.
func changed(ctx context.Context, w *fsnotify.Watcher) bool {
	var settle <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return false
		case e, ok := <-w.Events:
			if !ok {
				return false
			}
			if e.Op != fsnotify.Chmod {
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

func watchAll(w *fsnotify.Watcher, args []string) error {
	for _, arg := range args {
		dir := arg
		if t, ok := batch.Around(arg); ok {
			dir = t.Dir
		} else if isFile(arg) {
			dir = filepath.Dir(arg)
		}
		err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil && p == dir:
				return err
			case err != nil || !d.IsDir():
				return nil
			case p != dir && (d.Name() == ".git" || d.Name() == ".hg" || d.Name() == "node_modules"):
				return filepath.SkipDir
			}
			return w.Add(p)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
