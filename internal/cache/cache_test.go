package cache

import (
	"crypto/sha256"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "a", "b"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func files(t *testing.T, s *Store) []string {
	t.Helper()
	out, err := filepath.Glob(filepath.Join(s.dir, "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestEntriesComeBackAndDamagedOnesDoNot(t *testing.T) {
	s := open(t)
	k := Key(sha256.Sum256([]byte("k")))
	if _, ok := s.Get(k); ok {
		t.Error("an empty cache has an entry")
	}
	s.Put(k, []byte("value"))
	if v, ok := s.Get(k); !ok || string(v) != "value" {
		t.Errorf("got %q, %v", v, ok)
	}
	for _, damage := range []func(p string) error{
		func(p string) error { return os.WriteFile(p, []byte("short"), 0o600) },
		func(p string) error { return os.WriteFile(p, []byte(strings.Repeat("x", 100)), 0o600) },
		func(p string) error { return os.Truncate(p, 0) },
		os.Remove,
	} {
		if err := damage(files(t, s)[0]); err != nil {
			t.Fatal(err)
		}
		if v, ok := s.Get(k); ok {
			t.Errorf("a damaged entry is read: %q", v)
		}
	}
	s.Put(k, make([]byte, maxEntry))
	if _, ok := s.Get(k); ok {
		t.Error("too large an entry is kept")
	}
}

func TestPruneKeepsTheNewest(t *testing.T) {
	s := open(t)
	for i := range 20 {
		k := Key{byte(i)}
		s.Put(k, []byte{byte(i)})
		when := time.Now().Add(time.Duration(i-100) * time.Hour)
		if err := os.Chtimes(filepath.Join(s.dir, name(k)), when, when); err != nil {
			t.Fatal(err)
		}
	}
	s.Prune(10)
	if n := len(files(t, s)); n != 9 {
		t.Errorf("%d entries are left, expected 9", n)
	}
	if _, ok := s.Get(Key{19}); !ok {
		t.Error("the newest is gone")
	}
	if _, ok := s.Get(Key{0}); ok {
		t.Error("the oldest is there")
	}
}

func TestStateSeesEveryChange(t *testing.T) {
	dir := t.TempDir()
	skip := func(n string) bool { return n == ".git" }
	write := func(name, s string) {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(s), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("a", "1")
	write("memory/b", "1")
	last := walkState(t, dir, skip)
	for what, change := range map[string]func(){
		"a new file":        func() { write("c", "") },
		"a changed file":    func() { write("memory/b", "22") },
		"a renamed file":    func() { _ = os.Rename(filepath.Join(dir, "a"), filepath.Join(dir, "z")) },
		"other permissions": func() { _ = os.Chmod(filepath.Join(dir, "memory/b"), 0o600) },
	} {
		change()
		if now := walkState(t, dir, skip); now == last {
			t.Errorf("%s does not show", what)
		} else {
			last = now
		}
	}
	write(".git/x", "1")
	if walkState(t, dir, skip) != last {
		t.Error("a skipped folder shows")
	}
	if _, ok := State(dir, nil, skip); ok {
		t.Error("a folder that changed just now has a state")
	}
	if _, ok := State(filepath.Join(dir, "none"), nil, skip); ok {
		t.Error("a missing folder has a state")
	}
}

// walkState is State without the wait: change times can't be set back.
func walkState(t *testing.T, dir string, skip func(string) bool) Key {
	t.Helper()
	h := sha256.New()
	w := walker{h: h, skip: skip, limit: time.Now().Add(time.Hour).UnixNano()}
	if !w.dir(dir, 0) {
		if _, ok := list(dir); !ok {
			t.Skip("no states on this system; content is read instead")
		}
		t.Fatal("no state")
	}
	return Key(h.Sum(nil))
}
