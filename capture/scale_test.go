package capture

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"
)

// Notes take time in proportion to their size, whatever they are made of. What is
// quadratic shows at half a mebibyte, with AMP_SLOW=1; the short run holds it to
// what is noticed at once.
func TestNotesTakeTimeInProportionToTheirSize(t *testing.T) {
	size := 32 << 10
	if os.Getenv("AMP_SLOW") == "1" {
		size = MaxNote / 8
	}
	for _, s := range []string{
		"<!-- -->", "[[a]]", "[[a|", "]]", "<!--", "-->", "- a\n", "- a\n\n", "  - a\n", "> ", "\"a b c\" ", "“", "**a** ", "```\n", "a. B", "1 ", "Ran x. ", "Ran \"a b c\" ", "- In x, never y z%.\n",
		"# a\n", "| a |\n", "\n", "- The a is b.\n", "Source: a\n", "_*_*", "|", "$", "&", "`", "{",
	} {
		text := strings.Repeat(s, size/len(s))
		for _, name := range []string{"log.md", "page.md", "philosophy.md", "feedback.md"} {
			start := time.Now()
			d := Distil([]Note{{name, text}})
			if _, err := Build(d.Units, d.Sources, options()); err != nil && !errors.Is(err, ErrEmpty) {
				t.Errorf("%q: %v", s, err)
			}
			if took := time.Since(start); took > 10*time.Second {
				t.Errorf("%q in %s takes %v", s, name, took)
			}
		}
	}
}
