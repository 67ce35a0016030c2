// Package baseline names findings by their content, so that they are known again
// wherever the lines move, and keeps the list of those that a project has put up
// with.
package baseline

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Fingerprint names a finding of a rule at a byte offset of a file: 32
// hexadecimal digits of a SHA-256 over the rule and the primitive it lies in, or
// the rule, the message and the line where it lies in none. Position and path are
// not part of it. What looks like a credential is masked before, so that a
// fingerprint says nothing about one. f is nil for a file that does not exist.
func Fingerprint(rule, message string, f *pack.File, offset int) string {
	h := sha256.New()
	part := func(s string) {
		h.Write([]byte(s))
		h.Write([]byte{0})
	}
	part(rule)
	if s, ok := primitive(f, offset); ok {
		part("primitive")
		part(s)
	} else {
		part("line")
		part(message)
		part(line(f, offset))
	}
	return hex.EncodeToString(h.Sum(nil)[:16])
}

// primitive is the text of the primitive at an offset, its white space unified.
func primitive(f *pack.File, offset int) (string, bool) {
	if f == nil || !pack.IsCapability(f.Path) && f.Tree == nil {
		return "", false
	}
	t := f.Tree
	if t == nil {
		t = parser.Parse(f.Text, parser.V04)
	}
	it, ok := t.AtOffset(offset)
	if !ok || it.Kind() != parser.Primitive && it.Kind() != parser.Malformed {
		return "", false
	}
	return squeeze(it.Text()[it.Start():it.End()]), true
}

func line(f *pack.File, offset int) string {
	if f == nil {
		return ""
	}
	at := min(max(offset, 0), len(f.Text))
	start := strings.LastIndexAny(f.Text[:at], "\r\n") + 1
	end, _ := text.LineEnd(f.Text, start)
	return squeeze(strings.TrimPrefix(f.Text[start:end], text.BOM))
}

func squeeze(s string) string {
	return strings.Join(strings.Fields(credential.MaskText(s)), " ")
}
