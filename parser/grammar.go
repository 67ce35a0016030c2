package parser

import (
	"strings"
	"unicode/utf8"
)

// A Format names the reader of a file (Part 11: the manifest's primitive_format
// decides, never the file's own look).
type Format uint8

// The two formats.
const (
	V04 Format = iota // inline-tag-v0.4
	V03               // yaml-frontmatter-v0.3
)

// The values of the manifest's primitive_format.
const (
	FormatV04 = "inline-tag-v0.4"
	FormatV03 = "yaml-frontmatter-v0.3"
)

// A Type is what a primitive is (Part 3).
type Type uint8

// The types of Part 3. Unknown is any other word in a tag's first place.
const (
	Unknown Type = iota
	Goal
	Claim
	Directive
	Demonstration
)

// NumTypes is the number of Type values, Unknown included.
const NumTypes = 5

func (t Type) String() string {
	return [...]string{"unknown", "goal", "claim", "directive", "demonstration"}[t]
}

// TypeWords are the words that may open a tag, the alias `demo` included.
var TypeWords = []string{"goal", "claim", "directive", "demonstration", "demo"}

// TypeOf is the type a word names, exactly and in lower case (R-v).
func TypeOf(word string) Type {
	switch word {
	case "goal":
		return Goal
	case "claim":
		return Claim
	case "directive":
		return Directive
	case "demonstration", "demo":
		return Demonstration
	}
	return Unknown
}

// A FacetSpec describes one positional facet of a type.
type FacetSpec struct {
	Name     string
	Values   []string // nil: free text
	Default  string   // "" when there is none
	Required bool
	Key      bool // written as `name: value`

	slots [32]string // Values by slot
}

// Allows reports whether a trimmed token is a legal value of the facet.
func (f *FacetSpec) Allows(token string) bool {
	if f.Key {
		v, ok := f.KeyValue(token)
		return ok && v != ""
	}
	for _, v := range f.Values {
		if v == token {
			return true
		}
	}
	return false
}

// cut takes a value of the facet off the start of s: a listed one, or a key with
// all of the rest as its value, where that needs no second look.
func (f *FacetSpec) cut(s string) (rest string, ok bool) {
	if f.Key {
		n := len(f.Name) + len(": ")
		return "", len(s) > n && s[:len(f.Name)] == f.Name && s[len(f.Name):n] == ": " && s[n] > ' ' && s[n] < utf8.RuneSelf && strings.IndexByte(s, ',') < 0
	}
	if len(s) < 2 {
		return s, false
	}
	if v := f.slots[slot(s)]; len(v) > 0 && len(s) >= len(v) && s[:len(v)] == v {
		return s[len(v):], true
	}
	return s, false
}

// slot is a place in FacetSpec.slots by the first two letters of a value, which
// tell all values of a facet apart.
func slot(s string) byte { return (s[0] + s[1]<<1) & 31 }

func init() {
	for _, specs := range facetSpecs {
		for i := range specs {
			for _, v := range specs[i].Values {
				at := &specs[i].slots[slot(v)]
				if *at != "" && *at != v {
					panic("facet values " + v + " and " + *at + " share a slot")
				}
				*at = v
			}
		}
	}
}

// KeyValue splits `name: value`; ok is false when the token does not start with the key.
func (f *FacetSpec) KeyValue(token string) (value string, ok bool) {
	n := len(f.Name)
	if len(token) <= n || token[:n] != f.Name || token[n] != ':' {
		return "", false
	}
	return TrimSpace(token[n+1:]), true
}

var (
	force      = FacetSpec{Name: "force", Values: []string{"must", "should", "may"}, Default: "should"}
	goalScope  = FacetSpec{Name: "scope", Values: []string{"org", "project", "user"}, Default: "project"}
	scope      = FacetSpec{Name: "scope", Values: []string{"session", "project", "user", "org"}, Default: "project"}
	stability  = FacetSpec{Name: "stability", Values: []string{"permanent", "seasonal", "tactical"}, Default: "permanent"}
	claimSt    = FacetSpec{Name: "stability", Values: []string{"permanent", "tactical"}, Default: "permanent"}
	valence    = FacetSpec{Name: "valence", Values: []string{"positive", "negative", "mixed"}, Required: true}
	illustrate = FacetSpec{Name: "illustrates", Key: true}
)

var facetSpecs = [NumTypes][]FacetSpec{
	Goal:          {force, goalScope, stability},
	Claim:         {claimSt},
	Directive:     {force, scope, stability},
	Demonstration: {valence, illustrate},
}

// Facets are the facets of the type in their order (Part 3; R-s and R-t settle
// scope and goal force). The slice is shared; do not change it.
func (t Type) Facets() []FacetSpec { return facetSpecs[t] }
