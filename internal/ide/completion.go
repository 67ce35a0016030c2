package ide

import (
	"fmt"
	"slices"
	"strings"

	"github.com/amp-toolchain/amp/internal/session"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

// ItemKind is what a completion item is, for its icon.
type ItemKind uint8

// The kinds of items.
const (
	ItemType ItemKind = iota
	ItemValue
	ItemLabel
	ItemSource
	ItemKey
	ItemFile
	ItemSnippet
)

// An Item is one thing that can be written at the cursor.
type Item struct {
	Label  string
	Kind   ItemKind
	Detail string
	Doc    string // Markdown
	// Text replaces Replace; a client that inserts replaces Insert instead,
	// which ends at the cursor. Snippet tells that Text has placeholders.
	Text            string
	Snippet         bool
	Insert, Replace text.Span
	Preselect       bool
}

// completer gathers the items for one place.
type completer struct {
	f      *File
	offset int
	line   string // up to the cursor
	rest   string // of the line behind the cursor
	start  int    // offset of the line
	items  []Item
}

// Complete returns what can be written at an offset. Items come in the order in
// which they should be shown.
func Complete(f *File, offset int) []Item {
	span := lineSpan(f.Tree, offset)
	offset = min(max(offset, span.Start), span.End)
	c := &completer{
		f: f, offset: offset, start: span.Start,
		line: f.Tree.Slice(text.Span{Start: span.Start, End: offset}),
		rest: f.Tree.Slice(text.Span{Start: offset, End: span.End}),
	}
	switch f.Kind {
	case session.Manifest:
		c.manifest()
	case session.Agents:
		c.agents()
	default:
		if f.Capability() {
			c.capability()
		}
	}
	return c.items
}

// add adds an item that replaces the word around the cursor: from columns before
// it up to the end of the word behind it.
func (c *completer) add(it Item, before int, isWord func(byte) bool) {
	after := 0
	for after < len(c.rest) && isWord(c.rest[after]) {
		after++
	}
	it.Insert = text.Span{Start: c.offset - before, End: c.offset}
	it.Replace = text.Span{Start: c.offset - before, End: c.offset + after}
	c.items = append(c.items, it)
}

func isWordByte(b byte) bool {
	return b == '_' || b == '-' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b >= 0x80
}

func isNameByte(b byte) bool { return isWordByte(b) || b == '.' }

// word is the part of a word that stands before the cursor.
func tail(s string, isWord func(byte) bool) string {
	i := len(s)
	for i > 0 && isWord(s[i-1]) {
		i--
	}
	return s[i:]
}

func (c *completer) capability() {
	it, ok := c.f.block(max(c.start, 0))
	if ok && it.Kind() == parser.Frontmatter && !(c.start >= it.Offset+it.End() && !it.Unclosed()) {
		c.frontmatter(it)
		return
	}
	if ok && it.Kind() == parser.Primitive && it.Brace() && c.start > it.Offset+it.Head().End && !inTail(it, c.start) {
		return // nothing is parsed between braces
	}
	if ok && it.Kind() == parser.Legend && !it.Misplaced() && strings.HasPrefix(c.line, " ") {
		return
	}
	switch {
	case strings.HasPrefix(c.line, "[") && !strings.Contains(c.line, "]"):
		c.tag()
	case isReason(c.line):
		c.citation()
	case strings.Trim(c.line, "abcdefghijklmnopqrstuvwxyz") == "":
		c.snippets(len(c.line), "")
		c.legendSnippet()
	}
}

// inTail reports whether a line start lies behind the closing brace.
func inTail(it parser.Item, start int) bool {
	if it.Unclosed() {
		return false
	}
	return start > it.Offset+it.Body().End+1
}

// isReason reports whether a line up to the cursor opens a citation: `> [`.
func isReason(line string) bool {
	s := strings.TrimLeft(line, " \t")
	if len(s) == len(line) {
		return false
	}
	s, ok := strings.CutPrefix(s, ">")
	if !ok {
		return false
	}
	s = strings.TrimLeft(s, " ")
	return strings.HasPrefix(s, "[") && !strings.Contains(s, "]")
}

// tag completes between `[` and `]`.
func (c *completer) tag() {
	body := c.line[1:]
	typeWord := body
	if i := strings.IndexAny(body, " \t"); i >= 0 {
		typeWord = body[:i]
	} else {
		c.types(typeWord)
		return
	}
	t := parser.TypeOf(typeWord)
	if t == parser.Unknown {
		return
	}
	facets := body[len(typeWord):]
	n := strings.Count(facets, ",")
	specs := t.Facets()
	if n >= len(specs) {
		return
	}
	part := facets[strings.LastIndexByte(facets, ',')+1:]
	spec := &specs[n]
	if spec.Key {
		c.illustrates(part)
		return
	}
	word := tail(part, isWordByte)
	for _, v := range spec.Values {
		it := Item{Label: v, Kind: ItemValue, Detail: spec.Name, Doc: valueDoc(spec.Name, v), Text: v, Preselect: v == spec.Default}
		if v == spec.Default {
			it.Detail += " (default)"
		}
		c.add(it, len(word), isWordByte)
	}
}

// types completes the first word of a tag: the bare types, and whole primitives.
func (c *completer) types(typed string) {
	for _, w := range parser.TypeWords {
		t := parser.TypeOf(w)
		c.add(Item{Label: w, Kind: ItemType, Detail: signatureOf(t), Doc: typeDoc(t), Text: w}, len(typed), isWordByte)
	}
	if strings.HasPrefix(strings.TrimLeft(c.rest, "abcdefghijklmnopqrstuvwxyz"), "]") && !strings.HasPrefix(c.rest, "]") {
		return // a tag that is being changed, not a new one
	}
	c.snippets(len(typed)+1, "[")
}

// snippets offers a whole primitive for each sentence pattern. before is what
// they replace in front of the cursor; filter is put before their labels, for
// clients that filter by what has been typed.
func (c *completer) snippets(before int, prefix string) {
	closing := 0
	if strings.HasPrefix(c.rest, "]") {
		closing = 1 // the bracket that an editor has closed by itself
	}
	add := func(t parser.Type, tag, label, body string) {
		it := Item{
			Label: prefix + label, Kind: ItemSnippet, Detail: "new " + t.String(), Text: "[" + tag + "] " + body + "$0", Snippet: true,
			Doc: "```amp\n" + plain("["+tag+"] "+body) + "\n```",
		}
		it.Insert = text.Span{Start: c.offset - before, End: c.offset}
		it.Replace = text.Span{Start: c.offset - before, End: c.offset + closing}
		if closing > 0 {
			it.Insert = it.Replace
		}
		c.items = append(c.items, it)
	}
	for _, t := range primitiveTypes[:3] {
		for _, p := range patterns(t) {
			tag := []string{t.String()}
			for i, spec := range t.Facets() {
				sep := ", "
				if i == 0 {
					sep = " "
				}
				tag = append(tag, fmt.Sprintf("%s${%d|%s|}", sep, 10+i, strings.Join(defaultFirst(&spec), ",")))
			}
			add(t, strings.Join(tag, ""), t.String()+": "+plain(p), p)
		}
	}
	valence := "${1|positive,negative,mixed|}"
	add(parser.Demonstration, "demo "+valence, "demo: one line", "${2:artifact}")
	add(parser.Demonstration, "demo "+valence, "demo: between braces", "{\n${2:artifact}\n}\n  > ${3:annotation}")
}

func defaultFirst(spec *parser.FacetSpec) []string {
	vs := slices.Clone(spec.Values)
	slices.SortStableFunc(vs, func(a, b string) int {
		switch spec.Default {
		case a:
			return -1
		case b:
			return 1
		}
		return 0
	})
	return vs
}

// illustrates completes `illustrates: label`.
func (c *completer) illustrates(part string) {
	trimmed := strings.TrimLeft(part, " \t")
	value, ok := strings.CutPrefix(trimmed, "illustrates:")
	if !ok {
		c.add(Item{Label: "illustrates: ", Kind: ItemKey, Detail: "label", Doc: facetDoc("illustrates"), Text: "illustrates: "}, len(trimmed), isWordByte)
		return
	}
	value = strings.TrimLeft(value, " \t")
	seen := map[string]int{}
	each(c.f, func(_ string, t *parser.Tree) {
		for it := range t.All() {
			if l, _ := it.Illustrates(); l != "" && it.Offset != c.start {
				seen[l]++
			}
		}
	})
	names := make([]string, 0, len(seen))
	for l := range seen {
		names = append(names, l)
	}
	slices.Sort(names)
	lead := ""
	if strings.HasSuffix(part, ":") {
		lead = " "
	}
	for _, l := range names {
		c.add(Item{Label: l, Kind: ItemLabel, Detail: fmt.Sprintf("label used %s", times(seen[l])), Text: lead + l}, len(value), isWordByte)
	}
}

// citation completes the short code of `> [`.
func (c *completer) citation() {
	_, entries, ok := legend(c.f.Tree)
	if !ok {
		return
	}
	typed := c.line[strings.IndexByte(c.line, '[')+1:]
	closing := "]"
	if strings.Contains(c.rest, "]") {
		closing = ""
	}
	inBracket := func(b byte) bool { return b != ']' }
	for _, e := range entries {
		if e.Code == "" {
			continue
		}
		doc := escape(e.Title)
		if e.URL != "" {
			doc += "\n\n" + code(e.URL)
		}
		c.add(Item{Label: e.Code, Kind: ItemSource, Detail: e.Title, Doc: doc, Text: e.Code + closing}, len(typed), inBracket)
	}
	for _, e := range entries {
		if e.Code != "" && strings.HasPrefix(typed, e.Code) {
			c.add(Item{
				Label: e.Code + parser.Verbatim, Kind: ItemSource, Detail: "the source's exact words",
				Doc: "Only when the primitive uses the source's exact words.", Text: e.Code + parser.Verbatim + closing,
			}, len(typed), inBracket)
		}
	}
}

// legendSnippet offers a legend where one may stand.
func (c *completer) legendSnippet() {
	it, ok := c.f.block(c.start)
	if _, _, has := legend(c.f.Tree); has || !ok || it.Index > 1 && !it.Top() {
		return
	}
	c.items = append(c.items, Item{
		Label: "sources:", Kind: ItemSnippet, Detail: "citation legend", Snippet: true,
		Doc:    "Sources that reasons cite by a short code. The legend stands directly behind the frontmatter.",
		Text:   "sources:\n  ${1:Short code}: ${2:Full source title}\n    ${3:https://}\n$0",
		Insert: text.Span{Start: c.start, End: c.offset}, Replace: text.Span{Start: c.start, End: c.offset},
	})
}

// frontmatter completes keys and values of the frontmatter.
func (c *completer) frontmatter(it parser.Item) {
	fm := pack.ParseFrontmatter(it.Block)
	indented := strings.HasPrefix(c.line, " ")
	key, value, hasValue := strings.Cut(strings.TrimLeft(c.line, " "), ":")
	if hasValue {
		c.frontmatterValue(key, strings.TrimLeft(value, " "), indented)
		return
	}
	if indented {
		counts := fm.Entry("primitive_counts")
		for _, t := range []parser.Type{parser.Directive, parser.Goal, parser.Claim, parser.Demonstration} {
			if counts.Child(t.String()) != nil && !strings.HasPrefix(c.rest, ":") {
				continue
			}
			c.add(Item{
				Label: t.String(), Kind: ItemKey, Detail: fmt.Sprintf("%d in this file", c.f.Tree.Summary().Types[t]),
				Text: fmt.Sprintf("%s: %d", t, c.f.Tree.Summary().Types[t]),
			}, len(key), isWordByte)
		}
		return
	}
	for _, w := range frontmatterKeys {
		if fm.Entry(w.name) != nil && w.name != key {
			continue
		}
		c.add(Item{Label: w.name, Kind: ItemKey, Doc: w.doc, Text: w.name + c.frontmatterDefault(w.name), Snippet: true}, len(key), isWordByte)
	}
}

// frontmatterDefault is what usually follows a key.
func (c *completer) frontmatterDefault(key string) string {
	if strings.HasPrefix(c.rest, ":") {
		return ""
	}
	switch key {
	case "type":
		return ": cluster"
	case "source":
		return ": ${1|self,imported,inferred|}"
	case "primitive_counts":
		s := ":"
		for _, t := range []parser.Type{parser.Directive, parser.Goal, parser.Claim, parser.Demonstration} {
			s += fmt.Sprintf("\n  %s: %d", t, c.f.Tree.Summary().Types[t])
		}
		return s
	default:
		return ": ${1:what tasks the file is for}"
	}
}

func (c *completer) frontmatterValue(key, typed string, indented bool) {
	lead := ""
	if strings.HasSuffix(c.line, ":") {
		lead = " "
	}
	if indented {
		if t := parser.TypeOf(key); t != parser.Unknown {
			n := itoa(c.f.Tree.Summary().Types[t])
			c.add(Item{Label: n, Kind: ItemValue, Detail: "in this file", Text: lead + n, Preselect: true}, len(typed), isWordByte)
		}
		return
	}
	switch key {
	case "type":
		c.add(Item{Label: "cluster", Kind: ItemValue, Text: lead + "cluster"}, len(typed), isWordByte)
	case "source":
		for _, w := range sources {
			c.add(Item{Label: w.name, Kind: ItemValue, Doc: w.doc, Text: lead + w.name}, len(typed), isWordByte)
		}
	}
}

// agents completes in the routing table and the list of what is always loaded.
func (c *completer) agents() {
	routing := c.f.View.Pack.Routing
	switch {
	case strings.HasPrefix(c.line, "|") && strings.Count(c.line, "|") >= 2, isItem(c.line):
		typed := tail(c.line, isNameByte)
		for _, file := range c.f.View.Pack.Capabilities() {
			c.add(Item{Label: file.Name(), Kind: ItemFile, Detail: appliesTo(file), Doc: fileMarkdown(c.f.View, file.Name()), Text: file.Name()}, len(typed), isNameByte)
		}
	case strings.Trim(c.line, "|") == "" && strings.TrimSpace(c.rest) == "":
		for _, file := range c.f.View.Pack.Capabilities() {
			if routes(routing, file.Name()) {
				continue
			}
			c.items = append(c.items, Item{
				Label: "| … | " + file.Name() + " |", Kind: ItemSnippet, Detail: "routing row", Doc: fileMarkdown(c.f.View, file.Name()), Snippet: true,
				Text:   "| ${1:" + snippetText(firstOf(appliesTo(file), topic(file.Name()))) + "} | " + file.Name() + " |$0",
				Insert: text.Span{Start: c.start, End: c.offset}, Replace: text.Span{Start: c.start, End: c.offset},
			})
		}
	}
}

func isItem(line string) bool {
	return (strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ")) && !strings.Contains(line, " — ") && !strings.Contains(line, " - ")
}

// appliesTo is the description in a capability file's frontmatter.
func appliesTo(file *pack.File) string {
	if _, fm := frontmatter(file.Tree); fm != nil {
		if e := fm.Entry("applies_to"); e != nil {
			return e.Value
		}
	}
	return ""
}

func firstOf(a, b string) string {
	if a != "" {
		return a
	}
	return b
}

// snippetText escapes text for a placeholder.
func snippetText(s string) string {
	return strings.NewReplacer(`\`, `\\`, "$", `\$`, "}", `\}`).Replace(s)
}
