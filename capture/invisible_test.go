package capture

import (
	"strings"
	"testing"
)

// A token that a character without shape splits is whole to whoever reads or
// copies it.
func TestCredentialsSplitByInvisibleCharactersAreRejected(t *testing.T) {
	secret := "sk-" + strings.Repeat("a1B2", 6)
	for _, c := range []string{"\u200b", "\u200d", "\u00ad", "\ufeff", "\u2060", "\u034f", "\u115f", "\u3164", "\u180e", "\ufe0f", "\U000e0020", "\U000e0100", "\u202e", "\u2066", "\x01", "\x7f", "\u0080"} {
		split := secret[:9] + c + secret[9:]
		for name, u := range map[string]Unit{
			"content": {Type: "claim", Content: "The key is " + split + "."},
			"body":    {Type: "demonstration", Facets: []string{"positive"}, Body: "line\n" + split},
			"reason":  {Type: "claim", Content: "The key is set.", Reason: "It was " + split},
		} {
			d, err := Build([]Unit{u, {Type: "claim", Content: "The ferry has two decks."}}, nil, Options{Name: "ferry", Title: "Ferry", Created: "2026-05-02", Origin: "self"})
			if err != nil || len(d.Rejected) != 1 {
				t.Errorf("%s with %+q: %v, rejected %v, invalid %v", name, c, err, d.Rejected, d.Invalid)
			}
			for _, f := range d.Files {
				if strings.Contains(f.Text, secret[9:]) {
					t.Errorf("%s with %+q: %s holds it", name, c, f.Path)
				}
			}
		}
		got := Distil([]Note{{Path: "feedback_x.md", Text: "# Rule\n\nIn tests, never use the key " + split + " again.\n"}})
		if len(got.Rejected) != 1 || got.Rejected[0].Line != 3 || len(got.Units)+len(got.Ambiguous) != 0 {
			t.Errorf("note with %+q: %+v", c, got)
		}
	}
	if kind := hit("Żółć 👩\u200d🚀 and a\u00adword are no credential, nor is na\u200bïve text"); kind != "" {
		t.Error(kind)
	}
}

func TestMembersOfTheWrongKindAreToldInTheWordsOfJSON(t *testing.T) {
	for line, want := range map[string]string{
		`{"type": 1}`:                     `"type" must be a string`,
		`{"type": "claim", "more": "x"}`:  `"more" must be a list of strings`,
		`{"type": "claim", "line": "x"}`:  `"line" must be a whole number`,
		`{"type": "claim", "facets": {}}`: `"facets" must be a list of strings`,
		`{"code": 1}`:                     `"code" must be a string`,
		`[1]`:                             "no JSON object",
		`3`:                               "no JSON object",
	} {
		_, _, problems := ReadUnits(strings.NewReader(line), "u.jsonl")
		if len(problems) != 1 || !strings.Contains(problems[0].Message, want) || strings.Contains(problems[0].Message, "Unit") || strings.Contains(problems[0].Message, "[]") {
			t.Errorf("%s: %v, want %s", line, problems, want)
		}
	}
}
