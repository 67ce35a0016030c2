package unpack

import (
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/amp-toolchain/amp/pack"
)

func TestMain(m *testing.M) {
	// What is tested does not depend on the disk, and syncing one is slow.
	if dir, err := os.MkdirTemp("/dev/shm", "amp-test-"); err == nil {
		os.Setenv("TMPDIR", dir)
		code := m.Run()
		os.RemoveAll(dir)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

const front = "---\ntype: cluster\napplies_to: %s\nsource: self\n---\n\n"

// ferry is a small pack; files override or add to it, empty ones go.
func ferry(t testing.TB, files map[string]string) *pack.Pack {
	t.Helper()
	all := map[string]string{
		"manifest.json": `{"name": "ferry", "title": "The *ferry* desk", "version": {"number": 3}, "layout": "semantic-cluster", "primitive_format": "inline-tag-v0.4",
  "agents_file": "agents.md", "agents": ["claude-code"], "capability_files": ["operating-principles.md", "copy-voice.md"]}`,
		"agents.md":                      "# AMP Routing — ferry\n\n## Always load\n- operating-principles.md — first things first\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n| Signs and notices | copy-voice.md |\n",
		"memory/operating-principles.md": fmt.Sprintf(front, "priorities") + "[goal must, org, seasonal] Optimize for dry decks.\n  > Wet ones cost a knee in May.\n\n[claim] The ferry has two decks.\n",
		"memory/copy-voice.md": fmt.Sprintf(front, "signs, harbour notices") + "sources:\n  Log 7: Harbour log\n    https://log.example.org/7\n\n[directive must, org, permanent] In signs, never use more than six words.\n  > [Log 7]\n\n" +
			"[demo negative, illustrates: six-words] {\n  Please be so kind as to wait here.\n}\n  > Nobody reads it.\n",
	}
	maps.Copy(all, files)
	m := fstest.MapFS{}
	for name, text := range all {
		if text != "" {
			m[name] = &fstest.MapFile{Data: []byte(text), Mode: 0o644}
		}
	}
	p, err := pack.Load(m, "ferry")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// world is a wiki on disk.
type world struct {
	t    testing.TB
	dir  string
	root *os.Root
}

func newWorld(t testing.TB, files map[string]string) *world {
	t.Helper()
	w := &world{t: t, dir: t.TempDir()}
	for name, text := range files {
		w.write(name, text)
	}
	var err error
	if w.root, err = os.OpenRoot(w.dir); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { w.root.Close() })
	return w
}

func (w *world) write(name, text string) {
	w.t.Helper()
	p := filepath.Join(w.dir, name)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) read(name string) string {
	w.t.Helper()
	data, err := os.ReadFile(filepath.Join(w.dir, name))
	if err != nil {
		w.t.Fatal(err)
	}
	return string(data)
}

// state maps every name below the wiki to its content and its time of change.
func (w *world) state() map[string]string {
	w.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(w.dir, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == w.dir {
			return err
		}
		rel, _ := filepath.Rel(w.dir, p)
		fi, err := d.Info()
		if err != nil {
			return err
		}
		if fi.Mode().IsRegular() {
			data, err := os.ReadFile(p)
			out[rel] = string(data) + "\x00" + fi.ModTime().Format(time.RFC3339Nano)
			return err
		}
		out[rel] = fi.Mode().String()
		return nil
	})
	if err != nil {
		w.t.Fatal(err)
	}
	return out
}

// files is state without times and folders.
func (w *world) files() map[string]string {
	out := map[string]string{}
	for k, v := range w.state() {
		if text, _, ok := strings.Cut(v, "\x00"); ok {
			out[k] = text
		}
	}
	return out
}

func (w *world) plan(req Request) *Plan {
	w.t.Helper()
	if req.Slug == "" {
		req.Slug = "ferry"
	}
	if req.Pack == nil {
		req.Pack = ferry(w.t, nil)
	}
	p, err := New(w.root, req)
	if err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) run(req Request) *Plan {
	w.t.Helper()
	p := w.plan(req)
	if _, err := p.Apply(w.root); err != nil {
		w.t.Fatal(err)
	}
	return p
}

func (w *world) takeOut(slug string) *Plan {
	w.t.Helper()
	p, err := Removal(w.root, slug)
	if err != nil {
		w.t.Fatal(err)
	}
	if _, err := p.Apply(w.root); err != nil {
		w.t.Fatal(err)
	}
	return p
}

func differ(a, b map[string]string) string {
	var out []string
	for _, k := range slices.Sorted(maps.Keys(a)) {
		if v, ok := b[k]; !ok {
			out = append(out, "gone: "+k)
		} else if v != a[k] {
			out = append(out, fmt.Sprintf("%s: %.300q became %.300q", k, a[k], v))
		}
	}
	for _, k := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[k]; !ok {
			out = append(out, fmt.Sprintf("new: %s: %.300q", k, b[k]))
		}
	}
	return strings.Join(out, "\n")
}

func actions(p *Plan) map[string]string {
	out := map[string]string{}
	for _, pg := range p.Pages {
		out[pg.Path] = pg.Action
	}
	return out
}
