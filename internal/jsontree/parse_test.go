package jsontree

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

func TestParseReportsFirstByteThatCannotContinue(t *testing.T) {
	cases := []struct {
		name, src string
		offset    int
	}{
		{"empty", "", 0},
		{"only white space", " \n", 2},
		{"byte order mark", "\uFEFF{}", 0},
		{"trailing comma in object", `{"a":1,}`, 7},
		{"trailing comma in array", `[1,]`, 3},
		{"leading comma", `[,1]`, 1},
		{"two documents", `{} {}`, 3},
		{"misspelt literal", `[tru]`, 4},
		{"literal with a tail", `truee`, 4},
		{"capitalised literal", `True`, 0},
		{"leading zero", `[01]`, 2},
		{"minus alone", `-`, 1},
		{"minus and letter", `-a`, 1},
		{"plus sign", `+1`, 0},
		{"fraction without digits", `1.`, 2},
		{"fraction with letter", `[1.x]`, 3},
		{"exponent without digits", `1e+`, 3},
		{"NaN", `[NaN]`, 1},
		{"single quotes", `{'a':1}`, 1},
		{"bare name", `{a:1}`, 1},
		{"comment", "{} // x", 3},
		{"missing colon", `{"a" 1}`, 5},
		{"missing comma", `{"a":1 "b":2}`, 7},
		{"missing comma in array", `[1 2]`, 3},
		{"unclosed object", `{"a":1`, 6},
		{"unclosed array", `[1`, 2},
		{"unclosed string", `"abc`, 4},
		{"newline in string", "\"a\nb\"", 2},
		{"NUL in string", "\"a\x00b\"", 2},
		{"NUL outside", "\x00", 0},
		{"unknown escape", `"\x41"`, 2},
		{"short unicode escape", `"\u12g4"`, 5},
		{"escape cut by the quote", `"\u12"`, 5},
		{"escape cut by the end", `"\`, 2},
		{"invalid UTF-8 outside a string", "[\xff]", 1},
		{"no-break space", "[\u00a01]", 1},
		{"wrong closer", `[1}`, 2},
		{"wrong closer of object", `{"a":1]`, 6},
		{"too deep", strings.Repeat("[", MaxDepth+1), MaxDepth},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			n, err := Parse([]byte(c.src))
			if err == nil {
				t.Fatalf("accepted as %v", n.Kind)
			}
			if err.Offset != c.offset {
				t.Errorf("offset %d, want %d (%s)", err.Offset, c.offset, err.Msg)
			}
			if !utf8.ValidString(err.Msg) || strings.ContainsAny(err.Msg, "\n\x00") || err.Msg == "" {
				t.Errorf("message is not one clean line: %q", err.Msg)
			}
		})
	}
}

func TestParseDecodesStringsLosslessly(t *testing.T) {
	cases := []struct{ src, want string }{
		{`""`, ""},
		{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
		{`"\u0000"`, "\x00"},
		{`"\u00e9\u2028"`, "\u00e9\u2028"},
		{`"\ud83d\ude00"`, "\U0001F600"},
		{`"\uD83D\uDE00"`, "\U0001F600"},
		{`"\ud83d"`, "\xed\xa0\xbd"},
		{`"\ude00\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd"},
		{`"\ud83d\ud83d\ude00"`, "\xed\xa0\xbd\U0001F600"},
		{`"\ud83dx"`, "\xed\xa0\xbdx"},
		{`"\ud83d\n"`, "\xed\xa0\xbd\n"},
		{`"\ufffd\ufeff"`, "\ufffd\ufeff"},
		{"\"a\xffb\"", "a\ufffdb"},
		{"\"\xe2\x82\"", "\ufffd"},
		{"\"\xe2\x82x\\n\"", "\ufffdx\n"},
		{"\"\xed\xa0\x80\"", "\ufffd\ufffd\ufffd"},
		{"\"\xf0\x9f\x98\"", "\ufffd"},
		{"\"\xc0\x80\"", "\ufffd\ufffd"},
	}
	for _, c := range cases {
		n, err := Parse([]byte(c.src))
		if err != nil {
			t.Errorf("%q: %v", c.src, err)
			continue
		}
		if n.Kind != String || n.Text != c.want {
			t.Errorf("%q decodes to %q, want %q", c.src, n.Text, c.want)
		}
	}
}

