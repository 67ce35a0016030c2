package install

import (
	"os"
	"slices"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// Installed is a pack found in a scope.
type Installed struct {
	Scope    Scope        `json:"scope"`
	Slug     string       `json:"slug"`
	Folder   string       `json:"folder"` // absolute
	HasFiles bool         `json:"hasFiles"`
	Meta     *Meta        `json:"metadata"` // nil when there is none
	Problem  string       `json:"problem,omitempty"`
	Blocks   []BlockState `json:"blocks"`
}

// BlockState tells about the block in one rules file.
type BlockState struct {
	Agent string `json:"agent"`
	File  string `json:"file"`  // absolute
	State string `json:"state"` // intact, edited, present (no record to compare with), missing, broken, unrecorded
	Note  string `json:"note,omitempty"`
}

// List returns the packs of a scope, sorted by slug.
func List(w Where, scope Scope) (_ []Installed, err error) {
	s, err := openSite(scope, w)
	if err != nil {
		return nil, err
	}
	defer s.close()
	defer func() { err = s.in(err) }()
	if err := s.settle(); err != nil {
		return nil, err
	}
	slugs, err := listSlugs(s.root, scope)
	if err != nil {
		return nil, err
	}
	out := []Installed{}
	for _, slug := range slugs {
		in, dir, err := s.look(slug)
		if err != nil {
			in.Problem = err.Error()
		}
		if dir != nil {
			dir.Close()
		}
		out = append(out, *in)
	}
	return out, nil
}

// Report is what Inspect found out about an installed pack.
type Report struct {
	Installed
	// Changes compares the folder with what was installed. Without a record (npm
	// CLI) only manifest.json can be compared, and the folder does not count as intact.
	Changes   []Change  `json:"changes"`
	Recorded  bool      `json:"recorded"`
	Signature Signature `json:"signature"` // of the folder as it is now
	Notes     []string  `json:"notes"`
}

// Intact reports whether it is known that nothing was changed since the install.
func (r *Report) Intact() bool {
	return len(r.Changes) == 0 && r.HasFiles && r.Recorded && r.Problem == "" && !r.broken()
}

// Differs reports whether something is known to be other than it was installed, or
// there is no metadata at all. A pack of the npm CLI, of which nothing was recorded
// but the manifest, may be neither intact nor differ.
func (r *Report) Differs() bool {
	return r.Meta == nil || len(r.Changes) > 0 || !r.HasFiles || r.Problem != "" || r.broken()
}

// broken reports whether a block is not as it should be.
func (r *Report) broken() bool {
	return slices.ContainsFunc(r.Blocks, func(b BlockState) bool { return b.State != "intact" && b.State != "present" })
}

// Inspect compares an installed pack with its record and checks its signature
// with the pinned key, the known ones and the shipped one. A pack that is not
// there is ErrNotInstalled.
func Inspect(w Where, scope Scope, slug string, known []sign.PublicKey) (_ *Report, err error) {
	if err := CheckSlug(slug, scope); err != nil {
		return nil, err
	}
	s, err := openSite(scope, w)
	if err != nil {
		return nil, err
	}
	defer s.close()
	defer func() { err = s.in(err) }()
	if err := s.settle(); err != nil {
		return nil, err
	}
	in, dir, err := s.look(slug)
	if dir != nil {
		defer dir.Close()
	}
	if err != nil {
		return nil, err
	}
	if in.Meta == nil && dir == nil {
		return nil, ErrNotInstalled
	}
	r := &Report{Installed: *in, Changes: []Change{}, Notes: []string{}, Signature: Signature{Status: "missing"}}
	if in.Meta == nil {
		r.Notes = append(r.Notes, "there is no metadata, so nothing says what was installed")
	} else if in.Meta.Amp == nil {
		r.Notes = append(r.Notes, "the tool that installed it kept no record of its files and blocks, so nothing shows whether they were changed; amp install over it keeps one")
	}
	if dir == nil {
		r.Notes = append(r.Notes, "the pack's folder is gone")
		return r, nil
	}
	now, err := scan(dir)
	if err != nil {
		return nil, err
	}
	r.compare(now)
	p, err := sign.OpenRoot(dir)
	if err == nil {
		err = p.Hash()
	}
	if err != nil {
		r.Signature.Status = "unreadable"
		r.Notes = append(r.Notes, err.Error())
		return r, nil
	}
	r.Notes = append(r.Notes, p.NameNotes()...)
	if r.Signature, err = classify(p, in.Meta.pin(), Policy{Known: known}); err != nil {
		r.Signature.Status = "unreadable"
		r.Notes = append(r.Notes, err.Error())
	}
	return r, nil
}

func (r *Report) compare(now *tree) {
	if r.Meta != nil && r.Meta.Amp != nil {
		r.Recorded = true
		r.Changes = append(r.Changes, now.diff(r.Meta.Amp.Files, r.Meta.Amp.Empty)...)
		return
	}
	for _, name := range now.special {
		r.Changes = append(r.Changes, Change{Kind: "special", Path: name})
	}
	if r.Meta != nil && now.sums[sign.ManifestName] != r.Meta.SHA256 {
		r.Changes = append(r.Changes, Change{Kind: "changed", Path: sign.ManifestName})
	}
}

// look reads what a scope holds of a pack. The result is never nil.
func (s *site) look(slug string) (*Installed, *os.Root, error) {
	in := &Installed{Scope: s.scope, Slug: slug, Folder: s.full(packDir(slug)), Blocks: []BlockState{}}
	dir, err := s.openPack(slug)
	if err != nil {
		return in, nil, err
	}
	in.HasFiles = dir != nil
	if in.Meta, _, err = readMeta(s.root, s.scope, slug); err != nil {
		return in, dir, err
	}
	for _, rec := range in.Meta.hosts(s.scope) {
		if b := s.blockState(in.Meta, rec); b.State != "missing" || in.Meta.Amp != nil {
			in.Blocks = append(in.Blocks, b)
		}
	}
	if in.Meta == nil || in.Meta.Amp != nil {
		in.Blocks = append(in.Blocks, s.strayBlocks(slug, in.Blocks)...)
	}
	return in, dir, nil
}

// strayBlocks finds blocks of a pack that its record does not know: the record was
// edited or lost, or somebody copied a block.
func (s *site) strayBlocks(slug string, known []BlockState) (out []BlockState) {
	m := &Meta{Slug: slug, Creator: localCreator}
	for _, h := range allPlaces(s.scope, slug) {
		if slices.ContainsFunc(known, func(b BlockState) bool { return b.File == s.full(h.file) }) {
			continue
		}
		// A place that was never recorded and cannot be read is none of ours.
		if b := s.blockState(m, HostRecord{Agent: h.agent, File: h.file}); b.State == "present" {
			b.State = "unrecorded"
			out = append(out, b)
		}
	}
	return out
}

func (s *site) blockState(m *Meta, rec HostRecord) BlockState {
	b := BlockState{Agent: rec.Agent, File: s.full(rec.File), State: "missing"}
	text, _, err := s.readRules(rec.File)
	if err != nil {
		b.State, b.Note = "broken", err.Error()
		return b
	}
	for _, creator := range m.creators() {
		r, err := findBlock(b.File, text, creator, m.Slug)
		switch {
		case err != nil:
			b.State, b.Note = "broken", err.Error()
			return b
		case r == nil:
			continue
		case rec.Block == "":
			b.State = "present"
		case blockSum(text[r.start:r.end]) == rec.Block:
			b.State = "intact"
		default:
			b.State = "edited"
		}
		return b
	}
	return b
}

// ChangesOf compares a folder that may be an installed pack, .amp/<slug>, with
// the record beside it. ok is false when it is none or has no record.
func ChangesOf(root, slug string) (changes []Change, ok bool, err error) {
	if !validName(slug) {
		return nil, false, nil
	}
	s, err := openBase(Project, root)
	if err != nil {
		return nil, false, err
	}
	defer s.close()
	m, _, err := readMeta(s.root, Project, slug)
	if err != nil || m == nil || m.Amp == nil {
		return nil, false, err
	}
	dir, err := fsx.OpenDir(s.root, packDir(slug))
	if err != nil {
		return nil, false, err
	}
	defer dir.Close()
	now, err := scan(dir)
	if err != nil {
		return nil, false, err
	}
	return now.diff(m.Amp.Files, m.Amp.Empty), true, nil
}
