package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/fsx"
)

func newManCmd() *cobra.Command {
	var dir string
	cmd := &cobra.Command{
		Use:   "man",
		Short: "Write the man pages",
		Long: `Write the man pages: that of amp to standard output or, with --dir, one per
command to a folder such as ~/.local/share/man/man1.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true // pages must not differ from day to day
			date := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
			header := &doc.GenManHeader{Title: "AMP", Section: "1", Source: "amp " + internal.Version, Manual: "Agent Memory Protocol", Date: &date}
			if dir == "" {
				return doc.GenMan(root, header, cmd.OutOrStdout())
			}
			if err := os.MkdirAll(dir, 0o755); err != nil {
				return err
			}
			header.Title = ""
			if err := doc.GenManTree(root, header, dir); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Wrote the man pages to %s\n", fsx.Printable(dir))
			return nil
		},
	}
	cmd.Flags().StringVar(&dir, "dir", "", "write one page per command to this `folder`")
	return cmd
}
