package analysis

import (
	"cmp"
	"iter"
	"slices"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A Runner applies the rules of a registry. It is safe for concurrent use, and
// all its callers share what it remembers with the trees.
type Runner struct {
	reg     *Registry
	judged  *memoKey // bodies that v0.4 rules hold for
	foreign *memoKey // v0.3 and unknown formats: AnyFormat rules only
	packs   []*Rule
	facts   bool // some rule asks for Registry.Facts
}

// A memoKey is the identity under which results are remembered: what one runner
// found out under one set of block rules.
type memoKey struct {
	judged bool
	block  []*Rule
	file   []*Rule
	on     []Traits    // Rule.On of the block rules
	clean  *blockFacts // shared by the many blocks about which there is nothing to say
	silent *blockFacts // the same, and known to have no Registry.Facts
}

// NewRunner makes a runner for the registry. Rules that are off by default
// (Rule.Off) are left out unless their slug is among enable.
func NewRunner(reg *Registry, enable ...string) *Runner {
	return newRunner(reg, func(*Rule) bool { return true }, enable)
}

// NewSpecRunner is NewRunner without the pack rules of the security catalogue,
// which cost many times what all others do together. Credentials are still found.
func NewSpecRunner(reg *Registry, enable ...string) *Runner {
	return newRunner(reg, func(r *Rule) bool { return !r.Security || r.Block != nil }, enable)
}

func newRunner(reg *Registry, keep func(*Rule) bool, enable []string) *Runner {
	r := &Runner{reg: reg, judged: &memoKey{judged: true}, foreign: &memoKey{}}
	for _, rule := range reg.Rules {
		if rule.Off && !slices.Contains(enable, rule.Slug) || !keep(rule) {
			continue
		}
		for _, k := range []*memoKey{r.judged, r.foreign} {
			if !k.judged && !rule.AnyFormat {
				continue
			}
			if rule.Block != nil {
				k.block = append(k.block, rule)
				k.on = append(k.on, cmp.Or(rule.On, onAll))
			}
			if rule.File != nil {
				k.file = append(k.file, rule)
			}
		}
		if rule.Pack != nil {
			r.packs = append(r.packs, rule)
			r.facts = r.facts || rule.Security && reg.Facts != nil
		}
	}
	for _, k := range []*memoKey{r.judged, r.foreign} {
		k.clean = &blockFacts{bad: -1, shared: true}
		k.clean.memo = parser.Memo{Owner: k, Value: k.clean}
		k.silent = &blockFacts{bad: -1}
		k.silent.memo = parser.Memo{Owner: k, Value: k.silent}
		k.silent.once.Do(func() {})
	}
	return r
}

// Registry is the registry the runner was made for.
func (r *Runner) Registry() *Registry { return r.reg }

func (r *Runner) key(s pack.FormatState) *memoKey {
	if s == pack.FormatInline {
		return r.judged
	}
	return r.foreign
}

// File judges one capability file by block and file rules. Its cost after an
// edit depends on the edit and on the number of findings, not on the file.
// The pack's format decides which rules hold.
func (r *Runner) File(f *pack.File, format pack.FormatState) []Diagnostic {
	if f.Tree == nil {
		return nil
	}
	k := r.key(format)
	var out []Diagnostic
	if root := f.Tree.Root(); root != nil && r.node(k, root).diags > 0 {
		r.each(k, f.Tree, func(n *nodeFacts) bool { return n.diags > 0 }, func(b *blockFacts) bool { return len(b.diags) > 0 },
			func(it parser.Item, bf *blockFacts) bool {
				for i := range bf.diags {
					out = append(out, bf.diags[i].at(it, f.Path))
				}
				return true
			})
	}
	p := FilePass{File: f, Tree: f.Tree, r: r, key: k, diags: out}
	p.tops()
	for _, rule := range k.file {
		p.rule = rule
		rule.File(&p)
	}
	unifyBreaks(f.Tree, p.diags)
	seal(p.diags)
	if p.FirstBad() < 0 {
		return p.diags
	}
	untouched(p.diags, func(path string) bool { return path == f.Path })
	if WideText(f.Tree.Slice(text.Span{End: min(f.Tree.Len(), 4)})) {
		// Nothing in a file of another encoding is what it looks like: that it
		// is one is all there is to say.
		return slices.DeleteFunc(p.diags, func(d Diagnostic) bool { return d.Rule.Slug != "encoding" })
	}
	return p.diags
}

// Pack judges what only the whole pack shows. It sees all files through their
// remembered facts.
func (r *Runner) Pack(pk *pack.Pack) []Diagnostic { return r.PackOnly(pk, nil) }

// PackOnly is Pack with the pack rules that want selects, nil for all: a caller
// that judges at every keystroke puts off those that read the whole pack.
func (r *Runner) PackOnly(pk *pack.Pack, want func(*Rule) bool) []Diagnostic {
	p := PackPass{Pack: pk, r: r}
	for _, rule := range r.packs {
		if want != nil && !want(rule) {
			continue
		}
		p.rule = rule
		rule.Pack(&p)
	}
	seal(p.diags)
	bad := map[string]bool{}
	untouched(p.diags, func(path string) bool {
		is, known := bad[path]
		if !known {
			is = r.unreadable(pk, path)
			bad[path] = is
		}
		return is
	})
	return p.diags
}

// untouched drops the fixes that edit files which can't be read as text: an edit
// between bytes that mean something else in another encoding mends nothing.
func untouched(ds []Diagnostic, unreadable func(path string) bool) {
	for i := range ds {
		ds[i].Fixes = slices.DeleteFunc(ds[i].Fixes, func(f Fix) bool {
			return slices.ContainsFunc(f.Edits, func(e FileEdit) bool { return !e.Create && unreadable(e.Path) })
		})
	}
}

func (r *Runner) unreadable(pk *pack.Pack, path string) bool {
	f := pk.File(path)
	if f == nil {
		return false
	}
	if f.Tree == nil {
		return badByte(f.Text) >= 0
	}
	root := f.Tree.Root()
	return root != nil && r.node(r.key(pk.Format), root).bad
}

// All judges a whole pack. The result is sorted.
func (r *Runner) All(pk *pack.Pack) []Diagnostic {
	var out []Diagnostic
	for _, f := range pk.Files {
		if f.Capability() {
			out = append(out, r.File(f, pk.Format)...)
		}
	}
	out = append(out, r.Pack(pk)...)
	Sort(out)
	return out
}

// A FilePass is a file rule's view of one capability file. Spans are absolute.
type FilePass struct {
	File *pack.File
	Tree *parser.Tree
	// Frontmatter is nil when the file has none.
	Frontmatter     *pack.Frontmatter
	FrontmatterItem parser.Item
	// Legend is the file's legend block; its Block is nil when there is none.
	Legend  parser.Item
	Entries []parser.LegendEntry

	r     *Runner
	key   *memoKey
	rule  *Rule
	diags []Diagnostic
}

// tops finds frontmatter and legend, which stand in the first blocks of a file
// or nowhere.
func (p *FilePass) tops() {
	for i := range 3 {
		it, ok := p.Tree.AtIndex(i)
		if !ok {
			return
		}
		switch {
		case it.Kind() == parser.Frontmatter:
			p.FrontmatterItem = it
			p.Frontmatter = pack.ParseFrontmatter(it.Block)
		case it.Kind() == parser.Legend && !it.Misplaced():
			p.Legend = it
			p.Entries, _ = it.LegendEntries()
		}
	}
}

// Report reports a finding in the file.
func (p *FilePass) Report(s text.Span, message string, fixes ...Fix) *Diagnostic {
	return p.ReportAs(p.rule.Severity, s, message, fixes...)
}

// ReportAs is Report with another severity than the rule's own.
func (p *FilePass) ReportAs(sev Severity, s text.Span, message string, fixes ...Fix) *Diagnostic {
	p.diags = append(p.diags, Diagnostic{Rule: p.rule, Severity: sev, Path: p.File.Path, Span: s, Message: mask(message), Fixes: fixes})
	return &p.diags[len(p.diags)-1]
}

// Found iterates over the findings of the rule so far, so that a rule that sees
// the whole file can add what the block rule could not know.
func (p *FilePass) Found(slug string) iter.Seq[*Diagnostic] {
	return func(yield func(*Diagnostic) bool) {
		for i := range p.diags {
			if p.diags[i].Rule.Slug == slug && !yield(&p.diags[i]) {
				return
			}
		}
	}
}

// Cites are the distinct short codes that the file cites, sorted.
func (p *FilePass) Cites() []string {
	if p.Tree.Root() == nil {
		return nil
	}
	return p.r.node(p.key, p.Tree.Root()).cites
}

// Citing iterates over the blocks that cite one of the sorted codes.
func (p *FilePass) Citing(codes []string) iter.Seq[parser.Item] {
	return func(yield func(parser.Item) bool) { p.citing(codes, yield) }
}

func (p *FilePass) citing(codes []string, yield func(parser.Item) bool) {
	p.r.each(p.key, p.Tree, func(n *nodeFacts) bool { return meets(n.cites, codes) },
		func(b *blockFacts) bool {
			for _, c := range b.cites {
				if _, ok := slices.BinarySearch(codes, c); ok {
					return true
				}
			}
			return false
		}, func(it parser.Item, _ *blockFacts) bool { return yield(it) })
}

// FirstBad is the offset of the first byte of the file that is NUL or no UTF-8, -1 when there is none.
func (p *FilePass) FirstBad() int {
	at := -1
	if root := p.Tree.Root(); root == nil || !p.r.node(p.key, root).bad {
		return at
	}
	p.r.each(p.key, p.Tree, func(n *nodeFacts) bool { return n.bad }, func(b *blockFacts) bool { return b.bad >= 0 },
		func(it parser.Item, f *blockFacts) bool {
			at = it.Offset + f.bad
			return false
		})
	return at
}

// meets reports whether two sorted sets share an element. Either may be many
// times the other's size.
func meets(a, b []string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	for _, s := range a {
		i, ok := slices.BinarySearch(b, s)
		if ok {
			return true
		}
		b = b[i:]
	}
	return false
}

// A PackPass is a pack rule's view of a pack. Spans are absolute.
type PackPass struct {
	Pack *pack.Pack

	r     *Runner
	rule  *Rule
	diags []Diagnostic
}

// Report reports a finding in the file at path.
func (p *PackPass) Report(path string, s text.Span, message string, fixes ...Fix) *Diagnostic {
	return p.ReportAs(p.rule.Severity, path, s, message, fixes...)
}

// ReportAs is Report with another severity than the rule's own.
func (p *PackPass) ReportAs(sev Severity, path string, s text.Span, message string, fixes ...Fix) *Diagnostic {
	p.diags = append(p.diags, Diagnostic{Rule: p.rule, Severity: sev, Path: path, Span: s, Message: mask(message), Fixes: fixes})
	return &p.diags[len(p.diags)-1]
}

// ReportRule reports under a rule given by slug: for an engine that serves many
// rules in one pass. Unknown slugs panic.
func (p *PackPass) ReportRule(slug string, sev Severity, path string, s text.Span, message string, fixes ...Fix) *Diagnostic {
	rule := p.r.reg.Rule(slug)
	if rule == nil {
		panic("no rule " + slug)
	}
	d := p.ReportAs(sev, path, s, message, fixes...)
	d.Rule = rule
	return d
}

// Judged reports whether v0.4 rules hold for the pack's bodies.
func (p *PackPass) Judged() bool { return p.Pack.Format == pack.FormatInline }

// Facts calls yield for each block of a capability file that Registry.Facts
// returned something for. It is for rules of the security catalogue: without one
// of them blocks have no room for facts.
func (p *PackPass) Facts(f *pack.File, yield func(parser.Item, any) bool) {
	if f.Tree == nil || !p.r.facts {
		return
	}
	k := p.r.key(p.Pack.Format)
	for it := range f.Tree.All() {
		if extra := p.r.extra(k, it.Block); extra != nil && !yield(it, extra) {
			return
		}
	}
}
