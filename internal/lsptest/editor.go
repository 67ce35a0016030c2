package lsptest

import (
	"encoding/json"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"golang.org/x/tools/txtar"
)

// Position, Range and Diagnostic are the parts of LSP that tests look at.
type (
	Position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	Range struct {
		Start Position `json:"start"`
		End   Position `json:"end"`
	}
	Diagnostic struct {
		Range           Range                      `json:"range"`
		Severity        int                        `json:"severity"`
		Code            string                     `json:"code"`
		CodeDescription *struct{ Href string }     `json:"codeDescription"`
		Source          string                     `json:"source"`
		Message         string                     `json:"message"`
		Markup          string                     `json:"-"` // kind of the message, "" for a string
		Tags            []int                      `json:"tags"`
		Related         []struct{ Message string } `json:"relatedInformation"`
	}
	Published struct {
		URI         string       `json:"uri"`
		Version     *int         `json:"version"`
		Diagnostics []Diagnostic `json:"diagnostics"`
	}
	TextEdit struct {
		Range   Range                         `json:"range"`
		NewText string                        `json:"newText"`
		Snippet *struct{ Kind, Value string } `json:"snippet"` // LSP 3.18, in place of NewText
	}
)

// UnmarshalJSON reads a diagnostic whose message is a string or, as LSP 3.18
// allows, markup; Markup is then its kind.
func (d *Diagnostic) UnmarshalJSON(data []byte) error {
	type plain Diagnostic
	out := struct {
		*plain
		Message json.RawMessage `json:"message"`
	}{plain: (*plain)(d)}
	if err := json.Unmarshal(data, &out); err != nil {
		return err
	}
	if json.Unmarshal(out.Message, &d.Message) == nil {
		return nil
	}
	var markup struct{ Kind, Value string }
	if err := json.Unmarshal(out.Message, &markup); err != nil {
		return err
	}
	d.Message, d.Markup = markup.Value, markup.Kind
	return nil
}

// filled is the text of a snippet whose placeholders are taken as they are.
func filled(snippet string) string {
	var b strings.Builder
	for i := 0; i < len(snippet); i++ {
		switch {
		case snippet[i] == '\\' && i+1 < len(snippet):
			i++
			b.WriteByte(snippet[i])
		case strings.HasPrefix(snippet[i:], "$0"):
			i++
		case strings.HasPrefix(snippet[i:], "${1:"):
			i += len("${1:") - 1
		case snippet[i] == '}':
		default:
			b.WriteByte(snippet[i])
		}
	}
	return b.String()
}

// FileURI returns the URI of a path.
func FileURI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// WriteTree writes the files of a txtar archive below a new folder whose path
// holds no links, and returns it.
func WriteTree(t testing.TB, files []txtar.File) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		path := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, f.Data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Editor is a client that keeps the text of its documents, as an editor does.
type Editor struct {
	*Client
	t        testing.TB
	Docs     map[string]*Buffer // by URI
	Encoding string             // "utf-8", "utf-16" or "utf-32"
}

// Buffer is an open document of an Editor.
type Buffer struct {
	URI     string
	Version int
	Text    string
}

// NewEditor makes an editor on a connected and initialized client.
func NewEditor(t testing.TB, c *Client, encoding string) *Editor {
	return &Editor{Client: c, t: t, Docs: map[string]*Buffer{}, Encoding: encoding}
}

// Open opens a document.
func (e *Editor) Open(uri, text string) *Buffer {
	b := &Buffer{URI: uri, Version: 1, Text: text}
	e.Docs[uri] = b
	e.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{
		"uri": uri, "languageId": "markdown", "version": 1, "text": text,
	}})
	return b
}

// OpenFile opens a file.
func (e *Editor) OpenFile(path string) *Buffer {
	e.t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		e.t.Fatal(err)
	}
	return e.Open(FileURI(path), string(data))
}

// Replace replaces bytes [start, end) of a document, as one incremental change.
func (e *Editor) Replace(b *Buffer, start, end int, text string) {
	rng := e.RangeOf(b.Text, start, end)
	b.Text = b.Text[:start] + text + b.Text[end:]
	b.Version++
	e.change(b, []map[string]any{{"range": rng, "text": text}})
}

// ReplaceWord replaces the only occurrence of a word.
func (e *Editor) ReplaceWord(b *Buffer, old, text string) {
	e.t.Helper()
	if strings.Count(b.Text, old) != 1 {
		e.t.Fatalf("%q stands %d times in %s", old, strings.Count(b.Text, old), b.URI)
	}
	i := strings.Index(b.Text, old)
	e.Replace(b, i, i+len(old), text)
}

