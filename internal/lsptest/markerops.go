package lsptest

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aymanbagabas/go-udiff"
)

// run runs one operation of a script.
func (r *runner) run(op []string) error {
	args := op[1:]
	arg := func(i int) string {
		if i < len(args) {
			return args[i]
		}
		return ""
	}
	document := map[string]any{"textDocument": map[string]string{"uri": r.uri(arg(0))}}
	switch op[0] {
	case "open":
		text := r.text(arg(0))
		r.Open(r.uri(arg(0)), text)
		return nil
	case "close":
		r.CloseDoc(r.Docs[r.uri(arg(0))])
		return nil
	case "save":
		r.Save(r.Docs[r.uri(arg(0))])
		return nil
	case "write":
		return r.write(arg(0), arg(1))
	case "remove":
		if err := os.Remove(filepath.Join(r.dir, filepath.FromSlash(arg(0)))); err != nil {
			return err
		}
		r.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": r.uri(arg(0)), "type": 3}}})
		return nil
	case "edit": // edit MARK TEXT
		m, err := r.mark(arg(0))
		if err != nil {
			return err
		}
		b := r.Docs[r.uri(m.file)]
		if b == nil {
			return fmt.Errorf("%s is not open", m.file)
		}
		r.Replace(b, m.start, m.end, arg(1))
		r.moveMarks(m.file, m.start, m.end, len(arg(1)))
		m.end = m.start + len(arg(1))
		r.marks[arg(0)] = m
		return nil
	case "diagnostics":
		return r.diagnostics(arg(0))
	case "await": // await FILE CODE...: wait until exactly these codes are published
		r.AwaitDiagnostics(r.uri(arg(0)), func(ds []Diagnostic) bool { return slices.Equal(Codes(ds), args[1:]) })
		return nil
	case "pull":
		return r.pull(arg(0), arg(1))
	case "pullWorkspace":
		return r.pullWorkspace()
	case "actions":
		return r.actions(args)
	case "apply":
		return r.apply(args)
	case "files": // prints files as they are now
		for _, f := range args {
			r.printf("%s:\n%s", f, indent(r.text(f)))
		}
		return nil
	case "complete":
		return r.complete(arg(0), args[1:])
	case "accept":
		return r.accept(arg(0), arg(1))
	case "signature":
		return r.signature(arg(0))
	case "hover":
		return r.hover(arg(0))
	case "definition", "references", "highlight":
		return r.places(op[0], arg(0))
	case "prepareRename", "rename":
		return r.rename(op[0], arg(0), arg(1))
	case "renameFile":
		var edit WorkspaceEdit
		if r.call("workspace/willRenameFiles", map[string]any{"files": []map[string]string{{"oldUri": r.uri(arg(0)), "newUri": r.uri(arg(1))}}}, &edit) {
			r.printEdit(&edit)
		}
		return nil
	case "links":
		return r.links(document, arg(0))
	case "symbols":
		return r.symbols(document, arg(0))
	case "workspaceSymbols":
		return r.workspaceSymbols(arg(0))
	case "folding":
		return r.folding(document)
	case "selection":
		return r.selection(arg(0))
	case "tokens":
		return r.semanticTokens(arg(0))
	case "tokensRange":
		return r.semanticTokensRange(arg(0))
	case "hints":
		return r.hints(arg(0))
	case "lenses":
		return r.lenses(document, arg(0))
	case "format", "formatRange", "type":
		return r.format(op[0], arg(0), arg(1))
	case "command":
		return r.command(args)
	case "notification":
		return r.notification(arg(0), args[1:])
	case "content": // content REPORT: the text of a virtual document of the pack in the workspace
		var result struct{ Text string }
		if r.call("workspace/textDocumentContent", map[string]string{"uri": r.virtual(arg(0))}, &result) {
			r.printf("%s", indent(result.Text))
		}
		return nil
	case "closeContent":
		r.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]string{"uri": r.virtual(arg(0))}})
		return nil
	case "awaitRefresh": // awaitRefresh REPORT: until the server says that it has changed
		for {
			select {
			case u := <-r.refreshed:
				if u == r.virtual(arg(0)) {
					return nil
				}
			case <-time.After(Timeout):
				return errors.New("no refresh")
			}
		}
	default:
		return errors.New("no such operation")
	}
}

