package main

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/sign"
)

func newSignCmd() *cobra.Command {
	var keyFile, scheme string
	var noEmbed, force bool
	cmd := &cobra.Command{
		Use:   "sign PACK",
		Short: "Sign a pack",
		Long: `Sign a pack: writes "signed": true and "signature" into manifest.json, keeping
every other byte, and ships the public key as signing.pub in the pack.

The spec scheme (default) is Part 6 of AMP v0.4. Use --scheme jsonb for packs
whose buyers verify with the npm CLI, which knows only that form.

The pack is linted first; a credential or an error of the security rules refuses
it without --force.

AMP_PRIVATE_KEY, a PEM text, overrides --key.`,
		Args: oneArg("pack folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := sign.ParseScheme(scheme)
			if err != nil {
				return usagef("--scheme: %v", err)
			}
			key, warning, err := privateKey(keyFile)
			if err != nil {
				return err
			}
			learn(cmd, args[0])
			sum, err := lintPack(args[0])
			if err != nil {
				return err
			}
			sum.print(io.Discard, cmd.ErrOrStderr())
			if len(sum.Blocking) > 0 && !force {
				return fmt.Errorf("not signed: %d findings would hurt those who install the pack (--force signs all the same)", len(sum.Blocking))
			}
			if warning != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", warning)
			}
			res, err := sign.Sign(args[0], key, sign.Options{Scheme: s, NoEmbed: noEmbed, Check: sum.same})
			if err != nil {
				return err
			}
			for _, w := range res.Warnings {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", oneLine(w))
			}
			if res.Uncovered != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "error: %v; the npm CLI takes this signature, amp verify refuses it\n", res.Uncovered)
			}
			if res.StaleKey {
				fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s in the pack is another key than the one that signed it\n", sign.EmbeddedName)
			}
			w := cmd.OutOrStdout()
			fmt.Fprintf(w, "Signed (%s payload).\n", s)
			fmt.Fprintf(w, "  key:       %s\n", key.Public().Fingerprint())
			fmt.Fprintf(w, "  covers:    %d files and manifest.json\n", res.Files)
			fmt.Fprintf(w, "  signature: %s\n", res.Signature)
			return nil
		},
	}
	cmd.Flags().StringVar(&keyFile, "key", "", "private key `file` (default ~/.amp/keys/signing.key)")
	cmd.Flags().StringVar(&scheme, "scheme", string(sign.Spec), "payload form: spec or jsonb")
	cmd.Flags().BoolVar(&noEmbed, "no-embed-key", false, "do not write signing.pub (one that is there stays)")
	cmd.Flags().BoolVar(&force, "force", false, "sign in spite of credentials or security findings")
	fixedCompletion(cmd, "scheme", string(sign.Spec), string(sign.JSONB))
	return cmd
}

// fixedCompletion completes a flag from a list of values.
func fixedCompletion(cmd *cobra.Command, flag string, values ...string) {
	err := cmd.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp))
	if err != nil {
		panic(err) // the flag does not exist
	}
}
