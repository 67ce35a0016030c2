package main

import (
	"strings"
	"testing"
)

func TestWrongUsageHasOneStatus(t *testing.T) {
	for _, args := range [][]string{{"parse"}, {"parse", "a", "b"}, {"sign", "--nope"}, {"nosuch"}, {"verify"}, {"verify", "a", "b"}, {"payload"}, {"explode"}} {
		var out, errs strings.Builder
		if code := run(args, &out, &errs); code != exitUsage {
			t.Errorf("%q ended with %d: %s", args, code, errs.String())
		}
	}
}
