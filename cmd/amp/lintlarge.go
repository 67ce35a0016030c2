package main

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/sync/errgroup"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/analysis/poison/units"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

// stream judges a large pack: manifest, agents.md and, as long as they are small
// together, the Markdown files and other texts as a whole; otherwise each Markdown
// file alone. Everything else is scanned window by window. What could not be put
// together with the rest is reported: a payload may be spread over it.
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
	if total(core)+total(texts) <= smallPack {
		core, texts = append(core, texts...), nil
		core, raw = withSmallTexts(root, core, raw)
	} else {
		sum.unread(pack.MemoryDir, fmt.Sprintf("more than %d MB of Markdown; its files were judged one by one and not put together", smallPack>>20))
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

// withSmallTexts moves files that begin as texts from raw to core, small ones
// first, as long as all of core can be judged together.
func withSmallTexts(root *os.Root, core, raw []listed) (together, rest []listed) {
	slices.SortStableFunc(raw, func(a, b listed) int { return cmp.Compare(a.size, b.size) })
	size := total(core)
	for _, f := range raw {
		if size+f.size <= smallPack && (f.mode != 0 || beginsAsText(root, f.path)) {
			core, size = append(core, f), size+f.size
		} else {
			rest = append(rest, f)
		}
	}
	return core, rest
}

func beginsAsText(root *os.Root, name string) bool {
	r, _, err := fsx.OpenFile(root, name)
	if err != nil {
		return false
	}
	defer r.Close()
	buf := make([]byte, 4<<10)
	n, err := io.ReadFull(r, buf)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return false
	}
	return !units.Binary(string(buf[:n]))
}

func (sum *lintSummary) merge(o *lintSummary) {
	sum.Errors += o.Errors
	sum.Warnings += o.Warnings
	sum.Infos += o.Infos
	sum.Blocking = append(sum.Blocking, o.Blocking...)
	sum.Asks = append(sum.Asks, o.Asks[:min(len(o.Asks), maxAsks-len(sum.Asks))]...)
	sum.AsksTotal += o.AsksTotal
	sum.caps.Merge(&o.caps)
	for name, s := range o.seen {
		sum.saw(name, s)
	}
	for name := range o.unseen {
		if sum.unseen == nil {
			sum.unseen = map[string]bool{}
		}
		sum.unseen[name] = true
	}
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
		sum.unread(f.path, "larger than a text can be, read piece by piece")
		return sum.scanRaw(root, f)
	}
	if file.Err != nil {
		sum.unread(f.path, file.Err.Error())
		return nil
	}
	manifest := pack.ReadFile(root.FS(), pack.ManifestName)
	sum.read(file)
	sum.read(manifest)
	p := pack.New(batch.Display(dir), []*pack.File{manifest, file})
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

// scanRaw scans a file of any size for credentials and, where it is a text, for
// poisoned memory.
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
	part := false
	h := sha256.New()
	for {
		n, err := io.ReadFull(r, buf[kept:])
		h.Write(buf[kept : kept+n])
		text := unsafe.String(unsafe.SliceData(buf), kept+n) // not used after the next read
		credential.Scan(text, func(h credential.Hit) bool {
			if h.End > kept { // the others were seen with the last window
				sum.hit(f.path, line+strings.Count(text[:h.MatchStart], "\n"), h)
			}
			return true
		})
		if !units.Binary(text) {
			part = sum.judgeWindow(f.path, text, kept, line) || part
		}
		if err != nil {
			if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
				if part {
					sum.unread(f.path, "too large to be put together with the other files, and it may hold a part of something")
				}
				sum.saw(f.path, [32]byte(h.Sum(nil)))
				return nil
			}
			return err
		}
		line += strings.Count(text[:len(text)-overlap], "\n")
		kept = copy(buf, buf[len(text)-overlap:])
	}
}

// judgeWindow judges a piece of a text by itself, but for its first kept bytes,
// which were seen before, and reports whether something in it could be a part of
// an assembly. Nothing of text is kept.
func (sum *lintSummary) judgeWindow(name, text string, kept, line int) (part bool) {
	var in poison.Input
	for _, k := range []poison.Kind{poison.Raw, poison.OtherFile} {
		u := &poison.Unit{Kind: k, File: name, Text: text, Owner: -1}
		if f := poison.Facts(u); f != nil {
			in.Units, in.Facts = append(in.Units, u), append(in.Facts, f)
			part = part || f.Part()
		}
	}
	for _, f := range poison.Judge(in) {
		if f.End <= kept {
			continue
		}
		at := line + strings.Count(text[:min(max(f.Start, 0), len(text))], "\n")
		sum.keep(lintFinding{cleanText(name), at, f.Rule, f.Severity.String(), cleanText(f.Message)})
		shown := fmt.Sprintf("%s:%d: %s %s: %s", fsx.Printable(name), at, f.Severity, f.Rule, oneLine(f.Message))
		switch f.Severity {
		case poison.Error:
			sum.Errors++
			sum.Blocking = append(sum.Blocking, shown)
		case poison.Warning:
			sum.Warnings++
			if len(sum.First) < shownFindings {
				sum.First = append(sum.First, shown)
			}
		default:
			sum.Infos++
		}
	}
	return part
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
