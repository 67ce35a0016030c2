// Command lintbench times amp-lint over a generated corpus beside its peers, and
// what a hook and an unchanged second run cost. It prints Markdown tables of CPU
// time (user and system, of the whole process and those it starts) with the ratio
// pair by pair, since timings drift with the machine's load. Slow peers get a
// tenth of the corpus, and so does amp-lint beside them; times are then scaled.
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

type peers struct{ lint, rg, gitleaks, secretlint, markdownlint, rumdl string }

func main() {
	var p peers
	flag.StringVar(&p.lint, "amp-lint", "amp-lint", "the built linter")
	flag.StringVar(&p.rg, "rg", "rg", "ripgrep")
	flag.StringVar(&p.gitleaks, "gitleaks", "", "gitleaks 8, left out when empty")
	flag.StringVar(&p.secretlint, "secretlint", "", "secretlint with its recommended preset beside it, left out when empty")
	flag.StringVar(&p.markdownlint, "markdownlint", "", "markdownlint-cli2, left out when empty")
	flag.StringVar(&p.rumdl, "rumdl", "", "rumdl, left out when empty")
	n := flag.Int("packs", 1000, "packs of 100 KB, at least 10")
	runs := flag.Int("runs", 5, "counted runs of each command")
	flag.Parse()
	if err := run(p, max(*n, 10), *runs); err != nil {
		fmt.Fprintln(os.Stderr, "lintbench:", err)
		os.Exit(1)
	}
}

