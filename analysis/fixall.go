package analysis

import (
	"errors"
	"hash/maphash"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// maxIdle bounds how long rounds may go on without progress: fewer findings than
// ever before, or more primitives. One round mends all that lies apart; several are
// needed where fixes meet, or where one uncovers the next, as often as it may be.
const maxIdle = 20

// ErrNoFixpoint reports that fixes undo or feed each other. It is a bug of the
// rules; nothing was changed.
var ErrNoFixpoint = errors.New("the fixes do not come to an end; nothing was changed")

// A FixSummary tells what FixAll did.
type FixSummary struct {
	Applied []AppliedFix
	// Refused are fixes that were tried and taken back.
	Refused []RefusedFix
	Rounds  int
	// Changed are the paths whose text is new, sorted.
	Changed []string
}

// An AppliedFix is a fix that went in.
type AppliedFix struct {
	Rule  *Rule
	Path  string // of the finding
	Title string
}

// A RefusedFix is a fix that would have done harm elsewhere.
type RefusedFix struct {
	AppliedFix
	Line   int // 0-based line of the finding in the text the fix was tried on
	Reason string
}

// A Filter weighs the findings of a pack as a project wants it: it drops some,
// changes the severity of others, and may add its own. It may change the slice in
// place.
type Filter func(*pack.Pack, []Diagnostic) []Diagnostic

// FixAll applies the fixes of all findings that filter leaves (nil leaves all) and
// whose safety is at most want, again and again until none is left. For each
// finding the first such fix counts.
//
// A fix is refused when it loses a primitive, changes the text between the
// braces of a demonstration (other than by giving back primitives it had
// swallowed), opens a brace or breaks a tag somewhere, or when a file would end up
// with more findings than it had. Where a mistake hid other findings, as one in the
// syntax of the manifest does, those that come to light are not held against its
// mending. The result is a fixpoint: FixAll of it changes nothing.
//
// The error is ErrNoFixpoint or nil; with an error the pack is returned as it was.
func (r *Runner) FixAll(p *pack.Pack, want Safety, filter Filter) (*pack.Pack, FixSummary, error) {
	f := fixer{r: r, want: want, filter: filter}
	cur := p
	for {
		next, err := f.settle(cur, false)
		if err == nil && len(f.grown(cur, next)) > 0 {
			next, err = f.settle(cur, true)
		}
		if err != nil {
			return p, FixSummary{}, err
		}
		if next == cur {
			f.sum.Changed = changedPaths(p, cur)
			return cur, f.sum, nil
		}
		if f.seen(next) {
			return p, FixSummary{}, ErrNoFixpoint
		}
		cur = next
	}
}

type fixer struct {
	r      *Runner
	want   Safety
	filter Filter
	sum    FixSummary
	states map[uint64]bool // what settle came to
}

// seen reports whether the rounds came to this state before.
func (f *fixer) seen(p *pack.Pack) bool {
	h := digest(p)
	if f.states[h] {
		return true
	}
	if f.states == nil {
		f.states = map[uint64]bool{}
	}
	f.states[h] = true
	return false
}

// A meter tells whether rounds lead anywhere.
type meter struct{ findings, primitives, idle int }

func (m *meter) stuck(state map[string]fileState) bool {
	findings, primitives := 0, 0
	for _, s := range state {
		findings += s.findings
		primitives += s.primitives
	}
	if findings < m.findings || primitives > m.primitives {
		m.findings, m.primitives, m.idle = min(m.findings, findings), max(m.primitives, primitives), 0
		return false
	}
	m.idle++
	return m.idle > maxIdle
}

type candidate struct {
	AppliedFix
	fix  Fix
	line int
}

// settle repeats rounds until nothing changes. In strict mode each single fix
// must keep the number of findings; otherwise a fix may uncover something that a
// later round mends.
func (f *fixer) settle(p *pack.Pack, strict bool) (*pack.Pack, error) {
	applied, rounds := len(f.sum.Applied), f.sum.Rounds
	seen := map[uint64]bool{digest(p): true}
	cur := p
	m := meter{findings: math.MaxInt}
	for {
		next, before := f.round(cur, strict)
		if next == cur {
			return cur, nil
		}
		h := digest(next)
		if seen[h] || m.stuck(before) {
			break
		}
		seen[h] = true
		cur = next
	}
	f.sum.Applied, f.sum.Rounds = f.sum.Applied[:applied], rounds
	return p, ErrNoFixpoint
}

// round applies, at once, all fixes that may be applied together.
// It returns also how things stood before.
func (f *fixer) round(p *pack.Pack, strict bool) (*pack.Pack, map[string]fileState) {
	diags := f.r.All(p)
	before := survey(p, diags)
	if f.filter != nil {
		diags = f.filter(p, diags)
		untouched(diags, func(path string) bool { return f.r.unreadable(p, path) }) // those it added
	}
	var cs []candidate
	for i := range diags {
		d := &diags[i]
		for _, fix := range d.Fixes {
			if fix.Safety <= f.want {
				cs = append(cs, candidate{AppliedFix{d.Rule, d.Path, fix.Title}, fix, lineOf(p, d)})
				break
			}
		}
	}
	f.sum.Refused = nil
	if len(cs) == 0 {
		return p, before
	}
	next, done := f.best(p, before, cs, strict)
	if len(done) > 0 {
		f.sum.Rounds++
	}
	for _, c := range done {
		f.sum.Applied = append(f.sum.Applied, c.AppliedFix)
	}
	return next, before
}

// best finds candidates that do no harm together: all of them, or else those of
// each half. What is left out here comes again in the next round.
func (f *fixer) best(p *pack.Pack, before map[string]fileState, cs []candidate, strict bool) (*pack.Pack, []candidate) {
	next, done, why := f.try(p, before, cs, strict)
	if why == "" {
		return next, done
	}
	if len(cs) == 1 {
		f.sum.Refused = append(f.sum.Refused, RefusedFix{cs[0].AppliedFix, cs[0].line, why})
		return p, nil
	}
	a, doneA := f.best(p, before, cs[:len(cs)/2], strict)
	b, doneB := f.best(p, before, cs[len(cs)/2:], strict)
	switch {
	case len(doneA) == 0:
		return b, doneB
	case len(doneB) == 0:
		return a, doneA
	}
	if both, done, why := f.try(p, before, append(slices.Clone(doneA), doneB...), strict); why == "" {
		return both, done
	}
	return a, doneA
}

func (f *fixer) try(p *pack.Pack, before map[string]fileState, cs []candidate, strict bool) (*pack.Pack, []candidate, string) {
	fixes := make([]Fix, len(cs))
	for i := range cs {
		fixes[i] = cs[i].fix
	}
	next, applied := Apply(p, fixes)
	if len(applied) == 0 || digest(next) == digest(p) {
		return p, nil, ""
	}
	after := survey(next, f.r.All(next))
	if why := harm(before, after, strict); why != "" {
		return p, nil, why
	}
	done := make([]candidate, len(applied))
	for i, j := range applied {
		done[i] = cs[j]
	}
	return next, done, ""
}

// grown are the files that have more findings in b than in a.
func (f *fixer) grown(a, b *pack.Pack) []string {
	if a == b {
		return nil
	}
	before, after := survey(a, f.r.All(a)), survey(b, f.r.All(b))
	shown := before[pack.ManifestName].unread > after[pack.ManifestName].unread
	var out []string
	for path, s := range after {
		if !shown && s.grew(before[path]) {
			out = append(out, path)
		}
	}
	return out
}

// A fileState is what must not get worse in a file.
type fileState struct {
	text             string
	errors, findings int // findings of severity warning and above
	structure        int // tags and braces that readers stumble over
	primitives       int
	bodies           map[string]int // closed bodies of demonstrations
	unread           int            // mistakes behind which nothing is judged
}

// grew compares like with like: where less is hidden than before, what came to
// light was there.
func (s fileState) grew(old fileState) bool {
	return s.unread >= old.unread && (s.errors > old.errors || s.findings > old.findings)
}

var digestSeed = maphash.MakeSeed()

func survey(p *pack.Pack, diags []Diagnostic) map[string]fileState {
	out := map[string]fileState{}
	for _, file := range p.Files {
		s := fileState{text: file.Text, bodies: map[string]int{}}
		if file.Tree != nil {
			if it, ok := file.Tree.AtIndex(0); ok && it.Kind() == parser.Frontmatter && (it.Unclosed() || pack.ParseFrontmatter(it.Block).Err != nil) {
				s.unread++
			}
			for it := range file.Tree.All() {
				if it.Kind() != parser.Primitive {
					continue
				}
				s.primitives++
				if it.Type() == parser.Demonstration && it.Brace() && !it.Unclosed() {
					b := it.Body()
					s.bodies[it.Text()[b.Start:b.End]]++
				}
			}
		}
		out[file.Path] = s
	}
	for i := range diags {
		d := &diags[i]
		s := out[d.Path]
		if d.Severity >= Warning {
			s.findings++
			switch d.Rule.Slug {
			case "manifest-json", "unclosed-brace", "brace-near-miss", "malformed-tag":
				s.unread++
			}
		}
		if d.Severity == Error {
			s.errors++
			switch d.Rule.Slug {
			case "unclosed-brace", "malformed-tag", "unknown-type", "mixed-format", "manifest-json":
				s.structure++
			}
		}
		out[d.Path] = s
	}
	return out
}

// harm says what a change made worse, "" when nothing.
func harm(before, after map[string]fileState, strict bool) string {
	shown := before[pack.ManifestName].unread > after[pack.ManifestName].unread
	for _, path := range slices.Sorted(maps.Keys(before)) {
		b := before[path]
		a, ok := after[path]
		switch {
		case !ok:
			a = fileState{}
		case a.text == b.text:
			// Another format in the manifest reads the same text in another way.
		case a.primitives < b.primitives:
			return "a primitive of " + path + " would be lost"
		default:
			for body, n := range b.bodies {
				if a.bodies[body] < n && !(a.primitives > b.primitives && a.holdsStart(body)) {
					return "the text between braces in " + path + " would change"
				}
			}
		}
		if a.structure > b.structure {
			return "a tag or brace of " + path + " would break"
		}
		if strict && !shown && a.grew(b) {
			return path + " would have more findings than before"
		}
	}
	return ""
}

// holdsStart reports whether a body is there that another one started with: what
// is left of it once the primitives it had swallowed are primitives again.
func (s fileState) holdsStart(body string) bool {
	for b := range s.bodies {
		if len(b) < len(body) && b != "" && strings.HasPrefix(body, b) {
			return true
		}
	}
	return false
}

func digest(p *pack.Pack) uint64 {
	var h maphash.Hash
	h.SetSeed(digestSeed)
	for _, f := range p.Files {
		h.WriteString(f.Path)
		h.WriteByte(0)
		h.WriteString(f.Text)
		h.WriteByte(0)
	}
	return h.Sum64()
}

func changedPaths(a, b *pack.Pack) []string {
	var out []string
	for _, f := range b.Files {
		if old := a.File(f.Path); old == nil || old.Text != f.Text {
			out = append(out, f.Path)
		}
	}
	return out
}

func lineOf(p *pack.Pack, d *Diagnostic) int {
	f := p.File(d.Path)
	if f == nil {
		return 0
	}
	return strings.Count(f.Text[:min(d.Span.Start, len(f.Text))], "\n")
}
