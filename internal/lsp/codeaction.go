package lsp

import (
	"context"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/ide"
	"github.com/amp-toolchain/amp/internal/session"
)

// file returns the document that a URI names, open or not.
func (r *request) file(u uri.URI) (*ide.File, error) {
	key := string(u)
	if d := r.snap.Doc(key); d != nil {
		f := &ide.File{Snap: r.snap, Doc: d, Rel: d.Rel(), Kind: d.Kind(), Tree: d.Tree}
		if v := r.snap.View(d); v != nil {
			f.View = v.For(d)
		} else {
			f.Rel, f.Kind = d.Name(), session.Loose
		}
		return f, nil
	}
	if v, rel := r.closedFile(r.snap, key); v != nil {
		if t := v.Tree(r.snap, rel); t != nil {
			return &ide.File{Snap: r.snap, View: v, Rel: rel, Kind: session.KindOf(rel), Tree: t}, nil
		}
	}
	return nil, nil
}

// settledFile is file for requests that depend on the pack; see settle.
func (r *request) settledFile(ctx context.Context, u uri.URI) (*ide.File, error) {
	if err := r.settle(ctx); err != nil {
		return nil, err
	}
	return r.file(u)
}

// actionData lets codeAction/resolve find an action again, from the state the
// documents have then.
type actionData struct {
	URI   string         `json:"uri"`
	Name  string         `json:"name"`
	Range protocol.Range `json:"range"`
}

func codeAction(ctx context.Context, r *request, p *protocol.CodeActionParams) ([]protocol.CommandOrCodeAction, error) {
	out := []protocol.CommandOrCodeAction{}
	f, err := r.settledFile(ctx, p.TextDocument.URI)
	if f == nil || err != nil {
		return out, err
	}
	c := r.conv(f.Tree)
	want := wantKinds(&p.Context)
	resolve := r.client.resolvesEdits
	for _, a := range ide.Actions(r.session, f, c.span(p.Range), want) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		action := &protocol.CodeAction{Title: a.Title, Kind: new(protocol.CodeActionKind(a.Kind))}
		if a.Preferred {
			action.IsPreferred = new(true)
		}
		if a.Finding != nil {
			action.Diagnostics = []protocol.Diagnostic{r.diagnostic(c, a.Finding, r.locator(r.snap, f.View, f.Doc))}
		}
		switch {
		case a.Disabled != "":
			if !r.client.disabledActions {
				continue
			}
			action.Disabled = protocol.CodeActionDisabled{Reason: a.Disabled}
		case a.Name != "" && resolve:
			raw, err := json.Marshal(actionData{URI: string(p.TextDocument.URI), Name: a.Name, Range: p.Range}, lenient)
			if err != nil {
				return nil, err
			}
			action.Data = jsontext.Value(raw)
		default:
			edits := a.Edits
			if a.Name != "" {
				var ok bool
				if edits, ok = ide.Resolve(ctx, r.session, f, c.span(p.Range), a.Name); !ok {
					continue
				}
			}
			edit, reason := r.workspaceEdit(f, edits)
			if reason != "" {
				if !r.client.disabledActions {
					continue
				}
				action.Disabled = protocol.CodeActionDisabled{Reason: reason}
				break
			}
			action.Edit = edit
		}
		out = append(out, action)
	}
	return out, nil
}

// wantKinds reports whether the client asks for a kind. Kinds are prefixes:
// asking for "refactor" asks for "refactor.rewrite". Actions that come by
// themselves, as the cursor moves, are quick fixes only.
func wantKinds(c *protocol.CodeActionContext) func(string) bool {
	return func(kind string) bool {
		if len(c.Only) == 0 {
			if c.TriggerKind == protocol.CodeActionTriggerKindAutomatic {
				return kind == ide.KindQuickFix
			}
			// Source actions are for menus of their own and for saving.
			return !strings.HasPrefix(kind, "source.fixAll")
		}
		return slices.ContainsFunc(c.Only, func(only protocol.CodeActionKind) bool {
			return only == "" || kind == string(only) || strings.HasPrefix(kind, string(only)+".")
		})
	}
}

