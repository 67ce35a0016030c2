package main

import (
	"io"
	"strings"
	"testing"
)

func TestNoArgumentShowsASecretInAnError(t *testing.T) {
	body := "MC4CAQAwBQYDK2VwBCIEI" + strings.Repeat("a1B2", 10) + "xyz"
	token := "sk-" + strings.Repeat("a1B2", 6)
	for _, c := range [][2]string{
		{"-----BEGIN PRIVATE KEY-----\n" + body + "\n-----END PRIVATE KEY-----\n", body},
		{token, token[4:]},
	} {
		for _, args := range [][]string{{c[0]}, {"--", c[0]}, {"--clientProcessId", c[0]}, {"-" + c[0]}, {"--log", "/nowhere/" + c[0]}} {
			var errs strings.Builder
			if code := run(args, io.NopCloser(strings.NewReader("")), io.Discard, &errs); code != 2 || strings.Contains(errs.String(), c[1]) || errs.Len() == 0 {
				t.Errorf("%.30q: exit %d: %s", args, code, strings.ReplaceAll(errs.String(), c[1], "<secret>"))
			}
		}
	}
}
