package sign

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/pem"
	"errors"
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// PublicKey is an Ed25519 public key. The zero value is no key.
type PublicKey struct{ key ed25519.PublicKey }

// PrivateKey is an Ed25519 private key. It never prints its secret.
type PrivateKey struct{ key ed25519.PrivateKey }

// String hides the key from formatted output.
func (PrivateKey) String() string { return "private key" }

// GoString hides the key from %#v.
func (PrivateKey) GoString() string { return "private key" }

// Generate makes a key pair.
func Generate() (PrivateKey, error) {
	_, key, err := ed25519.GenerateKey(rand.Reader)
	return PrivateKey{key}, err
}

// Public returns the public half.
func (k PrivateKey) Public() PublicKey {
	return PublicKey{k.key.Public().(ed25519.PublicKey)}
}

// PEM returns the PKCS8 form (Part 6).
func (k PrivateKey) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: must(x509.MarshalPKCS8PrivateKey(k.key))})
}

// IsZero reports whether k is no key.
func (k PublicKey) IsZero() bool { return k.key == nil }

// Equal reports whether both are the same key.
func (k PublicKey) Equal(o PublicKey) bool { return k.key.Equal(o.key) }

func (k PublicKey) der() []byte { return must(x509.MarshalPKIXPublicKey(k.key)) }

// PEM returns the SPKI form (Part 6).
func (k PublicKey) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: k.der()})
}

// Fingerprint returns "SHA256:" and the unpadded base64 of the SPKI's SHA-256,
// in the style of ssh.
func (k PublicKey) Fingerprint() string {
	sum := sha256.Sum256(k.der())
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(sum[:])
}

// must unwraps the results of encoders that cannot fail for Ed25519 keys.
func must(b []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return b
}

// KeyError says why a text is no usable key. It never holds key material.
type KeyError struct{ Msg string }

func (e *KeyError) Error() string { return e.Msg }

// ParsePublic reads an SPKI PEM with one Ed25519 key. A byte order mark, CRLF,
// text around the block and line ends written as \n (as environment variables
// hold them) are accepted. Errors are *KeyError.
func ParsePublic(text []byte) (PublicKey, error) {
	block, err := onlyBlock(text, "PUBLIC KEY")
	if err != nil {
		return PublicKey{}, err
	}
	any, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return PublicKey{}, &KeyError{"the public key is damaged: it is no SPKI structure with a known key type"}
	}
	key, ok := any.(ed25519.PublicKey)
	if !ok {
		return PublicKey{}, notEd25519("public", any)
	}
	if weak(key) {
		return PublicKey{}, &KeyError{"the public key is a point of small order, anybody could sign for it"}
	}
	return PublicKey{key}, nil
}

// ParsePrivate reads a PKCS8 PEM with one Ed25519 key, as leniently as
// ParsePublic. Errors are *KeyError.
func ParsePrivate(text []byte) (PrivateKey, error) {
	block, err := onlyBlock(text, "PRIVATE KEY")
	if err != nil {
		return PrivateKey{}, err
	}
	any, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		return PrivateKey{}, &KeyError{"the private key is damaged: it is no PKCS8 structure with a known key type"}
	}
	key, ok := any.(ed25519.PrivateKey)
	if !ok {
		return PrivateKey{}, notEd25519("private", any)
	}
	return PrivateKey{key}, nil
}

func notEd25519(what string, key any) error {
	name := strings.TrimLeft(fmt.Sprintf("%T", key), "*")
	name, _, _ = strings.Cut(name, ".")
	switch name {
	case "ecdh":
		name = "X25519"
	case "ecdsa":
		name = "ECDSA"
	case "rsa":
		name = "RSA"
	default:
		name = strings.ToUpper(name)
	}
	return &KeyError{fmt.Sprintf("the %s key is an %s key, AMP uses Ed25519 only", what, name)}
}

