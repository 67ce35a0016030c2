package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

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
			}
			if strings.EqualFold(filepath.Ext(name), ".pub") {
				return usagef("--out %s is for the private key, which nobody may take for a public one; leave out .pub", fsx.Printable(name))
			}
			fi, err := os.Stat(name)
			if err == nil && fi.IsDir() {
				return usagef("--out %s is a folder, give a file name", fsx.Printable(name))
			}
			var k *sign.KeyFiles
			if out != "" {
				k, err = sign.Keygen(name, force)
			} else {
				var home string
				if home, err = homeDir(); err == nil {
					k, err = sign.KeygenHome(home, force)
				}
			}
			if err != nil {
				return err
			}
			if k.Warning != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", k.Warning)
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
			if in := packAround(filepath.Dir(name)); in != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s holds a pack, move the private key out before anybody gets it\n", fsx.Printable(in))
			}
			fmt.Fprintln(w, "Keep the private key secret and back it up. Publish the public key or its fingerprint.")
			return nil
		},
	}
	cmd.Flags().StringVar(&out, "out", "", "write the private key to this `file`")
	cmd.Flags().BoolVar(&force, "force", false, "replace an existing key (the old one is kept as .bak)")
	return cmd
}

// packAround returns the folder of the pack that dir is or lies in, or "".
func packAround(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil {
		if fi, err := os.Stat(filepath.Join(dir, sign.ManifestName)); err == nil && fi.Mode().IsRegular() {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			break
		}
		dir = up
	}
	return ""
}
