package install

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

// Folders and files below the base of a site.
const (
	ampDir      = ".amp"
	metaDir     = ".amp/.meta"
	backupDir   = ".amp/.backups"
	lockFile    = ".amp/.lock"
	txDir       = ".amp/.tx"
	txPack      = txDir + "/pack"
	txOld       = txDir + "/old"
	txKeep      = txDir + "/keep"
	txJournal   = txDir + "/journal.json"
	maxMeta     = 16 << 20 // bytes, a record of MaxFiles files with usual names fits
	maxJournal  = 1 << 30  // bytes, holds two metadata and the rules files twice
	maxRules    = 16 << 20 // bytes of a rules file
	maxAgentsMD = 1 << 20  // bytes of agents.md, which goes into rules files
)

func packDir(slug string) string  { return ampDir + "/" + slug }
func metaPath(slug string) string { return metaDir + "/" + slug + ".json" }

// Meta is .amp/.meta/<slug>.json. The first members are those of the npm CLI,
// which reads them from our files as we read them from its files; Amp is ours.
type Meta struct {
	Slug              string  `json:"slug"`
	Creator           string  `json:"creator"`
	Version           int64   `json:"version"`
	SHA256            string  `json:"sha256"` // of manifest.json, hex
	InstalledAt       string  `json:"installedAt"`
	InstallScope      Scope   `json:"installScope"`
	PackDir           string  `json:"packDir"`
	ActivationSnippet string  `json:"activationSnippet"`
	Agent             string  `json:"agent"` // the first of Amp.Hosts
	Amp               *Record `json:"amp,omitempty"`
}

// Record is what the npm CLI does not keep.
type Record struct {
	Format    int          `json:"format"` // 1
	Title     string       `json:"title"`
	Hosts     []HostRecord `json:"hosts"`
	Dirs      []string     `json:"createdDirs"` // folders made for rules files
	Files     []FileRecord `json:"files"`
	Empty     []string     `json:"emptyFolders,omitempty"` // of the pack
	Signature Signature    `json:"signature"`
}

// HostRecord is a block that the pack has in a rules file.
type HostRecord struct {
	Agent     string `json:"agent"`
	File      string `json:"file"`      // relative to the project or home folder
	Separator string `json:"separator"` // what was added before the block
	Created   bool   `json:"created"`   // the file did not exist before amp
	Block     string `json:"blockSha256"`
}

// FileRecord is one installed file.
type FileRecord struct {
	Path   string `json:"path"`
	Size   int64  `json:"size"`
	SHA256 string `json:"sha256"`
}

// Signature is what was found out about the pack's signature when it was
// installed. PublicKey pins the signer.
type Signature struct {
	Status      string      `json:"status"` // unsigned, trusted, untrusted, unchecked, tampered
	Scheme      sign.Scheme `json:"scheme,omitempty"`
	Fingerprint string      `json:"fingerprint,omitempty"`
	PublicKey   string      `json:"publicKey,omitempty"` // PEM
}

// key returns the pinned key, or the zero key.
func (m *Meta) pin() sign.PublicKey {
	if m == nil || m.Amp == nil || m.Amp.Signature.PublicKey == "" {
		return sign.PublicKey{}
	}
	key, err := sign.ParsePublic([]byte(m.Amp.Signature.PublicKey))
	if err != nil {
		return sign.PublicKey{}
	}
	return key
}

// hosts returns the places where the pack has or may have a block, checked
// against the fixed list.
func (m *Meta) hosts(scope Scope) []HostRecord {
	if m == nil {
		return nil
	}
	if m.Amp == nil { // npm CLI: one agent, one place, nothing recorded
		var out []HostRecord
		for _, h := range places(m.Agent, scope, m.Slug) {
			out = append(out, HostRecord{Agent: h.agent, File: h.file})
		}
		return out
	}
	var out []HostRecord
	for _, r := range m.Amp.Hosts {
		if h, ok := placeOf(scope, m.Slug, r.File); ok && validSeparator(r.Separator) {
			r.Agent = h.agent
			out = append(out, r)
		}
	}
	return out
}

// creators lists the creators under which the pack's block may stand.
func (m *Meta) creators() []string {
	if m == nil || m.Creator == localCreator || !validCreator(m.Creator) {
		return []string{localCreator}
	}
	return []string{localCreator, m.Creator}
}

// localCreator stands in markers of packs that come from a folder (R-q).
const localCreator = "local"

func (m *Meta) encode() []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(m); err != nil {
		panic(err) // plain strings and numbers
	}
	return b.Bytes()
}

// readMeta reads the metadata of a pack; a missing file is (nil, nil, nil). The
// slug, scope and creator it claims do not count, its name does.
func readMeta(root *os.Root, scope Scope, slug string) (*Meta, []byte, error) {
	dir, err := fsx.OpenDir(root, metaDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	defer dir.Close()
	raw, err := fsx.ReadFile(dir, slug+".json", maxMeta)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, err
	}
	var m Meta
	if err := json.Unmarshal(raw, &m); err != nil {
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			err = fmt.Errorf("%s: unexpected %s", cmp.Or(te.Field, "its text"), te.Value)
		}
		return nil, nil, fmt.Errorf("%s is damaged (%w), remove it and install the pack again", metaPath(slug), err)
	}
	m.Slug, m.InstallScope = slug, scope
	return &m, raw, nil
}

// listSlugs returns the slugs that have metadata or a folder, sorted.
func listSlugs(root *os.Root, scope Scope) ([]string, error) {
	var out []string
	add := func(dir string, slugOf func(fs.DirEntry) string) error {
		d, err := fsx.OpenDir(root, dir)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		defer d.Close()
		entries, err := fs.ReadDir(d.FS(), ".")
		if err != nil {
			return err
		}
		for _, e := range entries {
			if s := slugOf(e); CheckSlug(s, scope) == nil {
				out = append(out, s)
			}
		}
		return nil
	}
	if err := add(metaDir, func(e fs.DirEntry) string {
		if s, ok := strings.CutSuffix(e.Name(), ".json"); ok {
			return s
		}
		return ""
	}); err != nil {
		return nil, err
	}
	if err := add(ampDir, func(e fs.DirEntry) string {
		if e.IsDir() {
			return e.Name()
		}
		return ""
	}); err != nil {
		return nil, err
	}
	slices.Sort(out)
	return slices.Compact(out), nil
}
