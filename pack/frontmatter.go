package pack

import (
	"strings"

	"github.com/goccy/go-yaml/ast"
	yamlparser "github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/amp-toolchain/amp/parser"
)

// A Frontmatter is the YAML block of a capability file (S2.36). Ranges are
// bytes relative to the block it was read from.
type Frontmatter struct {
	Entries []Entry
	Err     *YAMLError
	// Inner is the range between the two `---` lines.
	Inner parser.Rel
}

// An Entry is one member of a mapping.
type Entry struct {
	Key      string
	KeyRel   parser.Rel
	Value    string // of a scalar, quotes and escapes resolved
	ValueRel parser.Rel
	Quoted   bool // the value is a string whatever it looks like
	Kind     EntryKind
	Children []Entry // of a mapping
	Items    []Entry // of a sequence, their keys empty; nested ones have no items
}

// EntryKind is the YAML kind of an entry's value.
type EntryKind uint8

// The kinds of values.
const (
	Scalar EntryKind = iota
	Mapping
	Sequence
	Null
)

// MaxYAML is the largest frontmatter that is read, in bytes, when it is more
// than plain `key: value` lines. The YAML library takes quadratic time and a
// deep stack for nested text, so nesting is limited as well.
const (
	MaxYAML    = 32 << 10
	maxNesting = 200
	maxKeys    = 200
)

// A YAMLError is why a frontmatter can't be read.
type YAMLError struct {
	Rel     parser.Rel
	Message string
	// Quote is a value that would be read if it stood in quotes, and Colon the place
	// behind a key where a colon is missing; both are empty where neither helps.
	Quote, Colon parser.Rel
}

// Entry returns the last entry with the key, nil when there is none.
func (f *Frontmatter) Entry(key string) *Entry {
	if f == nil {
		return nil
	}
	return find(f.Entries, key)
}

// Child returns the last child with the key, nil when there is none.
func (e *Entry) Child(key string) *Entry {
	if e == nil {
		return nil
	}
	return find(e.Children, key)
}

func find(es []Entry, key string) *Entry {
	for i := len(es) - 1; i >= 0; i-- {
		if es[i].Key == key {
			return &es[i]
		}
	}
	return nil
}

// ParseFrontmatter reads the frontmatter of a block of that kind. The plain
// form that every tool writes is read directly, which is a hundred times
// cheaper; anything else goes through a full YAML parser.
func ParseFrontmatter(b *parser.Block) *Frontmatter {
	f := &Frontmatter{Inner: b.FrontmatterRange()}
	src := b.Text()[f.Inner.Start:f.Inner.End]
	if es, ok := plainYAML(src, f.Inner.Start); ok {
		f.Entries = es
		return f
	}
	f.full(src)
	return f
}

// plainYAML reads `key: value` lines with plain one-line values, and one level
// of nested ones. ok is false when anything else stands in the text.
func plainYAML(src string, base int) (es []Entry, ok bool) {
	for at := 0; at < len(src); {
		end := strings.IndexByte(src[at:], '\n')
		next := at + end + 1
		if end < 0 {
			end, next = len(src), len(src)
		} else {
			end += at
		}
		line := strings.TrimSuffix(src[at:end], "\r")
		start := at
		at = next
		if strings.TrimRight(line, " ") == "" {
			continue
		}
		ind := 0
		for ind < len(line) && line[ind] == ' ' {
			ind++
		}
		e, ok := plainEntry(line[ind:], base+start+ind)
		if !ok || ind != 0 && ind != 2 {
			return nil, false
		}
		siblings := &es
		if ind == 2 {
			if len(es) == 0 || es[len(es)-1].Kind == Scalar {
				return nil, false
			}
			parent := &es[len(es)-1]
			parent.Kind = Mapping
			siblings = &parent.Children
			if e.Kind == Null {
				return nil, false
			}
		}
		if len(*siblings) >= maxKeys || find(*siblings, e.Key) != nil {
			return nil, false
		}
		*siblings = append(*siblings, e)
	}
	return es, true
}

