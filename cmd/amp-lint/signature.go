package main

import (
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/sign"
)

// signatureState checks the signature of a pack under the key it ships. Whether
// that key is to be trusted is amp's business; here it tells whether the pack
// was changed after it was signed.
func signatureState(dir string) pack.SignatureState {
	p, err := sign.Open(dir)
	if err != nil {
		return pack.SignatureUnknown
	}
	defer p.Close()
	if !p.Signed() {
		return pack.SignatureNone
	}
	key, err := p.Embedded()
	if err != nil || key.IsZero() || p.Hash() != nil {
		return pack.SignatureUnknown
	}
	m, err := p.Verify(key)
	switch {
	case err != nil:
		return pack.SignatureUnknown // the rule `manifest` judges its form
	case m == nil:
		return pack.SignatureStale
	}
	return pack.SignatureIntact
}
