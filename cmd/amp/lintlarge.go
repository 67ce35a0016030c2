package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"strings"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// stream judges a large pack: manifest, agents.md and, as long as they are small
// together, the Markdown files as a whole; otherwise each Markdown file alone.
// Everything else is scanned for credentials window by window.
func (sum *lintSummary) stream(runner *analysis.Runner, dir string, root *os.Root, list []listed) error {
	var core, texts, raw []listed
	for _, f := range list {
		switch {
		case f.path == pack.ManifestName || f.path == pack.AgentsName:
			core = append(core, f)
		case path.Ext(f.path) == ".md":
			texts = append(texts, f)
		default:
			raw = append(raw, f)
		}
	}
	together := total(core)+total(texts) <= smallPack
	if together {
		core, texts = append(core, texts...), nil
	}
	sum.whole(runner, dir, root.FS(), core)
	parts := make([]lintSummary, len(texts)+len(raw))
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range texts {
		g.Go(func() error { return parts[i].alone(runner, dir, root, f) })
	}
	for i, f := range raw {
		g.Go(func() error { return parts[len(texts)+i].scanRaw(root, f) })
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for i := range parts {
		sum.merge(&parts[i])
	}
	return nil
}

func (sum *lintSummary) merge(o *lintSummary) {
	sum.Errors += o.Errors
	sum.Warnings += o.Warnings
	sum.Infos += o.Infos
	sum.Blocking = append(sum.Blocking, o.Blocking...)
	sum.Asks = append(sum.Asks, o.Asks[:min(len(o.Asks), maxAsks-len(sum.Asks))]...)
	sum.AsksTotal += o.AsksTotal
	sum.caps.Merge(&o.caps)
	for _, f := range o.found {
		sum.keep(f)
	}
	sum.dropped += o.dropped
	if room := shownFindings - len(sum.First); room > 0 {
		sum.First = append(sum.First, o.First[:min(room, len(o.First))]...)
	}
}

// alone judges one Markdown file by the rules that need no other file.
func (sum *lintSummary) alone(runner *analysis.Runner, dir string, root *os.Root, f listed) error {
	file := f.load(root.FS())
	if errors.Is(file.Err, pack.ErrTooLarge) {
		sum.unread(f.path, "larger than a text can be, only scanned for credentials")
		return sum.scanRaw(root, f)
	}
	if file.Err != nil {
		sum.unread(f.path, file.Err.Error())
		return nil
	}
	p := pack.New(batch.Display(dir), []*pack.File{pack.ReadFile(root.FS(), pack.ManifestName), file})
	for _, d := range runner.All(p) {
		if d.Path == f.path && d.Rule.Slug != "unlisted-file" {
			sum.add(p, &d)
		}
	}
	sum.asks(p)
	sum.caps = capability.Of(p)
	return nil
}

const (
	window = 1 << 20 // bytes that are scanned at once
	// overlap is what of a window is scanned again with the next one, longer than
	// any credential.
	overlap = 16 << 10
)

// scanRaw scans a file of any size for credentials.
func (sum *lintSummary) scanRaw(root *os.Root, f listed) error {
	if f.mode != 0 {
		return nil
	}
	r, _, err := fsx.OpenFile(root, f.path)
	if err != nil {
		return err
	}
	defer r.Close()
	buf := make([]byte, overlap+window)
	line, kept := 1, 0
	for {
		n, err := io.ReadFull(r, buf[kept:])
		text := unsafe.String(unsafe.SliceData(buf), kept+n) // not used after the next read
		credential.Scan(text, func(h credential.Hit) bool {
			if h.End > kept { // the others were seen with the last window
				sum.hit(f.path, line+strings.Count(text[:h.MatchStart], "\n"), h)
			}
			return true
		})
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			return err
		}
		line += strings.Count(text[:len(text)-overlap], "\n")
		kept = copy(buf, buf[len(text)-overlap:])
	}
}

func (sum *lintSummary) hit(name string, line int, h credential.Hit) {
	text := fmt.Sprintf("%s:%d: credential: %s", fsx.Printable(name), line, oneLine(h.Message))
	sum.keep(lintFinding{cleanText(name), line, "credential", [...]string{"info", "warning", "error"}[h.Severity], cleanText(h.Message)})
	switch h.Severity {
	case credential.Info:
		sum.Infos++
	case credential.Warning:
		sum.Warnings++
		sum.First = append(sum.First, text)
	default:
		sum.Errors++
		sum.Blocking = append(sum.Blocking, text)
	}
}