func TestParseKeepsOrderDuplicatesAndSpans(t *testing.T) {
	src := ` {"b": [1, -0, 1e400 ], "a":true,"b" :null} `
	root, err := Parse([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range root.Members {
		got = append(got, m.Name+" "+src[m.NameStart:m.NameEnd]+" "+src[m.Value.Start:m.Value.End])
	}
	want := []string{`b "b" [1, -0, 1e400 ]`, `a "a" true`, `b "b" null`}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("members %q, want %q", got, want)
	}
	if src[root.Start:root.End] != strings.TrimSpace(src) {
		t.Errorf("root spans %q", src[root.Start:root.End])
	}
	if elems := root.Members[0].Value.Elems; elems[1].Text != "-0" || elems[2].Text != "1e400" {
		t.Errorf("number literals changed: %q %q", elems[1].Text, elems[2].Text)
	}
	if v := root.Member("b"); v == nil || v.Kind != Null {
		t.Errorf("Member(b) = %v, want the last one", v)
	}
}

func TestMemberOfMissingThings(t *testing.T) {
	var none *Node
	if none.Member("a") != nil || (&Node{Kind: Array}).Member("a") != nil || (&Node{Kind: Object}).Member("a") != nil {
		t.Error("Member invented a value")
	}
}

func TestParseAcceptsMaxDepth(t *testing.T) {
	src := strings.Repeat("[", MaxDepth) + strings.Repeat("]", MaxDepth)
	if _, err := Parse([]byte(src)); err != nil {
		t.Errorf("%d levels refused: %v", MaxDepth, err)
	}
}

// hostile lists documents near every edge of the grammar; each prefix of each
// is tried too.
var hostile = []string{
	`{"a":[1,2.5e-3,-0,{"b":null}],"c":"\u00e9\ud800","d":false}`,
	`[true,false,null,"",{},[],0,-1,1E5,"x\"y\\"]`,
	`{"a":1,}`, `[1,]`, `01`, `-`, `1.`, `1e`, `"\u12`, `tru`, `nul]`, `{"a"}`, `{"a":}`, `[}`, `{]`, `"a`, `{}x`, `[1 2]`,
	`{"a":1 "b":2}`, `{,}`, `[,]`, `"\q"`, `-x`, `.5`, `+1`, `0x10`, `1.e5`, `1e5.5`, `{"__proto__":1,"__proto__":2}`,
}

// TestParseAgreesWithJSONParse compares acceptance and the error position with
// Node.js, the reference for what a manifest means.
func TestParseAgreesWithJSONParse(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed, it is the oracle of this test")
	}
	var docs []string
	for _, h := range hostile {
		for i := range len(h) + 1 {
			docs = append(docs, h[:i], h[:i]+"?", h[:i]+",", h[:i]+"1", h[:i]+"\"")
		}
	}
	in, _ := json.Marshal(docs)
	const script = `
const docs = JSON.parse(require('fs').readFileSync(0, 'utf8'));
console.log(JSON.stringify(docs.map(d => {
  try { JSON.parse(d); return -1; } catch (e) {
    const m = /position (\d+)/.exec(e.message);
    return m ? +m[1] : /end of JSON|Unterminated|end of data/i.test(e.message) ? d.length : -2;
  }
})));`
	cmd := exec.CommandContext(t.Context(), node, "-e", script)
	cmd.Stdin = bytes.NewReader(in)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var want []int
	if err := json.Unmarshal(out, &want); err != nil {
		t.Fatal(err)
	}
	compared := 0
	for i, d := range docs {
		_, serr := Parse([]byte(d))
		got := -1
		if serr != nil {
			got = serr.Offset
		}
		if (got == -1) != (want[i] == -1) {
			t.Errorf("%q: node says %d, Parse says %d", d, want[i], got)
			continue
		}
		if want[i] < 0 {
			continue // accepted, or node shows the text instead of a position
		}
		compared++
		if got != want[i] {
			t.Errorf("%q: error at %d, node says %d", d, got, want[i])
		}
	}
	if compared < 500 {
		t.Errorf("only %d positions were compared, the oracle's messages changed", compared)
	}
}

func FuzzParse(f *testing.F) {
	for _, h := range hostile {
		f.Add([]byte(h))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		n, err := Parse(src)
		std := jsontext.Value(src).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
		if (err == nil) != std && strings.Count(string(src), "[")+strings.Count(string(src), "{") < 9000 {
			t.Fatalf("jsontext valid=%v, Parse: %v", std, err)
		}
		if err != nil {
			if err.Offset < 0 || err.Offset > len(src) {
				t.Fatalf("offset %d of %d bytes", err.Offset, len(src))
			}
			// What comes before the offset is a prefix of some document, so cutting
			// there must move the error to the end.
			if _, cut := Parse(src[:err.Offset]); cut != nil && cut.Offset != err.Offset {
				t.Fatalf("error at %d, but the prefix alone fails at %d", err.Offset, cut.Offset)
			}
			return
		}
		check(t, src, n)
	})
}

// check verifies that spans nest, are ordered and read back as the same value.
func check(t *testing.T, src []byte, n *Node) {
	t.Helper()
	if n.Start < 0 || n.Start >= n.End || n.End > len(src) {
		t.Fatalf("span %d..%d of %d bytes", n.Start, n.End, len(src))
	}
	again, err := Parse(src[n.Start:n.End])
	if err != nil || again.Kind != n.Kind || again.Text != n.Text {
		t.Fatalf("span %q does not read back as the value", src[n.Start:n.End])
	}
	if n.Kind == Number && n.Text != string(src[n.Start:n.End]) {
		t.Fatalf("literal %q spans %q", n.Text, src[n.Start:n.End])
	}
	at := n.Start
	for _, e := range n.Elems {
		if e.Start <= at || e.End >= n.End {
			t.Fatal("element outside its array")
		}
		at = e.End
		if len(src) < 200 {
			check(t, src, e)
		}
	}
	for _, m := range n.Members {
		if m.NameStart < at || m.Value.Start <= m.NameEnd || m.Value.End >= n.End {
			t.Fatal("member outside its object")
		}
		at = m.Value.End
		if len(src) < 200 {
			check(t, src, m.Value)
		}
	}
}

func BenchmarkParse(b *testing.B) {
	var doc bytes.Buffer
	doc.WriteByte('[')
	for i := range 20_000 {
		fmt.Fprintf(&doc, `{"name":"file-%d.md","size":%d,"ok":true},`, i, i)
	}
	doc.WriteString("null]")
	b.SetBytes(int64(doc.Len()))
	for b.Loop() {
		if _, err := Parse(doc.Bytes()); err != nil {
			b.Fatal(err)
		}
	}
}
