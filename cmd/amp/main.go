// Command amp signs, verifies and installs AMP packs (AMP v0.4 Parts 6 to 8).
package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/flags"
	"github.com/amp-toolchain/amp/internal/fsx"
)

// Exit codes. Those of verify are documented with the command.
const (
	exitFailed    = 1
	exitUsage     = 2
	exitUntrusted = 3
)

// exitError ends the program with a code; an empty message prints nothing.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return ""
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

func usagef(format string, args ...any) error {
	return &exitError{exitUsage, fmt.Errorf(format, args...)}
}

func main() {
	os.Exit(run(os.Args[1:], os.Stdout, os.Stderr))
}

// run executes one command line and returns the exit code.
func run(args []string, stdout, stderr io.Writer) int {
	root := newRootCmd()
	countsAsUsage(root)
	flags.Once(root)
	root.SetArgs(keyArgs(args))
	out := &checkedWriter{w: stdout}
	known := &credential.Values{}
	masked := maskedWriter{out, known}
	root.SetOut(masked)
	stderr = maskedWriter{stderr, known}
	root.SetErr(stderr)
	if credential.PrivateKeyIn(args) {
		fmt.Fprintln(stderr, "amp: an argument holds the text of a private key, which others can read there: give the name of its file, or AMP_PRIVATE_KEY to amp sign; consider the key known to others")
		if slices.Contains(args, "--json") {
			_ = writeJSON(masked, map[string]any{"version": 1, "ok": false, "error": "an argument holds the text of a private key"})
		}
		return exitUsage
	}
	cmd, err := root.ExecuteC()
	if verify := cmd.Name() == "verify"; out.err != nil && (err == nil || verify) {
		// Whoever reads the output must not take a part of it for the whole. For verify,
		// 1 and 3 would say something about the signature.
		code := exitFailed
		if verify {
			code = exitUsage
		}
		err = &exitError{code, fmt.Errorf("the output could not be written: %w", out.err)}
	}
	if err == nil {
		return 0
	}
	if f := cmd.Flags().Lookup("json"); f != nil && f.Value.String() == "true" && out.written == 0 && err.Error() != "" {
		// Whoever asked for JSON gets an object in every outcome.
		_ = writeJSON(masked, map[string]any{"version": 1, "ok": false, "error": errorText(err)})
	}
	if msg := errorText(err); msg != "" {
		fmt.Fprintf(stderr, "amp: %s\n", msg)
	}
	var ee *exitError
	if errors.As(err, &ee) {
		return ee.code
	}
	return exitFailed
}

// countsAsUsage gives a wrong number of arguments the status of other wrong usage.
func countsAsUsage(cmd *cobra.Command) {
	if check := cmd.Args; check != nil {
		cmd.Args = func(c *cobra.Command, args []string) error {
			err := check(c, args)
			var ee *exitError
			if err == nil || errors.As(err, &ee) {
				return err
			}
			return usagef("%w (see %s --help)", err, c.CommandPath())
		}
	}
	for _, c := range cmd.Commands() {
		countsAsUsage(c)
	}
}

// refuseEmpty refuses flags that were given without a value, as by a variable of a
// script that is not set: to take the default instead would undo what they ask for.
func refuseEmpty(cmd *cobra.Command, _ []string) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if err == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			err = usagef("--%s needs a value, it is empty (see %s --help)", f.Name, cmd.CommandPath())
		}
	})
	return err
}

// checkedWriter remembers that writing failed, which the commands do not look at.
type checkedWriter struct {
	w       io.Writer
	written int64
	err     error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.written += int64(n)
	if c.err == nil {
		c.err = err
	}
	return n, err
}

// oneLine keeps a message on one line of visible text, whatever it quotes: names
// and values of a stranger's pack must not steer the terminal.
func oneLine(s string) string {
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			b.WriteByte(' ')
		case r == utf8.RuneError && strings.HasPrefix(s[i:], "\uFFFD"):
			b.WriteRune(r)
		case r == utf8.RuneError:
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case fsx.Visible(r):
			b.WriteRune(r)
		case strconv.IsPrint(r): // a blank that passes for a letter
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			q := strconv.QuoteRune(r)
			b.WriteString(q[1 : len(q)-1])
		}
	}
	return b.String()
}

func newRootCmd() *cobra.Command {
	root := &cobra.Command{
		Use:   "amp",
		Short: "Sign, verify and install AMP agent memory packs",
		Long: `amp packs, signs, verifies and installs agent memory (AMP v0.4).

If you only install packs you need no keys:
  amp install --from-path ./pack
  amp inspect pack
  amp unpack pack
  amp uninstall pack

If you publish packs:
  amp capture ./notes --name pack
  amp keygen
  amp sign ./pack
  amp verify ./pack --public-key ~/.amp/keys/signing.pub`,
		Version:           internal.Version,
		Args:              noArgs,
		SilenceUsage:      true,
		SilenceErrors:     true,
		PersistentPreRunE: refuseEmpty,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return cmd.Help()
		},
	}
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v (see %s --help)", err, cmd.CommandPath())
	})
	root.SetVersionTemplate("{{.Version}}\n")
	root.AddCommand(
		newKeygenCmd(), newSignCmd(), newVerifyCmd(), newPayloadCmd(), newTrustCmd(),
		newInstallCmd(), newInspectCmd(), newUninstallCmd(), newListCmd(),
		newUnpackCmd(), newCaptureCmd(), newParseCmd(), newNewCmd(), newManCmd(),
	)
	return root
}

// noArgs refuses arguments; for the root these are unknown commands.
func noArgs(cmd *cobra.Command, args []string) error {
	switch {
	case len(args) == 0:
		return nil
	case cmd.HasParent():
		return usagef("%s takes no arguments, got %q", cmd.Name(), args[0])
	}
	hint := ""
	if like := cmd.SuggestionsFor(args[0]); len(like) > 0 {
		hint = fmt.Sprintf(", did you mean %s?", like[0])
	}
	return usagef("unknown command %q%s (see amp --help)", args[0], hint)
}

// oneArg demands exactly one argument and says what it is.
func oneArg(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		switch {
		case len(args) == 0:
			return usagef("%s needs a %s (see %s --help)", cmd.Name(), what, cmd.CommandPath())
		case len(args) > 1:
			return usagef("%s takes one %s, got %d", cmd.Name(), what, len(args))
		}
		return nil
	}
}
