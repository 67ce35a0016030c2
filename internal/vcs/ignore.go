// Package vcs asks about a git repository: what it ignores, what changed.
package vcs

import (
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	ignore "github.com/sabhiram/go-gitignore"

	"github.com/amp-toolchain/amp/internal/config"
)

// An Ignore tells which folders git leaves out, by the .gitignore files of their
// repository and its info/exclude. A user's global list is left aside: what a
// tool reports must not depend on whose machine it runs on.
type Ignore struct {
	mu   sync.Mutex
	dirs map[string]*level // by absolute path
}

// A level is what holds for the entries of a folder.
type level struct {
	root    string // of the repository, "" outside of one
	lines   []string
	match   *ignore.GitIgnore
	ignored bool // the folder itself is left out
}

// NewIgnore returns an Ignore that has read nothing yet.
func NewIgnore() *Ignore { return &Ignore{dirs: map[string]*level{}} }

// Dir reports whether git ignores a folder or one above it in its repository.
func (g *Ignore) Dir(dir string) bool {
	abs, err := filepath.Abs(dir)
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
	l.root, l.lines, l.match = parent.root, parent.lines, parent.match
	if l.root == "" {
		return l
	}
	rel, _ := config.Within(l.root, dir)
	l.ignored = parent.ignored || l.match != nil && l.match.MatchesPath(rel+"/")
	if !l.ignored {
		l.add(filepath.Join(dir, ".gitignore"), rel)
	}
	return l
}

// add appends a list of patterns; those of a folder below the root are turned
// into ones relative to the root, so that the last match decides over all.
func (l *level) add(file, rel string) {
	src, err := os.ReadFile(file)
	if err != nil {
		return
	}
	lines := append([]string(nil), l.lines...)
	for line := range strings.SplitSeq(strings.ReplaceAll(string(src), "\r\n", "\n"), "\n") {
		if p := rebase(line, rel); p != "" {
			lines = append(lines, p)
		}
	}
	l.lines, l.match = lines, ignore.CompileIgnoreLines(lines...)
}

func rebase(line, rel string) string {
	line = strings.TrimRight(line, " \t")
	if line == "" || line[0] == '#' || rel == "" {
		return line
	}
	body, not := strings.CutPrefix(line, "!")
	mark := ""
	if not {
		mark = "!"
	}
	if strings.Contains(strings.TrimSuffix(body, "/"), "/") {
		return mark + "/" + path.Join(rel, strings.TrimPrefix(body, "/")) + trailing(body)
	}
	return mark + "/" + rel + "/**/" + body
}

func trailing(s string) string {
	if strings.HasSuffix(s, "/") {
		return "/"
	}
	return ""
}
