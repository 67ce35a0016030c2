package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/fsx"
)

func newNewCmd() *cobra.Command {
	var title string
	cmd := &cobra.Command{
		Use:   "new NAME",
		Short: "Start a pack: a folder with a valid skeleton",
		Args:  oneArg("pack name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			// The last element is the name, so that ./packs/my-pack works.
			if args[0] == "" {
				return usagef("new needs a pack name, it is empty (see %s --help)", cmd.CommandPath())
			}
			dir := filepath.Clean(args[0])
			name := filepath.Base(dir)
			if err := install.CheckSlug(name, install.User); err != nil {
				return usagef("%v", err)
			}
			if title = strings.TrimSpace(title); title == "" {
				title = titleOf(name)
			}
			if fsx.Printable(title) != title || len(title) > 200 {
				return usagef("--title: %s is no title, expected up to 200 bytes that all show", fsx.Printable(title[:min(len(title), 200)]))
			}
			if err := scaffold(dir, name, title, time.Now()); err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "Created %s with manifest.json, agents.md and memory/operating-principles.md.\n", fsx.Printable(dir))
			fmt.Fprintf(w, "Next: edit the files, run amp-lint %[1]s, then amp sign %[1]s.\n", fsx.Printable(dir))
			return nil
		},
	}
	cmd.Flags().StringVar(&title, "title", "", "the pack's title")
	return cmd
}

// titleOf makes a title from a name: "my-pack" becomes "My pack".
func titleOf(name string) string {
	words := strings.Join(strings.FieldsFunc(name, func(r rune) bool { return r == '-' }), " ")
	return strings.ToUpper(words[:1]) + words[1:]
}

const agentsSkeleton = `# AMP Routing — %s

## Always load
- operating-principles.md — what to optimize for and how to work

## Route by task type

| If the task involves... | Load |
|---|---|
| Any task | operating-principles.md |
`

const principlesSkeleton = `---
type: cluster
applies_to: what to optimize for and how to work
source: self
primitive_counts:
  directive: 1
  goal: 1
  claim: 0
  demonstration: 0
---

[goal should, project, permanent] Optimize for what the reader needs over what is quick to write.
  > Replace this line with your reason.

[directive should, project, permanent] In every answer, always say what is not known.
  > Replace this line with your reason.
`

// scaffold writes the skeleton of a pack into a new or empty folder.
func scaffold(dir, name, title string, now time.Time) error {
	switch entries, err := os.ReadDir(dir); {
	case err == nil && len(entries) > 0:
		return fmt.Errorf("%s exists and is not empty", fsx.Printable(dir))
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if err := os.MkdirAll(filepath.Join(dir, "memory"), 0o755); err != nil {
		return err
	}
	quoted, err := json.Marshal(title)
	if err != nil {
		return err
	}
	manifest := fmt.Sprintf(`{
  "name": %q,
  "title": %s,
  "version": { "number": 1 },
  "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4",
  "created": %q,
  "sources": [],
  "agents_file": "agents.md",
  "agents": ["claude-code"],
  "capability_files": ["operating-principles.md"],
  "primitive_counts": {
    "goal": 1,
    "claim": 0,
    "directive": 1,
    "demonstration": 0,
    "dropped_action_log": 0,
    "dropped_duplicate": 0
  },
  "signed": false,
  "signature": ""
}
`, name, quoted, now.Format(time.DateOnly))
	for _, f := range []struct{ name, text string }{
		{"memory/operating-principles.md", principlesSkeleton},
		{"agents.md", fmt.Sprintf(agentsSkeleton, name)},
		{"manifest.json", manifest},
	} {
		if err := fsx.WriteFile(filepath.Join(dir, f.name), []byte(f.text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
