// Command packgen writes AMP packs for benchmarks: a series of packs of equal
// size, or one pack with a single large capability file.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/amp-toolchain/amp/bench/packs"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "packgen:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("packgen", flag.ContinueOnError)
	out := flags.String("out", "", "folder to write to; must be empty or absent")
	n := flags.Int("packs", 1000, "how many packs")
	size := flags.String("size", "100KB", "bytes per pack, all files together")
	single := flags.String("single", "", "write one pack whose product-context.md has this size, such as 10KB or 10MB")
	seed := flags.Uint64("seed", 1, "the same seed gives the same bytes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *out == "" || flags.NArg() > 0 {
		flags.Usage()
		return fmt.Errorf("need --out DIR and no other arguments")
	}
	if entries, err := os.ReadDir(*out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", *out)
	}
	if *single != "" {
		bytes, err := parseSize(*single)
		if err != nil {
			return err
		}
		return packs.Write(*out, packs.Single(*seed, bytes))
	}
	bytes, err := parseSize(*size)
	if err != nil {
		return err
	}
	for i := range *n {
		if err := packs.Write(filepath.Join(*out, fmt.Sprintf("%04d", i)), packs.Pack(*seed, i, bytes)); err != nil {
			return err
		}
	}
	return nil
}

// parseSize reads a number of bytes, with KB or MB for thousands and millions.
func parseSize(s string) (int, error) {
	factor := 1
	number := s
	switch {
	case strings.HasSuffix(s, "KB"):
		factor, number = 1_000, strings.TrimSuffix(s, "KB")
	case strings.HasSuffix(s, "MB"):
		factor, number = 1_000_000, strings.TrimSuffix(s, "MB")
	}
	n, err := strconv.Atoi(number)
	if err != nil || n <= 0 || n > 1_000_000_000/factor {
		return 0, fmt.Errorf("bad size %q: want a number of bytes up to 1000MB, such as 10KB", s)
	}
	return n * factor, nil
}
