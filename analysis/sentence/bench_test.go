package sentence

import "testing"

var typical = []string{
	"Arkwright Press was founded in 2009 by two librarians who could not agree on a typeface.",
	"Test coverage of the parser is 93 percent, measured on every pull request by the nightly job.",
	"The deck oven on the ground floor is older than the building and has a door that sticks.",
	"In all customer-facing copy, never use em dashes, exclamation marks or words of praise.",
	"When two designs cost the same to build, prefer the one that is easier to delete later.",
	"Optimize for reader trust over reach on every decision about what to publish and when.",
	"By Friday the board shows which loaves went home and which came back, with the reasons.",
}

func corpusBytes() (n int64) {
	for _, s := range typical {
		n += int64(len(s))
	}
	return n
}

var sink bool

func bench(b *testing.B, judge func(string) bool) {
	b.SetBytes(corpusBytes())
	b.ReportAllocs()
	for b.Loop() {
		for _, s := range typical {
			sink = judge(s)
		}
	}
}

func BenchmarkGoal(b *testing.B)      { bench(b, Goal) }
func BenchmarkDirective(b *testing.B) { bench(b, Directive) }

func BenchmarkClaim(b *testing.B) {
	bench(b, func(s string) bool { p, _, _ := Claim(s); return p == None })
}

func TestNothingAllocates(t *testing.T) {
	rows := readClaims(t, "testdata/own.jsonl")
	for _, s := range typical {
		rows = append(rows, labelled{Text: s})
	}
	got := testing.AllocsPerRun(5, func() {
		for _, r := range rows {
			sink = Goal(r.Text)
			sink = Directive(r.Text)
			p, _, _ := Claim(r.Text)
			sink = p == None
			_, _, sink = FixDirective(r.Text)
		}
	})
	if got != 0 {
		t.Errorf("%v allocations over %d sentences, want none", got, len(rows))
	}
}
