package install

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"path/filepath"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/sign"
)

// Request asks for an install.
type Request struct {
	Where
	Pack   string // the pack's folder
	Scope  Scope
	Agents []string // none = detect
	Policy Policy
	Now    time.Time
	// Approve is asked last; its error refuses the install. May be nil. It is asked
	// before the first write, or, for packs above largePack, while they are staged:
	// reading them takes as long as writing them.
	Approve func(p *sign.Pack) error
}

// SiteResult tells what happened in one scope.
type SiteResult struct {
	Scope   Scope        `json:"scope"`
	PackDir string       `json:"packDir"`
	Changed bool         `json:"changed"` // false: everything was so already
	Hosts   []HostResult `json:"hosts"`
	Backup  string       `json:"backup,omitempty"` // folder with the user's changed files
	// Warnings are those of an uninstall; an install has them in its Result.
	Warnings []string `json:"warnings,omitempty"`
}

// Result tells what an install did.
type Result struct {
	Slug      string       `json:"slug"`
	Title     string       `json:"title"`
	Files     int          `json:"files"`
	Signature Signature    `json:"signature"`
	Chosen    string       `json:"chosen"` // why this agent
	Sites     []SiteResult `json:"sites"`
	Warnings  []string     `json:"warnings"`
}

// Install installs a pack. All gates are passed before anything is written, and
// after an error everything is as it was.
func Install(req Request) (*Result, error) {
	p, err := sign.Open(req.Pack)
	if err != nil {
		return nil, err
	}
	defer p.Close()
	if err := checkSize(p); err != nil {
		return nil, err
	}
	agentsMD, warnings, err := gates(p)
	if err != nil {
		return nil, err
	}
	if n := p.Tree.Member("name"); n == nil || n.Kind != jsontree.String {
		return nil, fmt.Errorf("Invalid name \"\", the manifest's name is %s, expected a string that matches ^[a-z0-9][a-z0-9-]{0,63}$", shown(p, n)) //lint:ignore ST1005 a gate message
	}
	res := &Result{Slug: p.Name(), Title: p.Title(), Files: len(p.Files) + 1, Warnings: warnings}
	if err := CheckSlug(res.Slug, req.Scope); err != nil {
		return nil, err
	}
	agents := slices.Compact(slices.Clone(req.Agents))
	res.Chosen = "named with --agent"
	if len(agents) == 0 {
		var agent string
		agent, res.Chosen = Detect(req.Dir, req.Home)
		agents = []string{agent}
	}
	sites, err := openSites(req, agents, res.Slug)
	if err != nil {
		return nil, err
	}
	defer func() {
		for _, s := range sites {
			s.close()
		}
	}()
	for _, s := range sites {
		if err := checkSource(s, req.Pack, res.Slug); err != nil {
			return nil, err
		}
	}
	if err := p.Hash(); err != nil {
		return nil, err
	}
	if err := checkSize(p); err != nil { // a file may have grown
		return nil, err
	}
	if err := sameAgents(p, agentsMD); err != nil {
		return nil, err
	}
	for _, n := range p.NameNotes() {
		if p.Signed() {
			n += "; signatures do not cover file names"
		}
		res.Warnings = append(res.Warnings, n)
	}
	if n := p.RoleNote(); n != "" {
		res.Warnings = append(res.Warnings, n)
	}
	c := &candidate{pack: p, slug: res.Slug, agents: agentsMD, files: fileRecords(p), empty: emptyFolders(p)}
	if err := run(req, c, sites, agents, res); err != nil {
		return res, err
	}
	res.Warnings = slices.Concat([]string{}, res.Warnings) // not null in JSON
	return res, nil
}

// MaxPack is how large an installed pack can be, in bytes. A sparse file that takes no
// room where it is would fill the disk that it is copied to.
const MaxPack = 1 << 30

func checkSize(p *sign.Pack) error {
	n := int64(len(p.Raw))
	largest := sign.File{}
	for _, f := range p.Files {
		n += f.Size
		if f.Size > largest.Size {
			largest = f
		}
	}
	if n > MaxPack {
		return fmt.Errorf("the pack has %d MiB, more than the %d MiB that are installed (%s alone has %d)", n>>20, MaxPack>>20, fsx.Printable(largest.Path), largest.Size>>20)
	}
	return nil
}

func fileRecords(p *sign.Pack) []FileRecord {
	sum := sha256.Sum256(p.Raw)
	out := []FileRecord{{sign.ManifestName, int64(len(p.Raw)), hex.EncodeToString(sum[:])}}
	for _, f := range p.Files {
		out = append(out, FileRecord{f.Path, f.Size, hex.EncodeToString(f.Sum[:])})
	}
	return out
}

// emptyFolders lists the folders of a pack that hold neither files nor folders.
func emptyFolders(p *sign.Pack) []string {
	full := map[string]bool{}
	for _, f := range p.Files {
		full[path.Dir(f.Path)] = true
	}
	for _, d := range p.Dirs {
		full[path.Dir(d)] = true
	}
	return slices.DeleteFunc(slices.Clone(p.Dirs), func(d string) bool { return full[d] })
}

