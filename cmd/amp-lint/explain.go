package main

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/docgen"
	"github.com/amp-toolchain/amp/internal/report"
)

func explainCommand(w streams) *cobra.Command {
	return &cobra.Command{
		Use:               "explain RULE...",
		Short:             "Show what a rule reports and why",
		Long:              "Show what a rule reports and why. 'amp-lint explain facets' lists what may stand in a tag.",
		Args:              cobra.MinimumNArgs(1),
		ValidArgsFunction: completeRules,
		RunE: func(_ *cobra.Command, args []string) error {
			reg := rules.All()
			for i, slug := range args {
				page := ""
				switch r := reg.Rule(slug); {
				case slug == "facets":
					page = docgen.Facets()
				case r == nil:
					return usage("unknown rule %q%s", slug, config.Suggest(slug, slugs()))
				default:
					page = docgen.Page(r)
				}
				if i > 0 {
					fmt.Fprintln(w.out)
				}
				fmt.Fprint(w.out, page)
			}
			return nil
		},
	}
}

type ruleInfo struct {
	Slug     string `json:"rule"`
	Severity string `json:"severity"`
	Enabled  bool   `json:"enabled"`
	Scope    string `json:"scope"`
	Security bool   `json:"security"`
	Summary  string `json:"summary"`
	Doc      string `json:"doc"`
	Spec     string `json:"spec"`
	Fix      string `json:"fix,omitempty"`
	Bad      string `json:"bad,omitempty"`
	Good     string `json:"good,omitempty"`
	DocURL   string `json:"doc_url"`
}

func rulesCommand(w streams) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "rules",
		Short: "List the rules",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			switch format {
			case "text":
				return ruleTable(w.out, rules.All())
			case "json":
				return ruleJSON(w.out, rules.All())
			}
			return usage("unknown format %q, expected text or json", format)
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "`FORMAT`: text or json")
	return cmd
}

func ruleTable(w io.Writer, reg *analysis.Registry) error {
	for _, r := range reg.Rules {
		level := r.Severity.String()
		if r.Off {
			level = "off"
		}
		fix := " "
		if r.Fix != "" {
			fix = "*"
		}
		if _, err := fmt.Fprintf(w, "%-24s %-8s %s %s\n", r.Slug, level, fix, r.Summary); err != nil {
			return err
		}
	}
	_, err := fmt.Fprintln(w, "\n* has a fix. 'amp-lint explain RULE' tells more.")
	return err
}

func ruleJSON(w io.Writer, reg *analysis.Registry) error {
	out := []ruleInfo{}
	for _, r := range reg.Rules {
		out = append(out, ruleInfo{
			Slug: r.Slug, Severity: r.Severity.String(), Enabled: !r.Off, Scope: r.Scope.String(), Security: r.Security,
			Summary: r.Summary, Doc: r.Doc, Spec: r.Spec, Fix: r.Fix, Bad: r.Bad, Good: r.Good, DocURL: report.DocURL(r),
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(out)
}
