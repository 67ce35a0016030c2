// Package docgen writes the pages of the rules from the registry, so that the
// documentation, `amp-lint explain` and what the rules do can't differ.
package docgen

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/parser"
)

// Page is the Markdown page of a rule.
func Page(r *analysis.Rule) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n", r.Slug)
	fmt.Fprintf(&b, "%s.\n\n", upperFirst(r.Summary))
	severity := r.Severity.String()
	if r.Off {
		severity += ", off by default"
	}
	fmt.Fprintf(&b, "| Severity | Scope | Specification |\n|---|---|---|\n| %s | %s | %s |\n\n", severity, r.Scope, r.Spec)
	fmt.Fprintf(&b, "## Why\n\n%s\n", strings.TrimSpace(r.Doc))
	if r.Bad != "" {
		fmt.Fprintf(&b, "\n## Example\n\nReported:\n\n%s\nMended:\n\n%s", fence(r.Bad), fence(r.Good))
	}
	if r.Fix != "" {
		fmt.Fprintf(&b, "\n## Fix\n\nThe fix %s.\n", r.Fix)
	}
	return b.String()
}

// Facets is the page of what may stand in a tag, in its order, from the parser's own
// table.
func Facets() string {
	var b strings.Builder
	b.WriteString("# Facets\n\nWhat may stand in a tag behind its type, in this order, separated by commas, in lower case (Part 3). Facets are known by their place, so they may be left out from the right end only; the default, in bold, then holds.\n\n")
	b.WriteString("| Type | 1 | 2 | 3 | Example |\n|---|---|---|---|---|\n")
	examples := map[parser.Type]string{
		parser.Goal: "[goal should, project, permanent]", parser.Directive: "[directive must, org, permanent]",
		parser.Claim: "[claim permanent]", parser.Demonstration: "[demo positive, illustrates: menus]",
	}
	for _, t := range []parser.Type{parser.Goal, parser.Directive, parser.Claim, parser.Demonstration} {
		name := "`" + t.String() + "`"
		if t == parser.Demonstration {
			name += " or `demo`"
		}
		b.WriteString("| " + name + " |")
		specs := t.Facets()
		for i := range 3 {
			if i >= len(specs) {
				b.WriteString(" |")
				continue
			}
			s := &specs[i]
			b.WriteString(" " + s.Name + ": ")
			if s.Key {
				b.WriteString("written `" + s.Name + ": LABEL`, any label |")
				continue
			}
			for k, v := range s.Values {
				if k > 0 {
					b.WriteString(", ")
				}
				if v == s.Default {
					v = "**" + v + "**"
				}
				b.WriteString(v)
			}
			if s.Required {
				b.WriteString(" (required)")
			}
			b.WriteString(" |")
		}
		b.WriteString(" `" + examples[t] + "` |\n")
	}
	b.WriteString("\nA directive may be meant for one session, a goal may not; a claim is permanent or tactical, never seasonal.\n")
	return b.String()
}

// Index is the page that lists all rules.
func Index(reg *analysis.Registry) string {
	var b strings.Builder
	b.WriteString("# Rules\n\nEvery finding names its rule. `amp-lint explain RULE` shows the same pages offline.\n\n")
	for _, part := range []struct {
		title    string
		security bool
	}{{"The specification", false}, {"Security", true}} {
		fmt.Fprintf(&b, "## %s\n\n| Rule | Severity | Fix | What it reports |\n|---|---|---|---|\n", part.title)
		for _, r := range reg.Rules {
			if r.Security != part.security {
				continue
			}
			fix := ""
			if r.Fix != "" {
				fix = "yes"
			}
			fmt.Fprintf(&b, "| [%s](%s.md) | %s | %s | %s |\n", r.Slug, r.Slug, r.Severity, fix, r.Summary)
		}
		b.WriteByte('\n')
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// fence puts an example into a code fence longer than any in it.
func fence(s string) string {
	mark := "```"
	for strings.Contains(s, mark) {
		mark += "`"
	}
	return mark + "\n" + strings.TrimRight(s, "\n") + "\n" + mark + "\n"
}

func upperFirst(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
