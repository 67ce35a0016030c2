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
	known := p.listed()
	if !have["agents.md"] {
		notes = append(notes, "there is no agents.md")
	}
	if caps := p.Tree.Member("capability_files"); caps != nil && caps.Kind == jsontree.Array {
		for _, e := range caps.Elems {
			if e.Kind != jsontree.String {
				continue
			}
			name := "memory/" + e.Text
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

// listed is the set of the names that the manifest, which is signed, gives a role.
func (p *Pack) listed() map[string]bool {
	known := map[string]bool{"agents.md": true, EmbeddedName: true}
	if caps := p.Tree.Member("capability_files"); caps != nil && caps.Kind == jsontree.Array {
		for _, e := range caps.Elems {
			if e.Kind == jsontree.String {
				known["memory/"+e.Text] = true
			}
		}
	}
	return known
}

// RoleNote says of a signed pack that its contents may stand under other names than
// the publisher gave them, "" where that cannot be. The payload is the manifest and
// the hashes in the order of the names. As long as the files are those that the
// manifest lists, the names, their number and so their order are those that were
// signed. With one more, or another instead, contents can be moved along: what was a
// note becomes agents.md, and the signature holds.
func (p *Pack) RoleNote() string {
	if !p.Signed() {
		return ""
	}
	known := p.listed()
	more := 0
	for _, f := range p.Files {
		if !known[f.Path] {
			more++
		}
		delete(known, f.Path)
	}
	delete(known, EmbeddedName) // the one name that need not be there
	if more == 0 && len(known) == 0 {
		return ""
	}
	return fmt.Sprintf("signatures do not cover file names, and the files are not exactly those that the manifest lists (%d more, %d missing): even a valid signature does not say which of the contents is agents.md and which is a capability file; read them, or ask the publisher for a pack that lists all its files", more, len(known))
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
