package capture

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
)

// Options are what a pack says about itself.
type Options struct {
	Name    string
	Title   string
	Created string // YYYY-MM-DD
	Origin  string // of the primitives: self, imported or inferred
	Agents  []string
	Sources []string // files that were read, relative to the source folder
	// DroppedLog and DroppedDuplicate are counted in the manifest.
	DroppedLog, DroppedDuplicate int
}

// A File is one file of the pack.
type File struct {
	Path string // relative to the pack, with /
	Text string
}

// A Placed is a unit and the capability file it went to.
type Placed struct {
	File string `json:"file"`
	Unit
}

// A Draft is a pack that nobody has looked at yet.
type Draft struct {
	Files  []File         // in the order in which they are written
	Units  []Placed       // in the order of the files
	Counts map[string]int // by type
	// ByDefault are the units that no routing rule spoke for.
	ByDefault []Placed
	// Rejected are units with a credential; Problem.Message is its kind.
	Rejected []Problem
	// Invalid are units that no pack can hold. With one there are no Files.
	Invalid []Problem
	// Duplicates are units that say what an earlier one says.
	Duplicates []Duplicate
}

// A Duplicate is a unit that was dropped, and the one that says the same.
type Duplicate struct {
	Source string `json:"source"`
	Line   int    `json:"line"`
	Of     string `json:"of"` // file:line
}

// ErrEmpty says that there is no unit to make a pack of.
var ErrEmpty = errors.New("there is no unit to make a pack of")

// Check reports options that no pack can have.
func (o *Options) Check() error {
	if !pack.ValidName(o.Name) {
		return fmt.Errorf("the name %s does not match ^[a-z0-9][a-z0-9-]{0,63}$", quoted(o.Name))
	}
	if t := parser.TrimSpace(o.Title); t == "" || strings.ContainsFunc(t, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return errors.New("the title must be one line of text")
	}
	if kind := hit(o.Title); kind != "" {
		return fmt.Errorf("the title holds a credential: %s", kind)
	}
	if d, err := time.Parse(time.DateOnly, o.Created); err != nil || d.Format(time.DateOnly) != o.Created {
		return fmt.Errorf("the date %s is no YYYY-MM-DD", quoted(o.Created))
	}
	if !slices.Contains([]string{"self", "imported", "inferred"}, o.Origin) {
		return fmt.Errorf("the origin %s is none of self, imported, inferred", quoted(o.Origin))
	}
	return nil
}

// Build makes a draft of units. Units without a type are not its business: callers
// leave them out. A unit with a credential is rejected and the others go on; with
// an invalid one there is no draft.
func Build(units []Unit, sources []Source, o Options) (*Draft, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	legend, problems := legendOf(sources)
	d := &Draft{Counts: map[string]int{}, Invalid: problems}
	byFile := map[string][]Placed{}
	seen := map[string]string{}
	for _, u := range units {
		where := Problem{Source: credential.MaskText(u.Source), Line: u.Line}
		// First of all, so that no message about anything else can quote it.
		kind := u.Credential()
		if kind == "" {
			if err := u.normalize(); err != nil {
				where.Message = err.Error()
				d.Invalid = append(d.Invalid, where)
				continue
			}
			kind = hit(u.text())
		}
		if kind != "" {
			where.Message = kind
			d.Rejected = append(d.Rejected, where)
			continue
		}
		key := u.key()
		if first, ok := seen[key]; ok {
			d.Duplicates = append(d.Duplicates, Duplicate{u.Source, u.Line, first})
			continue
		}
		seen[key] = fmt.Sprintf("%s:%d", u.Source, u.Line)
		file, matched := route(&u)
		p := Placed{file, u}
		byFile[file] = append(byFile[file], p)
		d.Counts[u.Type]++
		if !matched {
			d.ByDefault = append(d.ByDefault, p)
		}
	}
	if len(d.Invalid) > 0 {
		return d, nil
	}
	if len(d.Counts) == 0 {
		return d, ErrEmpty
	}
	o.DroppedDuplicate += len(d.Duplicates)
	var names []string
	var memory []File
	for _, c := range capabilityFiles {
		us := byFile[c.name]
		if len(us) == 0 && c.name != pack.PrinciplesName {
			continue
		}
		slices.SortStableFunc(us, func(a, b Placed) int { return int(parser.TypeOf(a.Type)) - int(parser.TypeOf(b.Type)) })
		names = append(names, c.name)
		memory = append(memory, File{pack.MemoryDir + "/" + c.name, cluster(c, us, legend, o.Origin)})
		d.Units = append(d.Units, us...)
	}
	// The manifest comes last: a folder with one is whole.
	d.Files = append(memory, File{pack.AgentsName, agents(o.Name, names)}, File{pack.ManifestName, manifest(&o, names, d.Counts)})
	return d, nil
}

// rawText is everything of a unit in which a credential could hide.
func rawText(u *Unit) string {
	return strings.Join(slices.Concat([]string{u.Content, u.Body, u.Reason, u.Illustrates, u.Type, u.Source}, u.Facets, u.More), "\n")
}

