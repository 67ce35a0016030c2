package fsx

import (
	"bytes"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
)

// OpenFile opens a plain file below root for reading. Links, pipes and devices
// are a *LinkError, and opening them never blocks. The caller closes the file.
func OpenFile(root *os.Root, name string) (*os.File, fs.FileInfo, error) {
	return openPlain(root, name, os.O_RDONLY)
}

func openPlain(root *os.Root, name string, flag int) (*os.File, fs.FileInfo, error) {
	before, err := root.Lstat(name)
	if err != nil {
		return nil, nil, err
	}
	if !before.Mode().IsRegular() {
		return nil, nil, &LinkError{name, before.Mode()}
	}
	f, err := root.OpenFile(name, flag|openFlags, 0)
	if err != nil {
		return nil, nil, err
	}
	after, err := f.Stat()
	if err == nil && (!after.Mode().IsRegular() || !os.SameFile(before, after)) {
		err = &LinkError{name, fs.ModeSymlink} // swapped between the two calls
	}
	if err != nil {
		f.Close()
		return nil, nil, err
	}
	return f, after, nil
}

// TooLargeError reports a file that is bigger than its reader is willing to hold.
type TooLargeError struct {
	Path  string
	Limit int64 // bytes
}

func (e *TooLargeError) Error() string {
	return fmt.Sprintf("%s is larger than %d bytes", Printable(e.Path), e.Limit)
}

// ReadFile reads a plain file of at most limit bytes below root.
func ReadFile(root *os.Root, name string, limit int64) ([]byte, error) {
	// FUSE keeps what it knows of a file by the name that was asked for.
	name, err := Spelled(root, name)
	if err != nil {
		return nil, err
	}
	f, fi, err := OpenFile(root, name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if fi.Size() > limit {
		return nil, &TooLargeError{name, limit}
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, &TooLargeError{name, limit}
	}
	return data, nil
}

// WriteFile replaces the file at name by data in one step: readers and a crash
// see the old bytes or the new ones. An existing file keeps its mode and, as far as
// the system lets us, its owner and attributes (see Lost); a new one gets perm
// (before umask). A link at name is a *LinkError. The folder must exist.
func WriteFile(name string, data []byte, perm fs.FileMode) error {
	root, err := os.OpenRoot(filepath.Dir(name))
	if err != nil {
		return err
	}
	defer root.Close()
	return WriteIn(root, filepath.Base(name), data, perm)
}

// WriteIn is WriteFile for a name below root.
func WriteIn(root *os.Root, name string, data []byte, perm fs.FileMode) error {
	return WriteVia(root, name, path.Dir(name), data, perm, nil)
}

// WriteSecret is WriteIn for what nobody but its owner may read, whoever might read
// the file that was there.
func WriteSecret(root *os.Root, name string, data []byte) error {
	s, err := StageSecret(root, name, data)
	if err != nil {
		return err
	}
	return s.Commit()
}

// StageSecret is Stage for WriteSecret.
func StageSecret(root *os.Root, name string, data []byte) (*Staged, error) {
	if _, err := plainOrNone(root, name); err != nil {
		return nil, err
	}
	s := newStaged(root, name, path.Dir(name))
	if err := writeNew(root, s.tmp, data, 0o600, nil); err != nil {
		s.Discard()
		return nil, err
	}
	return s, nil
}

// WriteVia is WriteIn with the temporary file in the folder tmp below root, for
// folders in which even a left-over temporary file would do harm. Both must be
// on one file system.
func WriteVia(root *os.Root, name, tmp string, data []byte, perm fs.FileMode, lost Lost) error {
	s, err := stage(root, name, tmp, data, perm, lost)
	if err != nil {
		return s.failed(err)
	}
	return s.Commit()
}

// ErrChanged says that a file is not the one that its change was made for.
var ErrChanged = errors.New("the file was changed by another program meanwhile")

// Swap is WriteIn for a file that other programs write too: it is replaced only
// while it still holds old, nil meaning that there is no file; else nothing
// happens and the error is ErrChanged.
//
// Where the system can exchange two files in one step, the old file is looked at
// again after the exchange, and a file that changed just before it is put back.
// Elsewhere the look and the rename are two steps with nothing between them that
// waits for the disk.
func Swap(root *os.Root, name string, old, data []byte, perm fs.FileMode, lost Lost) error {
	return SwapVia(root, name, path.Dir(name), old, data, perm, lost)
}

// SwapVia is Swap with the temporary file in another folder, as in WriteVia.
func SwapVia(root *os.Root, name, tmp string, old, data []byte, perm fs.FileMode, lost Lost) error {
	return swap(root, name, tmp, "", old, data, perm, lost)
}

// SwapKeep is Swap that keeps the replaced file itself under the name kept, where the
// system can do that, so that SwapBack can put it back.
func SwapKeep(root *os.Root, name, kept string, old, data []byte, perm fs.FileMode, lost Lost) error {
	return swap(root, name, path.Dir(name), kept, old, data, perm, lost)
}

// SwapBack puts the file that SwapKeep kept in the place of one that holds now, as
// Swap does. Whatever comes of it, nothing is kept any more.
func SwapBack(root *os.Root, name, kept string, now []byte, lost Lost) error {
	name, err := Spelled(root, name)
	if err != nil {
		return err
	}
	s := &Staged{root, name, kept}
	if err := unchanged(root, name, now); err != nil {
		s.Discard()
		return err
	}
	return s.exchange(now, "", lost)
}

func swap(root *os.Root, name, tmp, kept string, old, data []byte, perm fs.FileMode, lost Lost) error {
	s, err := stage(root, name, tmp, data, perm, lost)
	if err == nil {
		name = s.name
		err = unchanged(root, name, old)
	}
	if err != nil {
		return s.failed(err)
	}
	if old == nil {
		return s.commitNew()
	}
	return s.exchange(old, kept, lost)
}

// exchange is Commit where the old content must be old. The old file goes to kept,
// unless that is "".
func (s *Staged) exchange(old []byte, kept string, lost Lost) error {
	root, name := s.root, s.name
	if err := pass("rename", name); err != nil {
		return s.failed(err)
	}
	switch err := exchange(root, s.tmp, name); {
	case errors.Is(err, errors.ErrUnsupported):
		if kept != "" {
			_ = Link(root, name, kept)
		}
		return s.commit()
	case err != nil:
		return s.failed(err)
	}
	if err := unchanged(root, s.tmp, old); err != nil {
		// The file that was written to goes back, and nothing waits in between.
		if berr := exchange(root, s.tmp, name); berr != nil {
			return fmt.Errorf("%w, and its text is in %s: %w", err, Printable(s.tmp), berr)
		}
		return s.failed(err)
	}
	if kept == "" || Rename(root, s.tmp, kept) != nil {
		if err := Remove(root, s.tmp); err != nil {
			lost.tell("its old text stays in %s (%v)", Printable(s.tmp), err)
		}
	}
	return SyncDir(root, path.Dir(name))
}

// failed removes the new content because of err, which it returns, with its name
// when that is not possible.
func (s *Staged) failed(err error) error {
	if s == nil {
		return err
	}
	if rerr := Remove(s.root, s.tmp); rerr != nil {
		if _, lerr := s.root.Lstat(s.tmp); lerr == nil {
			return fmt.Errorf("%w; %s is left behind and can be removed (%v)", err, Printable(s.tmp), rerr)
		}
	}
	return err
}

// unchanged is nil when a file holds this text, nil meaning that there is no file,
// and ErrChanged when it does not.
func unchanged(root *os.Root, name string, text []byte) error {
	now, err := ReadFile(root, name, int64(len(text)))
	var large *TooLargeError
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if text == nil {
			return nil
		}
	case errors.As(err, &large):
	case err != nil:
		return err
	case text != nil && bytes.Equal(now, text):
		return nil
	}
	return ErrChanged
}

