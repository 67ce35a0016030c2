package install

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/jsontree"
	"github.com/amp-toolchain/amp/sign"
)

// HostResult tells what happened to one rules file.
type HostResult struct {
	Agent  string `json:"agent"`
	File   string `json:"file"`   // absolute
	Action string `json:"action"` // created, added, updated, unchanged, removed
}

// plan is a change of one site, worked out but not yet made.
type plan struct {
	site     *site
	journal  journal
	hosts    []HostResult
	keep     []Change // files of the installed folder to back up
	oldDir   *os.Root // the installed folder, or nil
	blocks   map[string][]byte
	warnings []string
	now      time.Time
}

func (pl *plan) warn(format string, args ...any) {
	pl.warnings = append(pl.warnings, fmt.Sprintf(format, args...))
}

func (pl *plan) close() {
	if pl.oldDir != nil {
		pl.oldDir.Close()
	}
}

// changes reports whether carrying the plan out changes anything.
func (pl *plan) changes() bool {
	j := &pl.journal
	return j.Swap || len(j.Blocks) > 0 || !bytes.Equal(j.OldMeta, j.NewMeta)
}

// backupName names the folder for changed files below backupDir.
func backupName(slug string, now time.Time) string {
	return slug + "-" + now.UTC().Format("20060102T150405.000")
}

// validBackup reports whether name could come from backupName.
func validBackup(slug, name string) bool {
	t, ok := strings.CutPrefix(name, slug+"-")
	if !ok {
		return false
	}
	_, err := time.Parse("20060102T150405.000", t)
	return err == nil
}

// newPlan reads the present state of a pack in a site.
func newPlan(s *site, slug string, now time.Time) (*plan, *Meta, error) {
	meta, raw, err := readMeta(s.root, s.scope, slug)
	if err != nil {
		return nil, nil, err
	}
	dir, err := s.openPack(slug)
	if err != nil {
		return nil, nil, err
	}
	pl := &plan{site: s, oldDir: dir, now: now, blocks: map[string][]byte{}}
	pl.journal = journal{Version: 1, Slug: slug, Scope: s.scope, HadPack: dir != nil, OldMeta: raw}
	return pl, meta, nil
}

// candidate is content that is to be installed.
type candidate struct {
	pack      *sign.Pack
	slug      string
	agents    string // text of agents.md
	files     []FileRecord
	empty     []string // folders without anything in them
	signature Signature
}

func (c *candidate) block(scope Scope) string {
	files := packDir(c.slug) + "/memory/"
	if scope == User {
		files = "~/" + files
	}
	return renderBlock(localCreator, c.slug, c.agents, files)
}

// planInstall works out how to bring c into a site for the wanted agents, and to
// refresh it where the pack is already.
func planInstall(s *site, c *candidate, wanted []string, now time.Time) (*plan, error) {
	pl, old, err := newPlan(s, c.slug, now)
	if err != nil {
		return nil, s.in(err)
	}
	if err := pl.install(c, old, wanted); err != nil {
		pl.close()
		return nil, s.in(err)
	}
	return pl, nil
}

