package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func lintOutput(t *testing.T, stdin string, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := run(args, strings.NewReader(stdin), &out, &errs); code > exitFindings {
		t.Fatalf("%v ended with %d:\n%s", args, code, &errs)
	}
	return out.String()
}

// TestShuffledArgumentsGiveTheSameReport: whole packs, single files and repeated
// ones, in any order, byte for byte.
func TestShuffledArgumentsGiveTheSameReport(t *testing.T) {
	var args []string
	for _, dir := range specimens(t) {
		args = append(args, dir, dir)
		if f := filepath.Join(dir, "memory", "operating-principles.md"); isFile(f) {
			args = append(args, f)
		}
	}
	slices.Sort(args)
	for _, format := range []string{"json", "text", "sarif"} {
		want := lintOutput(t, "", append([]string{"--no-config", "--format", format}, args...)...)
		if len(want) < 10_000 {
			t.Fatalf("%s: hardly a report: %d bytes", format, len(want))
		}
		for seed := range uint64(4) {
			r := rand.New(rand.NewPCG(seed, 1))
			r.Shuffle(len(args), func(i, k int) { args[i], args[k] = args[k], args[i] })
			if got := lintOutput(t, "", append([]string{"--no-config", "--format", format}, args...)...); got != want {
				t.Errorf("%s: seed %d gives another report", format, seed)
			}
		}
	}
}

// TestStandardInputAndPathGiveTheSameReport: every file of every specimen by its
// path, by standard input in its place, and, the whole pack being nowhere on disk,
// by --stdin-batch.
func TestStandardInputAndPathGiveTheSameReport(t *testing.T) {
	files, batches := 0, 0
	for _, dir := range slices.Sorted(maps.Values(specimens(t))) {
		type unsaved struct {
			Path string `json:"path"`
			Text string `json:"text"`
		}
		var all []unsaved
		plain := true
		// In the folder the pack lies in: paths are then the same for both.
		t.Chdir(filepath.Dir(dir))
		base := filepath.Base(dir)
		err := filepath.WalkDir(base, func(p string, d os.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				plain = plain && err == nil && d.IsDir()
				return err
			}
			src, err := os.ReadFile(p)
			if err != nil {
				return err
			}
			files++
			all = append(all, unsaved{filepath.ToSlash(p), string(src)})
			plain = plain && utf8.Valid(src) // JSON has no other text
			want := lintOutput(t, "", "--no-config", "--format", "json", p)
			if got := lintOutput(t, string(src), "--no-config", "--format", "json", "--stdin-filename", p, "-"); got != want {
				t.Errorf("%s: by path\n%s\nby standard input\n%s", p, want, got)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
		if !plain {
			continue
		}
		in, err := json.Marshal(map[string]any{"files": all})
		if err != nil {
			t.Fatal(err)
		}
		batches++
		// A file that is missing is none that was given.
		want := slices.DeleteFunc(findings(t, lintOutput(t, "", "--no-config", "--format", "json", base)), func(f finding) bool {
			// And a signature is verified on disk alone.
			return f.Rule == "signature-stale" || !slices.ContainsFunc(all, func(u unsaved) bool { return u.Path == f.Path })
		})
		t.Chdir(t.TempDir())
		if got := findings(t, lintOutput(t, string(in), "--no-config", "--format", "json", "--stdin-batch")); !slices.Equal(got, want) {
			t.Errorf("%s: by path %v, by --stdin-batch %v", base, want, got)
		}
	}
	if files < 100 || batches < 25 {
		t.Errorf("%d files and %d packs only", files, batches)
	}
}

func findings(t *testing.T, report string) []finding {
	t.Helper()
	var r struct{ Diagnostics []finding }
	if err := json.Unmarshal([]byte(report), &r); err != nil {
		t.Fatal(err)
	}
	return r.Diagnostics
}
