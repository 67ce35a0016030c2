package baseline

import (
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/pack"
)

func TestFingerprintsFollowContentNotPlace(t *testing.T) {
	file := func(s string) *pack.File { return &pack.File{Path: "memory/a.md", Text: s} }
	at := func(s, word string) string { return Fingerprint("r", "m", file(s), strings.Index(s, word)) }
	base := at("[goal] Win.\n  > Because.\n", "Win")
	for name, c := range map[string]struct {
		text string
		same bool
	}{
		"moved":              {"[claim] The desk is wide.\n\n[goal] Win.\n  > Because.\n", true},
		"other breaks":       {"[goal] Win.\r\n  > Because.\r\n", true},
		"more white space":   {"[goal]  Win. \n  >  Because.\n", true},
		"an edited reason":   {"[goal] Win.\n  > Why not.\n", false},
		"an edited sentence": {"[goal] Win big.\n  > Because.\n", false},
	} {
		if got := at(c.text, "Win") == base; got != c.same {
			t.Errorf("%s: same %v", name, got)
		}
	}
	if Fingerprint("other", "m", file("[goal] Win.\n  > Because.\n"), 0) == base {
		t.Error("two rules share a fingerprint")
	}
	if Fingerprint("r", "a", nil, 0) == Fingerprint("r", "b", nil, 0) {
		t.Error("two messages about a missing file share a fingerprint")
	}
	key := "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"
	other := "sk-" + "7hR9zLw2Xc7VbN8mKj3HtR6z"
	if at("[claim] The key is "+key+".\n", "key") != at("[claim] The key is "+other+".\n", "key") {
		t.Error("a fingerprint depends on a credential, which could be guessed by it")
	}
}