func plainEntry(line string, at int) (Entry, bool) {
	i := 0
	for i < len(line) && (line[i] == '_' || line[i] == '-' || isAlnum(line[i])) {
		i++
	}
	if i == 0 || line[0] == '-' || i == len(line) || line[i] != ':' {
		return Entry{}, false
	}
	e := Entry{Key: line[:i], KeyRel: parser.Rel{Start: at, End: at + i}}
	v := strings.Trim(line[i+1:], " ")
	lead := len(line) - len(strings.TrimLeft(line[i+1:], " "))
	e.ValueRel = parser.Rel{Start: at + lead, End: at + lead + len(v)}
	if v == "" {
		e.Kind = Null
		e.ValueRel = parser.Rel{Start: at + i + 1, End: at + i + 1}
		return e, true
	}
	if line[i+1] != ' ' || !isAlnum(v[0]) && v[0] < 0x80 || strings.Contains(v, ": ") || strings.Contains(v, " #") ||
		v[len(v)-1] == ':' || strings.IndexByte(v, '\t') >= 0 || strings.IndexByte(v, '\r') >= 0 || strings.EqualFold(v, "null") {
		return Entry{}, false
	}
	for i := range len(v) {
		if v[i] < ' ' || v[i] == 0x7f {
			return Entry{}, false
		}
	}
	e.Value = v
	return e, true
}

func isAlnum(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9'
}

// full reads src with the YAML library.
func (f *Frontmatter) full(src string) {
	top := parser.Rel{Start: f.Inner.Start, End: f.Inner.Start}
	if len(src) > MaxYAML || strings.Count(src, "[")+strings.Count(src, "{") > maxNesting || strings.Count(src, "\n") > 4*maxKeys {
		f.Err = &YAMLError{Rel: top, Message: "the frontmatter is too large to be read"}
		return
	}
	norm, lines := yamlLines(src)
	file, err := parseYAML(norm)
	if err != nil {
		if f.Err = f.yamlError(err, lines, src); !strings.HasPrefix(f.Err.Message, "the key ") {
			f.explain(src)
		}
		return
	}
	r := yamlReader{f: f, src: src, lines: lines, anchors: map[string]ast.Node{}, budget: 10 * maxKeys}
	for _, doc := range file.Docs {
		if doc.Body == nil {
			continue
		}
		m, ok := r.plain(doc.Body).(ast.MapNode)
		if !ok {
			if doc.Body.Type() == ast.CommentType || doc.Body.Type() == ast.CommentGroupType {
				continue
			}
			f.Err = &YAMLError{Rel: top, Message: "the frontmatter must be `key: value` lines"}
			f.explain(src)
			return
		}
		f.Entries = append(f.Entries, r.mapping(m)...)
	}
	f.checkDuplicates(f.Entries)
}

func (f *Frontmatter) checkDuplicates(es []Entry) {
	seen := make(map[string]bool, len(es))
	for i := range es {
		if seen[es[i].Key] && f.Err == nil {
			f.Err = &YAMLError{Rel: es[i].KeyRel, Message: duplicateKey(es[i].Key)}
		}
		seen[es[i].Key] = true
		f.checkDuplicates(es[i].Children)
	}
}

func duplicateKey(key string) string {
	return "the key `" + key + "` stands here for the second time"
}

