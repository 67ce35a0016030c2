package main

import (
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/amp-toolchain/amp/internal"
)

func manCommand(w streams) *cobra.Command {
	return &cobra.Command{
		Use:   "man",
		Short: "Print the manual page",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return manual(w.out, cmd.Root())
		},
	}
}

// manual writes a page in the man macros (man 7), made of the command itself.
func manual(w io.Writer, root *cobra.Command) error {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH AMP-LINT 1 \"\" \"amp-lint %s\" \"User Commands\"\n.SH NAME\namp-lint \\- %s\n", internal.Version, roff(strings.ToLower(root.Short)))
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.B amp-lint\n.RI [ flags ]\n.IR PATH ...\n.SH DESCRIPTION\n.nf\n%s\n.fi\n", roff(root.Long))
	b.WriteString(".SH OPTIONS\n")
	writeFlags(&b, root)
	b.WriteString(".SH COMMANDS\n")
	for _, c := range root.Commands() {
		writeCommand(&b, c)
	}
	b.WriteString(".SH FILES\n.TP\n.I .amp-lint.yaml\nThe configuration, looked for from a linted file upward to the root of its repository.\n")
	_, err := io.WriteString(w, b.String())
	return err
}

func writeCommand(b *strings.Builder, c *cobra.Command) {
	if c.Hidden || c.Name() == "help" {
		return
	}
	fmt.Fprintf(b, ".TP\n.B %s\n%s.\n", roff(strings.TrimPrefix(c.UseLine(), "amp-lint ")), roff(c.Short))
	for _, sub := range c.Commands() {
		writeCommand(b, sub)
	}
}

func writeFlags(b *strings.Builder, c *cobra.Command) {
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		name, use := pflag.UnquoteUsage(f)
		short := ""
		if f.Shorthand != "" {
			short = "\\-" + f.Shorthand + ", "
		}
		fmt.Fprintf(b, ".TP\n\\fB%s\\-\\-%s\\fR", short, roff(f.Name))
		if name != "" {
			fmt.Fprintf(b, " \\fI%s\\fR", roff(name))
		}
		fmt.Fprintf(b, "\n%s.\n", roff(use))
	})
}

// roff escapes what the macros would take for their own.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
