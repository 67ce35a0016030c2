package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/parser/text"
)

// BenchmarkKeystroke types into a pack whose one file has the given size, and
// judges it. The cost must not grow with the file.
func BenchmarkKeystroke(b *testing.B) {
	for _, size := range []int{10 << 10, 10 << 20} {
		b.Run(fmt.Sprint(size>>10, "KB"), func(b *testing.B) {
			dir := b.TempDir()
			var body strings.Builder
			body.WriteString("---\ntype: cluster\napplies_to: writing\nsource: self\n---\n")
			for i := 0; body.Len() < size; i++ {
				fmt.Fprintf(&body, "\n[directive must, org, permanent] In part %d, always name the place with number %d.\n  > Readers of part %d look for it.\n", i, i*7, i)
			}
			files := map[string]string{
				"manifest.json":                  `{"name":"x","title":"X","layout":"semantic-cluster","primitive_format":"inline-tag-v0.4","agents_file":"agents.md","agents":["codex"],"capability_files":["operating-principles.md"]}`,
				"agents.md":                      "# x\n\n## Always load\n- operating-principles.md — all\n",
				"memory/operating-principles.md": body.String(),
			}
			for name, data := range files {
				path := filepath.Join(dir, filepath.FromSlash(name))
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					b.Fatal(err)
				}
				if err := os.WriteFile(path, []byte(data), 0o644); err != nil {
					b.Fatal(err)
				}
			}
			s := New(Env{Registry: rules.All()})
			ctx, stop := context.WithCancel(b.Context())
			defer stop()
			go s.Run(ctx)
			path := filepath.Join(dir, "memory", "operating-principles.md")
			id := Identity{Key: FileURI(path), URI: FileURI(path), Path: path}
			s.Open(id, 1, "markdown", body.String())
			snap := s.Settled(ctx, s.Now())
			d := snap.Doc(id.Key)
			snap.View(d).All()
			line, _ := d.Tree.Position(size/2, text.UTF16)
			for !strings.HasPrefix(first(d.Tree.Line(line)), "[") {
				line++
			}
			version := int64(1)
			b.ReportAllocs()
			for b.Loop() {
				version++
				c := Change{StartLine: line, EndLine: line, StartChar: 40, EndChar: 40, Text: "x"}
				if version%2 == 1 {
					c.EndChar, c.Text = 41, ""
				}
				if err := s.Edit(id.Key, version, text.UTF16, []Change{c}); err != nil {
					b.Fatal(err)
				}
				snap := s.Snapshot()
				snap.View(snap.Doc(id.Key)).All()
			}
		})
	}
}

func first(s string, _ text.Span) string { return s }
