package lsp

import (
	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/policy"
	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/pack"
	"go.lsp.dev/protocol"
)

// loadPolicy reads how findings of the pack in a folder are to be weighed, as
// amp-lint does. What is wrong in a configuration file is shown once; the rest
// holds all the same. Baselines do not hold here: they keep old findings out of
// a pipeline, and an editor is where they get mended.
func (s *Server) loadPolicy(root string) session.Rules {
	reg := s.registry
	finder := config.NewFinder(reg)
	p, err := policy.Load(finder, reg, root)
	if err != nil {
		s.complain(err.Error())
	}
	rules := session.Rules{Filter: withText(p.Apply)}
	for _, dir := range []string{root, root + "/" + pack.MemoryDir} {
		c := p.ConfigOf(dir)
		rules.Enable = append(rules.Enable, c.Enabled(reg)...)
	}
	if ignored, _ := p.ConfigOf(root).Ignored(root); ignored {
		rules.Filter = func(*pack.Pack, []analysis.Diagnostic) []analysis.Diagnostic { return nil }
	}
	return rules
}

// complain shows a problem with the configuration, unless it has been shown.
func (s *Server) complain(problem string) {
	s.log.Warn("configuration", "error", problem)
	if old := s.complained.Swap(&problem); old != nil && *old == problem {
		return
	}
	s.notifyClient("window/showMessage", &protocol.ShowMessageParams{Type: protocol.MessageTypeWarning, Message: problem})
}

// withText gives a filter the texts of files whose trees alone are kept, when it
// reads them: comments name primitives by their words, and allowed credentials
// are known by their value.
func withText(filter analysis.Filter) analysis.Filter {
	return func(p *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
		if readsText(p, ds) {
			p = session.WithText(p)
		}
		return filter(p, ds)
	}
}

func readsText(p *pack.Pack, ds []analysis.Diagnostic) bool {
	for i := range ds {
		if ds[i].Rule.Slug == config.CredentialRule {
			return true
		}
	}
	for _, f := range p.Files {
		if f.Tree != nil && len(suppress.Comments(f.Tree)) > 0 {
			return true
		}
	}
	return false
}
