package parser

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"
)

// The naive reader is Part 5 by the letter: its regular expressions, line by
// line, with the resolutions of R-e (which tags open a brace), R-f, R-fm and R-j.
// It shares no code with the parser.

type naiveBlock struct {
	word, facets, content, reason string
	hasReason                     bool
	line                          int // 0-based, of the tag
}

// ecma is ECMAScript's \s; Go's \s is ASCII.
const ecma = `[\t\n\v\f\r \x{00A0}\x{1680}\x{2000}-\x{200A}\x{2028}\x{2029}\x{202F}\x{205F}\x{3000}\x{FEFF}]`

var (
	naiveTag    = regexp.MustCompile(`(?s)^\[([0-9A-Za-z_]+)([^\]]*?)\]` + ecma + `*(.*)$`)
	naiveReason = regexp.MustCompile(`(?s)^` + ecma + `{2}>` + ecma + `?(.*)$`)
	naiveFence  = regexp.MustCompile(`^---` + ecma + `*$`)
	naiveKnown  = regexp.MustCompile(`^\[(goal|claim|directive|demonstration|demo)([^0-9A-Za-z_].*)?$`)
	naiveBreak  = regexp.MustCompile("\r\n|\r|\n")
)

func naiveParse(src string) []naiveBlock {
	lines := naiveBreak.Split(strings.TrimPrefix(src, "\ufeff"), -1)
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	i := 0
	if len(lines) > 0 && naiveFence.MatchString(lines[0]) {
		for i = 1; i < len(lines) && !naiveTag.MatchString(lines[i]) && !naiveKnown.MatchString(lines[i]); i++ {
			if naiveFence.MatchString(lines[i]) {
				i++
				break
			}
		}
	}
	var out []naiveBlock
	for i < len(lines) {
		m := naiveTag.FindStringSubmatch(lines[i])
		if m == nil {
			i++
			continue
		}
		b := naiveBlock{word: m[1], facets: m[2], content: m[3], line: i}
		i++
		demo := b.word == "demo" || b.word == "demonstration"
		if b.content == "{" || demo && strings.HasSuffix(b.content, "{") {
			var body []string
			for i < len(lines) && lines[i] != "}" {
				body = append(body, lines[i])
				i++
			}
			i++
			b.content = strings.Join(body, "\n")
		}
		var reasons []string
		for i < len(lines) {
			r := naiveReason.FindStringSubmatch(lines[i])
			if r == nil {
				break
			}
			reasons = append(reasons, r[1])
			i++
		}
		b.reason, b.hasReason = strings.Join(reasons, "\n"), reasons != nil
		out = append(out, b)
	}
	return out
}

// checkNaive compares the parser's primitives with those of the naive reader.
func checkNaive(t *testing.T, src string) {
	t.Helper()
	want := naiveParse(src)
	n := 0
	for it := range Parse(src, V04).All() {
		if it.Kind() != Primitive {
			continue
		}
		r := it.FacetString()
		got := naiveBlock{
			word: it.Written(), facets: it.Text()[r.Start:r.End], content: it.Content(), reason: it.Reason(), hasReason: it.HasReason(), line: it.Line,
		}
		if n == len(want) {
			t.Fatalf("%q: more than %d blocks: %+v", src, n, got)
		}
		w := want[n]
		if it.Unclosed() {
			// What an open body ends with is not settled by the letter.
			got.content, w.content = strings.TrimRight(got.content, "\n"), strings.TrimRight(w.content, "\n")
		}
		if got != w {
			t.Fatalf("%q: block %d is\n%+v, by the letter of Part 5\n%+v", src, n, got, w)
		}
		n++
	}
	if n != len(want) {
		t.Fatalf("%q: %d blocks, by the letter of Part 5 %d: %+v", src, n, len(want), want[n])
	}
}

func FuzzNaive(f *testing.F) {
	for _, s := range []string{
		"---\ntype: cluster\n---\n\n[claim] A is b.\n  > why\n", "[demo positive] {\n}\n  > x\n[x]{\n[y]\n}", "\ufeff---\r[goal a, b] c {\r\n}",
		"[claim]\u2003a\n\u00a0\u2003>\u3000b", "sources:\n  [a] b\n[c]", "[demo] a {\r}\r\n}\n", "---\n[claim\n---\n[b]",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, src string) { checkNaive(t, src) })
}

func TestPrimitivesAreThoseOfPart5ByTheLetter(t *testing.T) {
	forRandomTexts(4000, func(src string) { checkNaive(t, src) })
}

func forRandomTexts(n int, do func(src string)) {
	for seed := range uint64(n) {
		r := rand.New(rand.NewPCG(seed, 7))
		do(randomText(r, r.IntN(40)))
	}
}
