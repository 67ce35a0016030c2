package lsp

import (
	"context"
	"hash/maphash"
	"math"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
)

// publisher keeps the client's diagnostics in step with the session. One
// goroutine runs it, so an older state can never overwrite a newer one, and it
// always works on the newest: states that come while it works are skipped.
//
// A document that changed is published even when its findings did not, since a
// client moves or drops the old ones as the text moves. Files of an open pack
// keep their findings when they are closed; documents outside of packs lose them.
type publisher struct {
	*Server
	views map[string]*session.View // by folder, as published last
	docs  map[string]*session.Doc  // documents outside of packs, as published last
	sent  map[string]map[string]sent
	packs map[string]packStatus // as reported last
}

// sent is what was published last for one URI.
type sent struct {
	version int64
	open    bool
	sum     uint64
	empty   bool
}

// loose is the group of sent for documents outside of packs.
const loose = ""

func (s *Server) publish(ctx context.Context) {
	p := &publisher{
		Server: s,
		views:  map[string]*session.View{}, docs: map[string]*session.Doc{},
		sent: map[string]map[string]sent{}, packs: map[string]packStatus{},
	}
	for {
		snap, changed := s.session.Changed()
		p.update(snap)
		select {
		case <-changed:
		case <-ctx.Done():
			return
		}
	}
}

// update publishes what differs between the last state and snap.
func (p *publisher) update(snap *session.Snapshot) {
	others := false // findings changed in a document that was not edited
	now := map[string]*session.View{}
	for _, v := range snap.Views() {
		now[v.Root] = v
		if p.views[v.Root] != v {
			others = p.view(snap, v) || others
		}
	}
	for root := range p.views {
		if now[root] == nil {
			p.clear(root)
			delete(p.packs, root)
		}
	}
	p.views = now

	docs := map[string]*session.Doc{}
	for _, d := range snap.Docs() {
		if snap.View(d) != nil || d.Pending {
			continue
		}
		docs[d.Key] = d
		if p.docs[d.Key] != d {
			p.loose(snap, d)
		}
	}
	for key, d := range p.docs {
		if docs[key] == nil {
			p.send(loose, d.URI, nil, converter{}, nil, nil)
			delete(p.sent[loose], d.URI)
		}
	}
	p.docs = docs
	if others {
		p.refresh(refreshDiagnostics)
	}
	p.refresh(refreshReports)
}

// view publishes one pack. It reports whether findings changed in a document
// that was not itself edited.
func (p *publisher) view(snap *session.Snapshot, v *session.View) (others bool) {
	found := v.All()
	files := p.locator(snap, v, nil)
	group := p.group(v.Root)
	wanted := map[string]bool{}

	for _, d := range snap.Docs() {
		if snap.View(d) != v {
			continue
		}
		wanted[d.URI] = true
		var diags []analysis.Diagnostic
		places := files
		if !d.Lost {
			own := v.For(d)
			diags = own.Findings(d.Rel())
			if own != v {
				places = p.locator(snap, own, nil)
			}
		}
		old := group[d.URI]
		p.send(v.Root, d.URI, d, converter{d.Tree, p.client.encoding}, diags, places)
		if old.version == d.Version && old.sum != group[d.URI].sum {
			others = true
		}
	}
	for rel, diags := range found {
		if v.Buffer(rel) != "" {
			continue
		}
		u := v.FileURI(snap, rel)
		wanted[u] = true
		sum := fingerprint(diags)
		if old, ok := group[u]; ok && !old.open && old.sum == sum {
			continue
		}
		_, c, ok := files.file(rel)
		if !ok && rel != "" {
			c = converter{emptyTree, p.client.encoding} // a file that is missing or unreadable
		}
		p.send(v.Root, u, nil, c, diags, files)
		others = true
	}
	for u, old := range group {
		if wanted[u] {
			continue
		}
		if !old.empty {
			p.send(v.Root, u, nil, converter{emptyTree, p.client.encoding}, nil, nil)
			others = true
		}
		delete(group, u)
	}
	p.status(v)
	return others
}

// loose publishes a document outside of packs.
func (p *publisher) loose(snap *session.Snapshot, d *session.Doc) {
	diags := p.session.FindingsLoose(d)
	if _, ok := p.group(loose)[d.URI]; !ok && len(diags) == 0 && !d.Judged() {
		// A document that is none of ours: stay silent altogether.
		return
	}
	p.send(loose, d.URI, d, converter{d.Tree, p.client.encoding}, diags, p.locator(snap, nil, d))
}

func (p *publisher) group(root string) map[string]sent {
	g := p.sent[root]
	if g == nil {
		g = map[string]sent{}
		p.sent[root] = g
	}
	return g
}

// clear takes back everything published for a pack.
func (p *publisher) clear(root string) {
	for u, old := range p.sent[root] {
		if !old.empty {
			p.send(root, u, nil, converter{emptyTree, p.client.encoding}, nil, nil)
		}
	}
	delete(p.sent, root)
}

// send publishes the findings of one URI, unless the client has them. d is the
// open document, or nil.
func (p *publisher) send(root, u string, d *session.Doc, c converter, diags []analysis.Diagnostic, files *locator) {
	group := p.group(root)
	next := sent{open: d != nil, sum: fingerprint(diags), empty: len(diags) == 0}
	if d != nil {
		next.version = d.Version
	}
	old, known := group[u]
	if known && old == next || !known && next.empty && d == nil {
		return
	}
	group[u] = next
	if p.client.pull {
		return // the client asks; pushing too would show everything twice
	}
	params := protocol.PublishDiagnosticsParams{URI: uri.URI(u), Diagnostics: p.diagnostics(c, diags, files)}
	if d != nil && d.Version >= math.MinInt32 && d.Version <= math.MaxInt32 {
		params.Version = protocol.NewOptional(int32(d.Version))
	}
	p.notifyClient("textDocument/publishDiagnostics", &params)
}

var seed = maphash.MakeSeed()

// fingerprint tells findings apart without converting them.
func fingerprint(diags []analysis.Diagnostic) uint64 {
	if len(diags) == 0 {
		return 0
	}
	var h maphash.Hash
	h.SetSeed(seed)
	for i := range diags {
		hashFinding(&h, &diags[i])
	}
	return h.Sum64() | 1
}

func hashFinding(h *maphash.Hash, d *analysis.Diagnostic) {
	_, _ = h.WriteString(d.Rule.Slug)
	_, _ = h.WriteString(d.Message)
	hashInts(h, int(d.Severity), d.Span.Start, d.Span.End, int(d.Tags), len(d.Related), len(d.Fixes))
	for i := range d.Related {
		r := &d.Related[i]
		_, _ = h.WriteString(r.Path)
		_, _ = h.WriteString(r.Message)
		hashInts(h, r.Span.Start, r.Span.End)
	}
}

func hashInts(h *maphash.Hash, ints ...int) {
	for _, n := range ints {
		var b [8]byte
		for i := range b {
			b[i] = byte(n >> (8 * i))
		}
		_, _ = h.Write(b[:])
	}
}
