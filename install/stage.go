package install

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"runtime"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// stage copies everything that the plan needs into txDir. Nothing of it counts
// before the journal is there.
func (pl *plan) stage(c *candidate) (err error) {
	s := pl.site
	defer func() { err = s.in(err) }()
	if err := fsx.Mkdir(s.root, txDir, 0o700); err != nil {
		return err
	}
	if pl.journal.Pack {
		if err := s.stagePack(c); err != nil {
			return err
		}
	}
	return pl.stageKeep()
}

func (s *site) stagePack(c *candidate) error {
	if err := fsx.Mkdir(s.root, txPack, s.dirPerm()); err != nil {
		return err
	}
	dst, err := fsx.OpenDir(s.root, txPack)
	if err != nil {
		return err
	}
	defer dst.Close()
	for _, d := range c.pack.Dirs {
		if err := fsx.Mkdir(dst, d, s.dirPerm()); err != nil {
			return err
		}
	}
	if err := writeFile(dst, sign.ManifestName, c.pack.Raw, 0o644); err != nil {
		return err
	}
	// Everything is written before anything is synced: the first sync then carries
	// most of the rest with it, where one after each file would wait every time.
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i := range c.pack.Files {
		f := &c.pack.Files[i]
		g.Go(func() error { return stageFile(dst, c.pack.Root, f) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	g.SetLimit(syncers)
	for i := range c.pack.Files {
		f := &c.pack.Files[i]
		g.Go(func() error { return fsx.SyncFile(dst, f.Path) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, d := range append([]string{"."}, c.pack.Dirs...) {
		if err := fsx.SyncDir(dst, d); err != nil {
			return err
		}
	}
	return nil
}

// syncers is how many files are synced at once; they wait for the disk.
const syncers = 8

// stageFile copies one file and makes sure that it is still the one that the
// signature was checked for.
func stageFile(dst, src *os.Root, f *sign.File) error {
	w, err := fsx.CreateNew(dst, f.Path, 0o644)
	if err != nil {
		return err
	}
	defer w.Close()
	_, sum, err := sign.CopyFile(w, src, f.Path)
	if err != nil {
		return fsx.In(src.Name(), err)
	}
	if sum != f.Sum {
		return fmt.Errorf("%s changed while it was installed", fsx.Printable(f.Path))
	}
	return w.Close()
}

func writeFile(dst *os.Root, name string, data []byte, perm fs.FileMode) error {
	w, err := fsx.CreateNew(dst, name, perm)
	if err != nil {
		return err
	}
	defer w.Close()
	if _, err := w.Write(data); err != nil {
		return err
	}
	if err := w.Sync(); err != nil {
		return err
	}
	return w.Close()
}

// copyLink makes a symbolic link with the target of another one.
func copyLink(dst *os.Root, name string, src *os.Root, from string) error {
	target, err := src.Readlink(from)
	if err != nil {
		return err
	}
	return fsx.Symlink(dst, target, name)
}

// stageKeep copies what the user changed in the pack's folder or block.
func (pl *plan) stageKeep() error {
	if pl.journal.Keep == "" {
		return nil
	}
	root := pl.site.root
	if err := fsx.Mkdir(root, txKeep, 0o700); err != nil {
		return err
	}
	for name, text := range pl.blocks {
		if err := writeFile(root, txKeep+"/"+name, text, 0o600); err != nil {
			return err
		}
	}
	for _, ch := range pl.keep {
		if folder, ok := strings.CutSuffix(ch.Path, "/"); ok {
			if _, err := fsx.MkdirAll(root, txKeep+"/files/"+folder, 0o700); err != nil {
				return err
			}
			continue
		}
		if _, err := fsx.MkdirAll(root, txKeep+"/files/"+path.Dir(ch.Path), 0o700); err != nil {
			return err
		}
		// A second name takes no room, so that a full disk does not keep a pack in, and
		// large files do not fill it.
		if fsx.Link(root, packDir(pl.journal.Slug)+"/"+ch.Path, txKeep+"/files/"+ch.Path) == nil {
			continue
		}
		fi, err := pl.oldDir.Lstat(ch.Path)
		if err != nil {
			return err
		}
		if fi.Mode().Type() == fs.ModeSymlink {
			if err := copyLink(root, txKeep+"/files/"+ch.Path, pl.oldDir, ch.Path); err != nil {
				return err
			}
			continue
		}
		if !fi.Mode().IsRegular() {
			return fmt.Errorf("%s cannot be kept on this disk, move it away first: %w", fsx.Printable(pl.site.full(packDir(pl.journal.Slug)+"/"+ch.Path)), &fsx.LinkError{Path: ch.Path, Mode: fi.Mode()})
		}
		w, err := fsx.CreateOwn(root, txKeep+"/files/"+ch.Path, fi.Mode().Perm()) // nobody may read more than before
		if err != nil {
			return err
		}
		_, _, err = sign.CopyFile(w, pl.oldDir, ch.Path)
		if err == nil {
			err = w.Sync()
		}
		w.Close()
		if err != nil {
			return err
		}
	}
	return fsx.SyncDir(root, txKeep)
}