// onlyBlock finds the one PEM block of a text and demands its type. Several keys
// in one file are refused: readers disagree about which one counts.
func onlyBlock(text []byte, want string) (*pem.Block, error) {
	s := strings.TrimPrefix(string(text), "\uFEFF")
	if strings.Contains(s, `\n`) {
		s = strings.NewReplacer(`\r`, "", `\n`, "\n").Replace(s)
	}
	// The decoder takes CRLF, but not a CR alone, which is what a variable has at its
	// end when the shell took the LF away.
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	var found *pem.Block
	for rest := []byte(s); ; {
		var block *pem.Block
		block, rest = pem.Decode(rest)
		if block == nil {
			break
		}
		if found != nil {
			return nil, &KeyError{"there is more than one PEM block, give a file with one key"}
		}
		found = block
	}
	if found == nil {
		return nil, noBlock(s, want)
	}
	if found.Type == want {
		return found, nil
	}
	switch {
	case want == "PUBLIC KEY" && strings.HasSuffix(found.Type, "PRIVATE KEY"):
		return nil, &KeyError{"this is a private key, give the public one (the .pub file)"}
	case found.Type == "PUBLIC KEY":
		return nil, &KeyError{"this is a public key, signing needs the private one (the .key file)"}
	case found.Type == "ENCRYPTED PRIVATE KEY":
		return nil, &KeyError{"the private key is encrypted, decrypt it first (openssl pkey -in FILE -out FILE)"}
	}
	return nil, &KeyError{fmt.Sprintf("the PEM block is a %s, expected %s", fsx.Printable(found.Type), want)}
}

func noBlock(s, want string) error {
	switch {
	case strings.TrimSpace(s) == "":
		return &KeyError{"the key is empty"}
	case strings.HasPrefix(strings.TrimSpace(s), "ssh-"), strings.Contains(s, "OPENSSH PRIVATE KEY"):
		return &KeyError{"this is an OpenSSH key, AMP uses PEM (" + want + ")"}
	case strings.Contains(s, "BEGIN"):
		return &KeyError{"the PEM block is damaged or cut short"}
	}
	return &KeyError{"there is no PEM block (-----BEGIN " + want + "-----)"}
}

// smallOrder lists the y coordinates of the points of small order, canonical and
// not, little endian, with the sign bit cleared. A signature under such a key
// can be made by anybody.
var smallOrder = [...]string{
	"0000000000000000000000000000000000000000000000000000000000000000",
	"0100000000000000000000000000000000000000000000000000000000000000",
	"26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
	"c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
	"ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"edffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
	"eeffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f",
}

func weak(key ed25519.PublicKey) bool {
	var y [ed25519.PublicKeySize]byte
	copy(y[:], key)
	y[31] &= 0x7F
	text := fmt.Sprintf("%x", y)
	for _, s := range smallOrder {
		if s == text {
			return true
		}
	}
	return false
}

// SignatureSize is the length of a signature in bytes; in base64url it is 86
// characters.
const SignatureSize = ed25519.SignatureSize

// decodeSignature reads a manifest's signature. The spec writes unpadded
// base64url; padding and the standard alphabet are accepted because Node.js
// accepts them and registries re-encode. Everything else is an error: white
// space, mixed alphabets, stray bits after the last byte.
func decodeSignature(s string) ([]byte, error) {
	body := strings.TrimRight(s, "=")
	if pad := len(s) - len(body); pad != 0 && (pad > 2 || len(s)%4 != 0) {
		return nil, errors.New("the signature has wrong base64 padding")
	}
	enc := base64.RawURLEncoding
	if strings.ContainsAny(body, "+/") {
		enc = base64.RawStdEncoding
	}
	if strings.ContainsAny(body, "\r\n") { // the decoder would skip them
		return nil, errors.New("the signature is not base64url")
	}
	sig, err := enc.Strict().DecodeString(body)
	if err != nil {
		return nil, errors.New("the signature is not base64url")
	}
	if len(sig) != SignatureSize {
		return nil, fmt.Errorf("the signature has %d bytes, an Ed25519 signature has %d", len(sig), SignatureSize)
	}
	return sig, nil
}
