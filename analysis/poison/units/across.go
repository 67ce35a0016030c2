package units

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis/poison"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser/text"
)

// A Member is one of several packs that an agent loads together, or another text
// that it loads beside them.
type Member struct {
	// Name tells members apart; findings carry it in Pack.
	Name string
	Pack *pack.Pack
	// Texts are loaded as well: managed blocks of rules files that do not say
	// what the pack says. Offset and File are the texts' own.
	Texts []Text
}

// Text is a text that an agent loads, in a file outside of packs.
type Text struct {
	File   string
	Offset int
	Text   string
}

// Across judges what only shows when packs are put together: payloads whose
// fragments lie in more than one member. What a member holds alone is the business
// of judging that member. Copies of one pack count as one.
func Across(members []Member) []poison.Finding {
	members = distinct(members)
	if len(members) < 2 {
		return nil
	}
	each := func(want func(string) bool, yield func(*poison.Unit) bool) {
		for i := range members {
			members[i].all(want, yield)
		}
	}
	in := poison.Input{All: each}
	each(nil, func(u *poison.Unit) bool {
		if f := poison.Facts(u); f != nil {
			in.Units, in.Facts = append(in.Units, u), append(in.Facts, f)
		}
		return true
	})
	return slices.DeleteFunc(poison.Judge(in), func(f poison.Finding) bool {
		return f.Rule != "fragment-assembly" || !slices.ContainsFunc(f.Related, func(p poison.Place) bool { return p.Pack != f.Pack })
	})
}

func (m *Member) all(want func(string) bool, yield func(*poison.Unit) bool) {
	if m.Pack != nil {
		All(m.Pack, m.Name, want, yield)
	}
	for _, t := range m.Texts {
		list := []*poison.Unit{{Kind: poison.Raw, Offset: t.Offset, Text: t.Text}}
		for _, p := range paragraphs(t.Text) {
			list = append(list, &poison.Unit{Kind: poison.AgentsLine, Offset: t.Offset + p[0], Text: t.Text[p[0]:p[1]]})
		}
		for _, u := range list {
			u.Pack, u.File, u.Owner = m.Name, t.File, -1
			if !yield(u) {
				return
			}
		}
	}
}

// paragraphs cuts a text at its blank lines.
func paragraphs(s string) (out [][2]int) {
	start := -1
	for at := 0; at < len(s); {
		end, next := text.LineEnd(s, at)
		switch blank := strings.TrimSpace(s[at:end]) == ""; {
		case blank && start >= 0:
			out = append(out, [2]int{start, at})
			start = -1
		case !blank && start < 0:
			start = at
		}
		if next == end {
			break
		}
		at = next
	}
	if start >= 0 {
		out = append(out, [2]int{start, len(s)})
	}
	return out
}

// distinct leaves out copies.
func distinct(members []Member) []Member {
	seen := map[[sha256.Size]byte]bool{}
	var out []Member
	for _, m := range members {
		if m.Pack != nil && len(m.Texts) == 0 {
			k := sum(m.Pack)
			if seen[k] {
				continue
			}
			seen[k] = true
		}
		out = append(out, m)
	}
	return out
}

func sum(p *pack.Pack) (k [sha256.Size]byte) {
	h := sha256.New()
	part := func(s string) {
		_ = binary.Write(h, binary.LittleEndian, uint64(len(s)))
		_, _ = h.Write([]byte(s))
	}
	for _, f := range p.Files {
		part(f.Path)
		part(f.Text)
	}
	h.Sum(k[:0])
	return k
}
