package sign

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// TrustName is the file, below the user's .amp folder, that holds trusted keys.
const TrustName = "trusted.json"

const maxTrustFile = 16 << 20

// Trusted is a public key that the user decided to trust.
type Trusted struct {
	Label string
	Added time.Time
	Key   PublicKey
}

// TrustStore is the list of trusted keys in one .amp folder.
type TrustStore struct{ dir string }

// NewTrustStore returns the store in the folder dir, which need not exist yet.
func NewTrustStore(dir string) TrustStore { return TrustStore{dir} }

// Path returns the name of the store's file.
func (t TrustStore) Path() string { return filepath.Join(t.dir, TrustName) }

type trustFile struct {
	Version int         `json:"version"`
	Keys    []trustItem `json:"keys"`
}

type trustItem struct {
	Fingerprint string    `json:"fingerprint"`
	Label       string    `json:"label"`
	PublicKey   string    `json:"publicKey"`
	Added       time.Time `json:"added"`
}

// List returns the trusted keys in the order in which they were added. A store
// that does not exist is empty; one that cannot be read, or whose keys do not
// match their fingerprints, is an error.
func (t TrustStore) List() ([]Trusted, error) {
	root, err := os.OpenRoot(t.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer root.Close()
	return readTrust(root)
}

func readTrust(root *os.Root) ([]Trusted, error) {
	data, err := fsx.ReadFile(root, TrustName, maxTrustFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var file trustFile
	if err := json.Unmarshal(data, &file); err != nil {
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			err = fmt.Errorf("%s: unexpected %s", cmp.Or(te.Field, "its text"), te.Value)
		}
		return nil, fmt.Errorf("%s is damaged: %w", TrustName, err)
	}
	if file.Version != 1 {
		return nil, fmt.Errorf("%s has version %d, this program knows version 1", TrustName, file.Version)
	}
	var out []Trusted
	for _, it := range file.Keys {
		key, err := ParsePublic([]byte(it.PublicKey))
		if err != nil {
			return nil, fmt.Errorf("%s: the key labelled %q: %w", TrustName, it.Label, err)
		}
		if key.Fingerprint() != it.Fingerprint {
			return nil, fmt.Errorf("%s: the key labelled %q does not have the fingerprint written beside it", TrustName, it.Label)
		}
		out = append(out, Trusted{it.Label, it.Added, key})
	}
	return out, nil
}

// Add trusts key under a label; a key that is trusted already gets the new
// label. Labels are unique.
func (t TrustStore) Add(key PublicKey, label string, now time.Time) error {
	return t.update(func(list []Trusted) ([]Trusted, error) {
		for i := range list {
			if !list[i].Key.Equal(key) && list[i].Label == label {
				return nil, fmt.Errorf("the label %q belongs to another key (%s)", label, list[i].Key.Fingerprint())
			}
		}
		for i := range list {
			if list[i].Key.Equal(key) {
				list[i].Label = label
				return list, nil
			}
		}
		return append(list, Trusted{label, now.UTC().Truncate(time.Second), key}), nil
	})
}

// Remove forgets the key with the given fingerprint or label and returns it.
func (t TrustStore) Remove(which string) (Trusted, error) {
	var gone Trusted
	err := t.update(func(list []Trusted) ([]Trusted, error) {
		i := slices.IndexFunc(list, func(k Trusted) bool { return k.Key.Fingerprint() == which })
		if i < 0 {
			i = slices.IndexFunc(list, func(k Trusted) bool { return k.Label == which })
		}
		if i < 0 {
			return nil, fmt.Errorf("no trusted key has the fingerprint or label %s", fsx.Printable(which))
		}
		gone = list[i]
		return slices.Delete(list, i, i+1), nil
	})
	return gone, err
}

func (t TrustStore) update(change func([]Trusted) ([]Trusted, error)) error {
	parent, err := os.OpenRoot(filepath.Dir(t.dir))
	if err != nil {
		return err
	}
	defer parent.Close()
	var root *os.Root
	if _, err = fsx.MkdirAll(parent, filepath.Base(t.dir), 0o700); err == nil {
		root, err = fsx.OpenDir(parent, filepath.Base(t.dir))
	}
	var le *fsx.LinkError
	if errors.As(err, &le) { // it could lead anywhere, and install refuses it too
		return fmt.Errorf("%w; put a folder in its place", &fsx.LinkError{Path: t.dir, Mode: le.Mode})
	}
	if err != nil {
		return fsx.In(filepath.Dir(t.dir), err)
	}
	defer root.Close()
	lock, err := fsx.Acquire(root, ".lock")
	if err != nil {
		return err
	}
	defer lock.Unlock(true)
	list, err := readTrust(root)
	if err != nil {
		return err
	}
	if list, err = change(list); err != nil {
		return err
	}
	file := trustFile{Version: 1, Keys: []trustItem{}}
	for _, k := range list {
		file.Keys = append(file.Keys, trustItem{k.Key.Fingerprint(), k.Label, string(k.Key.PEM()), k.Added})
	}
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(file); err != nil {
		return err
	}
	return fsx.WriteIn(root, TrustName, text.Bytes(), 0o600)
}

// CheckLabel refuses labels that would not show as one short line or could pass
// for a fingerprint.
func CheckLabel(label string) error {
	switch {
	case label == "":
		return errors.New("the label is empty")
	case len(label) > 200:
		return errors.New("the label is longer than 200 bytes")
	case fsx.Printable(label) != label:
		return fmt.Errorf("the label %q has characters that do not show", label)
	case strings.HasPrefix(label, "SHA256:"):
		return errors.New("a label cannot look like a fingerprint")
	}
	return nil
}
