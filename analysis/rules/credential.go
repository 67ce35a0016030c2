package rules

import (
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

const (
	redacted = "[REDACTED]"
	// redactedWord stands where a bracket would open or close a tag.
	redactedWord = "REDACTED"
)

var credentialRule = &analysis.Rule{
	Slug: "credential", Severity: analysis.Error, Scope: analysis.ScopeBlock, AnyFormat: true, Security: true, Spec: "Part 5 and 9; R-i",
	Summary: "something that looks like a live credential",
	Doc: `A pack is given to strangers: a key in it is a leaked key. Everything that ships is scanned, brace bodies, frontmatter, legend, agents.md, the manifest and other files included.

The patterns of Parts 5 and 9 are errors as written, placeholders or not, when the byte before them is no letter or digit; inside a word they are a warning. Other families (GitHub, GitLab, AWS, Anthropic, Slack, private keys, passwords in URLs and more) are errors only when the value survives the tests for placeholders, words, digests and checksums. A redacted form such as ` + "`sk-***` or `[REDACTED]`" + ` passes, and excuses nothing but itself. No message ever repeats a value.`,
	Bad:  "[claim] The staging key is sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y.", // in two parts: no scanner should stop at this file
	Good: "[claim] The staging key is [REDACTED].",
	Fix:  "replaces the value by [REDACTED]",
	Block: func(p *analysis.BlockPass) {
		if credential.Scan(p.Text(), stop) {
			return // without a function made for the block
		}
		credential.Scan(p.Text(), func(h credential.Hit) bool {
			fix := redact("", h)
			if t := p.Tag(); atLineStart(p.Text(), h.Start) || h.Start < t.End && h.End > t.Start {
				fix.Edits[0].New = redactedWord
			}
			p.ReportAs(severityOf(h), parser.Rel{Start: h.MatchStart, End: h.End}, h.Message, fix)
			return true
		})
	},
	Pack: func(p *analysis.PackPass) {
		for _, f := range p.Pack.Files {
			if f.Tree != nil || f.Text == "" {
				continue
			}
			exempt := signatureSpan(p.Pack, f)
			credential.Scan(f.Text, func(h credential.Hit) bool {
				if h.Start >= exempt.Start && h.End <= exempt.End {
					return true
				}
				p.ReportAs(severityOf(h), f.Path, text.Span{Start: h.MatchStart, End: h.End}, h.Message, redact(f.Path, h))
				return true
			})
		}
	},
}

func stop(credential.Hit) bool { return false }

func severityOf(h credential.Hit) analysis.Severity {
	switch h.Severity {
	case credential.Info:
		return analysis.Info
	case credential.Warning:
		return analysis.Warning
	}
	return analysis.Error
}

func redact(path string, h credential.Hit) analysis.Fix {
	return analysis.Fix{Title: "Replace the credential by " + redacted, Safety: analysis.Suggested, Edits: []analysis.FileEdit{
		{Path: path, Span: text.Span{Start: h.Start, End: h.End}, New: redacted},
	}}
}

func atLineStart(s string, at int) bool {
	return at == 0 || s[at-1] == '\n' || s[at-1] == '\r' || strings.HasSuffix(s[:at], text.BOM) && at == len(text.BOM)
}

// signatureSpan is the value of manifest.signature when it has the form of an
// Ed25519 signature: random by nature, and no secret (R-i).
func signatureSpan(p *pack.Pack, f *pack.File) text.Span {
	if f.Path != pack.ManifestName {
		return text.Span{Start: -1, End: -1}
	}
	n := p.Manifest.Member("signature")
	if n == nil || n.Kind != jsontree.String || len(n.Text) != 86 || !base64URL(n.Text) {
		return text.Span{Start: -1, End: -1}
	}
	return pack.NodeSpan(n)
}

func base64URL(s string) bool {
	for _, c := range []byte(s) {
		if !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return true
}
