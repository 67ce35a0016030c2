package lsp

import (
	"path/filepath"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/uri"

	"github.com/amp-toolchain/amp/internal/session"
)

// identify names a document by the URI that a client has written. The canonical
// form is the key; the client's spelling is kept for what is sent back, since
// clients compare strings (file:///c%3A/x and file:///C:/x are one file).
func identify(spelled string) session.Identity {
	spelled = strings.Clone(spelled) // it aliases a whole message
	id := session.Identity{Key: canonical(spelled), URI: spelled}
	if u := uri.URI(id.Key); u.IsFile() {
		if path := filepath.Clean(u.FsPath()); len(path) <= maxPath {
			id.Path = path
		}
	}
	return id
}

// maxPath is the length of a path, in bytes, up to which a URI names a file. Linux
// opens no longer one, and each folder of it is looked into.
const maxPath = 4 << 10

// canonical returns the canonical form of a URI, or the URI itself when it has
// none.
func canonical(spelled string) string {
	u, err := uri.Parse(spelled)
	if err != nil {
		return spelled
	}
	return string(u)
}

// peekURI finds params.textDocument.uri without reading the rest, which may be
// broken.
func peekURI(params []byte) (string, bool) {
	dec := jsontext.NewDecoder(bytesReader(params), lenient)
	if !enter(dec, "textDocument") || !enter(dec, "uri") {
		return "", false
	}
	tok, err := dec.ReadToken()
	if err != nil || tok.Kind() != '"' {
		return "", false
	}
	return tok.String(), true
}

// enter goes into an object, up to the value of a member.
func enter(dec *jsontext.Decoder, name string) bool {
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return false
	}
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if key.String() == name {
			return true
		}
		if dec.SkipValue() != nil {
			return false
		}
	}
	return false
}
