package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

func newKeygenCmd() *cobra.Command {
	var out string
	var force bool
	cmd := &cobra.Command{
		Use:   "keygen",
		Short: "Generate an Ed25519 key pair for signing",
		Long: `Generate an Ed25519 key pair: the private key (PKCS8 PEM, mode 0600) and,
beside it, the public key (SPKI PEM) with .pub instead of .key. The default is
~/.amp/keys/signing.key. An existing key is never replaced without --force, and
then it is kept in a .bak file.`,
		Args: noArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			name := out
			if name == "" {
				if cmd.Flags().Changed("out") {
					return usagef("--out needs a file name")
				}
				var err error
				if name, err = defaultKey(); err != nil {
					return err
				}
				// Private before anything is in it, also when it was made by hand.
				dir := filepath.Dir(name)
				if err := os.MkdirAll(dir, 0o700); err != nil {
					return err
				}
				if err := os.Chmod(dir, 0o700); err != nil {
					return err
				}
			}
			if fi, err := os.Stat(name); err == nil && fi.IsDir() {
				return usagef("--out %s is a folder, give a file name", fsx.Printable(name))
			}
			k, err := sign.Keygen(name, force)
			if err != nil {
				return err
			}
			w := cmd.OutOrStdout()
			if k.Completed {
				fmt.Fprintln(w, "The private key exists already, wrote the missing public key from it.")
			} else {
				fmt.Fprintln(w, "Ed25519 key pair generated.")
			}
			fmt.Fprintf(w, "  private key: %s\n", fsx.Printable(k.Private))
			fmt.Fprintf(w, "  public key:  %s\n", fsx.Printable(k.Public))
			fmt.Fprintf(w, "  fingerprint: %s\n", k.Key.Fingerprint())
			if k.Backup != "" {
				fmt.Fprintf(w, "  old key kept as %s\n", fsx.Printable(k.Backup))
			}
			fmt.Fprintln(w, "Keep the private key secret and back it up. Publish the public key or its fingerprint.")
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the private key to this `file`")
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing key (the old one is kept as .bak)")
	return cmd
}
