package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/vcs"
	"github.com/amp-toolchain/amp/pack"
)

// maxBatch bounds what --stdin-batch reads, in bytes.
const maxBatch = 4 * pack.MaxFile

// find turns arguments and flags into targets.
func (j *job) find(args []string) error {
	switch {
	case j.stdinBatch:
		return j.findBatch(args)
	case j.changed, j.since != "", j.staged:
		return j.findChanged(args)
	case j.hook:
		return j.findHook(args)
	case slices.Contains(args, "-"):
		return j.findStdin(args)
	case j.stdinFilename != "":
		return usage("--stdin-filename needs '-' as the only path")
	case len(args) == 0:
		return usage("no path given; try 'amp-lint .'")
	}
	j.targets, j.errs = batch.Discover(args, j.skip())
	return nil
}

// skip tells which folders discovery leaves out.
func (j *job) skip() func(string) bool {
	if j.noIgnore {
		return nil
	}
	ignore := vcs.NewIgnore()
	finder := config.NewFinder(j.reg)
	return func(dir string) bool {
		if !ignore.Dir(dir) {
			return false
		}
		abs, err := filepath.Abs(dir)
		if err != nil || j.noConfig || j.config != "" {
			return true
		}
		c, _ := finder.For(filepath.Dir(abs))
		return c == nil || c.Gitignore.Value
	}
}

func (j *job) findStdin(args []string) error {
	if len(args) > 1 {
		return usage("'-' must be the only path")
	}
	src, err := readBounded(j.w.in, pack.MaxFile)
	if err != nil {
		return &exitError{exitInput, fmt.Errorf("standard input: %w", err)}
	}
	name := j.stdinFilename
	if name == "" {
		name = "stdin.md"
	}
	j.overlay(name, src, batch.Around)
	j.stdin = true
	// There is one place for the result, so no fix may need another.
	j.opt.Confined = j.fix || j.fixSuggested
	return nil
}

func readBounded(r io.Reader, limit int64) (string, error) {
	src, err := io.ReadAll(io.LimitReader(r, limit+1))
	if err != nil {
		return "", err
	}
	if int64(len(src)) > limit {
		return "", fmt.Errorf("larger than %d MB, not read", limit>>20)
	}
	return string(src), nil
}

// overlay makes an unsaved file part of the pack it lies in.
func (j *job) overlay(name, text string, around func(string) (batch.Target, bool)) {
	t, ok := around(name)
	switch base := filepath.Base(name); {
	case ok:
	case base == pack.ManifestName || base == pack.AgentsName:
		// The first file of a pack that is being made.
		t = batch.Alone(name)
	default:
		t = batch.Target{Dir: filepath.Dir(name), Display: batch.Display(filepath.Dir(name)), Only: []string{filepath.Base(name)}, Loose: true}
	}
	if j.opt.Overlays == nil {
		j.opt.Overlays = map[string]map[string]string{}
	}
	if j.opt.Overlays[t.Dir] == nil {
		j.opt.Overlays[t.Dir] = map[string]string{}
	}
	j.opt.Overlays[t.Dir][t.Only[0]] = text
	for i := range j.targets {
		if o := &j.targets[i]; o.Dir == t.Dir && !o.Loose && !t.Loose {
			o.Only = append(o.Only, t.Only[0])
			return
		}
	}
	j.targets = append(j.targets, t)
}

type batchInput struct {
	Files []struct {
		Path *string `json:"path"`
		Text *string `json:"text"`
	} `json:"files"`
}

func (j *job) findBatch(args []string) error {
	if len(args) > 0 {
		return usage("--stdin-batch takes no paths")
	}
	src, err := readBounded(j.w.in, maxBatch)
	if err != nil {
		return &exitError{exitInput, fmt.Errorf("standard input: %w", err)}
	}
	var in batchInput
	dec := json.NewDecoder(strings.NewReader(src))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&in); err != nil {
		return usage("standard input is not {\"files\": [{\"path\", \"text\"}]}: %v", config.JSONError(err))
	}
	if dec.More() {
		return usage("standard input goes on behind the object")
	}
	texts := map[string]string{}
	for i, f := range in.Files {
		switch {
		case f.Path == nil || f.Text == nil || *f.Path == "":
			return usage("files[%d] needs a path and a text", i)
		case len(*f.Text) > pack.MaxFile:
			return &exitError{exitInput, fmt.Errorf("%s: %w", *f.Path, pack.ErrTooLarge)}
		}
		name := filepath.Clean(filepath.FromSlash(*f.Path))
		if _, twice := texts[name]; twice {
			return usage("files[%d]: %s is given twice", i, *f.Path)
		}
		texts[name] = *f.Text
	}
	if len(texts) == 0 {
		return usage("standard input holds no files")
	}
	for _, name := range slices.Sorted(maps.Keys(texts)) {
		j.overlay(name, texts[name], func(name string) (batch.Target, bool) { return aroundUnsaved(name, texts) })
	}
	return nil
}

// aroundUnsaved is batch.Around for a pack of which some files, or all, are not
// on disk yet.
func aroundUnsaved(name string, texts map[string]string) (batch.Target, bool) {
	rel := filepath.Base(name)
	for dir := filepath.Dir(name); ; dir = filepath.Dir(dir) {
		parts := 0
		for _, part := range []string{pack.ManifestName, pack.AgentsName} {
			if _, ok := texts[filepath.Join(dir, part)]; ok || isFile(filepath.Join(dir, part)) {
				parts++
			}
		}
		memory := filepath.Join(dir, pack.MemoryDir)
		for other := range texts {
			if filepath.Dir(other) == memory {
				parts++
				break
			}
		}
		if parts >= 2 || path.Dir(rel) == pack.MemoryDir {
			return batch.Target{Dir: dir, Display: batch.Display(dir), Only: []string{rel}}, true
		}
		if up := filepath.Dir(dir); up == dir || filepath.Base(dir) == ".." {
			return batch.Around(name)
		}
		rel = filepath.ToSlash(filepath.Join(filepath.Base(dir), rel))
	}
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && !st.IsDir()
}

