package sign

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/jsontree"
)

// Limits that keep a hostile pack from eating memory. Real packs have some ten
// files and a manifest of a few kilobytes.
const (
	MaxManifest = 1 << 20 // bytes of manifest.json, whose parsed form is many times as large
	MaxFiles    = 20_000  // files and folders in a pack
	MaxDepth    = 64      // folders in folders
	MaxSize     = 4 << 30 // bytes of all files
)

// ManifestName is the one file whose bytes are not hashed.
const ManifestName = "manifest.json"

// File is one file of a pack.
type File struct {
	Path string   // relative to the pack, with /
	Size int64    // bytes
	Sum  [32]byte // SHA-256 of the content
}

// Pack is an opened pack folder.
type Pack struct {
	Root *os.Root
	Raw  []byte         // manifest.json as it is on disk
	Tree *jsontree.Node // the same, parsed; an object without duplicate members
	// Files lists every file but manifest.json in payload order. Their sums are
	// set by Hash.
	Files []File
	// Dirs lists the folders, parents first.
	Dirs   []string
	hashed bool
}

// ManifestError is an error located in manifest.json.
type ManifestError struct {
	Line, Column int // 1-based, the column in UTF-8 bytes
	Offset       int // bytes
	Msg          string
}

func (e *ManifestError) Error() string {
	return fmt.Sprintf("%s:%d:%d: %s", ManifestName, e.Line, e.Column, e.Msg)
}

func manifestError(src []byte, offset int, format string, args ...any) *ManifestError {
	before := src[:offset]
	line := 1 + strings.Count(string(before), "\n")
	column := offset - (strings.LastIndexByte(string(before), '\n') + 1) + 1
	return &ManifestError{line, column, offset, fmt.Sprintf(format, args...)}
}

// ErrNoManifest says that a folder is no pack.
//
//lint:ignore ST1005 the words are those of Part 7, gate 1
var ErrNoManifest = errors.New("Missing manifest.json")

// Open lists the files of the pack in dir and parses its manifest. It refuses
// what has no defined payload or no place in a pack: links, devices and other
// special files, names that are not UTF-8, a manifest that is not an object, not
// UTF-8 or has duplicate members (*ManifestError). The caller closes the pack.
func Open(dir string) (*Pack, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, openError(dir, err)
	}
	p, err := OpenRoot(root)
	if err != nil {
		root.Close()
		return nil, fsx.In(dir, err)
	}
	return p, nil
}

func openError(dir string, err error) error {
	switch fi, serr := os.Stat(dir); {
	case errors.Is(serr, fs.ErrNotExist):
		return fmt.Errorf("%s does not exist", fsx.Printable(dir))
	case serr == nil && !fi.IsDir():
		return fmt.Errorf("%s is not a folder", fsx.Printable(dir))
	}
	return err
}

// OpenRoot is Open for an open folder, which the pack then owns.
func OpenRoot(root *os.Root) (*Pack, error) {
	p := &Pack{Root: root}
	if _, err := root.Lstat(ManifestName); errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoManifest // rather than what is wrong with a folder that is no pack
	}
	if err := p.list(); err != nil {
		return nil, err
	}
	raw, err := fsx.ReadFile(root, ManifestName, MaxManifest)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNoManifest
	}
	if err != nil {
		return nil, err
	}
	p.Raw = raw
	p.Tree, err = parseManifest(raw)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// Close releases the folder.
func (p *Pack) Close() error { return p.Root.Close() }

func (p *Pack) list() error {
	count, size := 0, int64(0)
	exact, other := map[string]bool{}, map[string]string{} // ManifestName and EmbeddedName as they are spelled
	err := fs.WalkDir(p.Root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if count++; count > MaxFiles {
			return fmt.Errorf("the pack has more than %d files", MaxFiles)
		}
		if !utf8.ValidString(name) {
			return fmt.Errorf("the file name %q is not UTF-8, readers would not agree on its place in the signature", name)
		}
		for _, n := range []string{ManifestName, EmbeddedName} {
			if name == n {
				exact[n] = true
			} else if strings.EqualFold(name, n) {
				other[n] = name
			}
		}
		switch {
		case name == ".":
		case strings.Count(name, "/") >= MaxDepth:
			return fmt.Errorf("the pack has folders nested deeper than %d", MaxDepth)
		case d.IsDir():
			p.Dirs = append(p.Dirs, name)
		case !d.Type().IsRegular():
			return &fsx.LinkError{Path: name, Mode: d.Type()}
		case name != ManifestName:
			fi, err := d.Info()
			if err != nil {
				return err
			}
			if size += fi.Size(); size > MaxSize {
				return fmt.Errorf("the pack is larger than %d GiB", MaxSize>>30)
			}
			p.Files = append(p.Files, File{Path: name, Size: fi.Size()})
		}
		return nil
	})
	if err != nil {
		return err
	}
	for n, as := range other {
		if exact[n] {
			continue
		}
		// On a disk that does not tell the cases apart it would be read as n and signed as
		// what it is called.
		if _, err := p.Root.Lstat(n); err == nil {
			return fmt.Errorf("the file %s must be called %s, rename it", as, n)
		}
	}
	slices.SortFunc(p.Files, func(a, b File) int { return compareUTF16(a.Path, b.Path) })
	return nil
}

