package ide

import (
	"strings"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// Signature shows the facets of a tag as the parameters of its type.
type Signature struct {
	Label      string
	Doc        string
	Parameters []Parameter
	// Active is the parameter at the cursor, -1 when the cursor is behind the
	// last one.
	Active int
}

// Parameter is one facet. Start and End are bytes of the label, which is ASCII.
type Parameter struct {
	Start, End int
	Doc        string
}

// SignatureAt returns the signature of the tag that the cursor is in. ok is false
// outside of tags.
func SignatureAt(f *File, offset int) (sig Signature, ok bool) {
	if !f.Capability() {
		return sig, false
	}
	span := lineSpan(f.Tree, offset)
	line := f.Tree.Slice(text.Span{Start: span.Start, End: max(span.Start, min(offset, span.End))})
	if !strings.HasPrefix(line, "[") || strings.Contains(line, "]") {
		return sig, false
	}
	if it, ok := f.block(span.Start); ok && it.Kind() == parser.Primitive && span.Start != it.Offset+it.Tag().Start {
		return sig, false // a line of a body
	}
	body := line[1:]
	i := strings.IndexAny(body, " \t")
	if i < 0 {
		return sig, false
	}
	t := parser.TypeOf(body[:i])
	if t == parser.Unknown {
		return sig, false
	}
	sig.Label = signatureOf(t)
	sig.Doc = typeDoc(t)
	sig.Active = strings.Count(body[i:], ",")
	at := len("[" + t.String())
	for k, spec := range t.Facets() {
		sep := 2 // a comma and a space
		if k == 0 {
			sep = 1
		}
		at += sep
		label := facetLabel(&spec)
		doc := facetDoc(spec.Name)
		if spec.Values != nil {
			doc += "\n\nOne of `" + strings.Join(spec.Values, "`, `") + "`."
		}
		switch {
		case spec.Default != "":
			doc += " Default: `" + spec.Default + "`."
		case spec.Required:
			doc += " Required."
		}
		sig.Parameters = append(sig.Parameters, Parameter{Start: at, End: at + len(label), Doc: doc})
		at += len(label)
	}
	if sig.Active >= len(sig.Parameters) {
		sig.Active = -1
	}
	return sig, true
}
