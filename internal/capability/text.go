package capability

import (
	"fmt"
	"io"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// Document is the JSON form: what `amp-lint --capabilities --format json` prints
// and what the language server answers.
type Document struct {
	Version int       `json:"version"` // 1
	Packs   []Summary `json:"packs"`
}

// NewDocument makes the JSON form of summaries.
func NewDocument(list ...Summary) Document {
	if list == nil {
		list = []Summary{}
	}
	return Document{1, list}
}

// Text writes the acts for people, indented, at most most of them; 0 writes all.
func (s *Summary) Text(w io.Writer, indent string, most int) error {
	var b strings.Builder
	for i := range s.Asks {
		if most > 0 && i == most {
			fmt.Fprintf(&b, "%sand %d more\n", indent, len(s.Asks)-most)
			break
		}
		a := &s.Asks[i]
		note := a.Note()
		if note != "" {
			note = " (" + note + ")"
		}
		fmt.Fprintf(&b, "%s%-8s %s%s\n%s         %s:%d\n", indent, a.Verb, fsx.Printable(a.Object), note, indent, fsx.Printable(a.Path), a.Line)
	}
	for _, u := range s.Unread {
		fmt.Fprintf(&b, "%snot read: %s (%s)\n", indent, fsx.Printable(u.Path), u.Reason)
	}
	_, err := io.WriteString(w, b.String())
	return err
}
