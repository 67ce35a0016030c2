package install

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// madeFile lists which of .amp and its folders for metadata and backups were made by
// amp, one a line: they go when they are empty. The others were there before and
// stay. It exists while anything of amp is in .amp, and is in .amp before anything
// else: the folder is made under another name, with the file in it.
const (
	madeFile = ".amp/.made"
	maxMade  = 1 << 10 // bytes
)

var ownFolders = []string{ampDir, metaDir, backupDir}

// makeAmp makes .amp where it is missing, and returns the lock in it; nil where .amp
// is there already.
func (s *site) makeAmp() (*fsx.Lock, error) {
	fi, err := s.root.Lstat(ampDir)
	switch {
	case err == nil && fi.IsDir():
		return nil, nil
	case err == nil:
		return nil, &fsx.LinkError{Path: ampDir, Mode: fi.Mode()}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	if why := fsx.Obstacle(s.root, ampDir); why != "" { // what is made there could not be renamed or removed
		return nil, errors.New(why)
	}
	tmp := fsx.TempName(ampDir)
	if err := fsx.Mkdir(s.root, tmp, s.dirPerm()); err != nil {
		return nil, err
	}
	lock, err := fsx.Acquire(s.root, tmp+"/"+path.Base(lockFile)) // keeps others from sweeping it away
	if err != nil {
		removeShell(s.root, tmp)
		return nil, err
	}
	err = writeFile(s.root, tmp+"/"+path.Base(madeFile), []byte(ampDir+"\n"), 0o644)
	if err == nil {
		err = fsx.RenameNew(s.root, tmp, ampDir)
	}
	if err == nil {
		lock.Moved(lockFile)
		if err = fsx.SyncDir(s.root, "."); err != nil {
			lock.Unlock(false)
			removeShell(s.root, ampDir)
			return nil, err
		}
		return lock, nil
	}
	removeShell(s.root, tmp)
	lock.Unlock(false)
	switch {
	case errors.Is(err, fs.ErrExist):
		return nil, nil // another run was faster
	case errors.Is(err, fs.ErrPermission): // a system on which the open lock is in the way
		if err = fsx.Mkdir(s.root, ampDir, s.dirPerm()); err == nil {
			s.madeBare = true
		}
	}
	return nil, err
}

// removeShell removes a folder of ours that holds nothing but our own files. The lock
// goes last: it tells that somebody is at work.
func removeShell(root *os.Root, name string) {
	for _, f := range []string{madeFile, lockFile} {
		_ = fsx.Remove(root, name+"/"+path.Base(f))
	}
	_ = fsx.Remove(root, name)
}

// sweepShells removes what killed runs left of a .amp that was being made or removed.
func (s *site) sweepShells() {
	dir, err := s.root.Open(".")
	if err != nil {
		return
	}
	names, _ := dir.Readdirnames(-1)
	dir.Close()
	for _, n := range names {
		if !strings.HasPrefix(n, fsx.TempPrefix(ampDir)) {
			continue
		}
		shell, err := fsx.OpenDir(s.root, n)
		if err != nil {
			continue
		}
		if fsx.Unheld(shell, path.Base(lockFile)) {
			removeShell(s.root, n)
		} else if there, err := has(shell, path.Base(lockFile)); !there && err == nil {
			_ = fsx.Remove(s.root, n) // if it is empty
		}
		shell.Close()
	}
}

// loadMade reads madeFile. Where older versions or the npm CLI installed something
// there is none; they made the folders, most likely.
func (s *site) loadMade() error {
	if err := s.sweep(madeFile); err != nil {
		return err
	}
	s.made = nil
	text, err := fsx.ReadFile(s.root, madeFile, maxMade)
	s.recorded = err == nil
	if errors.Is(err, fs.ErrNotExist) {
		switch {
		case s.holdsMeta():
			s.made = slices.Clone(ownFolders)
		case s.madeBare:
			s.made = []string{ampDir}
		}
		return nil
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimRight(line, "\r\n"); slices.Contains(ownFolders, line) {
			s.made = append(s.made, line)
		}
	}
	s.forgetMissing()
	return err
}

// forgetMissing leaves out folders that are gone. The list on disk may name them: it
// is read like this.
func (s *site) forgetMissing() {
	s.made = slices.DeleteFunc(s.made, func(d string) bool {
		ok, err := has(s.root, d)
		return !ok && err == nil
	})
}

// holdsMeta reports whether anything is installed.
func (s *site) holdsMeta() bool {
	dir, err := fsx.OpenDir(s.root, metaDir)
	if err != nil {
		return false
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), ".json") })
}

