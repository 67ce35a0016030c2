package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/flags"
	"github.com/amp-toolchain/amp/internal/report"
)

// Exit codes.
const (
	exitClean    = 0 // nothing at or above the fail level
	exitFindings = 1
	exitUsage    = 2 // wrong usage or configuration
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

func usage(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

// streams are the standard streams of a run.
type streams struct {
	in       io.Reader
	out, err io.Writer
}

// printf prints what is no report on standard output, which is masked by its own
// writer. Names of files can hold a credential.
func (s streams) printf(format string, args ...any) error {
	_, err := io.WriteString(s.out, credential.MaskText(fmt.Sprintf(format, args...)))
	return err
}

func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if credential.PrivateKeyIn(args) {
		say(stderr, "an argument holds the text of a private key, which others can read there; consider the key known to others")
		return exitUsage
	}
	cmd := newCommand(streams{stdin, stdout, stderr})
	cmd.SetArgs(args)
	flags.Once(cmd)
	err := cmd.Execute()
	if err == nil {
		return exitClean
	}
	var ee *exitError
	if !errors.As(err, &ee) {
		ee = &exitError{exitUsage, err}
	}
	if ee.err != nil {
		for line := range strings.SplitSeq(credential.MaskText(ee.err.Error()), "\n") {
			say(stderr, line)
		}
		if ee.code == exitUsage {
			fmt.Fprintln(stderr, "Run 'amp-lint --help' for usage.")
		}
	}
	return ee.code
}

// say prints a message as one line: the name of a file, which may come from a
// stranger, can neither forge a further one nor steer the terminal, and a credential
// in it is not shown.
func say(w io.Writer, msg string) {
	_, _ = io.WriteString(w, "amp-lint: "+report.Line(credential.MaskText(msg))+"\n")
}

// flagError leaves the words of Go's number reader out.
func flagError(err error) error {
	msg := err.Error()
	if head, _, ok := strings.Cut(msg, ": strconv."); ok {
		return usage("%s: a number is expected", head)
	}
	return usage("%s", msg)
}

func newCommand(s streams) *cobra.Command {
	var opt options
	cmd := &cobra.Command{
		Use:   "amp-lint [flags] PATH...",
		Short: "Check AMP packs",
		Long: `Check AMP packs: structure, sentences, routing, counts, credentials, poisoned memory.

A PATH is a pack, a folder with packs at any depth, or a file of a pack; '-' reads
one file from standard input (see --stdin-filename).

Formats:
` + report.FormatHelp() + `
Exit status: 0 nothing to fail for, 1 findings, 2 wrong usage or configuration, 3
something could not be read.`,
		Args:          cobra.ArbitraryArgs,
		Version:       internal.Version,
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(cmd *cobra.Command, args []string) error {
			return lint(cmd, opt, args, s)
		},
		ValidArgsFunction: func(*cobra.Command, []string, string) ([]string, cobra.ShellCompDirective) {
			return nil, cobra.ShellCompDirectiveDefault
		},
	}
	cmd.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return flagError(err) })
	cmd.SetIn(s.in)
	cmd.SetOut(s.out)
	cmd.SetErr(s.err)
	opt.define(cmd)
	cmd.AddCommand(explainCommand(s), rulesCommand(s), configCommand(s), fingerprintCommand(s), suppressCommand(s), manCommand(s))
	return cmd
}

// color: on a terminal only, and not against NO_COLOR (no-color.org).
func color(w io.Writer) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && isTerminal(w)
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
