package analysis

import "github.com/amp-toolchain/amp/parser"

// Traits are what the parser knows of a block without its text being read
// again. A block rule that names in Rule.On the traits it needs is not called
// for the many blocks that have none of them, which is most of the speed of
// judging a clean file.
type Traits uint32

// The traits. Those of types and of tags hold for primitives only.
const (
	OnUnknownType   Traits = 1 << iota
	OnGoal                 // a line, not a brace body
	OnClaim                // a line, not a brace body
	OnDirective            // a line, not a brace body
	OnDemonstration        // with a body of either form
	OnOddTag               // a tag that is more, or less, than legal facets in their places
	OnBrace                // a brace body was opened
	OnBraceAtEnd           // the tag line ends in `{`
	OnUnclosed             // a brace body or a frontmatter without end
	OnReason               // there are reason lines
	OnOddReason            // one of them is indented by other white space than two spaces
	OnTight                // no blank line before it
	OnHanging              // lines hang on the primitive that are no part of it
	OnLoose                // text that belongs to no primitive
	OnMalformed            // a tag that is never closed
	OnLegend               // a `sources:` block
)

// onAll is what a rule without Rule.On asks for. It is a trait of every block.
const onAll Traits = 1 << 31

func traitsOf(b *parser.Block) Traits {
	t := onAll
	if b.Unclosed() {
		t |= OnUnclosed
	}
	switch b.Kind() {
	case parser.Loose:
		return t | OnLoose
	case parser.Legend:
		return t | OnLegend
	case parser.Malformed:
		t |= OnMalformed
	case parser.Primitive:
		if !b.LegalTag() {
			t |= OnOddTag
		}
		if b.Brace() {
			t |= OnBrace
		}
		t |= onType(b)
		if h := b.Head(); h.End > h.Start && b.Text()[h.End-1] == '{' {
			t |= OnBraceAtEnd
		}
		if b.Tight() {
			t |= OnTight
		}
	default:
		return t
	}
	if r := b.ReasonLines(); r.Start < r.End {
		t |= OnReason
		if b.OddReason() {
			t |= OnOddReason
		}
	}
	if r := b.Tail(); r.Start < r.End {
		t |= OnHanging
	}
	return t
}

func onType(b *parser.Block) Traits {
	switch b.Type() {
	case parser.Unknown:
		return OnUnknownType
	case parser.Demonstration:
		return OnDemonstration
	}
	if b.Brace() {
		return 0
	}
	switch b.Type() {
	case parser.Goal:
		return OnGoal
	case parser.Claim:
		return OnClaim
	default:
		return OnDirective
	}
}
