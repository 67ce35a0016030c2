package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// journal is the decision to change a site from one state to another. It can be
// carried out or undone any number of times, from any point in between.
type journal struct {
	Version int    `json:"version"` // 1
	Slug    string `json:"slug"`
	Scope   Scope  `json:"scope"`
	// Swap says that the pack's folder changes: to txPack when Pack is set, else
	// to nothing. HadPack says that there was one before.
	Swap    bool      `json:"swap"`
	Pack    bool      `json:"pack"`
	HadPack bool      `json:"hadPack"`
	Blocks  []blockOp `json:"blocks"`
	OldMeta []byte    `json:"oldMeta"` // nil = none
	NewMeta []byte    `json:"newMeta"`
	// Keep is the folder below backupDir that txKeep becomes, "" = none.
	Keep string `json:"keep"`
	// Dirs lists the folders to remove when they are empty afterwards.
	Dirs []string `json:"dirs"`
}

// blockOp changes one rules file. Before and After are its whole text, nil for no
// file. They serve as long as nobody else changed the file since; otherwise the
// change is made again on what is there now, from the blocks.
type blockOp struct {
	File      string `json:"file"`
	Before    []byte `json:"before"`
	After     []byte `json:"after"`
	Creator   string `json:"creator"`   // of the block that is there before
	OldBlock  []byte `json:"oldBlock"`  // empty = none
	NewBlock  []byte `json:"newBlock"`  // empty = none
	Separator string `json:"separator"` // added before the block
}

func equalText(a, b []byte) bool { return (a == nil) == (b == nil) && bytes.Equal(a, b) }

// check refuses a journal that names anything but what its slug owns. A project's
// .amp folder may come from a stranger's repository.
func (j *journal) check(scope Scope) error {
	if j.Version != 1 || j.Scope != scope || CheckSlug(j.Slug, scope) != nil {
		return errors.New("it is not one of this program's journals")
	}
	for _, b := range j.Blocks {
		h, ok := placeOf(scope, j.Slug, b.File)
		if !ok || !validSeparator(b.Separator) || !validCreator(b.Creator) {
			return errors.New("it changes a file that does not belong to the pack")
		}
		if !b.onlyBlock(h, j.Slug) {
			return errors.New("it changes more of a rules file than the pack's block")
		}
	}
	for _, d := range j.Dirs {
		if !ownDir(scope, j.Slug, d) {
			return errors.New("it removes a folder that does not belong to the pack")
		}
	}
	if j.Keep != "" && !validBackup(j.Slug, j.Keep) {
		return errors.New("it names a backup folder that does not belong to the pack")
	}
	return nil
}

// onlyBlock reports whether the texts of an operation differ by the block alone.
func (b *blockOp) onlyBlock(h host, slug string) bool {
	if len(b.NewBlock) > 0 {
		block := string(b.NewBlock)
		r, err := findBlock(b.File, block, localCreator, slug)
		if err != nil || r == nil || r.start != 0 || r.end != len(block) {
			return false
		}
		if b.Before == nil {
			return string(b.After) == h.header+block+"\n"
		}
	}
	before := string(b.Before)
	r, err := findBlock(b.File, before, b.Creator, slug)
	if err != nil || b.Before == nil {
		return false
	}
	if len(b.NewBlock) > 0 {
		after, _ := putBlock(before, string(b.NewBlock), r)
		return string(b.After) == after
	}
	if r == nil {
		return false
	}
	rest := cutBlock(before, r, b.Separator)
	return string(b.After) == rest && (b.After != nil || rest == "") || b.After == nil && rest == h.header
}

// ownDir reports whether dir is a folder that installing could have made.
func ownDir(scope Scope, slug, dir string) bool {
	for _, h := range allPlaces(scope, slug) {
		for _, d := range dirsOf(h.file) {
			if d == dir {
				return true
			}
		}
	}
	return false
}

// commit writes the journal, which is the point of no return for a killed run,
// and carries it out. On failure everything is put back.
func (s *site) commit(j *journal) (err error) {
	defer func() { err = s.in(err) }()
	text, err := json.Marshal(j)
	if err != nil {
		return err
	}
	if err := fsx.SyncDir(s.root, txDir); err != nil {
		return err
	}
	if err := fsx.WriteIn(s.root, txJournal, text, 0o600); err != nil {
		// The rename may have happened even though syncing the folder failed.
		return errors.Join(err, fsx.Remove(s.root, txJournal))
	}
	if err := s.forward(j); err != nil {
		return s.undo(j, err)
	}
	return nil
}