// SetText replaces the whole text without a range.
func (e *Editor) SetText(b *Buffer, text string) {
	b.Text = text
	b.Version++
	e.change(b, []map[string]any{{"text": text}})
}

func (e *Editor) change(b *Buffer, changes []map[string]any) {
	e.Notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": b.URI, "version": b.Version}, "contentChanges": changes,
	})
}

// CloseDoc closes a document.
func (e *Editor) CloseDoc(b *Buffer) {
	delete(e.Docs, b.URI)
	e.Notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": b.URI}})
}

// Save writes a document to its file and tells the server.
func (e *Editor) Save(b *Buffer) {
	e.t.Helper()
	if err := os.WriteFile(PathOf(b.URI), []byte(b.Text), 0o644); err != nil {
		e.t.Fatal(err)
	}
	e.Notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": b.URI}})
}

// PathOf returns the path of a file URI.
func PathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil {
		return ""
	}
	return filepath.FromSlash(u.Path)
}

// Diagnostics waits for the diagnostics of a document in its version.
func (e *Editor) Diagnostics(b *Buffer) []Diagnostic {
	e.t.Helper()
	return e.awaitLatest(b.URI, func(p *Published) bool { return p.Version != nil && *p.Version == b.Version })
}

// AwaitDiagnostics waits until what was published last for a URI satisfies a
// condition.
func (e *Editor) AwaitDiagnostics(uri string, ok func([]Diagnostic) bool) []Diagnostic {
	e.t.Helper()
	return e.awaitLatest(uri, func(p *Published) bool { return ok(p.Diagnostics) })
}

func (e *Editor) awaitLatest(uri string, ok func(*Published) bool) []Diagnostic {
	e.t.Helper()
	var p Published
	err := e.until(func() bool {
		p = Published{}
		raw, known := e.latest[uri]
		return known && json.Unmarshal(raw, &p) == nil && ok(&p)
	})
	if err != nil {
		e.t.Fatalf("diagnostics of %s: %v; last seen: %+v", uri, err, p)
	}
	return p.Diagnostics
}

// Latest returns what was published last for every URI.
func (e *Editor) Latest() map[string]Published {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := map[string]Published{}
	for uri, raw := range e.latest {
		var p Published
		if json.Unmarshal(raw, &p) == nil {
			all[uri] = p
		}
	}
	return all
}

// Codes returns the codes of diagnostics, in order.
func Codes(ds []Diagnostic) []string {
	codes := []string{}
	for _, d := range ds {
		codes = append(codes, d.Code)
	}
	return codes
}

// Has returns a condition: some diagnostic has the code.
func Has(code string) func([]Diagnostic) bool {
	return func(ds []Diagnostic) bool { return slices.Contains(Codes(ds), code) }
}

// Lacks returns a condition: no diagnostic has the code.
func Lacks(code string) func([]Diagnostic) bool {
	return func(ds []Diagnostic) bool { return !slices.Contains(Codes(ds), code) }
}

