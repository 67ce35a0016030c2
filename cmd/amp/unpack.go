package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/install"
	"github.com/amp-toolchain/amp/internal/diskfs"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/sign"
	"github.com/amp-toolchain/amp/unpack"
)

// exitUnconfirmed: the plan was shown, nobody said yes, nothing was written.
const exitUnconfirmed = 3

const defaultWiki = "knowledge-base/wiki"

type unpackFlags struct {
	wiki, scope          string
	links                []string
	yes, dryRun, json    bool
	noLinks, prune       bool
	remove, forceChanged bool
}

func newUnpackCmd() *cobra.Command {
	var f unpackFlags
	cmd := &cobra.Command{
		Use:   "unpack NAME|FOLDER",
		Short: "File what a pack knows into a wiki",
		Long: `File what an installed pack knows into a wiki: a page per capability file in
packs/NAME/, a line in index.md, and wikilinks from pages about the same thing.
An argument with a path separator, or ".", is a pack's folder.

The plan is shown first. On a terminal amp asks; elsewhere --yes writes it. It can
be run again after an update and then replaces only what the update changed; a run
without changes writes nothing. --remove takes the pack out again, named or by its folder.

A pack that was changed since it was installed is refused, and so is one with an
error of the security rules. A file with a credential is left out.

Exit codes: 0 done, or nothing to do; 1 refused, or a page could not be handled
(the others were); 2 usage; 3 the plan was shown and not confirmed.`,
		Args: oneArg("pack name or folder"),
		RunE: func(cmd *cobra.Command, args []string) error { return runUnpack(cmd, &f, args[0]) },
	}
	fl := cmd.Flags()
	fl.StringVar(&f.wiki, "wiki", defaultWiki, "the wiki's `folder`")
	fl.StringArrayVar(&f.links, "link", nil, "link from a page of the wiki to a file of the pack, `PAGE=FILE`, may be repeated")
	fl.BoolVar(&f.noLinks, "no-links", false, "add no links but those given with --link")
	fl.BoolVar(&f.prune, "prune", false, "remove the pages of files that the pack no longer has")
	fl.BoolVar(&f.remove, "remove", false, "take the pack out of the wiki again")
	fl.BoolVar(&f.forceChanged, "force-changed", false, "file a pack although it was changed since it was installed")
	fl.BoolVar(&f.yes, "yes", false, "write without asking")
	fl.BoolVar(&f.dryRun, "dry-run", false, "show the plan and write nothing")
	fl.BoolVar(&f.json, "json", false, "print JSON")
	scopeFlag(cmd, &f.scope)
	cmd.ValidArgsFunction = completeSlugs(&f.scope)
	if err := cmd.MarkFlagDirname("wiki"); err != nil {
		panic(err)
	}
	return cmd
}

func runUnpack(cmd *cobra.Command, f *unpackFlags, arg string) error {
	links, err := parseLinks(f.links)
	if err != nil {
		return err
	}
	scope, err := parseScope(f.scope)
	if err != nil {
		return err
	}
	wk, err := openWiki(f.wiki)
	if err != nil {
		return fmt.Errorf("--wiki %s: %w", fsx.Printable(f.wiki), err)
	}
	defer wk.close()
	var plan *unpack.Plan
	var asked []string
	if f.remove {
		slug, err := slugToRemove(arg, scope)
		if err != nil {
			return err
		}
		if plan, err = unpack.Removal(wk.root, slug); err != nil {
			return fsx.In(wk.shown, err)
		}
	} else {
		req, notes, err := f.request(arg, scope)
		if err != nil {
			return err
		}
		learnPack(cmd, req.Pack)
		req.Links, asked = links, notes
		if plan, err = unpack.New(wk.root, req); err != nil {
			return fsx.In(wk.shown, err)
		}
	}
	plan.Notes = append(plan.Notes, asked...)
	return f.carryOut(cmd, wk, plan)
}

// slugToRemove is the name of a pack, given as such or as its folder.
func slugToRemove(arg string, scope install.Scope) (string, error) {
	if !isFolderArg(arg) {
		slug, err := install.SlugArg(arg, scope)
		if err != nil {
			return "", usagef("%v", err)
		}
		return slug, nil
	}
	p, err := sign.Open(arg)
	if err != nil {
		return "", fmt.Errorf("%w; a pack whose folder is gone is removed by its name", err)
	}
	defer p.Close()
	if err := install.CheckSlug(p.Name(), install.Project); err != nil {
		return "", fmt.Errorf("%s: %w", fsx.Printable(filepath.Join(arg, pack.ManifestName)), err)
	}
	return p.Name(), nil
}

