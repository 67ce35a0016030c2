package batch

import (
	"errors"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/suppress"
	"github.com/amp-toolchain/amp/pack"
)

// A Suppressed is what writing comments did to one target.
type Suppressed struct {
	Fixed
	Silenced int // findings that a comment silences now
	Left     []analysis.Diagnostic
}

// Suppress writes, in memory, comments that silence the findings of a target. One
// that would bring up a finding, as words in it may, is left out. Packs that are
// signed are left alone unless signed is true.
func Suppress(t Target, opt Options, reason string, signed bool) Suppressed {
	out := Suppressed{Fixed: Fixed{Target: t}}
	if t.Loose {
		out.Err = errors.New("the file lies in no pack, whose comments could speak for it")
		return out
	}
	p, closer, err := load(t, opt)
	if err != nil {
		out.Err = cause(err)
		return out
	}
	defer closer()
	if opt.Signature != nil && p.Manifest.Signed() {
		p.Signature = opt.Signature(t.Dir)
	}
	findings := func(p *pack.Pack) []analysis.Diagnostic {
		ds := opt.Runner.All(p)
		if opt.Filter != nil {
			ds = opt.Filter(&t)(p, ds)
		}
		return ds
	}
	out.Before, out.After = p, p
	wanted := func(d *analysis.Diagnostic) bool {
		return d.Severity != analysis.Hint && d.Rule.Slug != suppress.Rule && (t.Only == nil || slices.Contains(t.Only, d.Path))
	}
	before := slices.DeleteFunc(findings(p), func(d analysis.Diagnostic) bool { return !wanted(&d) })
	// All at once where that does no harm, which is nearly always; what is left one
	// by one. A comment may silence several findings, or make room for another's.
	all := p
	for i := range before {
		all = comment(all, &before[i], reason)
	}
	now := findings(p)
	if then := findings(all); !more(now, then) {
		out.After, now = all, then
	}
	for grown := true; grown; {
		grown = false
		for i := 0; i < len(now); i++ {
			if !wanted(&now[i]) {
				continue
			}
			next := comment(out.After, &now[i], reason)
			if next == out.After {
				continue
			}
			if then := findings(next); number(then, &now[i]) < number(now, &now[i]) && !more(now, then) {
				out.After, now, grown = next, then, true
				i--
			}
		}
	}
	out.Left = slices.DeleteFunc(now, func(d analysis.Diagnostic) bool { return !wanted(&d) })
	out.Silenced = len(before) - len(out.Left)
	if out.After == p {
		return out
	}
	if p.Manifest.Signed() && !signed {
		out.Err, out.After = ErrSigned, p
		return out
	}
	for _, f := range out.After.Files {
		if old := p.File(f.Path); old == nil || old.Text != f.Text {
			out.Summary.Changed = append(out.Summary.Changed, f.Path)
		}
	}
	return out
}

func same(a, b *analysis.Diagnostic) bool {
	return a.Rule == b.Rule && a.Path == b.Path && a.Message == b.Message
}

func number(ds []analysis.Diagnostic, d *analysis.Diagnostic) int {
	n := 0
	for i := range ds {
		if same(&ds[i], d) {
			n++
		}
	}
	return n
}

// more reports whether some finding came up, or came up more often.
func more(before, after []analysis.Diagnostic) bool {
	for i := range after {
		if number(after, &after[i]) > number(before, &after[i]) {
			return true
		}
	}
	return false
}

func comment(p *pack.Pack, d *analysis.Diagnostic, reason string) *pack.Pack {
	name, in, ok := suppress.Host(d.Path)
	host, target := p.File(name), p.File(d.Path)
	if !ok || host == nil || target == nil {
		return p
	}
	e, ok := suppress.Write(host.Tree, target.Tree, in, d, reason)
	if !ok || strings.Contains(host.Text[:e.Span.Start], e.New) {
		return p
	}
	next, _ := analysis.Apply(p, []analysis.Fix{{Edits: []analysis.FileEdit{{Path: name, Span: e.Span, New: e.New}}}})
	return next
}
