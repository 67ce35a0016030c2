package main

import (
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/policy"
	"github.com/amp-toolchain/amp/internal/report"
)

func fingerprintCommand(w streams) *cobra.Command {
	return &cobra.Command{
		Use:   "fingerprint PATH...",
		Short: "Print the fingerprints of credentials, to allow them one by one",
		Long: `Print the fingerprint of each credential that is found, for a value that may ship
(a revoked key in an example, say). Put it into .amp-lint.yaml:

  credentials:
    salt: SALT
    allow:
      - fingerprint: amp1:...
        reason: revoked in March, shown in the tutorial

The salt belongs to the repository. Without one in the configuration this command
makes one up and prints it.`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return fingerprints(w, args) },
	}
}

func fingerprints(w streams, args []string) error {
	reg := rules.All()
	targets, errs := batch.Discover(args, nil)
	finder := config.NewFinder(reg)
	fresh := ""
	n := 0
	for _, res := range batch.Lint(targets, batch.Options{Runner: analysis.NewRunner(reg)}) {
		errs = append(errs, res.Errs...)
		if res.Pack == nil {
			continue
		}
		dir, err := filepath.Abs(res.Dir)
		if err != nil {
			return &exitError{exitInput, err}
		}
		c, err := finder.For(dir)
		if err != nil {
			return &exitError{exitUsage, err}
		}
		salt := ""
		if c != nil {
			salt = c.Salt.Value
		}
		if salt == "" {
			if fresh == "" {
				fresh = newSalt()
			}
			salt = fresh
		}
		values := map[string]string{} // by path and message place
		for i := range res.Diags {
			if v := policy.Credential(res.Pack, &res.Diags[i]); v != "" {
				values[fmt.Sprint(res.Diags[i].Path, res.Diags[i].Span)] = v
			}
		}
		for _, f := range report.New([]batch.Result{res}, nil).Findings {
			if f.Rule.Slug != config.CredentialRule {
				continue
			}
			v := values[fmt.Sprintf("%s{%d %d}", f.Rel, f.Start.Offset, f.End.Offset)]
			_ = w.printf("%s:%d:%d: %s %s\n", f.Path, f.Start.Line, f.Start.Column, config.Fingerprint(salt, v), f.Message)
			n++
		}
	}
	if fresh != "" && n > 0 {
		fmt.Fprintf(w.out, "\nput this into %s:\n\ncredentials:\n  salt: %s\n", config.Names[0], fresh)
	}
	for i := range errs {
		say(w.err, errs[i].Error())
	}
	if len(errs) > 0 {
		return &exitError{code: exitInput}
	}
	return nil
}

func newSalt() string {
	var b [16]byte
	_, _ = rand.Read(b[:]) // never fails, see its documentation
	return hex.EncodeToString(b[:])
}
