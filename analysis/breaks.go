package analysis

import (
	"strings"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// unifyBreaks gives the fixes of a file the line breaks of that file. A block
// rule sees one block, and the last one of a file may have no break to copy.
func unifyBreaks(t *parser.Tree, ds []Diagnostic) {
	first, ok := t.AtIndex(0)
	if !ok {
		return
	}
	nl := text.Newline(first.Text())
	if nl == "\n" {
		return
	}
	for i := range ds {
		for j := range ds[i].Fixes {
			for k := range ds[i].Fixes[j].Edits {
				if e := &ds[i].Fixes[j].Edits[k]; e.Path == ds[i].Path && strings.IndexByte(e.New, '\n') >= 0 && strings.IndexByte(e.New, '\r') < 0 {
					e.New = strings.ReplaceAll(e.New, "\n", nl)
				}
			}
		}
	}
}
