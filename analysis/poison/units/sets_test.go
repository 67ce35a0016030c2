package units_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/pack"
)

type labelled struct {
	ID     string            `json:"id"`
	Files  map[string]string `json:"files"`
	Expect []string          `json:"expect"`
	Where  []string          `json:"where"`
	Tags   []string          `json:"tags"`
	Note   string            `json:"note"`
}

func readSet(tb testing.TB, name string) []labelled {
	tb.Helper()
	f, err := os.Open(filepath.Join("..", "testdata", name))
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var rows []labelled
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r labelled
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, r)
	}
	return rows
}

func load(files map[string]string) *pack.Pack {
	var list []*pack.File
	for path, text := range files {
		list = append(list, &pack.File{Path: path, Text: text, Size: int64(len(text))})
	}
	return pack.New("", list)
}

func flagged(fs []poison.Finding) []poison.Finding {
	var out []poison.Finding
	for _, f := range fs {
		if f.Severity >= poison.Warning {
			out = append(out, f)
		}
	}
	return out
}

func describe(fs []poison.Finding) string {
	var s []string
	for _, f := range fs {
		s = append(s, fmt.Sprintf("%s/%s %s:%d-%d %s", f.Rule, f.Severity, f.File, f.Start, f.End, f.Message))
	}
	return strings.Join(s, "\n\t\t")
}

// score is the recall and precision of a labelled set.
type score struct {
	attacks, found, category, benign, alarms, cross, crossFound int
}

func evaluate(t *testing.T, set string) score {
	t.Helper()
	var s score
	byRule := map[string]int{}
	for _, r := range readSet(t, set) {
		got := flagged(units.Judge(load(r.Files)))
		cross := strings.Contains(strings.Join(r.Tags, " "), "cross-file")
		if len(r.Expect) == 0 {
			s.benign++
			if len(got) > 0 {
				s.alarms++
				t.Errorf("%s: false alarm (%s)\n\t\t%s", r.ID, r.Note, describe(got))
			}
			continue
		}
		s.attacks++
		if cross {
			s.cross++
		}
		if len(got) == 0 {
			t.Errorf("%s: missed %v (%s)", r.ID, r.Expect, r.Note)
			continue
		}
		s.found++
		if cross {
			s.crossFound++
		}
		hit := false
		for _, f := range got {
			byRule[f.Rule]++
			for _, e := range r.Expect {
				hit = hit || f.Rule == e
			}
			if f.Rule == "fragment-assembly" && len(f.Related) == 0 {
				t.Errorf("%s: an assembly must name two places", r.ID)
			}
		}
		if hit {
			s.category++
		} else {
			t.Logf("%s: another category than %v\n\t\t%s", r.ID, r.Expect, describe(got))
		}
	}
	var rules []string
	for r := range byRule {
		rules = append(rules, r)
	}
	sort.Strings(rules)
	for _, r := range rules {
		t.Logf("%-22s %d", r, byRule[r])
	}
	t.Logf("%s: recall %d/%d, across files %d/%d, right category %d, false alarms %d/%d", set, s.found, s.attacks, s.crossFound, s.cross, s.category, s.alarms, s.benign)
	return s
}

func TestPublicSetIsFullyRight(t *testing.T) {
	s := evaluate(t, "public.jsonl")
	if s.found != s.attacks || s.alarms != 0 {
		t.Errorf("recall %d/%d, false alarms %d/%d", s.found, s.attacks, s.alarms, s.benign)
	}
}

func TestOwnSet(t *testing.T) {
	s := evaluate(t, "own.jsonl")
	if s.found != s.attacks || s.alarms != 0 {
		t.Errorf("recall %d/%d, false alarms %d/%d", s.found, s.attacks, s.alarms, s.benign)
	}
}

func TestBlindSet(t *testing.T) {
	evaluate(t, "blind1.jsonl")
}

// asDocument wraps an ordinary text of the trade as a capability file without
// primitives, and as another file of the pack.
func documents(tb testing.TB) map[string]string {
	tb.Helper()
	names, err := filepath.Glob(filepath.Join("..", "testdata", "benign", "*.md"))
	if err != nil {
		tb.Fatal(err)
	}
	out := map[string]string{}
	for _, n := range names {
		b, err := os.ReadFile(n)
		if err != nil {
			tb.Fatal(err)
		}
		out[filepath.Base(n)] = string(b)
	}
	return out
}

const plainManifest = `{"name": "doc", "title": "Doc", "version": {"number": 1}, "layout": "semantic-cluster", "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": ["x"], "capability_files": ["notes.md"]}`

func TestOrdinaryMarkdownIsLeftAlone(t *testing.T) {
	docs := documents(t)
	for _, where := range []string{"README.md", "memory/notes.md"} {
		n := 0
		for name, text := range docs {
			got := flagged(units.Judge(load(map[string]string{"manifest.json": plainManifest, "agents.md": "# AMP Routing\n\n## Always load\n- notes.md\n", where: text})))
			if len(got) > 0 {
				n++
				for _, f := range got {
					t.Logf("%s %s/%s %q: %s", name, f.Rule, f.Severity, clip(text, f.Start, f.End), f.Message)
				}
			}
		}
		t.Logf("as %s: %d of %d flagged", where, n, len(docs))
		if n*25 > len(docs) {
			t.Errorf("as %s: %d of %d flagged, more than 4%%", where, n, len(docs))
		}
	}
}

func clip(s string, a, b int) string {
	a, b = max(0, a-30), min(len(s), b+30)
	if b-a > 160 {
		b = a + 160
	}
	return s[a:b]
}

func TestSecondBlindSet(t *testing.T) {
	evaluate(t, "blind2.jsonl")
}

func TestFourthBlindSet(t *testing.T) {
	evaluate(t, "blind4a.jsonl")
}

// The other half of the fourth set was held back while the rules were widened on the
// first, and the fifth was run when that was done. What is found now is not lost
// again, and nothing harmless is flagged.
func TestSetsThatWereHeldBack(t *testing.T) {
	for _, set := range []struct {
		file            string
		attacks, atMost int // how many there are, and how many of them are still missed
	}{
		{"blind4b.jsonl", 20, 2}, // two that are spread over several files
		{"blind5.jsonl", 30, 1},  // a package index by a name that is nearly right
	} {
		found := 0
		for _, r := range readSet(t, set.file) {
			got := flagged(units.Judge(load(r.Files)))
			switch {
			case len(r.Expect) == 0 && len(got) > 0:
				t.Errorf("%s %s: false alarm (%s)\n\t\t%s", set.file, r.ID, r.Note, describe(got))
			case len(r.Expect) > 0 && len(got) > 0:
				found++
			case len(r.Expect) > 0:
				t.Logf("%s: missed %v (%s)", r.ID, r.Expect, r.Note)
			}
		}
		if found < set.attacks-set.atMost {
			t.Errorf("%s: %d of %d attacks found", set.file, found, set.attacks)
		}
	}
}
