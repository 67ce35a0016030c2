package sentence

import "strings"

// Goal reports whether s holds one of the goal phrases of Part 5, "the goal is
// to", "optimize" or "default", as a substring in any ASCII case (R-c), so
// "Optimized" and "Defaults" qualify.
func Goal(s string) bool {
	// Each phrase is recognised at its rarest letter (f, g, z), which keeps the
	// verification off the common path.
	for i := 0; i < len(s); i++ {
		if !goalRare[s[i]] {
			continue
		}
		switch s[i] | 0x20 {
		case 'f':
			if around(s, i, "de", "fault") {
				return true
			}
		case 'g':
			if around(s, i, "the ", "goal is to") {
				return true
			}
		case 'z':
			if around(s, i, "optimi", "ze") {
				return true
			}
		}
	}
	return false
}

var goalRare = [256]bool{'f': true, 'F': true, 'g': true, 'G': true, 'z': true, 'Z': true}

// around reports whether before ends at i and after starts there, in any ASCII case.
func around(s string, i int, before, after string) bool {
	return i >= len(before) && hasFold(s[i-len(before):], before) && hasFold(s[i:], after)
}

// hasFold reports whether s starts with the lower-case ASCII prefix in any ASCII
// case. Letters outside ASCII never fold: ECMAScript's i flag maps no such
// letter onto an ASCII one, while strings.EqualFold would accept U+017F and U+212A.
func hasFold(s, prefix string) bool {
	if len(s) < len(prefix) {
		return false
	}
	for i := 0; i < len(prefix); i++ {
		c := s[i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != prefix[i] {
			return false
		}
	}
	return true
}

// hasExact is hasFold without folding.
func hasExact(s, prefix string) bool { return strings.HasPrefix(s, prefix) }
