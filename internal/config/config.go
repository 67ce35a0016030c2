// Package config reads .amp-lint.yaml: which rules hold for which files and how
// bad a finding is. The linter and the language server share it.
//
// A configuration is found from a file upward to the root of its repository; the
// nearest one counts, and takes others in only where it says so (extends).
package config

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/analysis"
)

// Names are the file names that are looked for in a folder. Two of them in one
// folder are an error: which one counts must not be chance.
var Names = []string{".amp-lint.yaml", ".amp-lint.yml"}

// CredentialRule is the rule that configuration can't lower by its name: a leaked
// key is silenced value by value, or not at all.
const CredentialRule = "credential"

// A Level is what a configuration makes of a rule's findings.
type Level uint8

const (
	// Default leaves findings as the rule reports them, also those of a rule
	// that is off by default.
	Default Level = iota
	LevelOff
	LevelHint
	LevelInfo
	LevelWarning
	LevelError
)

// levels are the words for levels, in the order of the constants.
var levels = []string{"on", "off", "hint", "info", "warning", "error"}

func (l Level) String() string { return levels[l] }

// ParseLevel reads the word for a level.
func ParseLevel(s string) (Level, bool) {
	i := slices.Index(levels, s)
	return Level(max(i, 0)), i >= 0
}

func (l Level) severity() analysis.Severity {
	return [...]analysis.Severity{0, 0, analysis.Hint, analysis.Info, analysis.Warning, analysis.Error}[l]
}

// An Origin is where a setting comes from. The zero value is the built-in default.
type Origin struct {
	Path      string // of the configuration file, as it was opened
	Line, Col int    // 1-based, Col in characters
	Flag      string // the command-line flag that set it
}

func (o Origin) String() string {
	switch {
	case o.Flag != "":
		return o.Flag
	case o.Path == "":
		return "default"
	}
	return fmt.Sprintf("%s:%d:%d", filepath.ToSlash(o.Path), o.Line, o.Col)
}

// A Setting is a value and where it comes from.
type Setting[T any] struct {
	Value  T
	Origin Origin
}

// A RuleLevel sets the level of one rule.
type RuleLevel struct {
	Rule  string
	Level Level
	Origin
}

// A Glob selects files below the folder of the configuration it stands in.
type Glob struct {
	Base    string // that folder
	Pattern string // doublestar syntax, "/" separators
	Origin
}

// An Override sets rules for some files.
type Override struct {
	Paths []Glob
	Rules []RuleLevel
}

// An Allowed lowers the findings about one credential, named by its fingerprint.
type Allowed struct {
	Fingerprint string // see Fingerprint
	Level       Level
	Reason      string
	salt        string
	Origin
}

// A Config is a configuration with everything it extends. A nil Config holds the
// defaults.
type Config struct {
	Path string // of the file
	Dir  string // its folder

	Rules          []RuleLevel // later ones win
	Overrides      []Override  // later ones win
	Ignore         []Glob
	Gitignore      Setting[bool] // leave out files that git ignores
	FailOn         Setting[string]
	MaxWarnings    Setting[int]    // -1 without limit
	Baseline       Setting[string] // path, "" without one
	InlineSuppress Setting[bool]
	Salt           Setting[string]
	Allow          []Allowed
	Files          []string // all files that were read, the extended ones first
}

// New returns the defaults.
func New() *Config {
	return &Config{
		Gitignore: Setting[bool]{Value: true}, FailOn: Setting[string]{Value: "error"},
		MaxWarnings: Setting[int]{Value: -1}, InlineSuppress: Setting[bool]{Value: true},
	}
}

// LevelOf is the level of a rule for a file, and where it was set. The file is an
// absolute path.
func (c *Config) LevelOf(rule, file string) (Level, Origin) {
	l, o := Default, Origin{}
	if c == nil {
		return l, o
	}
	for _, r := range c.Rules {
		if r.Rule == rule {
			l, o = r.Level, r.Origin
		}
	}
	for _, ov := range c.Overrides {
		if !matchesAny(ov.Paths, file) {
			continue
		}
		for _, r := range ov.Rules {
			if r.Rule == rule {
				l, o = r.Level, r.Origin
			}
		}
	}
	return l, o
}

