package sign

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/jsontree"
)

type oracleCase struct {
	JSON  string   `json:"json,omitempty"`
	Names []string `json:"names,omitempty"`
}

type oracleResult struct {
	Spec, JSONB string
	Sorted      []string
	Error       bool
}

// askNode runs the cases through JavaScript.
func askNode(t *testing.T, cases []oracleCase) []oracleResult {
	t.Helper()
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, it is the oracle of this test")
	}
	in, err := json.Marshal(cases)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, "testdata/oracle.js")
	cmd.Stdin = bytes.NewReader(in)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var res []oracleResult
	if err := json.Unmarshal(out, &res); err != nil {
		t.Fatal(err)
	}
	return res
}

// gen makes random JSON documents that lean towards what differs between
// serializers.
type gen struct{ *rand.Rand }

func (g gen) pick(from ...string) string { return from[g.IntN(len(from))] }

func (g gen) str() string {
	var b strings.Builder
	b.WriteByte('"')
	for range g.IntN(6) {
		b.WriteString(g.pick("a", "Z", "0", "9", "-", "é", "e\u0301", "\u2028", "\u007f", "<", "&", "/", "\U0001F600", "\uE000", "\uFF61", "\uFFFD",
			`\"`, `\\`, `\/`, `\b`, `\f`, `\n`, `\r`, `\t`, `\u0000`, `\u001F`, `\u007f`, `\ud800`, `\udfff`, `\uD83D\uDE00`, `\ud83d`, `\u00e9`, `\ufeff`, `\u2029`))
	}
	b.WriteByte('"')
	return b.String()
}

func (g gen) key() string {
	if g.IntN(2) == 0 {
		return g.str()
	}
	return strconv.Quote(g.pick("", "0", "1", "10", "9", "007", "-1", "1.5", "1e3", "4294967294", "4294967295", "4294967296", "12345678901", "00", "01",
		"name", "signed", "signature", "toJSON", "constructor", "length", "aa", "B", "hasOwnProperty", "valueOf"))
}

func (g gen) number() string {
	switch g.IntN(4) {
	case 0:
		return g.pick("-0", "0", "1e400", "-1e400", "1e21", "1e20", "999999999999999999999", "1e-6", "1e-7", "9.9e-7", "5e-324", "2.4e-324", "1.7976931348623157e308",
			"9007199254740993", "0.1", "100", "1E5", "1.0", "-0.0", "0e5", "123456789012345680000", "1.5e300", "4.35", "2.50", "1e-400", "0.000001", "10e-7")
	case 1:
		return strconv.Itoa(g.IntN(2000) - 1000)
	case 2:
		f := math.Float64frombits(g.Uint64())
		if math.IsNaN(f) || math.IsInf(f, 0) {
			return "0"
		}
		return strconv.FormatFloat(f, 'g', 1+g.IntN(20), 64)
	}
	return fmt.Sprintf("%d.%de%d", g.IntN(100), g.IntN(1000), g.IntN(60)-30)
}

func (g gen) space() string { return g.pick("", "", " ", "\n\t", "\r\n") }

func (g gen) object(depth int) string {
	seen := map[string]bool{}
	var parts []string
	for range g.IntN(7) {
		k := g.key()
		n, err := jsontree.Parse([]byte(k))
		if err != nil || seen[n.Text] {
			continue // duplicates are refused before anything is serialized
		}
		seen[n.Text] = true
		parts = append(parts, k+g.space()+":"+g.space()+g.value(depth-1))
	}
	return "{" + g.space() + strings.Join(parts, g.space()+","+g.space()) + g.space() + "}"
}

