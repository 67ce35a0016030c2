package capture

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/pack"
)

// Bounds of a source folder.
const (
	MaxNote    = 4 << 20  // bytes of one note
	MaxNotes   = 64 << 20 // bytes of all notes
	maxEntries = 20_000   // files and folders
	maxDepth   = 32
)

// A Note is one Markdown file of the source.
type Note struct {
	Path string // relative to the source, with /; for display, a credential in it masked
	Text string
}

// ReadNotes reads the Markdown files of a folder in the order of their paths. What
// is not read is a problem; hidden folders and dependencies are passed over. Links
// are never followed and nothing but regular files is opened.
func ReadNotes(fsys fs.FS) (notes []Note, problems []Problem, err error) {
	r := reader{fsys: fsys}
	if err := r.dir(".", 0); err != nil {
		return nil, nil, err
	}
	return r.notes, r.problems, nil
}

type reader struct {
	fsys     fs.FS
	notes    []Note
	problems []Problem
	seen     int
	size     int64
}

func (r *reader) skip(name string, line int, format string, args ...any) {
	r.problems = append(r.problems, Problem{Source: credential.MaskText(name), Line: line, Message: fmt.Sprintf(format, args...) + ", not read"})
}

func (r *reader) pass(name, what string) {
	r.problems = append(r.problems, Problem{Source: credential.MaskText(name), Message: what + ", not read", Expected: true})
}

func (r *reader) dir(name string, depth int) error {
	entries, err := fs.ReadDir(r.fsys, name)
	if err != nil {
		if name == "." {
			return err
		}
		r.skip(name, 0, "%v", err)
		return nil
	}
	for _, e := range entries {
		p := path.Join(name, e.Name())
		if r.seen++; r.seen > maxEntries {
			if r.seen == maxEntries+1 {
				r.skip(p, 0, "more than %d files and folders, this one and all behind it", maxEntries)
			}
			return nil
		}
		switch {
		case strings.HasPrefix(e.Name(), ".") || e.Name() == "node_modules":
		case !utf8.ValidString(e.Name()):
			r.skip(strings.ToValidUTF8(p, "\uFFFD"), 0, "the name is not valid UTF-8")
		case e.IsDir():
			switch {
			case depth >= maxDepth:
				r.skip(p, 0, "more than %d folders deep", maxDepth)
			case pack.IsPack(r.fsys, p):
				r.pass(p, "a pack")
			default:
				if err := r.dir(p, depth+1); err != nil {
					return err
				}
			}
		case !isMarkdown(e.Name()):
		case !e.Type().IsRegular():
			r.skip(p, 0, "no plain file")
		default:
			r.file(p, e)
		}
	}
	return nil
}

func isMarkdown(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".md" || ext == ".markdown"
}

func (r *reader) file(name string, e fs.DirEntry) {
	fi, err := e.Info()
	switch {
	case err != nil:
		r.skip(name, 0, "%v", err)
		return
	case fi.Size() > MaxNote:
		r.skip(name, 0, "%d bytes, more than %d", fi.Size(), MaxNote)
		return
	case r.size+fi.Size() > MaxNotes:
		r.skip(name, 0, "more than %d bytes in all notes", MaxNotes)
		return
	}
	f := pack.ReadFile(r.fsys, name)
	if f.Err != nil {
		r.skip(name, 0, "%v", f.Err)
		return
	}
	r.size += f.Size
	text := strings.TrimPrefix(f.Text, "\ufeff")
	if i := badByte(text); i >= 0 {
		line := 1 + strings.Count(breaks(text[:i]), "\n")
		r.skip(name, line, "NUL or a byte that is not valid UTF-8")
		return
	}
	if strings.HasPrefix(text, "<!-- amp-unpack: ") {
		r.pass(name, "a page made of somebody's pack")
		return
	}
	r.notes = append(r.notes, Note{credential.MaskText(name), breaks(text)})
}

func badByte(s string) int {
	nul := strings.IndexByte(s, 0)
	if utf8.ValidString(s) {
		return nul
	}
	for i := 0; i < len(s); {
		c, n := utf8.DecodeRuneInString(s[i:])
		if c == utf8.RuneError && n == 1 || c == 0 {
			return i
		}
		i += n
	}
	return nul
}