// A Staged is a new content of a file, safe on disk under another name. Who has
// several files to replace stages all of them first: what is slow and what mostly
// fails is then behind them.
type Staged struct {
	root      *os.Root
	name, tmp string
}

// Stage writes what WriteIn would, beside the file, and leaves the file alone.
func Stage(root *os.Root, name string, data []byte, perm fs.FileMode) (*Staged, error) {
	s, err := stage(root, name, path.Dir(name), data, perm, nil)
	if err != nil {
		s.Discard()
		return nil, err
	}
	return s, nil
}

func newStaged(root *os.Root, name, tmpDir string) *Staged {
	return &Staged{root, name, path.Join(tmpDir, TempName(path.Base(name)))}
}

func stage(root *os.Root, name, tmpDir string, data []byte, perm fs.FileMode, lost Lost) (*Staged, error) {
	like, err := plainOrNone(root, name)
	if err != nil {
		return nil, err
	}
	if like != nil {
		if name, err = Spelled(root, name); err != nil {
			return nil, err
		}
	}
	s := newStaged(root, name, tmpDir)
	if like == nil {
		return s, writeNew(root, s.tmp, data, perm, func(f *File) error {
			give(f.f, root, path.Dir(name)) // which tmpDir need not be
			return nil
		})
	}
	return s, writeNew(root, s.tmp, data, 0o600, func(f *File) error { return f.keep(root, name, like, lost) })
}

// Spelled returns the name of an existing file as its folder has it. A disk that does
// not tell upper from lower case finds claude.md as CLAUDE.md, and would call it so
// when it is replaced.
func Spelled(root *os.Root, name string) (string, error) {
	dir, base := path.Split(name)
	// Where the other case is not found the disk tells them apart.
	if _, err := root.Lstat(dir + otherCase(base)); err != nil {
		return name, nil
	}
	folder, err := OpenDir(root, path.Clean(dir))
	if err != nil {
		return "", err
	}
	defer folder.Close()
	f, err := folder.Open(".")
	if err != nil {
		return "", err
	}
	defer f.Close()
	names, err := f.Readdirnames(-1)
	return dir + spelling(names, base), err
}

