// Command lintbench times amp-lint over a generated corpus beside its peers:
// ripgrep with the four patterns of Part 5, and markdownlint-cli2. It prints a
// Markdown table of CPU time (user and system, of the whole process) with the
// ratio pair by pair, since timings drift with the machine's load.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/amp-toolchain/amp/bench/packs"
)

func main() {
	lint := flag.String("amp-lint", "amp-lint", "the built linter")
	rg := flag.String("rg", "rg", "ripgrep")
	mdl := flag.String("markdownlint", "", "markdownlint-cli2, left out when empty")
	n := flag.Int("packs", 1000, "packs of 100 KB")
	runs := flag.Int("runs", 5, "counted runs of each command")
	flag.Parse()
	if err := run(*lint, *rg, *mdl, *n, *runs); err != nil {
		fmt.Fprintln(os.Stderr, "lintbench:", err)
		os.Exit(1)
	}
}

func run(lint, rg, mdl string, n, runs int) error {
	dir, err := os.MkdirTemp("", "lintbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	corpus := filepath.Join(dir, "corpus")
	files, bytes := 0, 0
	for i := range n {
		fs := packs.Pack(1, i, 100_000)
		if err := packs.Write(filepath.Join(corpus, fmt.Sprintf("pack-%04d", i)), fs); err != nil {
			return err
		}
		for _, f := range fs {
			files++
			bytes += len(f.Data)
		}
	}
	fmt.Printf("Corpus: %d packs, %d files, %.1f MB.\n\n", n, files, float64(bytes)/1e6)
	// The corpus is put together at random, and the rules on poisoned memory take
	// a few of its sentences for orders; by the specification it is clean.
	ours := []string{lint, "--spec-only", corpus}
	out, err := exec.Command(ours[0], ours[1:]...).Output()
	if err != nil {
		return fmt.Errorf("the corpus is meant to be clean: %w\n%s", err, tail(out))
	}
	fmt.Println("| Peer | amp-lint CPU s | peer CPU s | amp-lint : peer (min, median, max) | amp-lint peak MB | runs |")
	fmt.Println("|---|---|---|---|---|---|")
	patterns := []string{`sk-[A-Za-z0-9]{20,}`, `re_[A-Za-z0-9]{20,}`, `phc_[A-Za-z0-9]{20,}`, `=\s*['"][A-Za-z0-9]{32,}`}
	peer := []string{rg, "-c"}
	for _, p := range patterns {
		peer = append(peer, "-e", p)
	}
	pair("ripgrep, the four Part 5 patterns (amp-lint --spec-only)", ours, append(peer, corpus), runs)
	part := filepath.Join(corpus, "pack-000?")
	small, err := filepath.Glob(part)
	if err != nil {
		return err
	}
	pair("ripgrep, ten packs (amp-lint with every rule)", append([]string{lint}, small...), append(peer, small...), runs)
	if mdl != "" {
		pair("markdownlint-cli2 (amp-lint --spec-only)", ours, []string{mdl, "--no-globs", filepath.Join(corpus, "**", "*.md")}, min(runs, 3))
	}
	fmt.Printf("\n`amp-lint --version`: %s CPU (median of %d)\n", version(lint, runs*4), runs*4)
	return nil
}

type usage struct {
	cpu  time.Duration
	peak int64 // bytes
}

func measure(cmd []string) usage {
	c := exec.Command(cmd[0], cmd[1:]...)
	c.Run() // peers exit with 1 for findings
	st := c.ProcessState
	u := usage{cpu: st.UserTime() + st.SystemTime()}
	if ru, ok := st.SysUsage().(*syscall.Rusage); ok {
		u.peak = ru.Maxrss << 10
	}
	return u
}

// pair runs the two in turn, after one warm-up of each.
func pair(name string, a, b []string, runs int) {
	measure(a)
	measure(b)
	var as, bs, ratios []float64
	var peak int64
	for range runs {
		ua, ub := measure(a), measure(b)
		as, bs = append(as, ua.cpu.Seconds()), append(bs, ub.cpu.Seconds())
		ratios = append(ratios, ua.cpu.Seconds()/ub.cpu.Seconds())
		peak = max(peak, ua.peak)
	}
	slices.Sort(ratios)
	fmt.Printf("| %s | %.2f | %.2f | %.3f, %.3f, %.3f | %d | %d |\n", name, median(as), median(bs), ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1], peak>>20, runs)
}

func version(lint string, runs int) time.Duration {
	var all []float64
	for range runs {
		all = append(all, measure([]string{lint, "--version"}).cpu.Seconds())
	}
	return time.Duration(median(all) * float64(time.Second)).Round(100 * time.Microsecond)
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}

func tail(b []byte) string {
	lines := strings.Split(strings.TrimSpace(string(b)), "\n")
	return strings.Join(lines[max(0, len(lines)-8):], "\n")
}
