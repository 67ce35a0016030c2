package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/parser"
)

// secret is put together here so that no scanner stops at this file.
const secret = "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"

// TestGolden holds what becomes of notes to the bytes in testdata; UPDATE_GOLDEN=1
// writes them.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 4 {
		t.Fatalf("%d golden files: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			m := fstest.MapFS{}
			var want string
			for _, f := range a.Files {
				if f.Name == "want" {
					want = string(f.Data)
					continue
				}
				m[f.Name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
			}
			notes, problems, err := ReadNotes(m)
			if err != nil {
				t.Fatal(err)
			}
			d := Distil(notes)
			got := show(t, d, problems)
			if os.Getenv("UPDATE_GOLDEN") != "" {
				a.Files = append(slices.DeleteFunc(a.Files, func(f txtar.File) bool { return f.Name == "want" }), txtar.File{Name: "want", Data: []byte(got)})
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			if got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			draft, err := Build(d.Units, d.Sources, options())
			if errors.Is(err, ErrEmpty) {
				return
			}
			if err != nil || len(draft.Invalid)+len(draft.Rejected) > 0 {
				t.Fatalf("%v %v %v", err, draft.Invalid, draft.Rejected)
			}
			for _, f := range findings(load(draft.Files)) {
				if !strings.Contains(f, "no-primitives") {
					t.Error(f)
				}
			}
		})
	}
}

func show(t *testing.T, d *Distillate, problems []Problem) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	put := func(v any) {
		if err := enc.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	for _, u := range d.Units {
		put(u)
	}
	for _, s := range d.Sources {
		put(s)
	}
	for _, u := range d.Ambiguous {
		put(u)
	}
	for _, dup := range d.Duplicates {
		fmt.Fprintf(&b, "duplicate %s:%d of %s\n", dup.Source, dup.Line, dup.Of)
	}
	for _, p := range d.Rejected {
		fmt.Fprintf(&b, "rejected %s\n", p)
	}
	for _, p := range problems {
		fmt.Fprintf(&b, "unread %s\n", p)
	}
	fmt.Fprintf(&b, "narration %d\n", d.DroppedLog)
	return b.String()
}

func TestOnlySentencesThatAreOneTypeAreClassified(t *testing.T) {
	for s, want := range map[string]string{
		"Optimize for dry decks over fast turns.":                   "goal",
		"Default stance: ask before cutting.":                       "goal",
		"The goal is to halve the queue.":                           "goal",
		"In winter, the goal is to keep one kiln warm.":             "goal",
		"In all copy, never use em dashes.":                         "directive",
		"When rain is forecast, prefer tin loaves over rye.":        "directive",
		"In reviews, always default to kindness.":                   "directive",
		"The kiln is electric.":                                     "claim",
		"Dr. Kim has two kilns, e.g. Kiln two.":                     "claim",
		"Fixed costs are 3,000 a month":                             "claim",
		"In winter, the goal is to always keep one kiln warm":       "goal or directive",
		"The kiln should be off at night, it is old.":               "claim or directive",
		"The default is a warm kiln.":                               "claim or goal",
		"The kiln is hot. The door is shut.":                        "claim",
		"It is hot.":                                                "claim",
		"This kiln is hot.":                                         "claim",
		"The kilns are these:":                                      "claim",
		"![The kiln is hot](kiln.png)":                              "",
		"<b>The kiln</b> is hot.":                                   "",
		"Is the kiln hot?":                                          "",
		"Never shout.":                                              "directive",
		"Kiln":                                                      "",
		"":                                                          "",
		"The kiln is {":                                             "",
		"The kiln is hot, " + strings.Repeat("very ", 100) + "hot.": "",
	} {
		typ, between, why := classify(s)
		got := strings.Join(between, " or ")
		if typ != parser.Unknown {
			got = typ.String()
		}
		if got != want || (typ == parser.Unknown) == (why == "") || typ != parser.Unknown && !strings.Contains(want, typ.String()) {
			t.Errorf("%q: %s %q (%s), want %q", s, typ, between, why, want)
		}
	}
}