// lineStarts returns the offsets at which lines start: LF, CRLF and lone CR end
// them.
func lineStarts(text string) []int {
	starts := []int{0}
	for i := 0; i < len(text); i++ {
		if text[i] == '\n' || text[i] == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return starts
}

// PositionOf converts a byte offset, independently of the server.
func (e *Editor) PositionOf(text string, offset int) Position {
	starts := lineStarts(text)
	line := 0
	for line+1 < len(starts) && starts[line+1] <= offset {
		line++
	}
	return Position{Line: line, Character: e.units(text[starts[line]:offset])}
}

func (e *Editor) units(s string) int {
	switch e.Encoding {
	case "utf-8":
		return len(s)
	case "utf-32":
		return len([]rune(s))
	default:
		return len(utf16.Encode([]rune(s)))
	}
}

// RangeOf converts a byte range.
func (e *Editor) RangeOf(text string, start, end int) Range {
	return Range{e.PositionOf(text, start), e.PositionOf(text, end)}
}

// OffsetOf converts a position to a byte offset; it must lie in the text.
func (e *Editor) OffsetOf(text string, p Position) (int, error) {
	starts := lineStarts(text)
	if p.Line >= len(starts) {
		return 0, fmt.Errorf("line %d of %d", p.Line, len(starts))
	}
	end := len(text)
	if p.Line+1 < len(starts) {
		end = starts[p.Line+1]
	}
	line := strings.TrimRight(text[starts[p.Line]:end], "\r\n")
	for i := 0; i <= len(line); i++ {
		if e.units(line[:i]) == p.Character && (i == len(line) || line[i]&0xC0 != 0x80) {
			return starts[p.Line] + i, nil
		}
	}
	return 0, fmt.Errorf("character %d is not a boundary of line %d (%q)", p.Character, p.Line, line)
}

// Slice returns the text of a range.
func (e *Editor) Slice(text string, r Range) string {
	start, err := e.OffsetOf(text, r.Start)
	if err != nil {
		return "!" + err.Error()
	}
	end, err := e.OffsetOf(text, r.End)
	if err != nil {
		return "!" + err.Error()
	}
	return text[start:end]
}

// Apply applies edits to a text, as a client does: all positions refer to the
// text before, and overlaps are an error.
func (e *Editor) Apply(text string, edits []TextEdit) (string, error) {
	type span struct {
		start, end, order int
		text              string
	}
	var spans []span
	for i, edit := range edits {
		start, err := e.OffsetOf(text, edit.Range.Start)
		if err != nil {
			return "", err
		}
		end, err := e.OffsetOf(text, edit.Range.End)
		if err != nil {
			return "", err
		}
		text := edit.NewText
		if edit.Snippet != nil {
			text = filled(edit.Snippet.Value)
		}
		spans = append(spans, span{start, end, i, text})
	}
	slices.SortStableFunc(spans, func(a, b span) int { return a.start - b.start })
	var out strings.Builder
	at := 0
	for _, s := range spans {
		if s.start < at {
			return "", fmt.Errorf("edits overlap at byte %d", s.start)
		}
		out.WriteString(text[at:s.start])
		out.WriteString(s.text)
		at = s.end
	}
	out.WriteString(text[at:])
	return out.String(), nil
}

// WorkspaceEdit is an edit of several files.
type WorkspaceEdit struct {
	Changes         map[string][]TextEdit `json:"changes"`
	DocumentChanges []struct {
		Kind         string `json:"kind"`
		URI          string `json:"uri"`
		TextDocument struct {
			URI     string `json:"uri"`
			Version *int   `json:"version"`
		} `json:"textDocument"`
		Edits  []TextEdit `json:"edits"`
		OldURI string     `json:"oldUri"`
		NewURI string     `json:"newUri"`
	} `json:"documentChanges"`
}

// ApplyEdit applies a workspace edit to open documents and to files on disk, as
// an editor does. Versions must fit.
func (e *Editor) ApplyEdit(w *WorkspaceEdit) error {
	change := func(uri string, edits []TextEdit) error {
		if b := e.Docs[uri]; b != nil {
			text, err := e.Apply(b.Text, edits)
			if err != nil {
				return fmt.Errorf("%s: %w", uri, err)
			}
			e.SetText(b, text)
			return nil
		}
		data, err := os.ReadFile(PathOf(uri))
		if err != nil {
			return err
		}
		text, err := e.Apply(string(data), edits)
		if err != nil {
			return fmt.Errorf("%s: %w", uri, err)
		}
		if err := os.WriteFile(PathOf(uri), []byte(text), 0o644); err != nil {
			return err
		}
		e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": uri, "type": 2}}})
		return nil
	}
	for uri, edits := range w.Changes {
		if err := change(uri, edits); err != nil {
			return err
		}
	}
	for _, c := range w.DocumentChanges {
		if c.Kind == "rename" {
			if err := os.Rename(PathOf(c.OldURI), PathOf(c.NewURI)); err != nil {
				return err
			}
			if b := e.Docs[c.OldURI]; b != nil {
				e.CloseDoc(b)
				e.Open(c.NewURI, b.Text)
			}
			e.Notify("workspace/didRenameFiles", map[string]any{"files": []map[string]string{{"oldUri": c.OldURI, "newUri": c.NewURI}}})
			continue
		}
		if c.Kind == "create" {
			if err := os.WriteFile(PathOf(c.URI), nil, 0o644); err != nil {
				return err
			}
			e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": c.URI, "type": 1}}})
			continue
		}
		if b := e.Docs[c.TextDocument.URI]; b != nil && c.TextDocument.Version != nil && *c.TextDocument.Version != b.Version {
			return fmt.Errorf("the edit is for version %d of %s, which has %d", *c.TextDocument.Version, b.URI, b.Version)
		}
		if err := change(c.TextDocument.URI, c.Edits); err != nil {
			return err
		}
	}
	return nil
}