func (pl *plan) install(c *candidate, old *Meta, wanted []string) error {
	j := &pl.journal
	if err := pl.planFolder(c, old); err != nil {
		return err
	}
	others, err := otherRecords(pl.site, c.slug)
	if err != nil {
		return err
	}
	rec := &Record{Format: 1, Title: c.pack.Title(), Hosts: []HostRecord{}, Dirs: []string{}, Files: c.files, Empty: c.empty, Signature: c.signature}
	if old != nil && old.Amp != nil {
		rec.Dirs = append(rec.Dirs, old.Amp.Dirs...)
	}
	recorded := map[string]HostRecord{}
	for _, r := range old.hosts(pl.site.scope) {
		recorded[r.File] = r
	}
	for _, h := range allPlaces(pl.site.scope, c.slug) {
		want := slices.Contains(wanted, h.agent)
		r, known := recorded[h.file]
		if !want && !known {
			continue
		}
		t := hostTask{host: h, block: c.block(pl.site.scope), creators: old.creators(), recorded: r, known: known && old.Amp != nil}
		place, err := target(pl.site.root, h.agent, pl.site.scope, c.slug)
		if err != nil {
			return err
		}
		if want && place.file != h.file {
			if err := pl.removeBlock(t); err != nil { // the agent reads another file now
				return err
			}
			continue
		}
		if agent, shared := pl.site.ofUser(h.file, c.slug); want && shared {
			return fmt.Errorf("%s is the rules file of %s in scope user, where a pack of this project would get in the way of yours; use --scope user --agent %s", fsx.Printable(pl.site.full(h.file)), agent, agent)
		}
		if c := pl.site.claimed(h.file, c.slug); c != nil && pl.site.scope == Project {
			pl.warn("%s is the rules file of scope user, where the pack is installed, too; its block there is left alone", fsx.Printable(pl.site.full(h.file)))
			continue
		}
		t.optional = !want
		t.created = known && r.Created || others.created(h.file)
		got, err := pl.setBlock(t)
		if err != nil {
			return err
		}
		if got == nil {
			continue
		}
		rec.Hosts = append(rec.Hosts, *got)
		for _, d := range dirsOf(h.file) {
			there, err := has(pl.site.root, d)
			if err != nil {
				return err
			}
			if !there && !slices.Contains(j.Dirs, d) {
				j.Dirs = append(j.Dirs, d)
			}
			if (!there || others.made(d)) && !slices.Contains(rec.Dirs, d) {
				rec.Dirs = append(rec.Dirs, d)
			}
		}
	}
	first := ""
	if len(rec.Hosts) > 0 {
		first = rec.Hosts[0].Agent
	}
	// The npm CLI looks for one agent only; give it one that was asked for.
	for _, r := range rec.Hosts {
		if slices.Contains(wanted, r.Agent) {
			first = r.Agent
			break
		}
	}
	if v := packVersion(c.pack); old != nil && v < old.Version {
		pl.warn("version %d replaces the newer version %d", v, old.Version)
	}
	sum := sha256.Sum256(c.pack.Raw)
	meta := &Meta{
		Slug: c.slug, Creator: localCreator, Version: packVersion(c.pack), SHA256: hex.EncodeToString(sum[:]),
		InstalledAt: pl.now.UTC().Format("2006-01-02T15:04:05.000Z"), InstallScope: pl.site.scope,
		PackDir: packDir(c.slug), Agent: first, Amp: rec,
	}
	if pl.site.scope == User {
		meta.PackDir = pl.site.full(packDir(c.slug))
	}
	if old != nil && !j.Swap && len(j.Blocks) == 0 {
		same := *meta
		same.InstalledAt = old.InstalledAt
		if bytes.Equal(same.encode(), j.OldMeta) {
			meta = &same // nothing changed, not even the time
		}
	}
	j.NewMeta = meta.encode()
	if len(j.NewMeta) > maxMeta {
		return fmt.Errorf("the pack's file names take %d bytes of metadata, more than %d", len(j.NewMeta), maxMeta)
	}
	return nil
}

// planFolder decides whether the pack's folder must be replaced and what in it
// the user would miss.
func (pl *plan) planFolder(c *candidate, old *Meta) error {
	j := &pl.journal
	if pl.oldDir == nil {
		j.Swap, j.Pack = true, true
		return nil
	}
	now, err := scan(pl.oldDir)
	if err != nil {
		return err
	}
	if len(now.diff(c.files, c.empty)) == 0 {
		return nil
	}
	j.Swap, j.Pack = true, true
	pl.keepChanges(now, old, c.files, c.empty)
	return nil
}

// keepChanges marks for backup what was changed or added in the installed folder
// since it was installed. Where there is no record of the files, as after the npm
// CLI, they may all be the user's: everything is kept that is not coming back, but
// for a manifest that the metadata shows to be the installed one.
func (pl *plan) keepChanges(now *tree, old *Meta, coming []FileRecord, empty []string) {
	recorded := old != nil && old.Amp != nil
	was := coming
	switch {
	case recorded:
		was, empty = old.Amp.Files, old.Amp.Empty
	case old != nil && now.sums[sign.ManifestName] == old.SHA256:
		delete(now.sums, sign.ManifestName)
	}
	for _, ch := range now.diff(was, empty) {
		if ch.Kind == "changed" || ch.Kind == "added" || ch.Kind == "special" {
			pl.keep = append(pl.keep, ch)
		}
	}
	if len(pl.keep) > 0 {
		if !recorded {
			pl.warn("nothing records which files in %s are yours and which the pack's, so all were kept that are not coming back", fsx.Printable(pl.site.full(packDir(pl.journal.Slug))))
		}
		pl.journal.Keep = backupName(pl.journal.Slug, pl.now)
	}
}

