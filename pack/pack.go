// Package pack holds an AMP pack as a value: its manifest, its routing table and
// its files, wherever they come from. Disk and unsaved editor buffers look the
// same to it (an fs.FS with overlays).
//
// It reports nothing. What it finds odd (a link, a file that can't be read, a
// manifest that is no JSON) it records, for package analysis to judge. It never
// follows links and never opens anything but regular files.
package pack

import (
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/parser"
)

// Names of Part 2's layout.
const (
	ManifestName   = "manifest.json"
	AgentsName     = "agents.md"
	MemoryDir      = "memory"
	PrinciplesName = "operating-principles.md"
	KeyName        = "signing.pub" // R-ns: the public key that `amp sign` puts into the pack
	Layout         = "semantic-cluster"
)

// A File is one entry of a pack.
type File struct {
	Path string      // relative to the pack's root, "/" separators
	Type fs.FileMode // type bits; 0 for a regular file
	Size int64       // bytes
	Text string      // content of a regular file that was read
	Err  error       // why the file was not read, nil otherwise
	// Tree is the parsed text of a capability file. A caller that keeps trees
	// between edits sets it; New fills it in otherwise.
	Tree *parser.Tree
}

// Name is the last element of the file's path.
func (f *File) Name() string { return path.Base(f.Path) }

// Capability reports whether the file was read as a cluster file.
func (f *File) Capability() bool {
	return f.Tree != nil && path.Dir(f.Path) == MemoryDir
}

// Regular reports whether the file is neither link, device, pipe nor socket.
func (f *File) Regular() bool { return f.Type.IsRegular() }

// IsCapability reports whether a path is that of a cluster file: memory/*.md.
// New takes files of memory/ with other endings as cluster files, too, when the
// manifest lists them or agents.md routes to them: an agent will load them.
func IsCapability(p string) bool {
	dir, name := path.Split(p)
	return dir == MemoryDir+"/" && strings.HasSuffix(name, ".md")
}

// A FormatState says how the bodies of a pack are to be read.
type FormatState uint8

const (
	// FormatInline is inline-tag-v0.4, also assumed while there is no readable manifest.
	FormatInline FormatState = iota
	// FormatYAML is yaml-frontmatter-v0.3, the default when the member is absent.
	FormatYAML
	// FormatOther is a value no reader knows: bodies are not judged (R-p).
	FormatOther
)

// A Pack is an immutable pack.
type Pack struct {
	Root     string // how the pack's folder was reached; only for display
	Files    []*File
	Manifest *Manifest // nil when there is no manifest.json
	Routing  *Routing  // nil when there is no agents.md
	Format   FormatState
	// Skipped are the folders that Load left out: packs inside the pack, version
	// control and dependencies.
	Skipped []string
	// Signature is set by callers that can verify (package sign); analysis
	// only reports it.
	Signature SignatureState
}

// A SignatureState is what is known about a pack's signature.
type SignatureState uint8

const (
	SignatureUnknown SignatureState = iota // not checked, or no key to check with
	SignatureNone                          // unsigned
	SignatureIntact                        // holds under a key that may or may not be trusted
	SignatureStale                         // signed, and the content no longer matches
)

// New makes a pack of its files. It parses manifest, routing table and, where
// File.Tree is nil or of another format, the capability files.
func New(root string, files []*File) *Pack {
	p := &Pack{Root: root, Files: slices.Clone(files)}
	slices.SortFunc(p.Files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	if f := p.File(ManifestName); f != nil {
		p.Manifest = ParseManifest(f)
	}
	if f := p.File(AgentsName); f != nil && f.Err == nil && f.Regular() {
		p.Routing = ParseRouting(f.Text)
	}
	p.Format = p.Manifest.format()
	want := p.Format.Reader()
	for i, f := range p.Files {
		if f.Tree != nil && !p.Loads(f.Path) { // listed once, and no longer
			c := *f
			if c.Text == "" {
				c.Text = c.Tree.String()
			}
			c.Tree = nil
			p.Files[i] = &c
			continue
		}
		if f.Err != nil || !f.Regular() || f.Tree != nil && f.Tree.Format() == want || !p.Loads(f.Path) {
			continue
		}
		c := *f
		src := f.Text
		if src == "" && f.Tree != nil {
			src = f.Tree.String()
		}
		c.Tree = parser.Parse(src, want)
		p.Files[i] = &c
	}
	return p
}

// Loads reports whether an agent is told to load the file at a path as a cluster
// file: all of memory/*.md, and what else of memory/ manifest or routes name.
func (p *Pack) Loads(file string) bool {
	dir, name := path.Split(file)
	return dir == MemoryDir+"/" && (strings.HasSuffix(name, ".md") || p.Manifest.Lists(name) || p.Routing.Names(name))
}

// Reader is the parser's format for bodies. Those of an unknown format are read
// as v0.4 so that they can be scanned for secrets, though nothing else judges them.
func (s FormatState) Reader() parser.Format {
	if s == FormatYAML {
		return parser.V03
	}
	return parser.V04
}

// Name is the pack's name from the manifest, "" when there is none.
func (p *Pack) Name() string { return p.Manifest.Text("name") }

// FormatName is the value of primitive_format after its default.
func (p *Pack) FormatName() string {
	switch {
	case p.Format == FormatYAML:
		return parser.FormatV03
	case p.Format == FormatOther:
		return p.Manifest.Text("primitive_format")
	}
	return parser.FormatV04
}

// File is the entry with the given path, nil when there is none.
func (p *Pack) File(name string) *File {
	i, ok := slices.BinarySearchFunc(p.Files, name, func(f *File, s string) int { return strings.Compare(f.Path, s) })
	if !ok {
		return nil
	}
	return p.Files[i]
}

// Capabilities are the parsed capability files in path order, listed in the
// manifest or not.
func (p *Pack) Capabilities() []*File {
	var out []*File
	for _, f := range p.Files {
		if f.Capability() {
			out = append(out, f)
		}
	}
	return out
}

// Counts are the primitives of all capability files by type. complete is false
// when a file has a body or a tag without end: what it hides can't be counted (R-f).
func (p *Pack) Counts() (counts [parser.NumTypes]int, complete bool) {
	complete = true
	for _, f := range p.Files {
		if f.Tree == nil {
			continue
		}
		s := f.Tree.Summary()
		for i, n := range s.Types {
			counts[i] += n
		}
		if s.Open > 0 || s.Lost > 0 {
			complete = false
		}
	}
	return counts, complete
}

// Replace returns the pack with one file added or exchanged. Parts that do not
// depend on it are shared.
func (p *Pack) Replace(f *File) *Pack {
	return p.change(f.Path, f)
}

// Remove returns the pack without the file at path.
func (p *Pack) Remove(path string) *Pack { return p.change(path, nil) }

func (p *Pack) change(name string, f *File) *Pack {
	files := make([]*File, 0, len(p.Files)+1)
	for _, o := range p.Files {
		if o.Path != name {
			files = append(files, o)
		}
	}
	if f != nil {
		files = append(files, f)
	}
	if name == ManifestName || name == AgentsName || f != nil && path.Dir(name) == MemoryDir && (f.Tree == nil || !IsCapability(name)) {
		n := New(p.Root, files)
		n.Signature, n.Skipped = p.Signature, p.Skipped
		return n
	}
	slices.SortFunc(files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	n := *p
	n.Files = files
	return &n
}
