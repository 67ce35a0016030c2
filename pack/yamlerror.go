package pack

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/amp-toolchain/amp/parser"
)

// yamlError places an error of the YAML library in the block. The library's
// messages name lines of the frontmatter, which are not those of the file.
func (f *Frontmatter) yamlError(err error, lines []int, src string) *YAMLError {
	at := 0
	msg := err.Error()
	var ye yaml.Error
	if errors.As(err, &ye) {
		msg = ye.GetMessage()
		if t := ye.GetToken(); t != nil && t.Position != nil {
			at = offsetOf(t.Position.Line, t.Position.Column, lines, src)
		}
	}
	if msg == (errYAML{}).Error() {
		return &YAMLError{parser.Rel{Start: f.Inner.Start, End: f.Inner.Start}, "the frontmatter is not valid YAML"}
	}
	if i := strings.IndexByte(msg, '\n'); i >= 0 {
		msg = msg[:i]
	}
	if key, _, ok := strings.Cut(strings.TrimPrefix(msg, `mapping key "`), `" already defined`); ok {
		msg = duplicateKey(key)
	} else {
		msg = "the frontmatter is not valid YAML: " + msg
	}
	p := f.Inner.Start + at
	return &YAMLError{parser.Rel{Start: p, End: p}, msg}
}
