// Package vcs asks about a git repository: what it ignores, what changed.
package vcs

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/fsx"
)

// An Ignore tells which folders git leaves out, by the .gitignore files of their
// repository and its info/exclude. A user's global list is left aside: what a
// tool reports must not depend on whose machine it runs on.
type Ignore struct {
	mu   sync.Mutex
	dirs map[string]*level // by absolute path
	abs  func(string) (string, error)
}

// A level is what holds for the entries of a folder.
type level struct {
	root     string // of the repository, "" outside of one
	patterns []pattern
	ignored  bool // the folder itself is left out
}

// A pattern is a line of a .gitignore, relative to the root of the repository.
type pattern struct {
	glob string // doublestar syntax
	not  bool
}

// NewIgnore returns an Ignore that has read nothing yet.
func NewIgnore() *Ignore { return &Ignore{dirs: map[string]*level{}, abs: fsx.Absolute()} }

// Dir reports whether git ignores a folder or one above it in its repository.
func (g *Ignore) Dir(dir string) bool {
	abs, err := g.abs(dir)
	if err != nil {
		return false
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.level(abs).ignored
}

func (g *Ignore) level(dir string) *level {
	if l := g.dirs[dir]; l != nil {
		return l
	}
	l := &level{}
	g.dirs[dir] = l
	if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
		l.root = dir
		l.add(filepath.Join(dir, ".git", "info", "exclude"), "")
		l.add(filepath.Join(dir, ".gitignore"), "")
		return l
	}
	up := filepath.Dir(dir)
	if up == dir {
		return l
	}
	parent := g.level(up)
	l.root, l.patterns = parent.root, parent.patterns
	if l.root == "" {
		return l
	}
	rel, _ := config.Within(l.root, dir)
	if l.ignored = parent.ignored || l.matches(rel); !l.ignored {
		l.add(filepath.Join(dir, ".gitignore"), rel)
	}
	return l
}

// matches: the last pattern that fits a folder decides.
func (l *level) matches(rel string) bool {
	for i := len(l.patterns) - 1; i >= 0; i-- {
		if doublestar.MatchUnvalidated(l.patterns[i].glob, rel) {
			return !l.patterns[i].not
		}
	}
	return false
}

// add appends the patterns of a list in the folder at rel.
func (l *level) add(file, rel string) {
	src, err := os.ReadFile(file)
	if err != nil {
		return
	}
	l.patterns = slices.Clip(l.patterns)
	for line := range strings.Lines(string(src)) {
		if p, ok := parsePattern(line, rel); ok {
			l.patterns = append(l.patterns, p)
		}
	}
}

// parsePattern reads a line as gitignore(5) describes. Only folders are asked
// about, so a slash at the end says nothing new.
func parsePattern(line, rel string) (p pattern, ok bool) {
	line = strings.TrimRight(line, "\r\n")
	for strings.HasSuffix(line, " ") && !strings.HasSuffix(line, `\ `) {
		line = line[:len(line)-1]
	}
	if line == "" || line[0] == '#' {
		return p, false
	}
	line, p.not = strings.CutPrefix(line, "!")
	line = strings.TrimSuffix(line, "/")
	anchored := strings.Contains(line, "/")
	if line = strings.TrimPrefix(line, "/"); line == "" {
		return p, false
	}
	if base, ok := strings.CutSuffix(line, "/**"); ok {
		line = base + "/**/*" // what lies in it, not the folder itself
	}
	line = braces.Replace(line) // they mean themselves there
	if !anchored {
		line = "**/" + line
	}
	if rel != "" {
		line = literal.Replace(rel) + "/" + line
	}
	p.glob = line
	return p, doublestar.ValidatePattern(line)
}

var (
	braces  = strings.NewReplacer("{", `\{`, "}", `\}`)
	literal = strings.NewReplacer("*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`, "}", `\}`, `\`, `\\`)
)
