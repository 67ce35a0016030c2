// Package analysis judges packs: a registry of rules, the diagnostics they
// report, the fixes they offer, and a runner that reuses every result whose text
// did not change.
//
// Results are kept at two levels: with each block (what the block rules say of
// it, relative to its start) and with each node of the tree (sums over blocks).
// After an edit only the touched blocks and the path above them are judged
// again; all else is read from memory.
//
// The package sees packs as values. It opens no files, knows no clock and no
// network, and prints nothing.
package analysis

import (
	"fmt"
	"slices"
	"strings"
)

// A Severity says how bad a finding is.
type Severity uint8

// The severities. Hints are for editors; the batch linter leaves them out.
const (
	Hint Severity = iota
	Info
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"hint", "info", "warning", "error"}[s] }

// A Scope is what a rule has to see.
type Scope uint8

// The scopes.
const (
	ScopeBlock Scope = iota
	ScopeFile
	ScopePack
)

func (s Scope) String() string { return [...]string{"block", "file", "pack"}[s] }

// A Safety says how far a fix can be trusted.
type Safety uint8

const (
	// Safe fixes keep the meaning; --fix and fix-on-save apply them.
	Safe Safety = iota
	// Suggested fixes are probably meant, but a person should look.
	Suggested
	// Manual fixes are starting points; only an editor offers them, one by one.
	Manual
)

func (s Safety) String() string { return [...]string{"safe", "suggested", "manual"}[s] }

// A Rule is one thing that is checked.
type Rule struct {
	Slug     string // its name everywhere: JSON, SARIF, LSP code, configuration, docs
	Severity Severity
	Scope    Scope
	Summary  string // one line
	Doc      string // Markdown: what, and why with the part of the specification
	Spec     string // "Part 5", "Part 3; R-h"
	Bad      string // an example that triggers the rule, "" where a file alone can't
	Good     string // the same, mended
	Fix      string // what the fix does, "" when there is none
	Security bool   // a rule of the security catalogue
	Off      bool   // only where it is asked for

	// AnyFormat marks rules that also hold for bodies no v0.4 reader judges
	// (v0.3 packs and unknown formats): secrets, encoding.
	AnyFormat bool

	// On are the traits of which a block needs at least one for Block to be
	// called, 0 for every block.
	On Traits

	// Exactly the functions that fit the rule's nature are set. A rule may see
	// several scopes and still be one rule.
	Block func(*BlockPass)
	File  func(*FilePass)
	Pack  func(*PackPass)
}

// A Registry is a fixed set of rules.
type Registry struct {
	Rules []*Rule // sorted by slug
	// Facts, when set, extracts from a block what pack rules want to know of
	// it; the result is kept with the block. It returns nil for most blocks.
	Facts func(*BlockPass) any
	slugs map[string]*Rule
}

// NewRegistry checks the rules and sorts them. It panics on a rule that is not
// well formed or listed twice: that is a bug found by the first test.
func NewRegistry(rules ...*Rule) *Registry {
	r := &Registry{Rules: slices.Clone(rules), slugs: map[string]*Rule{}}
	slices.SortFunc(r.Rules, func(a, b *Rule) int { return strings.Compare(a.Slug, b.Slug) })
	for _, rule := range r.Rules {
		if rule.Slug == "" || rule.Summary == "" || r.slugs[rule.Slug] != nil {
			panic(fmt.Sprintf("rule %q is incomplete or registered twice", rule.Slug))
		}
		r.slugs[rule.Slug] = rule
	}
	return r
}

// Rule is the rule with the slug, nil when there is none.
func (r *Registry) Rule(slug string) *Rule { return r.slugs[slug] }
