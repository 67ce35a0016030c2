package pack

import (
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/parser"
)

func readFrontmatter(src string) (*Frontmatter, *parser.Block) {
	it, _ := parser.Parse("---\n"+src+"---\n", parser.V04).AtIndex(0)
	return ParseFrontmatter(it.Block), it.Block
}

// What most people get wrong is said in words of the frontmatter, at the place
// where it is to be mended; and mended there, the frontmatter is read.
func TestCommonSlipsOfYAMLAreNamedWhereTheyAre(t *testing.T) {
	for src, want := range map[string]string{
		"type: cluster\napplies_to: signs and menus: all of them\nsource: self\n":        "quotes|signs and menus: all of them",
		"type: cluster\r\napplies_to: signs: all # note\r\nsource: self\r\n":             "quotes|signs: all",
		"type: cluster\napplies_to: @menus\nsource: self\n":                              "quotes|@menus",
		"type: cluster\napplies_to: *menus and more\nsource: self\n":                     "quotes|*menus and more",
		"type: cluster\napplies_to: [menus\nsource: self\n":                              "quotes|[menus",
		"type cluster\napplies_to: menus\nsource: self\n":                                "colon|",
		"type: cluster\napplies_to menus and signs\nsource: self\n":                      "colon|",
		"type: cluster\napplies_to: menus\nsource: self\nprimitive_counts\n  claim: 1\n": "colon|",
		"type cluster\napplies_to menus\n":                                               "colon|",
		"type: cluster\napplies_to: |\n  type cluster\n  a: b: c\nsource: @self\n":       "quotes|@self",
		"type: cluster\napplies_to: \"a: b\"\nsource: self: other\n":                     "quotes|self: other",
		"type: cluster\napplies_to: menus\n\tsource: self\n":                             "|",
		"type: cluster\ntype: cluster\n":                                                 "|",
	} {
		f, b := readFrontmatter(src)
		if f.Err == nil {
			t.Errorf("%q is read", src)
			continue
		}
		help, value, _ := strings.Cut(want, "|")
		got := ""
		switch {
		case f.Err.Quote != parser.Rel{}:
			got = "quotes|" + b.Text()[f.Err.Quote.Start:f.Err.Quote.End]
		case f.Err.Colon != parser.Rel{}:
			got = "colon|"
		default:
			got = "|"
		}
		if got != help+"|"+value {
			t.Errorf("%q: %q, want %q (%s)", src, got, want, f.Err.Message)
		}
		if help != "" && (strings.Contains(f.Err.Message, "not valid") || f.Err.Rel == parser.Rel{}) {
			t.Errorf("%q: %+v", src, f.Err)
		}
	}
}