// undo takes a committed journal back because of err, which it returns.
func (s *site) undo(j *journal, err error) error {
	if uerr := s.takeBack(j); uerr != nil {
		return fmt.Errorf("%w; undoing it failed too (%v), the next amp command will try again", err, uerr)
	}
	return err
}

// takeBack undoes a committed journal and forgets it.
func (s *site) takeBack(j *journal) error {
	if err := s.backward(j); err != nil {
		return err
	}
	s.sweepAll(j)
	s.removeDirs(j) // while the journal still names them
	return fsx.Remove(s.root, txJournal)
}

func (s *site) removeDirs(j *journal) {
	for i := len(j.Dirs) - 1; i >= 0; i-- {
		if err := s.removeEmpty(j.Dirs[i]); err != nil {
			s.warner(j.Dirs[i])(fmt.Sprintf("the empty folder could not be removed (%v), remove it yourself", unwrap(err)))
		}
	}
}

// unwrap drops the name from an error of the system that a message has already.
func unwrap(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// finish forgets a journal that was carried out and removes the staging folder.
// Failing is no error: the next run repeats it.
func (s *site) finish(j *journal) {
	s.sweepAll(j)
	s.removeDirs(j) // first: a run that is killed here must find them in the journal again
	if fsx.Remove(s.root, txJournal) != nil {
		return
	}
	_ = s.clear()
}

// clear removes the staging folder, whose journal is gone or never was.
func (s *site) clear() error {
	if err := fsx.RemoveAll(s.root, txDir); err != nil {
		return err
	}
	return fsx.SyncDir(s.root, ampDir)
}

// recover brings the site to a state without a journal: carried out when that
// works, else undone.
func (s *site) recover() error {
	fi, err := s.root.Lstat(txDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	if !fi.IsDir() {
		return &fsx.LinkError{Path: s.full(txDir), Mode: fi.Mode()}
	}
	text, err := fsx.ReadFile(s.root, txJournal, maxJournal)
	if errors.Is(err, fs.ErrNotExist) {
		return s.clear() // killed before the decision
	}
	if err != nil {
		return err
	}
	var j journal
	err = json.Unmarshal(text, &j)
	if err == nil {
		err = j.check(s.scope)
	}
	if err != nil {
		return fmt.Errorf("%s cannot be used: %w; remove the folder %s", fsx.Printable(s.full(txJournal)), err, fsx.Printable(s.full(txDir)))
	}
	if err := s.forward(&j); err != nil {
		if berr := s.backward(&j); berr != nil {
			return fmt.Errorf("an earlier run was interrupted; finishing it failed (%w) and so did undoing it (%v)", err, berr)
		}
	}
	for _, b := range j.Blocks {
		if err := s.sweep(b.File); err != nil {
			return err
		}
	}
	s.finish(&j)
	return nil
}

// sweepAll removes what is left beside rules files, as far as that is possible.
func (s *site) sweepAll(j *journal) {
	for _, b := range j.Blocks {
		_ = s.sweep(b.File)
	}
}

// sweep removes the temporary files that a killed run left beside a rules file.
func (s *site) sweep(file string) error {
	dir, err := fsx.OpenDir(s.root, parent(file))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer dir.Close()
	entries, err := fs.ReadDir(dir.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), fsx.TempPrefix(path.Base(file))) {
			if err := fsx.Remove(dir, e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *site) forward(j *journal) error {
	for _, b := range j.Blocks {
		if err := s.applyBlock(b, b.Before, b.After, b.NewBlock, j.Slug); err != nil {
			return err
		}
	}
	if j.Swap {
		if err := s.swapIn(j); err != nil {
			return err
		}
	}
	if err := s.writeMeta(j.Slug, j.NewMeta); err != nil {
		return err
	}
	if j.Keep != "" {
		if ok, err := has(s.root, txKeep); !ok {
			return err
		}
		if err := s.mkdirOwn(backupDir, 0o700); err != nil {
			return err
		}
		return fsx.Rename(s.root, txKeep, backupDir+"/"+j.Keep)
	}
	return nil
}

func (s *site) backward(j *journal) error {
	if err := s.writeMeta(j.Slug, j.OldMeta); err != nil {
		return err
	}
	if j.Swap {
		if err := s.swapOut(j); err != nil {
			return err
		}
	}
	for i := len(j.Blocks) - 1; i >= 0; i-- {
		b := j.Blocks[i]
		if err := s.applyBlock(b, b.After, b.Before, b.OldBlock, j.Slug); err != nil {
			return err
		}
	}
	return nil
}

// applyBlock takes a rules file from one text to another, or makes the same
// change on a text that somebody else changed meanwhile, also while it is at it.
func (s *site) applyBlock(b blockOp, from, to, newBlock []byte, slug string) error {
	for try := 1; ; try++ {
		err := s.tryBlock(b, from, to, newBlock, slug)
		if !errors.Is(err, fsx.ErrChanged) {
			return err
		}
		if try == 1000 { // somebody writes it without a pause
			return fmt.Errorf("%s: %w", fsx.Printable(s.full(b.File)), err)
		}
	}
}

func (s *site) tryBlock(b blockOp, from, to, newBlock []byte, slug string) error {
	text, ok, err := s.readRules(b.File)
	if err != nil {
		return err
	}
	var now []byte
	if ok {
		now = []byte(text)
	}
	switch {
	case equalText(now, to):
		return nil
	case equalText(now, from):
		return s.swapRules(b.File, now, to)
	}
	var r *region
	for _, creator := range []string{localCreator, b.Creator} {
		if r, err = findBlock(s.full(b.File), text, creator, slug); err != nil {
			return err
		}
		if r != nil {
			break
		}
	}
	switch {
	case len(newBlock) > 0:
		text, _ = putBlock(text, string(newBlock), r)
	case r != nil:
		text = cutBlock(text, r, b.Separator)
	default:
		return nil
	}
	if text == "" && to == nil {
		return s.swapRules(b.File, now, nil)
	}
	return s.swapRules(b.File, now, []byte(text))
}

// swapIn moves the old folder to txOld and the staged one in. What is done
// already shows in which of the folders exist.
func (s *site) swapIn(j *journal) error {
	dir := packDir(j.Slug)
	in, staged, old, err := s.swapState(j)
	if err != nil {
		return err
	}
	if j.HadPack && in && !old && (staged || !j.Pack) {
		if err := fsx.Rename(s.root, dir, txOld); err != nil {
			return err
		}
	}
	if j.Pack && staged {
		if err := fsx.Rename(s.root, txPack, dir); err != nil {
			return err
		}
	}
	return s.syncSwap()
}

// swapState tells which of the folders of a swap exist: the pack's own, the staged
// one, and the old one.
func (s *site) swapState(j *journal) (in, staged, old bool, err error) {
	if in, err = has(s.root, packDir(j.Slug)); err == nil {
		if staged, err = has(s.root, txPack); err == nil {
			old, err = has(s.root, txOld)
		}
	}
	return in, staged, old, err
}

// swapOut is the inverse of swapIn.
func (s *site) swapOut(j *journal) error {
	dir := packDir(j.Slug)
	in, staged, old, err := s.swapState(j)
	if err != nil {
		return err
	}
	if j.Pack && !staged && in {
		if err := fsx.Rename(s.root, dir, txPack); err != nil {
			return err
		}
	}
	if j.HadPack && old {
		if err := fsx.Rename(s.root, txOld, dir); err != nil {
			return err
		}
	}
	return s.syncSwap()
}

func (s *site) syncSwap() error {
	if err := fsx.SyncDir(s.root, txDir); err != nil {
		return err
	}
	return fsx.SyncDir(s.root, ampDir)
}

// writeMeta writes or, when text is nil, removes a pack's metadata.
func (s *site) writeMeta(slug string, text []byte) error {
	if text == nil {
		if ok, err := has(s.root, metaPath(slug)); !ok {
			return err
		}
		if err := fsx.Remove(s.root, metaPath(slug)); err != nil {
			return err
		}
		return fsx.SyncDir(s.root, metaDir)
	}
	if err := s.mkdirOwn(metaDir, s.dirPerm()); err != nil {
		return err
	}
	return fsx.WriteVia(s.root, metaPath(slug), txDir, text, 0o644, s.warner(metaPath(slug)))
}
