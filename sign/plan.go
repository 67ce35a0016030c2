package sign

import (
	"bytes"
	"crypto/ed25519"
	"encoding/base64"
	"errors"
	"io/fs"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// PlannedFile is a file that signing would write.
type PlannedFile struct {
	Name string // in the pack root
	Data []byte
	New  bool // the pack has no such file yet
}

// Plan does what Sign does and writes nothing: it returns the files that are to
// be written, for callers whose user applies the change (an editor). The files
// of the pack must not change until that is done.
func Plan(dir string, key PrivateKey, o Options) ([]PlannedFile, *Result, error) {
	p, err := Open(dir)
	if err != nil {
		return nil, nil, err
	}
	defer p.Close()
	if err := p.Hash(); err != nil {
		return nil, nil, err
	}
	shipped, err := fsx.ReadFile(p.Root, EmbeddedName, maxKeyFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, nil, err
	}
	had := err == nil
	pub := key.Public().PEM()
	var files []PlannedFile
	if !o.NoEmbed && !bytes.Equal(shipped, pub) {
		p.setFile(EmbeddedName, pub)
		files = append(files, PlannedFile{EmbeddedName, pub, !had})
	}
	sig := base64.RawURLEncoding.EncodeToString(ed25519.Sign(key.key, p.Payload(o.Scheme)))
	files = append(files, PlannedFile{ManifestName, withSignature(p.Raw, p.Tree, true, sig), false})
	return files, &Result{
		Signature: sig, Files: len(p.Files), Uncovered: p.Uncovered(o.Scheme),
		StaleKey: o.NoEmbed && had && !sameKey(shipped, key.Public()),
	}, nil
}
