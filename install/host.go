package install

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"strings"
)

// Agents lists the supported agents in the order in which Part 8 detects them.
var Agents = []string{"claude-code", "codex", "cursor", "windsurf", "openclaw"}

// host is one rules file that an agent reads.
type host struct {
	agent string
	file  string // relative to the site's base, with /
	// header starts a file that belongs to the pack alone; "" for files that the
	// user shares.
	header string
	// old marks places that only the npm CLI writes today.
	old bool
	// limit is the size from which the agent ignores the rest, in bytes; 0 = none.
	limit int
}

// Front matter that makes a rule apply always. Cursor: cursor.com/docs/rules;
// without it an .mdc rule waits to be mentioned. Windsurf:
// docs.windsurf.com/windsurf/cascade/memories.
const (
	cursorHeader   = "---\ndescription: AMP memory pack %s\nglobs:\nalwaysApply: true\n---\n"
	windsurfHeader = "---\ntrigger: always_on\n---\n"
)

// places lists the files in which a pack's block for an agent may be, the
// preferred one first. It is the only source of host paths.
func places(agent string, scope Scope, slug string) []host {
	user := scope == User
	cursor := fmt.Sprintf(cursorHeader, slug)
	switch agent {
	case "claude-code":
		if user {
			return []host{{agent: agent, file: ".claude/CLAUDE.md"}}
		}
		return []host{{agent: agent, file: "CLAUDE.md"}}
	case "codex": // developers.openai.com/codex/guides/agents-md
		if user {
			return []host{{agent: agent, file: ".codex/AGENTS.md", limit: 32 << 10}, {agent: agent, file: ".agents.md", old: true}}
		}
		return []host{{agent: agent, file: "AGENTS.md", limit: 32 << 10}}
	case "cursor":
		return []host{
			{agent: agent, file: ".cursor/rules/amp-" + slug + ".mdc", header: cursor},
			{agent: agent, file: ".cursor/rules/amp-" + slug + ".md", old: true},
		}
	case "windsurf":
		if user {
			return []host{{agent: agent, file: ".codeium/windsurf/memories/global_rules.md", limit: 6000}, {agent: agent, file: ".windsurfrules", old: true}}
		}
		return []host{
			{agent: agent, file: ".windsurf/rules/amp-" + slug + ".md", header: windsurfHeader, limit: 12000},
			{agent: agent, file: ".windsurfrules"},
		}
	case "openclaw":
		if user {
			return []host{{agent: agent, file: ".openclaw/workspace/AGENTS.md"}}
		}
	}
	return nil
}

// allPlaces lists every file that may hold a block of the pack in a scope.
func allPlaces(scope Scope, slug string) []host {
	var out []host
	for _, a := range Agents {
		out = append(out, places(a, scope, slug)...)
	}
	return out
}

// placeOf finds the place with the given file name, so that recorded names are
// only ever used as keys into the fixed list.
func placeOf(scope Scope, slug, file string) (host, bool) {
	for _, h := range allPlaces(scope, slug) {
		if h.file == file {
			return h, true
		}
	}
	return host{}, false
}

// target picks the place to write for an agent. Windsurf reads both its rules
// folder and the older .windsurfrules of Part 7; a project that uses only the
// latter keeps using it.
func target(root *os.Root, agent string, scope Scope, slug string) (host, error) {
	all := places(agent, scope, slug)
	if agent != "windsurf" || scope != Project {
		return all[0], nil
	}
	file, err := has(root, ".windsurfrules")
	if err != nil {
		return host{}, err
	}
	folder, err := has(root, ".windsurf")
	if file && !folder {
		return all[1], err
	}
	return all[0], err
}

// has reports whether something is at name. An error means that it cannot be known:
// who takes that for "no" removes what is there.
func has(root *os.Root, name string) (bool, error) {
	_, err := root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil, err
}

// exists is has for what depends little on the answer.
func exists(root *os.Root, name string) bool {
	_, err := root.Lstat(name)
	return err == nil
}

// dirsOf lists the folders above a file, outermost first, of a name that may come
// from a stranger's metadata.
func dirsOf(file string) []string {
	var out []string
	for d := path.Dir(file); d != "." && d != "/"; d = path.Dir(d) {
		out = append([]string{d}, out...)
	}
	return out
}

// scopeOf returns where an agent can be installed when scope was asked for:
// OpenClaw has a workspace in the home folder only (Part 7).
func scopeOf(agent string, scope Scope) Scope {
	if agent == "openclaw" {
		return User
	}
	return scope
}

// CheckAgent refuses unknown agents.
func CheckAgent(agent string) error {
	for _, a := range Agents {
		if a == agent {
			return nil
		}
	}
	return fmt.Errorf("unknown agent %q, expected one of %s", agent, strings.Join(Agents, ", "))
}

// Detect chooses an agent from the marks in the project folder and then in the
// home folder (Part 8: first match wins) and says why. home may be "".
func Detect(cwd, home string) (agent, why string) {
	marks := []struct{ name, agent string }{
		{"CLAUDE.md", "claude-code"},
		{"AGENTS.md", "codex"},
		{".cursor", "cursor"},
		{".cursorrules", "cursor"},
		{".windsurfrules", "windsurf"},
		{".windsurf", "windsurf"},
	}
	dir := os.DirFS(cwd)
	for _, m := range marks {
		if _, err := fs.Stat(dir, m.name); err == nil {
			return m.agent, "the project has " + m.name
		}
	}
	if home != "" {
		if fi, err := os.Stat(path.Join(home, ".openclaw")); err == nil && fi.IsDir() {
			return "openclaw", "~/.openclaw exists"
		}
	}
	return "claude-code", "nothing in the project names an agent, this is the default"
}

// projectMarks tell that a folder is somebody's project.
var projectMarks = []string{
	"package.json", "pyproject.toml", "Cargo.toml", "go.mod", ".git", ".hg", ".svn",
	"CLAUDE.md", "AGENTS.md", ".cursor", ".cursorrules", ".windsurf", ".windsurfrules", ".amp",
}

func isProject(root *os.Root) bool {
	for _, m := range projectMarks {
		if exists(root, m) {
			return true
		}
	}
	return false
}