func TestNarrationIsToldFromFacts(t *testing.T) {
	for s, want := range map[string]bool{
		"Ran /social-news-post pipeline": true, "Committed fix to X": true, "Deployed Y.": true, "**14:20** Deployed the site": true,
		"[2026-05-01] We shipped the new kiln page": true, "✅ fixed it": true, "I wrote 3 posts": true, "Done: moved the shelf": true,
		"Committed": true, "Pushed changes upstream": true, "Updated readme": true,
		"Fixed costs are 3,000 a month": false, "Added sugar is banned in our bread": false, "The site was deployed": false,
		"We are a small press": false, "In posts, always say what shipped": false, "Running shoes are cheap": false, "": false,
	} {
		if got := narrates(s); got != want {
			t.Errorf("%q: %v, want %v", s, got, want)
		}
	}
}

func TestQuotationsAreFoundByTheirMarks(t *testing.T) {
	for s, want := range map[string]string{
		`Li said: "never ship on Fridays", and "ok".`: "never ship on Fridays",
		"wrote “a b c” and «d e f» and „g h i“":       "a b c|d e f|g h i",
		`5" of snow and 3" more of it`:                "of snow and 3",
		`an "open one without end`:                    "",
	} {
		if got := strings.Join(quotations(s), "|"); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}

func TestLogEntriesThatFeedbackHoldsAreDuplicates(t *testing.T) {
	const rule = "In replies to customers, never use exclamation marks or capitals."
	run := func(entry, form string) *Distillate {
		return Distil([]Note{{"feedback_tone.md", rule + "\n"}, {form + ".md", "- " + entry + "\n"}})
	}
	for entry, want := range map[string]int{
		"In customer replies, never use exclamation marks or capitals.": 1,
		"In replies to customers, never use exclamation marks.":         1,
		"In replies to customers, never use emoji.":                     0, // two of three words
		"In replies to customers, always use exclamation marks.":        0, // the opposite
		"In letters, never use capitals.":                               0,
	} {
		d := run(entry, "log")
		if len(d.Duplicates) != want || len(d.Units)+len(d.Ambiguous) != 2-want {
			t.Errorf("%q: %d duplicates, want %d: %+v", entry, len(d.Duplicates), want, d)
		}
		if want == 1 && (d.Duplicates[0].Source != "log.md" || d.Duplicates[0].Of != "feedback_tone.md:1") {
			t.Errorf("%+v", d.Duplicates)
		}
		if d := run(entry, "page"); len(d.Duplicates) != 0 {
			t.Errorf("%q is dropped although it is no log's: %+v", entry, d.Duplicates)
		}
	}
}

func TestUnitsGoWhereTheFirstMatchingRuleSays(t *testing.T) {
	for _, c := range []struct{ typ, content, want string }{
		{"directive", "When a token expires, always ask for one.", opsTools},
		{"claim", "The tokens are short.", opsTools},
		{"directive", "When deploying drafts, always ask.", opsTools},
		{"claim", "The desk is at desk@ferry.example.", opsTools},
		{"directive", "In the .env file, never keep keys.", opsTools},
		{"directive", "In all copy, never use em dashes.", copyVoice},
		{"directive", "In stories about a launch, always keep the brand's colours.", copyVoice},
		{"goal", "Optimize launches for replies.", contentStrategy},
		{"directive", "In letters, always lead with the boat.", contentStrategy},
		{"claim", "The ferry is blue.", productContext},
		{"claim", "The storyboard is blue.", productContext},
		{"claim", "The postgres server is blue.", productContext},
		{"goal", "Optimize for dry decks.", "operating-principles.md"},
		{"directive", "In fog, always sound the horn.", "operating-principles.md"},
		{"demonstration", "Wait here.", demonstrations},
	} {
		if got, matched := route(&Unit{Type: c.typ, Content: c.content}); got != c.want || matched == (c.content == "In fog, always sound the horn.") {
			t.Errorf("%s: %s, %v, want %s", c.content, got, matched, c.want)
		}
	}
}

func TestCredentialsRejectTheUnitAndAreNeverShown(t *testing.T) {
	for name, u := range map[string]Unit{
		"content": {Type: "claim", Content: "The key is " + secret + "."},
		"reason":  {Type: "claim", Content: "The key is safe.", Reason: "It was " + secret},
		"body":    {Type: "demo", Facets: []string{"positive"}, Body: "a\n" + secret},
		"label":   {Type: "demo", Facets: []string{"positive"}, Illustrates: secret, Content: "x"},
		"facet":   {Type: "goal", Facets: []string{secret}, Content: "Optimize."},
		"type":    {Type: secret, Content: "The key is safe."},
		"source":  {Type: "claim", Content: "The key is safe.", Source: secret + ".md"},
	} {
		d, err := Build([]Unit{u, {Type: "claim", Content: "The ferry is blue."}}, nil, options())
		if err != nil || len(d.Rejected) != 1 || len(d.Units) != 1 {
			t.Errorf("%s: %v, %+v", name, err, d)
			continue
		}
		if shown := fmt.Sprint(d.Files, d.Invalid, d.Rejected, d.Duplicates); strings.Contains(shown, secret) {
			t.Errorf("%s: the value is shown", name)
		}
	}
	d, err := Build([]Unit{{Type: "claim", Content: "The key is [REDACTED]."}, {Type: "directive", Content: "In .env, always set OPENAI_API_KEY."}, {Type: "claim", Content: "The key is sk-***."}}, nil, options())
	if err != nil || len(d.Rejected) != 0 || len(d.Units) != 3 {
		t.Errorf("redacted forms and names are rejected: %v, %+v", err, d)
	}
}

// A credential that is cut into two units, or stands in what is dropped, is found
// all the same.
func TestCredentialsAreFoundAcrossUnits(t *testing.T) {
	key := "-----BEGIN RSA PRIVATE" + " KEY-----\nMIIEowIBAAKCAQEAx7Zl0Qb9mC2YV5uKf1pR8sT3wE6nJ4hGx7Zl0Qb9mC2YV5uK\n-----END RSA PRIVATE" + " KEY-----\n"
	for name, text := range map[string]string{
		"over lines":     "# Ops\n\nThe key is here.\n\n- " + key,
		"in narration":   "- Deployed with " + secret + "\n",
		"in a heading":   "# " + secret + "\n\nThe ferry is blue.\n",
		"in a comment":   "<!-- " + secret + " -->\n\nThe ferry is blue.\n",
		"over two lines": "The token = \"" + secret + "\"\nis here.\n",
	} {
		d := Distil([]Note{{"log.md", text}})
		if len(d.Rejected) == 0 {
			t.Errorf("%s: nothing was rejected", name)
		}
		for _, u := range append(d.Units, d.Ambiguous...) {
			if s := fmt.Sprint(u); strings.Contains(s, secret) || strings.Contains(s, "MIIE") {
				t.Errorf("%s: %+v", name, u)
			}
		}
	}
}

func TestNamesOfFilesAreMaskedToo(t *testing.T) {
	notes, problems, err := ReadNotes(fstest.MapFS{secret + ".md": {Data: []byte("The ferry is blue.\n")}, "a/" + secret + ".md": {Data: []byte("\xff")}})
	if err != nil || len(notes) != 1 || len(problems) != 1 {
		t.Fatalf("%v %v %v", notes, problems, err)
	}
	d := Distil(notes)
	draft, err := Build(d.Units, d.Sources, Options{Name: "ferry", Title: "x", Created: "2026-05-02", Origin: "self", Sources: d.Files})
	if s := fmt.Sprint(d, problems, draft.Files); err != nil || len(draft.Units) != 1 || strings.Contains(s, secret) {
		t.Errorf("%v: %s", err, s)
	}
}

func TestUnitsThatNoPackCanHoldAreNamed(t *testing.T) {
	for part, u := range map[string]Unit{
		"unknown type":              {Type: "rule", Content: "x"},
		"must contain":              {Type: "goal", Content: "Win."},
		"noun phrase":               {Type: "claim", Content: "Currently the ferry is blue."},
		"is or has":                 {Type: "claim", Content: "The ferry sinks."},
		"(In|When)":                 {Type: "directive", Content: "Never shout."},
		"one line":                  {Type: "claim", Content: "The ferry\nis blue."},
		"expected scope":            {Type: "goal", Facets: []string{"must", "session"}, Content: "Optimize."},
		"at most 3":                 {Type: "goal", Facets: []string{"must", "org", "permanent", "x"}, Content: "Optimize."},
		"needs its valence":         {Type: "demo", Content: "x"},
		"content or a body":         {Type: "demo", Facets: []string{"mixed"}},
		"not both":                  {Type: "demo", Facets: []string{"mixed"}, Content: "x", Body: "y"},
		"has no body":               {Type: "claim", Content: "The ferry is blue.", Body: "y"},
		"label":                     {Type: "demo", Facets: []string{"mixed"}, Content: "x", Illustrates: "a]b"},
		"brace":                     {Type: "claim", Content: "The ferry is {"},
		"NUL":                       {Type: "claim", Content: "The ferry is \x00"},
		"expected illustrates at":   {Type: "demo", Facets: []string{"mixed", "label"}, Content: "x"},
		"empty":                     {Type: "claim", Content: " "},
		"expected stability at pos": {Type: "claim", Facets: []string{"seasonal"}, Content: "The ferry is blue."},
	} {
		u.Source, u.Line = "n.md", 7
		d, err := Build([]Unit{u, {Type: "claim", Content: "The ferry is blue."}}, nil, options())
		if err != nil || len(d.Invalid) != 1 || len(d.Files) != 0 || !strings.Contains(d.Invalid[0].String(), part) || !strings.HasPrefix(d.Invalid[0].String(), "n.md:7: ") {
			t.Errorf("%s: %v, %+v", part, err, d)
		}
	}
}

func TestLegendsHoldTheSourcesThatAreCited(t *testing.T) {
	units := []Unit{
		{Type: "claim", Content: "The ferry is blue.", Reason: "[Log 7]"},
		{Type: "goal", Content: "Optimize.", Reason: "words\n[Log 8 — verbatim]"},
	}
	d, err := Build(units, []Source{{"Log 8", "Eight: the log", ""}, {"Log 7", "Seven", "https://log.example.org/7"}, {"Log 9", "Nine", ""}, {"Log 7", "Seven", "https://log.example.org/7"}}, options())
	if err != nil || len(d.Invalid) > 0 {
		t.Fatalf("%v %+v", err, d)
	}
	for _, f := range d.Files {
		for part, in := range map[string]string{
			"sources:\n  Log 8: Eight: the log\n\n[goal":                        "memory/operating-principles.md",
			"sources:\n  Log 7: Seven\n    https://log.example.org/7\n\n[claim": "memory/product-context.md",
		} {
			if strings.Contains(f.Text, part) != (f.Path == in) {
				t.Errorf("%s: %s", f.Path, f.Text)
			}
		}
	}
	for _, s := range [][]Source{{{"a: b", "x", ""}}, {{"a", "", ""}}, {{"a", "x\ny", ""}}, {{"a", "x", "y\nz"}}, {{"", "x", ""}}, {{"a", "x", ""}, {"a", "y", ""}}, {{"- a", "x", ""}}} {
		if d, err := Build(units, s, options()); err != nil || len(d.Invalid) != 1 {
			t.Errorf("%q: %v, %+v", s, err, d)
		}
	}
}

func TestUnitsFilesAreBounded(t *testing.T) {
	for part, text := range map[string]string{
		"u.jsonl:1: the line is longer": `{"content":"` + strings.Repeat("x", MaxUnitLine) + `"}`,
		"u.jsonl:2: the line is not":    "{}\n{\"content\":\"\xff\"}\n",
		"u.jsonl:1: the member":         `{"line":"x"}`,
		"u.jsonl:1: more than one":      `{} {}`,
		"u.jsonl:3: unknown field":      "\n\n{\"force\":\"must\"}",
		"more than":                     strings.Repeat("{}\n", maxUnitLines+1),
	} {
		_, _, problems := ReadUnits(strings.NewReader(text), "u.jsonl")
		if len(problems) != 1 || !strings.Contains(problems[0].String(), part) {
			t.Errorf("%s: %.300v", part, problems)
		}
	}
}

func TestPacksAndUnpackedPagesAreNobodysNotes(t *testing.T) {
	notes, problems, err := ReadNotes(fstest.MapFS{
		"a.md":                  {Data: []byte("The ferry is blue.\n")},
		"packs/ferry/x.md":      {Data: []byte("\ufeff<!-- amp-unpack: ferry x.md sha256:00 -->\n")},
		"old.draft/agents.md":   {Data: []byte("x")},
		"old.draft/memory/x.md": {Data: []byte("x")},
		".git/x.md":             {Data: []byte("x")},
	})
	if err != nil || len(notes) != 1 || len(problems) != 2 || !problems[0].Expected || !problems[1].Expected {
		t.Errorf("%v %v %v", notes, problems, err)
	}
}
