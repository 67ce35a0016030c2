package pack

import (
	"errors"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// yamlError places an error of the YAML library in the block. The library's
// messages name lines of the frontmatter, which are not those of the file.
func (f *Frontmatter) yamlError(err error, lines []int, src string) *YAMLError {
	at := 0
	msg := err.Error()
	var ye yaml.Error
	if errors.As(err, &ye) {
		msg = ye.GetMessage()
		if t := ye.GetToken(); t != nil && t.Position != nil {
			at = offsetOf(t.Position.Line, t.Position.Column, lines, src)
		}
	}
	if msg == (errYAML{}).Error() {
		return &YAMLError{Rel: parser.Rel{Start: f.Inner.Start, End: f.Inner.Start}, Message: "the frontmatter is not valid YAML"}
	}
	if i := strings.IndexByte(msg, '\n'); i >= 0 {
		msg = msg[:i]
	}
	if key, _, ok := strings.Cut(strings.TrimPrefix(msg, `mapping key "`), `" already defined`); ok {
		msg = duplicateKey(key)
	} else {
		msg = "the frontmatter is not valid YAML: " + msg
	}
	p := f.Inner.Start + at
	return &YAMLError{Rel: parser.Rel{Start: p, End: p}, Message: msg}
}

// explain says in words of the frontmatter what is wrong with it where that is one
// of the two slips that are made most: a value that YAML takes for more than text,
// and a key without its colon. The library names the place where it gave up.
func (f *Frontmatter) explain(src string) {
	for at := 0; at < len(src); {
		end, next := text.LineEnd(src, at)
		line := strings.TrimRight(src[at:end], " \t")
		start := f.Inner.Start + at
		key := 0
		for key < len(line) && (line[key] == '_' || line[key] == '-' || isAlnum(line[key])) {
			key++
		}
		at = next
		switch rest := line[key:]; {
		case key == 0 || line[0] == '-':
		case rest == "" && knownKey(line) || strings.HasPrefix(rest, " ") && knownKey(line[:key]):
			p := start + key
			if !f.helps(src, p-f.Inner.Start, p-f.Inner.Start, ":") {
				continue
			}
			f.Err = &YAMLError{
				Rel: parser.Rel{Start: start, End: p}, Colon: parser.Rel{Start: p, End: p},
				Message: "a `:` is missing behind `" + line[:key] + "`",
			}
			return
		case strings.HasPrefix(rest, ": "):
			value := strings.TrimLeft(rest[1:], " ")
			if i := strings.Index(value, " #"); i >= 0 {
				value = strings.TrimRight(value[:i], " ")
			}
			if !moreThanText(value) {
				continue
			}
			from := start + len(line) - len(strings.TrimLeft(rest[1:], " "))
			if !f.helps(src, from-f.Inner.Start, from-f.Inner.Start+len(value), "''") {
				continue
			}
			f.Err = &YAMLError{
				Rel: parser.Rel{Start: from, End: from + len(value)}, Quote: parser.Rel{Start: from, End: from + len(value)},
				Message: "YAML takes this value of `" + line[:key] + "` for more than text: put it in quotes",
			}
			return
		}
	}
}

// helps reports whether the library gets further with a change than without.
func (f *Frontmatter) helps(src string, start, end int, new string) bool {
	changed := src[:start] + new + src[end:]
	norm, lines := yamlLines(changed)
	file, err := parseYAML(norm)
	if err == nil {
		return !slices.ContainsFunc(file.Docs, func(d *ast.DocumentNode) bool {
			_, ok := d.Body.(ast.MapNode)
			return d.Body != nil && !ok
		})
	}
	again := f.yamlError(err, lines, changed)
	return again.Rel.Start-(len(changed)-len(src)) > f.Err.Rel.Start
}

// knownKey are the keys of a capability file (Part 2), which say that a line was
// meant as one.
func knownKey(s string) bool {
	return s == "type" || s == "applies_to" || s == "source" || s == "primitive_counts"
}

// moreThanText reports whether a plain value has a mark that YAML reads in it.
func moreThanText(v string) bool {
	if v == "" || v[0] == '"' || v[0] == '\'' {
		return false
	}
	return strings.Contains(v, ": ") || strings.HasSuffix(v, ":") || strings.ContainsRune("@`%*&!", rune(v[0])) || (v[0] == '[' || v[0] == '{') && !strings.HasSuffix(v, "]") && !strings.HasSuffix(v, "}")
}
