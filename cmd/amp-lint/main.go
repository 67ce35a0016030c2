// Command amp-lint checks AMP packs.
package main

import (
	"fmt"
	"os"
	"runtime/debug"

	"github.com/amp-toolchain/amp/internal"
)

func main() {
	// Hooks and editors ask for the version at every start; it needs no flags.
	if len(os.Args) == 2 && os.Args[1] == "--version" {
		fmt.Println("amp-lint version " + internal.Version)
		return
	}
	// A run reads everything once and ends: collecting often buys nothing.
	debug.SetGCPercent(800)
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}
