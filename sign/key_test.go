package sign

import (
	"crypto/ecdh"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"strings"
	"testing"
)

func pemText(t *testing.T, typ string, der []byte, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: typ, Bytes: der}))
}

func pkix(t *testing.T, key any) string {
	der, err := x509.MarshalPKIXPublicKey(key)
	return pemText(t, "PUBLIC KEY", der, err)
}

func pkcs8(t *testing.T, key any) string {
	der, err := x509.MarshalPKCS8PrivateKey(key)
	return pemText(t, "PRIVATE KEY", der, err)
}

func TestKeyFormsThatAreAccepted(t *testing.T) {
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	forms := func(p string) map[string]string {
		return map[string]string{
			"plain":              p,
			"CRLF":               strings.ReplaceAll(p, "\n", "\r\n"),
			"byte order mark":    "\uFEFF" + p,
			"no final line end":  strings.TrimSuffix(p, "\n"),
			"literal \\n":        strings.ReplaceAll(p, "\n", `\n`),
			"literal \\r\\n":     strings.ReplaceAll(p, "\n", `\r\n`),
			"text before":        "key of somebody\n" + p,
			"text after":         p + "\nend of file\n",
			"blank lines around": "\n\n" + p + "\n\n",
		}
	}
	for name, text := range forms(string(key.Public().PEM())) {
		if got, err := ParsePublic([]byte(text)); err != nil || !got.Equal(key.Public()) {
			t.Errorf("public, %s: %v", name, err)
		}
	}
	for name, text := range forms(string(key.PEM())) {
		if got, err := ParsePrivate([]byte(text)); err != nil || !got.Public().Equal(key.Public()) {
			t.Errorf("private, %s: %v", name, err)
		}
	}
}

func TestKeysThatAreRefused(t *testing.T) {
	ed, _ := Generate()
	other, _ := Generate()
	rsaKey, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	ec, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	x, err := ecdh.X25519().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	pub, priv := string(ed.Public().PEM()), string(ed.PEM())
	cases := []struct{ name, text, public, private string }{
		{"empty", "", "the key is empty", "the key is empty"},
		{"white space", " \n\t", "the key is empty", "the key is empty"},
		{"prose", "my key", "no PEM block", "no PEM block"},
		{"RSA public", pkix(t, &rsaKey.PublicKey), "an RSA key, AMP uses Ed25519", "this is a public key"},
		{"ECDSA public", pkix(t, &ec.PublicKey), "an ECDSA key", "this is a public key"},
		{"X25519 public", pkix(t, x.PublicKey()), "an X25519 key", "this is a public key"},
		{"RSA private", pkcs8(t, rsaKey), "this is a private key", "an RSA key"},
		{"X25519 private", pkcs8(t, x), "this is a private key", "an X25519 key"},
		{"private", priv, "this is a private key", ""},
		{"public", pub, "", "this is a public key"},
		{"two public", pub + string(other.Public().PEM()), "more than one PEM block", "more than one PEM block"},
		{"pair in one file", priv + pub, "more than one PEM block", "more than one PEM block"},
		{"cut short", pub[:60], "damaged or cut short", "damaged or cut short"},
		{"damaged body", strings.Replace(pub, "MCow", "MCox", 1), "damaged", "this is a public key"},
		{"certificate", pemText(t, "CERTIFICATE", []byte{1}, nil), "is a CERTIFICATE", "is a CERTIFICATE"},
		{"encrypted", pemText(t, "ENCRYPTED PRIVATE KEY", []byte{1}, nil), "this is a private key", "encrypted, decrypt it first"},
		{"ssh", "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAA me@host", "OpenSSH", "OpenSSH"},
		{"type with escape", pemText(t, "\x1b[2J", []byte{1}, nil), `\x1b[2J`, `\x1b[2J`},
		{"extra bytes", pemText(t, "PUBLIC KEY", append(ed.Public().der(), 0), nil), "damaged", "this is a public key"},
	}
	for _, c := range cases {
		_, err := ParsePublic([]byte(c.text))
		check := func(what, part string, err error) {
			if part == "" {
				if err != nil {
					t.Errorf("%s as %s: %v", c.name, what, err)
				}
				return
			}
			if err == nil || !strings.Contains(err.Error(), part) {
				t.Errorf("%s as %s: error %v, want one with %q", c.name, what, err, part)
				return
			}
			if strings.ContainsAny(err.Error(), "\n\x1b") || len(err.Error()) > 150 {
				t.Errorf("%s as %s: the message is not one clean line: %q", c.name, what, err)
			}
		}
		check("public", c.public, err)
		_, err = ParsePrivate([]byte(c.text))
		check("private", c.private, err)
	}
}