// carryOut shows the plan, asks where that is possible, and writes.
func (f *unpackFlags) carryOut(cmd *cobra.Command, wk *wikiDir, plan *unpack.Plan) error {
	out := cmd.OutOrStdout()
	if !f.json {
		printPlan(out, wk, plan)
	}
	for _, l := range plan.Links {
		if l.Action == unpack.Skipped && l.Why == unpack.Asked {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: --link %s=%s makes no link: %s\n", fsx.Printable(l.Page), fsx.Printable(l.File), oneLine(l.Note))
		}
	}
	applied, code := false, 0
	var err error
	switch {
	case !plan.Changes():
	case f.dryRun:
	case f.yes || !f.json && confirm(cmd):
		var warnings []string
		warnings, err = wk.apply(plan)
		applied = err == nil
		for _, w := range warnings {
			fmt.Fprintf(cmd.ErrOrStderr(), "warning: %s\n", oneLine(w))
		}
	default:
		code = exitUnconfirmed
	}
	if code == 0 && plan.Failures() > 0 {
		code = exitFailed
	}
	if f.json {
		text := ""
		if err != nil {
			text = errorText(err)
		}
		if jerr := writeJSON(out, struct {
			Version int    `json:"version"`
			Wiki    string `json:"wiki"`
			Applied bool   `json:"applied"`
			Changes bool   `json:"changes"`
			Error   string `json:"error,omitempty"`
			*unpack.Plan
		}{1, wk.shown, applied, plan.Changes(), text, plan}); jerr != nil {
			return jerr
		}
	}
	switch {
	case err != nil:
		return err
	case code == exitUnconfirmed:
		return &exitError{code, errors.New("nothing was written: the plan was not confirmed (--yes writes it)")}
	case !f.json && !plan.Changes():
		fmt.Fprintln(out, "Nothing to do.")
	case !f.json && applied:
		fmt.Fprintln(out, "Done.")
	}
	if code != 0 {
		return &exitError{code, fmt.Errorf("%d of the pages could not be handled, see above", plan.Failures())}
	}
	return nil
}

// confirm asks on a terminal; elsewhere the answer is no.
func confirm(cmd *cobra.Command) bool {
	in, ok := cmd.InOrStdin().(*os.File)
	if !ok || !term.IsTerminal(int(in.Fd())) {
		return false
	}
	fmt.Fprint(cmd.OutOrStdout(), "Write this? [y/N] ")
	answer, _ := bufio.NewReader(io.LimitReader(in, 100)).ReadString('\n')
	answer = strings.ToLower(strings.TrimSpace(answer))
	return answer == "y" || answer == "yes"
}

func parseLinks(args []string) (links []unpack.Link, err error) {
	for _, a := range args {
		page, file, ok := strings.Cut(a, "=")
		page = filepath.ToSlash(page)
		if !ok || file == "" || !filepath.IsLocal(page) {
			return nil, usagef("--link %s: expected PAGE=FILE, a page below the wiki and a file of the pack", fsx.Printable(a))
		}
		links = append(links, unpack.Link{Page: page, File: pack.FileOf(file)})
	}
	return links, nil
}

// request finds the pack and judges whether it may be filed.
func (f *unpackFlags) request(arg string, scope install.Scope) (req unpack.Request, notes []string, err error) {
	req = unpack.Request{NoLinks: f.noLinks, Prune: f.prune, Skip: map[string]string{}}
	dir := arg
	if isFolderArg(arg) {
		err = f.unchangedFolder(dir)
	} else {
		req.Slug, dir, notes, err = f.installed(arg, scope)
	}
	if err != nil {
		return req, nil, err
	}
	if req.Pack, err = loadSmall(dir); err != nil {
		return req, nil, err
	}
	if req.Pack.Manifest.Object() == nil {
		return req, nil, fmt.Errorf("%s: there is no manifest.json that can be read", fsx.Printable(dir))
	}
	if req.Slug == "" {
		req.Slug = req.Pack.Name()
		if err := install.CheckSlug(req.Slug, install.Project); err != nil {
			return req, nil, fmt.Errorf("%s: %w", fsx.Printable(filepath.Join(dir, pack.ManifestName)), err)
		}
	}
	return req, notes, judge(&req)
}

func isFolderArg(arg string) bool {
	return !strings.HasPrefix(arg, "@") && (arg == "." || arg == ".." || strings.ContainsRune(arg, '/') || strings.ContainsRune(arg, filepath.Separator))
}

