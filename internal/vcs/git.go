package vcs

import (
	"bufio"
	"bytes"
	"crypto/sha1"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// Changed are the files that are not committed: changed, staged, deleted, and
// those git does not track yet; absolute paths. One question to git, which walks
// the whole tree for each that is asked.
func (r *Repo) Changed() ([]string, error) {
	out, err := git(r.Root, "status", "--porcelain", "-z", "--untracked-files=all", "--no-renames")
	if err != nil {
		return nil, err
	}
	var files []string
	for e := range bytes.SplitSeq(out, []byte{0}) {
		if len(e) > 3 {
			files = append(files, r.path(e[3:])) // behind two letters and a space
		}
	}
	return sortedSet(files), nil
}

// Since are the files that differ from the commit in which the history parted
// from that of ref, deleted and untracked ones included; absolute paths.
func (r *Repo) Since(ref string) ([]string, error) {
	if strings.HasPrefix(ref, "-") {
		return nil, fmt.Errorf("%q is no revision", ref)
	}
	out, err := git(r.Root, "merge-base", ref, "HEAD")
	if err != nil {
		return nil, err
	}
	out, err = git(r.Root, "diff", "--name-only", "-z", "--no-renames", "--no-ext-diff", strings.TrimSpace(string(out)), "--")
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

// An Entry is a file as the next commit has it.
type Entry struct {
	Path string // absolute
	Type fs.FileMode
	hash string
}

// Is reports whether a text is what will be committed.
func (e *Entry) Is(text string) bool {
	h := sha1.New()
	if len(e.hash) == 2*sha256.Size {
		h = sha256.New()
	}
	fmt.Fprintf(h, "blob %d\x00", len(text))
	_, _ = io.WriteString(h, text) // a hash takes everything
	return hex.EncodeToString(h.Sum(nil)) == e.hash
}

// Index are the files below some folders (absolute paths) as the next commit has
// them, links included, other repositories left out.
func (r *Repo) Index(dirs ...string) ([]Entry, error) {
	var out []Entry
	for some := range slices.Chunk(dirs, 200) { // a command line has an end
		args := []string{"--literal-pathspecs", "ls-files", "--stage", "-z", "--"}
		for _, d := range some {
			rel, err := filepath.Rel(r.Root, d)
			if err != nil {
				return nil, err
			}
			args = append(args, filepath.ToSlash(rel))
		}
		list, err := git(r.Root, args...)
		if err != nil {
			return nil, err
		}
		for e := range bytes.SplitSeq(list, []byte{0}) {
			// "100644 HASH 0\tPATH"; the number is not 0 in an unfinished merge.
			head, name, ok := bytes.Cut(e, []byte{'\t'})
			part := bytes.Fields(head)
			if !ok || len(part) != 3 || bytes.HasPrefix(part[0], []byte("16")) {
				continue
			}
			entry := Entry{Path: r.path(name), hash: string(part[1])}
			if bytes.HasPrefix(part[0], []byte("12")) {
				entry.Type = fs.ModeSymlink
			}
			out = append(out, entry)
		}
	}
	return out, nil
}

// Texts calls each with what will be committed, entry by entry, at most limit+1
// bytes of it.
func (r *Repo) Texts(entries []Entry, limit int64, each func(e *Entry, text string)) error {
	if len(entries) == 0 {
		return nil
	}
	var ask strings.Builder
	for i := range entries {
		ask.WriteString(entries[i].hash + "\n")
	}
	cmd := command(r.Root, "cat-file", "--batch")
	cmd.Stdin = strings.NewReader(ask.String())
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return notInstalled(err)
	}
	err = texts(bufio.NewReader(pipe), entries, limit, each)
	// What is left is of no use; reading it lets git end.
	_, _ = io.Copy(io.Discard, pipe)
	if werr := cmd.Wait(); err == nil && werr != nil {
		err = fmt.Errorf("git cat-file: %w", werr)
	}
	return err
}

func texts(in *bufio.Reader, entries []Entry, limit int64, each func(e *Entry, text string)) error {
	for i := range entries {
		e := &entries[i]
		head, err := in.ReadString('\n')
		if err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		var kind string
		var size int64
		if n, err := fmt.Sscanf(head, e.hash+" %s %d", &kind, &size); err != nil || n != 2 || kind != "blob" {
			return fmt.Errorf("git cat-file: %s: %s", e.Path, strings.TrimSpace(head))
		}
		text := make([]byte, min(size, limit+1))
		if _, err := io.ReadFull(in, text); err != nil {
			return fmt.Errorf("git cat-file: %w", err)
		}
		if _, err := io.CopyN(io.Discard, in, size-int64(len(text))+1); err != nil { // and a line break
			return fmt.Errorf("git cat-file: %w", err)
		}
		each(e, string(text))
	}
	return nil
}

func (r *Repo) paths(nul []byte) []string {
	var out []string
	for p := range bytes.SplitSeq(nul, []byte{0}) {
		if len(p) > 0 {
			out = append(out, r.path(p))
		}
	}
	return out
}

func (r *Repo) path(name []byte) string {
	return filepath.Join(r.Root, filepath.FromSlash(string(name)))
}

func sortedSet(s []string) []string {
	slices.Sort(s)
	return slices.Compact(s)
}

func command(dir string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GIT_OPTIONAL_LOCKS=0", "LC_ALL=C")
	return cmd
}

func notInstalled(err error) error {
	if errors.Is(err, exec.ErrNotFound) {
		return errors.New("git is not installed")
	}
	return err
}

func git(dir string, args ...string) ([]byte, error) {
	cmd := command(dir, args...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if errors.Is(err, exec.ErrNotFound) {
		return nil, notInstalled(err)
	}
	if err != nil {
		msg, _, _ := strings.Cut(strings.TrimSpace(stderr.String()), "\n")
		if msg == "" {
			msg = err.Error()
		}
		name := args[0]
		if strings.HasPrefix(name, "--") {
			name = args[1]
		}
		return nil, fmt.Errorf("git %s: %s", name, strings.TrimPrefix(msg, "fatal: "))
	}
	return out, nil
}
