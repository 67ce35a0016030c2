package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// lintSummary is what the linter found in a pack, as far as signing, installing
// and inspecting need it.
type lintSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	// Blocking lists the findings that nobody should ship or install unseen:
	// credentials and errors of the security rules. They hold no secret.
	Blocking []string `json:"blocking"`
	// First lists some of the other errors and warnings.
	First []string `json:"first"`
	// Asks lists what the pack tells the agent to do, its directives.
	Asks []string `json:"asks"`
}

// shownFindings is how many findings and directives the text output shows.
const shownFindings = 10

// lintPack runs the linter over the pack in a folder.
func lintPack(dir string) (lintSummary, error) {
	sum := lintSummary{Blocking: []string{}, First: []string{}, Asks: []string{}}
	results := batch.Lint(
		[]batch.Target{{Dir: dir, Display: batch.Display(dir)}},
		batch.Options{Runner: analysis.NewRunner(rules.All())},
	)
	for _, r := range results {
		for i := range r.Errs {
			return sum, fmt.Errorf("cannot lint the pack: %w", &r.Errs[i])
		}
		for i := range r.Diags {
			sum.add(r.Pack, &r.Diags[i])
		}
		if r.Pack != nil {
			sum.Asks = append(sum.Asks, directives(r.Pack)...)
		}
	}
	return sum, nil
}

func (sum *lintSummary) add(p *pack.Pack, d *analysis.Diagnostic) {
	switch d.Severity {
	case analysis.Error:
		sum.Errors++
	case analysis.Warning:
		sum.Warnings++
	case analysis.Info:
		sum.Infos++
		return
	default:
		return
	}
	line := fmt.Sprintf("%s:%d: %s %s: %s", fsx.Printable(d.Path), lineOf(p, d), d.Severity, d.Rule.Slug, oneLine(d.Message))
	if d.Severity == analysis.Error && (d.Rule.Security || d.Rule.Slug == "credential") {
		sum.Blocking = append(sum.Blocking, line)
	} else if len(sum.First) < shownFindings {
		sum.First = append(sum.First, line)
	}
}

func lineOf(p *pack.Pack, d *analysis.Diagnostic) int {
	if f := p.File(d.Path); f != nil && d.Span.Start <= len(f.Text) {
		return 1 + strings.Count(f.Text[:d.Span.Start], "\n")
	}
	return 1
}

// directives returns the pack's directives, those that must be obeyed first.
func directives(p *pack.Pack) []string {
	var must, rest []string
	for _, f := range p.Capabilities() {
		if f.Tree == nil {
			continue
		}
		for it := range f.Tree.All() {
			if it.Kind() != parser.Primitive || it.Type() != parser.Directive {
				continue
			}
			text := fsx.Printable(clip(strings.TrimSpace(it.Content()), 160))
			if it.Resolved()["force"] == "must" {
				must = append(must, text)
			} else {
				rest = append(rest, text)
			}
		}
	}
	return append(must, rest...)
}

// clip shortens s to at most n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// print shows the findings on stderr and what the pack asks for on stdout.
func (sum *lintSummary) print(stdout, stderr io.Writer) {
	for _, line := range append(sum.Blocking, sum.First...) {
		fmt.Fprintln(stderr, line)
	}
	if more := sum.Errors + sum.Warnings - len(sum.Blocking) - len(sum.First); more > 0 {
		fmt.Fprintf(stderr, "and %d more (see amp-lint)\n", more)
	}
	fmt.Fprintf(stdout, "Lint:        %d errors, %d warnings\n", sum.Errors, sum.Warnings)
	if len(sum.Asks) == 0 {
		return
	}
	fmt.Fprintln(stdout, "The pack asks your agent:")
	for i, a := range sum.Asks {
		if i == shownFindings {
			fmt.Fprintf(stdout, "  and %d more\n", len(sum.Asks)-shownFindings)
			break
		}
		fmt.Fprintf(stdout, "  - %s\n", a)
	}
}
