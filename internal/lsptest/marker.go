package lsptest

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/aymanbagabas/go-udiff"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite the goldens of marker tests")

// Marker tests are txtar archives: the files of a workspace, a script, and what
// the script must print.
//
//	-- capabilities.json --    what the client can do (optional)
//	-- options.json --         initialization options (optional)
//	-- settings.json --        the answer to workspace/configuration (optional)
//	-- script --               one operation a line, # starts a comment
//	-- want --                 the output, rewritten by go test -update
//	-- anything else --        a file of the workspace
//
// In files, ⟦name:text⟧ marks a range and ⟦name⟧ a place; the marks are taken out
// before the file is written. (AMP has no comments, so marks that stayed would
// change how a file is read.) Output shows ranges as line:character and the text
// in them, in the units that were negotiated.

// mark is a marked place of a file.
type mark struct {
	file       string
	start, end int // bytes
}

// stripMarks takes the marks out of a text.
func stripMarks(file, text string, marks map[string]mark) (string, error) {
	var out strings.Builder
	var open []string
	starts := map[string]int{}
	for text != "" {
		i := strings.IndexAny(text, "⟦⟧")
		if i < 0 {
			break
		}
		out.WriteString(text[:i])
		if strings.HasPrefix(text[i:], "⟧") {
			if len(open) == 0 {
				return "", fmt.Errorf("%s: a mark closes that was not opened", file)
			}
			name := open[len(open)-1]
			open = open[:len(open)-1]
			marks[name] = mark{file, starts[name], out.Len()}
			text = text[i+len("⟧"):]
			continue
		}
		rest := text[i+len("⟦"):]
		end := strings.IndexAny(rest, ":⟧")
		if end < 0 {
			return "", fmt.Errorf("%s: a mark is not closed", file)
		}
		name := rest[:end]
		if _, twice := marks[name]; twice {
			return "", fmt.Errorf("%s: mark %s stands twice", file, name)
		}
		if rest[end] == ':' {
			open = append(open, name)
			starts[name] = out.Len()
			text = rest[end+1:]
			continue
		}
		marks[name] = mark{file, out.Len(), out.Len()}
		text = rest[end+len("⟧"):]
	}
	if len(open) > 0 {
		return "", fmt.Errorf("%s: mark %s is not closed", file, open[0])
	}
	out.WriteString(text)
	return out.String(), nil
}

// RunMarkers runs every archive below testdata/markers against serve.
func RunMarkers(t *testing.T, serve func(in io.ReadCloser, out io.WriteCloser) int) {
	paths, err := filepath.Glob(filepath.Join("testdata", "markers", "*.txtar"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("no archives: %v", err)
	}
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			runArchive(t, path, serve)
		})
	}
}

