package sign

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// PublicName returns where the public half of the private key file belongs:
// beside it, with .pub instead of .key. A name without .key gets .pub appended,
// so that the public key never lands on the private one.
func PublicName(private string) string {
	return strings.TrimSuffix(private, ".key") + ".pub"
}

// ErrKeyExists says that a key file is there already.
var ErrKeyExists = errors.New("key exists")

// KeyFiles is what Keygen made.
type KeyFiles struct {
	Private, Public, Backup string // Backup is "" unless a key was replaced
	Key                     PublicKey
	// Completed is set when only the public file was missing, as after a run that
	// was killed, and has been written from the existing private key.
	Completed bool
	// Warning tells who else can look into the folder.
	Warning string
}

// Keygen makes a key pair at the file name private (folder 0700, file 0600) and
// its public half beside it. An existing private key is kept (ErrKeyExists)
// unless force is set, and then a .bak file keeps it, because a lost signing key
// cannot be had back. After an error the files are as before, or the error says
// what they are now. After a crash the two never belong to different keys: the
// public one goes first and comes last, and the next Keygen writes it from the
// private one. That one also removes what a killed run left.
func Keygen(private string, force bool) (*KeyFiles, error) {
	dir := filepath.Dir(private)
	if err := makeKeyDir(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return keygen(root, private, force)
}

// HomeKey is where the private key of the user is, below the home folder.
const (
	homeKeys = ".amp/keys"
	HomeKey  = homeKeys + "/signing.key"
)

// KeygenHome is Keygen for HomeKey. It follows no links below the home folder and
// changes no folder that is there: one that others can write to is refused.
func KeygenHome(home string, force bool) (*KeyFiles, error) {
	root, err := os.OpenRoot(home)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var dir *os.Root
	if _, err = fsx.MkdirAll(root, homeKeys, 0o700); err == nil {
		dir, err = fsx.OpenDir(root, homeKeys)
	}
	var le *fsx.LinkError
	if errors.As(err, &le) {
		return nil, fmt.Errorf("%w; put a folder in its place, or say with --out where the key belongs", &fsx.LinkError{Path: filepath.Join(home, le.Path), Mode: le.Mode})
	}
	if err != nil {
		return nil, fsx.In(home, err)
	}
	defer dir.Close()
	warning := ""
	for _, d := range []string{path.Dir(homeKeys), homeKeys} {
		fi, err := root.Lstat(d)
		if err != nil {
			return nil, fsx.In(home, err)
		}
		name, mode := fsx.Printable(filepath.Join(home, d)), fi.Mode().Perm()
		switch {
		case runtime.GOOS == "windows": // where mode bits say nothing
		case mode&0o022 != 0:
			return nil, fmt.Errorf("others can write to %s (mode %04o) and could put their key in the place of yours, run chmod 700 on it", name, mode)
		case mode&0o055 != 0 && d == homeKeys:
			warning = fmt.Sprintf("others can look into %s (mode %04o), run chmod 700 on it", name, mode)
		}
	}
	out, err := keygen(dir, filepath.Join(home, filepath.FromSlash(HomeKey)), force)
	if out != nil {
		out.Warning = warning
	}
	return out, err
}

// keygen is Keygen in an open folder.
func keygen(root *os.Root, private string, force bool) (out *KeyFiles, err error) {
	out = &KeyFiles{Private: private, Public: PublicName(private)}
	dir, base := filepath.Dir(private), filepath.Base(private)
	defer func() { err = fsx.In(dir, err) }()
	lock, err := fsx.Acquire(root, ".amp-keygen.lock")
	if err != nil {
		return nil, err
	}
	defer lock.Unlock(true)

	pub := filepath.Base(out.Public)
	hadPrivate, err := plainOrMissing(root, base)
	if err != nil {
		return nil, err
	}
	hadPublic, err := plainOrMissing(root, pub)
	if err != nil {
		return nil, err
	}
	if err := sweepKeys(root, base, pub); err != nil {
		return nil, err
	}
	switch {
	case hadPrivate && !force && !hadPublic:
		return out, out.complete(root, base, pub)
	case hadPrivate && !force:
		return nil, fmt.Errorf("%w: %s, use --force to replace it", ErrKeyExists, fsx.Printable(private))
	case hadPublic && !force:
		return nil, fmt.Errorf("%w: %s, use --force to replace it", ErrKeyExists, fsx.Printable(out.Public))
	}
	key, err := Generate()
	if err != nil {
		return nil, err
	}
	out.Key = key.Public()
	r := replacement{root: root, base: base, pub: pub, secret: key.PEM(), public: out.Key.PEM(), hadPrivate: hadPrivate}
	if err := r.run(hadPublic); err != nil {
		return nil, r.undo(err)
	}
	if r.backup != "" {
		out.Backup = filepath.Join(dir, r.backup)
	}
	return out, nil
}

// sweepKeys removes what killed runs left in a folder of keys, whose lock is held:
// temporary files of the pair, those with a private key in them whatever their name,
// and a second name of the private key, which was to become its backup.
func sweepKeys(root *os.Root, base, pub string) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	if err != nil {
		return err
	}
	key, err := root.Lstat(base)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		name := e.Name()
		gone := false
		switch {
		case !e.Type().IsRegular():
		case fsx.IsTemp(name):
			gone = strings.HasPrefix(name, fsx.TempPrefix(base)) || strings.HasPrefix(name, fsx.TempPrefix(pub))
			if !gone {
				text, err := fsx.ReadFile(root, name, maxKeyFile)
				gone = err == nil && bytes.HasPrefix(text, []byte("-----BEGIN PRIVATE KEY-----"))
			}
		case key != nil && strings.HasPrefix(name, base+".bak"):
			fi, err := root.Lstat(name)
			gone = err == nil && os.SameFile(fi, key)
		}
		if gone {
			if err := fsx.Remove(root, name); err != nil {
				return err
			}
		}
	}
	return nil
}

