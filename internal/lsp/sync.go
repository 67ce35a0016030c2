package lsp

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/internal/session"
)

// The synchronisation messages are decoded into types of our own: the library's
// refuse a null version or one past 32 bits, and read `"range": null` as a
// range at the start of the document, which would insert the text there. Strings
// decoded here are copies of their own; the library's alias the whole message.
type (
	wireDocument struct {
		URI        string         `json:"uri"`
		Version    jsontext.Value `json:"version"`
		LanguageID string         `json:"languageId"`
		Text       string         `json:"text"`
	}
	wireChange struct {
		Range *struct {
			Start wirePosition `json:"start"`
			End   wirePosition `json:"end"`
		} `json:"range"`
		Text *string `json:"text"`
	}
	wirePosition struct {
		Line      uint32 `json:"line"`
		Character uint32 `json:"character"`
	}
	wireOpen struct {
		TextDocument *wireDocument `json:"textDocument"`
	}
	wireEdit struct {
		TextDocument   *wireDocument `json:"textDocument"`
		ContentChanges []wireChange  `json:"contentChanges"`
	}
	wireSave struct {
		TextDocument *wireDocument `json:"textDocument"`
		Text         *string       `json:"text"`
	}
)

func decodeSync(params []byte, v any) error {
	if len(params) == 0 {
		return invalidParams("no params")
	}
	if err := json.Unmarshal(params, v, lenient); err != nil {
		if !jsontext.Value(params).IsValid(lenient) {
			return jsonrpc2.NewError(jsonrpc2.ParseError, "the params are not JSON")
		}
		return invalidParams("the params do not fit the method")
	}
	return nil
}

// version reads a version number. ok is false for one that is missing, null or
// no whole number.
func (d *wireDocument) version() (v int64, ok bool) {
	v, err := strconv.ParseInt(string(d.Version), 10, 64)
	return v, err == nil
}

func didOpen(s *Server, params []byte) error {
	var p wireOpen
	if err := decodeSync(params, &p); err != nil {
		s.lose(params)
		return err
	}
	if p.TextDocument == nil || p.TextDocument.URI == "" {
		return invalidParams("no document")
	}
	if isVirtual(p.TextDocument.URI) {
		return nil // it shows what we have said
	}
	version, _ := p.TextDocument.version()
	s.session.Open(identify(p.TextDocument.URI), version, p.TextDocument.LanguageID, p.TextDocument.Text)
	return nil
}

func didChange(s *Server, params []byte) error {
	var p wireEdit
	if err := decodeSync(params, &p); err != nil {
		s.lose(params)
		return err
	}
	if p.TextDocument == nil || p.TextDocument.URI == "" {
		return invalidParams("no document")
	}
	key := s.key(p.TextDocument.URI)
	changes := make([]session.Change, 0, len(p.ContentChanges))
	for _, c := range p.ContentChanges {
		if c.Text == nil {
			s.session.Lose(key)
			return invalidParams("a change without text")
		}
		change := session.Change{Text: *c.Text}
		if c.Range == nil {
			change.Whole = true
		} else {
			change.StartLine, change.StartChar = int(c.Range.Start.Line), int(c.Range.Start.Character)
			change.EndLine, change.EndChar = int(c.Range.End.Line), int(c.Range.End.Character)
		}
		changes = append(changes, change)
	}
	version, ok := p.TextDocument.version()
	if !ok {
		// A client of before LSP 3.16 may send null: it has just edited.
		if d := s.session.Snapshot().Doc(key); d != nil {
			version = d.Version + 1
		}
	}
	return s.session.Edit(key, version, s.client.encoding, changes)
}

// lose marks the document of a message that cannot be read: an edit is missing
// from here on, and findings for a text that nobody has would only mislead.
func (s *Server) lose(params []byte) {
	if spelled, ok := peekURI(params); ok {
		s.session.Lose(s.key(spelled))
	}
}

func didClose(s *Server, params []byte) error {
	var p wireOpen
	if err := decodeSync(params, &p); err != nil {
		return err
	}
	if p.TextDocument == nil {
		return invalidParams("no document")
	}
	key := s.key(p.TextDocument.URI)
	if isVirtual(key) {
		s.virtual.closed(key)
		return nil
	}
	s.session.Close(key)
	s.tokenCache.forget(key)
	return nil
}

func didSave(s *Server, params []byte) error {
	var p wireSave
	if err := decodeSync(params, &p); err != nil {
		return err
	}
	if p.TextDocument == nil {
		return invalidParams("no document")
	}
	s.session.Save(s.key(p.TextDocument.URI), p.Text)
	return nil
}

// key returns the canonical form of a URI. Every keystroke asks for the same
// one, so the last is remembered; only the reader calls this.
func (s *Server) key(spelled string) string {
	if s.lastSpelled != spelled {
		s.lastSpelled = strings.Clone(spelled)
		s.lastKey = canonical(s.lastSpelled)
	}
	return s.lastKey
}

func didChangeWatchedFiles(s *Server, params []byte) error {
	var p protocol.DidChangeWatchedFilesParams
	if err := decode(params, &p); err != nil {
		return err
	}
	paths := make([]string, 0, len(p.Changes))
	for _, c := range p.Changes {
		if id := identify(string(c.URI)); id.Path != "" {
			paths = append(paths, id.Path)
		}
	}
	s.session.Touched(paths...)
	return nil
}

func didChangeWorkspaceFolders(s *Server, params []byte) error {
	var p struct {
		Event struct {
			Added   []wireFolder `json:"added"`
			Removed []wireFolder `json:"removed"`
		} `json:"event"`
	}
	if err := decodeSync(params, &p); err != nil {
		return err
	}
	removed := map[string]bool{}
	for _, f := range p.Event.Removed {
		removed[canonical(f.URI)] = true
	}
	var folders []session.Folder
	for _, f := range s.session.Folders() {
		if !removed[canonical(f.URI)] {
			folders = append(folders, f)
		}
	}
	s.session.SetFolders(append(folders, foldersOf(p.Event.Added)...))
	return nil
}

type wireFolder struct {
	URI string `json:"uri"`
}

func foldersOf(list []wireFolder) []session.Folder {
	var folders []session.Folder
	for _, f := range list {
		id := identify(f.URI)
		if id.Path != "" {
			folders = append(folders, session.Folder{URI: strings.TrimSuffix(id.URI, "/"), Path: id.Path})
		}
	}
	return folders
}

// didMoveFiles handles didCreateFiles, didRenameFiles and didDeleteFiles alike:
// what they name may have changed on disk.
func didMoveFiles(s *Server, params []byte) error {
	var p struct {
		Files []struct {
			URI    string `json:"uri"`
			OldURI string `json:"oldUri"`
			NewURI string `json:"newUri"`
		} `json:"files"`
	}
	if err := decodeSync(params, &p); err != nil {
		return err
	}
	var paths []string
	for _, f := range p.Files {
		for _, spelled := range []string{f.URI, f.OldURI, f.NewURI} {
			if spelled == "" {
				continue
			}
			if id := identify(spelled); id.Path != "" {
				paths = append(paths, id.Path)
			}
		}
	}
	s.session.Touched(paths...)
	return nil
}
