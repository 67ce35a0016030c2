package ide

import (
	"fmt"
	"strings"

	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// jsonPlace is where an offset lies in JSON that need not be complete: a manifest
// is no JSON most of the time while it is typed.
type jsonPlace struct {
	path   []string        // names of the members around the place
	array  bool            // directly in an array
	key    bool            // where a member's name stands or may stand
	quoted int             // start of the string that the place is in, -1 for none
	names  map[string]bool // names of the object around the place
	values map[string]bool // strings of the array around the place
}

type jsonFrame struct {
	array  bool
	name   string // of the member being read
	colon  bool   // behind the colon of that member
	names  map[string]bool
	values map[string]bool
}

// placeInJSON scans src up to offset. Names behind it are read on to the end of
// the object around it, so that a member is not offered twice.
func placeInJSON(src string, offset int) jsonPlace {
	var stack []jsonFrame
	place := jsonPlace{quoted: -1}
	taken := false
	depth := 0
	take := func(quoted int) {
		taken = true
		depth = len(stack)
		place.quoted = quoted
		for _, f := range stack[:max(0, len(stack)-1)] {
			place.path = append(place.path, f.name)
		}
		if len(stack) == 0 {
			return
		}
		top := &stack[len(stack)-1]
		place.array, place.names, place.values = top.array, top.names, top.values
		if !top.array {
			place.key = !top.colon
			if top.colon {
				place.path = append(place.path, top.name)
			}
		}
	}
	for i := 0; i < len(src); {
		if !taken && i >= offset {
			take(-1)
		}
		if taken && len(stack) < depth {
			break
		}
		switch c := src[i]; c {
		case '{', '[':
			stack = append(stack, jsonFrame{array: c == '[', names: map[string]bool{}, values: map[string]bool{}})
			i++
		case '}', ']':
			if len(stack) > 0 {
				stack = stack[:len(stack)-1]
			}
			i++
		case ',':
			if len(stack) > 0 {
				top := &stack[len(stack)-1]
				top.name, top.colon = "", false
			}
			i++
		case ':':
			if len(stack) > 0 {
				stack[len(stack)-1].colon = true
			}
			i++
		case '"':
			end := stringEnd(src, i)
			inside := offset > i && offset <= end && (offset < end || end == len(src) || src[end-1] != '"' || end-1 == i)
			if !taken && inside {
				take(i)
			}
			content := strings.TrimSuffix(src[i+1:end], `"`)
			if len(stack) > 0 {
				top := &stack[len(stack)-1]
				switch {
				case inside:
				case top.array:
					top.values[content] = true
				case !top.colon:
					top.name = content
					top.names[content] = true
				}
			}
			i = end
		default:
			i++
		}
	}
	if !taken {
		take(-1)
	}
	return place
}

// stringEnd is behind the closing quote of a string, or at the end of its line
// when it is open.
func stringEnd(src string, start int) int {
	for i := start + 1; i < len(src); i++ {
		switch src[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		case '\n', '\r':
			return i
		}
	}
	return len(src)
}

// manifest completes members and values of manifest.json.
func (c *completer) manifest() {
	src := c.f.Tree.String()
	p := placeInJSON(src, c.offset)
	switch {
	case p.key && len(p.path) == 0 && p.names != nil:
		for _, w := range manifestKeys {
			if !p.names[w.name] {
				c.addJSON(p, Item{Label: w.name, Kind: ItemKey, Doc: w.doc, Text: w.name}, ": "+manifestDefault(w.name))
			}
		}
	case p.key && len(p.path) == 1 && p.path[0] == "primitive_counts":
		c.countMembers(p)
	case len(p.path) == 0:
	case p.path[0] == "capability_files" && p.array:
		for _, file := range c.f.View.Pack.Capabilities() {
			if !p.values[file.Name()] {
				c.addJSON(p, Item{Label: file.Name(), Kind: ItemFile, Detail: appliesTo(file), Doc: fileMarkdown(c.f.View, file.Name()), Text: file.Name()}, "")
			}
		}
	case p.path[0] == "agents" && p.array:
		for _, a := range agents {
			if !p.values[a] {
				c.addJSON(p, Item{Label: a, Kind: ItemValue, Text: a}, "")
			}
		}
	case p.path[0] == "layout":
		c.addJSON(p, Item{Label: pack.Layout, Kind: ItemValue, Text: pack.Layout}, "")
	case p.path[0] == "agents_file":
		c.addJSON(p, Item{Label: pack.AgentsName, Kind: ItemValue, Text: pack.AgentsName}, "")
	case p.path[0] == "primitive_format":
		c.addJSON(p, Item{Label: parser.FormatV04, Kind: ItemValue, Text: parser.FormatV04, Preselect: true}, "")
		c.addJSON(p, Item{Label: parser.FormatV03, Kind: ItemValue, Detail: "the old format", Text: parser.FormatV03}, "")
	case p.path[0] == "primitive_counts" && len(p.path) == 2 && p.quoted < 0:
		if t := parser.TypeOf(p.path[1]); t != parser.Unknown {
			counts, _ := c.f.View.Pack.Counts()
			n := itoa(counts[t])
			typed := tail(c.line, isWordByte)
			c.add(Item{Label: n, Kind: ItemValue, Detail: "in the files", Text: n, Preselect: true}, len(typed), isWordByte)
		}
	}
}

func (c *completer) countMembers(p jsonPlace) {
	counts, _ := c.f.View.Pack.Counts()
	for _, t := range primitiveTypes {
		if !p.names[t.String()] {
			c.addJSON(p, Item{Label: t.String(), Kind: ItemKey, Detail: fmt.Sprintf("%d in the files", counts[t]), Text: t.String()}, fmt.Sprintf(": %d", counts[t]))
		}
	}
	for _, name := range []string{"dropped_action_log", "dropped_duplicate"} {
		if !p.names[name] {
			c.addJSON(p, Item{Label: name, Kind: ItemKey, Detail: "left out while distilling", Text: name}, ": 0")
		}
	}
}

// addJSON adds a string: with quotes where the cursor is in none, and with what
// usually follows a name where nothing does.
func (c *completer) addJSON(p jsonPlace, it Item, follow string) {
	if strings.HasPrefix(strings.TrimLeft(strings.TrimPrefix(strings.TrimLeft(c.rest, "abcdefghijklmnopqrstuvwxyz_-.0123456789"), `"`), " "), ":") {
		follow = ""
	}
	it.Snippet = strings.Contains(follow, "$")
	if p.quoted < 0 {
		typed := tail(c.line, isNameByte)
		it.Text = quote(it.Text) + follow
		c.add(it, len(typed), isNameByte)
		return
	}
	end := c.offset
	src := c.line + c.rest
	stop := stringEnd(src, p.quoted-c.start) + c.start
	closed := stop > c.offset && c.f.Tree.Slice(text.Span{Start: stop - 1, End: stop}) == `"`
	if closed {
		end = stop
	}
	it.Text = quote(it.Text) + follow
	it.Replace = text.Span{Start: p.quoted, End: end}
	it.Insert = text.Span{Start: p.quoted, End: c.offset}
	if closed {
		it.Insert = it.Replace // a quote more would break the string
	}
	c.items = append(c.items, it)
}

// manifestDefault is what usually follows a member's name, as a snippet.
func manifestDefault(name string) string {
	switch name {
	case "version":
		return `{"number": ${1:1}}`
	case "layout":
		return `"` + pack.Layout + `"`
	case "primitive_format":
		return `"` + parser.FormatV04 + `"`
	case "agents_file":
		return `"` + pack.AgentsName + `"`
	case "agents":
		return `["${1|` + strings.Join(agents, ",") + `|}"]`
	case "capability_files", "sources":
		return `["$1"]`
	case "primitive_counts":
		return "{$1}"
	case "signed":
		return "false"
	default:
		return `"$1"`
	}
}
