package sign

import (
	"os"
	"path/filepath"
	"testing"
)

// Moving contents along the names keeps the signature; the pack must not pass
// without a word.
func TestContentsMovedAlongTheNamesAreTold(t *testing.T) {
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name  string
		extra bool
	}{{"all listed", false}, {"a note beside", true}, {"key instead", true}} {
		dir := t.TempDir()
		put := func(name, text string) {
			t.Helper()
			if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		put("manifest.json", `{"name": "ferry", "layout": "semantic-cluster", "capability_files": ["x.md"]}`)
		put("agents.md", "the routing")
		put("memory/x.md", "a capability")
		if c.name == "a note beside" {
			put("z.txt", "a note")
		}
		if _, err := Sign(dir, key, Options{Scheme: Spec, NoEmbed: true}); err != nil {
			t.Fatal(err)
		}
		if c.name == "key instead" { // with no signing.pub signed, the capability becomes one
			put(EmbeddedName, "a capability")
			if err := os.Remove(filepath.Join(dir, "memory/x.md")); err != nil {
				t.Fatal(err)
			}
		} else if c.extra { // agents.md becomes a.txt, the capability agents.md, the note a capability
			put("a.txt", "the routing")
			put("agents.md", "a capability")
			put("memory/x.md", "a note")
			if err := os.Remove(filepath.Join(dir, "z.txt")); err != nil {
				t.Fatal(err)
			}
		}
		p, err := Open(dir)
		if err != nil {
			t.Fatal(err)
		}
		if err := p.Hash(); err != nil {
			t.Fatal(err)
		}
		if m, err := p.Verify(key.Public()); err != nil || m == nil {
			t.Fatalf("%s: %v, %v", c.name, m, err)
		}
		if got := p.RoleNote() != ""; got != c.extra {
			t.Errorf("%s: told %v", c.name, got)
		}
		p.Close()
	}
}

// The key that a signature is checked with is the one that was hashed with the pack.
func TestTheShippedKeyIsTheOneThatWasHashed(t *testing.T) {
	dir := t.TempDir()
	other, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{"manifest.json": []byte("{}"), EmbeddedName: other.Public().PEM()} {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Hash(); err != nil {
		t.Fatal(err)
	}
	if key, err := p.Embedded(); err != nil || !key.Equal(other.Public()) {
		t.Errorf("%v, %v", key, err)
	}
	another, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, EmbeddedName), another.Public().PEM(), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Embedded(); err == nil {
		t.Error("another key than the one that was hashed is taken")
	}
	if err := os.Remove(filepath.Join(dir, EmbeddedName)); err != nil {
		t.Fatal(err)
	}
	if _, err := p.Embedded(); err == nil {
		t.Error("a key that went away is not missed")
	}
}
