package packs

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// A File is one file of a pack; Path is relative to the pack and uses slashes.
type File struct {
	Path string
	Data []byte
}

type capability struct{ file, applies, routes string }

var capabilities = []capability{
	{"operating-principles.md", "priorities and decisions of the", ""},
	{"copy-voice.md", "writing, labels and letters of the", "Writing anything (letters, labels, posts)"},
	{"content-strategy.md", "what the outside hears, and when, from the", "Content strategy (angle, season, channel)"},
	{"product-context.md", "facts about the work and the rooms of the", "Product facts (prices, places, people)"},
	{"ops-tools.md", "daily operations and tools of the", "Ops or automation (orders, lists, tools)"},
	{"demonstrations.md", "approved and rejected examples of the", "Reviewing approved examples or tone matching"},
}

// Pack returns pack number n of the series that seed starts: a manifest, a
// routing table and five capability files, about size bytes in all.
func Pack(seed uint64, n, size int) []File {
	g := newGenerator(seed, uint64(n))
	name := fmt.Sprintf("%s-%04d", g.domain.slug, n)
	const files = 5
	const overhead = 2_000 // manifest and routing table
	each := max(0, size-overhead) / files
	sizes := make([]int, files)
	for i := range sizes {
		sizes[i] = each
	}
	return g.pack(name, sizes)
}

// Single returns a pack of six capability files, of which product-context.md
// has about size bytes and the others 4 KB each.
func Single(seed uint64, size int) []File {
	g := newGenerator(seed, uint64(size))
	sizes := make([]int, len(capabilities))
	for i := range sizes {
		sizes[i] = 4_000
	}
	sizes[3] = size
	return g.pack("single", sizes)
}

// Write puts files below dir, which it makes.
func Write(dir string, files []File) error {
	for _, f := range files {
		name := filepath.Join(dir, filepath.FromSlash(f.Path))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, f.Data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

type generator struct {
	rng      *rand.Rand
	domain   *domain
	seen     map[string]bool // contents, so that none repeats
	contexts []string        // of directives written, for labels
	total    counts
}

func newGenerator(seed, stream uint64) *generator {
	rng := rand.New(rand.NewPCG(seed, stream))
	return &generator{rng: rng, domain: &domains[rng.IntN(len(domains))], seen: map[string]bool{}}
}

type counts struct{ goal, claim, directive, demonstration int }

func (c *counts) add(o counts) {
	c.goal += o.goal
	c.claim += o.claim
	c.directive += o.directive
	c.demonstration += o.demonstration
}

func (g *generator) pack(name string, sizes []int) []File {
	var memory []File
	var listed, rows []string
	for i, size := range sizes {
		c := capabilities[i]
		memory = append(memory, File{"memory/" + c.file, g.file(c, size)})
		listed = append(listed, fmt.Sprintf("    %q", c.file))
		if c.routes != "" {
			rows = append(rows, fmt.Sprintf("| %s | %s |\n", c.routes, c.file))
		}
	}
	manifest := fmt.Sprintf(`{
  "name": %q,
  "title": %q,
  "version": { "number": %d },
  "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4",
  "created": "2026-%02d-%02d",
  "sources": ["notes/%s.md", "notes/handover.md"],
  "agents_file": "agents.md",
  "agents": ["claude-code"],
  "capability_files": [
%s
  ],
  "primitive_counts": {
    "goal": %d,
    "claim": %d,
    "directive": %d,
    "demonstration": %d,
    "dropped_action_log": %d,
    "dropped_duplicate": %d
  },
  "signed": false,
  "signature": ""
}
`, name, g.domain.title, 1+g.rng.IntN(9), 1+g.rng.IntN(12), 1+g.rng.IntN(28), g.domain.slug, strings.Join(listed, ",\n"),
		g.total.goal, g.total.claim, g.total.directive, g.total.demonstration, g.rng.IntN(90), g.rng.IntN(30))
	agents := fmt.Sprintf(`# AMP Routing — %s

## Always load
- operating-principles.md — what comes first and why

## Route by task type

| If the task involves... | Load |
|---|---|
%s`, name, strings.Join(rows, ""))
	return append([]File{{"manifest.json", []byte(manifest)}, {"agents.md", []byte(agents)}}, memory...)
}

// file writes a capability file of about size bytes, and at least a primitive of each type.
func (g *generator) file(c capability, size int) []byte {
	var body bytes.Buffer
	codes := g.legend(&body)
	var n counts
	for i := 0; i < 4 || body.Len() < size-250; i++ {
		if i > 0 {
			body.WriteByte('\n')
		}
		kind := g.rng.IntN(20)
		if i < 4 {
			kind = [...]int{0, 10, 4, 17}[i] // a directive precedes the first demonstration
		}
		switch {
		case kind < 3:
			n.goal++
			g.goal(&body)
		case kind < 9:
			n.claim++
			g.claim(&body)
		case kind < 17:
			n.directive++
			g.directive(&body)
		default:
			n.demonstration++
			g.demonstration(&body)
		}
		g.reason(&body, codes, i)
	}
	g.total.add(n)
	head := fmt.Sprintf("---\ntype: cluster\napplies_to: %s %s\nsource: self\nprimitive_counts:\n  directive: %d\n  goal: %d\n  claim: %d\n  demonstration: %d\n---\n\n",
		c.applies, strings.ToLower(g.domain.title), n.directive, n.goal, n.claim, n.demonstration)
	return append([]byte(head), body.Bytes()...)
}

// legend declares two to four sources and returns their codes, or none.
func (g *generator) legend(w *bytes.Buffer) []string {
	if g.rng.IntN(4) == 0 {
		return nil
	}
	var codes []string
	w.WriteString("sources:\n")
	order := g.rng.Perm(len(works))
	for _, i := range order[:2+g.rng.IntN(3)] {
		year := 2017 + g.rng.IntN(9)
		code := fmt.Sprintf("%s %d", works[i], year)
		codes = append(codes, code)
		fmt.Fprintf(w, "  %s: %s of the %s, %d\n", code, works[i], strings.ToLower(g.domain.title), year)
		if g.rng.IntN(3) == 0 {
			fmt.Fprintf(w, "    https://%s.example/%d/%s\n", g.domain.slug, year, strings.ToLower(strings.ReplaceAll(works[i], " ", "-")))
		}
	}
	w.WriteByte('\n')
	return codes
}
