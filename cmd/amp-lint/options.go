package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/report"
)

// options are the flags of the command.
type options struct {
	format  string
	outputs []string
	quiet   bool
	stats   bool

	strict      bool
	failOn      string
	maxWarnings int
	exitZero    bool

	specOnly   bool
	gate       bool
	caps       bool
	rules      []string
	only       []string
	config     string
	noConfig   bool
	noInline   bool
	noIgnore   bool
	baseline   string
	updateBase bool

	stdinFilename string
	stdinBatch    bool
	changed       bool
	since         string
	staged        bool
	hook          bool
	watch         bool

	fix           bool
	fixSuggested  bool
	diff          bool
	check         bool
	allowUnsigned bool
	failOnFix     bool
	showFiles     bool

	cache    bool
	cacheDir string
}

func (o *options) define(cmd *cobra.Command) {
	f := cmd.Flags()
	f.SortFlags = false
	f.StringVar(&o.format, "format", "text", "output `FORMAT` on standard output")
	f.StringArrayVar(&o.outputs, "output", nil, "also write a report, `FORMAT=FILE`; may be repeated")
	f.BoolVarP(&o.quiet, "quiet", "q", false, "print findings and errors, nothing else")
	f.BoolVar(&o.stats, "statistics", false, "count the findings of each rule instead of showing them")

	f.BoolVar(&o.strict, "strict", false, "fail for warnings, too, and take a credential pattern inside a word for an error")
	f.StringVar(&o.failOn, "fail-on", "", "fail from this `LEVEL` on: error (default), warning, info or never")
	f.IntVar(&o.maxWarnings, "max-warnings", -1, "fail for more than `N` warnings")
	f.BoolVar(&o.exitZero, "exit-zero", false, "exit 0 in spite of findings")

	f.BoolVar(&o.gate, "gate", false, "judge as a buyer: no comment, configuration or baseline of the pack's author counts; prints one page (--format page)")
	f.BoolVar(&o.caps, "capabilities", false, "list what the packs ask an agent to read, run, send, write and remember")
	f.BoolVar(&o.specOnly, "spec-only", false, "leave out the search for poisoned memory, which takes most of the time; credentials are still found")
	f.StringArrayVar(&o.rules, "rule", nil, "set a rule's level, `RULE=LEVEL` (off, on, hint, info, warning, error); may be repeated")
	f.StringSliceVar(&o.only, "only", nil, "report these `RULES` alone, and credentials")
	f.StringVar(&o.config, "config", "", "use this configuration `FILE` instead of looking for .amp-lint.yaml")
	f.BoolVar(&o.noConfig, "no-config", false, "use no configuration file")
	f.BoolVar(&o.noInline, "no-inline-suppress", false, "ignore comments that silence findings")
	f.BoolVar(&o.noIgnore, "no-gitignore", false, "look into folders that git ignores")
	f.StringVar(&o.baseline, "baseline", "", "leave out the findings listed in `FILE`")
	f.BoolVar(&o.updateBase, "baseline-update", false, "write the findings to the baseline and exit")

	f.StringVar(&o.stdinFilename, "stdin-filename", "", "the `PATH` that standard input stands for; the pack around it is read from disk")
	f.BoolVar(&o.stdinBatch, "stdin-batch", false, `read unsaved files from standard input: {"files": [{"path": ..., "text": ...}]}`)
	f.BoolVar(&o.changed, "changed", false, "lint the packs with changes that are not committed")
	f.StringVar(&o.since, "since", "", "lint the packs that changed since the branch left `REF`")
	f.BoolVar(&o.staged, "staged", false, "lint the packs with staged changes, as they will be committed")
	f.BoolVar(&o.hook, "hook", false, "for git hooks: PATHs are changed files; lint the packs they lie in")
	f.BoolVar(&o.watch, "watch", false, "lint again whenever a file changes")

	f.BoolVar(&o.showFiles, "show-files", false, "list the files that would be judged, and exit")
	f.BoolVar(&o.fix, "fix", false, "apply safe fixes; with '-' the fixed text goes to standard output, the report to standard error")
	f.BoolVar(&o.fixSuggested, "fix-suggested", false, "apply suggested fixes, too")
	f.BoolVar(&o.diff, "diff", false, "print what --fix would change as a patch for git apply; fail if there is any")
	f.BoolVar(&o.check, "check", false, "list the files that --fix would change; fail if there are any")
	f.BoolVar(&o.failOnFix, "exit-non-zero-on-fix", false, "fail when something was fixed, even if nothing is left")
	f.BoolVar(&o.allowUnsigned, "allow-unsigned-change", false, "fix signed packs as well; their signature is then void")

	f.BoolVar(&o.cache, "cache", false, "remember results of packs that did not change")
	f.StringVar(&o.cacheDir, "cache-dir", "", "the `FOLDER` for --cache (default: the user's cache folder)")

	complete := func(flag string, words []string) {
		// The flag is defined above; the error is for flags that are not.
		_ = cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(words, cobra.ShellCompDirectiveNoFileComp))
	}
	complete("format", report.Formats())
	complete("fail-on", config.FailLevels)
	_ = cmd.RegisterFlagCompletionFunc("only", completeRules)
	_ = cmd.RegisterFlagCompletionFunc("rule", completeRules)
}

