package sign

import (
	"fmt"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/jsontree"
)

// NameNotes compares the file names of a pack with its manifest, one line per
// difference. The payload covers contents but no names (Part 6), so a renamed or
// moved file keeps the signature valid and only shows here.
func (p *Pack) NameNotes() []string {
	have := make(map[string]bool, len(p.Files))
	for _, f := range p.Files {
		have[f.Path] = true
	}
	var notes []string
	known := map[string]bool{"agents.md": true, EmbeddedName: true}
	if !have["agents.md"] {
		notes = append(notes, "there is no agents.md")
	}
	if caps := p.Tree.Member("capability_files"); caps != nil && caps.Kind == jsontree.Array {
		for _, e := range caps.Elems {
			if e.Kind != jsontree.String {
				continue
			}
			name := "memory/" + e.Text
			known[name] = true
			if !have[name] {
				notes = append(notes, fsx.Printable(name)+" is listed in capability_files but missing")
			}
		}
	}
	const most = 20
	more := 0
	for _, f := range p.Files {
		switch {
		case known[f.Path]:
		case len(notes) < most:
			notes = append(notes, fsx.Printable(f.Path)+" is not listed in capability_files")
		default:
			more++
		}
	}
	if more > 0 {
		notes = append(notes, fmt.Sprintf("%d more files are not listed in capability_files", more))
	}
	return notes
}

// Name returns the manifest's name, or "" when it is no string.
func (p *Pack) Name() string { return p.text("name") }

// Title returns the manifest's title, or "" when it is no string.
func (p *Pack) Title() string { return p.text("title") }

func (p *Pack) text(member string) string {
	if n := p.Tree.Member(member); n != nil && n.Kind == jsontree.String {
		return n.Text
	}
	return ""
}