// spelling picks base from the names of a folder, in another case where it is not
// there as such.
func spelling(names []string, base string) string {
	found := base
	for _, n := range names {
		if n == base {
			return base
		}
		if strings.EqualFold(n, base) {
			found = n
		}
	}
	return found
}

// otherCase turns the case of all letters of a name.
func otherCase(s string) string {
	if u := strings.ToUpper(s); u != s {
		return u
	}
	return strings.ToLower(s)
}

// plainOrNone returns what is known of a file, nil when there is none.
func plainOrNone(root *os.Root, name string) (fs.FileInfo, error) {
	fi, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err == nil && !fi.Mode().IsRegular():
		return nil, &LinkError{name, fi.Mode()}
	}
	return fi, err
}

// Commit puts the new content in the place of the old one. The Staged is spent,
// whatever comes of it.
func (s *Staged) Commit() error {
	if err := pass("rename", s.name); err != nil {
		s.Discard()
		return err
	}
	return s.commit()
}

func (s *Staged) commit() error {
	if err := s.root.Rename(s.tmp, s.name); err != nil {
		return s.failed(err)
	}
	return SyncDir(s.root, path.Dir(s.name))
}

// commitNew is Commit where there must be no old content.
func (s *Staged) commitNew() error {
	if err := RenameNew(s.root, s.tmp, s.name); err != nil {
		if errors.Is(err, fs.ErrExist) {
			err = ErrChanged
		}
		return s.failed(err)
	}
	return SyncDir(s.root, path.Dir(s.name))
}

// Discard removes the new content. A nil Staged has none.
func (s *Staged) Discard() {
	if s != nil {
		_ = Remove(s.root, s.tmp) // what is left over is known by its name
	}
}

// TempName returns a fresh hidden name for a temporary file beside base. The
// part before the random one lets a later run recognize left-overs.
func TempName(base string) string {
	var b [8]byte
	_, _ = rand.Read(b[:]) // never fails, see its documentation
	return TempPrefix(base) + hex.EncodeToString(b[:])
}

// TempPrefix is how the names that TempName makes for base start.
func TempPrefix(base string) string { return "." + base + ".amp-tmp-" }

// IsTemp reports whether a name is one that TempName makes: of a file that a run
// which was killed left over.
func IsTemp(name string) bool {
	i := strings.LastIndex(name, ".amp-tmp-")
	if i < 1 || name[0] != '.' {
		return false
	}
	_, err := hex.DecodeString(name[i+len(".amp-tmp-"):])
	return err == nil && len(name)-i == len(".amp-tmp-")+16
}

// writeNew writes a new file; finish, which may be nil, gives it its mode and
// whatever else it has to have before it is used.
func writeNew(root *os.Root, name string, data []byte, perm fs.FileMode, finish func(*File) error) error {
	f, err := CreateOwn(root, name, perm)
	if err != nil {
		return err
	}
	defer f.Close()
	if _, err := f.Write(data); err != nil {
		return err
	}
	if finish != nil {
		if err := finish(f); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	return f.Close()
}

// File is a file that is being written; its changes pass the test gate.
type File struct {
	f    *os.File
	name string
}

// CreateNew makes a new file for writing and fails when name exists.
func CreateNew(root *os.Root, name string, perm fs.FileMode) (*File, error) {
	f, err := CreateOwn(root, name, perm)
	if err == nil {
		give(f.f, root, path.Dir(name))
	}
	return f, err
}

// CreateOwn is CreateNew for a file that stays with who makes it (see Mkdir).
func CreateOwn(root *os.Root, name string, perm fs.FileMode) (*File, error) {
	if err := pass("create", name); err != nil {
		return nil, err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL|openFlags, perm)
	if err != nil {
		return nil, err
	}
	return &File{f, name}, nil
}

// Write appends p. A simulated kill leaves half of it, as a real one may.
func (f *File) Write(p []byte) (int, error) {
	if err := pass("write", f.name); err != nil {
		n, _ := f.f.Write(p[:len(p)/2])
		return n, err
	}
	return f.f.Write(p)
}

// Sync makes the content durable.
func (f *File) Sync() error {
	if err := pass("sync", f.name); err != nil {
		return err
	}
	return f.f.Sync()
}

// Close closes the file; closing twice is harmless.
func (f *File) Close() error {
	if f.f == nil {
		return nil
	}
	err := f.f.Close()
	f.f = nil
	return err
}

// SyncFile makes the content of an existing plain file durable.
func SyncFile(root *os.Root, name string) error {
	if err := pass("sync", name); err != nil {
		return err
	}
	f, _, err := openPlain(root, name, os.O_WRONLY)
	if err != nil {
		return err
	}
	defer f.Close()
	return f.Sync()
}
