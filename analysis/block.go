package analysis

import (
	"sync"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// A BlockPass is a block rule's view of one block. All ranges are relative to
// the block; the runner moves them to where the block stands.
type BlockPass struct {
	*parser.Block
	// Facets are the raw facet tokens of a primitive.
	Facets []parser.Token
	// Shared is for rules of one family to pass on what the first of them found
	// out about the block; 0 at first.
	Shared uint32

	rule  *Rule
	diags []Diagnostic
	buf   []parser.Token
}

// passes are reused: one a block would be the larger part of all garbage.
var passes = sync.Pool{New: func() any { return &BlockPass{buf: make([]parser.Token, 0, 8)} }}

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
	once  sync.Once
	extra any
}

// extra is what Registry.Facts says of a block, remembered with the block.
func (r *Runner) extra(f *blockFacts, b *parser.Block) any {
	f.once.Do(func() {
		p := BlockPass{Block: b}
		if b.Kind() == parser.Primitive {
			p.Facets = b.AppendFacets(nil)
		}
		f.extra = r.reg.Facts(&p)
	})
	return f.extra
}

// block judges one block, or remembers.
func (r *Runner) block(k *memoKey, b *parser.Block) *blockFacts {
	if m := b.Memo(); m != nil && m.Owner == k {
		return m.Value.(*blockFacts)
	}
	f := r.judge(k, b)
	b.SetMemo(&f.memo)
	return f
}

func (r *Runner) judge(k *memoKey, b *parser.Block) *blockFacts {
	p := passes.Get().(*BlockPass)
	*p = BlockPass{Block: b, buf: p.buf}
	if b.Kind() == parser.Primitive {
		p.buf = b.AppendFacets(p.buf[:0])
		p.Facets = p.buf
	}
	for _, rule := range k.block {
		p.rule = rule
		rule.Block(p)
	}
	bad := badByte(b.Text())
	var cites []string
	if b.Kind() == parser.Primitive && b.HasReason() {
		cites = citedCodes(b)
	}
	seal(p.diags)
	diags := p.diags
	p.Block, p.diags = nil, nil
	passes.Put(p)
	if !r.facts && diags == nil && cites == nil && bad < 0 {
		return k.clean
	}
	f := &blockFacts{diags: diags, cites: cites, bad: bad}
	f.memo = parser.Memo{Owner: k, Value: f}
	return f
}

// citedCodes stands apart so that only blocks with reasons pay for it.
func citedCodes(b *parser.Block) (codes []string) {
	for c := range b.Citations {
		codes = append(codes, c.Code)
	}
	return codes
}
