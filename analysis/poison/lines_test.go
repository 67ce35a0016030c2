package poison

import (
	"os"
	"strings"
	"testing"
)

// readLines reads units written one a line as kind|text: d a directive, c a
// claim, g a goal, p a positive demonstration, l loose text, r text as written.
func readLines(t *testing.T, name string) []*Unit {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var out []*Unit
	for line := range strings.SplitSeq(string(b), "\n") {
		kind, text, ok := strings.Cut(line, "|")
		if !ok {
			continue
		}
		u := &Unit{Kind: Content, Type: "directive", File: "memory/x.md", Text: strings.ReplaceAll(text, `\n`, "\n")}
		switch kind {
		case "c":
			u.Type = "claim"
		case "g":
			u.Type = "goal"
		case "p":
			u.Kind, u.Type, u.Valence = DemoBody, "demonstration", "positive"
		case "l":
			u.Kind, u.Type = Loose, ""
		case "r":
			u.Kind, u.Type = Raw, ""
		}
		out = append(out, u)
	}
	if len(out) < 50 {
		t.Fatalf("%s holds only %d lines", name, len(out))
	}
	return out
}

func flagged(u *Unit) []hit {
	var out []hit
	if f := Facts(u); f != nil {
		for _, h := range f.hits {
			if h.sev >= Warning {
				out = append(out, h)
			}
		}
	}
	return out
}

func TestParaphrasedOrdersAreFound(t *testing.T) {
	for _, u := range readLines(t, "orders.txt") {
		if len(flagged(u)) == 0 {
			t.Errorf("missed: %s", u.Text)
		}
	}
}

func TestHarmlessLinesAreLeftAlone(t *testing.T) {
	for _, u := range readLines(t, "harmless.txt") {
		for _, h := range flagged(u) {
			t.Errorf("%s: %s (%s)", h.rule, u.Text, h.msg)
		}
	}
}

// The prefilter may only turn away what the rules would pass anyway.
func TestPrefilterLosesNothing(t *testing.T) {
	for _, name := range []string{"orders.txt", "harmless.txt"} {
		for _, u := range readLines(t, name) {
			if u.Kind == Raw {
				continue
			}
			for _, h := range unitRules(u, u.Text) {
				if h.sev >= Warning && len(flagged(u)) == 0 {
					t.Errorf("the prefilter loses %s: %s", h.rule, u.Text)
				}
			}
			if len(flagged(u)) > 0 && Quiet(u.Text) {
				t.Errorf("quiet, but flagged: %s", u.Text)
			}
		}
	}
}
