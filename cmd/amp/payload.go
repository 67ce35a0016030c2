package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/sign"
)

func newPayloadCmd() *cobra.Command {
	var scheme string
	cmd := &cobra.Command{
		Use:   "payload PACK",
		Short: "Print the exact bytes that a signature covers",
		Args:  oneArg("pack folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := sign.ParseScheme(scheme)
			if err != nil {
				return usagef("--scheme: %v", err)
			}
			learn(cmd, args[0])
			p, err := sign.Open(args[0])
			if err != nil {
				return &exitError{exitUsage, err}
			}
			defer p.Close()
			if err := p.Hash(); err != nil {
				return &exitError{exitUsage, err}
			}
			if e := p.Uncovered(s); e != nil {
				fmt.Fprintf(cmd.ErrOrStderr(), "error: %v; amp verify refuses such a signature\n", e)
			}
			_, err = exactOut(cmd).Write(p.Payload(s))
			return err
		},
	}
	cmd.Flags().StringVar(&scheme, "scheme", string(sign.Spec), "payload form: spec or jsonb")
	fixedCompletion(cmd, "scheme", string(sign.Spec), string(sign.JSONB))
	return cmd
}
