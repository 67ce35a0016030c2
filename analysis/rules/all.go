// Package rules holds the rules of the AMP specification as decisions settle
// it, one file per rule or family of rules that judge the same thing.
package rules

import "github.com/amp-toolchain/amp/analysis"

// All returns the registry of every rule.
func All() *analysis.Registry {
	r := analysis.NewRegistry(append([]*analysis.Rule{
		unknownType, malformedTag,
		facetOrder, facetValue, facetExtra, facetDefault,
		missingValence, missingBody, unclosedBrace, braceNonDemo, braceNearMiss,
		goalPattern, claimPattern, directivePattern,
		credentialRule,
		strayText, orphanReason, reasonIndent, blockSeparator, mixedFormat,
		frontmatter, countMismatch, noPrimitives,
		legend, citationUndefined, citationDuplicate,
		manifestJSON, manifest, layout, name, primitiveFormat, v03Format,
		missingFile, capabilityPath, capabilityDuplicate, unlistedFile, fileType,
		routing, encoding,
		illustratesUnmatched, duplicatePrimitive, signatureStale, unusedSuppression,
	}, securityRules...)...)
	r.Facts = securityFacts
	return r
}