func run(p peers, n, runs int) error {
	dir, err := os.MkdirTemp("", "lintbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	corpus, tenth := filepath.Join(dir, "corpus"), filepath.Join(dir, "tenth")
	files, bytes := 0, 0
	for i := range n {
		fs := packs.Pack(1, i, 100_000)
		name := fmt.Sprintf("pack-%04d", i)
		if err := packs.Write(filepath.Join(corpus, name), fs); err != nil {
			return err
		}
		if i%10 == 0 {
			if err := packs.Write(filepath.Join(tenth, name), fs); err != nil {
				return err
			}
		}
		for _, f := range fs {
			files++
			bytes += len(f.Data)
		}
	}
	fmt.Printf("Corpus: %d packs, %d files, %.1f MB.\n\n", n, files, float64(bytes)/1e6)
	spec := []string{p.lint, "--spec-only", corpus}
	out, err := exec.Command(p.lint, corpus).Output()
	if err != nil {
		return fmt.Errorf("the corpus is meant to be clean: %w\n%s", err, tail(out))
	}
	fmt.Println("| Peer | of the corpus | amp-lint | amp-lint CPU s | peer CPU s | amp-lint : peer (min, median, max) | amp-lint peak MB | runs |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	rg := []string{p.rg, "-c"}
	for _, re := range []string{`sk-[A-Za-z0-9]{20,}`, `re_[A-Za-z0-9]{20,}`, `phc_[A-Za-z0-9]{20,}`, `=\s*['"][A-Za-z0-9]{32,}`} {
		rg = append(rg, "-e", re)
	}
	secretrc := filepath.Join(dir, "secretlintrc.json")
	if err := os.WriteFile(secretrc, []byte(`{"rules": [{"id": "@secretlint/secretlint-rule-preset-recommend"}]}`), 0o600); err != nil {
		return err
	}
	full := func(dir string) []string { return []string{p.lint, dir} }
	few := min(runs, 3)
	pair("ripgrep, the four Part 5 patterns", "all", "spec-only", spec, append(slices.Clone(rg), corpus), runs, 1)
	pair("the same", "a tenth", "every rule", full(tenth), append(slices.Clone(rg), tenth), few, 10)
	for _, peer := range []struct {
		name string
		cmd  []string
	}{
		{"gitleaks", []string{p.gitleaks, "dir", "--no-banner", tenth}},
		{"secretlint", []string{p.secretlint, "--secretlintrc", secretrc, filepath.Join(tenth, "**", "*")}},
		{"markdownlint-cli2", []string{p.markdownlint, "--no-globs", filepath.Join(tenth, "**", "*.md")}},
		{"rumdl", []string{p.rumdl, "check", "--no-cache", "--silent", tenth}},
	} {
		if peer.cmd[0] == "" {
			continue
		}
		pair(peer.name, "a tenth", "spec-only", []string{p.lint, "--spec-only", tenth}, peer.cmd, few, 10)
		pair(peer.name, "a tenth", "every rule", full(tenth), peer.cmd, few, 10)
	}
	if err := again(p.lint, dir, tenth, few); err != nil {
		return err
	}
	return hook(p.lint, corpus, runs*3)
}

// again times an unchanged second run with the cache.
func again(lint, dir, corpus string, runs int) error {
	var cold, warm []float64
	for i := range runs {
		cmd := []string{lint, "--fail-on", "never", "--cache-dir", filepath.Join(dir, fmt.Sprint("cache", i)), corpus}
		cold = append(cold, measure(cmd, "").cpu.Seconds())
		measure(cmd, "") // a state is remembered once it is old enough to be told from a later one
		warm = append(warm, measure(cmd, "").cpu.Seconds())
	}
	fmt.Printf("\n`--cache`, every rule, a tenth: cold %.3f s of CPU, unchanged again %.3f s, %.1f %% (median of %d)\n", median(cold), median(warm), 100*median(warm)/median(cold), runs)
	return nil
}

// hook times what a commit of one changed file costs in a repository of all packs.
func hook(lint, repo string, runs int) error {
	git := func(args ...string) error {
		cmd := exec.Command("git", args...)
		cmd.Dir = repo
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=A",
			"GIT_AUTHOR_EMAIL=a@example.org", "GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return fmt.Errorf("git %s: %w\n%s", args[0], err, tail(out))
		}
		return nil
	}
	for _, args := range [][]string{{"init", "-q"}, {"add", "-A"}, {"commit", "-q", "-m", "packs"}} {
		if err := git(args...); err != nil {
			return err
		}
	}
	all, err := filepath.Glob(filepath.Join(repo, "pack-*"))
	if err != nil {
		return err
	}
	commands := [][]string{{"--staged"}, {"--hook", "FILE"}, {"--changed"}, {"FILE"}, {"--version"}}
	ms := make([][2][]float64, len(commands))
	for run := range runs { // each time another pack: some cost several times what others do
		file := filepath.ToSlash(filepath.Join(filepath.Base(all[(run*37+5)%len(all)]), "memory", "operating-principles.md"))
		f, err := os.OpenFile(filepath.Join(repo, filepath.FromSlash(file)), os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		if _, err := f.WriteString("\n"); err != nil {
			return err
		}
		if err := f.Close(); err != nil {
			return err
		}
		if err := git("add", file); err != nil {
			return err
		}
		for i, args := range commands {
			cmd := []string{lint}
			for _, a := range args {
				cmd = append(cmd, strings.Replace(a, "FILE", file, 1))
			}
			ms[i][0] = append(ms[i][0], 1000*measure(cmd, repo).cpu.Seconds())
			if args[0] != "--version" {
				cmd = append(cmd, "--spec-only")
			}
			ms[i][1] = append(ms[i][1], 1000*measure(cmd, repo).cpu.Seconds())
		}
		if err := git("commit", "-q", "-m", "one more"); err != nil {
			return err
		}
	}
	fmt.Printf("\nOne changed file in a git repository of all packs, milliseconds of CPU with those of git (median and worst of %d packs):\n\n| | every rule | spec-only |\n|---|---|---|\n", runs)
	for i, args := range commands {
		fmt.Printf("| `amp-lint %s` | %.1f, %.1f | %.1f, %.1f |\n", strings.Join(args, " "), median(ms[i][0]), slices.Max(ms[i][0]), median(ms[i][1]), slices.Max(ms[i][1]))
	}
	return nil
}

type usage struct {
	cpu  time.Duration
	peak int64 // bytes
}

func measure(cmd []string, dir string) usage {
	c := exec.Command(cmd[0], cmd[1:]...)
	c.Dir = dir
	c.Run() // peers exit with 1 for findings
	st := c.ProcessState
	u := usage{cpu: st.UserTime() + st.SystemTime()}
	if ru, ok := st.SysUsage().(*syscall.Rusage); ok {
		u.peak = ru.Maxrss << 10
	}
	return u
}

// pair runs the two in turn, after one warm-up of each.
func pair(name, part, mode string, a, b []string, runs, scale int) {
	measure(a, "")
	measure(b, "")
	var as, bs, ratios []float64
	var peak int64
	for range runs {
		ua, ub := measure(a, ""), measure(b, "")
		as, bs = append(as, ua.cpu.Seconds()), append(bs, ub.cpu.Seconds())
		ratios = append(ratios, ua.cpu.Seconds()/ub.cpu.Seconds())
		peak = max(peak, ua.peak)
	}
	slices.Sort(ratios)
	fmt.Printf("| %s | %s | %s | %.2f | %.2f | %.3g, %.3g, %.3g | %d | %d |\n", name, part, mode, median(as)*float64(scale), median(bs)*float64(scale),
		ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1], peak>>20, runs)
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
