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
// final LF. Hash must have succeeded. Under JSONB members called __proto__ are
// left out, as the reference does; see Uncovered.
func (p *Pack) Payload(s Scheme) []byte {
	members := make([]jsontree.Member, 0, len(p.Tree.Members)+1)
	for _, m := range p.Tree.Members {
		if m.Name != "signed" && m.Name != "signature" {
			members = append(members, m)
		}
	}
	o := asWritten
	if s == JSONB {
		o = lengthThenID
		members = append(members, jsontree.Member{Name: "signed", Value: &jsontree.Node{Kind: jsontree.Bool, Bool: true}})
	}
	out := appendObject(nil, members, o)
	for _, f := range p.Files {
		out = append(out, '\n')
		out = hex.AppendEncode(out, f.Sum[:])
	}
	return out
}

// Uncovered reports a part of the manifest that a signature under s does not
// cover: a member called __proto__ under JSONB. The reference copies members by
// assignment, which for this name sets the prototype instead, so such a member
// could be added or changed without breaking the signature. Verify therefore
// does not accept JSONB for a pack that has one.
func (p *Pack) Uncovered(s Scheme) *ManifestError {
	if s != JSONB {
		return nil
	}
	m := member(p.Tree, "__proto__")
	if m == nil {
		return nil
	}
	return manifestError(p.Raw, m.NameStart, "a member called __proto__ is not covered by jsonb signatures, use the spec scheme")
}
