package sentence

// ClaimProblem says why a sentence is no claim.
type ClaimProblem uint8

// The reasons, NoVerb aside, name what the sentence opens with in place of a
// noun phrase.
const (
	None         ClaimProblem = iota
	NoVerb                    // no finite form of be or have
	Preposition               // "In 2026 the company is …"
	Conjunction               // "But the price is …"
	Subordinator              // "Because the office is …"
	Adverb                    // "Currently the app is …"
	Question                  // "Is the server …?"
	Imperative                // "Use pnpm because it is …"
)

var problemNames = [...]string{
	None: "none", NoVerb: "no verb", Preposition: "preposition", Conjunction: "conjunction",
	Subordinator: "subordinator", Adverb: "adverb", Question: "question", Imperative: "imperative",
}

// String returns the problem in words, such as "preposition".
func (p ClaimProblem) String() string {
	if int(p) < len(problemNames) {
		return problemNames[p]
	}
	return "unknown"
}

// Claim judges Part 5's "content starts with a noun phrase and contains is or
// has" as R-a reads it: s needs a finite form of be or have as a word, and must
// not open with what is certainly no noun phrase. An opening in doubt passes,
// because a true fact reported as an error is the worse mistake.
//
// The range start to end is in bytes of s. It covers the opening word, or for
// [NoVerb] the whole of s; it is empty for [None].
func Claim(s string) (problem ClaimProblem, start, end int) {
	v := nextVerb(s, 0)
	if v.end == 0 {
		return NoVerb, 0, len(s)
	}
	return opening(s, v)
}
