package install

import (
	"path"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// Block is a managed block of a rules file that says something else than the
// agents.md of its pack, or whose pack is not there.
type Block struct {
	File  string // absolute
	Slug  string
	Start int    // byte offset of Text in the file
	Text  string // between the markers
	Whole string // the file
}

// Beside lists what an agent loads besides the pack slug, which may be "": the
// folders of the packs installed in the project and by the user, absolute, and the
// managed blocks that are not what their packs say. A scope that cannot be used is
// left out. It takes no lock and changes nothing.
func Beside(w Where, slug string) (folders []string, blocks []Block, err error) {
	for _, scope := range []Scope{Project, User} {
		base := w.Dir
		if scope == User {
			base = w.Home
		}
		if base == "" || scope == Project && w.Home != "" && sameDir(base, w.Home) {
			continue
		}
		s, err := openBase(scope, base)
		if err != nil {
			return nil, nil, err
		}
		err = s.beside(slug, &folders, &blocks)
		s.close()
		if err != nil {
			return nil, nil, s.in(err)
		}
	}
	return folders, blocks, nil
}

func (s *site) beside(slug string, folders *[]string, blocks *[]Block) error {
	slugs, err := listSlugs(s.root, s.scope)
	if err != nil {
		return err
	}
	agents := map[string]string{}
	files := map[string]bool{}
	for _, other := range append(slugs, slug) {
		for _, h := range allPlaces(s.scope, other) {
			files[h.file] = true
		}
		if other == slug || other == "" || !exists(s.root, packDir(other)) {
			continue
		}
		if d, err := fsx.OpenDir(s.root, packDir(other)); err == nil { // a link is no pack
			if text, err := fsx.ReadFile(d, "agents.md", maxAgentsMD); err == nil {
				agents[other] = string(text)
			}
			d.Close()
			*folders = append(*folders, s.full(packDir(other)))
		}
	}
	for _, file := range sortedKeys(files) {
		text, ok, err := s.readRules(file)
		if err != nil || !ok {
			continue // the installer says why where it matters
		}
		for _, b := range managed(text) {
			if b.Slug == slug || says(agents[b.Slug], b.Text) {
				continue
			}
			b.File, b.Whole = s.full(file), text
			*blocks = append(*blocks, b)
		}
	}
	return nil
}

func sortedKeys(m map[string]bool) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	slices.Sort(out)
	return out
}

// managed finds the blocks of a rules file, whoever wrote them. One without an end
// goes to the end of the file.
func managed(text string) []Block {
	const begin, end = "<!-- amp:begin ", "<!-- amp:end "
	var out []Block
	for at := 0; ; {
		i := strings.Index(text[at:], begin)
		if i < 0 {
			return out
		}
		i += at
		start := i + strings.IndexAny(text[i:]+"\n", "\r\n")
		name, _, _ := strings.Cut(text[i+len(begin):start], " ")
		stop := len(text)
		if j := strings.Index(text[start:], end); j >= 0 {
			stop = start + j
		}
		out = append(out, Block{Slug: path.Base(name), Start: start, Text: text[start:stop]})
		at = stop
	}
}

// says reports whether a block holds an agents.md and the line that names the
// pack's files, and nothing else.
func says(agents, block string) bool {
	plain := func(s string) string {
		return strings.TrimSpace(strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(s, bom), "\r\n", "\n"), "\r", "\n"))
	}
	rest, ok := strings.CutPrefix(plain(block), plain(agents))
	rest = strings.TrimSpace(rest)
	return ok && agents != "" && (rest == "" || strings.HasPrefix(rest, "> Pack files: ") && !strings.Contains(rest, "\n"))
}