// openSites opens the scopes that the agents need, project before user, the
// order in which locks are taken.
func openSites(req Request, agents []string, slug string) (sites []*site, err error) {
	var need []Scope
	for _, a := range agents {
		if err := CheckAgent(a); err != nil {
			return nil, err
		}
		if sc := scopeOf(a, req.Scope); !slices.Contains(need, sc) {
			need = append(need, sc)
		}
	}
	slices.Sort(need)
	for _, sc := range need {
		s, err := openSite(sc, req.Where)
		if err == nil {
			sites = append(sites, s)
			err = CheckSlug(slug, sc)
		}
		if err == nil && sc == Project && len(req.Agents) == 0 && !isProject(s.root) {
			err = fmt.Errorf("%s does not look like a project; use --agent to install here all the same, or --scope user", fsx.Printable(s.base))
		}
		if err != nil {
			for _, s := range sites {
				s.close()
			}
			return nil, err
		}
	}
	return sites, nil
}

// checkSource refuses packs that would be copied into themselves.
func checkSource(s *site, dir, slug string) error {
	src, err := filepath.EvalSymlinks(dir)
	if err == nil {
		src, err = filepath.Abs(src)
	}
	if err != nil {
		return err
	}
	amp := s.full(ampDir)
	switch {
	case within(amp, src):
		return fmt.Errorf("the folder %s, where packs are installed, lies inside the pack; run amp install somewhere else", fsx.Printable(amp))
	case within(src, s.full(packDir(slug))), within(src, s.full(txDir)):
		return fmt.Errorf("%s is the installed copy itself", fsx.Printable(src))
	}
	return nil
}

// within reports whether name is dir or lies below it.
func within(name, dir string) bool {
	for {
		// Names alone do not do: a disk may take several for one folder.
		if name == dir || sameDir(name, dir) {
			return true
		}
		up := filepath.Dir(name)
		if up == name {
			return false
		}
		name = up
	}
}

// run carries out an install whose pack passed all gates.
func run(req Request, c *candidate, sites []*site, agents []string, res *Result) (err error) {
	for _, s := range sites {
		if err := s.acquire(); err != nil {
			return err
		}
		defer s.release()
	}
	for i, s := range sites {
		old, _, err := readMeta(s.root, s.scope, c.slug)
		if err != nil {
			return s.in(err)
		}
		sig, warnings, err := judge(c.pack, old.pin(), req.Policy)
		if err != nil {
			return err
		}
		c.signature = sig
		if i == 0 {
			res.Warnings = append(warnings, res.Warnings...)
		}
	}
	res.Signature = c.signature
	var plans []*plan
	for _, s := range sites {
		var wanted []string
		for _, a := range agents {
			if scopeOf(a, req.Scope) == s.scope {
				wanted = append(wanted, a)
			}
		}
		pl, err := planInstall(s, c, wanted, req.Now)
		if err != nil {
			return err
		}
		defer pl.close()
		plans = append(plans, pl)
		res.Warnings = append(res.Warnings, pl.warnings...)
	}
	approve := req.approval(c)
	if c.size() <= largePack {
		if err := approve(); err != nil {
			return err
		}
		approve = nil
	}
	if err := carryOut(plans, c, approve); err != nil {
		return err
	}
	for _, pl := range plans {
		res.Sites = append(res.Sites, pl.result())
		res.Warnings = append(res.Warnings, pl.site.warnings...)
	}
	return nil
}

// largePack is the size in bytes from which a pack is approved while it is staged.
const largePack = 16 << 20

func (req *Request) approval(c *candidate) func() error {
	return func() error {
		if req.Approve == nil {
			return nil
		}
		return req.Approve(c.pack)
	}
}

func (c *candidate) size() (n int64) {
	for _, f := range c.files {
		n += f.Size
	}
	return n
}

func (pl *plan) result() SiteResult {
	r := SiteResult{Scope: pl.site.scope, PackDir: pl.site.full(packDir(pl.journal.Slug)), Changed: pl.changes(), Hosts: pl.hosts}
	if r.Hosts == nil {
		r.Hosts = []HostResult{}
	}
	if pl.journal.Keep != "" {
		r.Backup = pl.site.full(backupDir + "/" + pl.journal.Keep)
	}
	return r
}

// carryOut stages all plans, then commits them; when one fails, those before it
// are undone. approve, which may be nil, runs beside the staging and decides
// whether anything is committed.
func carryOut(plans []*plan, c *candidate, approve func() error) (err error) {
	var staged, done []*plan
	defer func() {
		if err == nil {
			return
		}
		for _, pl := range slices.Backward(done) {
			if uerr := pl.site.takeBack(&pl.journal); uerr != nil {
				err = errors.Join(err, uerr)
			}
		}
		for _, pl := range staged {
			if ok, herr := has(pl.site.root, txJournal); !ok && herr == nil {
				_ = pl.site.clear()
			}
		}
	}()
	var g errgroup.Group
	if approve != nil {
		g.Go(approve)
	}
	for _, pl := range plans {
		if !pl.changes() {
			continue
		}
		staged = append(staged, pl)
		if err := pl.stage(c); err != nil {
			return errors.Join(err, g.Wait())
		}
	}
	if err := g.Wait(); err != nil {
		return err
	}
	for _, pl := range staged {
		if err := pl.site.commit(&pl.journal); err != nil {
			return err
		}
		done = append(done, pl)
	}
	for _, pl := range done {
		pl.site.finish(&pl.journal)
	}
	return nil
}