func (g gen) value(depth int) string {
	n := 7
	if depth <= 0 {
		n = 5
	}
	switch g.IntN(n) {
	case 0, 1:
		return g.number()
	case 2, 3:
		return g.str()
	case 4:
		return g.pick("true", "false", "null")
	case 5:
		var parts []string
		for range g.IntN(4) {
			parts = append(parts, g.value(depth-1))
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	return g.object(depth)
}

// rounds is how many random cases a differential test tries.
func rounds() int {
	if os.Getenv("AMP_SLOW") == "1" {
		return 200_000
	}
	return 5_000
}

func TestManifestSerializesAsJavaScriptDoes(t *testing.T) {
	g := gen{rand.New(rand.NewPCG(1, uint64(rounds())))}
	var cases []oracleCase
	for range rounds() {
		cases = append(cases, oracleCase{JSON: g.object(4)})
	}
	want := askNode(t, cases)
	for i, c := range cases {
		tree, err := parseManifest([]byte(c.JSON))
		if err != nil || want[i].Error {
			t.Fatalf("%q: %v, node error=%v", c.JSON, err, want[i].Error)
		}
		p := &Pack{Tree: tree}
		if got := string(p.Payload(Spec)); got != want[i].Spec {
			t.Errorf("%q\nspec  %q\nwant  %q", c.JSON, got, want[i].Spec)
		}
		if got := string(p.Payload(JSONB)); got != want[i].JSONB {
			t.Errorf("%q\njsonb %q\nwant  %q", c.JSON, got, want[i].JSONB)
		}
		if t.Failed() {
			return
		}
	}
}

func TestProtoMembersAreLeftOutOfJSONBOnly(t *testing.T) {
	docs := []string{
		`{"__proto__":{"x":1},"a":1}`,
		`{"a":{"__proto__":5,"b":[{"__proto__":[]}]},"__proto__":"s"}`,
		`{"\u005f_proto__":null,"z":{"toString":1}}`,
	}
	var cases []oracleCase
	for _, d := range docs {
		cases = append(cases, oracleCase{JSON: d})
	}
	want := askNode(t, cases)
	for i, d := range docs {
		tree, err := parseManifest([]byte(d))
		if err != nil {
			t.Fatal(err)
		}
		p := &Pack{Tree: tree, Raw: []byte(d)}
		if got := string(p.Payload(Spec)); got != want[i].Spec {
			t.Errorf("spec %q, want %q", got, want[i].Spec)
		}
		if got := string(p.Payload(JSONB)); got != want[i].JSONB {
			t.Errorf("jsonb %q, want %q", got, want[i].JSONB)
		}
		if p.Uncovered(JSONB) == nil || p.Uncovered(Spec) != nil {
			t.Errorf("%s: Uncovered does not tell that only jsonb leaves the member open", d)
		}
	}
}

func TestFileNamesSortAsJavaScriptDoes(t *testing.T) {
	g := gen{rand.New(rand.NewPCG(2, 2))}
	var cases []oracleCase
	for range rounds() / 20 {
		var names []string
		for range 20 {
			var b strings.Builder
			for range 1 + g.IntN(4) {
				b.WriteString(g.pick("a", "B", "/", "-", ".", "0", "10", "9", " ", "!", "é", "e\u0301", "\U0001F600", "\U0001F601", "\uE000", "\uFF61", "\uD7FF", "\U0010FFFF", "ss", "ß"))
			}
			names = append(names, b.String())
		}
		cases = append(cases, oracleCase{Names: names})
	}
	want := askNode(t, cases)
	for i, c := range cases {
		got := slices.Clone(c.Names)
		slices.SortStableFunc(got, compareUTF16)
		if !slices.Equal(got, want[i].Sorted) {
			t.Fatalf("sorted %q\nwant   %q", got, want[i].Sorted)
		}
	}
}

func TestCompareUTF16OrdersSurrogatesByUnit(t *testing.T) {
	// Ascending in UTF-16 code units; unpaired surrogates are WTF-8.
	list := []string{"", "\x00", "A", "Ab", "a", "\u00e9", "\ud7ff", "\xed\xa0\x80", "\U00010000", "\U0001F600", "\U0001F601", "\xed\xbf\xbf", "\uE000", "\uFF61", "\uFFFF"}
	for i, a := range list {
		for j, b := range list {
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := compareUTF16(a, b); got != want {
				t.Errorf("compareUTF16(%q, %q) = %d, want %d", a, b, got, want)
			}
			if got := compareUTF16("x/"+a+"/y", "x/"+b+"/y"); a != "" && b != "" && !strings.HasPrefix(a, b) && !strings.HasPrefix(b, a) && got != want {
				t.Errorf("with the same text around: compareUTF16(%q, %q) = %d, want %d", a, b, got, want)
			}
		}
	}
}