// installed finds a pack by its name and compares it with what was installed.
func (f *unpackFlags) installed(arg string, scope install.Scope) (slug, dir string, notes []string, err error) {
	if slug, err = install.SlugArg(arg, scope); err != nil {
		return "", "", nil, usagef("%v", err)
	}
	w, err := where()
	if err != nil {
		return "", "", nil, err
	}
	known, err := knownKeys()
	if err != nil {
		return "", "", nil, err
	}
	r, err := install.Inspect(w, scope, slug, known)
	if errors.Is(err, install.ErrNotInstalled) || err == nil && !r.HasFiles {
		return "", "", nil, fmt.Errorf("%s is not installed (scope %s); a folder is written with its path, ./%s", slug, scope, slug)
	}
	if err != nil {
		return "", "", nil, err
	}
	if !r.Recorded {
		notes = append(notes, "the tool that installed the pack recorded no files, only manifest.json could be compared")
	}
	switch {
	case f.forceChanged:
	case r.Problem != "":
		err = errors.New(oneLine(r.Problem))
	case len(r.Changes) > 0:
		err = changedError(slug, r.Changes)
	case r.Signature.Status == "tampered":
		err = fmt.Errorf("the signature of %s does not hold (--force-changed files the pack all the same)", slug)
	}
	return slug, r.Folder, notes, err
}

// unchangedFolder is the same check for a folder that is an installed pack's.
func (f *unpackFlags) unchangedFolder(dir string) error {
	abs, err := filepath.Abs(dir)
	if err != nil || f.forceChanged || filepath.Base(filepath.Dir(abs)) != ".amp" {
		return err
	}
	changes, _, err := install.ChangesOf(filepath.Dir(filepath.Dir(abs)), filepath.Base(abs))
	if err == nil && len(changes) > 0 {
		err = changedError(filepath.Base(abs), changes)
	}
	return err
}

func changedError(slug string, changes []install.Change) error {
	var list []string
	for i, c := range changes {
		if i == shownFindings {
			list = append(list, fmt.Sprintf("and %d more", len(changes)-i))
			break
		}
		list = append(list, fmt.Sprint(c))
	}
	return fmt.Errorf("%s was changed since it was installed: %s (--force-changed files it all the same)", slug, strings.Join(list, "; "))
}

// loadSmall reads a pack of a size that fits into a wiki.
func loadSmall(dir string) (*pack.Pack, error) {
	fi, err := os.Stat(dir)
	if err == nil && !fi.IsDir() {
		err = &fs.PathError{Op: "open", Path: dir, Err: errors.New("not a folder")}
	}
	if err != nil {
		return nil, err
	}
	fsys, err := diskfs.Open(dir)
	if err != nil {
		return nil, err
	}
	defer fsys.Close()
	list, err := listFiles(fsys)
	if err != nil {
		return nil, fsx.In(dir, err)
	}
	if n := total(list); n > smallPack {
		return nil, fmt.Errorf("%s holds %d bytes, more than the %d that are filed into a wiki", fsx.Printable(dir), n, smallPack)
	}
	return pack.Load(fsys, fsx.Printable(dir))
}

// judge refuses packs with an error of the security rules, and leaves out files
// that hold a credential, whatever its severity.
func judge(req *unpack.Request) error {
	var bad []string
	for _, d := range analysis.NewRunner(rules.All()).All(req.Pack) {
		at := fmt.Sprintf("%s:%d", fsx.Printable(d.Path), lineOf(req.Pack, &d))
		switch {
		case d.Rule.Slug == "credential":
		case d.Severity == analysis.Error && d.Rule.Security:
			bad = append(bad, fmt.Sprintf("%s: %s: %s", at, d.Rule.Slug, oneLine(d.Message)))
		}
	}
	if n := len(bad); n > 0 {
		if n > shownFindings {
			bad = append(bad[:shownFindings], fmt.Sprintf("and %d more", n-shownFindings))
		}
		return fmt.Errorf("not filed: the pack has %d errors of the security rules: %s", n, strings.Join(bad, "; "))
	}
	for _, file := range req.Pack.Files {
		credential.Scan(file.Text, func(h credential.Hit) bool {
			line := 1 + strings.Count(unify(file.Text[:h.MatchStart]), "\n")
			req.Skip[file.Path] = fmt.Sprintf("line %d holds a credential: %s", line, h.Family)
			return false
		})
	}
	// Title, version and routes are quoted. A signature is random by nature.
	m := req.Pack.Manifest
	req.Withhold = req.Skip[pack.AgentsName] != "" || credentialIn(strings.Replace(m.File.Text, m.Text("signature"), "", 1))
	return nil
}

func credentialIn(s string) (found bool) {
	credential.Scan(s, func(credential.Hit) bool {
		found = true
		return false
	})
	return found
}

// wikiDir is the wiki's folder. A nil root is one that is not there yet; base and
// rest say where it will be.
type wikiDir struct {
	root, base *os.Root
	rest       string // below base, with /
	shown      string
}

