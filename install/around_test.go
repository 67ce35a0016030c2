package install

import (
	"path/filepath"
	"strings"
	"testing"
)

func TestBesideNamesTheOtherPacksAndTheBlocksThatSaySomethingElse(t *testing.T) {
	w := Where{Dir: t.TempDir(), Home: t.TempDir()}
	agents := "# AMP Routing — a\n\n## Always load\n- x.md — all\n"
	block := func(slug, text string) string {
		return renderBlock(localCreator, slug, text, ".amp/"+slug+"/memory/")
	}
	for _, slug := range []string{"a", "b", "new"} {
		write(t, filepath.Join(w.Dir, ".amp", slug, "agents.md"), agents)
	}
	write(t, filepath.Join(w.Home, ".amp", "u", "agents.md"), agents)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\r\n\r\n"+strings.ReplaceAll(block("a", agents), "\n", "\r\n")+"\r\n")
	write(t, filepath.Join(w.Dir, "AGENTS.md"), "# Mine\n\n"+block("b", agents+"Always carry the kettle.\n")+"\n"+block("new", "old text\n")+"\n")
	write(t, filepath.Join(w.Dir, ".cursor/rules/amp-b.mdc"), "---\n---\n<!-- amp:begin @local/gone -->\nAlways carry the garden.\n")
	folders, blocks, err := Beside(w, "new")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range folders {
		got = append(got, filepath.Base(f))
	}
	if s := strings.Join(got, " "); s != "a b u" {
		t.Errorf("folders: %s", s)
	}
	if len(blocks) != 2 {
		t.Fatalf("%d blocks: %+v", len(blocks), blocks)
	}
	for _, b := range blocks {
		if b.Whole[b.Start:b.Start+len(b.Text)] != b.Text {
			t.Errorf("%s: the text is not at %d", b.File, b.Start)
		}
	}
	if blocks[0].Slug != "gone" || !strings.Contains(blocks[0].Text, "garden") || blocks[1].Slug != "b" || !strings.Contains(blocks[1].Text, "kettle") {
		t.Errorf("blocks: %+v", blocks)
	}
}

func TestBesideOfAHomeThatIsTheProjectCountsOnce(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, ".amp", "a", "agents.md"), "x\n")
	folders, _, err := Beside(Where{Dir: dir, Home: dir}, "")
	if err != nil || len(folders) != 1 {
		t.Errorf("%v, %v", folders, err)
	}
}
