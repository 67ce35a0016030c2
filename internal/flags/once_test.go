package flags

import (
	"io"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

func TestFlagsOfOneValueAreGivenOnce(t *testing.T) {
	for _, c := range []struct {
		args, err string
	}{
		{"sub --path a", ""},
		{"sub --path a --path a", ""}, // says the same twice
		{"sub --path a --path b", "given twice"},
		{"sub --path=a --path=b", "given twice"},
		{"sub --path a --path ''", "given twice"},
		{"sub --agent a --agent b", ""},
		{"sub --tag a --tag b", ""},
		{"sub -v -v --force --force", ""},
		{"--top a sub --top b", "given twice"},
	} {
		root := &cobra.Command{Use: "amp", SilenceUsage: true, SilenceErrors: true}
		sub := &cobra.Command{Use: "sub", RunE: func(*cobra.Command, []string) error { return nil }}
		root.AddCommand(sub)
		root.PersistentFlags().String("top", "", "")
		f := sub.Flags()
		f.String("path", "", "")
		f.StringSlice("agent", nil, "")
		f.StringArray("tag", nil, "")
		f.CountP("verbose", "v", "")
		f.Bool("force", false, "")
		Once(root)
		root.SetArgs(strings.Fields(strings.ReplaceAll(c.args, "''", "")))
		if strings.Contains(c.args, "''") {
			root.SetArgs([]string{"sub", "--path", "a", "--path", ""})
		}
		root.SetOut(io.Discard)
		err := root.Execute()
		if got := ""; err != nil {
			got = err.Error()
			if c.err == "" || !strings.Contains(got, c.err) {
				t.Errorf("%s: %v, want %q", c.args, err, c.err)
			}
		} else if c.err != "" {
			t.Errorf("%s: no error, want %q", c.args, c.err)
		}
	}
}
