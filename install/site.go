package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// Where names the two folders that packs can be installed in.
type Where struct {
	Dir  string // the project folder
	Home string // the home folder, "" when there is none
	// Warn is told, by commands that have no other place for it, what rules files lost
	// when the command finished the work of one that was killed. May be nil.
	Warn func(string)
}

// site is the base folder of one scope: the project, or the user's home.
type site struct {
	scope Scope
	base  string // absolute, links resolved
	root  *os.Root
	home  string // of a project, absolute; "" when there is none
	// set while the lock is held
	lock *fsx.Lock
	// made are the folders that madeFile lists, recorded says that it does.
	made     []string
	recorded bool
	madeBare bool // .amp was made without madeFile
	warn     func(string)
	// warnings tell what was lost by replacing files.
	warnings []string
}

// ErrHome says that the project folder is the home folder.
var ErrHome = errors.New("the home folder")

func openSite(scope Scope, w Where) (*site, error) {
	base := w.Dir
	if scope == User {
		if w.Home == "" {
			return nil, errors.New("user scope needs a home folder, set HOME")
		}
		base = w.Home
	}
	if scope == Project && w.Home != "" && sameDir(base, w.Home) {
		return nil, fmt.Errorf("%s is %w, its .amp belongs to user scope; use --scope user or change to a project", fsx.Printable(base), ErrHome)
	}
	s, err := openBase(scope, base)
	if err != nil {
		return nil, err
	}
	s.warn = w.Warn
	if scope == Project && w.Home != "" {
		s.home, _ = filepath.Abs(w.Home)
	}
	return s, nil
}

// ofUser reports whether a rules file of a project is one of user scope at the same
// time, as CLAUDE.md is when the project is ~/.claude, and the agent that reads it
// there. A block in it can have one owner only.
func (s *site) ofUser(file, slug string) (agent string, shared bool) {
	h, shared := s.userPlace(file, slug)
	return h.agent, shared
}

func openBase(scope Scope, base string) (*site, error) {
	base, err := filepath.EvalSymlinks(base)
	if err == nil {
		base, err = filepath.Abs(base)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	return &site{scope: scope, base: base, root: root}, nil
}

func sameDir(a, b string) bool {
	fa, err := os.Stat(a)
	if err != nil {
		return false
	}
	fb, err := os.Stat(b)
	return err == nil && os.SameFile(fa, fb)
}

func (s *site) close() { s.root.Close() }

// in names the folder in errors of the system that do not.
func (s *site) in(err error) error { return fsx.In(s.base, err) }

// full returns the absolute name of a path below the base, for messages.
func (s *site) full(name string) string { return filepath.Join(s.base, filepath.FromSlash(name)) }

// acquire takes the lock of the scope and finishes or undoes what a killed run
// left. The .amp folder is made when needed.
func (s *site) acquire() (err error) {
	defer func() { err = s.in(err) }()
	for range 1000 { // another run may remove the folder just before we lock in it
		s.sweepShells()
		lock, err := s.makeAmp()
		if errors.Is(err, fs.ErrNotExist) {
			continue // another run took it for a left-over
		}
		if err != nil {
			return fmt.Errorf("cannot use %s: %w", fsx.Printable(s.full(ampDir)), err)
		}
		if lock == nil {
			lock, err = fsx.Acquire(s.root, lockFile)
		}
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return fmt.Errorf("cannot lock %s: %w", fsx.Printable(s.full(lockFile)), err)
		}
		s.lock = lock
		if err := s.loadMade(); err != nil { // without it nobody knows what may go
			lock.Unlock(true)
			s.lock = nil
			return err
		}
		if err := s.recover(); err != nil {
			s.release()
			return err
		}
		return nil
	}
	return fmt.Errorf("cannot lock %s, it disappears all the time", fsx.Printable(s.full(ampDir)))
}

// dirPerm keeps the user's own packs, which lie beside keys, to the user.
func (s *site) dirPerm() fs.FileMode {
	if s.scope == User {
		return 0o700
	}
	return 0o755
}

// release gives the lock back and removes those of our folders that are empty.
func (s *site) release() {
	if s.tidy() {
		s.dropAmp()
	} else {
		s.lock.Unlock(true)
	}
	s.lock = nil
}

// removeEmpty removes a folder that holds nothing. The error is about one that does
// not go.
func (s *site) removeEmpty(dir string) error {
	d, err := fsx.OpenDir(s.root, dir)
	if err != nil {
		return nil
	}
	entries, err := fs.ReadDir(d.FS(), ".")
	d.Close()
	if err != nil || len(entries) > 0 {
		return nil
	}
	if err := fsx.Remove(s.root, dir); err != nil && s.stillEmpty(dir) {
		return err
	}
	return nil
}

// stillEmpty is false when somebody has put something into a folder meanwhile.
func (s *site) stillEmpty(dir string) bool {
	empty, err := isEmpty(s.root, dir)
	return empty && err == nil
}

// settle recovers from a killed run if there is a trace of one. Commands that
// only read call it, so that they take no lock and write nothing otherwise.
func (s *site) settle() error {
	fi, err := s.root.Lstat(ampDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return &fsx.LinkError{Path: s.full(ampDir), Mode: fi.Mode()}
	}
	if ok, err := has(s.root, txDir); !ok {
		return err
	}
	if err := s.acquire(); err != nil {
		return err
	}
	s.release()
	for _, msg := range s.warnings {
		if s.warn != nil {
			s.warn(msg)
		}
	}
	return nil
}