func (r *runner) write(file, text string) error {
	path := filepath.Join(r.dir, filepath.FromSlash(file))
	kind := 2
	if _, err := os.Stat(path); err != nil {
		kind = 1
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		return err
	}
	r.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": r.uri(file), "type": kind}}})
	return nil
}

func indent(s string) string {
	return "  " + strings.ReplaceAll(strings.TrimSuffix(s, "\n"), "\n", "\n  ")
}

var severities = []string{"none", "error", "warning", "info", "hint"}

func (r *runner) printDiagnostics(file string, ds []Diagnostic) {
	for _, d := range ds {
		r.printf("%s %s %s: %s", r.show(file, d.Range), severities[d.Severity], d.Code, strings.ReplaceAll(d.Message, "\n", "\n    "))
		if d.Markup != "" {
			r.printf("  %s", d.Markup)
		}
		if d.CodeDescription != nil {
			r.printf("  see %s", d.CodeDescription.Href)
		}
		for _, tag := range d.Tags {
			r.printf("  tag %d", tag)
		}
		for _, rel := range d.Related {
			r.printf("  related: %s", rel.Message)
		}
	}
	if len(ds) == 0 {
		r.printf("none")
	}
}

// diagnostics prints what is published for an open document in its version.
func (r *runner) diagnostics(file string) error {
	b := r.Docs[r.uri(file)]
	if b == nil {
		return fmt.Errorf("%s is not open", file)
	}
	r.printDiagnostics(file, r.Diagnostics(b))
	return nil
}

type report struct {
	Kind     string
	URI      string
	ResultID string
	Items    []Diagnostic
	Related  map[string]report `json:"relatedDocuments"`
}

// pull prints a document report; "again" asks with the result id of the last.
func (r *runner) pull(file, again string) error {
	params := map[string]any{"textDocument": map[string]string{"uri": r.uri(file)}}
	if again != "" {
		params["previousResultId"] = r.tokenIDs["pull "+file]
	}
	var rep report
	if !r.call("textDocument/diagnostic", params, &rep) {
		return nil
	}
	r.tokenIDs["pull "+file] = rep.ResultID
	r.printf("%s", rep.Kind)
	if rep.Kind == "full" {
		r.printDiagnostics(file, rep.Items)
	}
	for _, u := range sortedKeys(rep.Related) {
		r.printf("related %s: %s %v", r.file(u), rep.Related[u].Kind, Codes(rep.Related[u].Items))
	}
	return nil
}

// pullWorkspace prints the workspace report, asking with the last result ids.
func (r *runner) pullWorkspace() error {
	previous := []map[string]string{}
	for key, id := range r.tokenIDs {
		if uri, ok := strings.CutPrefix(key, "workspace "); ok {
			previous = append(previous, map[string]string{"uri": uri, "value": id})
		}
	}
	var rep struct{ Items []report }
	if !r.call("workspace/diagnostic", map[string]any{"previousResultIds": previous}, &rep) {
		return nil
	}
	slices.SortFunc(rep.Items, func(a, b report) int { return strings.Compare(a.URI, b.URI) })
	for _, it := range rep.Items {
		r.tokenIDs["workspace "+it.URI] = it.ResultID
		r.printf("%s: %s %v", r.file(it.URI), it.Kind, Codes(it.Items))
	}
	return nil
}

type action struct {
	Title       string
	Kind        string
	IsPreferred bool
	Disabled    *struct{ Reason string }
	Diagnostics []Diagnostic
	Edit        *WorkspaceEdit
	Data        json.RawMessage
	raw         json.RawMessage
}

// fetchActions asks for actions at a mark: MARK [only=KIND] [automatic].
func (r *runner) fetchActions(args []string) ([]action, mark, bool, error) {
	m, err := r.mark(args[0])
	if err != nil {
		return nil, m, false, err
	}
	context := map[string]any{"diagnostics": []any{}, "triggerKind": 1}
	for _, a := range args[1:] {
		if only, ok := strings.CutPrefix(a, "only="); ok {
			context["only"] = []string{only}
		}
		if a == "automatic" {
			context["triggerKind"] = 2
		}
	}
	var raws []json.RawMessage
	ok := r.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]string{"uri": r.uri(m.file)}, "range": r.rangeOf(m), "context": context,
	}, &raws)
	var list []action
	for _, raw := range raws {
		a := action{raw: raw}
		if err := json.Unmarshal(raw, &a); err != nil {
			return nil, m, false, err
		}
		list = append(list, a)
	}
	return list, m, ok, nil
}

