package credential

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// specPatterns are Part 5's and Part 9's patterns as R-i reads them. boundary
// says that the pattern starts with a letter and so has a left boundary.
var specPatterns = []struct {
	re       *regexp.Regexp
	boundary bool
}{
	{regexp.MustCompile(`sk-[A-Za-z0-9]{20,}`), true},
	{regexp.MustCompile(`re_[A-Za-z0-9]{20,}`), true},
	{regexp.MustCompile(`phc_[A-Za-z0-9]{20,}`), true},
	{regexp.MustCompile(`AKIA[0-9A-Z]{16}`), true},
	{regexp.MustCompile(`=\s*['"][A-Za-z0-9]{32,}`), false},
	{regexp.MustCompile(`(?i:key|token)\s*=\s*['"]?[A-Za-z0-9]{20,}`), true},
}

const endSet = stop

// checkSpec fails when a match of a pattern is not covered by a hit, or only by
// one of lower rank than R-i gives it.
func checkSpec(t *testing.T, text string) {
	t.Helper()
	hits := scanAll(text)
	last := -1
	for _, h := range hits {
		if h.MatchStart > h.Start || h.Start >= h.End || h.End > len(text) || h.Start < last {
			t.Fatalf("%q: bad hit %+v", text, h)
		}
		last = h.End
	}
	for _, p := range specPatterns {
		for _, m := range p.re.FindAllStringIndex(text, -1) {
			want := Error
			if p.boundary && m[0] > 0 && is(text[m[0]-1], alnum) {
				want = Warning
			}
			// Behind a match inside a word, a token further on in the same value
			// is the more specific finding.
			stop := m[1]
			for want == Warning && stop < len(text) && charset[text[stop]]&endSet == 0 {
				stop++
			}
			covered := false
			for _, h := range hits {
				if h.MatchStart < stop && h.End > m[0] && h.Severity >= want {
					covered = true
				}
			}
			if !covered {
				t.Errorf("%q: %s at %d not reported, hits %+v", text, p.re, m[0], hits)
			}
		}
	}
}

func TestPatternsOfTheSpecificationHoldToTheLetter(t *testing.T) {
	frag := []string{
		"sk-", "re_", "phc_", "AKIA", "key", "token", "=", " = ", "\"", "'", ":", " ", "\n", "-", "_", ".", "task-", "monkey", "x", "api_key",
		"abcdefghijklmnopqrst", "Xy7Example0Example0Example0", "ABCDEFGHIJKLMNOP", "abcdefghijabcdefghijabcdefghij12", "12345678901234567890", "ghp_", "eyJ", "é", "://", "@",
	}
	r := rand.New(rand.NewPCG(3, 9))
	for range 60_000 {
		var b strings.Builder
		for range 2 + r.IntN(9) {
			b.WriteString(frag[r.IntN(len(frag))])
		}
		checkSpec(t, b.String())
		if t.Failed() {
			return
		}
	}
}

func FuzzScan(f *testing.F) {
	for _, r := range readLabelled(f, "testdata/labelled.jsonl") {
		f.Add(strings.Join(r.Parts, ""))
	}
	for _, op := range []string{">=", "==", "!=", "<= ", "=== ", "=\f", "<=\f", "=\v\n"} {
		f.Add("a token" + op + "\"" + strings.Repeat("x", 32) + "\"")
	}
	x := strings.Repeat("x", 32)
	f.Add("xtoken = \"" + x + "token=  \"" + x + "\"")
	f.Fuzz(func(t *testing.T, text string) { checkSpec(t, text) })
}

func TestFindingsStartWhereTheMatchDoes(t *testing.T) {
	for _, c := range []struct {
		text  string
		start int
		sev   Severity
	}{
		{"The printer key is sk-Xy7Example0Example0Example0 for now.", 19, Error},
		{"pass = 'abcdefghijabcdefghijabcdefghij12' today", 5, Error},
		{"opened with token = abcdefghij1234567890 today", 12, Error},
		{"🔑 Clé d’accès is sk-Xy7Example0Example0Example0, sorry.", 24, Error},
		{"go to /task-managementdashboardview", 9, Warning},
		{"call store_customerbillinginformation", 8, Warning},
		{"apiKey = userSuppliedApiKeyFromSettings", 3, Warning},
		{"SLOVAKIANATIONALPARKSGUIDE", 4, Warning},
		{"AKIAIOSFODNN7EXAMPLE.", 0, Error},
		{"sort key = customerlifetimevaluebysegment", 5, Error},
	} {
		hits := scanAll(c.text)
		if len(hits) != 1 || hits[0].MatchStart != c.start || hits[0].Severity != c.sev || hits[0].InWord != (c.sev == Warning) {
			t.Errorf("%q: %+v, want start %d severity %d", c.text, hits, c.start, c.sev)
		}
	}
	for _, text := range []string{
		"pass = 'abcdefghijabcdefghijabcdefghij1'", "token = abcdefghij123456789 today", "risk-free pre_commit in the desk-side repo",
		"re_*** and sk-*** and [REDACTED]", "Keys that start with sk- or AKIA are rotated",
	} {
		if hits := scanAll(text); len(hits) != 0 {
			t.Errorf("%q: %+v", text, hits)
		}
	}
}

// The guard is per value: a masked one never excuses a live one.
func TestMaskedValueDoesNotExcuseALiveOne(t *testing.T) {
	hits := scanAll("The old key is sk-*** and [REDACTED], the new one sk-Xy7Example0Example0Example0.")
	if len(hits) != 1 || hits[0].Severity != Error {
		t.Fatalf("got %+v", hits)
	}
}

func TestScanStopsWhenAsked(t *testing.T) {
	n := 0
	Scan(strings.Repeat("sk-Xy7Example0Example0Example0 ", 5), func(Hit) bool { n++; return false })
	if n != 1 {
		t.Fatalf("yield called %d times after false", n)
	}
}

func TestCleanTextAllocatesNothing(t *testing.T) {
	text := prose(1 << 16)
	if n := testing.AllocsPerRun(5, func() { Scan(text, func(Hit) bool { return true }) }); n != 0 {
		t.Fatalf("%v allocations", n)
	}
	if hits := scanAll(text); len(hits) != 0 {
		t.Fatalf("clean prose reported: %+v", hits)
	}
}

func TestMaskKeepsWidthAndLineEnds(t *testing.T) {
	text := "a\nkey sk-Xy7Example0Example0Example0\r\nb"
	got := MaskText(text)
	if want := "a\nkey " + strings.Repeat("*", 30) + "\r\nb"; got != want {
		t.Fatalf("got %q, want %q", got, want)
	}
	if got := Mask("abc", []Hit{{Start: -1, End: 1}, {Start: 2, End: 9}, {Start: 2, End: 1}}); got != "*b*" {
		t.Fatalf("clipped mask: %q", got)
	}
}