func runArchive(t *testing.T, path string, serve func(in io.ReadCloser, out io.WriteCloser) int) {
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	archive := txtar.Parse(data)
	r := &runner{t: t, marks: map[string]mark{}, texts: map[string]string{}}
	special := map[string]string{}
	var files []txtar.File
	want := -1
	for i, f := range archive.Files {
		switch f.Name {
		case "script", "capabilities.json", "options.json", "settings.json":
			special[f.Name] = string(f.Data)
		case "want":
			want = i
		default:
			text, err := stripMarks(f.Name, strings.ReplaceAll(string(f.Data), "␍", "\r"), r.marks)
			if err != nil {
				t.Fatal(err)
			}
			if cut, ok := strings.CutSuffix(text, "␄\n"); ok {
				text = cut // no line break at the end
			}
			r.texts[f.Name] = text
			files = append(files, txtar.File{Name: f.Name, Data: []byte(text)})
		}
	}
	r.dir = WriteTree(t, files)
	r.connect(serve, special)
	for i, line := range strings.Split(special["script"], "\n") {
		line, _, _ = strings.Cut(line, " #")
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		fmt.Fprintf(&r.out, "> %s\n", line)
		if err := r.run(words(line)); err != nil {
			t.Fatalf("script line %d: %s: %v", i+1, line, err)
		}
		r.out.WriteString("\n")
	}
	got := strings.ReplaceAll(r.out.String(), FileURI(r.dir), "$DIR")
	got = strings.ReplaceAll(got, strings.TrimPrefix(FileURI(r.dir), "file:"), "$PATH")
	got = strings.TrimRight(got, "\n") + "\n"
	if *update {
		f := txtar.File{Name: "want", Data: []byte(got)}
		if want < 0 {
			archive.Files = append(archive.Files, f)
		} else {
			archive.Files[want] = f
		}
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want < 0 {
		t.Fatal("the archive has no want section; run go test -update and read it")
	}
	if w := string(archive.Files[want].Data); got != w {
		t.Errorf("output differs:\n%s", udiff.Unified("want", "got", w, got))
	}
}

// words splits a line at spaces; a word may stand in quotes.
func words(line string) []string {
	var out []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimSpace(line) {
		if line[0] == '"' {
			var s string
			dec := json.NewDecoder(strings.NewReader(line))
			if dec.Decode(&s) == nil {
				out = append(out, s)
				line = line[dec.InputOffset():]
				continue
			}
		}
		w, rest, _ := strings.Cut(line, " ")
		out = append(out, w)
		line = rest
	}
	return out
}

type runner struct {
	t     *testing.T
	dir   string
	marks map[string]mark
	texts map[string]string // by path in the workspace; of files not open
	out   bytes.Buffer
	*Editor
	settings bool // the archive has settings
	tokenIDs map[string]string
	tokens   map[string][]int
	legend   []string
	mods     []string

	refreshed chan string // URIs of virtual documents
}

func (r *runner) connect(serve func(in io.ReadCloser, out io.WriteCloser) int, special map[string]string) {
	c := Start(r.t, serve)
	r.settings = special["settings.json"] != ""
	c.On("workspace/configuration", func(json.RawMessage) (any, *Error) {
		return []json.RawMessage{rawOr(special["settings.json"], "null")}, nil
	})
	r.refreshed = make(chan string, 100)
	c.On("workspace/textDocumentContent/refresh", func(params json.RawMessage) (any, *Error) {
		var p struct{ URI string }
		if err := json.Unmarshal(params, &p); err != nil {
			return nil, &Error{Code: -32602, Message: err.Error()}
		}
		r.refreshed <- p.URI
		return nil, nil
	})
	c.On("window/showDocument", func(params json.RawMessage) (any, *Error) {
		return map[string]bool{"success": json.Valid(params)}, nil
	})
	c.On("client/registerCapability", func(json.RawMessage) (any, *Error) { return nil, nil })
	var init struct {
		Capabilities struct {
			PositionEncoding       string
			SemanticTokensProvider struct {
				Legend struct{ TokenTypes, TokenModifiers []string }
			}
		}
	}
	c.MustCall("initialize", map[string]any{
		"processId": nil, "rootUri": nil, "capabilities": rawOr(special["capabilities.json"], "{}"),
		"initializationOptions": rawOr(special["options.json"], "null"),
		"workspaceFolders":      []map[string]string{{"uri": FileURI(r.dir), "name": "test"}},
	}, &init)
	c.Notify("initialized", struct{}{})
	r.Editor = NewEditor(r.t, c, init.Capabilities.PositionEncoding)
	r.legend, r.mods = init.Capabilities.SemanticTokensProvider.Legend.TokenTypes, init.Capabilities.SemanticTokensProvider.Legend.TokenModifiers
	r.tokenIDs, r.tokens = map[string]string{}, map[string][]int{}
	// workspace/applyEdit is done here; what it changed is shown by "files".
	c.On("workspace/applyEdit", func(params json.RawMessage) (any, *Error) {
		var p struct{ Edit WorkspaceEdit }
		if err := json.Unmarshal(params, &p); err != nil {
			return map[string]any{"applied": false, "failureReason": err.Error()}, nil
		}
		if err := r.ApplyEdit(&p.Edit); err != nil {
			return map[string]any{"applied": false, "failureReason": err.Error()}, nil
		}
		return map[string]any{"applied": true}, nil
	})
	c.On("window/showMessageRequest", func(params json.RawMessage) (any, *Error) {
		var p struct {
			Message string
			Actions []struct{ Title string }
		}
		if json.Unmarshal(params, &p) != nil || len(p.Actions) == 0 {
			return nil, nil
		}
		return p.Actions[0], nil
	})
}

func rawOr(s, or string) json.RawMessage {
	if strings.TrimSpace(s) == "" {
		s = or
	}
	return json.RawMessage(s)
}

func (r *runner) uri(file string) string {
	return FileURI(filepath.Join(r.dir, filepath.FromSlash(file)))
}

// file is the path in the workspace that a URI names.
func (r *runner) file(uri string) string {
	return strings.TrimPrefix(strings.TrimPrefix(uri, FileURI(r.dir)), "/")
}

// text returns the current text of a file.
func (r *runner) text(file string) string {
	if b := r.Docs[r.uri(file)]; b != nil {
		return b.Text
	}
	data, err := os.ReadFile(filepath.Join(r.dir, filepath.FromSlash(file)))
	if err != nil {
		return ""
	}
	return string(data)
}

func (r *runner) mark(name string) (mark, error) {
	m, ok := r.marks[name]
	if !ok {
		return m, fmt.Errorf("there is no mark %s", name)
	}
	return m, nil
}

// at makes the parameters of a request about the start of a mark.
func (r *runner) at(m mark) map[string]any {
	return map[string]any{
		"textDocument": map[string]string{"uri": r.uri(m.file)},
		"position":     r.PositionOf(r.text(m.file), m.start),
	}
}

func (r *runner) rangeOf(m mark) Range { return r.RangeOf(r.text(m.file), m.start, m.end) }

// show writes a range and its text.
func (r *runner) show(file string, rng Range) string {
	text := r.Slice(r.text(file), rng)
	if len(text) > 60 {
		text = text[:30] + "…" + text[len(text)-20:]
	}
	return fmt.Sprintf("%d:%d-%d:%d %q", rng.Start.Line, rng.Start.Character, rng.End.Line, rng.End.Character, strings.ToValidUTF8(text, "?"))
}

func (r *runner) printf(format string, args ...any) { fmt.Fprintf(&r.out, format+"\n", args...) }

// call calls and decodes; an error of the server is printed instead.
func (r *runner) call(method string, params, into any) bool {
	result, err := r.Call(method, params)
	if err != nil {
		if Code(err) == 0 {
			r.t.Fatal(err)
		}
		r.printf("error %v", err)
		return false
	}
	if string(result) == "null" {
		r.printf("null")
		return false
	}
	if err := json.Unmarshal(result, into); err != nil {
		r.t.Fatalf("%s: %v in %s", method, err, result)
	}
	return true
}

// moveMarks keeps the marks of a file behind an edit where they were.
func (r *runner) moveMarks(file string, start, end, inserted int) {
	for name, m := range r.marks {
		if m.file != file {
			continue
		}
		if m.start >= end && !(m.start == start && m.start == end) {
			m.start += inserted - (end - start)
		}
		if m.end >= end {
			m.end += inserted - (end - start)
		}
		m.end = max(m.start, m.end)
		r.marks[name] = m
	}
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
