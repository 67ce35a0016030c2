package main

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// lintSummary is what the linter found in a pack, as far as signing, installing
// and inspecting need it.
type lintSummary struct {
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Infos    int `json:"infos"`
	// Blocking lists the findings that nobody should ship or install unseen:
	// credentials and errors of the security rules. They hold no secret.
	Blocking []string `json:"blocking"`
	// First lists some of the other errors and warnings.
	First []string `json:"first"`
	// Asks lists what the pack tells the agent to do: directives, those that must
	// be obeyed first, at most maxAsks of AsksTotal.
	Asks      []string `json:"asks"`
	AsksTotal int      `json:"asksTotal"`

	// found are the findings one by one, errors first where they do not all fit.
	found   []lintFinding
	dropped int // findings that found has no room for

	// caps is what it asks the agent to read, run, send, write and remember; shown
	// beside the findings.
	caps capability.Summary

	// pack is what was judged as a whole.
	pack *pack.Pack

	seen    map[string][32]byte // SHA-256 of what was judged, by path
	unseen  map[string]bool     // what could not be judged
	changed string              // a file that was read twice and not the same
}

// lintFinding is one finding of verify --lint.
type lintFinding struct {
	Path     string `json:"path"` // in the pack, with /
	Line     int    `json:"line"` // from 1
	Rule     string `json:"rule"`
	Severity string `json:"severity"` // error, warning, info
	Message  string `json:"message"`
}

// maxFound bounds what is kept of the findings of a hostile pack; their numbers
// are always right.
const maxFound = 5000

func (sum *lintSummary) keep(f lintFinding) {
	if len(sum.found) < maxFound {
		sum.found = append(sum.found, f)
		return
	}
	sum.dropped++
	if f.Severity != analysis.Error.String() {
		return
	}
	for i := range sum.found {
		if sum.found[i].Severity != f.Severity {
			sum.found[i] = f
			return
		}
	}
}

func newSummary() lintSummary {
	return lintSummary{Blocking: []string{}, First: []string{}, Asks: []string{}, caps: capability.Summary{Asks: []capability.Ask{}, Unread: []capability.Unread{}}}
}

// shownFindings is how many findings and directives the text output shows.
const shownFindings = 10

// lintPack judges the pack in a folder, every file in it: also those that
// amp-lint leaves alone (.git, node_modules), since installing copies them.
func lintPack(dir string) (_ lintSummary, err error) {
	defer func() { err = fsx.In(dir, err) }()
	sum := newSummary()
	root, err := os.OpenRoot(dir)
	if err != nil {
		return sum, err
	}
	defer root.Close()
	list, err := listFiles(root.FS())
	if err != nil {
		return sum, err
	}
	runner := analysis.NewRunner(rules.All())
	if total(list) <= smallPack {
		sum.whole(runner, dir, root.FS(), list)
		return sum, nil
	}
	return sum, sum.stream(runner, dir, root, list)
}

// smallPack is up to which size, in bytes, a pack is judged as a whole. Larger
// ones are judged file by file, so that memory does not grow with them.
var smallPack int64 = 16 << 20 // tests lower it

type listed struct {
	path string
	size int64
	mode fs.FileMode // type bits
}

func listFiles(fsys fs.FS) (list []listed, err error) {
	err = fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		list = append(list, listed{name, fi.Size(), fi.Mode().Type()})
		return nil
	})
	return list, err
}

func total(list []listed) (n int64) {
	for _, f := range list {
		n += f.size
	}
	return n
}

func (f listed) load(fsys fs.FS) *pack.File {
	if f.mode != 0 { // a link or device: reported, never opened
		return &pack.File{Path: f.path, Type: f.mode}
	}
	return pack.ReadFile(fsys, f.path)
}

// whole judges all files together.
func (sum *lintSummary) whole(runner *analysis.Runner, dir string, fsys fs.FS, list []listed) {
	var loaded []*pack.File
	for _, f := range list {
		file := f.load(fsys)
		sum.read(file)
		if file.Err != nil {
			sum.unread(f.path, file.Err.Error())
		}
		loaded = append(loaded, file)
	}
	p := pack.New(batch.Display(dir), loaded)
	for _, d := range runner.All(p) {
		sum.add(p, &d)
	}
	sum.routing(p)
	sum.asks(p)
	sum.caps = capability.Of(p)
	sum.pack = p
}

