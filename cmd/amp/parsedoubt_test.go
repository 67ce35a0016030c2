package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A file that can't be read as it was meant must not look like an empty one.
func TestParseSaysWhatItCouldNotRead(t *testing.T) {
	dir := t.TempDir()
	for _, c := range []struct{ name, text, want string }{
		{"yaml.md", "---\ntype: cluster\napplies_to: a: b\n---\n\n[claim] The pot is red.\n", "line 3: YAML takes this value of `applies_to`"},
		{"open.md", "---\ntype: cluster\n\n[claim] The pot is red.\n", "never closed"},
		{"large.md", "---\n" + strings.Repeat("a: {}\n", 100_000) + "---\n", "too large"},
		{"wide.md", "\xff\xfe[\x00c\x00", "UTF-16"},
		{"wide2.md", "[\x00c\x00l\x00", "UTF-16"},
		{"latin.md", "---\ntype: cluster\n---\n\n[claim] The caf\xe9 is open.\n", "line 5: not UTF-8"},
		{"manifest.json", "{}", "no capability file"},
		{"agents.md", "# A\n", "no capability file"},
		{"good.md", "---\ntype: cluster\n---\n\nsources:\n  A: A book\n\n[claim] The pot is red.\n", ""},
	} {
		file := filepath.Join(dir, c.name)
		if err := os.WriteFile(file, []byte(c.text), 0o644); err != nil {
			t.Fatal(err)
		}
		for _, format := range []string{"text", "json"} {
			var out, errs strings.Builder
			code := run([]string{"parse", "--format", format, file}, &out, &errs)
			if code != 0 || (errs.Len() > 0) != (c.want != "") || !strings.Contains(errs.String(), c.want) {
				t.Errorf("%s as %s: exit %d, %q, want %q", c.name, format, code, errs.String(), c.want)
			}
			if strings.Contains(out.String(), "A book \n") {
				t.Errorf("a blank ends the line: %q", out.String())
			}
		}
	}
}
