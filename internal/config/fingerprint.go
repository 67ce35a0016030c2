package config

import (
	"crypto/pbkdf2"
	"crypto/sha256"
	"encoding/hex"
	"sync"
)

const (
	fingerprintRounds = 100_000
	fingerprintBytes  = 16
	// FingerprintPrefix names the scheme, so that it can be changed.
	FingerprintPrefix = "amp1:"
)

// MinSalt is the smallest number of characters of a salt.
const MinSalt = 16

var fingerprints sync.Map // salt + NUL + value -> fingerprint

// Fingerprint names a credential without telling it. The salt belongs to the
// repository, so that the same value has another fingerprint elsewhere, and each
// one costs some milliseconds, so that short values are not guessed by trial.
func Fingerprint(salt, value string) string {
	sum := sha256.Sum256([]byte(salt + "\x00" + value))
	if f, ok := fingerprints.Load(sum); ok {
		return f.(string)
	}
	key, err := pbkdf2.Key(sha256.New, value, []byte(salt), fingerprintRounds, fingerprintBytes)
	if err != nil {
		return "" // only a forbidden key size fails; ours is fixed
	}
	f := FingerprintPrefix + hex.EncodeToString(key)
	fingerprints.Store(sum, f)
	return f
}

func validFingerprint(s string) bool {
	if len(s) != len(FingerprintPrefix)+2*fingerprintBytes || s[:len(FingerprintPrefix)] != FingerprintPrefix {
		return false
	}
	for _, c := range []byte(s[len(FingerprintPrefix):]) {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return true
}
