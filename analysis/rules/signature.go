package rules

import (
	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/pack"
)

var signatureStale = &analysis.Rule{
	Slug: "signature-stale", Severity: analysis.Warning, Scope: analysis.ScopePack, AnyFormat: true, Spec: "Part 6",
	Summary: "the pack was changed after it was signed",
	Doc:     "`signed` is true, but the signature no longer fits the files. Buyers will see a tampered pack: sign it again with `amp sign`. Checked where the pack carries its public key (signing.pub) or a trusted key fits.",
	Pack: func(p *analysis.PackPass) {
		if p.Pack.Signature != pack.SignatureStale {
			return
		}
		n := p.Pack.Manifest.Member("signed")
		if n == nil || n.Kind != jsontree.Bool {
			return
		}
		p.Report(pack.ManifestName, pack.NodeSpan(n), "the pack was changed after it was signed: sign it again with `amp sign`")
	},
}
