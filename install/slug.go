package install

import (
	"fmt"
	"runtime"
	"strings"
)

// Scope says for whom a pack is installed.
type Scope string

// The scopes of Part 7.
const (
	Project Scope = "project"
	User    Scope = "user"
)

// ParseScope reads a scope's name.
func ParseScope(s string) (Scope, error) {
	if s := Scope(s); s == Project || s == User {
		return s, nil
	}
	return "", fmt.Errorf("unknown scope %q, expected project or user", s)
}

// CheckSlug reports whether s may name an installed pack: the pattern of Part 2,
// ^[a-z0-9][a-z0-9-]{0,63}$ for the whole string, and in user scope not "keys",
// whose folder holds the signing keys (R-slug).
func CheckSlug(s string, scope Scope) error {
	if !validName(s) {
		return fmt.Errorf("Invalid name %q, it must match ^[a-z0-9][a-z0-9-]{0,63}$", s[:min(len(s), 200)]) //lint:ignore ST1005 a gate message
	}
	if scope == User && s == "keys" {
		return fmt.Errorf("the name %q is reserved in user scope, ~/.amp/keys holds signing keys", s)
	}
	if runtime.GOOS == "windows" && deviceName(s) {
		return fmt.Errorf("the name %q is a device on Windows", s)
	}
	return nil
}

func validName(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '-' {
		return false
	}
	for i := range len(s) {
		c := s[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' {
			return false
		}
	}
	return true
}

func deviceName(s string) bool {
	switch s {
	case "con", "prn", "aux", "nul":
		return true
	}
	return len(s) == 4 && (strings.HasPrefix(s, "com") || strings.HasPrefix(s, "lpt")) && s[3] >= '1' && s[3] <= '9'
}

// SlugArg reads a slug as users write it, also as @creator/slug.
func SlugArg(arg string, scope Scope) (string, error) {
	slug := arg
	if strings.HasPrefix(arg, "@") {
		creator, rest, ok := strings.Cut(arg[1:], "/")
		if !ok || !validCreator(creator) {
			return "", fmt.Errorf("%q is no pack name, expected slug or @creator/slug", arg)
		}
		slug = rest
	}
	return slug, CheckSlug(slug, scope)
}

// validCreator bounds what may stand before the slug in a marker.
func validCreator(s string) bool {
	if s == "" || len(s) > 64 {
		return false
	}
	for i := range len(s) {
		c := s[i]
		alnum := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
		if !alnum && (i == 0 || c != '-' && c != '_' && c != '.') {
			return false
		}
	}
	return true
}
