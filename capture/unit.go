package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/analysis/sentence"
	"github.com/amp-toolchain/amp/parser"
)

// A Unit is the smallest piece that makes sense alone, and one line of a units
// file. Type is empty as long as nobody decided it.
type Unit struct {
	Type string `json:"type"`
	// Facets are positional, as in the tag; those left out take their defaults. A
	// demonstration needs its valence.
	Facets      []string `json:"facets,omitempty"`
	Illustrates string   `json:"illustrates,omitempty"`
	// Content is one line. A demonstration has Content or Body.
	Content string `json:"content,omitempty"`
	Body    string `json:"body,omitempty"`
	Reason  string `json:"reason,omitempty"` // lines are separated by LF
	Source  string `json:"source,omitempty"` // file, relative to the source folder
	Line    int    `json:"line,omitempty"`   // from 1
	// Why, Between and More tell of an ambiguous unit what keeps it from being
	// decided, and what else stands there. They are not read.
	Why     string   `json:"why,omitempty"`
	Between []string `json:"between,omitempty"`
	More    []string `json:"more,omitempty"`
}

// A Source is an entry of a legend, and the other kind of line in a units file.
type Source struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	URL   string `json:"url,omitempty"`
}

// A Problem is something about the input that a person has to know. It never holds
// a credential.
type Problem struct {
	Source  string `json:"source"`
	Line    int    `json:"line"` // 0 where the whole file is meant
	Message string `json:"message"`
	// Expected is something that is passed over on purpose.
	Expected bool `json:"-"`
}

func (p Problem) String() string {
	if p.Line == 0 {
		return p.Source + ": " + p.Message
	}
	return fmt.Sprintf("%s:%d: %s", p.Source, p.Line, p.Message)
}

// Bounds of a units file, in bytes and lines.
const (
	MaxUnits     = 64 << 20
	MaxUnitLine  = 1 << 20
	maxUnitLines = 100_000
)

// ReadUnits reads a units file: one JSON object a line, blank lines allowed. Each
// is a unit or, with the members code and title, a source. Problems are located in
// the units file, whose name is only for display.
func ReadUnits(r io.Reader, name string) (units []Unit, sources []Source, problems []Problem) {
	sc := bufio.NewScanner(io.LimitReader(r, MaxUnits+1))
	sc.Buffer(make([]byte, 64<<10), MaxUnitLine)
	size, n := 0, 0
	for sc.Scan() {
		n++
		line := sc.Bytes()
		if size += len(line) + 1; size > MaxUnits+1 || n > maxUnitLines {
			return nil, nil, append(problems, Problem{Source: name, Line: n, Message: fmt.Sprintf("the file holds more than %d bytes or %d lines", MaxUnits, maxUnitLines)})
		}
		if n == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff"))
		}
		if len(bytes.TrimSpace(line)) == 0 {
			continue
		}
		rec, err := decode(line)
		switch {
		case err != nil:
			problems = append(problems, Problem{Source: name, Line: n, Message: err.Error()})
		case rec.Code != "" || rec.Title != "":
			sources = append(sources, Source{rec.Code, rec.Title, rec.URL})
		default:
			if rec.Unit.Source == "" && rec.Line == 0 {
				rec.Unit.Source, rec.Line = name, n
			}
			units = append(units, rec.Unit)
		}
	}
	if err := sc.Err(); err != nil {
		if errors.Is(err, bufio.ErrTooLong) {
			err = fmt.Errorf("the line is longer than %d bytes", MaxUnitLine)
		}
		problems = append(problems, Problem{Source: name, Line: n + 1, Message: err.Error()})
	}
	return units, sources, problems
}