// openWiki opens the wiki. No link is followed on the way to a folder below the
// current one, and the wiki itself must not be a link wherever it is: what a
// project brings along must not send our pages elsewhere.
func openWiki(name string) (*wikiDir, error) {
	if abs, err := filepath.Abs(name); err == nil && slices.Contains(strings.Split(filepath.ToSlash(abs), "/"), ".amp") {
		return nil, errors.New("the folder is inside .amp, where installed packs are")
	}
	w := &wikiDir{shown: filepath.ToSlash(name), rest: filepath.ToSlash(filepath.Clean(name))}
	from := "."
	if !filepath.IsLocal(name) {
		abs, err := filepath.Abs(name)
		if err != nil {
			return nil, err
		}
		// The folders above are the user's own words; those that are missing are made.
		from = filepath.Dir(abs)
		w.rest = filepath.Base(abs)
		for {
			if fi, err := os.Stat(from); err == nil && fi.IsDir() || filepath.Dir(from) == from {
				break
			}
			w.rest = filepath.Base(from) + "/" + w.rest
			from = filepath.Dir(from)
		}
		if w.rest == string(filepath.Separator) {
			w.rest = "."
		}
	}
	var err error
	if w.base, err = os.OpenRoot(from); err != nil {
		return nil, err
	}
	if w.root, err = fsx.OpenDir(w.base, w.rest); err != nil && !errors.Is(err, fs.ErrNotExist) {
		w.base.Close()
		return nil, err
	}
	if err != nil {
		w.root = nil
	}
	return w, nil
}

func (w *wikiDir) close() {
	if w.root != nil {
		w.root.Close()
	}
	w.base.Close()
}

func (w *wikiDir) apply(p *unpack.Plan) (warnings []string, err error) {
	defer func() { err = fsx.In(w.shown, err) }()
	if w.root == nil {
		p.NewWiki(w.emptyAbove())
		if _, err := fsx.MkdirAll(w.base, w.rest, 0o755); err != nil {
			return nil, err
		}
		if w.root, err = fsx.OpenDir(w.base, w.rest); err != nil {
			return nil, err
		}
	}
	if warnings, err = p.Apply(w.root); err != nil {
		return warnings, err
	}
	if p.Scaffolded() && filepath.IsLocal(w.shown) {
		// The folders that the scaffold was made in, as far as they are empty.
		up := "."
		for d := w.rest; d != "." && !p.Stays(up); d, up = path.Dir(d), path.Join(up, "..") {
			if fsx.Remove(w.base, d) != nil {
				break
			}
		}
	}
	return warnings, nil
}

// emptyAbove returns the folder, relative to the wiki that is still to be made,
// which is there and empty, or "".
func (w *wikiDir) emptyAbove() string {
	up := ".."
	for d := path.Dir(w.rest); d != "."; d, up = path.Dir(d), path.Join(up, "..") {
		dir, err := fsx.OpenDir(w.base, d)
		if err != nil {
			continue // made together with the wiki
		}
		defer dir.Close()
		if entries, err := fs.ReadDir(dir.FS(), "."); err == nil && len(entries) == 0 {
			return up
		}
		return ""
	}
	return ""
}

func printPlan(w io.Writer, wk *wikiDir, p *unpack.Plan) {
	fmt.Fprintf(w, "Pack %s, wiki %s\n", p.Slug, fsx.Printable(wk.shown))
	for _, pg := range p.Pages {
		fmt.Fprintf(w, "  %-9s %s", pg.Action, fsx.Printable(pg.Path))
		if pg.Action == unpack.Replace {
			fmt.Fprintf(w, " (%d lines change)", pg.Lines)
		}
		if pg.Note != "" {
			fmt.Fprintf(w, ": %s", oneLine(pg.Note))
		}
		fmt.Fprintln(w)
	}
	for _, l := range p.Links {
		fmt.Fprintf(w, "  link %-4s %s -> %s (%s)", l.Action, fsx.Printable(l.Page), fsx.Printable(l.File), shownLine(l.Why))
		if l.Note != "" {
			fmt.Fprintf(w, ": %s", oneLine(l.Note))
		}
		fmt.Fprintln(w)
	}
	for _, name := range p.Cleared {
		fmt.Fprintf(w, "  unlink    %s\n", fsx.Printable(name))
	}
	if p.Index != "" {
		fmt.Fprintf(w, "  %-9s index.md\n", p.Index)
	}
	if p.IndexLine != "" {
		fmt.Fprintf(w, "            %s\n", shownLine(p.IndexLine))
	}
	if len(p.Primitives) > 0 {
		var parts []string
		for _, t := range []string{"goal", "claim", "directive", "demonstration"} {
			if n := p.Primitives[t]; n > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", n, t))
			}
		}
		fmt.Fprintf(w, "Primitives: %s; not filed: %d blocks, %d lines\n", strings.Join(parts, ", "), p.Unfiled.Blocks, p.Unfiled.Lines)
	}
	for _, n := range slices.Compact(slices.Clone(p.Notes)) {
		fmt.Fprintf(w, "Note: %s\n", shownLine(n))
	}
}