// parseManifest parses manifest.json and demands one meaning of it.
func parseManifest(raw []byte) (*jsontree.Node, error) {
	if !utf8.Valid(raw) {
		for i := 0; i < len(raw); {
			r, size := utf8.DecodeRune(raw[i:])
			if r == utf8.RuneError && size == 1 {
				return nil, manifestError(raw, i, "manifest.json is not UTF-8: byte 0x%02X", raw[i])
			}
			i += size
		}
	}
	tree, serr := jsontree.Parse(raw)
	if serr != nil {
		return nil, manifestError(raw, serr.Offset, "manifest.json is not valid JSON: %s", serr.Msg)
	}
	if tree.Kind != jsontree.Object {
		return nil, manifestError(raw, tree.Start, "manifest.json holds %s, expected an object", tree.Kind)
	}
	if m := duplicate(tree); m != nil {
		return nil, manifestError(raw, m.NameStart, "duplicate member %q, readers disagree about which one counts", m.Name)
	}
	return tree, nil
}

// duplicate returns the first member, at any depth, whose name its object had
// before.
func duplicate(n *jsontree.Node) *jsontree.Member {
	for _, e := range n.Elems {
		if m := duplicate(e); m != nil {
			return m
		}
	}
	seen := make(map[string]bool, len(n.Members))
	for i := range n.Members {
		m := &n.Members[i]
		if seen[m.Name] {
			return m
		}
		seen[m.Name] = true
		if d := duplicate(m.Value); d != nil {
			return d
		}
	}
	return nil
}

// member finds the first member called name, at any depth.
func member(n *jsontree.Node, name string) *jsontree.Member {
	for _, e := range n.Elems {
		if m := member(e, name); m != nil {
			return m
		}
	}
	for i := range n.Members {
		if n.Members[i].Name == name {
			return &n.Members[i]
		}
		if m := member(n.Members[i].Value, name); m != nil {
			return m
		}
	}
	return nil
}

var buffers = sync.Pool{New: func() any { return new([256 << 10]byte) }}

// Hash reads every file once and sets sizes and sums, with a fixed buffer per
// worker. Calling it again does nothing.
func (p *Pack) Hash() error {
	if p.hashed {
		return nil
	}
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range p.Files {
		f := &p.Files[i]
		g.Go(func() (err error) {
			f.Size, f.Sum, err = CopyFile(io.Discard, p.Root, f.Path)
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return fsx.In(p.Root.Name(), err)
	}
	p.hashed = true
	return nil
}

// copyHash copies src to dst and returns size and SHA-256 of what it copied.
func copyHash(dst io.Writer, src io.Reader) (int64, [32]byte, error) {
	buf := buffers.Get().(*[256 << 10]byte)
	defer buffers.Put(buf)
	h := sha256.New()
	// Plain structs, so that io.CopyBuffer cannot bypass the buffer or the hash.
	n, err := io.CopyBuffer(writer{dst, h}, reader{src}, buf[:])
	return n, [32]byte(h.Sum(nil)), err
}

type reader struct{ r io.Reader }

func (r reader) Read(p []byte) (int, error) { return r.r.Read(p) }

type writer struct {
	w io.Writer
	h hash.Hash
}

func (w writer) Write(p []byte) (int, error) {
	w.h.Write(p)
	return w.w.Write(p)
}

// CopyFile copies the plain file name below root to dst and returns size and
// SHA-256 of the copied bytes. Memory use does not depend on the size.
func CopyFile(dst io.Writer, root *os.Root, name string) (int64, [32]byte, error) {
	src, _, err := fsx.OpenFile(root, name)
	if err != nil {
		return 0, [32]byte{}, err
	}
	defer src.Close()
	return copyHash(dst, src)
}
