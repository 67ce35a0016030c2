// Package policy weighs findings as a project wants it: comments that silence
// them, and the levels of .amp-lint.yaml. The linter and the language server
// share it, so that an editor and a pipeline say the same.
package policy

import (
	"path/filepath"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/pack"
)

// Optional are the rules that are off by default. A runner whose findings go
// through a Policy is made with them, since a policy decides file by file.
func Optional(reg *analysis.Registry) []string {
	var out []string
	for _, r := range reg.Rules {
		if r.Off {
			out = append(out, r.Slug)
		}
	}
	return out
}

// A Policy is what holds for the packs of a project. The zero value but for
// Registry is the default. It is immutable and safe for concurrent use.
type Policy struct {
	Registry *analysis.Registry
	// Dir is the pack's folder, an absolute path.
	Dir string
	// Config is the configuration for the files in a folder; nil for defaults.
	Config func(dir string) *config.Config
	// NoInline ignores comments, for gates that must not trust the pack itself.
	NoInline bool
	// Override, where set, has the last word on a rule's level; ok is false where it has none.
	Override func(rule string) (l config.Level, ok bool)
	// Asked, where set, tells of rules that are off by default whether they were
	// asked for by name: they are then on unless the configuration says otherwise.
	Asked func(rule string) bool
}

// Load finds the configuration for the pack in a folder (an absolute path). The
// error is config.Errors; the policy is usable all the same, with the defaults
// in place of what could not be read.
func Load(f *config.Finder, reg *analysis.Registry, dir string) (*Policy, error) {
	_, err := f.For(dir)
	if err == nil {
		_, err = f.For(filepath.Join(dir, pack.MemoryDir))
	}
	return &Policy{Registry: reg, Dir: dir, Config: func(d string) *config.Config {
		c, _ := f.For(d)
		return c
	}}, err
}

// Apply drops and changes findings as the policy wants. The result is sorted. It
// may change ds in place.
func (p *Policy) Apply(pk *pack.Pack, ds []analysis.Diagnostic) []analysis.Diagnostic {
	if p.inline() {
		ds = suppress.Apply(p.Registry, pk, ds)
	}
	out := ds[:0]
	for _, d := range ds {
		if p.weigh(pk, &d) {
			out = append(out, d)
		}
	}
	analysis.Sort(out)
	return out
}

func (p *Policy) inline() bool {
	if p.NoInline {
		return false
	}
	c := p.ConfigOf(p.Dir)
	return c == nil || c.InlineSuppress.Value
}

// ConfigOf is the configuration for the files in a folder (an absolute path); nil
// where there is none.
func (p *Policy) ConfigOf(dir string) *config.Config {
	if p.Config == nil {
		return nil
	}
	return p.Config(dir)
}

// weigh sets the severity of a finding; false drops it.
func (p *Policy) weigh(pk *pack.Pack, d *analysis.Diagnostic) bool {
	file := filepath.Join(p.Dir, filepath.FromSlash(d.Path))
	c := p.ConfigOf(filepath.Dir(file))
	if ignored, _ := c.Ignored(file); ignored {
		return false
	}
	if p.Override != nil {
		if l, ok := p.Override(d.Rule.Slug); ok {
			return config.SetLevel(d, l)
		}
	}
	if d.Rule.Off && p.Asked != nil && p.Asked(d.Rule.Slug) {
		if l, from := c.LevelOf(d.Rule.Slug, file); l == config.Default && from == (config.Origin{}) {
			if d.Rule.Severity == analysis.Hint {
				return config.SetLevel(d, config.LevelInfo) // a hint is for editors alone
			}
			return true
		}
	}
	return c.Adjust(d, file, Credential(pk, d))
}

// Credential is the value that a finding of the rule of that name is about, ""
// for any other finding. It must not be shown.
func Credential(pk *pack.Pack, d *analysis.Diagnostic) string {
	if d.Rule.Slug != config.CredentialRule {
		return ""
	}
	f := pk.File(d.Path)
	if f == nil {
		return ""
	}
	s := d.Span // of the match, which may start at a name
	for _, fix := range d.Fixes {
		// The fix replaces just the value.
		if len(fix.Edits) == 1 && fix.Edits[0].Path == d.Path {
			s = fix.Edits[0].Span
			break
		}
	}
	if s.Start < 0 || s.Start > s.End || s.End > len(f.Text) {
		return ""
	}
	return f.Text[s.Start:s.End]
}
