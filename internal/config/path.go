package config

import (
	"strings"

	"github.com/bmatcuk/doublestar/v4"
)

// Match reports whether a file (an absolute path) or a folder above it is
// selected. A pattern is relative to the folder of its configuration: `drafts`
// selects that folder and all in it, `**/old-*.md` files at any depth.
func (g Glob) Match(file string) bool {
	rel, ok := Within(g.Base, file)
	return ok && matchPath(g.Pattern, rel)
}

func matchPath(pattern, rel string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	for {
		if doublestar.MatchUnvalidated(pattern, rel) {
			return true
		}
		i := strings.LastIndexByte(rel, '/')
		if i < 0 {
			return false
		}
		rel = rel[:i]
	}
}

func matchesAny(gs []Glob, file string) bool {
	for _, g := range gs {
		if g.Match(file) {
			return true
		}
	}
	return false
}

// Within is the path of file relative to dir, with "/" separators; ok is false
// when it lies elsewhere. Both are absolute. It is a function of the two texts,
// the same on every system, and knows Windows' ways: either separator, and drive
// letters in any case.
func Within(dir, file string) (rel string, ok bool) {
	d, f := slashed(dir), slashed(file)
	if !strings.HasSuffix(d, "/") {
		d += "/"
	}
	if len(f) < len(d) || f[:len(d)] != d {
		return "", false
	}
	return f[len(d):], len(f) > len(d)
}

// slashed turns a Windows path into one with "/" separators and a lower-case
// drive letter; any other path is returned as it is (a backslash is an ordinary
// character there).
func slashed(p string) string {
	drive := len(p) >= 3 && p[1] == ':' && (p[2] == '\\' || p[2] == '/') && ('a' <= p[0]|0x20 && p[0]|0x20 <= 'z')
	unc := strings.HasPrefix(p, `\\`)
	if !drive && !unc {
		return p
	}
	p = strings.ReplaceAll(p, `\`, "/")
	if drive {
		p = strings.ToLower(p[:1]) + p[1:]
	}
	return p
}

// badPattern says what is wrong with a pattern, "" when nothing is.
func badPattern(p string) string {
	switch {
	case p == "":
		return "a pattern must not be empty"
	case strings.Contains(p, `\`):
		return "a pattern has `/` separators, also on Windows"
	case p[0] == '/':
		return "a pattern is relative to the folder of this file and does not start with `/`"
	case p[0] == '!':
		return "a pattern cannot take back another one with `!`"
	}
	for part := range strings.SplitSeq(p, "/") {
		if part == ".." {
			return "a pattern cannot leave the folder of this file"
		}
	}
	if !doublestar.ValidatePattern(p) {
		return "the pattern is malformed: a bracket or brace is not closed"
	}
	return ""
}
