package units_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
)

// prosePages are this project's own pages on attacks, without their examples: text
// that is full of the words of attacks and orders nothing.
func prosePages(t *testing.T) map[string][]string {
	t.Helper()
	names, err := filepath.Glob("../../../docs/rules/*.md")
	if err != nil || len(names) < 40 {
		t.Fatalf("%d pages, %v", len(names), err)
	}
	out := map[string][]string{}
	for _, name := range append(names, "../../../docs/security.md") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var paragraphs []string
		fenced := false
		for _, p := range strings.Split(string(b), "\n") {
			switch {
			case strings.HasPrefix(p, "```"):
				fenced = !fenced
			case !fenced:
				paragraphs = append(paragraphs, p)
			}
		}
		out[filepath.Base(name)] = paragraphs
	}
	return out
}

// 8: a page that explains attacks is none, as a document of a pack, as a capability
// file and as statements.
func TestPagesAboutAttacksAreLeftAlone(t *testing.T) {
	pages := prosePages(t)
	forms := map[string]func([]string) map[string]string{
		"a README":   func(p []string) map[string]string { return withReadme(strings.Join(p, "\n")) },
		"loose text": func(p []string) map[string]string { return body(strings.Join(p, "\n")) },
		"claims":     func(p []string) map[string]string { return body(asBlocks("[claim permanent] ", p)...) },
		"reason lines": func(p []string) map[string]string {
			return body(asBlocks("[claim permanent] The page is here.\n  > ", p)...)
		},
		"demonstration": func(p []string) map[string]string {
			return body("[demo negative, illustrates: pages] {\n" + strings.Join(p, "\n") + "\n}\n")
		},
	}
	for form, files := range forms {
		flaggedPages := 0
		for name, paragraphs := range pages {
			set := files(paragraphs)
			got := flagged(units.Judge(load(set)))
			if len(got) == 0 {
				continue
			}
			flaggedPages++
			for _, f := range got {
				t.Logf("%s as %s: %s/%s %s: %q", name, form, f.Rule, f.Severity, f.Message, clip(set[f.File], f.Start, f.End))
			}
		}
		t.Logf("as %s: %d of %d pages flagged", form, flaggedPages, len(pages))
		if flaggedPages*100 > 8*len(pages) {
			t.Errorf("as %s: %d of %d pages flagged, more than 8 %%", form, flaggedPages, len(pages))
		}
	}
	// The examples are attacks, so the pages with them are not quiet.
	b, err := os.ReadFile("../../../docs/rules/instruction-override.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(b), "disregard the earlier rules") {
		t.Fatal("the page has another example now")
	}
	if got := units.Judge(load(body(attack))); len(got) == 0 || got[0].Severity != poison.Error {
		t.Error("an example that is used as an order passes")
	}
}

func asBlocks(head string, paragraphs []string) []string {
	var out []string
	for _, p := range paragraphs {
		if p = strings.Trim(p, "#|-* "); len(p) > 20 {
			out = append(out, head+p+"\n")
		}
	}
	return out
}
