package main

import (
	"encoding/json"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/config"
)

func configCommand(w streams) *cobra.Command {
	cmd := &cobra.Command{Use: "config", Short: "Show the configuration, or start one", Args: cobra.NoArgs, RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() }}
	var format string
	var all bool
	show := &cobra.Command{
		Use:   "show FILE",
		Short: "Show what holds for a file or pack, and where each setting comes from",
		Args:  cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if format != "text" && format != "json" {
				return usage("unknown format %q, expected text or json", format)
			}
			return showConfig(w, args[0], format, all)
		},
	}
	show.Flags().StringVar(&format, "format", "text", "`FORMAT`: text or json")
	show.Flags().BoolVar(&all, "all", false, "show defaults, too")
	cmd.AddCommand(show, initCommand(w))
	return cmd
}

// starter is what a new configuration says: nothing, and where to read on.
const starter = `# yaml-language-server: $schema=https://github.com/amp-toolchain/amp/raw/main/schemas/amp-lint.schema.json
# What amp-lint and editors report here: 'amp-lint rules' lists the rules,
# 'amp-lint config show FILE' what holds for a file and why.

#rules:
#  facet-default: warning
#
#overrides:
#  - paths: [drafts]
#    rules:
#      stray-text: off
#
#ignore: [third-party]
#
#fail-on: warning
#baseline: .amp-lint-baseline.json
{}
`

func initCommand(w streams) *cobra.Command {
	return &cobra.Command{
		Use:   "init [FOLDER]",
		Short: "Write a configuration that changes nothing yet, to start from",
		Args:  cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) == 1 {
				dir = args[0]
			}
			for _, n := range config.Names {
				name := filepath.Join(dir, n)
				if _, err := os.Lstat(name); err == nil {
					return usage("%s exists already", batch.Display(name))
				}
			}
			name := filepath.Join(dir, config.Names[0])
			f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
			if err != nil {
				return &exitError{exitInput, pathError(name, err)}
			}
			if _, err = f.WriteString(starter); err == nil {
				err = f.Close()
			}
			if err != nil {
				return &exitError{exitInput, pathError(name, err)}
			}
			_ = w.printf("wrote %s\n", batch.Display(name))
			return nil
		},
	}
}

type shownJSON struct {
	Key   string `json:"key"`
	Value string `json:"value"`
	From  string `json:"from"`
}

func showConfig(w streams, name, format string, all bool) error {
	file, err := filepath.Abs(name)
	if err != nil {
		return &exitError{exitInput, err}
	}
	dir := filepath.Dir(file)
	if st, err := os.Stat(file); err == nil && st.IsDir() {
		dir = file
	}
	c, err := config.NewFinder(rules.All()).For(dir)
	if err != nil {
		return &exitError{exitUsage, err}
	}
	settings := c.Show(file, rules.All())
	if format == "json" {
		out := struct {
			File     string      `json:"file"`
			Read     []string    `json:"read"`
			Settings []shownJSON `json:"settings"`
		}{credential.MaskText(batch.Display(name)), []string{}, []shownJSON{}}
		if c != nil {
			for _, f := range c.Files {
				out.Read = append(out.Read, credential.MaskText(filepath.ToSlash(f)))
			}
		}
		for _, s := range settings {
			out.Settings = append(out.Settings, shownJSON{s.Key, credential.MaskText(filepath.ToSlash(s.Value)), credential.MaskText(s.Origin.String())})
		}
		enc := json.NewEncoder(w.out)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(out)
	}
	if c == nil {
		_ = w.printf("no %s from %s up to the root of its repository: defaults hold\n", config.Names[0], filepath.ToSlash(dir))
	}
	for _, s := range settings {
		if all || s.Origin != (config.Origin{}) {
			_ = w.printf("%-34s %-10s %s\n", s.Key, filepath.ToSlash(s.Value), s.Origin)
		}
	}
	return nil
}
