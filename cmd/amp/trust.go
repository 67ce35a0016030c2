package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

func newTrustCmd() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "trust",
		Short: "Manage the keys that you trust",
		Long: `Manage the keys that you trust (~/.amp/trusted.json). A pack signed by one of
them verifies without --public-key and installs without a warning.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(newTrustAddCmd(), newTrustListCmd(), newTrustRemoveCmd())
	return cmd
}

func newTrustAddCmd() *cobra.Command {
	var label string
	cmd := &cobra.Command{
		Use:   "add KEY",
		Short: "Trust a public key: a file, PEM text or a pack that ships one",
		Args:  oneArg("public key"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := trustStore()
			if err != nil {
				return err
			}
			key, err := trustArg(args[0])
			if err != nil {
				return &exitError{exitUsage, err}
			}
			if label == "" {
				label = key.Fingerprint()[len("SHA256:"):][:12]
			}
			if err := sign.CheckLabel(label); err != nil {
				return usagef("--label: %v", err)
			}
			if err := store.Add(key, label, time.Now()); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "Trusted %s as %s.\n", key.Fingerprint(), label)
			return nil
		},
	}
	cmd.Flags().StringVar(&label, "label", "", "a `name` for the key's owner")
	return cmd
}

// trustArg reads a key from a key file, PEM text or a pack folder.
func trustArg(arg string) (sign.PublicKey, error) {
	fi, err := os.Stat(arg)
	if err != nil || !fi.IsDir() {
		return publicKeyArg(arg)
	}
	root, err := os.OpenRoot(arg)
	if err != nil {
		return sign.PublicKey{}, err
	}
	defer root.Close()
	key, err := sign.EmbeddedKey(root)
	switch {
	case err != nil:
		return key, fmt.Errorf("%s in %s: %w", sign.EmbeddedName, fsx.Printable(arg), err)
	case key.IsZero():
		return key, fmt.Errorf("the folder %s holds no %s", fsx.Printable(arg), sign.EmbeddedName)
	}
	return key, nil
}

func newTrustListCmd() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "list",
		Short: "List the trusted keys",
		Args:  noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			store, err := trustStore()
			if err != nil {
				return err
			}
			keys, err := store.List()
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if asJSON {
				type item struct {
					Fingerprint string    `json:"fingerprint"`
					Label       string    `json:"label"`
					Added       time.Time `json:"added"`
				}
				items := []item{}
				for _, k := range keys {
					items = append(items, item{k.Key.Fingerprint(), k.Label, k.Added})
				}
				return writeJSON(w, map[string]any{"version": 1, "keys": items})
			}
			if len(keys) == 0 {
				fmt.Fprintln(w, "No keys are trusted.")
			}
			for _, k := range keys {
				fmt.Fprintf(w, "%s  %s  (added %s)\n", k.Key.Fingerprint(), fsx.Printable(k.Label), k.Added.Format(time.DateOnly))
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newTrustRemoveCmd() *cobra.Command {
	return &cobra.Command{
		Use:   "remove FINGERPRINT|LABEL",
		Short: "Stop trusting a key",
		Args:  oneArg("fingerprint or label"),
		RunE: func(cmd *cobra.Command, args []string) error {
			store, err := trustStore()
			if err != nil {
				return err
			}
			gone, err := store.Remove(args[0])
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s (%s) is no longer trusted.\n", gone.Key.Fingerprint(), fsx.Printable(gone.Label))
			return nil
		},
	}
}

// writeJSON prints v with the credentials in its texts masked.
func writeJSON(w io.Writer, v any) error {
	known := &credential.Values{}
	if m, ok := w.(maskedWriter); ok {
		w, known = m.w, m.known
	}
	b, err := marshal(v)
	if err != nil {
		return err
	}
	return writeVisible(w, maskJSON(b, known))
}

// writeExactJSON prints v as it is.
func writeExactJSON(w io.Writer, v any) error {
	b, err := marshal(v)
	if err != nil {
		return err
	}
	return writeVisible(w, b)
}

func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(v)
	return b.Bytes(), err
}

// writeVisible writes JSON with every character escaped that does not show, so that
// JSON on a terminal is as harmless as text. Outside of strings there are none.
func writeVisible(w io.Writer, text []byte) error {
	out := make([]byte, 0, len(text))
	for _, r := range string(text) {
		switch {
		case r == '\n' || fsx.Visible(r):
			out = utf8.AppendRune(out, r)
		case r > 0xFFFF:
			hi, lo := utf16.EncodeRune(r)
			out = fmt.Appendf(out, `\u%04x\u%04x`, hi, lo)
		default:
			out = fmt.Appendf(out, `\u%04x`, r)
		}
	}
	_, err := w.Write(out)
	return err
}