// Enabled are the rules among those off by default that some file wants.
func (c *Config) Enabled(reg *analysis.Registry) []string {
	if c == nil {
		return nil
	}
	var out []string
	add := func(rs []RuleLevel) {
		for _, r := range rs {
			if rule := reg.Rule(r.Rule); rule != nil && rule.Off && r.Level != LevelOff && !slices.Contains(out, r.Rule) {
				out = append(out, r.Rule)
			}
		}
	}
	add(c.Rules)
	for _, o := range c.Overrides {
		add(o.Rules)
	}
	slices.Sort(out)
	return out
}

// Ignored reports whether the configuration leaves a file out, and by which pattern.
func (c *Config) Ignored(file string) (bool, Origin) {
	if c == nil {
		return false, Origin{}
	}
	for _, g := range c.Ignore {
		if g.Match(file) {
			return true, g.Origin
		}
	}
	return false, Origin{}
}

// Adjust gives a finding in a file (an absolute path) the severity that the
// configuration wants. It returns false when the finding is to be dropped.
// value is the credential that a finding of that rule is about, "" for others.
func (c *Config) Adjust(d *analysis.Diagnostic, file, value string) bool {
	if d.Rule.Slug == CredentialRule {
		return c.adjustCredential(d, file, value)
	}
	l, o := c.LevelOf(d.Rule.Slug, file)
	if l == Default && o == (Origin{}) && d.Rule.Off {
		return false
	}
	return SetLevel(d, l)
}

// SetLevel gives a finding a level; false means that it is to be dropped.
func SetLevel(d *analysis.Diagnostic, l Level) bool {
	switch {
	case l == LevelOff:
		return false
	case l == Default:
		return true
	case d.Severity == analysis.Hint && d.Rule.Severity != analysis.Hint:
		// A remark for editors that a rule makes besides its findings: making
		// the rule an error does not make it a finding.
		return true
	}
	d.Severity = l.severity()
	return true
}

func (c *Config) adjustCredential(d *analysis.Diagnostic, file, value string) bool {
	if c == nil {
		return true
	}
	if l, _ := c.LevelOf(d.Rule.Slug, file); l > LevelOff && l.severity() > d.Severity {
		d.Severity = l.severity()
	}
	if value == "" {
		return true
	}
	for _, a := range c.Allow {
		if Fingerprint(a.salt, value) != a.Fingerprint {
			continue
		}
		if a.Level == LevelOff {
			return false
		}
		d.Severity = min(d.Severity, a.Level.severity())
		return true
	}
	return true
}

// merge lays another configuration over c.
func (c *Config) merge(o *Config) {
	c.Path, c.Dir = o.Path, o.Dir
	c.Rules = append(c.Rules, o.Rules...)
	c.Overrides = append(c.Overrides, o.Overrides...)
	c.Ignore = append(c.Ignore, o.Ignore...)
	c.Allow = append(c.Allow, o.Allow...)
	c.Files = append(c.Files, o.Files...)
	over(&c.Gitignore, o.Gitignore)
	over(&c.FailOn, o.FailOn)
	over(&c.MaxWarnings, o.MaxWarnings)
	over(&c.Baseline, o.Baseline)
	over(&c.InlineSuppress, o.InlineSuppress)
	over(&c.Salt, o.Salt)
}

func over[T any](dst *Setting[T], src Setting[T]) {
	if src.Origin != (Origin{}) {
		*dst = src
	}
}

// An Error is what is wrong in a configuration file.
type Error struct {
	Path      string
	Line, Col int // 1-based, 0 when the file as a whole is meant
	Msg       string
}

func (e *Error) Error() string { return e.Where() + ": " + e.Msg }

// Where is the place of the error: path, or path:line:column.
func (e *Error) Where() string {
	p := filepath.ToSlash(e.Path)
	if e.Line == 0 {
		return p
	}
	return fmt.Sprintf("%s:%d:%d", p, e.Line, e.Col)
}

// Errors are all errors of a configuration, in file order.
type Errors []*Error

func (es Errors) Error() string {
	var b strings.Builder
	for i, e := range es {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(e.Error())
	}
	return b.String()
}

func (es Errors) sorted() Errors {
	slices.SortStableFunc(es, func(a, b *Error) int { return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col)) })
	return es
}

// LevelNames are the words for levels.
func LevelNames() []string { return slices.Clone(levels) }