// replacement puts a new pair in the place of the old files.
type replacement struct {
	root           *os.Root
	base, pub      string
	secret, public []byte // the texts of the new pair
	hadPrivate     bool
	newKey, newPub *fsx.Staged
	backup         string // of the private key
	aside          string // where the old public key waits
}

// run writes first whatever needs room and then only renames.
func (r *replacement) run(hadPublic bool) (err error) {
	if r.newKey, err = fsx.StageSecret(r.root, r.base, r.secret); err != nil {
		return err
	}
	if r.newPub, err = fsx.Stage(r.root, r.pub, r.public, 0o644); err != nil {
		return err
	}
	if r.hadPrivate {
		name, err := freeName(r.root, r.base+".bak")
		if err != nil {
			return err
		}
		r.backup = name
		if err := keep(r.root, r.base, name); err != nil {
			return err
		}
	}
	if hadPublic {
		name := fsx.TempName(r.pub)
		if err := fsx.Rename(r.root, r.pub, name); err != nil {
			return err
		}
		r.aside = name
		if err := fsx.SyncDir(r.root, "."); err != nil { // gone before the private key changes
			return err
		}
	}
	if err := r.newKey.Commit(); err != nil {
		return err
	}
	if err := r.newPub.Commit(); err != nil {
		return err
	}
	if r.aside != "" {
		_ = fsx.Remove(r.root, r.aside) // or the next run does
	}
	return nil
}

// undo puts the old files back after err, which it returns, with what it could not
// put back. In between the two files never belong to different keys.
func (r *replacement) undo(err error) error {
	r.newKey.Discard()
	r.newPub.Discard()
	if uerr := r.putBack(); uerr != nil {
		return fmt.Errorf("%w; undoing it failed too (%w): %s", err, uerr, r.state())
	}
	return err
}

