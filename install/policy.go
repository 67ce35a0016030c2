package install

import (
	"errors"
	"fmt"

	"github.com/amp-toolchain/amp/sign"
)

// Policy says what an install demands of signatures.
type Policy struct {
	Given         []sign.PublicKey // keys named for this run; the pack must be signed with one of them
	Known         []sign.PublicKey // trusted keys
	RequireSigned bool             // unsigned packs are refused
	RequireTrust  bool             // only Given and Known keys will do
	AcceptNewKey  bool             // the pinned signer may change
	AllowTampered bool             // a signature that does not hold is only a warning
}

// Signature states.
const (
	unsigned  = "unsigned"
	trusted   = "trusted"   // holds under a given or known key
	untrusted = "untrusted" // holds under the shipped or the pinned key
	unchecked = "unchecked" // there is no key to check with
	tampered  = "tampered"  // does not hold
)

// judge checks the signature of a pack under a policy. pin is the signer of the
// installed version, if any.
func judge(p *sign.Pack, pin sign.PublicKey, pol Policy) (Signature, []string, error) {
	sig, err := classify(p, pin, pol)
	if err != nil {
		return sig, nil, err
	}
	var warnings []string
	warn := func(format string, args ...any) { warnings = append(warnings, fmt.Sprintf(format, args...)) }
	switch sig.Status {
	case unsigned:
		if len(pol.Given) > 0 { // who named a key was promised its signature
			return sig, nil, fmt.Errorf("Pack is not signed, it must be signed with the given key %s", pol.Given[0].Fingerprint()) //lint:ignore ST1005 gate 6
		}
		if pol.RequireSigned || pol.RequireTrust {
			return sig, nil, errors.New("Pack is not signed") //lint:ignore ST1005 gate 6
		}
		warn("pack is not signed. Only install packs you trust.")
	case unchecked:
		if pol.RequireTrust {
			return sig, nil, errors.New("the signature is by none of the keys you trust")
		}
		warn("the signature was not checked: the pack ships no key and none of the keys you trust made it")
	case untrusted:
		if pol.RequireTrust {
			return sig, nil, fmt.Errorf("the pack is signed by %s, which you do not trust (amp trust add)", sig.Fingerprint)
		}
		warn("the pack is intact, but its signer is not one you trust: %s", sig.Fingerprint)
	case tampered:
		if !pol.AllowTampered || pol.RequireTrust {
			return sig, nil, errors.New("the signature does not hold: the pack was changed after signing or is signed by another key (--allow-tampered installs it all the same)")
		}
		warn("the signature does not hold, the pack was changed after signing or is signed by another key")
	}
	if pin.IsZero() {
		return sig, warnings, nil
	}
	if sig.Fingerprint == pin.Fingerprint() {
		return sig, warnings, nil
	}
	if !pol.AcceptNewKey {
		now := "is " + sig.Status
		if sig.Fingerprint != "" {
			now = "is signed by " + sig.Fingerprint
		}
		return sig, nil, fmt.Errorf("the installed version is signed by %s, this one %s (--accept-new-key installs it all the same)", pin.Fingerprint(), now)
	}
	warn("the signer changed, before it was %s", pin.Fingerprint())
	return sig, warnings, nil
}

func classify(p *sign.Pack, pin sign.PublicKey, pol Policy) (Signature, error) {
	if !p.Signed() {
		return Signature{Status: unsigned}, nil
	}
	holds := func(status string, keys ...sign.PublicKey) (Signature, bool) {
		m, err := p.Verify(keys...)
		if err != nil || m == nil {
			return Signature{Status: tampered}, false
		}
		return Signature{status, m.Scheme, m.Key.Fingerprint(), string(m.Key.PEM())}, true
	}
	if len(pol.Given) > 0 { // the user said whose pack this is to be: another trusted key is another signer
		sig, _ := holds(trusted, pol.Given...)
		return sig, nil
	}
	if sig, ok := holds(trusted, pol.Known...); ok {
		return sig, nil
	}
	if !pin.IsZero() {
		if sig, ok := holds(untrusted, pin); ok {
			return sig, nil
		}
	}
	if _, err := p.Signature(); err != nil {
		return Signature{Status: tampered}, nil
	}
	shipped, err := p.Embedded()
	if err != nil {
		return Signature{}, fmt.Errorf("%s in the pack: %w", sign.EmbeddedName, err)
	}
	if shipped.IsZero() {
		return Signature{Status: unchecked}, nil
	}
	sig, _ := holds(untrusted, shipped)
	return sig, nil
}
