package sign

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/amp-toolchain/amp/internal/jsontree"
)

// edit replaces the bytes of a span.
type edit struct {
	start, end int
	text       string
}

// withSignature returns manifest.json with the two signing members set and every
// other byte as it was: order, indentation, escapes, number spellings, line
// ends. Missing members are added at the end in the style of the last one, which
// is also where the npm CLI puts them.
func withSignature(raw []byte, tree *jsontree.Node, signed bool, signature string) []byte {
	var edits []edit
	var add []string
	set := func(name, value string) {
		if n := tree.Member(name); n != nil {
			edits = append(edits, edit{n.Start, n.End, value})
			return
		}
		add = append(add, strconv.Quote(name)+colon(raw, tree)+value)
	}
	set("signed", strconv.FormatBool(signed))
	set("signature", strconv.Quote(signature))
	if len(add) > 0 {
		edits = append(edits, insertion(raw, tree, add))
	}
	slices.SortFunc(edits, func(a, b edit) int { return cmp.Compare(a.start, b.start) })
	var out bytes.Buffer
	at := 0
	for _, e := range edits {
		out.Write(raw[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(raw[at:])
	return out.Bytes()
}

// insertion adds members after the last one, separated as that one is from what
// comes before it.
func insertion(raw []byte, tree *jsontree.Node, add []string) edit {
	if len(tree.Members) == 0 {
		text := add[0]
		for _, a := range add[1:] {
			text += ", " + a
		}
		return edit{tree.Start + 1, tree.Start + 1, text}
	}
	last := tree.Members[len(tree.Members)-1]
	before := bytes.LastIndexAny(raw[:last.NameStart], "{,")
	gap := string(raw[before+1 : last.NameStart])
	text := ""
	for _, a := range add {
		text += "," + gap + a
	}
	return edit{last.Value.End, last.Value.End, text}
}

// colon returns what stands between a name and its value in this file.
func colon(raw []byte, tree *jsontree.Node) string {
	if len(tree.Members) == 0 {
		return ": "
	}
	last := tree.Members[len(tree.Members)-1]
	return string(raw[last.NameEnd:last.Value.Start])
}
