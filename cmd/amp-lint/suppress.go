package main

import (
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/baseline"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/policy"
	"github.com/amp-toolchain/amp/parser/text"
)

func suppressCommand(w streams) *cobra.Command {
	var opt options
	var reason string
	cmd := &cobra.Command{
		Use:   "suppress --reason TEXT [flags] PATH...",
		Short: "Write comments that silence the findings in packs",
		Long: `Write comments that silence the findings in packs, each at its primitive or line, with
the reason. Credentials are not silenced by comments, and neither is what lies in a
file that has no place for one: these are listed, and the exit status is 1.`,
		Args: cobra.MinimumNArgs(1),
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			if strings.TrimSpace(reason) == "" {
				return usage("--reason must say why the findings may stay")
			}
			s, err := opt.validate(cmd, rules.All())
			if err != nil {
				return err
			}
			return s.suppress(args, reason, w)
		},
	}
	f := cmd.Flags()
	f.StringVar(&reason, "reason", "", "why the findings may stay; it stands in each comment")
	f.StringSliceVar(&opt.only, "only", nil, "silence these `RULES` alone")
	f.StringVar(&opt.config, "config", "", "use this configuration `FILE` instead of looking for .amp-lint.yaml")
	f.BoolVar(&opt.noConfig, "no-config", false, "use no configuration file")
	f.BoolVar(&opt.diff, "diff", false, "write nothing; print a patch for git apply")
	f.BoolVar(&opt.allowUnsigned, "allow-unsigned-change", false, "change signed packs as well; their signature is then void")
	f.BoolVarP(&opt.quiet, "quiet", "q", false, "print errors, nothing else")
	_ = cmd.RegisterFlagCompletionFunc("only", completeRules)
	opt.format, opt.maxWarnings = "text", -1
	return cmd
}

func (s *settings) suppress(args []string, reason string, w streams) error {
	s.fixing = true
	j := &job{settings: s, w: w, policies: map[string]*policy.Policy{}, bases: map[string]*baseline.Baseline{}, warnings: map[string]int{}}
	if err := j.find(args); err != nil {
		return err
	}
	if err := j.configure(); err != nil {
		return &exitError{exitUsage, err}
	}
	silenced, left := 0, 0
	for _, t := range j.targets {
		r := batch.Suppress(t, j.opt, reason, j.allowUnsigned)
		switch {
		case errors.Is(r.Err, batch.ErrSigned):
			j.say(fmt.Sprintf("%s: not changed: %v (--allow-unsigned-change changes it all the same)", t.Display, r.Err))
			left += r.Silenced + len(r.Left)
			continue
		case r.Err != nil:
			j.errs = append(j.errs, batch.PathError{Path: t.Display, Err: r.Err})
			continue
		case j.diff:
			if err := j.patch(&r.Fixed); err != nil {
				return &exitError{exitInput, err}
			}
		default:
			var errs []batch.PathError
			if err := uninterrupted(func() { errs = r.Write() }); err != nil {
				return err
			}
			if len(errs) > 0 {
				j.errs = append(j.errs, errs...)
				continue
			}
		}
		silenced += r.Silenced
		for i := range r.Left {
			d := &r.Left[i]
			if d.Rule.Slug == "credential" && len(j.only) > 0 {
				continue // --only reports it with every selection
			}
			left++
			line := 1
			if f := r.After.File(d.Path); f != nil && f.Tree != nil {
				n, _ := f.Tree.Position(d.Span.Start, text.UTF8)
				line = n + 1
			}
			j.say(fmt.Sprintf("%s:%d: no comment silences %s here", path.Join(t.Display, d.Path), line, d.Rule.Slug))
		}
	}
	for _, e := range j.errs {
		j.say(e.Error())
	}
	j.note(w, "%s silenced", count(silenced, "finding", "findings"))
	switch {
	case len(j.errs) > 0:
		return &exitError{code: exitInput}
	case left > 0:
		return &exitError{code: exitFindings}
	}
	return nil
}
