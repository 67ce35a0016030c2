package credential

import (
	"encoding/base64"
	"hash/crc32"
	"strings"
)

const base62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// crc62 reports whether the last six bytes of body are the base62 CRC32 of
// the bytes before them, zero-padded, as GitHub and npm build their tokens.
func crc62(body string) bool {
	if len(body) < 7 {
		return false
	}
	sum := crc32.ChecksumIEEE([]byte(body[:len(body)-6]))
	for i := len(body) - 1; i >= len(body)-6; i-- {
		if body[i] != base62[sum%62] {
			return false
		}
		sum /= 62
	}
	return true
}

const base36 = "0123456789abcdefghijklmnopqrstuvwxyz"

// crc36 reports whether the last seven bytes of a whole token are the base36
// CRC32 of everything before, as in GitLab's routable tokens.
func crc36(tok string) bool {
	if len(tok) < 8 {
		return false
	}
	sum := crc32.ChecksumIEEE([]byte(tok[:len(tok)-7]))
	for i := len(tok) - 1; i >= len(tok)-7; i-- {
		if lowerByte(tok[i]) != base36[sum%36] {
			return false
		}
		sum /= 36
	}
	return true
}

// decode64 decodes base64 or base64url, padded or not.
func decode64(s string) (string, bool) {
	s = strings.TrimRight(s, "=")
	if len(s)%4 == 1 {
		return "", false
	}
	enc := base64.RawURLEncoding
	if strings.ContainsAny(s, "+/") {
		enc = base64.RawStdEncoding
	}
	out, err := enc.DecodeString(s)
	return string(out), err == nil
}

// jwtHead reports whether s is the header of a signed token: base64url of a
// JSON object with an "alg" member.
func jwtHead(s string) bool {
	out, ok := decode64(s)
	return ok && strings.HasPrefix(out, "{") && strings.Contains(out, `"alg"`)
}
