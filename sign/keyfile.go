package sign

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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
}

// Keygen makes a key pair at the file name private (folder 0700, file 0600) and
// its public half beside it. An existing private key is kept (ErrKeyExists)
// unless force is set, and then a .bak file keeps it, because a lost signing key
// cannot be had back. After a crash the two files never belong to
// different keys: the public one goes first and comes last.
func Keygen(private string, force bool) (out *KeyFiles, err error) {
	out = &KeyFiles{Private: private, Public: PublicName(private)}
	dir, base := filepath.Dir(private), filepath.Base(private)
	defer func() { err = fsx.In(dir, err) }()
	if err := makeKeyDir(dir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
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
	if hadPublic {
		if err := fsx.Remove(root, pub); err != nil {
			return nil, err
		}
	}
	if hadPrivate {
		backup, err := freeName(root, base+".bak")
		if err != nil {
			return nil, err
		}
		if err := keep(root, base, backup); err != nil {
			return nil, err
		}
		out.Backup = filepath.Join(dir, backup)
	}
	if err := fsx.WriteSecret(root, base, key.PEM()); err != nil {
		return nil, err
	}
	return out, fsx.WriteIn(root, pub, out.Key.PEM(), 0o644)
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
