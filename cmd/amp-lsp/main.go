// Command amp-lsp is the language server for AMP packs. It speaks the Language
// Server Protocol over standard input and output.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/lsp"
)

func main() { os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(args []string, stdin io.ReadCloser, stdout, stderr io.Writer) int {
	if credential.PrivateKeyIn(args) {
		fmt.Fprintln(stderr, "amp-lsp: an argument holds the text of a private key, which others can read there; consider the key known to others")
		return 2
	}
	stderr = maskedWriter{stderr}
	flags := flag.NewFlagSet("amp-lsp", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Bool("stdio", true, "speak over standard input and output (the only way)")
	showVersion := flags.Bool("version", false, "print the version and exit")
	logFile := flags.String("log", "", "append the log to this `file` instead of standard error")
	verbose := flags.Bool("verbose", false, "log every message")
	parent := flags.Int("clientProcessId", 0, "end when the process with this `id` does")
	flags.Usage = func() {
		fmt.Fprint(stderr, "amp-lsp serves the Language Server Protocol for AMP packs over standard input and output.\n\nusage: amp-lsp [flags]\n\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if err == flag.ErrHelp {
			return 0
		}
		return 2
	}
	if flags.NArg() > 0 {
		fmt.Fprintf(stderr, "amp-lsp: unexpected argument %q; it takes flags only\n", flags.Arg(0))
		return 2
	}
	if *showVersion {
		fmt.Fprintln(stdout, "amp-lsp "+internal.Version)
		return 0
	}

	log := stderr
	if *logFile != "" {
		f, err := os.OpenFile(*logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			fmt.Fprintf(stderr, "amp-lsp: cannot write the log: %v\n", err)
			return 2
		}
		defer f.Close()
		log = f
	}
	level := slog.LevelInfo
	if *verbose {
		level = slog.LevelDebug
	}
	return lsp.Serve(context.Background(), stdin, unclosed{stdout}, lsp.Options{
		Version: internal.Version,
		Log:     log,
		Level:   level,
		Parent:  *parent,
	})
}

// maskedWriter takes credentials out of what is written through it, such as errors
// that quote arguments. Each write is one message.
type maskedWriter struct{ w io.Writer }

func (m maskedWriter) Write(p []byte) (int, error) {
	if _, err := io.WriteString(m.w, credential.MaskText(string(p))); err != nil {
		return 0, err
	}
	return len(p), nil
}

// unclosed keeps standard output open: the process ends anyway, and closing it
// could wait for a write that blocks.
type unclosed struct{ io.Writer }

func (unclosed) Close() error { return nil }
