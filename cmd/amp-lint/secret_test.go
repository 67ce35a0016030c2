package main

import (
	"strings"
	"testing"
)

func TestNoArgumentShowsASecretInAnError(t *testing.T) {
	t.Chdir(t.TempDir())
	body := "MC4CAQAwBQYDK2VwBCIEI" + strings.Repeat("a1B2", 10) + "xyz"
	token := "sk-" + strings.Repeat("a1B2", 6)
	for _, c := range [][2]string{
		{"-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n", body},
		{body, body},
		{token, token[4:]},
	} {
		for _, args := range [][]string{{c[0]}, {"--", c[0]}, {"--format", c[0], "."}, {"--" + c[0]}, {"--config", c[0], "."}, {"--max-warnings", c[0], "."}} {
			var out, errs strings.Builder
			if code := run(args, strings.NewReader(""), &out, &errs); code < exitUsage || strings.Contains(out.String()+errs.String(), c[1]) || errs.Len() == 0 {
				t.Errorf("%.30q: exit %d: %s", args, code, strings.ReplaceAll(out.String()+errs.String(), c[1], "<secret>"))
			}
		}
	}
}
