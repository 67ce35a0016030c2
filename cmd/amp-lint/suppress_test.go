package main

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/suppress"
)

// TestSuppressSilencesAndBringsUpNothing: on a pack for every rule, the comments
// take findings away and add none, credentials stay, and a second run has nothing
// to do.
func TestSuppressSilencesAndBringsUpNothing(t *testing.T) {
	silenced := 0
	for slug, dir := range specimens(t) {
		copied := filepath.Join(t.TempDir(), filepath.Base(dir))
		if err := os.CopyFS(copied, os.DirFS(dir)); err != nil {
			t.Fatal(err)
		}
		before := lintJSON(t, "--no-config", copied)
		var out, errs bytes.Buffer
		args := []string{"suppress", "--no-config", "--allow-unsigned-change", "--reason", "the test says so", copied}
		code := run(args, strings.NewReader(""), &out, &errs)
		if code > exitFindings {
			t.Fatalf("%s: ended with %d: %s", slug, code, &errs)
		}
		after := lintJSON(t, "--no-config", copied)
		silenced += len(before) - len(after)
		rest := slices.Clone(before)
		for _, f := range after {
			i := slices.Index(rest, f)
			if i < 0 {
				t.Errorf("%s: %v is new", slug, f)
				continue
			}
			rest = slices.Delete(rest, i, i+1)
		}
		for _, f := range rest {
			if slices.Contains(suppress.Protected, f.Rule) {
				t.Errorf("%s: a comment silenced %v", slug, f)
			}
		}
		// A comment that does nothing is none to write another for.
		left := without(after, suppress.Rule)
		if (code == exitClean) != (len(left) == 0) {
			t.Errorf("%s: ended with %d and %d findings: %s", slug, code, len(after), &errs)
		}
		texts := readAll(t, copied)
		run(args, strings.NewReader(""), &out, &errs)
		if again := readAll(t, copied); again != texts {
			t.Errorf("%s: the second run changed something", slug)
		}
	}
	if silenced < 60 {
		t.Errorf("only %d findings were silenced", silenced)
	}
}

func readAll(t *testing.T, dir string) string {
	t.Helper()
	var b strings.Builder
	err := filepath.WalkDir(dir, func(p string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		src, err := os.ReadFile(p)
		b.WriteString(p + "\x00" + string(src) + "\x00")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return b.String()
}
