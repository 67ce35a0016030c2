package install

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// Change is a difference between an installed folder and its record.
type Change struct {
	Kind string `json:"kind"`           // changed, added, removed, renamed, special
	Path string `json:"path"`           // of a folder with / at its end
	From string `json:"from,omitempty"` // the recorded name of a renamed file
}

func (c Change) String() string {
	if c.Kind == "renamed" {
		return fmt.Sprintf("renamed %s to %s", fsx.Printable(c.From), fsx.Printable(c.Path))
	}
	return c.Kind + " " + fsx.Printable(c.Path)
}

// tree is what an installed folder holds.
type tree struct {
	sums    map[string]string // plain file to hex SHA-256
	special []string          // links, devices and the like
	empty   []string          // folders with nothing in them
}

// scan reads a folder without following links.
func scan(dir *os.Root) (*tree, error) {
	t := &tree{sums: map[string]string{}}
	err := fs.WalkDir(dir.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			empty, err := isEmpty(dir, name)
			if empty && name != "." {
				t.empty = append(t.empty, name)
			}
			return err
		case !d.Type().IsRegular():
			t.special = append(t.special, name)
			return nil
		}
		_, sum, err := sign.CopyFile(io.Discard, dir, name)
		t.sums[name] = hex.EncodeToString(sum[:])
		return err
	})
	return t, err
}

func isEmpty(root *os.Root, name string) (bool, error) {
	f, err := root.Open(name)
	if err != nil {
		return false, err
	}
	defer f.Close()
	_, err = f.Readdirnames(1)
	if errors.Is(err, io.EOF) {
		return true, nil
	}
	return false, err
}

// diff compares the folder with recorded files and empty folders. An empty folder
// that is gone is no change: version control does not keep them.
func (t *tree) diff(want []FileRecord, empty []string) []Change {
	var out []Change
	if len(t.empty) > 0 {
		known := map[string]bool{}
		for _, d := range empty {
			known[d] = true
		}
		for _, w := range want {
			for _, d := range dirsOf(w.Path) {
				known[d] = true
			}
		}
		for _, name := range t.empty {
			if !known[name] {
				out = append(out, Change{Kind: "added", Path: name + "/"})
			}
		}
	}
	for _, name := range t.special {
		out = append(out, Change{Kind: "special", Path: name})
	}
	extra := maps.Clone(t.sums)
	var missing []FileRecord
	for _, w := range want {
		sum, ok := t.sums[w.Path]
		switch {
		case !ok:
			missing = append(missing, w)
		case sum != w.SHA256:
			out = append(out, Change{Kind: "changed", Path: w.Path})
		}
		delete(extra, w.Path)
	}
	added := slices.Sorted(maps.Keys(extra))
	for _, w := range missing {
		i := slices.IndexFunc(added, func(name string) bool { return extra[name] == w.SHA256 })
		if i < 0 {
			out = append(out, Change{Kind: "removed", Path: w.Path})
			continue
		}
		out = append(out, Change{Kind: "renamed", Path: added[i], From: w.Path})
		added = slices.Delete(added, i, i+1)
	}
	for _, name := range added {
		out = append(out, Change{Kind: "added", Path: name})
	}
	slices.SortStableFunc(out, func(a, b Change) int { return strings.Compare(a.Path, b.Path) })
	return out
}

// openPack opens the installed folder of a pack; a missing one is (nil, nil).
func (s *site) openPack(slug string) (*os.Root, error) {
	dir, err := fsx.OpenDir(s.root, packDir(slug))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var le *fsx.LinkError
	if errors.As(err, &le) {
		return nil, &fsx.LinkError{Path: s.full(packDir(slug)), Mode: le.Mode}
	}
	return dir, err
}