// findChanged takes the packs with changed files, as a whole: a change in one
// file shows in another.
func (j *job) findChanged(args []string) error {
	within := workingDir()
	if len(args) > 1 {
		return usage("--changed, --since and --staged take at most one folder")
	}
	if len(args) == 1 {
		within = args[0]
	}
	repo, err := vcs.Open(within)
	if err != nil {
		return &exitError{exitInput, err}
	}
	var files []string
	switch {
	case j.staged:
		files, err = repo.Staged()
	case j.since != "":
		files, err = repo.Since(j.since)
	default:
		files, err = repo.Changed()
	}
	if err != nil {
		return &exitError{exitInput, err}
	}
	j.packsOf(files)
	if j.staged {
		if err := j.asStaged(repo); err != nil {
			return &exitError{exitInput, err}
		}
	}
	if len(j.targets) == 0 {
		return j.nothing(repo.Root, len(files))
	}
	return nil
}

// findHook takes the packs that changed files lie in. Files that are gone are
// not among the arguments; git tells them.
func (j *job) findHook(args []string) error {
	for i, a := range args {
		if abs, err := filepath.Abs(a); err == nil {
			args[i] = abs
		}
	}
	repo, err := vcs.Open(workingDir())
	if err == nil {
		staged, err := repo.Staged()
		if err != nil {
			return &exitError{exitInput, err}
		}
		for _, f := range staged {
			if _, err := os.Lstat(f); errors.Is(err, os.ErrNotExist) {
				args = append(args, f)
			}
		}
	}
	j.packsOf(args)
	if len(j.targets) > 0 {
		return nil
	}
	root := workingDir()
	if repo != nil {
		root = repo.Root
	}
	return j.nothing(root, len(args))
}

// packsOf makes targets of the packs that files (absolute paths) lie in, shown
// relative to the working folder.
func (j *job) packsOf(files []string) {
	wd := workingDir()
	seen := map[string]bool{}
	for _, f := range files {
		t, ok := batch.Around(f)
		if !ok || seen[t.Dir] {
			continue
		}
		seen[t.Dir] = true
		if rel, err := filepath.Rel(wd, t.Dir); err == nil && (rel == "." || filepath.IsLocal(rel)) {
			t.Dir, t.Display = rel, batch.Display(rel)
		}
		t.Only = nil
		j.targets = append(j.targets, t)
	}
}

// asStaged makes the targets what will be committed: files that are not tracked
// are as if they were not there, and those that differ on disk are read from git.
func (j *job) asStaged(repo *vcs.Repo) error {
	j.opt.Overlays, j.opt.Tracked = map[string]map[string]string{}, map[string]map[string]fs.FileMode{}
	at := map[string]string{} // Dir of targets by absolute path
	var dirs []string
	for _, t := range j.targets {
		dir, err := filepath.Abs(t.Dir)
		if err != nil {
			return err
		}
		at[dir], dirs = t.Dir, append(dirs, dir)
		j.opt.Overlays[t.Dir], j.opt.Tracked[t.Dir] = map[string]string{}, map[string]fs.FileMode{}
	}
	entries, err := repo.Index(dirs...)
	if err != nil {
		return err
	}
	disks := map[string]diskfs.FS{}
	defer func() {
		for _, d := range disks {
			d.Close()
		}
	}()
	type place struct{ dir, rel string }
	places := map[string][]place{} // of files that differ, in each pack they lie in
	for i := range entries {
		e := &entries[i]
		for up := filepath.Dir(e.Path); len(up) >= len(repo.Root); up = filepath.Dir(up) {
			dir, ok := at[up]
			rel, inside := config.Within(up, e.Path)
			if !ok || !inside {
				continue
			}
			j.opt.Tracked[dir][rel] = e.Type
			if e.Type != 0 {
				continue // what it is is all that is asked
			}
			if disks[dir] == nil {
				if disks[dir], err = diskfs.Open(dir); err != nil {
					delete(disks, dir)
					return pathError(dir, err)
				}
			}
			if f := pack.ReadFile(disks[dir], rel); f.Err != nil || !f.Regular() || !e.Is(f.Text) {
				places[e.Path] = append(places[e.Path], place{dir, rel})
			}
		}
	}
	entries = slices.DeleteFunc(entries, func(e vcs.Entry) bool { return places[e.Path] == nil })
	return repo.Texts(entries, pack.MaxFile, func(e *vcs.Entry, text string) {
		for _, p := range places[e.Path] {
			j.opt.Overlays[p.dir][p.rel] = text
		}
	})
}

// nothing ends a run in which no pack changed. It passes only where there is a
// pack that could have: a hook that checks nothing, ever, must not look like one
// that is content.
func (j *job) nothing(root string, files int) error {
	if !batch.Any(root, j.skip()) {
		return &exitError{exitUsage, fmt.Errorf("%s holds no AMP pack (a folder with two of manifest.json, agents.md and memory/), so there is nothing this could ever check: add one in the same commit ('amp new' makes one), or take the hook out", batch.Display(root))}
	}
	j.note(j.w, "no pack among %s: nothing to check", count(files, "changed file", "changed files"))
	return nil
}