// readRules reads a rules file; ok is false when it does not exist. Links in the
// way, folders, files too large or in UTF-16 are errors.
func (s *site) readRules(file string) (text string, ok bool, err error) {
	for _, d := range dirsOf(file) {
		fi, err := s.root.Lstat(d)
		if errors.Is(err, fs.ErrNotExist) {
			return "", false, nil
		}
		if err != nil {
			return "", false, err
		}
		if !fi.IsDir() {
			return "", false, &fsx.LinkError{Path: s.full(d), Mode: fi.Mode()}
		}
	}
	data, err := fsx.ReadFile(s.root, file, maxRules)
	if errors.Is(err, fs.ErrNotExist) {
		return "", false, nil
	}
	var le *fsx.LinkError
	if errors.As(err, &le) {
		return "", false, &fsx.LinkError{Path: s.full(file), Mode: le.Mode}
	}
	if err != nil {
		return "", false, err
	}
	text = string(data)
	if len(text) >= 2 && (text[:2] == "\xff\xfe" || text[:2] == "\xfe\xff") {
		return "", false, &BlockError{File: s.full(file), Msg: "the file is UTF-16, save it as UTF-8 first"}
	}
	return text, true, nil
}

// swapRules replaces a rules file that holds old, nil meaning none, or removes it
// when text is nil. Where it holds something else by now the error is
// fsx.ErrChanged: people and agents write these files at any time.
func (s *site) swapRules(file string, old, text []byte) error {
	if text == nil {
		return s.removeRules(file, old)
	}
	if _, err := fsx.MkdirAll(s.root, parent(file), 0o755); err != nil {
		return err
	}
	if done, err := s.bringBack(file, old, text); done || err != nil {
		return err
	}
	if now, err := fsx.ReadFile(s.root, was(file), int64(len(text))); err == nil && old != nil && bytes.Equal(now, text) {
		return fsx.SwapBack(s.root, file, was(file), old, s.warner(file))
	}
	if fi, err := s.root.Lstat(file); err == nil && fi.Mode().Perm()&0o200 == 0 {
		return &BlockError{File: s.full(file), Msg: readOnly}
	}
	return fsx.SwapKeep(s.root, file, was(file), old, text, 0o644, s.warner(file))
}

// gone is where a removed rules file waits until nothing can be undone any more:
// the file itself, because a new one would not have its mode and attributes.
func gone(file string) string { return txDir + "/gone-" + strings.ReplaceAll(file, "/", "-") }

// was is where a replaced one waits, which has its times and all that a new one
// cannot have.
func was(file string) string { return txDir + "/was-" + strings.ReplaceAll(file, "/", "-") }

// checkRules refuses a change of a rules file that the system would not let us make,
// before anything is changed.
func (s *site) checkRules(op *blockOp) error {
	if why := fsx.Obstacle(s.root, op.File); why != "" {
		return &fixedError{BlockError{File: s.full(op.File), Msg: "the file cannot be changed: " + why}}
	}
	if fi, err := s.root.Lstat(op.File); err == nil && op.After != nil && fi.Mode().Perm()&0o200 == 0 {
		return &fixedError{BlockError{File: s.full(op.File), Msg: readOnly}}
	}
	return nil
}

// A fixedError says that a file with a block to change cannot be changed.
type fixedError struct{ BlockError }

func (e *fixedError) Unwrap() error { return &e.BlockError }

const readOnly = "the file is read-only, make it writable first"

// removeRules removes a rules file that holds old.
func (s *site) removeRules(file string, old []byte) error {
	check := func(name string) error {
		now, err := fsx.ReadFile(s.root, name, int64(len(old)))
		var large *fsx.TooLargeError
		if errors.Is(err, fs.ErrNotExist) || errors.As(err, &large) || err == nil && !bytes.Equal(now, old) {
			return fsx.ErrChanged
		}
		return err
	}
	name, err := fsx.Spelled(s.root, file)
	if err != nil {
		return err
	}
	if err := check(name); err != nil {
		return err
	}
	if err := fsx.RemoveAll(s.root, gone(file)); err != nil {
		return err
	}
	err = fsx.Rename(s.root, name, gone(file))
	switch {
	case fsx.IsCrossDevice(err):
		err = fsx.Remove(s.root, name)
	case err == nil:
		// Somebody may have written to it between the look and the rename.
		if cerr := check(gone(file)); cerr != nil {
			return errors.Join(cerr, fsx.RenameNew(s.root, gone(file), name))
		}
	}
	if err != nil {
		return err
	}
	return fsx.SyncDir(s.root, parent(file))
}

// bringBack undoes removeRules where the removed file is still there.
func (s *site) bringBack(file string, old, text []byte) (done bool, err error) {
	if old != nil {
		return false, nil
	}
	if ok, err := has(s.root, gone(file)); !ok {
		return false, err
	}
	if now, err := fsx.ReadFile(s.root, gone(file), int64(len(text))); err != nil || !bytes.Equal(now, text) {
		return false, nil
	}
	err = fsx.RenameNew(s.root, gone(file), file)
	if errors.Is(err, fs.ErrExist) {
		return false, fsx.ErrChanged
	}
	if err != nil {
		return false, err
	}
	return true, fsx.SyncDir(s.root, parent(file))
}

// warner takes what is lost by replacing a file into the warnings of the site.
func (s *site) warner(file string) fsx.Lost {
	return func(what string) {
		if msg := fsx.Printable(s.full(file)) + ": " + what; !slices.Contains(s.warnings, msg) {
			s.warnings = append(s.warnings, msg)
		}
	}
}

func parent(file string) string {
	if dirs := dirsOf(file); len(dirs) > 0 {
		return dirs[len(dirs)-1]
	}
	return "."
}
