package vcs

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/config"
)

// A Repo is a git repository, read through the git program.
type Repo struct{ Root string }

// Open finds the repository of a folder. It does not ask git, which would double
// what a hook costs.
func Open(dir string) (*Repo, error) {
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	root := config.Repository(abs)
	if root == "" {
		return nil, fmt.Errorf("%s lies in no git repository", filepath.ToSlash(dir))
	}
	return &Repo{root}, nil
}

// Changed are the files that differ from a commit, deleted ones included, and
// those git does not track yet; absolute paths. For a ref other than HEAD it is
// the point where the two histories parted that counts.
func (r *Repo) Changed(ref string) ([]string, error) {
	base := ref
	if ref != "HEAD" {
		if strings.HasPrefix(ref, "-") {
			return nil, fmt.Errorf("%q is no revision", ref)
		}
		out, err := git(r.Root, "merge-base", ref, "HEAD")
		if err != nil {
			return nil, err
		}
		base = strings.TrimSpace(string(out))
	}
	diff := []string{"diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", base, "--"}
	if ref == "HEAD" {
		if _, err := git(r.Root, "rev-parse", "--verify", "--quiet", "HEAD"); err != nil {
			// Nothing is committed yet: all that is staged is new.
			diff = []string{"ls-files", "-z"}
		}
	}
	out, err := git(r.Root, diff...)
	if err != nil {
		return nil, err
	}
	files := r.paths(out)
	if out, err = git(r.Root, "ls-files", "-z", "--others", "--exclude-standard"); err != nil {
		return nil, err
	}
	return sortedSet(append(files, r.paths(out)...)), nil
}

// Staged are the files that the next commit changes, deleted ones included;
// absolute paths.
func (r *Repo) Staged() ([]string, error) {
	out, err := git(r.Root, "diff", "--cached", "--name-only", "-z", "--no-renames", "--no-ext-diff")
	if err != nil {
		return nil, err
	}
	return sortedSet(r.paths(out)), nil
}

// Unstaged are the texts, as the next commit has them, of tracked files below a
// folder that differ from the index; by absolute path.
func (r *Repo) Unstaged(dir string) (map[string]string, error) {
	out, err := git(r.Root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", "--", dir)
	if err != nil {
		return nil, err
	}
	texts := map[string]string{}
	for _, f := range r.paths(out) {
		rel, err := filepath.Rel(r.Root, f)
		if err != nil {
			return nil, err
		}
		blob, err := git(r.Root, "cat-file", "blob", ":"+filepath.ToSlash(rel))
		if err != nil {
			return nil, err
		}
		texts[f] = string(blob)
	}
	return texts, nil
}

func (r *Repo) paths(nul []byte) []string {
	var out []string
	for p := range bytes.SplitSeq(nul, []byte{0}) {
		if len(p) > 0 {
			out = append(out, filepath.Join(r.Root, filepath.FromSlash(string(p))))
		}
	}
	return out
}

func sortedSet(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

func git(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, errors.New("git is not installed")
	}
	if err != nil {
		msg, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if msg == "" {
			msg = err.Error()
		}
		return nil, fmt.Errorf("git %s: %s", args[0], strings.TrimPrefix(msg, "fatal: "))
	}
	return out, nil
}