func codeActionResolve(ctx context.Context, r *request, p *protocol.CodeAction) (*protocol.CodeAction, error) {
	if len(p.Data) == 0 {
		return p, nil
	}
	var data actionData
	if err := json.Unmarshal(p.Data, &data, lenient); err != nil {
		return nil, invalidParams("the action carries data that is not ours")
	}
	f, err := r.settledFile(ctx, uri.URI(canonical(data.URI)))
	if err != nil {
		return nil, err
	}
	if f == nil {
		return nil, failed("the document is no longer open")
	}
	done := r.progress(ctx, nil, p.Title)
	defer done()
	edits, ok := ide.Resolve(ctx, r.session, f, r.conv(f.Tree).span(data.Range), data.Name)
	if !ok {
		return nil, failed("this is no longer possible: the text has changed")
	}
	edit, reason := r.workspaceEdit(f, edits)
	if reason != "" {
		return nil, failed("%s", reason)
	}
	out := *p
	out.Edit = edit
	out.Data = nil
	return &out, nil
}

// workspaceEdit converts edits of files of the pack. reason says why the client
// cannot make them, "" when it can.
func (r *request) workspaceEdit(f *ide.File, edits []analysis.FileEdit) (edit *protocol.WorkspaceEdit, reason string) {
	files := r.locator(r.snap, f.View, f.Doc)
	var order []string
	byPath := map[string][]protocol.TextEdit{}
	snippets := map[string]map[int]protocol.TextDocumentEditElement{} // in place of those of byPath
	created := map[string]bool{}
	for _, e := range edits {
		if _, known := byPath[e.Path]; !known {
			order = append(order, e.Path)
		}
		if e.Create {
			if !r.client.createFiles {
				return nil, "this editor cannot create files for a language server"
			}
			created[e.Path] = true
			byPath[e.Path] = append(byPath[e.Path], protocol.TextEdit{NewText: e.New})
			continue
		}
		_, c, ok := files.file(e.Path)
		if !ok {
			return nil, "the file " + e.Path + " cannot be read"
		}
		// An editor can fill in one place at a time: the first, in the file in view.
		if len(snippets) == 0 && r.client.snippetEdits && f.Doc != nil && e.Path == f.Rel {
			if s := snippetEdit(c, &e); s != nil {
				snippets[e.Path] = map[int]protocol.TextDocumentEditElement{len(byPath[e.Path]): s}
			}
		}
		byPath[e.Path] = append(byPath[e.Path], protocol.TextEdit{Range: c.rng(e.Span), NewText: e.New})
	}
	edit = &protocol.WorkspaceEdit{}
	if !r.client.documentChanges {
		edit.Changes = map[uri.URI][]protocol.TextEdit{}
	}
	for _, rel := range order {
		u := r.fileURI(f, rel)
		if !r.client.documentChanges {
			edit.Changes[u] = byPath[rel]
			continue
		}
		if created[rel] {
			edit.DocumentChanges = append(edit.DocumentChanges, &protocol.CreateFile{Kind: "create", URI: u, Options: &protocol.CreateFileOptions{IgnoreIfExists: new(false)}})
		}
		change := &protocol.TextDocumentEdit{TextDocument: protocol.OptionalVersionedTextDocumentIdentifier{
			TextDocumentIdentifier: protocol.TextDocumentIdentifier{URI: u}, Version: r.versionOf(f, rel),
		}}
		for i := range byPath[rel] {
			if s := snippets[rel][i]; s != nil {
				change.Edits = append(change.Edits, s)
			} else {
				change.Edits = append(change.Edits, &byPath[rel][i])
			}
		}
		edit.DocumentChanges = append(edit.DocumentChanges, change)
	}
	return edit, ""
}

func (r *request) fileURI(f *ide.File, rel string) uri.URI {
	if f.Doc != nil && f.Rel == rel {
		return uri.URI(f.Doc.URI)
	}
	return uri.URI(f.View.FileURI(r.snap, rel))
}

// versionOf is the version of the buffer that an edit was made for, nil for a
// file that is not open.
func (r *request) versionOf(f *ide.File, rel string) *int32 {
	d := f.Doc
	if d == nil || f.Rel != rel {
		if f.View == nil {
			return nil
		}
		d = r.snap.Doc(f.View.Buffer(rel))
	}
	if d == nil {
		return nil
	}
	return new(int32(d.Version))
}