func (r *runner) actions(args []string) error {
	list, _, ok, err := r.fetchActions(args)
	if !ok || err != nil {
		return err
	}
	for _, a := range list {
		line := a.Kind + ": " + a.Title
		if a.IsPreferred {
			line += " (preferred)"
		}
		for _, d := range a.Diagnostics {
			line += " [" + d.Code + "]"
		}
		if a.Disabled != nil {
			line += " (disabled: " + a.Disabled.Reason + ")"
		}
		if a.Edit == nil && a.Disabled == nil {
			line += " (resolved later)"
		}
		r.printf("%s", line)
	}
	if len(list) == 0 {
		r.printf("none")
	}
	return nil
}

// apply chooses an action at a mark by its title and shows what it changes:
// apply MARK TITLE [only=KIND].
func (r *runner) apply(args []string) error {
	if len(args) < 2 {
		return errors.New("apply MARK TITLE")
	}
	list, _, ok, err := r.fetchActions(append([]string{args[0]}, args[2:]...))
	if !ok || err != nil {
		return err
	}
	for _, a := range list {
		if a.Title != args[1] {
			continue
		}
		if a.Edit == nil {
			if !r.call("codeAction/resolve", a.raw, &a) {
				return nil
			}
		}
		r.printEdit(a.Edit)
		return nil
	}
	return fmt.Errorf("there is no such action; there are %d others", len(list))
}

// printEdit applies a workspace edit and prints the difference.
func (r *runner) printEdit(edit *WorkspaceEdit) {
	before := map[string]string{}
	touched := map[string]bool{}
	for u := range edit.Changes {
		touched[r.file(u)] = true
	}
	for _, c := range edit.DocumentChanges {
		switch c.Kind {
		case "create":
			r.printf("create %s", r.file(c.URI))
			touched[r.file(c.URI)] = true
		case "rename":
			r.printf("rename %s to %s", r.file(c.OldURI), r.file(c.NewURI))
		default:
			touched[r.file(c.TextDocument.URI)] = true
			for _, e := range c.Edits {
				if e.Snippet != nil {
					r.printf("%s at %d:%d: %q", e.Snippet.Kind, e.Range.Start.Line, e.Range.Start.Character, e.Snippet.Value)
				}
			}
		}
	}
	for f := range touched {
		before[f] = r.text(f)
	}
	if err := r.ApplyEdit(edit); err != nil {
		r.printf("the edit cannot be applied: %v", err)
		return
	}
	for _, f := range sortedKeys(before) {
		r.out.WriteString(udiff.Unified(f, f, before[f], r.text(f)))
		r.follow(f, before[f])
	}
}

// follow moves the marks of a file along with what has changed in it.
func (r *runner) follow(file, before string) {
	edits := udiff.Strings(before, r.text(file))
	for _, e := range slices.Backward(edits) {
		r.moveMarks(file, e.Start, e.End, len(e.New))
	}
}

type item struct {
	Label         string
	Kind          int
	Detail        string
	Documentation json.RawMessage
	FilterText    string
	SortText      string
	Preselect     bool
	TextEdit      struct {
		NewText                string
		Range, Insert, Replace *Range
	}
	TextEditText     *string
	InsertTextFormat int
}

// itemDefaults are what a list says for the items that say nothing.
type itemDefaults struct {
	EditRange        json.RawMessage
	InsertTextFormat int
}