func (s *site) saveMade() error {
	text := strings.Join(s.made, "\n") + "\n"
	if err := fsx.WriteIn(s.root, madeFile, []byte(text), 0o644); err != nil {
		return err
	}
	s.recorded = true
	return nil
}

// mkdirOwn makes one of ownFolders where it is missing, and says so before.
func (s *site) mkdirOwn(dir string, perm fs.FileMode) error {
	there, err := has(s.root, dir)
	if err != nil {
		return err
	}
	if !there && !slices.Contains(s.made, dir) {
		s.made = append(s.made, dir)
		s.recorded = false
	}
	if !s.recorded {
		if err := s.saveMade(); err != nil {
			return err
		}
	}
	_, err = fsx.MkdirAll(s.root, dir, perm)
	return err
}

// tidy removes the folders of ours that are empty and, when nothing of ours is left,
// the list of them, and reports whether .amp can go, too. Failing is no error: the
// next run does it.
func (s *site) tidy() (last bool) {
	for _, d := range []string{metaDir, backupDir} {
		if slices.Contains(s.made, d) {
			_ = s.removeEmpty(d)
		}
	}
	s.forgetMissing()
	if s.holdsMeta() || slices.Contains(s.made, metaDir) || slices.Contains(s.made, backupDir) {
		return false
	}
	if tx, err := has(s.root, txDir); tx || err != nil {
		return false
	}
	dir, err := fsx.OpenDir(s.root, ampDir)
	if err != nil {
		return false
	}
	entries, err := fs.ReadDir(dir.FS(), ".")
	dir.Close()
	if err != nil {
		return false
	}
	own := 0
	for _, e := range entries {
		if n := ampDir + "/" + e.Name(); n == madeFile || n == lockFile {
			own++
		}
	}
	if own == len(entries) && slices.Contains(s.made, ampDir) {
		return true
	}
	if s.recorded || exists(s.root, madeFile) {
		_ = fsx.Remove(s.root, madeFile)
	}
	return false
}

// dropAmp removes .amp, in which there is nothing but our own files. Under another
// name it cannot be taken for a folder of the user's, should this run be killed.
func (s *site) dropAmp() {
	tmp := fsx.TempName(ampDir)
	if err := fsx.Rename(s.root, ampDir, tmp); err != nil { // a system on which the open lock is in the way
		_ = fsx.Remove(s.root, madeFile)
		s.lock.Unlock(true)
		_ = s.removeEmpty(ampDir)
		return
	}
	// A run that has just opened the folder may make its lock in it once more.
	for try := 0; try < 100 && exists(s.root, tmp); try++ {
		removeShell(s.root, tmp)
	}
	s.lock.Unlock(false)
	// NFS and FUSE keep a removed file that is open in its folder under another name,
	// and let it go some time after it was closed.
	for try := 0; try < 20 && exists(s.root, tmp); try++ {
		time.Sleep(time.Duration(try) * time.Millisecond)
		_ = fsx.Remove(s.root, tmp)
	}
	if exists(s.root, tmp) { // somebody put something into it at the last moment
		_ = fsx.RenameNew(s.root, tmp, ampDir)
	}
}
