package ide

import (
	"strings"

	"github.com/amp-toolchain/amp/parser"
)

// word is a word of the format and what it means, in the specification's terms.
type word struct {
	name string
	doc  string
}

// typeDoc says what a primitive type is (Part 3).
func typeDoc(t parser.Type) string {
	switch t {
	case parser.Goal:
		return "What to optimize for, an active priority, or an operating principle."
	case parser.Claim:
		return "A factual assertion about the world, a product, a user, or an organization."
	case parser.Directive:
		return "An instruction for what the agent should or should not do."
	case parser.Demonstration:
		return "A whole artifact that shows a pattern to match or to avoid."
	default:
		return ""
	}
}

// patterns are the sentence patterns of a type (Part 3), as snippets. Plain
// text is made of them by plain.
func patterns(t parser.Type) []string {
	switch t {
	case parser.Goal:
		return []string{
			"In ${1:context}, the goal is to ${2:outcome}.",
			"Optimize ${1:X} over ${2:Y}.",
			"Default ${1:stance}: ${2:behavior}.",
		}
	case parser.Claim:
		return []string{"${1:Subject} is ${2:assertion}.", "${1:Subject} has ${2:assertion}."}
	case parser.Directive:
		return []string{
			"In ${1:context}, always ${2:behavior}.",
			"In ${1:context}, never ${2:behavior}.",
			"When ${1:condition}, prefer ${2:behavior} over ${3:alternative}.",
		}
	default:
		return nil
	}
}

// plain turns a snippet into the text a person reads: placeholders in brackets.
func plain(snippet string) string {
	var b strings.Builder
	for {
		i := strings.Index(snippet, "${")
		if i < 0 {
			break
		}
		end := strings.IndexByte(snippet[i:], '}')
		if end < 0 {
			break
		}
		b.WriteString(snippet[:i])
		name := snippet[i+2 : i+end]
		if _, text, ok := strings.Cut(name, ":"); ok {
			b.WriteString("[" + text + "]")
		}
		snippet = snippet[i+end+1:]
	}
	return strings.ReplaceAll(b.String()+snippet, "$0", "")
}

// facetDoc says what a facet is.
func facetDoc(name string) string {
	switch name {
	case "force":
		return "How binding it is."
	case "scope":
		return "For whom or for how long it holds."
	case "stability":
		return "How long it is expected to stay true."
	case "valence":
		return "Whether the artifact shows what to match or what to avoid."
	case "illustrates":
		return "A label for the directive that the artifact illustrates. Labels are free text: a demonstration and a directive are linked by the words they share."
	default:
		return ""
	}
}

// valueDoc says what a facet value means.
func valueDoc(facet, value string) string {
	switch facet + " " + value {
	case "force must":
		return "Binding: never set aside."
	case "force should":
		return "Expected, unless there is a good reason."
	case "force may":
		return "Allowed, at the agent's judgement."
	case "scope session":
		return "For the current session only."
	case "scope project":
		return "For the project that the pack is installed in."
	case "scope user":
		return "For everything that this user does."
	case "scope org":
		return "For the whole organization."
	case "stability permanent":
		return "Not expected to change."
	case "stability seasonal":
		return "Holds for a season: a quarter, a launch, a campaign."
	case "stability tactical":
		return "Holds for now; expect it to be replaced."
	case "valence positive":
		return "An artifact to match."
	case "valence negative":
		return "An artifact to avoid."
	case "valence mixed":
		return "Partly to match, partly to avoid; the reason says which."
	default:
		return ""
	}
}

// frontmatterKeys are the members of a capability file's frontmatter (Part 2).
var frontmatterKeys = []word{
	{"type", "What the file is: always `cluster`."},
	{"applies_to", "One line that says which tasks the file is for."},
	{"source", "Where all primitives of the file come from: `self`, `imported` or `inferred`."},
	{"primitive_counts", "How many primitives of each type the file holds. Types without any may be left out."},
}

// sources are the values of the frontmatter's source.
var sources = []word{
	{"self", "Written by the pack's author about their own work."},
	{"imported", "Taken over from someone else."},
	{"inferred", "Concluded from behaviour, not stated by anyone."},
}

// manifestKeys are the members of manifest.json (Part 2).
var manifestKeys = []word{
	{"name", "The pack's slug: lower-case letters, digits and hyphens, at most 64, a letter or digit first."},
	{"title", "The pack's title for people."},
	{"version", "The pack's version: `{\"number\": 1}`, or a string."},
	{"layout", "How the pack is laid out: always `semantic-cluster`."},
	{"primitive_format", "How primitives are written: `inline-tag-v0.4` for new packs. When it is left out, readers take the pack as `yaml-frontmatter-v0.3`."},
	{"created", "The day the pack was made, as YYYY-MM-DD."},
	{"sources", "The source files that the pack was distilled from."},
	{"agents_file", "The routing table: always `agents.md`."},
	{"agents", "The agents that the pack is meant for."},
	{"capability_files", "The files in memory/ that belong to the pack, by plain name."},
	{"primitive_counts", "How many primitives of each type all files together hold."},
	{"signed", "Whether the pack is signed. `amp sign` sets it."},
	{"signature", "The Ed25519 signature, base64url. `amp sign` writes it."},
}

// agents are the agents that packs can be installed for (Part 8).
var agents = []string{"claude-code", "codex", "cursor", "windsurf", "openclaw"}

func lookup(words []word, name string) (word, bool) {
	for _, w := range words {
		if w.name == name {
			return w, true
		}
	}
	return word{}, false
}

// primitiveTypes are the types of Part 3 in its order.
var primitiveTypes = []parser.Type{parser.Goal, parser.Claim, parser.Directive, parser.Demonstration}

// signatureOf writes a type's tag with its facets, as documentation shows it.
func signatureOf(t parser.Type) string {
	var b strings.Builder
	b.WriteString("[" + t.String())
	for i, spec := range t.Facets() {
		if i == 0 {
			b.WriteString(" ")
		} else {
			b.WriteString(", ")
		}
		b.WriteString(facetLabel(&spec))
	}
	b.WriteString("]")
	return b.String()
}

func facetLabel(spec *parser.FacetSpec) string {
	if spec.Key {
		return spec.Name + ": <label>"
	}
	return "<" + spec.Name + ">"
}
