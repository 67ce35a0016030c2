package analysis

import (
	"slices"
	"strings"
	"sync"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A BlockPass is a block rule's view of one block. All ranges are relative to
// the block; the runner moves them to where the block stands.
type BlockPass struct {
	*parser.Block
	// Shared is for rules of one family to pass on what the first of them found
	// out about the block; 0 at first.
	Shared uint32

	rule   *Rule
	diags  []Diagnostic
	facets []parser.Token
	read   bool // facets are those of the block
}

// Facets are the raw facet tokens of a primitive, none for other blocks.
func (p *BlockPass) Facets() []parser.Token {
	if !p.read {
		p.facets, p.read = p.facets[:0], true
		if p.Kind() == parser.Primitive {
			p.facets = p.AppendFacets(p.facets)
		}
	}
	return p.facets
}

// Report reports a finding at a range of the block.
func (p *BlockPass) Report(r parser.Rel, message string, fixes ...Fix) *Diagnostic {
	return p.ReportAs(p.rule.Severity, r, message, fixes...)
}

// ReportAs is Report with another severity than the rule's own.
func (p *BlockPass) ReportAs(s Severity, r parser.Rel, message string, fixes ...Fix) *Diagnostic {
	p.diags = append(p.diags, Diagnostic{Rule: p.rule, Severity: s, Span: text.Span(r), Message: mask(message), Fixes: fixes})
	return &p.diags[len(p.diags)-1]
}

// Edit is an edit of the block for a Fix.
func Edit(start, end int, new string) FileEdit {
	return FileEdit{Span: text.Span{Start: start, End: end}, New: new}
}

// blockFacts is all that was found out about one block. It is immutable and
// lives in the block's memo.
type blockFacts struct {
	memo  parser.Memo
	diags []Diagnostic // relative
	cites []string     // short codes that the reason lines cite
	bad   int          // offset of the first byte that is no UTF-8 or NUL, -1

	// Registry.Facts cost far more than all block rules together, and only pack
	// rules ask for them: they are made when they are.
	once   sync.Once
	extra  any
	shared bool // by blocks, about which there are no facts yet
}

// extra is what Registry.Facts says of a block, remembered with the block.
func (r *Runner) extra(k *memoKey, b *parser.Block) any {
	f := r.block(k, b)
	if f.shared {
		p := BlockPass{Block: b}
		extra := r.reg.Facts(&p)
		if extra == nil && f == k.clean {
			b.SetMemo(&k.silent.memo)
			return nil
		}
		own := &blockFacts{cites: f.cites, bad: f.bad, extra: extra}
		own.once.Do(func() {})
		own.memo = parser.Memo{Owner: k, Value: own}
		b.SetMemo(&own.memo)
		return extra
	}
	f.once.Do(func() {
		p := BlockPass{Block: b}
		f.extra = r.reg.Facts(&p)
	})
	return f.extra
}

// block judges one block, or remembers.
func (r *Runner) block(k *memoKey, b *parser.Block) *blockFacts {
	if m := b.Memo(); m != nil && m.Owner == k {
		return m.Value.(*blockFacts)
	}
	j := judges.Get().(*judge)
	f := j.judge(k, b)
	judges.Put(j)
	return f
}

// A judge judges blocks, one after the other. It is kept between blocks and
// files: a pass for each block would be the larger part of all garbage.
type judge struct {
	pass BlockPass
	// cited are the facts about blocks that cite one source and have no
	// findings. The blocks of a file cite the same few sources over and over.
	cited []*blockFacts
	next  int // where the next of them goes when there is no more room
	codes []string
	// lists are the rules for the traits of the last blocks: there are many sets
	// of traits, and most files have blocks of a dozen.
	lists [32]struct {
		has   Traits
		rules []*Rule
	}
	key *memoKey // what cited and lists hold for
}

var judges = sync.Pool{New: func() any { return &judge{} }}

const maxCited = 16

func (j *judge) block(k *memoKey, b *parser.Block) *blockFacts {
	if m := b.Memo(); m != nil && m.Owner == k {
		return m.Value.(*blockFacts)
	}
	return j.judge(k, b)
}

func (j *judge) judge(k *memoKey, b *parser.Block) *blockFacts {
	p := &j.pass
	p.Block, p.Shared, p.read = b, 0, false
	has := traitsOf(b)
	for _, rule := range j.rules(k, has) {
		p.rule = rule
		rule.Block(p)
	}
	bad := badByte(b.Text())
	if j.codes = j.codes[:0]; has&OnReason != 0 && b.Kind() == parser.Primitive {
		j.citations(b)
	}
	seal(p.diags)
	diags := p.diags
	p.Block, p.diags = nil, nil
	var f *blockFacts
	switch {
	case diags != nil || bad >= 0 || len(j.codes) > 1:
		f = &blockFacts{diags: diags, cites: slices.Clone(j.codes), bad: bad}
		f.memo = parser.Memo{Owner: k, Value: f}
	case len(j.codes) == 0:
		f = k.clean
	default:
		f = j.citing(k, j.codes[0])
	}
	b.SetMemo(&f.memo)
	return f
}

// citations reads the codes that the block's reasons cite.
func (j *judge) citations(b *parser.Block) {
	r := b.ReasonLines()
	if strings.IndexByte(b.Text()[r.Start:r.End], '[') < 0 {
		return
	}
	for c := range b.Citations {
		j.codes = append(j.codes, c.Code)
	}
}

// rules are the block rules for a block with the traits. They are asked for
// before all else, so that what is kept from another key is dropped.
func (j *judge) rules(k *memoKey, has Traits) []*Rule {
	if j.key != k {
		*j = judge{pass: j.pass, codes: j.codes, key: k}
	}
	l := &j.lists[uint32(has)*0x9E3779B1>>27]
	if l.has != has {
		l.has, l.rules = has, nil
		for i, on := range k.on {
			if on&has != 0 {
				l.rules = append(l.rules, k.block[i])
			}
		}
	}
	return l.rules
}

// citing are the facts about a block that cites one source, and nothing else.
func (j *judge) citing(k *memoKey, code string) *blockFacts {
	for _, f := range j.cited {
		if f.cites[0] == code {
			return f
		}
	}
	f := &blockFacts{cites: []string{strings.Clone(code)}, bad: -1, shared: true}
	f.memo = parser.Memo{Owner: k, Value: f}
	if len(j.cited) < maxCited {
		j.cited = append(j.cited, f)
		return f
	}
	j.cited[j.next] = f
	j.next = (j.next + 1) % maxCited
	return f
}
