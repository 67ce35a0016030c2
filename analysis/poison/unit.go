// Package poison finds poisoned memory: text a person does not see,
// instructions that turn an agent against its user, dangerous actions, and
// payloads that only exist once fragments of several units are put together.
//
// The analysis is static, deterministic and offline. It works in two stages, so
// that an editor can keep the first one with each block: [Facts] reads one unit
// and returns nil when there is nothing to keep, and [Judge] puts the facts of a
// whole pack, or of several, together. Every finding has an object (what is
// hidden, sent, run or overridden) and affirmative polarity; a keyword alone is
// none. See docs/security.md for what this can and cannot see.
package poison

// Kind says where in a pack a unit stands. It decides whether its text is an
// order, a statement, an example or something nobody reads.
type Kind uint8

// The kinds of units.
const (
	// ManifestString is a string of manifest.json that people see.
	ManifestString Kind = iota
	// AgentsLine is a line of agents.md outside a table.
	AgentsLine
	// TableCell is the first cell of a routing row: its task.
	TableCell
	// RouteCell names the files to load: the last cell of a row.
	RouteCell
	// AlwaysLoad is an item of the always-load section.
	AlwaysLoad
	// FrontmatterValue is a value of the YAML at the top of a capability file.
	FrontmatterValue
	// YAMLComment is a comment in that YAML.
	YAMLComment
	// Legend is an entry of a sources legend.
	Legend
	// Content is the text of a primitive.
	Content
	// Reason is a reason line of a primitive.
	Reason
	// DemoBody is the body of a demonstration.
	DemoBody
	// Loose is text of a capability file that belongs to no primitive.
	Loose
	// OtherFile is any other file of the pack, such as a README.
	OtherFile
	// Raw is a whole file or block as written. Only the rules about bytes look
	// at it: hidden characters, markers and forged delimiters.
	Raw
)

// Unit is one piece of text of a pack.
type Unit struct {
	// File is the pack-relative path, with '/'. Callers that judge several
	// packs put the pack's name in Pack.
	File string
	Pack string
	Kind Kind
	// Offset is the byte offset of Text in the file.
	Offset int
	// Text is the unit as written.
	Text string
	// Type is the canonical type of the primitive ("directive", "claim",
	// "goal", "demonstration"), "" outside primitives.
	Type string
	// Force, Valence and Illustrates are the resolved facets.
	Force, Valence, Illustrates string
	// Owner is the index, among the units given to [Judge], of the primitive
	// that a reason belongs to, -1 for none.
	Owner int
	// Names are the capability files that exist, for route cells.
	Names []string
}

func (u *Unit) negative() bool { return u.Valence == "negative" }

// Severity of a finding.
type Severity uint8

// The severities. Warnings and errors count as flagged.
const (
	Info Severity = iota
	Warning
	Error
)

func (s Severity) String() string { return [...]string{"info", "warning", "error"}[s] }

// Place is a span in a file, in bytes of the file, half-open.
type Place struct {
	Pack, File string
	Start, End int
	Message    string
}

// Edit replaces bytes of the finding's file.
type Edit struct {
	Start, End int
	New        string
}

// Finding is one verdict.
type Finding struct {
	// Rule is the slug of the catalogue.
	Rule     string
	Severity Severity
	Place
	Related []Place
	// Fix holds the edits of a safe fix, Title its name; none when empty.
	Fix   []Edit
	Title string
}

// Rules lists the slugs this package reports, with the highest severity each
// can have.
var Rules = []struct {
	Slug     string
	Severity Severity
}{
	{"authority-spoof", Error},
	{"bidi-control", Error},
	{"concealment", Error},
	{"data-uri", Error},
	{"delayed-trigger", Error},
	{"delimiter-forge", Error},
	{"destructive", Error},
	{"encoded-payload", Error},
	{"exfiltration", Error},
	{"fragment-assembly", Error},
	{"hidden-markup", Error},
	{"hidden-unicode", Error},
	{"homoglyph", Error},
	{"instruction-override", Error},
	{"markdown-exfil", Error},
	{"marker-forge", Error},
	{"odd-place", Warning},
	{"persistence", Error},
	{"remote-exec", Error},
	{"remote-instructions", Error},
	{"route-escape", Error},
	{"safety-disable", Error},
	{"secret-access", Error},
	{"supply-chain", Error},
	{"tool-hijack", Error},
}
