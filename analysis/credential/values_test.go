package credential

import (
	"encoding/base64"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/credtest"
)

func TestPiecesOfKnownValuesAreMasked(t *testing.T) {
	secret := "Ze7tIYRu0uIjFV6besjHXQ1c8UvvaUb3"
	var v Values
	v.Add("the api_key: " + secret + " is old\nand ghp_" + credtest.WithCRC62(rand.New(rand.NewPCG(7, 9))) + " too")
	for _, text := range []string{secret, "no file " + secret + ".md", "starts with " + secret[:12] + "…", "…" + secret[20:] + " ends it"} {
		got := v.Mask(text)
		if len(got) != len(text) {
			t.Errorf("%q became %q", text, got)
		}
		for i := 0; i+8 <= len(secret); i++ {
			if strings.Contains(got, secret[i:i+8]) {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
	if got := v.Mask("GitHub personal access token (ghp_…, 40 characters) in notes.md:7"); strings.Contains(got, "*") {
		t.Error(got)
	}
}

func TestValuesInNamesAreMasked(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 10))
	for _, f := range credtest.Families {
		value := f.Draw(r)
		if strings.ContainsAny(value, `/:" `) {
			continue
		}
		for _, text := range []string{"memory/" + value + ".md", value + "/notes.md:1: error", "memory/" + value + ".md is listed", `"a\\n` + value + `\\n"`} {
			if got := new(Values).Mask(text); strings.Contains(got, value[len(value)-12:]) {
				t.Errorf("%s: %q became %q", f.Name, text, got)
			}
		}
	}
}

func TestDigestsFingerprintsAndSignaturesStayReadable(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 11))
	for range 3000 {
		raw := make([]byte, 64)
		for i := range raw {
			raw[i] = byte(r.Uint32())
		}
		digest, fp, sig := hex.EncodeToString(raw[:32]), "SHA256:"+base64.RawStdEncoding.EncodeToString(raw[:32]), base64.RawURLEncoding.EncodeToString(raw)
		for _, text := range []string{
			digest, fp, sig, "  key:     " + fp + " (trusted as me)", "valid, by a key you trust (" + fp + ", spec payload)", "memory/" + digest + ".md",
			"sha256: " + digest, "signature: " + sig, "matches the key " + fp + "; the pack", fp + "  me  (added 2026-01-01)", "amp1:" + digest[:32], "no key " + fp,
		} {
			if got := new(Values).Mask(text); got != text {
				t.Fatalf("%q became %q", text, got)
			}
		}
	}
}
