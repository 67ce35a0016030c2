package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/internal/testpack"
)

func TestNoFormatShowsACredentialOfAPack(t *testing.T) {
	all := "--quiet"
	for _, f := range report.Formats() {
		all += " --output " + f + "=" + f + ".out"
	}
	lines := []string{
		all, "--capabilities", "--capabilities --format json", "--show-files", "--diff --fix-suggested", "--check",
		"--cache --cache-dir c", "--baseline b.json --baseline-update", "--baseline b.json --format json",
	}
	shown := 0
	for _, p := range testpack.EveryPlanted(2) {
		t.Run(p.Name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			t.Setenv("HOME", t.TempDir())
			for name, text := range p.Files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join("P", name)), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(filepath.Join("P", name), []byte(text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			use := func(line string) {
				var out, errs strings.Builder
				run(strings.Fields(line), strings.NewReader(""), &out, &errs)
				text := out.String() + errs.String()
				files, _ := filepath.Glob("*.out")
				for _, file := range files {
					data, _ := os.ReadFile(file)
					text += "\n" + string(data)
				}
				defer func() {
					for _, file := range files {
						_ = os.Remove(file)
					}
				}()
				shown += len(text)
				if piece := p.Leak(text); piece != "" {
					for _, l := range strings.Split(text, "\n") {
						if at := strings.Index(l, piece); at >= 0 {
							t.Errorf("amp-lint %s: %.300s", line, l[max(0, at-150):])
							break
						}
					}
				}
			}
			for _, line := range lines {
				use(line + " P")
			}
			if strings.Contains(p.Name, " in ") { // it takes its time for each value, by design
				use("fingerprint P")
			}
			use("suppress --reason because --diff P")
			use("--fix-suggested --allow-unsigned-change P")
		})
	}
	if shown < 1<<20 {
		t.Errorf("only %d bytes were shown", shown)
	}
}
