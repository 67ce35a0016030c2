package lsp

import (
	"context"
	"fmt"
	"hash/maphash"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/session"
)

// Virtual documents (LSP 3.18) are reports on a pack as it is in the editor,
// unsaved buffers counted:
//
//	amp-report:///home/me/packs/house-style/validation.txt
//
// is the report of Part 5, capabilities.txt what the pack asks an agent to do.

// virtualScheme is the scheme of virtual documents.
const virtualScheme = "amp-report"

// reports make the text of a virtual document, by its name.
var reports = map[string]func(*session.View) (string, error){
	"validation":   validationReport,
	"capabilities": capabilityReport,
}

// virtualURI is the URI of a report on a pack.
func virtualURI(v *session.View, report string) uri.URI {
	_, path, _ := strings.Cut(v.URI, ":")
	return uri.URI(virtualScheme + ":" + path + "/" + report + ".txt")
}

// isVirtual reports whether a URI names a virtual document: its text is ours.
func isVirtual(u string) bool { return strings.HasPrefix(u, virtualScheme+":") }

// virtualText makes the text of a virtual document. ok is false when there is no
// such pack or report.
func virtualText(snap *session.Snapshot, u string) (text string, ok bool, err error) {
	rest, ours := strings.CutPrefix(u, virtualScheme+":")
	dir, name, cut := cutLast(rest, "/")
	name, txt := strings.CutSuffix(name, ".txt")
	report := reports[name]
	if !ours || !cut || !txt || report == nil {
		return "", false, nil
	}
	want := canonical("file:" + dir)
	for _, v := range snap.Views() {
		if canonical(v.URI) == want {
			text, err = report(v)
			return text, err == nil, err
		}
	}
	return "", false, nil
}

func cutLast(s, sep string) (before, after string, ok bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// validationReport is the report of Part 5 (S5.17 to S5.19; R-n).
func validationReport(v *session.View) (string, error) {
	pass, fail := tally(v)
	var b strings.Builder
	fmt.Fprintf(&b, "PASS: %d primitives valid\nFAIL: %d primitives failed validation\n", pass, fail)
	for _, rel := range v.Paths() {
		for _, d := range v.Findings(rel) {
			if d.Severity == analysis.Error && d.Unit != 0 {
				fmt.Fprintf(&b, "  - %s:%d — REASON: %s\n", fsx.Printable(rel), d.Unit, fsx.Printable(d.Message))
			}
		}
	}
	b.WriteString("WARN: 0 ambiguous units still unresolved — awaiting human review\n")
	return b.String(), nil
}

// capabilityReport lists what a pack asks an agent to do.
func capabilityReport(v *session.View) (string, error) {
	if !v.Small() {
		return "The pack is too large to be looked through while you wait; amp-lint --capabilities does.\n", nil
	}
	asks := v.Capabilities()
	var b strings.Builder
	fmt.Fprintf(&b, "%s asks the agent to: %s\n\n", asks.Name(), asks.Counts.Headline())
	err := asks.Text(&b, "", 0)
	return b.String(), err
}

// maxVirtual is how many virtual documents are kept up to date. A client that
// never says which it has closed gets the newest kept.
const maxVirtual = 64

// virtualFiles are the virtual documents that the client shows, oldest first.
type virtualFiles struct {
	mu   sync.Mutex
	list []virtualFile
}

type virtualFile struct {
	key string // canonical URI
	uri string // as the client spells it
	sum uint64 // of the text that the client has
}

// served notes that the client has got a text. It reports whether that is new to
// it.
func (f *virtualFiles) served(u, text string) bool {
	sum, key := maphash.String(seed, text), canonical(u)
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.list {
		if f.list[i].key == key {
			old := f.list[i].sum
			f.list[i].sum = sum
			return old != sum
		}
	}
	if len(f.list) == maxVirtual {
		f.list = append(f.list[:0], f.list[1:]...)
	}
	f.list = append(f.list, virtualFile{key, strings.Clone(u), sum})
	return true
}

func (f *virtualFiles) closed(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for i := range f.list {
		if f.list[i].key == key {
			f.list = append(f.list[:i], f.list[i+1:]...)
			return
		}
	}
}

func (f *virtualFiles) uris() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	var out []string
	for _, v := range f.list {
		out = append(out, v.uri)
	}
	return out
}

func textDocumentContent(ctx context.Context, r *request, _ *protocol.TextDocumentContentParams) (*protocol.TextDocumentContentResult, error) {
	var u string // as the client spells it, which the library does not keep
	if err := json.Unmarshal(member(r.params, "uri"), &u, lenient); err != nil || !isVirtual(u) {
		return nil, invalidParams("not a document of this server")
	}
	if err := r.settleAll(ctx); err != nil {
		return nil, err
	}
	text, ok, err := virtualText(r.snap, u)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, failed("there is no such report, or its pack is not open")
	}
	r.virtual.served(u, text)
	return &protocol.TextDocumentContentResult{Text: text}, nil
}

// refreshVirtual asks the client to fetch the virtual documents again whose text
// has changed.
func (s *Server) refreshVirtual(ctx context.Context) {
	snap := s.session.Snapshot()
	for _, u := range s.virtual.uris() {
		text, _, err := virtualText(snap, u)
		if err != nil || !s.virtual.served(u, text) {
			continue
		}
		if err := s.callClient(ctx, "workspace/textDocumentContent/refresh", &protocol.TextDocumentContentRefreshParams{URI: uri.URI(u)}, nil); err != nil {
			s.log.Debug("refresh refused", "method", "workspace/textDocumentContent/refresh", "error", err.Error())
		}
	}
}

// showReport opens a report on a pack in the editor.
func (r *request) showReport(ctx context.Context, v *session.View, report string) (any, error) {
	if !r.client.virtualFiles {
		return nil, failed("this editor does not read documents from a language server")
	}
	if report == "" {
		report = "validation"
	}
	if reports[report] == nil {
		return nil, invalidParams("there is no report %q", logName(report))
	}
	result := struct {
		URI   uri.URI `json:"uri"`
		Shown bool    `json:"shown"`
	}{URI: virtualURI(v, report)}
	if !r.client.showsDocuments {
		return &result, nil
	}
	var shown protocol.ShowDocumentResult
	var err error
	// The client may ask for the text before it answers.
	if werr := r.await(ctx, func() {
		err = r.callClient(ctx, "window/showDocument", &protocol.ShowDocumentParams{URI: result.URI}, &shown)
	}); werr != nil {
		return nil, werr
	}
	if err != nil {
		return nil, err
	}
	result.Shown = shown.Success
	return &result, nil
}
