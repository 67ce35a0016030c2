package rules

import "github.com/amp-toolchain/amp/analysis"

// unusedSuppression is reported by whoever weighs the findings of a pack
// (package suppress): only then is known what a comment silenced.
var unusedSuppression = &analysis.Rule{
	Slug: "unused-suppression", Severity: analysis.Warning, Scope: analysis.ScopePack, Spec: "docs/suppressions.md",
	Summary: "a comment that silences findings is malformed or silences nothing",
	Doc: "A comment in the frontmatter silences findings of the rules it names:\n\n" +
		"```yaml\n# amp-lint: suppress stray-text at \"Opening hours\" -- the table is for people\n```\n\n" +
		"Once the finding is gone, the comment would silence the next one, which nobody has looked at. A comment needs a reason behind `--`, and cannot silence `credential`.",
	Fix: "removes a comment that silences nothing",
}