func (r *replacement) putBack() error {
	if r.holds(r.pub, r.public) {
		if err := fsx.Remove(r.root, r.pub); err != nil {
			return err
		}
	}
	switch isNew := r.holds(r.base, r.secret); {
	case isNew && r.backup != "":
		if err := fsx.Rename(r.root, r.backup, r.base); err != nil {
			return err
		}
	case isNew:
		if err := fsx.Remove(r.root, r.base); err != nil {
			return err
		}
	case r.backup != "":
		if err := fsx.Remove(r.root, r.backup); err != nil {
			return err
		}
	}
	if r.aside != "" {
		if err := fsx.Rename(r.root, r.aside, r.pub); err != nil {
			return err
		}
	}
	return fsx.SyncDir(r.root, ".")
}

func (r *replacement) holds(name string, text []byte) bool {
	now, err := fsx.ReadFile(r.root, name, maxKeyFile)
	return err == nil && bytes.Equal(now, text)
}

// state says what the files are and how to mend them.
func (r *replacement) state() string {
	s := fsx.Printable(r.base) + " is the key that it was"
	switch isNew := r.holds(r.base, r.secret); {
	case isNew && r.backup != "":
		s = fmt.Sprintf("%s is a new key, the one before is %s", fsx.Printable(r.base), fsx.Printable(r.backup))
	case isNew:
		s = fsx.Printable(r.base) + " is a new key"
	case !r.hadPrivate:
		s = "there is no private key"
	}
	if r.holds(r.pub, r.public) {
		s += fmt.Sprintf(", and %s belongs to it", fsx.Printable(r.pub))
	} else if _, err := r.root.Lstat(r.pub); err != nil {
		s += fmt.Sprintf(", and %s is missing: the next amp keygen for that key writes it again", fsx.Printable(r.pub))
	}
	return s
}

// keep gives the private key a second name, so that there is a key at base at
// every moment.
func keep(root *os.Root, base, backup string) error {
	if err := fsx.Link(root, base, backup); err == nil {
		return fsx.SyncDir(root, ".")
	}
	text, err := fsx.ReadFile(root, base, maxKeyFile) // no hard links on this disk
	if err != nil {
		return err
	}
	return fsx.WriteSecret(root, backup, text)
}

// complete writes the public half of an existing private key.
func (out *KeyFiles) complete(root *os.Root, base, pub string) error {
	text, err := fsx.ReadFile(root, base, maxKeyFile)
	if err != nil {
		return err
	}
	key, err := ParsePrivate(text)
	if err != nil {
		return fmt.Errorf("%w: %s, use --force to replace it (%w)", ErrKeyExists, fsx.Printable(out.Private), err)
	}
	out.Key, out.Completed = key.Public(), true
	return fsx.WriteIn(root, pub, out.Key.PEM(), 0o644)
}

func makeKeyDir(dir string) error {
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return os.MkdirAll(dir, 0o700)
}

func plainOrMissing(root *os.Root, name string) (bool, error) {
	fi, err := root.Lstat(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return false, nil
	case err != nil:
		return false, err
	case !fi.Mode().IsRegular():
		return false, &fsx.LinkError{Path: name, Mode: fi.Mode()}
	}
	return true, nil
}

func freeName(root *os.Root, base string) (string, error) {
	name := base
	for i := 2; ; i++ {
		switch _, err := root.Lstat(name); {
		case errors.Is(err, fs.ErrNotExist):
			return name, nil
		case err != nil:
			return "", err
		}
		name = fmt.Sprintf("%s%d", base, i)
	}
}

// ReadKeyFile reads a key file of bounded size. Links are fine here, the user
// named the file; folders, pipes and devices are not.
func ReadKeyFile(name string) ([]byte, error) {
	fi, err := os.Stat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the key file %s does not exist", fsx.Printable(name))
	}
	if err != nil {
		return nil, err
	}
	if !fi.Mode().IsRegular() {
		return nil, &fsx.LinkError{Path: name, Mode: fi.Mode()}
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxKeyFile+1))
	if err != nil {
		return nil, err
	}
	if len(data) > maxKeyFile {
		return nil, &fsx.TooLargeError{Path: name, Limit: maxKeyFile}
	}
	return data, nil
}