func completeRules(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
	return slugs(), cobra.ShellCompDirectiveNoFileComp
}

func slugs() []string {
	var out []string
	for _, r := range rules.All().Rules {
		out = append(out, r.Slug)
	}
	return out
}

// An output is a report to write.
type output struct{ format, file string }

// settings are the options after they were checked.
type settings struct {
	options
	reg     *analysis.Registry
	outputs []output
	levels  map[string]config.Level
	fixing  bool
	safety  analysis.Safety
}

func (o options) validate(cmd *cobra.Command, reg *analysis.Registry) (*settings, error) {
	s := &settings{options: o, reg: reg, levels: map[string]config.Level{}}
	if !report.Known(o.format) {
		return nil, usage("unknown format %q, expected one of %s%s", o.format, strings.Join(report.Formats(), ", "), config.Suggest(o.format, report.Formats()))
	}
	if err := s.readOutputs(); err != nil {
		return nil, err
	}
	if o.failOn != "" && !slices.Contains(config.FailLevels, o.failOn) {
		return nil, usage("--fail-on takes one of %s, not %q", strings.Join(config.FailLevels, ", "), o.failOn)
	}
	if cmd.Flags().Changed("max-warnings") && o.maxWarnings < 0 {
		return nil, usage("--max-warnings takes a number from 0 on")
	}
	if o.config != "" && o.noConfig {
		return nil, usage("--config and --no-config exclude each other")
	}
	if o.gate {
		if o.config != "" || o.baseline != "" || o.specOnly || o.exitZero || len(o.rules) > 0 || len(o.only) > 0 || o.fix || o.fixSuggested {
			return nil, usage("--gate judges everything, and as the buyer sees it: it goes with no option that leaves findings out or changes files")
		}
		// What git ignores, as .amp often is, is installed all the same.
		s.noConfig, s.noInline, s.noIgnore = true, true, true
		if !cmd.Flags().Changed("format") {
			s.format = "page"
		}
	}
	if err := s.selection(); err != nil {
		return nil, err
	}
	return s, s.modes()
}

func (s *settings) selection() error {
	for _, spec := range s.rules {
		slug, level, _ := strings.Cut(spec, "=")
		if err := s.known(slug); err != nil {
			return err
		}
		l, ok := config.ParseLevel(level)
		if !ok {
			return usage("--rule takes RULE=LEVEL with one of %s, got %q", strings.Join(config.LevelNames(), ", "), spec)
		}
		if slug == config.CredentialRule && l != config.LevelError && l != config.Default {
			return usage("%s cannot be lowered: allow a value by its fingerprint in the configuration (see 'amp-lint fingerprint --help')", slug)
		}
		s.levels[slug] = l
	}
	for _, slug := range s.only {
		if err := s.known(slug); err != nil {
			return err
		}
	}
	return nil
}

func (s *settings) known(slug string) error {
	if s.reg.Rule(slug) == nil {
		return usage("unknown rule %q%s", slug, config.Suggest(slug, slugs()))
	}
	return nil
}

func (s *settings) modes() error {
	s.fixing = s.fix || s.fixSuggested || s.diff || s.check
	if s.fixSuggested {
		s.safety = analysis.Suggested
	}
	var sources []string
	for name, on := range map[string]bool{"--changed": s.changed, "--since": s.since != "", "--staged": s.staged, "--stdin-batch": s.stdinBatch} {
		if on {
			sources = append(sources, name)
		}
	}
	slices.Sort(sources)
	switch {
	case len(sources) > 1:
		return usage("%s exclude each other", strings.Join(sources, " and "))
	case s.diff && s.check:
		return usage("--diff and --check exclude each other")
	case s.fixing && (s.stdinBatch || s.staged) && !s.diff && !s.check:
		return usage("--fix needs files on disk; use --diff")
	case s.watch && (len(sources) > 0 || s.fixing || s.hook):
		return usage("--watch takes paths and cannot fix")
	case s.caps && (s.fixing || s.updateBase || s.watch || s.stats || s.showFiles):
		return usage("--capabilities judges nothing: it goes with no option that fixes, watches or counts")
	case s.showFiles && (s.fixing || s.updateBase || s.watch || s.stats):
		return usage("--show-files judges nothing: it goes with no option that fixes, watches or counts")
	case len(s.outputs) > 0 && s.makesNoReport() != "":
		return usage("--output writes a report, and %s makes none", s.makesNoReport())
	case s.fixing && s.updateBase:
		return usage("--baseline-update cannot fix at the same time")
	}
	return nil
}

// makesNoReport is the option that keeps a run from reporting findings, "" for none.
func (s *settings) makesNoReport() string {
	switch {
	case s.caps:
		return "--capabilities"
	case s.showFiles:
		return "--show-files"
	case s.diff:
		return "--diff"
	case s.check:
		return "--check"
	case s.updateBase:
		return "--baseline-update"
	}
	return ""
}

// override is the last word of the flags on a rule's level.
func (s *settings) override(rule string) (config.Level, bool) {
	if len(s.only) > 0 && !slices.Contains(s.only, rule) && rule != config.CredentialRule {
		return config.LevelOff, true
	}
	l, ok := s.levels[rule]
	return l, ok
}

func (s *settings) note(w streams, format string, args ...any) {
	if !s.quiet {
		say(w.err, fmt.Sprintf(format, args...))
	}
}
