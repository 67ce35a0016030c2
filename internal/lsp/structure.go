package lsp

import (
	"context"
	"strconv"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/ide"
	"github.com/amp-toolchain/amp/parser/text"
)

func foldingRange(ctx context.Context, r *request, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	out := []protocol.FoldingRange{}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	for _, fold := range ide.Folds(f) {
		if r.client.foldLimit > 0 && len(out) >= r.client.foldLimit {
			break
		}
		rng := c.rng(fold.Span)
		fr := protocol.FoldingRange{StartLine: rng.Start.Line, EndLine: rng.End.Line, Kind: protocol.FoldingRangeKindRegion}
		if fold.Kind == ide.FoldImports {
			fr.Kind = protocol.FoldingRangeKindImports
		}
		if !r.client.foldLines {
			first := c.tree.Slice(fold.Span)
			end, _ := text.LineEnd(first, 0)
			fr.StartCharacter = new(c.position(fold.Span.Start + end).Character)
			fr.EndCharacter = new(rng.End.Character)
		}
		out = append(out, fr)
	}
	return out, nil
}

func selectionRange(ctx context.Context, r *request, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	out := []protocol.SelectionRange{}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	for _, pos := range p.Positions {
		spans := ide.Selections(f, c.offset(pos))
		var sel *protocol.SelectionRange
		for i := len(spans) - 1; i >= 0; i-- {
			sel = &protocol.SelectionRange{Range: c.rng(spans[i]), Parent: sel}
		}
		if sel == nil { // an empty document
			sel = &protocol.SelectionRange{Range: c.rng(text.Span{})}
		}
		out = append(out, *sel)
	}
	return out, nil
}

// tokenCache keeps the tokens that a client was sent last for each document, so
// that the next time only the difference has to be sent.
type tokenCache struct {
	mu   sync.Mutex
	next uint64
	sent map[string]sentTokens
}

type sentTokens struct {
	id   string
	data []uint32
}

// replace stores the tokens of a document and returns their id and what was sent
// before.
func (t *tokenCache) replace(key string, data []uint32) (id string, old sentTokens) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sent == nil {
		t.sent = map[string]sentTokens{}
	}
	t.next++
	id = strconv.FormatUint(t.next, 36)
	old = t.sent[key]
	t.sent[key] = sentTokens{id, data}
	return id, old
}

func (t *tokenCache) forget(key string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.sent, key)
}

// keepTokens is replace for as long as the document is open: it may have been
// closed while its tokens were made.
func (r *request) keepTokens(key string, data []uint32) (id string, old sentTokens) {
	id, old = r.tokenCache.replace(key, data)
	if r.session.Snapshot().Doc(key) == nil {
		r.tokenCache.forget(key)
	}
	return id, old
}

// tokens encodes the tokens of a span as LSP wants them: five numbers each,
// positions relative to the token before.
func (r *request) tokens(ctx context.Context, f *ide.File, span text.Span) ([]uint32, error) {
	c := r.conv(f.Tree)
	data := []uint32{}
	var line, char uint32
	ide.Tokens(f, span, func(t ide.Token) {
		if ctx.Err() != nil {
			return
		}
		start, end := c.position(t.Span.Start), c.position(t.Span.End)
		if start.Line != end.Line || start.Character >= end.Character {
			return
		}
		delta := start.Character
		if start.Line == line {
			delta -= char
		}
		data = append(data, start.Line-line, delta, end.Character-start.Character, uint32(t.Type), uint32(t.Mods))
		line, char = start.Line, start.Character
	})
	return data, ctx.Err()
}

func semanticTokensFull(ctx context.Context, r *request, p *protocol.SemanticTokensParams) (*protocol.SemanticTokens, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	data, err := r.tokens(ctx, f, text.Span{End: f.Tree.Len()})
	if err != nil {
		return nil, err
	}
	out := &protocol.SemanticTokens{Data: data}
	if f.Doc != nil {
		id, _ := r.keepTokens(f.Doc.Key, data)
		out.ResultID = &id
	}
	return out, nil
}

func semanticTokensDelta(ctx context.Context, r *request, p *protocol.SemanticTokensDeltaParams) (protocol.SemanticTokensDeltaResult, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	data, err := r.tokens(ctx, f, text.Span{End: f.Tree.Len()})
	if err != nil {
		return nil, err
	}
	if f.Doc == nil {
		return &protocol.SemanticTokens{Data: data}, nil
	}
	id, old := r.keepTokens(f.Doc.Key, data)
	if old.id == "" || old.id != p.PreviousResultID {
		return &protocol.SemanticTokens{ResultID: &id, Data: data}, nil
	}
	edits := []protocol.SemanticTokensEdit{}
	if e, ok := tokenEdit(old.data, data); ok {
		edits = append(edits, e)
	}
	return &protocol.SemanticTokensDelta{ResultID: &id, Edits: edits}, nil
}

// tokenEdit returns the one edit between the common start and end of two token
// lists, in whole tokens.
func tokenEdit(old, data []uint32) (protocol.SemanticTokensEdit, bool) {
	const size = 5
	start := 0
	for start+size <= min(len(old), len(data)) && equal(old[start:start+size], data[start:start+size]) {
		start += size
	}
	oldEnd, newEnd := len(old), len(data)
	for oldEnd-size >= start && newEnd-size >= start && equal(old[oldEnd-size:oldEnd], data[newEnd-size:newEnd]) {
		oldEnd -= size
		newEnd -= size
	}
	if start == oldEnd && start == newEnd {
		return protocol.SemanticTokensEdit{}, false
	}
	return protocol.SemanticTokensEdit{Start: uint32(start), DeleteCount: uint32(oldEnd - start), Data: data[start:newEnd]}, true
}

func equal(a, b []uint32) bool {
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

func semanticTokensRange(ctx context.Context, r *request, p *protocol.SemanticTokensRangeParams) (*protocol.SemanticTokens, error) {
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return nil, err
	}
	data, err := r.tokens(ctx, f, r.conv(f.Tree).span(p.Range))
	if err != nil {
		return nil, err
	}
	return &protocol.SemanticTokens{Data: data}, nil
}
