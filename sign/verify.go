package sign

import (
	"crypto/ed25519"
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"slices"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/jsontree"
)

// EmbeddedName is the file in the pack root in which a publisher ships the
// public key (decision R-ns).
const EmbeddedName = "signing.pub"

// maxKeyFile bounds key files; a PEM with an Ed25519 key has 113 bytes.
const maxKeyFile = 64 << 10

// Signed reports whether the manifest claims a signature: "signed" is true in
// JavaScript's sense and "signature" is not empty, as the reference decides.
func (p *Pack) Signed() bool {
	return truthy(p.Tree.Member("signed")) && truthy(p.Tree.Member("signature"))
}

func truthy(n *jsontree.Node) bool {
	if n == nil {
		return false
	}
	switch n.Kind {
	case jsontree.Null:
		return false
	case jsontree.Bool:
		return n.Bool
	case jsontree.String:
		return n.Text != ""
	case jsontree.Number:
		return string(appendNumber(nil, n.Text)) != "0"
	default:
		return true
	}
}

// Signature returns the decoded signature. Its errors say what is wrong with the
// member's form.
func (p *Pack) Signature() ([]byte, error) {
	n := p.Tree.Member("signature")
	if n == nil || n.Kind != jsontree.String {
		return nil, errors.New("the signature is not a string")
	}
	return decodeSignature(n.Text)
}

// Match tells how a signature was found to hold.
type Match struct {
	Scheme Scheme
	Key    PublicKey
}

// Verify tries the keys in order under both schemes, the spec's first, and
// returns the first match. No match is (nil, nil); an error says what is wrong
// with the form of the signature. Hash must have succeeded.
func (p *Pack) Verify(keys ...PublicKey) (*Match, error) {
	sig, err := p.Signature()
	if err != nil {
		return nil, err
	}
	for _, s := range []Scheme{Spec, JSONB} {
		if p.Uncovered(s) != nil {
			continue
		}
		payload := p.Payload(s)
		for _, k := range keys {
			if ed25519.Verify(k.key, payload, sig) {
				return &Match{s, k}, nil
			}
		}
	}
	return nil, nil
}

// Embedded returns the public key shipped in the pack, or the zero key when
// there is none. A damaged one is an error.
func (p *Pack) Embedded() (PublicKey, error) {
	text, err := embedded(p.Root)
	if err != nil {
		return PublicKey{}, err
	}
	i := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == EmbeddedName })
	if p.hashed && (i < 0) != (text == nil) || p.hashed && i >= 0 && p.Files[i].Sum != sha256.Sum256(text) {
		return PublicKey{}, errors.New("it changed while the pack was read")
	}
	return keyOrNone(text)
}

// EmbeddedKey is Pack.Embedded for a folder that need not be a whole pack.
func EmbeddedKey(root *os.Root) (PublicKey, error) {
	text, err := embedded(root)
	if err != nil {
		return PublicKey{}, err
	}
	return keyOrNone(text)
}

// embedded returns the text of the shipped key, nil when there is none.
func embedded(root *os.Root) ([]byte, error) {
	text, err := fsx.ReadFile(root, EmbeddedName, maxKeyFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

func keyOrNone(text []byte) (PublicKey, error) {
	if text == nil {
		return PublicKey{}, nil
	}
	return ParsePublic(text)
}
