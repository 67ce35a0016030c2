// Command amp-lint checks AMP packs.
package main

import (
	"os"
	"runtime/debug"
)

func main() {
	// A run reads everything once and ends: collecting often buys nothing.
	debug.SetGCPercent(400)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
