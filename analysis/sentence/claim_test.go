package sentence

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

type labelled struct {
	Text  string `json:"text"`
	OK    bool   `json:"ok"`
	Why   string `json:"why"`
	Level string `json:"level"`
	Soft  bool   `json:"soft"`
}

func readClaims(t testing.TB, path string) (rows []labelled) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		if strings.TrimSpace(sc.Text()) == "" {
			continue
		}
		var r labelled
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		rows = append(rows, r)
	}
	if err := sc.Err(); err != nil {
		t.Fatal(err)
	}
	return rows
}

// The bars are those the sets were made for. A true sentence reported as an
// error is the worse mistake and is counted apart.
func TestClaimMeetsTheBarsOfTheLabelledSets(t *testing.T) {
	bars := map[string]float64{"easy": 1, "medium": 0.95, "hard": 0.75}
	for _, file := range []string{"testdata/claims.jsonl", "testdata/own.jsonl"} {
		t.Run(file, func(t *testing.T) {
			total, right := map[string]int{}, map[string]int{}
			falseAlarms := 0
			for _, r := range readClaims(t, file) {
				if r.Soft {
					continue
				}
				total[r.Level]++
				problem, _, _ := Claim(r.Text)
				if (problem == None) == r.OK {
					right[r.Level]++
					continue
				}
				if r.OK {
					falseAlarms++
				}
				t.Logf("%s: %q is ok=%v (%s), got %v", r.Level, r.Text, r.OK, r.Why, problem)
			}
			for level, bar := range bars {
				if total[level] == 0 {
					t.Fatalf("no %s rows", level)
				}
				if got := float64(right[level]) / float64(total[level]); got < bar {
					t.Errorf("%s: %d of %d right, the bar is %.0f%%", level, right[level], total[level], 100*bar)
				}
				t.Logf("%s: %d of %d", level, right[level], total[level])
			}
			t.Logf("true sentences reported: %d", falseAlarms)
		})
	}
}

func TestClaimRangeCoversTheOpeningWord(t *testing.T) {
	for _, c := range []struct {
		in, want string
		problem  ClaimProblem
	}{
		{"Use pnpm because it is faster.", "Use", Imperative},
		{"**Never** say it is done.", "Never", Adverb},
		{"🚫 Don’t ship when the board is red.", "Don’t", Imperative},
		{"In 2026 the company is profitable.", "In", Preposition},
		{"If the queue is full, jobs are dropped.", "If", Subordinator},
		{"But the price is fixed.", "But", Conjunction},
		{"Is the server shared?", "Is", Question},
		{"  Currently the app is in beta.", "Currently", Adverb},
		{"The team ships on Tuesdays.", "The team ships on Tuesdays.", NoVerb},
		{"", "", NoVerb},
		{"The oven is old.", "", None},
	} {
		problem, start, end := Claim(c.in)
		if problem != c.problem || c.in[start:end] != c.want {
			t.Errorf("Claim(%q) = %v %q, want %v %q", c.in, problem, c.in[start:end], c.problem, c.want)
		}
	}
}

func TestClaimProblemHasAName(t *testing.T) {
	for p := None; p <= Imperative; p++ {
		if p.String() == "" || p.String() == "unknown" {
			t.Errorf("problem %d has no name", p)
		}
	}
	if got := ClaimProblem(200).String(); got != "unknown" {
		t.Errorf("out of range: %q", got)
	}
}

// Each word of a verb form must be a word of its own.
func TestClaimVerbIsAWord(t *testing.T) {
	for _, c := range []struct {
		in string
		ok bool
	}{
		{"The price _is_ public", true},
		{"The price **is** public", true},
		{"The field is/was public", true},
		{"The price--is public", true},
		{"The price—is public", true},
		{"The price, is, public", true},
		{"The price isn't", true},
		{"The price isn’t", true},
		{"The price isnʼt", true},
		{"They've keys", true},
		{"They'd moved by then", true},
		{"They'd move by then", false},
		{"That's it", true},
		{"The plan's limit", false},
		{"Ines’s limit", false},
		{"The has-many helper", false},
		{"The --is flag", false},
		{"The is_admin flag", false},
		{"The `is` flag", false},
		{"The a.is.b key", false},
		{"The has() helper", false},
		{"The is=1 query", false},
		{"The @has handle", false},
		{"The éis word", false},
		{"The isé word", false},
		{"The is\u0301 word", false},
	} {
		problem, _, _ := Claim(c.in)
		if (problem != NoVerb) != c.ok {
			t.Errorf("Claim(%q) = %v, want a verb: %v", c.in, problem, c.ok)
		}
	}
}

func FuzzClaim(f *testing.F) {
	for _, file := range []string{"testdata/claims.jsonl", "testdata/own.jsonl"} {
		for _, r := range readClaims(f, file) {
			f.Add(r.Text)
		}
	}
	f.Add("\xff\xfe is \xe2\x80")
	f.Add("I’d a’a’a’a’a’a’aed is")
	f.Add("Recently a’a’a’a’a’a’aed pots are")
	f.Fuzz(func(t *testing.T, s string) {
		problem, start, end := Claim(s)
		if start < 0 || start > end || end > len(s) {
			t.Fatalf("Claim(%q) = %v, range %d to %d of %d", s, problem, start, end, len(s))
		}
		if (problem == None || problem == NoVerb && s == "") != (start == end) {
			t.Fatalf("Claim(%q) = %v with range %d to %d", s, problem, start, end)
		}
	})
}

// Hostile lines repeat what makes the judge look again; the time must stay
// linear. A quadratic walk over these takes minutes.
func TestClaimIsLinearOnHostileLines(t *testing.T) {
	const n = 50_000
	for _, unit := range []string{"just ", "test that is ", "it is ", "is ", "is/", "who's ", "'s ", "before ", "test before ", "-", "a-", "’", "é", "**", "(", "a, "} {
		for _, tail := range []string{"", " is", " it is it is", "?"} {
			for _, head := range []string{"", "Test ", "Use ", "Only ", "If "} {
				Claim(head + strings.Repeat(unit, n) + tail)
			}
		}
	}
	for _, s := range []string{strings.Repeat("just ", n) + "is", "Test " + strings.Repeat("that is ", n)} {
		Directive(s)
		FixDirective("In x, " + s)
	}
}
