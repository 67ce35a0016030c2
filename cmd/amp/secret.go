package main

import (
	"io"
	"strings"

	"github.com/amp-toolchain/amp/analysis/credential"
)

// keyArgs makes a public key's text an argument like any other, which cobra would
// take for a flag because it starts with a hyphen.
func keyArgs(args []string) []string {
	out := make([]string, len(args))
	for i, a := range args {
		if strings.HasPrefix(a, "-----BEGIN ") {
			a = "\n" + a
		}
		out[i] = a
	}
	return out
}

// errorText is an error as it may be shown: on one line, without the credentials
// that it quotes from the arguments or from files.
func errorText(err error) string { return oneLine(credential.MaskText(err.Error())) }

// maskedWriter takes the credentials out of what is written through it. Each write
// is one message.
type maskedWriter struct{ w io.Writer }

func (m maskedWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, credential.MaskText(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}
