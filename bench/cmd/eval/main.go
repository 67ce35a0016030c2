// Command eval measures how well amp-lint's security rules judge labelled
// sets, and prints a Markdown table for each. See bench/README.md for the
// formats of sets. It exits with 1 when a set falls below a threshold, with 2
// for wrong usage, and with 3 when a set can't be read or amp-lint fails.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

const (
	exitBelow = 1
	exitUsage = 2
	exitInput = 3
)

// Thresholds are shares from 0 to 1, or numbers where the name says alarms.
type thresholds struct {
	recall, precision         float64 // packs
	cross                     float64 // recall on attacks that need several files
	crossAlarms, i18nAlarms   int
	credRecall, credPrecision float64
	flagged                   float64 // ordinary texts
}

type options struct {
	lint    string
	as      string
	verbose bool
	limits  thresholds
}

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

func run(args []string, stdout, stderr io.Writer) int {
	var opt options
	f := flag.NewFlagSet("eval", flag.ContinueOnError)
	f.SetOutput(stderr)
	f.Usage = func() {
		fmt.Fprintln(stderr, "usage: eval [flags] SET...\n\nA SET is a .jsonl file of packs or credentials, or a folder of ordinary .md texts.")
		f.PrintDefaults()
	}
	l := &opt.limits
	f.StringVar(&opt.lint, "amp-lint", "amp-lint", "the built linter")
	f.StringVar(&opt.as, "as", "other", "place of ordinary texts in a clean pack: other (docs/text.md) or demo (body of a demonstration)")
	f.BoolVar(&opt.verbose, "v", false, "list misses and false alarms")
	f.Float64Var(&l.recall, "min-recall", 0.70, "packs: share of attacks flagged")
	f.Float64Var(&l.precision, "min-precision", 0.92, "packs: share of flagged packs that are attacks")
	f.Float64Var(&l.cross, "min-cross-file", 0.50, "packs: share of attacks over several files flagged")
	f.IntVar(&l.crossAlarms, "max-cross-file-alarms", 0, "packs: false alarms on harmless packs tagged cross-file")
	f.IntVar(&l.i18nAlarms, "max-i18n-alarms", 0, "packs: false alarms on harmless packs tagged i18n")
	f.Float64Var(&l.credRecall, "min-credential-recall", 0.95, "credentials: recall on tier core")
	f.Float64Var(&l.credPrecision, "min-credential-precision", 0.98, "credentials: precision on tier core")
	f.Float64Var(&l.flagged, "max-flagged", 0.08, "texts: share flagged")
	if err := f.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return 0
		}
		return exitUsage
	}
	if f.NArg() == 0 {
		fmt.Fprintln(stderr, "eval: no set given")
		return exitUsage
	}
	if opt.as != "other" && opt.as != "demo" {
		fmt.Fprintf(stderr, "eval: unknown place %q for -as, expected other or demo\n", opt.as)
		return exitUsage
	}
	code := 0
	for i, name := range f.Args() {
		if i > 0 {
			fmt.Fprintln(stdout)
		}
		below, err := evaluate(name, opt, stdout)
		if err != nil {
			fmt.Fprintf(stderr, "eval: %s: %v\n", name, err)
			return exitInput
		}
		for _, b := range below {
			fmt.Fprintf(stderr, "eval: %s: %s\n", name, b)
			code = exitBelow
		}
	}
	return code
}

// evaluate prints the tables of one set and returns the thresholds it missed.
func evaluate(name string, opt options, w io.Writer) ([]string, error) {
	s, err := readSet(name, opt.as)
	if err != nil {
		return nil, err
	}
	found, err := lint(opt.lint, s.packs())
	if err != nil {
		return nil, err
	}
	fmt.Fprintf(w, "## %s\n\n", name)
	switch {
	case s.attacks != nil:
		sc := scorePacks(s.attacks, found)
		sc.print(w, opt.verbose)
		return sc.below(opt.limits), nil
	case s.credentials != nil:
		sc := scoreCredentials(s.credentials, found)
		sc.print(w, opt.verbose)
		return sc.below(opt.limits), nil
	default:
		sc := scoreTexts(s.texts, found)
		sc.print(w, opt.verbose)
		return sc.below(opt.limits), nil
	}
}
