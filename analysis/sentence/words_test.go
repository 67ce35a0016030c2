package sentence

import (
	"strings"
	"testing"
)

func TestEveryListedWordIsFound(t *testing.T) {
	for o, list := range openers {
		for _, w := range strings.Fields(list) {
			if len(w) > len(fold{}.buf) {
				t.Errorf("%q is too long for the table", w)
			}
			// A later list takes a word over from an earlier one.
			if got := lookup(strings.ToUpper(w)).opens; got < opener(o) {
				t.Errorf("%q opens %d, want %d or later", w, got, o)
			}
		}
	}
	for r, list := range roles {
		for _, w := range strings.Fields(list) {
			if lookup(w).role&r == 0 {
				t.Errorf("%q lacks role %b", w, r)
			}
		}
	}
}

func TestUnlistedWordsHaveNoEntry(t *testing.T) {
	for _, w := range []string{"", "bakery", "is_admin", "überraschung", "antidisestablishmentarianism", "\xff\xfe"} {
		if e := lookup(w); e != (entry{}) {
			t.Errorf("%q has entry %v", w, e)
		}
	}
}
