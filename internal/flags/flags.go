// Package flags is what the command lines of all programs have in common.
package flags

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Once refuses flags of one value that are given twice, in a command and those below
// it: the last one would win without a word.
func Once(cmd *cobra.Command) {
	wrap := func(f *pflag.Flag) {
		kind := f.Value.Type()
		if _, done := f.Value.(*once); done || f.NoOptDefVal != "" || strings.HasSuffix(kind, "Slice") || strings.HasSuffix(kind, "Array") || kind == "count" {
			return
		}
		f.Value = &once{Value: f.Value}
	}
	cmd.Flags().VisitAll(wrap)
	cmd.PersistentFlags().VisitAll(wrap)
	for _, c := range cmd.Commands() {
		Once(c)
	}
}

type once struct {
	pflag.Value
	set bool
}

var errTwice = errors.New("given twice, it takes one value")

func (o *once) Set(s string) error {
	if o.set && s != o.String() {
		return errTwice
	}
	o.set = true
	return o.Value.Set(s)
}
