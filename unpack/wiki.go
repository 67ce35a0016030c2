package unpack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// Names and bounds of a wiki.
const (
	indexName  = "index.md"
	pagesDir   = "packs"
	indexTitle = "Packs"
	seeAlso    = "See also"

	// MaxPage is the largest page that is read, in bytes.
	MaxPage = 4 << 20
	// MaxEntries is how many files and folders of a wiki are looked at.
	MaxEntries = 20_000
	maxDepth   = 32
)

// scaffold is the index of a wiki that did not exist.
const scaffold = "# Wiki\n\nWhat we know, one page per subject.\n"

// wiki reads below a root without ever following a link. A nil root is a wiki
// that does not exist yet.
type wiki struct {
	root *os.Root
	// left collects the temporary files that list comes by: of a run that was killed.
	left *[]string
}

// read returns the text of a page, exists false when there is none.
func (w wiki) read(name string) (s string, exists bool, err error) {
	if w.root == nil {
		return "", false, nil
	}
	dir, err := fsx.OpenDir(w.root, path.Dir(name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err != nil {
		return "", false, err
	}
	defer dir.Close()
	data, err := fsx.ReadFile(dir, path.Base(name), MaxPage)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	if err == nil && !utf8.Valid(data) {
		err = errors.New("the page is not valid UTF-8")
	}
	return string(data), err == nil, err
}

// list returns the Markdown pages below a folder, sorted, and what was left out.
func (w wiki) list(dir string, skip func(string) bool) (pages, unread []string, err error) {
	if w.root == nil {
		return nil, nil, nil
	}
	seen := 0
	var walk func(name string, depth int) error
	walk = func(name string, depth int) error {
		d, err := fsx.OpenDir(w.root, name)
		if err != nil {
			return err
		}
		entries, err := fs.ReadDir(d.FS(), ".")
		d.Close()
		if err != nil {
			return err
		}
		for _, e := range entries {
			p := path.Join(name, e.Name())
			if seen++; seen > MaxEntries {
				return fmt.Errorf("the wiki has more than %d files and folders", MaxEntries)
			}
			switch {
			case w.left != nil && fsx.IsTemp(e.Name()) && e.Type().IsRegular():
				*w.left = append(*w.left, p)
			case strings.HasPrefix(e.Name(), ".") || skip != nil && skip(p):
			case !utf8.ValidString(e.Name()):
				unread = append(unread, fmt.Sprintf("%s: the name is not valid UTF-8", fsx.Printable(p)))
			case e.IsDir():
				if depth >= maxDepth {
					unread = append(unread, fmt.Sprintf("%s: more than %d folders deep, not read", fsx.Printable(p), maxDepth))
				} else if err := walk(p, depth+1); err != nil {
					return err
				}
			case !strings.HasSuffix(e.Name(), ".md"):
			case !e.Type().IsRegular():
				unread = append(unread, fsx.Printable(p)+": no plain file, not read")
			default:
				pages = append(pages, p)
			}
		}
		return nil
	}
	err = walk(dir, 0)
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	slices.Sort(pages)
	return pages, unread, err
}

// drop removes a temporary file.
func (w wiki) drop(name string) error {
	dir, err := fsx.OpenDir(w.root, path.Dir(name))
	if err != nil {
		return err
	}
	defer dir.Close()
	return fsx.Remove(dir, path.Base(name))
}

// apply makes one change. The folder of a new page is made, and nothing but what
// the plan saw is replaced.
func (w wiki) apply(e *Edit, lost fsx.Lost) error {
	if !e.exists {
		if _, err := fsx.MkdirAll(w.root, path.Dir(e.Path), 0o755); err != nil {
			return err
		}
	}
	dir, err := fsx.OpenDir(w.root, path.Dir(e.Path))
	if err != nil {
		return err
	}
	defer dir.Close()
	base := path.Base(e.Path)
	if err := sweep(dir, base); err != nil {
		return err
	}
	if !e.remove {
		var old []byte
		if e.exists {
			old = []byte(e.old)
		}
		return fsx.Swap(dir, base, old, []byte(e.new), 0o644, lost)
	}
	now, exists, err := w.read(e.Path)
	switch {
	case err != nil:
		return err
	case !exists:
		return nil
	case now != e.old:
		return fsx.ErrChanged
	}
	if err := fsx.Remove(dir, base); err != nil {
		return err
	}
	return fsx.SyncDir(dir, ".")
}

// sweep removes temporary files that an interrupted run left beside a page.
func sweep(dir *os.Root, base string) error {
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), fsx.TempPrefix(base)) && e.Type().IsRegular() {
			if err := fsx.Remove(dir, e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}
