package install

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/sign"
)

// world is a project and a home folder of a test's own.
type world struct {
	t testing.TB
	Where
	packs string
}

func newWorld(t testing.TB) *world {
	t.Helper()
	root := t.TempDir()
	w := &world{t, Where{Dir: filepath.Join(root, "project"), Home: filepath.Join(root, "home")}, filepath.Join(root, "packs")}
	for _, d := range []string{w.Dir, w.Home, w.packs} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return w
}

func write(t testing.TB, name, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// pack makes a pack in a folder of its own; files override or add to it.
func (w *world) pack(name string, files map[string]string) string {
	w.t.Helper()
	all := map[string]string{
		"manifest.json": fmt.Sprintf(`{"name": %q, "title": "Pack %s", "version": {"number": 1}, "layout": "semantic-cluster",
  "agents_file": "agents.md", "agents": ["claude-code"], "capability_files": ["operating-principles.md"]}`, name, name),
		"agents.md":                      "# AMP Routing — " + name + "\n\n## Always load\n- operating-principles.md — how we work\n",
		"memory/operating-principles.md": "[goal should, project, permanent] Optimize for " + name + ".\n",
	}
	maps.Copy(all, files)
	dir, err := os.MkdirTemp(w.packs, "pack")
	if err != nil {
		w.t.Fatal(err)
	}
	for f, text := range all {
		write(w.t, filepath.Join(dir, f), text)
	}
	return dir
}

var testTime = time.Date(2026, 5, 2, 10, 0, 0, 0, time.UTC)

func (w *world) install(pack string, scope Scope, agents ...string) (*Result, error) {
	return Install(Request{Where: w.Where, Pack: pack, Scope: scope, Agents: agents, Now: testTime})
}

func (w *world) mustInstall(pack string, scope Scope, agents ...string) *Result {
	w.t.Helper()
	r, err := w.install(pack, scope, agents...)
	if err != nil {
		w.t.Fatal(err)
	}
	return r
}

func (w *world) uninstall(slug string, scope Scope) error {
	_, err := Uninstall(w.Where, scope, slug, testTime)
	return err
}

// snapshot maps every name below the project and the home folder to its mode and
// content.
func (w *world) snapshot() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	for _, base := range []string{w.Dir, w.Home} {
		err := filepath.WalkDir(base, func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			fi, err := d.Info()
			if err != nil {
				return err
			}
			rel, _ := filepath.Rel(filepath.Dir(base), p)
			text := fi.Mode().String()
			switch {
			case fi.Mode().IsRegular():
				data, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				data = []byte(strings.ReplaceAll(string(data), filepath.Dir(base), "ROOT"))
				if len(data) > 300 {
					data = fmt.Appendf(nil, "%d bytes, %x", len(data), sha256.Sum256(data))
				}
				text += " " + string(data)
			case fi.Mode()&fs.ModeSymlink != 0:
				to, _ := os.Readlink(p)
				text += " -> " + to
			}
			out[rel] = text
			return nil
		})
		if err != nil {
			w.t.Fatal(err)
		}
	}
	return out
}

// files leaves out of a snapshot what is no state: folders, which may be left
// empty, the lock file and the list of folders.
func files(snap map[string]string) map[string]string {
	out := map[string]string{}
	for k, v := range snap {
		if !strings.HasPrefix(v, "d") && !strings.HasSuffix(k, "/.lock") && !strings.HasSuffix(k, "/.made") {
			out[k] = v
		}
	}
	return out
}

// differences lists the names in which two snapshots differ.
func differences(a, b map[string]string) []string {
	var out []string
	for k, v := range a {
		if b[k] != v {
			out = append(out, fmt.Sprintf("%s: %.120q became %.120q", k, v, b[k]))
		}
	}
	for k, v := range b {
		if _, ok := a[k]; !ok {
			out = append(out, fmt.Sprintf("%s is new: %.120q", k, v))
		}
	}
	slices.Sort(out)
	return out
}

func (w *world) expectUnchanged(before map[string]string) {
	w.t.Helper()
	if d := differences(before, w.snapshot()); len(d) > 0 {
		w.t.Errorf("the disk changed:\n%s", strings.Join(d, "\n"))
	}
}

func signPack(t *testing.T, dir string, key sign.PrivateKey) {
	t.Helper()
	if _, err := sign.Sign(dir, key, sign.Options{Scheme: sign.Spec}); err != nil {
		t.Fatal(err)
	}
}

func newKey(t *testing.T) sign.PrivateKey {
	t.Helper()
	key, err := sign.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return key
}

func wantError(t *testing.T, err error, part string) {
	t.Helper()
	if err == nil || !strings.Contains(err.Error(), part) {
		t.Errorf("error %v, want one with %q", err, part)
	}
}

// TestMain puts the scratch folders into memory where that is possible: the tests
// sync thousands of files, and what they check does not depend on the disk.
func TestMain(m *testing.M) {
	if dir, err := os.MkdirTemp("/dev/shm", "amp-test-"); err == nil {
		os.Setenv("TMPDIR", dir)
		code := m.Run()
		os.RemoveAll(dir)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

var errSentinel = errors.New("injected")

func sumOf(data []byte) string { return fmt.Sprintf("%x", sha256.Sum256(data)) }
