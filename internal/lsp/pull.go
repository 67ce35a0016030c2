package lsp

import (
	"context"
	"strconv"
	"sync"
	"time"

	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
)

const (
	kindFull      = string(protocol.DocumentDiagnosticReportKindFull)
	kindUnchanged = string(protocol.DocumentDiagnosticReportKindUnchanged)
)

// scanWait bounds how long workspace diagnostics wait for the first look through
// the workspace. What is found later comes with a refresh.
const scanWait = 3 * time.Second

// partialSize is the number of documents in one partial result.
const partialSize = 200

// resultID names findings: equal findings have equal ids for the life of the
// server.
func resultID(found []analysis.Diagnostic) string {
	return strconv.FormatUint(fingerprint(found), 36)
}

// reported remembers which findings the client has been told of, by URI, so that
// a document report can bring along only the other documents that changed.
type reported struct {
	mu  sync.Mutex
	ids map[string]string
}

func (r *reported) set(u, id string) (changed bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.ids == nil {
		r.ids = map[string]string{}
	}
	old, known := r.ids[u]
	if !known {
		old = resultID(nil)
	}
	changed = old != id
	r.ids[u] = id
	return changed
}

// documentDiagnostic answers textDocument/diagnostic.
func documentDiagnostic(ctx context.Context, r *request, p *protocol.DocumentDiagnosticParams) (protocol.DocumentDiagnosticReport, error) {
	key := string(p.TextDocument.URI)
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	snap := r.snap
	u, c, found, view := r.findings(snap, key)
	id := resultID(found)
	if view != nil {
		r.reported.set(string(u), id) // others are related to nothing
	}
	var related map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport
	if view != nil && r.client.relatedDocuments {
		related = r.relatedReports(snap, view, string(u))
	}
	if p.PreviousResultID != nil && *p.PreviousResultID == id {
		return &protocol.RelatedUnchangedDocumentDiagnosticReport{
			UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: kindUnchanged, ResultID: id},
			RelatedDocuments:                  related,
		}, nil
	}
	return &protocol.RelatedFullDocumentDiagnosticReport{
		FullDocumentDiagnosticReport: r.fullReport(c, found, r.locator(snap, view, snap.Doc(key)), id),
		RelatedDocuments:             related,
	}, nil
}

// findings returns what is known of a document, open or not.
func (s *Server) findings(snap *session.Snapshot, key string) (uri.URI, converter, []analysis.Diagnostic, *session.View) {
	if d := snap.Doc(key); d != nil {
		c := converter{d.Tree, s.client.encoding}
		v := snap.View(d)
		switch {
		case d.Lost:
			return uri.URI(d.URI), c, nil, v
		case v != nil:
			v = v.For(d)
			return uri.URI(d.URI), c, v.Findings(d.Rel()), v
		default:
			return uri.URI(d.URI), c, s.session.FindingsLoose(d), nil
		}
	}
	if v, rel := s.closedFile(snap, key); v != nil {
		files := s.locator(snap, v, nil)
		if u, c, ok := files.file(rel); ok {
			return u, c, v.Findings(rel), v
		}
	}
	return uri.URI(key), converter{emptyTree, s.client.encoding}, nil, nil
}

// closedFile finds the file of a pack that a URI names.
func (s *Server) closedFile(snap *session.Snapshot, key string) (*session.View, string) {
	id := identify(key)
	if id.Path == "" {
		return nil, ""
	}
	return snap.File(id.Path)
}

func (s *Server) fullReport(c converter, found []analysis.Diagnostic, files *locator, id string) protocol.FullDocumentDiagnosticReport {
	if files.view == nil && files.doc == nil {
		files = nil
	}
	return protocol.FullDocumentDiagnosticReport{Kind: kindFull, ResultID: &id, Items: s.diagnostics(c, found, files)}
}

// relatedReports returns the reports of the other documents of a pack whose
// findings the client has not been told of: an edit here changes counts there.
func (r *request) relatedReports(snap *session.Snapshot, v *session.View, except string) map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport {
	var out map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport
	files := r.locator(snap, v, nil)
	for _, f := range v.Pack.Files {
		u := v.FileURI(snap, f.Path)
		if u == except {
			continue
		}
		found := v.Findings(f.Path)
		id := resultID(found)
		if !r.reported.set(u, id) {
			continue
		}
		_, c, ok := files.file(f.Path)
		if !ok {
			continue
		}
		full := r.fullReport(c, found, files, id)
		if out == nil {
			out = map[uri.URI]protocol.FullDocumentDiagnosticReportOrUnchangedDocumentDiagnosticReport{}
		}
		out[uri.URI(u)] = &full
	}
	return out
}

// workspaceDiagnostic answers workspace/diagnostic with every file of every
// pack. It never holds the request back to wait for changes.
func workspaceDiagnostic(ctx context.Context, r *request, p *protocol.WorkspaceDiagnosticParams) (*protocol.WorkspaceDiagnosticReport, error) {
	if err := r.settleAll(ctx); err != nil {
		return nil, err
	}
	snap := r.snap
	done := r.progress(ctx, p.WorkDoneToken, "Checking packs")
	defer done()

	previous := map[string]string{}
	for _, prev := range p.PreviousResultIds {
		previous[string(prev.URI)] = prev.Value
	}
	report := &protocol.WorkspaceDiagnosticReport{Items: []protocol.WorkspaceDocumentDiagnosticReport{}}
	flush := func() {
		if p.PartialResultToken == nil || len(report.Items) == 0 {
			return
		}
		r.sendProgress(p.PartialResultToken, &protocol.WorkspaceDiagnosticReportPartialResult{Items: report.Items})
		report.Items = []protocol.WorkspaceDocumentDiagnosticReport{}
	}
	for _, v := range snap.Views() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		files := r.locator(snap, v, nil)
		for _, rel := range v.Paths() {
			u, c, ok := files.file(rel)
			if !ok {
				u, c = uri.URI(v.FileURI(snap, rel)), converter{emptyTree, r.client.encoding}
			}
			var version *int32
			if d := snap.Doc(v.Buffer(rel)); d != nil {
				n := int32(d.Version)
				version = &n
			}
			found := v.Findings(rel)
			id := resultID(found)
			r.reported.set(string(u), id)
			prev, had := previous[canonical(string(u))]
			delete(previous, canonical(string(u)))
			if had && prev == id {
				report.Items = append(report.Items, &protocol.WorkspaceUnchangedDocumentDiagnosticReport{
					UnchangedDocumentDiagnosticReport: protocol.UnchangedDocumentDiagnosticReport{Kind: kindUnchanged, ResultID: id},
					URI:                               u, Version: version,
				})
			} else {
				report.Items = append(report.Items, &protocol.WorkspaceFullDocumentDiagnosticReport{
					FullDocumentDiagnosticReport: r.fullReport(c, found, files, id), URI: u, Version: version,
				})
			}
			if len(report.Items) >= partialSize {
				flush()
			}
		}
	}
	// What the client still shows and no pack has any more is taken back.
	for u := range previous {
		if snap.Doc(u) != nil {
			continue
		}
		report.Items = append(report.Items, &protocol.WorkspaceFullDocumentDiagnosticReport{
			FullDocumentDiagnosticReport: protocol.FullDocumentDiagnosticReport{Kind: kindFull, Items: []protocol.Diagnostic{}}, URI: uri.URI(u),
		})
	}
	flush()
	return report, nil
}
