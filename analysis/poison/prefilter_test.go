package poison_test

import (
	"bufio"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/pack"
)

// everyUnit yields the prose units of all labelled packs, attacks and harmless
// ones, and of the texts of the trade.
func everyUnit(tb testing.TB, yield func(*poison.Unit)) {
	tb.Helper()
	judge := func(files map[string]string) {
		var list []*pack.File
		for path, text := range files {
			list = append(list, &pack.File{Path: path, Text: text, Size: int64(len(text))})
		}
		slices.SortFunc(list, func(a, b *pack.File) int { return strings.Compare(a.Path, b.Path) })
		units.All(pack.New("", list), "", nil, func(u *poison.Unit) bool {
			// A negative demonstration is judged by whoever revives it.
			if u.Kind != poison.Raw && u.Kind != poison.RouteCell && u.Kind != poison.YAMLComment && u.Valence != "negative" {
				yield(u)
			}
			return true
		})
	}
	sets, err := filepath.Glob("testdata/*.jsonl")
	if err != nil || len(sets) < 5 {
		tb.Fatalf("%d sets: %v", len(sets), err)
	}
	for _, name := range sets {
		f, err := os.Open(name)
		if err != nil {
			tb.Fatal(err)
		}
		defer f.Close()
		sc := bufio.NewScanner(f)
		sc.Buffer(nil, 1<<20)
		for sc.Scan() {
			var row struct {
				Files map[string]string `json:"files"`
			}
			if err := json.Unmarshal(sc.Bytes(), &row); err != nil {
				tb.Fatal(err)
			}
			judge(row.Files)
		}
	}
	docs, err := filepath.Glob("testdata/benign/*.md")
	if err != nil || len(docs) < 50 {
		tb.Fatalf("%d texts: %v", len(docs), err)
	}
	for _, name := range docs {
		b, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		judge(map[string]string{"memory/notes.md": string(b)})
		judge(map[string]string{"README.md": string(b)})
	}
}

func missing(u *poison.Unit) []string {
	got := poison.Filtered(u)
	var out []string
	for _, h := range poison.Unfiltered(u) {
		rule, _, _ := strings.Cut(h, " ")
		if !slices.ContainsFunc(got, func(g string) bool { return g == h || strings.HasPrefix(g, rule+" ") && u.Kind == poison.DemoBody }) {
			out = append(out, h)
		}
	}
	return out
}

// The gates may only turn away what no rule would report: the analysis says of
// every unit what it says without them, as it stands and joined to, cut into and
// strewn with words of others.
func TestGatesLoseNoFinding(t *testing.T) {
	var texts []string
	n, hits := 0, 0
	everyUnit(t, func(u *poison.Unit) {
		n++
		hits += len(poison.Unfiltered(u))
		if m := missing(u); len(m) > 0 {
			t.Errorf("the gates lose %v: kind %d %s %q", m, u.Kind, u.Type, u.Text)
		}
		if len(u.Text) < 400 {
			texts = append(texts, u.Text)
		}
	})
	if n < 2000 || hits < 150 {
		t.Fatalf("only %d units with %d hits", n, hits)
	}
	rng := rand.New(rand.NewPCG(7, 11))
	pick := func() []string { return strings.Fields(texts[rng.IntN(len(texts))]) }
	rounds := 6000
	if testing.Short() {
		rounds = 500
	}
	for range rounds {
		a, b := pick(), pick()
		if len(a) == 0 || len(b) == 0 {
			continue
		}
		i, j := rng.IntN(len(a)), rng.IntN(len(b))
		var w []string
		switch rng.IntN(4) {
		case 0:
			w = slices.Concat(a[:i], b[j:])
		case 1:
			w = slices.Concat(a, b)
		case 2:
			w = slices.Concat(a[:i], b[j:j+1], a[i:])
		default:
			w = slices.Concat(a[:i], a[min(i+1, len(a)):])
		}
		text := strings.Join(w, " ")
		if rng.IntN(8) == 0 {
			text = "always " + text
		}
		for _, u := range []*poison.Unit{
			{Kind: poison.Content, Type: "directive", Text: text},
			{Kind: poison.Content, Type: "claim", Text: text},
			{Kind: poison.DemoBody, Type: "demonstration", Valence: "positive", Text: text},
			{Kind: poison.Loose, Text: text},
		} {
			u.File = "memory/x.md"
			if m := missing(u); len(m) > 0 {
				t.Errorf("the gates lose %v: kind %d %s %q", m, u.Kind, u.Type, text)
			}
		}
	}
}

// A block that is turned away as a whole has no unit with anything to say.
func TestQuietBlocksHaveNoFacts(t *testing.T) {
	quiet := 0
	everyUnit(t, func(u *poison.Unit) {
		if !poison.Quiet("[claim permanent] " + u.Text + "\n") {
			return
		}
		quiet++
		for _, v := range []poison.Unit{{Kind: poison.Content, Type: "directive"}, {Kind: poison.Content, Type: "claim"}, {Kind: poison.Reason, Type: "claim"}, {Kind: poison.Loose}} {
			v.File, v.Text = "memory/x.md", u.Text
			if f := poison.Facts(&v); f != nil {
				t.Errorf("quiet, but kind %d %s has facts: %q", v.Kind, v.Type, v.Text)
			}
		}
	})
	if quiet < 500 {
		t.Fatalf("only %d texts are quiet", quiet)
	}
}
