package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/testpack"
)

// plantedCommands are run one after the other with every planted pack: all commands
// that read a pack or what is installed, refused and not, as text and as JSON. Only
// amp payload and amp parse --format json print a file as it is.
var plantedCommands = []string{
	"sign P --key K", "sign P --key K --force",
	"verify P", "verify P --json", "verify P --lint", "verify P --lint --json", "verify P --public-key K.pub --json",
	"install --from-path P", "install --from-path P --json",
	"install --from-path P --allow-findings", "install --from-path P --allow-findings --json", "install --from-path P --scope user --allow-findings",
	"list", "list --json", "inspect planted", "inspect planted --json", "verify .amp/planted --lint --json",
	"unpack planted --wiki W --dry-run", "unpack planted --wiki W --dry-run --json", "unpack planted --wiki W --yes",
	"parse P/memory/operating-principles.md", "parse P/manifest.json",
	"capture P --name again --out O", "capture P --name again2 --out O2 --json",
	"trust add P", "trust list", "trust list --json",
	"edit", "inspect planted", "inspect planted --json", "list --json", "uninstall planted",
}

func TestNoCommandShowsACredentialOfAPack(t *testing.T) {
	ran := map[string]bool{}
	for _, p := range testpack.EveryPlanted(1) {
		t.Run(p.Name, func(t *testing.T) {
			_, project := scratch(t)
			writeFiles(t, project, map[string]string{"AGENTS.md": "# Mine\n", "W/index.md": "# Wiki\n"})
			if code, _, stderr := amp("keygen", "--out", "K.key"); code != 0 {
				t.Fatal(stderr)
			}
			writeFiles(t, filepath.Join(project, "P"), p.Files)
			for _, line := range plantedCommands {
				if line == "edit" { // the pack and what is recorded of it are changed by hand
					for name, text := range p.Files {
						writeFiles(t, filepath.Join(project, ".amp/planted"), map[string]string{name: text + "\n"})
					}
					meta := filepath.Join(project, ".amp/.meta/planted.json")
					old, _ := os.ReadFile(meta)
					writeFiles(t, project, map[string]string{".amp/.meta/planted.json": strings.Replace(string(old), `"installed_at": "`, `"installed_at": "`+strings.ReplaceAll(strings.ReplaceAll(p.Values[0], `\`, `\\`), `"`, `\"`), 1)})
					continue
				}
				args := strings.Fields(strings.NewReplacer("K.pub", "K.pub", " K", " K.key").Replace(line))
				code, stdout, stderr := amp(args...)
				if piece := p.Leak(stdout + stderr); piece != "" {
					for _, l := range strings.Split(stdout+stderr, "\n") {
						if strings.Contains(l, piece) {
							t.Errorf("amp %s: %.300s", line, l)
							break
						}
					}
				}
				if code == 0 {
					ran[line] = true
				}
			}
		})
	}
	for _, line := range []string{"install --from-path P --allow-findings", "list --json", "sign P --key K --force", "inspect planted", "uninstall planted"} {
		if !ran[line] {
			t.Errorf("amp %s never succeeded: it showed nothing", line)
		}
	}
}
