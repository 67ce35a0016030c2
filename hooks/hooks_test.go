// Package hooks tests what other repositories install from this one: with real
// git, the real pre-commit, and the shell of action and template.
package hooks

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// secret is put together here so that no scanner stops at this file.
const secret = "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"

const clean = "---\ntype: cluster\napplies_to: all\nsource: self\n---\n\n[claim] The desk is wide.\n"

// A repo is a fresh git repository.
type repo struct {
	t   *testing.T
	dir string
	env []string
}

func newRepo(t *testing.T, env ...string) *repo {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	home := t.TempDir()
	r := &repo{t: t, dir: t.TempDir(), env: append(os.Environ(),
		"HOME="+home, "GIT_CONFIG_GLOBAL="+filepath.Join(home, "gitconfig"), "GIT_CONFIG_NOSYSTEM=1",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")}
	r.env = append(r.env, env...)
	r.write(filepath.Join(home, "gitconfig"), "[safe]\n\tdirectory = *\n[init]\n\tdefaultBranch = main\n[protocol \"file\"]\n\tallow = always\n")
	r.must("git", "init", "-q")
	return r
}

func (r *repo) write(name, text string) {
	r.t.Helper()
	if !filepath.IsAbs(name) {
		name = filepath.Join(r.dir, name)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

func (r *repo) pack(dir string) {
	r.write(dir+"/manifest.json", fmt.Sprintf(`{
  "name": %q, "title": "P", "layout": "semantic-cluster", "primitive_format": "inline-tag-v0.4",
  "agents_file": "agents.md", "agents": ["claude-code"], "capability_files": ["operating-principles.md"]
}
`, filepath.Base(dir)))
	r.write(dir+"/agents.md", "# AMP Routing\n\n## Always load\n- operating-principles.md — all\n")
	r.write(dir+"/memory/operating-principles.md", clean)
}

func (r *repo) run(name string, args ...string) (string, int) {
	r.t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir, cmd.Env = r.dir, r.env
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := cmd.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		r.t.Fatal(err)
	}
	if strings.Contains(out.String(), secret) {
		r.t.Errorf("%s %v shows the credential", name, args)
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func (r *repo) must(name string, args ...string) string {
	r.t.Helper()
	out, code := r.run(name, args...)
	if code != 0 {
		r.t.Fatalf("%s %v ended with %d:\n%s", name, args, code, out)
	}
	return out
}

func (r *repo) head() string {
	out, _ := r.run("git", "rev-parse", "--quiet", "--verify", "HEAD")
	return out
}

// commit stages everything and commits; it must go through, or be refused with
// the words.
func (r *repo) commit(step string, refusal ...string) {
	r.t.Helper()
	r.must("git", "add", "-A")
	before := r.head()
	out, code := r.run("git", "commit", "-q", "-m", step)
	moved := r.head() != before
	switch {
	case len(refusal) == 0 && (code != 0 || !moved):
		r.t.Fatalf("%s: the commit was refused:\n%s", step, out)
	case len(refusal) > 0 && (code == 0 || moved):
		r.t.Fatalf("%s: the commit went through:\n%s", step, out)
	}
	for _, w := range refusal {
		if !strings.Contains(out, w) {
			r.t.Errorf("%s: the refusal does not say %q:\n%s", step, w, out)
		}
	}
}

// root is the top of this project.
func root(t *testing.T) string {
	dir, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "bin")
	cmd := exec.Command("go", "build", "-o", bin+string(filepath.Separator), "./cmd/amp-lint")
	cmd.Dir = root(t)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return bin
}

func TestPreCommit(t *testing.T) {
	if testing.Short() {
		t.Skip("short: builds the hooks from a clone of this repository")
	}
	if _, err := exec.LookPath("pre-commit"); err != nil {
		t.Skip("pre-commit is not installed")
	}
	top, err := exec.Command("git", "-C", "..", "rev-parse", "HEAD").Output()
	if err != nil {
		t.Skip("this is no git clone, so there is nothing pre-commit could install from")
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(cache))
	home := t.TempDir()
	env := []string{"PRE_COMMIT_HOME=" + home, "GOMODCACHE=" + dirs[0], "GOCACHE=" + dirs[1], "GOFLAGS=-buildvcs=false", "PRE_COMMIT_COLOR=never"}
	conf := func(id string) string {
		return fmt.Sprintf("repos:\n  - repo: file://%s\n    rev: %s    hooks:\n      - id: %s\n", filepath.ToSlash(root(t)), top, id)
	}

	t.Run("amp-lint", func(t *testing.T) {
		r := newRepo(t, env...)
		r.write(".pre-commit-config.yaml", conf("amp-lint"))
		r.must("git", "add", "-A")
		r.must("pre-commit", "install")
		r.write("README.md", "# No pack yet\n")
		r.commit("a repository without a pack is not passed", "holds no AMP pack")
		r.pack("team/packs/p")
		r.commit("a clean pack, deep down")
		r.write("team/packs/p/memory/operating-principles.md", clean+"\n[claim] The key is "+secret+".\n")
		r.commit("a planted credential", "[credential]", "team/packs/p/memory/operating-principles.md:9:")
		r.write("team/packs/p/memory/operating-principles.md", clean+"\n[directive permanent, must, org] In copy, never use em dashes.\n")
		r.commit("a wrong facet order", "[facet-order]", "expected force at position 1 for directive, got permanent")
		r.write("team/packs/p/memory/operating-principles.md", clean+"\n[directive must, org, permanent] In copy, never use em dashes.\n")
		r.commit("the same, mended")
		r.write("team/packs/p/notes.txt", "The key is "+secret+".\n")
		r.commit("a credential beside the memory", "[credential]", "notes.txt")
		r.must("git", "rm", "-q", "-f", "--cached", "team/packs/p/notes.txt")
		if err := os.Remove(filepath.Join(r.dir, "team/packs/p/notes.txt")); err != nil {
			t.Fatal(err)
		}
		r.must("git", "rm", "-q", "team/packs/p/memory/operating-principles.md")
		r.commit("a deleted file", "[missing-file]")
		r.must("git", "reset", "-q", "--hard")
		r.write("README.md", "# Words\n")
		r.commit("a change outside of packs")
		r.must("pre-commit", "run", "--all-files")

		// What came in without the hook is found in CI.
		r.write("team/packs/p/memory/operating-principles.md", clean+"\n[goal should] Win.\n")
		r.must("git", "commit", "-q", "--no-verify", "-a", "-m", "past the hook")
		if out, code := r.run("pre-commit", "run", "--all-files"); code == 0 || !strings.Contains(out, "[goal-pattern]") {
			t.Errorf("--all-files ended with %d:\n%s", code, out)
		}
	})

	t.Run("amp-lint-fix", func(t *testing.T) {
		r := newRepo(t, env...)
		r.write(".pre-commit-config.yaml", conf("amp-lint-fix"))
		r.pack("p")
		r.must("git", "add", "-A")
		r.must("pre-commit", "install")
		r.commit("a clean pack")
		r.write("p/memory/operating-principles.md", clean+"\n[directive permanent, must, org] In copy, never use em dashes.\n")
		r.commit("what can be fixed stops the commit once", "files were modified by this hook")
		r.commit("and then it is fixed")
		if out := r.must("git", "show", "HEAD:p/memory/operating-principles.md"); !strings.Contains(out, "[directive must, org, permanent]") {
			t.Errorf("not fixed:\n%s", out)
		}
		r.write("p/memory/operating-principles.md", clean+"\n[claim] The key is "+secret+".\n")
		r.commit("a credential is not fixed away", "[credential]")
	})
}

func TestPlainGitHook(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the hook is a shell script")
	}
	bin := build(t)
	r := newRepo(t, "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	script, err := os.ReadFile("pre-commit")
	if err != nil {
		t.Fatal(err)
	}
	hook := filepath.Join(r.dir, ".git", "hooks", "pre-commit")
	r.write(hook, string(script))
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}
	r.write("README.md", "# No pack\n")
	r.commit("without a pack", "holds no AMP pack")
	r.pack("p")
	r.commit("a clean pack")
	r.write("p/memory/operating-principles.md", clean+"\n[claim] The key is "+secret+".\n")
	r.commit("a planted credential", "[credential]")
	// What is staged counts, not what lies there.
	r.write("p/memory/operating-principles.md", clean)
	if out, code := r.run("git", "commit", "-q", "-m", "still staged"); code == 0 {
		t.Errorf("a staged credential was committed:\n%s", out)
	}
	r.write("README.md", "# Words\n")
	r.commit("mended, with words elsewhere")

	// The lines in the documentation do the same.
	docs, err := os.ReadFile("../docs/ci.md")
	if err != nil {
		t.Fatal(err)
	}
	_, lines, ok := strings.Cut(string(docs), "## Plain git\n\n```\n")
	lines, _, closed := strings.Cut(lines, "```")
	if !ok || !closed {
		t.Fatal("docs/ci.md has no lines for a plain hook")
	}
	if err := os.Remove(hook); err != nil {
		t.Fatal(err)
	}
	r.must("sh", "-e", "-c", lines)
	r.write("p/memory/operating-principles.md", clean+"\n[goal should] Win.\n")
	r.commit("a broken pack, by the documented lines", "[goal-pattern]")
	r.write("p/memory/operating-principles.md", clean)
	r.write("p/memory/draft.md", "not tracked\n")
	r.write("README.md", "# Other words\n")
	r.must("git", "add", "README.md", "p/memory/operating-principles.md")
	r.must("git", "commit", "-q", "-m", "with an untracked file in the pack")
	if err := os.Remove(filepath.Join(r.dir, "p", "memory", "draft.md")); err != nil {
		t.Fatal(err)
	}
	r.write(hook, string(script))
	if err := os.Chmod(hook, 0o755); err != nil {
		t.Fatal(err)
	}

	r.env = append(r.env, "PATH=/usr/bin:/bin")
	r.write("README.md", "# More\n")
	r.commit("without the program", "nothing was checked")
}

type workflow struct {
	Inputs map[string]struct {
		Default string `yaml:"default"`
	} `yaml:"inputs"`
	Runs struct {
		Using string
		Steps []struct {
			ID, Uses, Shell, Run string
			Env                  map[string]string
		}
	} `yaml:"runs"`
}

// TestAction runs the shell steps of action.yml as a runner does.
func TestAction(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	src, err := os.ReadFile("../action.yml")
	if err != nil {
		t.Fatal(err)
	}
	var w workflow
	if err := yaml.Unmarshal(src, &w); err != nil {
		t.Fatal(err)
	}
	if w.Runs.Using != "composite" || len(w.Runs.Steps) < 3 {
		t.Fatalf("unexpected action: %+v", w.Runs)
	}
	temp := t.TempDir()
	output := filepath.Join(temp, "output")
	step := func(r *repo, id string, inputs map[string]string) (string, int) {
		for _, s := range w.Runs.Steps {
			if s.ID != id {
				continue
			}
			env := r.env
			for k, v := range s.Env {
				name, ok := strings.CutPrefix(strings.TrimSuffix(v, " }}"), "${{ inputs.")
				if ok {
					if _, known := w.Inputs[name]; !known {
						t.Fatalf("%s uses the unknown input %s", id, name)
					}
					v = w.Inputs[name].Default
					if given, ok := inputs[name]; ok {
						v = given
					}
				}
				if v == "${{ github.action_path }}" {
					v = root(t)
				}
				r.env = append(r.env, k+"="+v)
			}
			r.env = append(r.env, "RUNNER_TEMP="+temp, "GITHUB_OUTPUT="+output)
			defer func() { r.env = env }()
			return r.run(bash, "--noprofile", "--norc", "-eo", "pipefail", "-c", s.Run)
		}
		t.Fatalf("no step %s", id)
		return "", 0
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	dirs := strings.Fields(string(cache))
	r := newRepo(t, "GOMODCACHE="+dirs[0], "GOCACHE="+dirs[1], "GOFLAGS=-buildvcs=false")
	if out, code := step(r, "build", nil); code != 0 {
		t.Fatalf("build: %s", out)
	}
	r.pack("my packs/p")
	r.must("git", "add", "-A")
	r.must("git", "commit", "-q", "-m", "one")
	if out, code := step(r, "lint", nil); code != 0 || strings.Contains(out, "::error") {
		t.Errorf("a clean pack: %d\n%s", code, out)
	}
	r.write("my packs/p/memory/operating-principles.md", clean+"\nWords, 100%.\n\n[goal should] Win.\n")
	out, code := step(r, "lint", map[string]string{"paths": "my packs/p\n", "sarif-file": "out.sarif"})
	if code != 1 || !strings.Contains(out, "::error file=my packs/p/memory/operating-principles.md,line=11,") {
		t.Errorf("a broken pack: %d\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "out.sarif")); err != nil {
		t.Error(err)
	}
	if _, code := step(r, "lint", map[string]string{"fail-on": "never"}); code != 0 {
		t.Errorf("fail-on never: %d", code)
	}
	if out, code := step(r, "lint", map[string]string{"since": "HEAD", "args": "--only\nstray-text\n--fail-on\nwarning"}); code != 1 || strings.Contains(out, "goal-pattern") {
		t.Errorf("since and args: %d\n%s", code, out)
	}
	if out, code := step(r, "lint", map[string]string{"paths": "$(touch pwned)\n; touch pwned"}); code != 3 {
		t.Errorf("an odd path: %d\n%s", code, out)
	}
	if _, err := os.Stat(filepath.Join(r.dir, "pwned")); err == nil {
		t.Error("an input was run as a script")
	}
	got, err := os.ReadFile(output)
	if err != nil || !strings.HasPrefix(string(got), "exit-code=0\nexit-code=1\n") {
		t.Errorf("outputs: %q, %v", got, err)
	}
}

// TestGitLabTemplate runs the template's script.
func TestGitLabTemplate(t *testing.T) {
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash is not installed")
	}
	src, err := os.ReadFile("../ci/gitlab.yml")
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]struct {
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Reports map[string]string
		}
	}
	if err := yaml.Unmarshal(src, &doc); err != nil {
		t.Fatal(err)
	}
	job := doc["amp-lint"]
	r := newRepo(t, "PATH="+build(t)+string(os.PathListSeparator)+os.Getenv("PATH"))
	for k, v := range job.Variables {
		r.env = append(r.env, k+"="+v)
	}
	r.pack("p")
	r.write("p/memory/operating-principles.md", clean+"\n[goal should] Win.\n")
	if out, code := r.run(bash, "-c", strings.Join(job.Script, "\n")); code != 1 {
		t.Errorf("ended with %d:\n%s", code, out)
	}
	if job.Artifacts.When != "always" || len(job.Artifacts.Reports) != 2 {
		t.Errorf("reports would not be kept: %+v", job.Artifacts)
	}
	for kind, file := range job.Artifacts.Reports {
		if text, err := os.ReadFile(filepath.Join(r.dir, file)); err != nil || !strings.Contains(string(text), "goal-pattern") {
			t.Errorf("%s: %v", kind, err)
		}
	}
}
