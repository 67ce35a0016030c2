package pack

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"
	"unsafe"
)

// MaxFile is the largest file that is read, in bytes. Larger ones are recorded
// with ErrTooLarge: memory stays bounded whatever a pack holds.
const MaxFile = 64 << 20

// MaxText is the largest .md file that is read, in bytes. A tree of the smallest
// primitives takes some 20 times its text.
const MaxText = 16 << 20

// MaxTable is the largest manifest.json or agents.md that is read, in bytes.
// Their parsed form is many times their size, so the limit is lower.
const MaxTable = 1 << 20

// MaxEntries is the largest number of files and folders that Load looks at.
const MaxEntries = 20_000

const maxDepth = 32

var (
	// ErrTooLarge marks a file of more than Limit bytes.
	ErrTooLarge = errors.New("too large, not read")
	// ErrTooMany marks a pack of more than MaxEntries files.
	ErrTooMany = fmt.Errorf("more than %d files, the rest was not read", MaxEntries)
	// ErrTooDeep marks a folder below maxDepth others.
	ErrTooDeep = fmt.Errorf("more than %d folders deep, not read", maxDepth)
)

// Load reads the pack at the root of fsys. root is how its folder is shown.
// An error means that the root itself can't be listed; files that can't be read
// carry theirs in File.Err. Folders that are packs themselves are left out, as
// are version control and dependency folders.
func Load(fsys fs.FS, root string) (*Pack, error) {
	l := loader{fsys: fsys}
	if err := l.dir(".", 0); err != nil {
		return nil, err
	}
	p := New(root, l.files)
	p.Skipped = l.skipped
	return p, nil
}

type loader struct {
	fsys    fs.FS
	files   []*File
	skipped []string
	seen    int
}

func (l *loader) dir(name string, depth int) error {
	entries, err := fs.ReadDir(l.fsys, name)
	if err != nil {
		if name == "." {
			return err
		}
		l.files = append(l.files, &File{Path: name, Type: fs.ModeDir, Err: cause(err)})
		return nil
	}
	for _, e := range entries {
		p := e.Name()
		if name != "." {
			p = name + "/" + e.Name()
		}
		if l.seen++; l.seen > MaxEntries {
			l.files = append(l.files, &File{Path: p, Type: e.Type(), Err: ErrTooMany})
			return nil
		}
		switch {
		case !utf8.ValidString(p):
			// No manifest can name it, and no fs.FS opens it.
			l.files = append(l.files, &File{Path: p, Type: e.Type() | fs.ModeIrregular})
		case e.IsDir():
			switch {
			case depth >= maxDepth:
				l.files = append(l.files, &File{Path: p, Type: fs.ModeDir, Err: ErrTooDeep})
				continue
			case skipped(e.Name()), name == "." && e.Name() != MemoryDir && IsPack(l.fsys, p):
				l.skipped = append(l.skipped, p)
				continue
			}
			if err := l.dir(p, depth+1); err != nil {
				return err
			}
		case !e.Type().IsRegular():
			l.files = append(l.files, &File{Path: p, Type: e.Type()})
		default:
			l.files = append(l.files, ReadFile(l.fsys, p))
		}
	}
	return nil
}

func skipped(name string) bool { return name == ".git" || name == ".hg" || name == "node_modules" }

// Limit is the largest size in bytes at which a file of a pack is read.
func Limit(name string) int64 {
	switch {
	case path.Base(name) == ManifestName, path.Base(name) == AgentsName:
		return MaxTable
	case path.Ext(name) == ".md":
		return MaxText
	}
	return MaxFile
}

// ReadFile reads one file of a pack. What goes wrong is in File.Err. It opens
// whatever the name stands for: callers make sure that it is no pipe.
func ReadFile(fsys fs.FS, name string) *File {
	f := &File{Path: name}
	r, err := fsys.Open(name)
	if err != nil {
		f.Err = cause(err)
		return f
	}
	defer r.Close()
	st, err := r.Stat()
	if err != nil {
		f.Err = cause(err)
		return f
	}
	f.Size, f.Type = st.Size(), st.Mode().Type()
	if !f.Regular() {
		return f
	}
	limit := Limit(name)
	if f.Size > limit {
		f.Err = ErrTooLarge
		return f
	}
	// One byte more than stat promised: a read that falls short has seen the
	// end, and a file that grew meanwhile is read on, up to the limit, so that
	// what is judged is what was there.
	buf := make([]byte, f.Size+1)
	n, err := r.Read(buf) // most often what stat promised, and then all
	if int64(n) != f.Size && err == nil {
		var more int
		more, err = io.ReadFull(r, buf[n:])
		n += more
	}
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	} else if err == nil && n == len(buf) {
		var rest []byte
		rest, err = io.ReadAll(io.LimitReader(r, limit-f.Size+1))
		buf = append(buf[:n], rest...)
		n = len(buf)
	}
	if err != nil {
		f.Err = cause(err)
		return f
	}
	if int64(n) > limit {
		f.Err = ErrTooLarge
		return f
	}
	f.Size = int64(n)
	f.Text = unsafe.String(unsafe.SliceData(buf), n) // buf is never written again
	return f
}

// cause drops the path from a file error: findings carry their own.
func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// IsPack reports whether the folder at dir is a pack: two of manifest.json,
// agents.md and memory/, or a manifest.json with a member that only packs have.
func IsPack(fsys fs.FS, dir string) bool {
	n, manifest := parts(fsys, dir)
	return n >= 2 || n == 1 && manifest && looksLikeManifest(fsys, path.Join(dir, ManifestName))
}

// Parts counts the parts of a pack among the entries of a folder, and tells
// whether manifest.json is one of them.
func Parts(entries []fs.DirEntry) (n int, manifest bool) {
	for _, e := range entries {
		switch {
		case e.Name() == ManifestName && !e.IsDir():
			n, manifest = n+1, true
		case e.Name() == AgentsName && !e.IsDir(), e.Name() == MemoryDir && e.IsDir():
			n++
		}
	}
	return n, manifest
}

// HasPart reports whether the folder holds any part of a pack. A folder that a
// user names is taken as a pack when it does.
func HasPart(fsys fs.FS, dir string) bool {
	n, _ := parts(fsys, dir)
	return n > 0
}

func parts(fsys fs.FS, dir string) (n int, manifest bool) {
	if st, err := fs.Stat(fsys, path.Join(dir, ManifestName)); err == nil && !st.IsDir() {
		n, manifest = n+1, true
	}
	if st, err := fs.Stat(fsys, path.Join(dir, AgentsName)); err == nil && !st.IsDir() {
		n++
	}
	if st, err := fs.Stat(fsys, path.Join(dir, MemoryDir)); err == nil && st.IsDir() {
		n++
	}
	return n, manifest
}

func looksLikeManifest(fsys fs.FS, name string) bool {
	if st, err := fs.Stat(fsys, name); err != nil || !st.Mode().IsRegular() {
		return false // opening a pipe would wait forever
	}
	f := ReadFile(fsys, name)
	if f.Err != nil {
		return false
	}
	m := ParseManifest(f)
	if m.Object() == nil {
		// A manifest being written is no JSON for a while; its words still tell.
		return strings.Contains(f.Text, `"capability_files"`) || strings.Contains(f.Text, `"primitive_format"`)
	}
	return m.Member("layout") != nil || m.Member("capability_files") != nil || m.Member("primitive_format") != nil
}
