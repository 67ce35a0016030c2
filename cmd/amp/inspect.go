package main

import (
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/fsx"
)

func newInspectCmd() *cobra.Command {
	var scopeName string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "inspect NAME",
		Short: "Show an installed pack and what was changed since",
		Long: `Show the metadata of an installed pack, its signature, every file that was
changed, added, removed or renamed since it was installed, its blocks, and what
it asks your agent to read, run, send, write and remember.

Exit codes: 0 intact; 1 not installed, unreadable or no name of a pack; 2 something
was changed, or wrong usage.`,
		Args: oneArg("pack name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			scope, err := parseScope(scopeName)
			if err != nil {
				return err
			}
			slug, err := install.SlugArg(args[0], scope)
			if err != nil {
				return &exitError{exitFailed, err}
			}
			w, err := where()
			if err != nil {
				return err
			}
			known, err := knownKeys()
			if err != nil {
				return err
			}
			r, err := install.Inspect(w, scope, slug, known)
			if errors.Is(err, install.ErrNotInstalled) {
				return &exitError{exitFailed, fmt.Errorf("%s is not installed (scope %s)", slug, scope)}
			}
			if err != nil {
				return err
			}
			learn(cmd, r.Folder)
			var sum *lintSummary
			if r.HasFiles {
				// A folder that cannot be linted shows as such in the notes.
				if s, err := lintPack(r.Folder); err == nil {
					sum = &s
				} else {
					r.Notes = append(r.Notes, err.Error())
				}
			}
			if asJSON {
				err = writeJSON(cmd.OutOrStdout(), struct {
					Version int  `json:"version"`
					Intact  bool `json:"intact"`
					*install.Report
					Lint         *lintSummary        `json:"lint"`
					Capabilities *capability.Summary `json:"capabilities"`
				}{1, r.Intact(), r, sum, sum.capabilities()})
				if err != nil {
					return err
				}
			} else {
				printReport(cmd.OutOrStdout(), r)
				if sum != nil {
					fmt.Fprintf(cmd.OutOrStdout(), "  lint:      %d errors, %d warnings, %d credentials or security findings\n", sum.Errors, sum.Warnings, len(sum.Blocking))
					sum.printCapabilities(cmd.OutOrStdout(), "  ")
				}
			}
			if r.Differs() {
				return &exitError{code: 2}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	scopeFlag(cmd, &scopeName)
	cmd.ValidArgsFunction = completeSlugs(&scopeName)
	return cmd
}

// capabilities is nil for a pack that could not be read.
func (sum *lintSummary) capabilities() *capability.Summary {
	if sum == nil {
		return nil
	}
	return &sum.caps
}

func printReport(w io.Writer, r *install.Report) {
	fmt.Fprintf(w, "%s (scope %s)\n", r.Slug, r.Scope)
	if m := r.Meta; m != nil {
		if m.Amp != nil {
			fmt.Fprintf(w, "  title:     %s\n", fsx.Printable(m.Amp.Title))
		}
		fmt.Fprintf(w, "  version:   %d\n", m.Version)
		fmt.Fprintf(w, "  installed: %s\n", fsx.Printable(m.InstalledAt))
	}
	fmt.Fprintf(w, "  folder:    %s\n", fsx.Printable(r.Folder))
	fmt.Fprintf(w, "  signature: %s\n", signatureText(r.Signature))
	for _, b := range r.Blocks {
		fmt.Fprintf(w, "  block:     %s in %s\n", b.State, fsx.Printable(b.File))
		if b.Note != "" {
			fmt.Fprintf(w, "             %s\n", oneLine(b.Note))
		}
	}
	for _, n := range r.Notes {
		fmt.Fprintf(w, "  note:      %s\n", oneLine(n))
	}
	if r.Problem != "" {
		fmt.Fprintf(w, "  problem:   %s\n", oneLine(r.Problem))
	}
	switch {
	case len(r.Changes) > 0:
		fmt.Fprintln(w, "  CHANGED since it was installed:")
		for _, c := range r.Changes {
			fmt.Fprintf(w, "    %s\n", c)
		}
	case !r.HasFiles || r.Meta == nil: // the notes say why nothing can be said
	case !r.Recorded:
		fmt.Fprintln(w, "  files:     not recorded by the tool that installed it, manifest.json is unchanged")
	default:
		fmt.Fprintln(w, "  files:     unchanged")
	}
}

func newListCmd() *cobra.Command {
	var scopeName string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the installed packs of this project and of the user",
		Long: `List the installed packs, their folders and blocks: those of this project and those
of the user, or those of one scope with --scope.

Exit codes: 0 all were listed, 1 a scope could not be looked at; the other one is
listed.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			scopes := []install.Scope{install.Project, install.User}
			if cmd.Flags().Changed("scope") {
				scope, err := parseScope(scopeName)
				if err != nil {
					return err
				}
				scopes = []install.Scope{scope}
			}
			packs, unseen, err := listPacks(scopes, !cmd.Flags().Changed("scope"))
			if err != nil {
				return err
			}
			if asJSON {
				if err := writeJSON(cmd.OutOrStdout(), map[string]any{"version": 1, "packs": packs}); err != nil {
					return err
				}
			} else {
				printList(cmd.OutOrStdout(), packs)
				if len(packs) == 0 && scopes[0] == install.Project {
					hintListAbove(cmd.OutOrStdout())
				}
			}
			if unseen != nil {
				return &exitError{exitFailed, fmt.Errorf("the packs of scope user could not be looked at: %w (--scope project lists those of this project alone)", unseen)}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	scopeFlag(cmd, &scopeName)
	cmd.Flags().Lookup("scope").DefValue = "" // both, where it is not given
	return cmd
}

// listPacks lists scopes. Without a home folder the packs of the user cannot be
// looked at: unseen says why where the user did not ask for them alone.
func listPacks(scopes []install.Scope, both bool) (packs []install.Installed, unseen, err error) {
	w, err := where()
	if err != nil {
		return nil, nil, err
	}
	packs = []install.Installed{}
	for _, scope := range scopes {
		if scope == install.User && w.Home == "" {
			if _, unseen = homeDir(); unseen != nil {
				continue
			}
		}
		found, err := install.List(w, scope)
		if both && errors.Is(err, install.ErrHome) {
			unseen = err
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		packs = append(packs, found...)
	}
	return packs, unseen, nil
}

// hintListAbove tells of a project above this folder that has packs.
func hintListAbove(out io.Writer) {
	w, err := where()
	if err != nil {
		return
	}
	if dir := projectAbove(w, "*"); dir != "" {
		fmt.Fprintf(out, "The project %s has some: run amp list there.\n", fsx.Printable(dir))
	}
}

func printList(w io.Writer, packs []install.Installed) {
	if len(packs) == 0 {
		fmt.Fprintln(w, "No packs are installed.")
	}
	for _, p := range packs {
		fmt.Fprintf(w, "%s  (%s)  %s\n", p.Slug, p.Scope, fsx.Printable(p.Folder))
		switch {
		case p.Problem != "":
			fmt.Fprintf(w, "  problem: %s\n", oneLine(p.Problem))
		case p.Meta == nil:
			fmt.Fprintln(w, "  problem: there is a folder but no metadata, it was not installed by amp")
		case !p.HasFiles:
			fmt.Fprintln(w, "  problem: there is metadata but no folder")
		}
		for _, b := range p.Blocks {
			fmt.Fprintf(w, "  %s: %s (block %s)\n", b.Agent, fsx.Printable(b.File), b.State)
		}
	}
}