// yamlLines unifies line breaks, so that the library counts lines as we do, and
// returns the offset in src where each line starts.
func yamlLines(src string) (string, []int) {
	starts := []int{0}
	for i := 0; i < len(src); i++ {
		if src[i] == '\n' || src[i] == '\r' && (i+1 == len(src) || src[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n"), starts
}

// parseYAML turns a panic of the library into an error: hostile input must not
// take the process down.
func parseYAML(src string) (file *ast.File, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errYAML{}
		}
	}()
	return yamlparser.ParseBytes([]byte(src), yamlparser.ParseComments)
}

type errYAML struct{}

func (errYAML) Error() string { return "not valid YAML" }

// yamlReader turns the library's tree into entries. budget bounds what aliases
// of aliases can grow to.
type yamlReader struct {
	f       *Frontmatter
	src     string
	lines   []int
	anchors map[string]ast.Node
	budget  int
}

// plain unwraps anchors, tags and aliases. An alias of nothing is nil.
func (r *yamlReader) plain(n ast.Node) ast.Node {
	for range 16 {
		switch v := n.(type) {
		case *ast.AnchorNode:
			if v.Name != nil {
				r.anchors[v.Name.GetToken().Value] = v.Value
			}
			n = v.Value
		case *ast.TagNode:
			n = v.Value
		case *ast.AliasNode:
			if v.Value == nil {
				return nil
			}
			n = r.anchors[v.Value.GetToken().Value]
		case *ast.MappingKeyNode:
			n = v.Value
		default:
			return n
		}
	}
	return nil
}

func (r *yamlReader) mapping(m ast.MapNode) []Entry {
	var es []Entry
	for it := m.MapRange(); it.Next(); {
		if r.budget--; r.budget < 0 {
			break
		}
		es = append(es, r.entry(it.Key(), it.Value()))
	}
	return es
}

func (r *yamlReader) entry(key ast.MapKeyNode, val ast.Node) Entry {
	e := Entry{Key: key.String(), KeyRel: r.rel(key), ValueRel: r.rel(val)}
	if n := r.plain(key); n != nil {
		if k, ok := n.(*ast.StringNode); ok {
			e.Key = k.Value
		}
	}
	switch v := r.plain(val).(type) {
	case ast.MapNode:
		e.Kind, e.Children = Mapping, r.mapping(v)
	case *ast.SequenceNode:
		e.Kind = Sequence
		for _, n := range v.Values {
			if r.budget--; r.budget < 0 {
				break
			}
			item := Entry{ValueRel: r.rel(n)}
			r.scalar(&item, r.plain(n))
			e.Items = append(e.Items, item)
		}
	default:
		r.scalar(&e, v)
	}
	return e
}

func (r *yamlReader) scalar(e *Entry, n ast.Node) {
	switch v := n.(type) {
	case nil, *ast.NullNode:
		e.Kind = Null
	case ast.MapNode:
		e.Kind = Mapping
	case *ast.SequenceNode:
		e.Kind = Sequence
	case *ast.StringNode:
		e.Value = v.Value
		e.Quoted = v.Token != nil && (v.Token.Type == token.SingleQuoteType || v.Token.Type == token.DoubleQuoteType)
	case *ast.LiteralNode:
		e.Value, e.Quoted = v.Value.Value, true
	default:
		e.Value = v.GetToken().Value
	}
}

// rel is the range of a node's first token.
func (r *yamlReader) rel(n ast.Node) parser.Rel {
	base := r.f.Inner.Start
	if n == nil || n.GetToken() == nil || n.GetToken().Position == nil {
		return parser.Rel{Start: base, End: base}
	}
	t := n.GetToken()
	start := offsetOf(t.Position.Line, t.Position.Column, r.lines, r.src)
	end := start
	if rest := r.src[start:]; strings.HasPrefix(rest, t.Value) {
		end += len(t.Value)
	} else if rest != "" && (rest[0] == '"' || rest[0] == '\'') {
		if i := strings.IndexByte(rest[1:], rest[0]); i >= 0 {
			end += i + 2
		}
	}
	return parser.Rel{Start: base + start, End: base + end}
}

// offsetOf converts the library's 1-based line and column (characters) to bytes.
func offsetOf(line, col int, lines []int, src string) int {
	if line < 1 || line > len(lines) {
		return len(src)
	}
	at := lines[line-1]
	for range col - 1 {
		if at >= len(src) || src[at] == '\n' || src[at] == '\r' {
			break
		}
		at++
		for at < len(src) && src[at]&0xC0 == 0x80 {
			at++
		}
	}
	return min(at, len(src))
}
