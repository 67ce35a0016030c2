// Package jsontree parses JSON into a tree that keeps what other decoders drop:
// byte offsets of every value and name, member order, duplicate members, number
// literals as written and unpaired surrogates. Diagnostics on manifest.json need
// the offsets; the signing payload (AMP v0.4 Part 6) needs the rest, because it
// is defined by what JSON.parse and JSON.stringify do with the same bytes.
//
// The package knows nothing about AMP.
package jsontree

// Kind tells which JSON type a Node holds.
type Kind uint8

// The JSON types.
const (
	Null Kind = iota
	Bool
	Number
	String
	Array
	Object
)

// String names the type as JSON users know it, for messages.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Array:
		return "array"
	case Object:
		return "object"
	}
	return "unknown"
}

// Node is one JSON value.
type Node struct {
	Kind Kind
	Bool bool
	// Start and End are byte offsets into the source, half-open. A string's
	// range includes its quotes.
	Start, End int
	// Text is the decoded string of a String, or the literal of a Number as
	// written. An unpaired surrogate escape such as \ud800 is kept in WTF-8
	// (three bytes ED A0..BF xx), so Text is not always valid UTF-8; a pair of
	// surrogate escapes is one code point.
	Text    string
	Elems   []*Node
	Members []Member
}

// Member is one name/value pair of an Object.
type Member struct {
	// Name is decoded like Node.Text.
	Name string
	// NameStart and NameEnd are the byte offsets of the quoted name.
	NameStart, NameEnd int
	Value              *Node
}

// Member returns the value of the last member called name, as JSON.parse would
// give it, or nil when n is nil, is no object or has no such member.
func (n *Node) Member(name string) *Node {
	if n == nil || n.Kind != Object {
		return nil
	}
	for i := len(n.Members) - 1; i >= 0; i-- {
		if n.Members[i].Name == name {
			return n.Members[i].Value
		}
	}
	return nil
}

// SyntaxError says why the source is not a JSON document.
type SyntaxError struct {
	// Offset is that of the first byte that cannot continue a JSON document;
	// it is the length of the source when the document ends too early.
	Offset int
	// Msg is one line without the position, made of valid UTF-8.
	Msg string
}

func (e *SyntaxError) Error() string { return e.Msg }
