package install

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// claim is the record of the other scope that the pack's block in a rules file of both
// is its own. Installing refuses that today; older versions and the npm CLI let the
// second install take over the block of the first.
type claim struct {
	scope Scope
	block string // what the other scope has there, "" when that cannot be known
}

// claimed returns the claim of the other scope on a rules file of this one, or nil.
func (s *site) claimed(file, slug string) *claim {
	if s.scope == Project {
		h, shared := s.userPlace(file, slug)
		if !shared {
			return nil
		}
		return claimIn(s.home, User, slug, func(f string) bool { return f == h.file })
	}
	// A project that is the agent's own folder, ~/.claude for one.
	if parent(file) == "." {
		return nil
	}
	return claimIn(s.full(parent(file)), Project, slug, func(f string) bool { return strings.EqualFold(f, path.Base(file)) })
}

// claimIn looks for the claim in the records of a scope. What cannot be read claims
// nothing.
func claimIn(base string, scope Scope, slug string, isFile func(string) bool) *claim {
	root, err := os.OpenRoot(base)
	if err != nil || CheckSlug(slug, scope) != nil {
		return nil
	}
	defer root.Close()
	meta, _, err := readMeta(root, scope, slug)
	if err != nil || !slices.ContainsFunc(meta.hosts(scope), func(r HostRecord) bool { return isFile(r.File) }) {
		return nil
	}
	c := &claim{scope: scope}
	if dir, err := fsx.OpenDir(root, packDir(slug)); err == nil {
		defer dir.Close()
		if text, err := fsx.ReadFile(dir, "agents.md", maxAgentsMD); err == nil && !HasMarker(string(text)) {
			c.block = (&candidate{slug: slug, agents: string(text)}).block(scope)
		}
	}
	return c
}

// handOver plans to leave the block in a place to the other scope, and to make it say
// what is installed there.
func (pl *plan) handOver(t hostTask, c *claim) error {
	text, ok, r, creator, err := pl.look(&t)
	if err != nil || !ok || r == nil {
		return err
	}
	file := pl.site.full(t.host.file)
	pl.warn("%s: the pack is installed in scope %s, too, and has its block there, which stays", fsx.Printable(file), c.scope)
	res := HostResult{Agent: t.host.agent, File: file, Action: "unchanged"}
	if t.block = c.block; t.block != "" {
		if after, _ := putBlock(text, t.block, r); after != text {
			op := blockOp{File: t.host.file, Before: []byte(text), After: []byte(after), Creator: creator, OldBlock: []byte(text[r.start:r.end]), NewBlock: []byte(t.block), Separator: t.separatorOf(text, r)}
			pl.keepBlock(&t, op.OldBlock)
			if err := pl.change(op); err != nil {
				return err
			}
			res.Action = "updated"
		}
	}
	pl.hosts = append(pl.hosts, res)
	return nil
}

// userPlace finds the place of user scope that a rules file of a project is at the
// same time.
func (s *site) userPlace(file, slug string) (host, bool) {
	if s.home == "" {
		return host{}, false
	}
	name := s.full(file)
	for _, h := range allPlaces(User, slug) {
		other := filepath.Join(s.home, filepath.FromSlash(h.file))
		if strings.EqualFold(filepath.Base(name), filepath.Base(other)) && sameDir(filepath.Dir(name), filepath.Dir(other)) {
			return h, true
		}
	}
	return host{}, false
}
