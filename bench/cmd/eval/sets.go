package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// securityRules are the slugs that count; other rules judge the format.
var securityRules = strings.Fields(`hidden-unicode bidi-control homoglyph hidden-markup encoded-payload data-uri
	instruction-override authority-spoof concealment persistence safety-disable tool-hijack delayed-trigger
	remote-instructions remote-exec secret-access exfiltration markdown-exfil destructive supply-chain
	marker-forge delimiter-forge route-escape odd-place fragment-assembly`)

func security(slug string) bool { return slices.Contains(securityRules, slug) }

// hiddenRules name attacks that people don't see when they read the text.
var hiddenRules = strings.Fields("hidden-unicode bidi-control homoglyph hidden-markup encoded-payload data-uri marker-forge delimiter-forge")

// An attackRow is a labelled pack. No expected rule means that it is harmless.
type attackRow struct {
	ID     string            `json:"id"`
	Files  map[string]string `json:"files"`
	Expect []string          `json:"expect"` // any of these rules names the attack rightly
	Where  []string          `json:"where"`  // any of these files places it rightly
	Tags   []string          `json:"tags"`
	Note   string            `json:"note"`
}

func (r *attackRow) attack() bool { return len(r.Expect) > 0 }

// A credentialRow is a labelled text, cut into parts so that no scanner takes
// the set itself for a leak.
type credentialRow struct {
	ID     string   `json:"id"`
	Parts  []string `json:"parts"`
	Expect bool     `json:"expect"`
	Family string   `json:"family"`
	Tier   string   `json:"tier"`
	Note   string   `json:"note"`
}

// A textRow is an ordinary text of the trade, in which nothing is to be found.
type textRow struct {
	name string
	text string
}

// A set holds rows of one kind.
type set struct {
	attacks     []attackRow
	credentials []credentialRow
	texts       []textRow
	as          string
}

var errEmpty = errors.New("no rows")

func readSet(name, as string) (*set, error) {
	st, err := os.Stat(name)
	if err != nil {
		return nil, cause(err)
	}
	if st.IsDir() {
		texts, err := readTexts(name)
		return &set{texts: texts, as: as}, err
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, cause(err)
	}
	return readRows(data)
}

func cause(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}

// readRows reads JSON lines. The members of the first row tell the kind of all.
func readRows(data []byte) (*set, error) {
	s := &set{}
	seen := map[string]int{}
	line := 0
	for raw := range bytes.Lines(data) {
		line++
		if raw = bytes.TrimSpace(raw); len(raw) == 0 {
			continue
		}
		id, err := s.row(raw)
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		if id == "" {
			return nil, fmt.Errorf("line %d: no `id`", line)
		}
		if old := seen[id]; old > 0 {
			return nil, fmt.Errorf("line %d: id %q is that of line %d", line, id, old)
		}
		seen[id] = line
	}
	if len(seen) == 0 {
		return nil, errEmpty
	}
	return s, nil
}

func (s *set) row(raw []byte) (id string, err error) {
	if s.attacks == nil && s.credentials == nil {
		var kind struct {
			Files, Parts json.RawMessage
		}
		if err := json.Unmarshal(raw, &kind); err != nil {
			return "", err
		}
		switch {
		case kind.Files != nil:
			s.attacks = []attackRow{}
		case kind.Parts != nil:
			s.credentials = []credentialRow{}
		default:
			return "", errors.New("neither `files` (a pack) nor `parts` (a credential)")
		}
	}
	if s.credentials != nil {
		var r credentialRow
		if err := json.Unmarshal(raw, &r); err != nil {
			return "", err
		}
		if len(r.Parts) == 0 {
			return "", errors.New("no `parts`")
		}
		s.credentials = append(s.credentials, r)
		return r.ID, nil
	}
	var r attackRow
	if err := json.Unmarshal(raw, &r); err != nil {
		return "", err
	}
	if err := r.check(); err != nil {
		return "", err
	}
	s.attacks = append(s.attacks, r)
	return r.ID, nil
}

// check finds slips of the labels, which would count as misses of the linter.
func (r *attackRow) check() error {
	if len(r.Files) == 0 {
		return errors.New("no `files`")
	}
	for name := range r.Files {
		if !filepath.IsLocal(filepath.FromSlash(name)) {
			return fmt.Errorf("file %q lies outside of the pack", name)
		}
	}
	for _, e := range r.Expect {
		if !security(e) {
			return fmt.Errorf("`expect` names no security rule: %q", e)
		}
	}
	for _, w := range r.Where {
		if _, ok := r.Files[w]; !ok {
			return fmt.Errorf("`where` names no file of the pack: %q", w)
		}
	}
	return nil
}

func readTexts(dir string) ([]textRow, error) {
	var rows []textRow
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") {
			return err
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		rows = append(rows, textRow{filepath.ToSlash(rel), string(data)})
		return err
	})
	if err == nil && len(rows) == 0 {
		err = errors.New("no .md texts")
	}
	return rows, err
}

// packs are the packs to lint, in the order of rows.
func (s *set) packs() []map[string]string {
	var out []map[string]string
	for i := range s.attacks {
		out = append(out, s.attacks[i].Files)
	}
	for i := range s.credentials {
		out = append(out, carrier(memory(strings.Join(s.credentials[i].Parts, ""))))
	}
	for _, t := range s.texts {
		p := carrier("[claim permanent] The notes in docs are kept by the whole team.")
		if s.as == "demo" {
			p = carrier("[demo mixed] {\n" + indent(t.text) + "\n}")
		} else {
			p["docs/text.md"] = t.text
		}
		out = append(out, p)
	}
	return out
}

// memory makes a primitive of a text that is none: anything may stand in the
// body of a demonstration.
func memory(text string) string {
	for _, tag := range []string{"[goal", "[claim", "[directive", "[demo"} {
		if strings.HasPrefix(text, tag) {
			return text
		}
	}
	return "[demo positive] {\n" + text + "\n}"
}

// indent keeps a `}` at column 0 of a text from ending the demonstration.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimSpace(text), "\n", "\n  ")
}

// carrier is a clean pack around the blocks of its only capability file.
func carrier(blocks string) map[string]string {
	return map[string]string{
		"manifest.json": `{"name": "carrier", "title": "Carrier", "version": {"number": 1}, "layout": "semantic-cluster",
"primitive_format": "inline-tag-v0.4", "created": "2026-01-01", "sources": ["notes.md"], "agents_file": "agents.md", "agents": ["claude-code"],
"capability_files": ["operating-principles.md"], "signed": false, "signature": ""}
`,
		"agents.md":                      "# AMP Routing — carrier\n\n## Always load\n- operating-principles.md — all of it\n",
		"memory/operating-principles.md": "---\ntype: cluster\napplies_to: all work\nsource: self\n---\n\n" + blocks + "\n",
	}
}
