package sign

import (
	"encoding/hex"
	"fmt"

	"github.com/amp-toolchain/amp/internal/jsontree"
)

// Scheme is a form of the signed payload.
type Scheme string

const (
	// Spec is Part 6: the manifest without "signed" and "signature", members in
	// file order.
	Spec Scheme = "spec"
	// JSONB is what the published npm CLI signs: "signature" left out, "signed"
	// true, members at every depth sorted by length and then by text, as
	// PostgreSQL's jsonb keeps them.
	JSONB Scheme = "jsonb"
)

// ParseScheme reads a scheme's name.
func ParseScheme(s string) (Scheme, error) {
	if s := Scheme(s); s == Spec || s == JSONB {
		return s, nil
	}
	return "", fmt.Errorf("unknown scheme %q, expected spec or jsonb", s)
}

// Payload returns the bytes that a signature under s covers: the canonical
// manifest and one line of lower-case SHA-256 per file, joined by LF, without a
// final LF. Under JSONB a member called __proto__ is a *ManifestError, because
// the reference silently drops it and so does not sign it. Hash must have
// succeeded.
func (p *Pack) Payload(s Scheme) ([]byte, error) {
	members := make([]jsontree.Member, 0, len(p.Tree.Members)+1)
	for _, m := range p.Tree.Members {
		if m.Name != "signed" && m.Name != "signature" {
			members = append(members, m)
		}
	}
	o := asWritten
	if s == JSONB {
		if m := member(p.Tree, "__proto__"); m != nil {
			return nil, manifestError(p.Raw, m.NameStart, "a member called __proto__ is left out of jsonb signatures, use the spec scheme")
		}
		o = lengthThenID
		members = append(members, jsontree.Member{Name: "signed", Value: &jsontree.Node{Kind: jsontree.Bool, Bool: true}})
	}
	out := appendObject(nil, members, o)
	for _, f := range p.Files {
		out = append(out, '\n')
		out = hex.AppendEncode(out, f.Sum[:])
	}
	return out, nil
}
