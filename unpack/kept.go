package unpack

import (
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// keptName is a file in the wiki that tells whose the empty folders are, one a line
// and relative to the wiki. "keep" stands before those which were there, and empty,
// before a page was filed in them: they stay when all packs are taken out. "made"
// stands before those which a run is about to make, so that after a kill they are
// known to be ours. The file exists only while there is something to tell.
const (
	keptName = ".amp-kept"
	maxKept  = 1 << 20 // bytes
)

// folders is what keptName says.
type folders struct{ keep, made []string }

func (w wiki) folders() (f folders, err error) {
	if err := sweep(w.root, keptName); err != nil {
		return f, err
	}
	return w.readFolders()
}

func (w wiki) readFolders() (f folders, err error) {
	data, err := fsx.ReadFile(w.root, keptName, maxKept)
	if errors.Is(err, fs.ErrNotExist) {
		return f, nil
	}
	for line := range strings.Lines(string(data)) {
		how, name, _ := strings.Cut(strings.TrimRight(line, "\r\n"), " ")
		inWiki := name == pagesDir || path.Dir(name) == pagesDir && pack.ValidName(path.Base(name))
		switch {
		case how == "keep" && (inWiki || name != "" && strings.Trim(name, "./") == ""):
			f.keep = append(f.keep, name)
		case how == "made" && inWiki:
			f.made = append(f.made, name)
		}
	}
	return f, err
}

func (w wiki) setFolders(f folders) error {
	if len(f.keep)+len(f.made) == 0 {
		return fsx.Remove(w.root, keptName)
	}
	var b strings.Builder
	for _, name := range f.keep {
		b.WriteString("keep " + name + "\n")
	}
	for _, name := range f.made {
		b.WriteString("made " + name + "\n")
	}
	return fsx.WriteIn(w.root, keptName, []byte(b.String()), 0o644)
}

// has reports whether a folder is there, and whether it holds nothing but keptName.
func (w wiki) has(name string) (there, empty bool) {
	d, err := fsx.OpenDir(w.root, name)
	if err != nil {
		return !errors.Is(err, fs.ErrNotExist), false
	}
	defer d.Close()
	entries, err := fs.ReadDir(d.FS(), ".")
	return true, err == nil && !slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() != keptName })
}

// claim notes whose the folders of a pack are, before something is filed in them.
func (w wiki) claim(p *Plan) error {
	f, err := w.folders()
	if err != nil {
		return err
	}
	n := len(f.keep) + len(f.made)
	_, bare := w.has(".")
	switch {
	case p.above != "":
		f.keep = append(f.keep, p.above)
	case bare && n == 0 && !p.newWiki:
		f.keep = append(f.keep, ".")
	}
	for _, d := range []string{pagesDir, pagesDir + "/" + p.Slug} {
		there, empty := w.has(d)
		switch {
		case slices.Contains(f.keep, d) || slices.Contains(f.made, d):
		case !there:
			f.made = append(f.made, d)
		case empty:
			f.keep = append(f.keep, d)
		}
	}
	if len(f.keep)+len(f.made) == n {
		return nil
	}
	return w.setFolders(f)
}

// prune removes the empty folders of a pack that are not the user's, forgets those
// of the user that are as they were, and returns them. A run that files something
// removes only what it made, which is empty where it failed.
func (w wiki) prune(p *Plan) (stay []string, err error) {
	f, err := w.folders()
	if err != nil {
		return nil, err
	}
	stay = f.keep
	for _, d := range []string{pagesDir + "/" + p.Slug, pagesDir} {
		if _, empty := w.has(d); !empty || slices.Contains(stay, d) || !p.prune && !slices.Contains(f.made, d) {
			continue
		}
		parent, err := fsx.OpenDir(w.root, path.Dir(d))
		if err != nil {
			return stay, err
		}
		_ = fsx.Remove(parent, path.Base(d)) // somebody may have put something into it
		parent.Close()
	}
	now := folders{keep: slices.DeleteFunc(slices.Clone(f.keep), func(name string) bool {
		if strings.HasPrefix(name, ".") { // only an index of ours would go with its folders
			return p.scaffolded
		}
		there, empty := w.has(name)
		return empty || !there
	})}
	if len(now.keep)+len(now.made) == len(f.keep)+len(f.made) {
		return stay, nil
	}
	return stay, w.setFolders(now)
}
