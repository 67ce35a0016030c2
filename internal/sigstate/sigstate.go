// Package sigstate tells a linter what is known about a pack's signature on
// disk. It is the bridge that keeps package analysis free of disks and keys.
package sigstate

import (
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/sign"
)

// Of checks the pack in dir against the key it ships and the given ones. Without
// any key, or when the pack can't be hashed, nothing is known: other findings
// tell why.
func Of(dir string, known ...sign.PublicKey) pack.SignatureState {
	p, err := sign.Open(dir)
	if err != nil {
		return pack.SignatureUnknown
	}
	defer p.Close()
	if !p.Signed() {
		return pack.SignatureNone
	}
	keys := known
	if own, err := p.Embedded(); err == nil && !own.IsZero() {
		keys = append([]sign.PublicKey{own}, known...)
	}
	if len(keys) == 0 || p.Hash() != nil {
		return pack.SignatureUnknown
	}
	m, err := p.Verify(keys...)
	switch {
	case err != nil:
		return pack.SignatureUnknown
	case m == nil && len(keys) == len(known):
		return pack.SignatureUnknown // signed by a key we don't have
	case m == nil:
		return pack.SignatureStale
	}
	return pack.SignatureIntact
}