// unread reports a file that the linter could not judge. It blocks: what nobody
// looked at may hold anything.
func (sum *lintSummary) unread(name, why string) {
	if sum.unseen == nil {
		sum.unseen = map[string]bool{}
	}
	sum.unseen[name] = true
	sum.Errors++
	sum.Blocking = append(sum.Blocking, fmt.Sprintf("%s: not fully analysed: %s", fsx.Printable(name), oneLine(why)))
	sum.keep(lintFinding{cleanText(name), 1, "file-type", "error", "not fully analysed: " + oneLine(why)})
}

func cleanText(s string) string { return strings.ToValidUTF8(s, "\uFFFD") }

func (sum *lintSummary) add(p *pack.Pack, d *analysis.Diagnostic) {
	switch d.Severity {
	case analysis.Error:
		sum.Errors++
	case analysis.Warning:
		sum.Warnings++
	case analysis.Info:
		sum.Infos++
	default:
		return
	}
	at := lineOf(p, d)
	sum.keep(lintFinding{cleanText(d.Path), at, d.Rule.Slug, d.Severity.String(), cleanText(d.Message)})
	if d.Severity == analysis.Info {
		return
	}
	line := fmt.Sprintf("%s:%d: %s %s: %s", fsx.Printable(d.Path), at, d.Severity, d.Rule.Slug, oneLine(d.Message))
	if d.Severity == analysis.Error && (d.Rule.Security || d.Rule.Slug == "credential") {
		sum.Blocking = append(sum.Blocking, line)
	} else if len(sum.First) < shownFindings {
		sum.First = append(sum.First, line)
	}
}

func lineOf(p *pack.Pack, d *analysis.Diagnostic) int {
	if f := p.File(d.Path); f != nil && d.Span.Start <= len(f.Text) {
		return 1 + strings.Count(f.Text[:d.Span.Start], "\n")
	}
	return 1
}

const maxAsks = 100

// asks collects the pack's directives.
func (sum *lintSummary) asks(p *pack.Pack) {
	var must, rest []string
	for _, f := range p.Capabilities() {
		if f.Tree == nil {
			continue
		}
		for it := range f.Tree.All() {
			if it.Kind() != parser.Primitive || it.Type() != parser.Directive {
				continue
			}
			sum.AsksTotal++
			to := &rest
			if it.Resolved()["force"] == "must" {
				to = &must
			}
			if len(*to) < maxAsks {
				*to = append(*to, fsx.Printable(clip(credential.MaskText(strings.TrimSpace(it.Content())), 160)))
			}
		}
	}
	must = append(must, rest...)
	sum.Asks = append(sum.Asks, must[:min(len(must), maxAsks-len(sum.Asks))]...)
}

// clip shortens s to at most n runes.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}

// print shows the findings on stderr and what the pack asks for on stdout.
func (sum *lintSummary) print(stdout, stderr io.Writer) {
	for _, line := range append(sum.Blocking, sum.First...) {
		fmt.Fprintln(stderr, line)
	}
	if more := sum.Errors + sum.Warnings - len(sum.Blocking) - len(sum.First); more > 0 {
		fmt.Fprintf(stderr, "and %d more (see amp-lint)\n", more)
	}
	fmt.Fprintf(stdout, "Lint:        %d errors, %d warnings\n", sum.Errors, sum.Warnings)
	sum.printCapabilities(stdout, "")
	if len(sum.Asks) == 0 {
		return
	}
	fmt.Fprintln(stdout, "Its rules for your agent:")
	for i, a := range sum.Asks {
		if i == shownFindings {
			fmt.Fprintf(stdout, "  and %d more\n", sum.AsksTotal-shownFindings)
			break
		}
		fmt.Fprintf(stdout, "  - %s\n", a)
	}
}

// printCapabilities shows what the pack asks the agent to read, run, send, write
// and remember, and where.
func (sum *lintSummary) printCapabilities(w io.Writer, indent string) {
	fmt.Fprintf(w, "%sThe pack asks your agent to: %s\n", indent, sum.caps.Counts.Headline())
	_ = sum.caps.Text(w, indent+"  ", shownCapabilities)
}

// shownCapabilities is how many acts the text output shows; --json has them all.
const shownCapabilities = 25
