package sign

import (
	"bytes"
	"cmp"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// Options of Sign.
type Options struct {
	Scheme Scheme
	// NoEmbed leaves signing.pub alone instead of shipping the public key in it.
	NoEmbed bool
	// Check is asked before the first write about the pack as it is signed, hashed and
	// without a new signing.pub; its error refuses to sign. May be nil.
	Check func(p *Pack) error
}

// Result tells what Sign did.
type Result struct {
	Signature string // base64url, unpadded
	Files     int    // files that the signature covers
	// StaleKey is set when the pack ships another key than the one it was signed
	// with, which only NoEmbed can leave behind.
	StaleKey bool
	// Uncovered is a part of the manifest that the signature leaves open, for
	// which Verify will refuse it; nil is the normal case.
	Uncovered *ManifestError
	// Warnings tell what the files that were replaced could not keep.
	Warnings []string
}

// A LeftoverError says that a pack holds a temporary file of a run that was killed:
// signed, it would ship, and verifying would ask for it ever after.
type LeftoverError struct{ Path string }

func (e *LeftoverError) Error() string {
	return fsx.Printable(e.Path) + " was left over by a run that was ended in between: remove it, or it would be signed and shipped"
}

// Sign signs the pack in dir and writes "signed" and "signature" into its
// manifest, in place. It is safe against a crash at any point: the pack is then
// as before, or newly signed, or (only when signing.pub had to change) unsigned
// and saying so. It never holds a signature that does not match.
func Sign(dir string, key PrivateKey, o Options) (res *Result, err error) {
	defer func() { err = fsx.In(dir, err) }()
	w, err := openWorkspace(dir)
	if err != nil {
		return nil, err
	}
	defer w.close()
	p, err := OpenRoot(w.pack)
	if err != nil {
		return nil, err
	}
	if err := p.Hash(); err != nil {
		return nil, err
	}
	for i := range p.Files {
		if name := p.Files[i].Path; fsx.IsTemp(path.Base(name)) {
			return nil, &LeftoverError{name}
		}
	}
	if o.Check != nil {
		if err := o.Check(p); err != nil {
			return nil, err
		}
	}
	pub := key.Public().PEM()
	shipped, err := fsx.ReadFile(p.Root, EmbeddedName, maxKeyFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	had := err == nil
	embed := !o.NoEmbed && !bytes.Equal(shipped, pub)
	if embed {
		p.setFile(EmbeddedName, pub)
	}
	payload := p.Payload(o.Scheme)
	sig := base64.RawURLEncoding.EncodeToString(ed25519.Sign(key.key, payload))
	res = &Result{
		Signature: sig, Files: len(p.Files), Uncovered: p.Uncovered(o.Scheme),
		StaleKey: o.NoEmbed && had && !sameKey(shipped, key.Public()),
	}

	undo := func(err error) (*Result, error) { // best effort, err is what is reported
		if embed && !w.takeBack(EmbeddedName, shipped, pub) {
			return nil, err // the old signature would not hold with the new key
		}
		w.takeBack(ManifestName, p.Raw, withSignature(p.Raw, p.Tree, false, ""), withSignature(p.Raw, p.Tree, true, sig))
		return nil, err
	}
	manifest := p.Raw // as it is now
	if embed {
		if p.Signed() {
			text := withSignature(p.Raw, p.Tree, false, "")
			if err := w.write(ManifestName, manifest, text); err != nil {
				return undo(err)
			}
			manifest = text
		}
		if err := w.write(EmbeddedName, shipped, pub); err != nil {
			return undo(err)
		}
	}
	if text := withSignature(p.Raw, p.Tree, true, sig); embed || !bytes.Equal(text, p.Raw) {
		if err := w.write(ManifestName, manifest, text); err != nil {
			return undo(err)
		}
	}
	res.Warnings = w.warnings
	return res, nil
}

func sameKey(text []byte, key PublicKey) bool {
	k, err := ParsePublic(text)
	return err == nil && k.Equal(key)
}

// setFile puts a file that is still to be written into the list.
func (p *Pack) setFile(name string, data []byte) {
	f := File{name, int64(len(data)), sha256.Sum256(data)}
	i, found := slices.BinarySearchFunc(p.Files, name, func(f File, n string) int { return compareUTF16(f.Path, n) })
	if found {
		p.Files[i] = f
		return
	}
	p.Files = slices.Insert(p.Files, i, f)
}

// workspace is a pack folder that is being written. Temporary files stay out of
// the pack, because a left-over one would be a file that the signature does not
// cover: they go to a folder beside it, which also holds the lock.
type workspace struct {
	pack   *os.Root
	parent *os.Root // nil when the parent cannot be written or is another file system
	base   string
	stage  string
	lock   *fsx.Lock
	// warnings tell what was lost by replacing files
	warnings []string
}

func openWorkspace(dir string) (*workspace, error) {
	real, err := filepath.EvalSymlinks(dir)
	if err == nil {
		real, err = filepath.Abs(real)
	}
	if err != nil {
		return nil, openError(dir, err)
	}
	pack, err := os.OpenRoot(real)
	if err != nil {
		return nil, openError(dir, err)
	}
	w := &workspace{pack: pack, base: filepath.Base(real)}
	if dir := filepath.Dir(real); dir != real {
		if parent, err := os.OpenRoot(dir); err == nil {
			w.beside(parent)
		}
	}
	// A run that was killed may have had no folder beside the pack, whatever this one has.
	if err := w.sweep(); err != nil {
		w.close()
		return nil, err
	}
	return w, nil
}

// beside sets up the folder next to the pack, or leaves w without one.
func (w *workspace) beside(parent *os.Root) {
	w.parent = parent
	w.stage = "." + w.base + ".amp-sign"
	for range 100 { // a finishing run may remove the folder in between
		err := fsx.MkdirOwn(parent, w.stage, 0o700)
		if err != nil && !errors.Is(err, fs.ErrExist) {
			break
		}
		fi, err := parent.Lstat(w.stage)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil || !fi.IsDir() || !fsx.Ours(fi) { // in /tmp anybody may have made it
			break
		}
		w.lock, err = fsx.Acquire(parent, w.stage+"/lock")
		if err == nil {
			return
		}
		if !errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	w.parent = nil
	parent.Close()
}

// write replaces a file in the pack's root that holds old, nil meaning none: an
// editor may have saved it while the files were read.
func (w *workspace) write(name string, old, data []byte) (err error) {
	if bytes.Equal(old, data) {
		return nil
	}
	defer func() {
		if errors.Is(err, fsx.ErrChanged) {
			err = fmt.Errorf("%s: %w, sign again", name, err)
		}
	}()
	warn := func(what string) {
		if msg := name + ": " + what; !slices.Contains(w.warnings, msg) {
			w.warnings = append(w.warnings, msg)
		}
	}
	if fsx.Names(w.pack, name) > 1 {
		warn(fsx.LinkedNote)
	}
	if w.parent != nil {
		err := fsx.SwapVia(w.parent, w.base+"/"+name, w.stage, old, data, 0o644, warn)
		if !fsx.IsCrossDevice(err) {
			return err
		}
	}
	// Exchanging the files would, for an instant, leave a temporary one beside a new
	// signature that does not cover it.
	if now, err := fsx.ReadFile(w.pack, name, MaxManifest); !bytes.Equal(now, old) || err != nil && !errors.Is(err, fs.ErrNotExist) {
		return cmp.Or(err, fsx.ErrChanged)
	}
	return fsx.WriteVia(w.pack, name, ".", data, 0o644, warn)
}

// takeBack gives a file the content old, nil meaning none, where it holds one of
// those that this run may have written, and reports whether it is not one of those
// any more.
func (w *workspace) takeBack(name string, old []byte, written ...[]byte) bool {
	now, err := fsx.ReadFile(w.pack, name, MaxManifest)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return true
	case err != nil:
		return false
	case !slices.ContainsFunc(written, func(text []byte) bool { return bytes.Equal(text, now) }):
		return true
	case old == nil:
		return fsx.Remove(w.pack, name) == nil
	}
	return w.write(name, now, old) == nil
}

// sweep removes what a killed run left inside the pack.
func (w *workspace) sweep() error {
	entries, err := fs.ReadDir(w.pack.FS(), ".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), fsx.TempPrefix(ManifestName)) || strings.HasPrefix(e.Name(), fsx.TempPrefix(EmbeddedName)) {
			if err := fsx.Remove(w.pack, e.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

func (w *workspace) close() {
	w.pack.Close()
	if w.parent == nil {
		return
	}
	if dir, err := w.parent.OpenRoot(w.stage); err == nil {
		if entries, err := fs.ReadDir(dir.FS(), "."); err == nil {
			for _, e := range entries {
				if e.Name() != "lock" {
					_ = fsx.Remove(dir, e.Name())
				}
			}
		}
		dir.Close()
	}
	w.lock.Unlock(true)
	_ = fsx.Remove(w.parent, w.stage)
	w.parent.Close()
}
