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
	Kind string `json:"kind"` // changed, added, removed, renamed, special
	Path string `json:"path"`
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
}

// scan reads a folder without following links.
func scan(dir *os.Root) (*tree, error) {
	t := &tree{sums: map[string]string{}}
	err := fs.WalkDir(dir.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir():
			return nil
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

// diff compares the folder with recorded files.
func (t *tree) diff(want []FileRecord) []Change {
	var out []Change
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