type record struct {
	Unit
	Code  string `json:"code"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

func decode(line []byte) (rec record, err error) {
	if !utf8.Valid(line) {
		return rec, errors.New("the line is not valid UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(line))
	dec.DisallowUnknownFields()
	if err := dec.Decode(&rec); err != nil {
		var te *json.UnmarshalTypeError
		if errors.As(err, &te) {
			if te.Field == "" {
				return rec, errors.New("the line is no JSON object")
			}
			// Embedded structs are named by their type, which no units file knows.
			field := te.Field[strings.LastIndexByte(te.Field, '.')+1:]
			return rec, fmt.Errorf("the member %q must be %s", field, jsonKind(te.Type.Kind()))
		}
		// Messages of the decoder quote at most one byte or a member's name.
		return rec, errors.New(credential.MaskText(strings.TrimPrefix(err.Error(), "json: ")))
	}
	if dec.More() {
		return rec, errors.New("more than one JSON value on the line")
	}
	return rec, nil
}

// jsonKind is what a member must be, in the words of JSON.
func jsonKind(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Slice:
		return "a list of strings"
	case reflect.Int:
		return "a whole number"
	}
	return "another type of value"
}

// normalize brings a unit into the form in which it is written. The error says
// what a pack cannot hold.
func (u *Unit) normalize() error {
	t := parser.TypeOf(u.Type)
	if t == parser.Unknown {
		return fmt.Errorf("unknown type %s, expected goal, claim, directive or demonstration", quoted(u.Type))
	}
	u.Type = t.String()
	u.Why, u.Between, u.More = "", nil, nil
	for _, s := range append([]string{u.Content, u.Body, u.Reason, u.Illustrates}, u.Facets...) {
		if !utf8.ValidString(s) || strings.IndexByte(s, 0) >= 0 {
			return errors.New("the text holds NUL or is not valid UTF-8")
		}
	}
	u.Reason = breaks(u.Reason)
	u.Body = breaks(u.Body)
	u.Content = breaks(u.Content)
	if t == parser.Demonstration && u.Body == "" && strings.Contains(u.Content, "\n") {
		u.Body, u.Content = u.Content, ""
	}
	u.Content = parser.TrimSpace(u.Content)
	if err := u.facets(t); err != nil {
		return err
	}
	if strings.ContainsAny(u.Content, "\n\u2028\u2029") {
		return fmt.Errorf("the content of a %s is one line", u.Type)
	}
	if t == parser.Demonstration {
		return u.artifact()
	}
	switch {
	case u.Body != "":
		return fmt.Errorf("a %s has no body, only demonstrations have one", u.Type)
	case u.Illustrates != "":
		return fmt.Errorf("a %s illustrates nothing, only demonstrations do", u.Type)
	case u.Content == "":
		return errors.New("the content is empty")
	case strings.HasSuffix(u.Content, "{"):
		return errors.New("the content ends with a brace, which readers take for the start of a body")
	}
	return shape(t, u.Content)
}

func (u *Unit) artifact() error {
	switch {
	case u.Content != "" && u.Body != "":
		return errors.New("a demonstration has content or a body, not both")
	case u.Content == "" && parser.TrimSpace(u.Body) == "":
		return errors.New("a demonstration needs content or a body")
	case strings.ContainsAny(u.Illustrates, ",]\n\r\u2028\u2029"):
		return errors.New("the label of illustrates holds a comma, a closing bracket or a line break")
	case strings.HasSuffix(u.Content, "{"):
		u.Body, u.Content = u.Content, ""
	}
	return nil
}

// facets fills in the defaults and checks each value.
func (u *Unit) facets(t parser.Type) error {
	u.Illustrates = parser.TrimSpace(u.Illustrates)
	var out []string
	given := u.Facets
	for i, spec := range t.Facets() {
		if spec.Key {
			if i < len(given) {
				label, ok := spec.KeyValue(parser.TrimSpace(given[i]))
				if !ok || u.Illustrates != "" && u.Illustrates != label {
					return fmt.Errorf("expected %s at position %d for %s, got %s", spec.Name, i+1, u.Type, quoted(given[i]))
				}
				u.Illustrates = label
			}
			continue
		}
		v := spec.Default
		if i < len(given) && given[i] != "" {
			v = parser.TrimSpace(given[i])
		}
		switch {
		case v == "":
			return fmt.Errorf("a %s needs its %s: %s", u.Type, spec.Name, strings.Join(spec.Values, ", "))
		case !spec.Allows(v):
			return fmt.Errorf("expected %s at position %d for %s, got %s", spec.Name, i+1, u.Type, quoted(v))
		}
		out = append(out, v)
	}
	if len(given) > len(t.Facets()) {
		return fmt.Errorf("a %s has at most %d facets, got %d", u.Type, len(t.Facets()), len(given))
	}
	u.Facets = out
	return nil
}

// shape checks the sentence of a type by the rules of Part 5.
func shape(t parser.Type, s string) error {
	switch t {
	case parser.Goal:
		if !sentence.Goal(s) {
			return errors.New("a goal must contain `the goal is to`, `optimize` or `default`")
		}
	case parser.Claim:
		if p, _, _ := sentence.Claim(s); p == sentence.NoVerb {
			return errors.New("a claim must say what its subject is or has")
		} else if p != sentence.None {
			return fmt.Errorf("a claim must start with a noun phrase, not with a %s", p)
		}
	case parser.Directive:
		if !sentence.Directive(s) {
			return errors.New("a directive must match `(In|When) … (always|never|prefer)`")
		}
	}
	return nil
}

// text is the unit as it stands in a capability file, with its final line break.
func (u *Unit) text() string {
	var b strings.Builder
	word := u.Type
	if word == parser.Demonstration.String() {
		word = "demo"
	}
	b.WriteString("[" + word)
	for i, f := range u.Facets {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(" " + f)
	}
	if u.Illustrates != "" {
		b.WriteString(", illustrates: " + u.Illustrates)
	}
	b.WriteString("] ")
	if u.Body != "" {
		b.WriteString("{\n" + indented(u.Body) + "\n}\n")
	} else {
		b.WriteString(u.Content + "\n")
	}
	if u.Reason != "" {
		for l := range strings.SplitSeq(u.Reason, "\n") {
			if l != "" {
				l = " " + l
			}
			b.WriteString("  >" + l + "\n")
		}
	}
	return b.String()
}

// indented keeps a line of the body from closing it.
func indented(body string) string {
	if !slices.Contains(strings.Split(body, "\n"), "}") {
		return body
	}
	return "  " + strings.ReplaceAll(body, "\n", "\n  ")
}

// cites are the short codes that the reason cites.
func (u *Unit) cites() (codes []string) {
	for it := range parser.Parse(u.text(), parser.V04).All() {
		for c := range it.Citations {
			codes = append(codes, c.Code)
		}
	}
	return codes
}

func breaks(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

// quoted shows a value of the input, masked and bounded.
func quoted(s string) string {
	s = credential.MaskText(s)
	if r := []rune(s); len(r) > 60 {
		s = string(r[:59]) + "…"
	}
	return fmt.Sprintf("%q", s)
}

// Credential is the kind of the first credential in any part of the unit, "" without
// one.
func (u *Unit) Credential() string { return hit(rawText(u)) }

// hit is the kind of the first credential in a text, "" without one.
func hit(s string) (kind string) {
	scan(s, func(h credential.Hit, _, _ int) bool {
		kind = h.Family
		return false
	})
	return kind
}

// scan finds the credentials of a text and their lines, from 0: in the text as it
// is, and in the one without the characters that do not show. Whoever copies a token
// that an invisible character splits sees it whole, and so do readers that drop such
// characters.
func scan(s string, yield func(h credential.Hit, first, last int) bool) {
	seen := map[int]bool{}
	more := true
	in := func(text string, once bool) {
		credential.Scan(text, func(h credential.Hit) bool {
			first := strings.Count(text[:h.MatchStart], "\n")
			if once && seen[first] {
				return true
			}
			seen[first] = true
			more = yield(h, first, first+strings.Count(text[h.MatchStart:h.End], "\n"))
			return more
		})
	}
	in(s, false)
	if shown := strings.Map(shown, s); more && shown != s {
		in(shown, true)
	}
}

// shown drops the characters that take no room: controls but white space, format
// characters, fillers, and marks that select a variant.
func shown(r rune) rune {
	switch {
	case r < 0x80 && r >= ' ' && r != 0x7F, unicode.IsSpace(r):
		return r
	case !unicode.In(r, unicode.Cc, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
		return r
	}
	return -1
}