// packVersion reads version as {"number": n}, n or "n" (R-p); 1 when it is none.
func packVersion(p *sign.Pack) int64 {
	n := p.Tree.Member("version")
	if n != nil && n.Kind == jsontree.Object {
		n = n.Member("number")
	}
	if n == nil || n.Kind != jsontree.Number && n.Kind != jsontree.String {
		return 1
	}
	var v int64
	if _, err := fmt.Sscanf(n.Text, "%d", &v); err != nil || fmt.Sprint(v) != n.Text {
		return 1
	}
	return v
}

// hostTask is the wish to have or not to have a block in one place.
type hostTask struct {
	host     host
	block    string
	creators []string
	recorded HostRecord
	known    bool // recorded is ours
	optional bool // only where the block is already
	created  bool // the file is known to be made by amp
}

// look reads a place and finds the block in it.
func (pl *plan) look(t *hostTask) (text string, ok bool, r *region, creator string, err error) {
	text, ok, err = pl.site.readRules(t.host.file)
	if err != nil || !ok {
		return text, ok, nil, localCreator, err
	}
	creator = localCreator
	for _, c := range t.creators {
		found, err := findBlock(pl.site.full(t.host.file), text, c, pl.journal.Slug)
		if err != nil {
			return text, ok, nil, c, err
		}
		switch {
		case found != nil && r != nil:
			return text, ok, nil, c, &BlockError{pl.site.full(t.host.file), lineAt(text, found.start), "second block of the pack " + pl.journal.Slug + ", remove one of the two"}
		case found != nil:
			r, creator = found, c
		}
	}
	return text, ok, r, creator, nil
}

// separatorOf returns what was added before the block: as recorded, or as the
// npm CLI does it, a blank line after text that it left without its own end.
func (t *hostTask) separatorOf(text string, r *region) string {
	if t.known {
		return t.recorded.Separator
	}
	if strings.HasSuffix(text[:r.start], "\n\n") {
		return "\n"
	}
	return ""
}

// setBlock plans to put the block into a place. It returns the record to keep, or
// nil when the task was optional and there is no block.
func (pl *plan) setBlock(t hostTask) (*HostRecord, error) {
	text, ok, r, creator, err := pl.look(&t)
	if err != nil {
		return nil, err
	}
	if t.optional && r == nil {
		pl.warn("the block in %s is gone, it is not put back without --agent %s", fsx.Printable(pl.site.full(t.host.file)), t.host.agent)
		return nil, nil
	}
	op := blockOp{File: t.host.file, Creator: creator, NewBlock: []byte(t.block)}
	rec := &HostRecord{Agent: t.host.agent, File: t.host.file, Created: t.created || !ok, Block: blockSum(t.block)}
	res := HostResult{Agent: t.host.agent, File: pl.site.full(t.host.file)}
	var after string
	switch {
	case !ok:
		after = t.host.header + t.block + "\n"
		res.Action = "created"
	case r == nil:
		after, rec.Separator = putBlock(text, t.block, nil)
		res.Action = "added"
	default:
		op.OldBlock = []byte(text[r.start:r.end])
		rec.Separator = t.separatorOf(text, r)
		after, _ = putBlock(text, t.block, r)
		res.Action = "updated"
		pl.keepBlock(&t, op.OldBlock)
	}
	op.Separator = rec.Separator
	if ok {
		op.Before = []byte(text)
	}
	op.After = []byte(after)
	if len(after) > maxRules { // it could not be read again to take the block out
		return nil, &BlockError{File: res.File, Msg: fmt.Sprintf("with the block the file would be larger than %d bytes", maxRules)}
	}
	if dir := parent(t.host.file); t.host.agent == "codex" && exists(pl.site.root, path.Join(dir, "AGENTS.override.md")) {
		pl.warn("codex reads AGENTS.override.md instead of %s", fsx.Printable(res.File))
	}
	if t.host.agent == "cursor" && pl.site.scope == User {
		pl.warn("cursor keeps user rules in its settings, not every version reads %s", fsx.Printable(res.File))
	}
	if t.host.limit > 0 && len(after) > t.host.limit {
		pl.warn("%s has %d bytes, %s reads only about %d", fsx.Printable(res.File), len(after), t.host.agent, t.host.limit)
	}
	if ok && after == text {
		res.Action = "unchanged"
	} else {
		if err := pl.change(op); err != nil {
			return nil, err
		}
	}
	pl.hosts = append(pl.hosts, res)
	return rec, nil
}

