package testpack

import "strings"

// Example is a pack that is clean but for a rule's example, which stands for the
// manifest, the routing table, a whole capability file or a body, as the rules'
// own tests take it.
func Example(example string) map[string]string {
	const head = "---\ntype: cluster\napplies_to: examples\nsource: self\n---\n\n"
	files := map[string]string{
		"manifest.json": `{
  "name": "night-radio", "title": "Night radio desk", "version": { "number": 1 }, "layout": "semantic-cluster",
  "primitive_format": "inline-tag-v0.4", "agents_file": "agents.md", "agents": ["claude-code"],
  "capability_files": ["operating-principles.md"]
}
`,
		"agents.md":                      "# AMP Routing — small-press\n\n## Always load\n- operating-principles.md — first things first\n",
		"memory/operating-principles.md": head + "[claim] The press is a hand press.\n",
	}
	switch {
	case strings.HasPrefix(example, "{"):
		files["manifest.json"] = example
	case strings.HasPrefix(example, "# AMP"):
		files["agents.md"] = example
	case strings.HasPrefix(example, "---"):
		files["memory/operating-principles.md"] = example
	default:
		files["memory/operating-principles.md"] = head + example + "\n"
	}
	return files
}