// share completes items by the defaults of their list, as a client does.
func (d *itemDefaults) share(items []item) error {
	for i := range items {
		it := &items[i]
		if it.InsertTextFormat == 0 {
			it.InsertTextFormat = d.InsertTextFormat
		}
		if it.TextEdit.Range != nil || it.TextEdit.Replace != nil || d.EditRange == nil {
			continue
		}
		it.TextEdit.NewText = it.Label
		if it.TextEditText != nil {
			it.TextEdit.NewText = *it.TextEditText
		}
		both := struct{ Insert, Replace *Range }{}
		if err := json.Unmarshal(d.EditRange, &both); err != nil {
			return err
		}
		if it.TextEdit.Insert, it.TextEdit.Replace = both.Insert, both.Replace; both.Replace == nil {
			it.TextEdit.Range = new(Range)
			if err := json.Unmarshal(d.EditRange, it.TextEdit.Range); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *runner) items(name string) ([]item, mark, error) {
	m, err := r.mark(name)
	if err != nil {
		return nil, m, err
	}
	var list struct {
		Items        []item
		ItemDefaults *itemDefaults
	}
	if !r.call("textDocument/completion", r.at(m), &list) {
		return nil, m, nil
	}
	if d := list.ItemDefaults; d != nil {
		own := 0
		for i := range list.Items {
			if list.Items[i].TextEdit.Range != nil || list.Items[i].TextEdit.Replace != nil {
				own++
			}
		}
		r.printf("defaults: editRange %s, insertTextFormat %d; %d of %d items have an edit of their own", d.EditRange, d.InsertTextFormat, own, len(list.Items))
		if err := d.share(list.Items); err != nil {
			return nil, m, err
		}
	}
	slices.SortStableFunc(list.Items, func(a, b item) int { return strings.Compare(a.SortText, b.SortText) })
	return list.Items, m, nil
}

// complete prints the completion items at a mark; further words keep only the
// labels that hold one of them.
func (r *runner) complete(name string, keep []string) error {
	items, m, err := r.items(name)
	if err != nil {
		return err
	}
	for _, it := range items {
		if len(keep) > 0 && !slices.ContainsFunc(keep, func(k string) bool { return strings.Contains(it.Label, k) }) {
			continue
		}
		rng := it.TextEdit.Range
		if rng == nil {
			rng = it.TextEdit.Replace
		}
		line := fmt.Sprintf("%s | %s | %s -> %q", it.Label, it.Detail, r.show(m.file, *rng), it.TextEdit.NewText)
		if it.TextEdit.Insert != nil {
			line += fmt.Sprintf(" (insert %s)", r.show(m.file, *it.TextEdit.Insert))
		}
		if it.Preselect {
			line += " (preselected)"
		}
		if it.InsertTextFormat == 2 {
			line += " (snippet)"
		}
		if it.FilterText != "" {
			line += fmt.Sprintf(" (filter %q)", it.FilterText)
		}
		r.printf("%s", line)
	}
	if len(items) == 0 {
		r.printf("none")
	}
	return nil
}

// accept takes a completion item and prints the line it makes.
func (r *runner) accept(name, label string) error {
	items, m, err := r.items(name)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Label != label {
			continue
		}
		rng := it.TextEdit.Range
		if rng == nil {
			rng = it.TextEdit.Replace
		}
		before := r.text(m.file)
		after, err := r.Apply(before, []TextEdit{{Range: *rng, NewText: it.TextEdit.NewText}})
		if err != nil {
			return err
		}
		r.out.WriteString(udiff.Unified(m.file, m.file, before, after))
		return nil
	}
	return errors.New("there is no such item")
}

func (r *runner) signature(name string) error {
	m, err := r.mark(name)
	if err != nil {
		return err
	}
	var help struct {
		ActiveParameter int
		Signatures      []struct {
			Label      string
			Parameters []struct {
				Label         json.RawMessage
				Documentation struct{ Value string }
			}
		}
	}
	if !r.call("textDocument/signatureHelp", r.at(m), &help) {
		return nil
	}
	for _, s := range help.Signatures {
		r.printf("%s", s.Label)
		for i, p := range s.Parameters {
			active := " "
			if i == help.ActiveParameter {
				active = "*"
			}
			r.printf("%s %s: %s", active, p.Label, strings.ReplaceAll(p.Documentation.Value, "\n\n", " "))
		}
	}
	return nil
}

func (r *runner) hover(name string) error {
	m, err := r.mark(name)
	if err != nil {
		return err
	}
	var h struct {
		Contents struct{ Kind, Value string }
		Range    Range
	}
	if !r.call("textDocument/hover", r.at(m), &h) {
		return nil
	}
	r.printf("%s %s", h.Contents.Kind, r.show(m.file, h.Range))
	r.printf("%s", indent(h.Contents.Value))
	return nil
}

func (r *runner) places(op, name string) error {
	m, err := r.mark(name)
	if err != nil {
		return err
	}
	params := r.at(m)
	method := map[string]string{"definition": "textDocument/definition", "references": "textDocument/references", "highlight": "textDocument/documentHighlight"}[op]
	if op == "references" {
		params["context"] = map[string]bool{"includeDeclaration": true}
	}
	var list []struct {
		URI, TargetURI     string
		Range, TargetRange Range
		Kind               int
	}
	if !r.call(method, params, &list) {
		return nil
	}
	for _, p := range list {
		switch {
		case op == "highlight":
			r.printf("%s kind %d", r.show(m.file, p.Range), p.Kind)
		case p.TargetURI != "":
			r.printf("%s %s", r.file(p.TargetURI), r.show(r.file(p.TargetURI), p.TargetRange))
		default:
			r.printf("%s %s", r.file(p.URI), r.show(r.file(p.URI), p.Range))
		}
	}
	if len(list) == 0 {
		r.printf("none")
	}
	return nil
}

func (r *runner) rename(op, name, to string) error {
	m, err := r.mark(name)
	if err != nil {
		return err
	}
	params := r.at(m)
	if op == "prepareRename" {
		var p struct {
			Range       Range
			Placeholder string
		}
		if r.call("textDocument/prepareRename", params, &p) {
			r.printf("%s placeholder %q", r.show(m.file, p.Range), p.Placeholder)
		}
		return nil
	}
	params["newName"] = to
	var edit WorkspaceEdit
	if r.call("textDocument/rename", params, &edit) {
		r.printEdit(&edit)
	}
	return nil
}

func (r *runner) links(document map[string]any, file string) error {
	var list []struct {
		Range   Range
		Target  string
		Tooltip string
	}
	if !r.call("textDocument/documentLink", document, &list) {
		return nil
	}
	for _, l := range list {
		r.printf("%s -> %s (%s)", r.show(file, l.Range), l.Target, l.Tooltip)
	}
	return nil
}

type symbol struct {
	Name, Detail   string
	Kind           int
	Range          Range
	SelectionRange Range
	Children       []symbol
	Location       *struct {
		URI   string
		Range *Range
	}
	ContainerName string
}

func (r *runner) symbols(document map[string]any, file string) error {
	var list []symbol
	if !r.call("textDocument/documentSymbol", document, &list) {
		return nil
	}
	var walk func(list []symbol, depth string)
	walk = func(list []symbol, depth string) {
		for _, s := range list {
			rng, sel := s.Range, s.SelectionRange
			if s.Location != nil {
				rng, sel = *s.Location.Range, *s.Location.Range
			}
			inside := !less(sel.Start, rng.Start) && !less(rng.End, sel.End)
			r.printf("%s%s | %s | kind %d | %d-%d | %s", depth, s.Name, s.Detail, s.Kind, rng.Start.Line, rng.End.Line, r.show(file, sel))
			if !inside {
				r.printf("%s!! the selection range lies outside of the range", depth)
			}
			walk(s.Children, depth+"  ")
		}
	}
	walk(list, "")
	return nil
}

func less(a, b Position) bool {
	return a.Line < b.Line || a.Line == b.Line && a.Character < b.Character
}

func (r *runner) workspaceSymbols(query string) error {
	var raws []json.RawMessage
	if !r.call("workspace/symbol", map[string]string{"query": query}, &raws) {
		return nil
	}
	for _, raw := range raws {
		var s symbol
		if err := json.Unmarshal(raw, &s); err != nil {
			return err
		}
		how := ""
		if s.Location.Range == nil {
			how = " (resolved)"
			if !r.call("workspaceSymbol/resolve", raw, &s) {
				continue
			}
		}
		r.printf("%s | %s | %s%s", s.Name, s.ContainerName, r.show(r.file(s.Location.URI), *s.Location.Range), how)
	}
	return nil
}

func (r *runner) folding(document map[string]any) error {
	var list []struct {
		StartLine, EndLine           int
		StartCharacter, EndCharacter *int
		Kind                         string
	}
	if !r.call("textDocument/foldingRange", document, &list) {
		return nil
	}
	for _, f := range list {
		chars := ""
		if f.StartCharacter != nil {
			chars = fmt.Sprintf(" from %d to %d", *f.StartCharacter, *f.EndCharacter)
		}
		r.printf("%d-%d %s%s", f.StartLine, f.EndLine, f.Kind, chars)
	}
	return nil
}

type selection struct {
	Range  Range
	Parent *selection
}

func (r *runner) selection(name string) error {
	m, err := r.mark(name)
	if err != nil {
		return err
	}
	var list []selection
	if !r.call("textDocument/selectionRange", map[string]any{
		"textDocument": map[string]string{"uri": r.uri(m.file)}, "positions": []Position{r.PositionOf(r.text(m.file), m.start)},
	}, &list) {
		return nil
	}
	for s := &list[0]; s != nil; s = s.Parent {
		r.printf("%s", r.show(m.file, s.Range))
		if s.Parent != nil && (less(s.Range.Start, s.Parent.Range.Start) || less(s.Parent.Range.End, s.Range.End)) {
			r.printf("!! not within the next")
		}
	}
	return nil
}

// semanticTokens asks for a delta when there is a result to compare with, and
// checks that it makes what a full request gives.
func (r *runner) semanticTokens(file string) error {
	document := map[string]any{"textDocument": map[string]string{"uri": r.uri(file)}}
	type result struct {
		ResultID string
		Data     []int
		Edits    []struct {
			Start, DeleteCount int
			Data               []int
		}
	}
	if id, ok := r.tokenIDs[file]; ok {
		var delta result
		document["previousResultId"] = id
		if !r.call("textDocument/semanticTokens/full/delta", document, &delta) {
			return nil
		}
		data := delta.Data
		if data == nil {
			data = slices.Clone(r.tokens[file])
			for _, e := range delta.Edits {
				r.printf("edit at %d: %d numbers out, %d in", e.Start, e.DeleteCount, len(e.Data))
				data = slices.Concat(data[:e.Start], e.Data, data[e.Start+e.DeleteCount:])
			}
		}
		delete(document, "previousResultId")
		var full result
		if !r.call("textDocument/semanticTokens/full", document, &full) {
			return nil
		}
		if !slices.Equal(data, full.Data) {
			r.printf("!! the delta does not give what a full request gives")
		}
		r.tokenIDs[file], r.tokens[file] = full.ResultID, full.Data
		return nil
	}
	var full result
	if !r.call("textDocument/semanticTokens/full", document, &full) {
		return nil
	}
	r.tokenIDs[file], r.tokens[file] = full.ResultID, full.Data
	r.printTokens(file, full.Data)
	return nil
}

func (r *runner) semanticTokensRange(name string) error {
	m, err := r.mark(name)
	if err != nil {
		return err
	}
	var result struct{ Data []int }
	if r.call("textDocument/semanticTokens/range", map[string]any{"textDocument": map[string]string{"uri": r.uri(m.file)}, "range": r.rangeOf(m)}, &result) {
		r.printTokens(m.file, result.Data)
	}
	return nil
}

func (r *runner) printTokens(file string, data []int) {
	line, char := 0, 0
	for i := 0; i+4 < len(data); i += 5 {
		if data[i] > 0 {
			char = 0
		}
		line += data[i]
		char += data[i+1]
		var mods []string
		for bit, name := range r.mods {
			if data[i+4]&(1<<bit) != 0 {
				mods = append(mods, name)
			}
		}
		rng := Range{Position{line, char}, Position{line, char + data[i+2]}}
		r.printf("%s %s %s", r.show(file, rng), r.legend[data[i+3]], strings.Join(mods, ","))
	}
}

func (r *runner) hints(file string) error {
	text := r.text(file)
	var list []struct {
		Position  Position
		Label     string
		TextEdits []TextEdit
	}
	params := map[string]any{"textDocument": map[string]string{"uri": r.uri(file)}, "range": r.RangeOf(text, 0, len(text))}
	// The settings that switch hints on come in their own time.
	for tries := 0; len(list) == 0 && tries < 100; tries++ {
		if !r.call("textDocument/inlayHint", params, &list) {
			return nil
		}
		if !r.settings {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	for _, h := range list {
		line := fmt.Sprintf("%d:%d %q", h.Position.Line, h.Position.Character, h.Label)
		if len(h.TextEdits) > 0 {
			line += fmt.Sprintf(" inserts %q", h.TextEdits[0].NewText)
		}
		r.printf("%s", line)
	}
	if len(list) == 0 {
		r.printf("none")
	}
	return nil
}

func (r *runner) lenses(document map[string]any, file string) error {
	var raws []json.RawMessage
	if !r.call("textDocument/codeLens", document, &raws) {
		return nil
	}
	for _, raw := range raws {
		var lens struct {
			Range   Range
			Command struct{ Title, Command string }
		}
		if !r.call("codeLens/resolve", raw, &lens) {
			continue
		}
		r.printf("%s %s (%s)", r.show(file, lens.Range), lens.Command.Title, lens.Command.Command)
	}
	if len(raws) == 0 {
		r.printf("none")
	}
	return nil
}

// format applies formatting, and checks that formatting again changes nothing.
func (r *runner) format(op, target, typed string) error {
	options := map[string]any{"tabSize": 2, "insertSpaces": true}
	ask := func(m mark) ([]TextEdit, bool) {
		params := map[string]any{"textDocument": map[string]string{"uri": r.uri(m.file)}, "options": options}
		method := "textDocument/formatting"
		switch op {
		case "formatRange":
			method = "textDocument/rangeFormatting"
			params["range"] = r.rangeOf(m)
		case "type":
			method = "textDocument/onTypeFormatting"
			params["position"] = r.PositionOf(r.text(m.file), m.end)
			params["ch"] = typed
		}
		var edits []TextEdit
		ok := r.call(method, params, &edits)
		return edits, ok
	}
	m := mark{file: target}
	if op != "format" {
		var err error
		if m, err = r.mark(target); err != nil {
			return err
		}
	}
	edits, ok := ask(m)
	if !ok {
		return nil
	}
	before := r.text(m.file)
	after, err := r.Apply(before, edits)
	if err != nil {
		return err
	}
	if before == after {
		r.printf("no change")
		return nil
	}
	r.out.WriteString(udiff.Unified(m.file, m.file, before, after))
	b := r.Docs[r.uri(m.file)]
	r.SetText(b, after)
	r.follow(m.file, before)
	if op == "format" {
		if again, _ := ask(m); len(again) > 0 {
			r.printf("!! formatting again changes %d places more", len(again))
		}
	}
	return nil
}

// command runs a server command: command NAME FILE [JSON members].
func (r *runner) command(args []string) error {
	before := map[string]string{}
	for f := range r.texts {
		before[f] = r.text(f)
	}
	argument := map[string]any{"uri": strings.TrimSuffix(r.uri(args[1]), "/")}
	for _, kv := range args[2:] {
		k, v, _ := strings.Cut(kv, "=")
		if b, err := strconv.ParseBool(v); err == nil {
			argument[k] = b
		} else {
			argument[k] = v
		}
	}
	var result json.RawMessage
	if r.call("workspace/executeCommand", map[string]any{"command": args[0], "arguments": []any{argument}}, &result) {
		r.printf("%s", result)
	}
	for _, f := range sortedKeys(before) {
		if now := r.text(f); now != before[f] {
			r.out.WriteString(udiff.Unified(f, f, before[f], now))
		}
	}
	return nil
}

// virtual is the URI of a report on the pack in the workspace.
func (r *runner) virtual(report string) string {
	return "amp-report:" + strings.TrimPrefix(FileURI(r.dir), "file:") + "/" + report + ".txt"
}

// notification waits for a notification that holds the given texts and prints it.
func (r *runner) notification(method string, texts []string) error {
	params, err := r.Await(method, func(p json.RawMessage) bool {
		for _, s := range texts {
			if !strings.Contains(string(p), s) {
				return false
			}
		}
		return true
	})
	if err != nil {
		return err
	}
	r.printf("%s", params)
	return nil
}
