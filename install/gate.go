package install

import (
	"crypto/sha256"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/sign"
)

// sameAgents makes sure that the agents.md that was read for the block is the one
// that was hashed for the signature.
func sameAgents(p *sign.Pack, text string) error {
	for _, f := range p.Files {
		if f.Path == "agents.md" && f.Sum != sha256.Sum256([]byte(text)) && f.Sum != sha256.Sum256([]byte(bom+text)) {
			return fmt.Errorf("agents.md changed while it was installed")
		}
	}
	return nil
}

// gates checks the installer's conditions in the order of Part 7, with its words,
// and returns the text of agents.md. Gates 1 and 2 are those of sign.Open. File
// names are compared with the listing, so exactly, on any disk.
func gates(p *sign.Pack) (agents string, warnings []string, err error) {
	if l := p.Tree.Member("layout"); l == nil || l.Kind != jsontree.String || l.Text != "semantic-cluster" {
		return "", nil, fmt.Errorf("Pack layout is '%s', expected 'semantic-cluster'", shown(p, l)) //lint:ignore ST1005 gate 3
	}
	have := make(map[string]bool, len(p.Files))
	for _, f := range p.Files {
		have[f.Path] = true
	}
	if !have["agents.md"] {
		return "", nil, fmt.Errorf("Missing agents.md, without it no agent knows which files to load") //lint:ignore ST1005 gate 4
	}
	if err := capabilityGate(p, have); err != nil {
		return "", nil, err
	}
	if warnings, err = agentsFileGate(p); err != nil {
		return "", nil, err
	}
	agents, err = agentsText(p)
	return agents, warnings, err
}

// shown renders a manifest value for a gate message.
func shown(p *sign.Pack, n *jsontree.Node) string {
	switch {
	case n == nil:
		return "undefined"
	case n.Kind == jsontree.String:
		return clip(n.Text)
	case n.End-n.Start > 60:
		return n.Kind.String()
	}
	return fsx.Printable(string(p.Raw[n.Start:n.End]))
}

// clip shows a manifest value of any length in a message.
func clip(s string) string {
	if len(s) > 100 {
		return fsx.Printable(strings.ToValidUTF8(s[:100], "")) + "…"
	}
	return fsx.Printable(s)
}

func capabilityGate(p *sign.Pack, have map[string]bool) error {
	caps := p.Tree.Member("capability_files")
	if caps == nil || caps.Kind == jsontree.Null {
		return nil
	}
	if caps.Kind != jsontree.Array {
		return fmt.Errorf("capability_files is %s, expected a list of file names", article(caps.Kind))
	}
	for _, e := range caps.Elems {
		if e.Kind != jsontree.String {
			return fmt.Errorf("capability_files holds %s, expected file names", article(e.Kind))
		}
		name := e.Text
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00") {
			return fmt.Errorf("capability_files holds %s, expected plain file names inside memory/", strconv.Quote(name[:min(len(name), 200)]))
		}
		if !have["memory/"+name] {
			return fmt.Errorf("Missing capability file: memory/%s", clip(name)) //lint:ignore ST1005 gate 5
		}
	}
	return nil
}

func article(k jsontree.Kind) string {
	switch k {
	case jsontree.Array, jsontree.Object:
		return "an " + k.String()
	case jsontree.Null:
		return "null"
	}
	return "a " + k.String()
}

// agentsFileGate settles R-u: the routing file is agents.md. Another plain name
// is only reported, because readers never looked at this member; a path is not.
func agentsFileGate(p *sign.Pack) ([]string, error) {
	n := p.Tree.Member("agents_file")
	if n == nil || n.Kind == jsontree.String && n.Text == "agents.md" {
		return nil, nil
	}
	if n.Kind == jsontree.String && strings.ContainsAny(n.Text, "/\\\x00") {
		return nil, fmt.Errorf("agents_file is %s, it must be \"agents.md\"", strconv.Quote(n.Text[:min(len(n.Text), 200)]))
	}
	return []string{fmt.Sprintf("agents_file is '%s', agents.md is used", shown(p, n))}, nil
}

// agentsText reads agents.md for inlining.
func agentsText(p *sign.Pack) (string, error) {
	data, err := fsx.ReadFile(p.Root, "agents.md", maxAgentsMD)
	if err != nil {
		return "", err
	}
	text := strings.TrimPrefix(string(data), bom)
	switch {
	case !utf8.ValidString(text):
		return "", fmt.Errorf("agents.md is not UTF-8, it cannot go into a rules file")
	case strings.ContainsRune(text, 0):
		return "", fmt.Errorf("agents.md holds a NUL byte, it cannot go into a rules file")
	case HasMarker(text):
		return "", fmt.Errorf("agents.md holds an amp:begin or amp:end marker, it would break the managed block")
	}
	return text, nil
}