func TestWeakPublicKeysAreRefused(t *testing.T) {
	for _, y := range smallOrder {
		for _, sign := range []byte{0, 0x80} {
			raw, err := hex.DecodeString(y)
			if err != nil || len(raw) != 32 {
				t.Fatalf("%s: %v", y, err)
			}
			raw[31] |= sign
			if _, err := ParsePublic([]byte(pkix(t, ed25519.PublicKey(raw)))); err == nil || !strings.Contains(err.Error(), "small order") {
				t.Errorf("%x: %v", raw, err)
			}
		}
	}
	// The danger is real: under the neutral element anybody signs anything.
	neutral := make(ed25519.PublicKey, 32)
	neutral[0] = 1
	forged := make([]byte, 64)
	forged[0] = 1
	if !ed25519.Verify(neutral, []byte("any message"), forged) {
		t.Error("the forged signature does not hold, the check may be obsolete")
	}
}

func TestSignatureForms(t *testing.T) {
	raw := make([]byte, 64)
	for i := range raw {
		raw[i] = byte(i * 37)
	}
	raw[0], raw[1], raw[2] = 0xFB, 0xFF, 0xBF // + and / in the standard alphabet
	canonical := base64.RawURLEncoding.EncodeToString(raw)
	for name, s := range map[string]string{
		"spec":            canonical,
		"padded":          base64.URLEncoding.EncodeToString(raw),
		"standard":        base64.StdEncoding.EncodeToString(raw),
		"standard, short": base64.RawStdEncoding.EncodeToString(raw),
	} {
		got, err := decodeSignature(s)
		if err != nil || string(got) != string(raw) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, s := range map[string]string{
		"empty":           "",
		"short":           canonical[:80],
		"63 bytes":        base64.RawURLEncoding.EncodeToString(raw[:63]),
		"65 bytes":        base64.RawURLEncoding.EncodeToString(append(raw, 0)),
		"white space":     canonical[:40] + " " + canonical[40:],
		"line end":        canonical + "\n",
		"line ends":       canonical[:40] + "\r\n" + canonical[40:],
		"mixed alphabets": "+_" + canonical[2:],
		"stray bits":      canonical[:85] + "_",
		"wrong padding":   canonical + "=",
		"much padding":    canonical + "===",
		"only padding":    "==",
		"hex":             fmt.Sprintf("%x", raw),
		"percent":         strings.Replace(canonical, "_", "%5F", 1),
	} {
		if _, err := decodeSignature(s); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
}

func TestPrivateKeysDoNotPrint(t *testing.T) {
	key, _ := Generate()
	secret := fmt.Sprint([]byte(key.key.Seed()))
	for _, s := range []string{fmt.Sprint(key), fmt.Sprintf("%v %+v %#v %s %x", key, key, key, key, struct{ K PrivateKey }{key})} {
		if strings.Contains(s, secret) || strings.Contains(s, fmt.Sprintf("%x", key.key.Seed())) {
			t.Errorf("the secret shows in %q", s)
		}
	}
}

func FuzzParseKeys(f *testing.F) {
	key, _ := Generate()
	f.Add(key.PEM())
	f.Add(key.Public().PEM())
	f.Fuzz(func(_ *testing.T, text []byte) {
		if k, err := ParsePublic(text); err == nil {
			k.Fingerprint()
		}
		if k, err := ParsePrivate(text); err == nil {
			k.Public().Fingerprint()
		}
	})
}

// A variable loses the LF of its last line in $(...), and keeps the CR.
func TestKeysWithAnyLineEndsAreRead(t *testing.T) {
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	text := string(key.PEM())
	for name, s := range map[string]string{
		"CRLF": strings.ReplaceAll(text, "\n", "\r\n"), "CRLF without the last LF": strings.TrimSuffix(strings.ReplaceAll(text, "\n", "\r\n"), "\n"),
		"CR": strings.ReplaceAll(text, "\n", "\r"), "no last line end": strings.TrimSpace(text), "escaped": strings.ReplaceAll(text, "\n", `\r\n`),
	} {
		if got, err := ParsePrivate([]byte(s)); err != nil || !got.Public().Equal(key.Public()) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
