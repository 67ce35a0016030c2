package sigstate

import (
	"fmt"

	"github.com/amp-toolchain/amp/sign"
)

// Signer is what can be known offline of who signed a pack.
type Signer struct {
	// Status is unsigned, trusted, untrusted (intact under the key in the pack),
	// changed (not what was signed), unchecked (no key to check with) or unreadable.
	Status      string
	Fingerprint string // of the key that it holds under, or that the pack ships
	Label       string // of a trusted key
	Message     string // one sentence for people
}

// Describe checks the signature of the pack in dir with the keys that the user
// trusts and with the one that the pack ships.
func Describe(dir string, trusted []sign.Trusted) Signer {
	unreadable := func(err error) Signer {
		return Signer{Status: "unreadable", Message: "The signature cannot be checked: " + err.Error() + "."}
	}
	p, err := sign.Open(dir)
	if err != nil {
		return unreadable(err)
	}
	defer p.Close()
	if !p.Signed() {
		return Signer{Status: "unsigned", Message: "Nobody has signed the pack: there is no telling who made it, or who changed it since."}
	}
	if _, err := p.Signature(); err != nil {
		return unreadable(err)
	}
	if err := p.Hash(); err != nil {
		return unreadable(err)
	}
	for _, t := range trusted {
		if m, _ := p.Verify(t.Key); m != nil {
			return Signer{"trusted", m.Key.Fingerprint(), t.Label, fmt.Sprintf("Unchanged since it was signed with the key %s, which you trust as %q.", m.Key.Fingerprint(), t.Label)}
		}
	}
	own, err := p.Embedded()
	switch {
	case err != nil:
		return unreadable(err)
	case own.IsZero():
		return Signer{Status: "unchecked", Message: "Signed by none of the keys that you trust, and the pack ships no key to check it with."}
	}
	if m, _ := p.Verify(own); m == nil {
		return Signer{"changed", own.Fingerprint(), "", "Changed since it was signed, or signed with another key than the one in it (" + own.Fingerprint() + ")."}
	}
	return Signer{"untrusted", own.Fingerprint(), "", "Unchanged since it was signed with the key " + own.Fingerprint() + ", which comes with the pack and which nobody you trust vouches for. Compare it with the publisher's."}
}
