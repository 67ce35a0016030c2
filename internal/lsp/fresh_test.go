package lsp_test

import (
	"testing"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/policy"
	"github.com/amp-toolchain/amp/pack"
)

// applyPolicy weighs findings as amp-lint does.
func applyPolicy(t *testing.T, reg *analysis.Registry, dir string, p *pack.Pack, found []analysis.Diagnostic) []analysis.Diagnostic {
	t.Helper()
	pol, err := policy.Load(config.NewFinder(reg), reg, dir)
	if err != nil {
		t.Fatal(err)
	}
	return pol.Apply(p, found)
}
