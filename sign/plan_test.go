package sign

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// What Plan returns, written by someone else, is what Sign writes.
func TestPlanIsWhatSignWrites(t *testing.T) {
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	make := func() string {
		dir := t.TempDir()
		for name, data := range map[string]string{"manifest.json": "{\n  \"name\": \"x\"\n}\n", "agents.md": "# x\n"} {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		return dir
	}
	for _, o := range []Options{{Scheme: Spec}, {Scheme: JSONB}, {Scheme: Spec, NoEmbed: true}} {
		signed, planned := make(), make()
		want, err := Sign(signed, key, o)
		if err != nil {
			t.Fatal(err)
		}
		files, got, err := Plan(planned, key, o)
		if err != nil {
			t.Fatal(err)
		}
		if got.Signature != want.Signature || got.Files != want.Files {
			t.Errorf("%+v: planned %+v, signed %+v", o, got, want)
		}
		for _, f := range files {
			data, err := os.ReadFile(filepath.Join(signed, f.Name))
			if err != nil || !bytes.Equal(data, f.Data) {
				t.Errorf("%+v: %s differs from what Sign wrote (%v)", o, f.Name, err)
			}
		}
		if raw, err := os.ReadFile(filepath.Join(planned, "manifest.json")); err != nil || bytes.Contains(raw, []byte("signature")) {
			t.Errorf("Plan changed the pack: %s %v", raw, err)
		}
	}
}