// removeBlock plans to take the block out of a place, if it is there, and to
// remove the file when nothing is left of what amp did not put there.
func (pl *plan) removeBlock(t hostTask) error {
	text, ok, r, creator, err := pl.look(&t)
	if err != nil || !ok || r == nil {
		return err
	}
	op := blockOp{File: t.host.file, Before: []byte(text), Creator: creator, OldBlock: []byte(text[r.start:r.end]), Separator: t.separatorOf(text, r)}
	pl.keepBlock(&t, op.OldBlock)
	rest := cutBlock(text, r, op.Separator)
	// A file named after the pack is the pack's, whoever made it.
	ours := t.known && t.recorded.Created || strings.Contains(t.host.file, "amp-"+pl.journal.Slug+".")
	if ours && (rest == "" || rest == t.host.header && t.host.header != "") {
		op.After = nil
	} else {
		op.After = append([]byte{}, rest...)
	}
	if err := pl.change(op); err != nil {
		return err
	}
	pl.hosts = append(pl.hosts, HostResult{Agent: t.host.agent, File: pl.site.full(t.host.file), Action: "removed"})
	return nil
}

// change plans an operation on a rules file, and tells that the file has other names.
func (pl *plan) change(op blockOp) error {
	if err := pl.site.checkRules(&op); err != nil {
		return err
	}
	if fsx.Names(pl.site.root, op.File) > 1 {
		pl.warn("%s: %s", fsx.Printable(pl.site.full(op.File)), fsx.LinkedNote)
	}
	pl.journal.Blocks = append(pl.journal.Blocks, op)
	return nil
}

// keepBlock marks a block for backup that was edited since it was written, or that
// is to be overwritten and that nothing shows to come from a pack.
func (pl *plan) keepBlock(t *hostTask, now []byte) {
	sum := blockSum(string(now))
	switch {
	case t.block != "" && sum == blockSum(t.block):
		return
	case t.known && t.recorded.Block != "":
		if sum == t.recorded.Block {
			return
		}
	case inlined(string(now)) == "" || t.block != "" && inlined(string(now)) == inlined(t.block) || pl.fromFolder(string(now)):
		return
	}
	if c := pl.site.claimed(t.host.file, pl.journal.Slug); c != nil && c.block != "" && sum == blockSum(c.block) {
		return // that of the other scope
	}
	pl.blocks["block-"+strings.ReplaceAll(strings.TrimPrefix(t.host.file, "."), "/", "-")] = now
	pl.journal.Keep = backupName(pl.journal.Slug, pl.now)
}

// inlined returns what a block holds of agents.md, without white space around it,
// which tools treat differently.
func inlined(block string) string {
	block = strings.ReplaceAll(strings.ReplaceAll(block, "\r\n", "\n"), "\r", "\n")
	_, block, _ = strings.Cut(block, "\n")
	block = block[:max(strings.LastIndex(block, "<!-- amp:end "), 0)]
	if i := strings.LastIndex(block, "\n> Pack files: "); i >= 0 && !strings.Contains(strings.TrimSpace(block[i:]), "\n") {
		block = block[:i]
	}
	return strings.TrimSpace(block)
}

// fromFolder reports whether a block holds the agents.md of the installed folder.
func (pl *plan) fromFolder(block string) bool {
	if pl.oldDir == nil {
		return false
	}
	text, err := fsx.ReadFile(pl.oldDir, "agents.md", maxAgentsMD)
	agents := strings.ReplaceAll(strings.ReplaceAll(strings.TrimPrefix(string(text), bom), "\r\n", "\n"), "\r", "\n")
	return err == nil && strings.TrimSpace(agents) == inlined(block)
}

// blockSum is the SHA-256 of a block, independent of the file's line ends.
func blockSum(block string) string {
	block = strings.ReplaceAll(block, "\r\n", "\n")
	sum := sha256.Sum256([]byte(strings.ReplaceAll(block, "\r", "\n")))
	return hex.EncodeToString(sum[:])
}

// records is what the other packs of a site know to be made by amp.
type records []*Record

func otherRecords(s *site, slug string) (records, error) {
	slugs, err := listSlugs(s.root, s.scope)
	if err != nil {
		return nil, err
	}
	var out records
	for _, other := range slugs {
		if other == slug {
			continue
		}
		// A damaged file of another pack is that pack's problem.
		if m, _, err := readMeta(s.root, s.scope, other); err == nil && m != nil && m.Amp != nil {
			out = append(out, m.Amp)
		}
	}
	return out, nil
}

func (rs records) created(file string) bool {
	return slices.ContainsFunc(rs, func(r *Record) bool {
		return slices.ContainsFunc(r.Hosts, func(h HostRecord) bool { return h.File == file && h.Created })
	})
}

func (rs records) made(dir string) bool {
	return slices.ContainsFunc(rs, func(r *Record) bool { return slices.Contains(r.Dirs, dir) })
}
