package config

import (
	"errors"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

type kind uint8

const (
	null kind = iota
	text
	number
	boolean
	list
	mapping
)

func (k kind) String() string {
	return [...]string{"nothing", "text", "a number", "true or false", "a list", "a mapping"}[k]
}

// A value is a YAML node with its place.
type value struct {
	kind      kind
	text      string // of a scalar, as written
	line, col int
	list      []value
	keys      []value // of a mapping, same length as list
}

// maxNesting bounds the brackets of a configuration.
const maxNesting = 1000

var errPlain = errors.New("anchors, aliases, tags and merge keys have no place in a configuration")

// parse reads a YAML document. Only what a configuration needs is allowed, so
// that no alias can blow it up.
func parse(src []byte) (v value, err *Error) {
	defer func() {
		// The library panics on some malformed documents.
		if recover() != nil {
			err = &Error{Msg: "not valid YAML"}
		}
	}()
	s := strings.TrimPrefix(string(src), "\ufeff")
	s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
	if strings.Count(s, "[")+strings.Count(s, "{") > maxNesting {
		// The library takes a deep stack for nested text.
		return v, &Error{Msg: "too many brackets; lists can be written with one `- ` line each"}
	}
	file, perr := parser.ParseBytes([]byte(s), 0)
	if perr != nil {
		return v, yamlError(perr)
	}
	var body ast.Node
	for _, d := range file.Docs {
		if d.Body == nil {
			continue
		}
		if body != nil {
			t := d.Body.GetToken().Position
			return v, &Error{Line: t.Line, Col: t.Column, Msg: "a configuration is one YAML document"}
		}
		body = d.Body
	}
	if body == nil {
		return value{kind: mapping, line: 1, col: 1}, nil
	}
	return convert(body)
}

func yamlError(err error) *Error {
	out := &Error{Msg: "not valid YAML"}
	var ye yaml.Error
	if errors.As(err, &ye) {
		msg, _, _ := strings.Cut(ye.GetMessage(), "\n")
		out.Msg += ": " + msg
		if t := ye.GetToken(); t != nil && t.Position != nil {
			out.Line, out.Col = t.Position.Line, t.Position.Column
		}
	}
	return out
}

func convert(n ast.Node) (v value, err *Error) {
	if t := n.GetToken(); t != nil && t.Position != nil {
		v.line, v.col = t.Position.Line, t.Position.Column
	}
	fail := func(msg string) (value, *Error) { return v, &Error{Line: v.line, Col: v.col, Msg: msg} }
	switch n := n.(type) {
	case *ast.StringNode:
		v.kind, v.text = text, n.Value
	case *ast.LiteralNode:
		v.kind, v.text = text, n.Value.Value
	case *ast.IntegerNode, *ast.FloatNode:
		v.kind, v.text = number, n.GetToken().Value
	case *ast.BoolNode:
		v.kind, v.text = boolean, strings.ToLower(n.GetToken().Value)
	case *ast.NullNode:
		v.kind = null
	case *ast.SequenceNode:
		v.kind = list
		for _, e := range n.Values {
			c, err := convert(e)
			if err != nil {
				return v, err
			}
			v.list = append(v.list, c)
		}
	case ast.MapNode:
		v.kind = mapping
		for it := n.MapRange(); it.Next(); {
			key, ok := it.Key().(ast.Node).(ast.ScalarNode)
			if _, merge := it.Key().(*ast.MergeKeyNode); merge || !ok {
				return fail(errPlain.Error())
			}
			k, err := convert(key)
			if err != nil {
				return v, err
			}
			for _, o := range v.keys {
				if o.text == k.text {
					return v, &Error{Line: k.line, Col: k.col, Msg: "the key `" + k.text + "` stands here for the second time"}
				}
			}
			c := value{line: k.line, col: k.col}
			if it.Value() != nil {
				if c, err = convert(it.Value()); err != nil {
					return v, err
				}
			}
			v.keys, v.list = append(v.keys, k), append(v.list, c)
		}
		if len(v.keys) > 0 {
			v.line, v.col = v.keys[0].line, v.keys[0].col
		}
	default:
		return fail(errPlain.Error())
	}
	return v, nil
}