// key is equal for primitives that are one: type, valence and content.
func (u *Unit) key() string {
	valence := ""
	if u.Type == parser.Demonstration.String() {
		valence = u.Facets[0]
	}
	content := u.Content
	if u.Body != "" {
		content = parser.TrimSpace(indented(u.Body))
	}
	return u.Type + "\x00" + valence + "\x00" + content
}

// legendOf checks the sources and finds them by their codes.
func legendOf(sources []Source) (map[string]Source, []Problem) {
	out := map[string]Source{}
	var problems []Problem
	for _, s := range sources {
		bad := ""
		old, again := out[s.Code]
		switch {
		case hit(s.Code+"\n"+s.Title+"\n"+s.URL) != "":
			bad = "a source holds a credential: " + hit(s.Code+"\n"+s.Title+"\n"+s.URL)
			s.Code = ""
		case again && old != s:
			bad = "is given twice, with different titles or addresses"
		default:
			// What comes back from the file must be what goes in.
			es := legendEntries(legendText([]Source{s}))
			if len(es) != 1 || es[0] != s {
				bad = "cannot stand in a legend: code, title and url are one line each, and the code holds no colon before a space"
			}
		}
		if bad != "" {
			problems = append(problems, Problem{Source: "source " + quoted(s.Code), Message: bad})
			continue
		}
		out[s.Code] = s
	}
	return out, problems
}

func legendText(sources []Source) string {
	var b strings.Builder
	b.WriteString("sources:\n")
	for _, s := range sources {
		b.WriteString("  " + s.Code + ": " + s.Title + "\n")
		if s.URL != "" {
			b.WriteString("    " + s.URL + "\n")
		}
	}
	return b.String()
}

func legendEntries(text string) (out []Source) {
	for it := range parser.Parse(text, parser.V04).All() {
		es, problems := it.LegendEntries()
		if len(problems) > 0 || it.Kind() != parser.Legend {
			return nil
		}
		for _, e := range es {
			out = append(out, Source{e.Code, e.Title, e.URL})
		}
	}
	return out
}

// cluster is one capability file.
func cluster(c capabilityFile, units []Placed, legend map[string]Source, origin string) string {
	var counts [parser.NumTypes]int
	var cited []Source
	for i := range units {
		counts[parser.TypeOf(units[i].Type)]++
		for _, code := range units[i].cites() {
			if s, ok := legend[code]; ok && !slices.Contains(cited, s) {
				cited = append(cited, s)
			}
		}
	}
	slices.SortFunc(cited, func(a, b Source) int { return strings.Compare(a.Code, b.Code) })
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntype: cluster\napplies_to: %s\nsource: %s\nprimitive_counts:\n", c.applies, origin)
	for _, t := range []parser.Type{parser.Directive, parser.Goal, parser.Claim, parser.Demonstration} {
		fmt.Fprintf(&b, "  %s: %d\n", t, counts[t])
	}
	b.WriteString("---\n")
	if len(cited) > 0 {
		b.WriteString("\n" + legendText(cited))
	}
	for i := range units {
		b.WriteString("\n" + units[i].text())
	}
	return b.String()
}

func agents(name string, files []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# AMP Routing — %s\n\n## Always load\n- %s — %s\n\n## Route by task type\n\n| If the task involves... | Load |\n|---|---|\n", name, pack.PrinciplesName, capabilityFiles[0].applies)
	for _, c := range capabilityFiles[1:] {
		if slices.Contains(files, c.name) {
			fmt.Fprintf(&b, "| %s | %s |\n", c.task, c.name)
		}
	}
	return b.String()
}

func manifest(o *Options, files []string, counts map[string]int) string {
	sources := slices.Clone(o.Sources)
	for i, s := range sources {
		sources[i] = credential.MaskText(s)
	}
	slices.Sort(sources)
	type number struct {
		Number int `json:"number"`
	}
	type primitives struct {
		Goal          int `json:"goal"`
		Claim         int `json:"claim"`
		Directive     int `json:"directive"`
		Demonstration int `json:"demonstration"`
		Log           int `json:"dropped_action_log"`
		Duplicate     int `json:"dropped_duplicate"`
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	err := enc.Encode(struct {
		Name       string     `json:"name"`
		Title      string     `json:"title"`
		Version    number     `json:"version"`
		Layout     string     `json:"layout"`
		Format     string     `json:"primitive_format"`
		Created    string     `json:"created"`
		Sources    []string   `json:"sources"`
		AgentsFile string     `json:"agents_file"`
		Agents     []string   `json:"agents"`
		Files      []string   `json:"capability_files"`
		Counts     primitives `json:"primitive_counts"`
		Signed     bool       `json:"signed"`
		Signature  string     `json:"signature"`
	}{
		o.Name, parser.TrimSpace(o.Title),
		number{1},
		pack.Layout, parser.FormatV04, o.Created, append([]string{}, slices.Compact(sources)...),
		pack.AgentsName, o.Agents, files,
		primitives{counts["goal"], counts["claim"], counts["directive"], counts["demonstration"], o.DroppedLog, o.DroppedDuplicate},
		false, "",
	})
	if err != nil {
		panic(err) // strings and numbers always encode
	}
	return b.String()
}
