package analysis

import "github.com/amp-toolchain/amp/parser/text"

// New makes a finding outside of a run of rules, its message masked like any other's.
func New(rule *Rule, s Severity, path string, span text.Span, message string) Diagnostic {
	return Diagnostic{Rule: rule, Severity: s, Path: path, Span: span, Message: mask(message)}
}
