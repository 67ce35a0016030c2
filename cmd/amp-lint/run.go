package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/internal/sigstate"
	"github.com/amp-toolchain/amp/pack"
)

// Exit codes.
const (
	exitClean    = 0 // nothing at or above the fail level
	exitFindings = 1
	exitUsage    = 2
	exitInput    = 3 // a file or argument could not be read, or an internal error
)

// An exitError carries an exit code out of a command.
type exitError struct {
	code int
	err  error // nil when all has been said
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

type options struct {
	format        string
	strict        bool
	stdinFilename string
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	cmd := newCommand(stdin, stdout, stderr)
	cmd.SetArgs(args)
	err := cmd.Execute()
	if err == nil {
		return exitClean
	}
	var ee *exitError
	if !errors.As(err, &ee) {
		ee = &exitError{exitUsage, err}
	}
	if ee.err != nil {
		fmt.Fprintf(stderr, "amp-lint: %v\n", ee.err)
		if ee.code == exitUsage {
			fmt.Fprintln(stderr, "Run 'amp-lint --help' for usage.")
		}
	}
	return ee.code
}

func newCommand(stdin io.Reader, stdout, stderr io.Writer) *cobra.Command {
	var opt options
	cmd := &cobra.Command{
		Use:   "amp-lint [flags] PATH...",
		Short: "Check AMP packs",
		Long: `Check AMP packs: structure, sentences, routing, counts, credentials.

A PATH is a pack, a folder with packs at any depth, or a file of a pack; '-' reads
one file from standard input (see --stdin-filename).

Exit status: 0 nothing to fail for, 1 findings, 2 wrong usage, 3 something could not be read.`,
		Args:          cobra.ArbitraryArgs,
		Version:       internal.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(_ *cobra.Command, args []string) error {
			return lint(opt, args, stdin, stdout, stderr)
		},
	}
	cmd.SetIn(stdin)
	cmd.SetOut(stdout)
	cmd.SetErr(stderr)
	f := cmd.Flags()
	f.StringVar(&opt.format, "format", "text", "output `format`: text, spec or json")
	f.BoolVar(&opt.strict, "strict", false, "fail for warnings, too")
	f.StringVar(&opt.stdinFilename, "stdin-filename", "", "the `path` that standard input stands for; the pack around it is read from disk")
	return cmd
}

func lint(opt options, args []string, stdin io.Reader, stdout, stderr io.Writer) error {
	if !slices.Contains([]string{"text", "spec", "json"}, opt.format) {
		return &exitError{exitUsage, fmt.Errorf("unknown format %q, expected text, spec or json", opt.format)}
	}
	if len(args) == 0 {
		return &exitError{exitUsage, errors.New("no path given; try 'amp-lint .'")}
	}
	bopt := batch.Options{
		Runner:    analysis.NewRunner(rules.All()),
		Signature: func(dir string) pack.SignatureState { return sigstate.Of(dir) },
	}
	targets, errs, err := targetsOf(opt, args, stdin, &bopt)
	if err != nil {
		return err
	}
	r := report.New(nil, errs)
	bopt.Each = r.Add
	batch.Lint(targets, bopt)
	if err := write(opt, r, stdout, stderr); err != nil {
		return &exitError{exitInput, err}
	}
	return verdict(opt, r)
}

// targetsOf finds what to lint. '-' stands for one unsaved file.
func targetsOf(opt options, args []string, stdin io.Reader, bopt *batch.Options) ([]batch.Target, []batch.PathError, error) {
	if !slices.Contains(args, "-") {
		if opt.stdinFilename != "" {
			return nil, nil, &exitError{exitUsage, errors.New("--stdin-filename needs '-' as the only path")}
		}
		targets, errs := batch.Discover(args)
		return targets, errs, nil
	}
	if len(args) > 1 {
		return nil, nil, &exitError{exitUsage, errors.New("'-' must be the only path")}
	}
	src, err := io.ReadAll(io.LimitReader(stdin, pack.MaxFile+1))
	if err != nil {
		return nil, nil, &exitError{exitInput, fmt.Errorf("standard input: %w", err)}
	}
	if len(src) > pack.MaxFile {
		return nil, nil, &exitError{exitInput, fmt.Errorf("standard input: %w", pack.ErrTooLarge)}
	}
	name := opt.stdinFilename
	if name == "" {
		name = "stdin.md"
	}
	t, ok := batch.Around(name)
	if !ok {
		t = batch.Target{Dir: filepath.Dir(name), Display: batch.Display(filepath.Dir(name)), Only: []string{filepath.Base(name)}, Loose: true}
	}
	bopt.OverlayDir, bopt.Overlay = t.Dir, map[string]string{t.Only[0]: string(src)}
	return []batch.Target{t}, nil, nil
}

func write(opt options, r *report.Report, stdout, stderr io.Writer) error {
	if opt.format != "json" {
		for _, e := range r.Errors {
			fmt.Fprintf(stderr, "amp-lint: %v\n", &e)
		}
	}
	switch opt.format {
	case "json":
		return report.JSON(stdout, r)
	case "spec":
		return report.Spec(stdout, r)
	}
	return report.Text(stdout, r, report.TextOptions{Color: color(stdout)})
}

func verdict(opt options, r *report.Report) error {
	switch {
	case len(r.Errors) > 0:
		return &exitError{code: exitInput}
	case r.Summary.Errors > 0, opt.strict && r.Summary.Warnings > 0:
		return &exitError{code: exitFindings}
	}
	return nil
}

// color: on a terminal only, and not against NO_COLOR (no-color.org).
func color(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}
