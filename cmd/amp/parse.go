package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/credential"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/parser"
	"github.com/amp-toolchain/amp/parser/text"
)

func newParseCmd() *cobra.Command {
	var format, reader string
	cmd := &cobra.Command{
		Use:   "parse FILE",
		Short: "Show how a capability file is read",
		Long: `Show how a capability file is read: its primitives with facets, content and
reason, its legend and frontmatter, and the lines that belong to nothing. Text
output shows no credential; JSON has every value as it stands in the file.

The manifest around the file decides between the v0.4 and the v0.3 reader;
without one, and for '-' (standard input), it is v0.4 unless --reader says otherwise.`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "json" && format != "text" {
				return usagef("unknown format %q, expected json or text", format)
			}
			f, err := readerOf(reader, args[0])
			if err != nil {
				return err
			}
			src, err := readSource(args[0], cmd.InOrStdin())
			if err != nil {
				return err
			}
			t := parser.Parse(src, f)
			if m, ok := cmd.OutOrStdout().(maskedWriter); ok {
				m.known.Add(src)
			}
			out := parsed(t)
			for _, doubt := range doubts(args[0], t, src) {
				fmt.Fprintf(cmd.ErrOrStderr(), "amp: %s: %s\n", shownLine(args[0]), doubt)
			}
			if format == "json" {
				return writeExactJSON(exactOut(cmd), out)
			}
			return out.text(cmd.OutOrStdout())
		},
	}
	cmd.Flags().StringVar(&format, "format", "text", "output `format`: text or json")
	cmd.Flags().StringVar(&reader, "reader", "auto", "`reader` for the body: auto, v0.4 or v0.3")
	return cmd
}

// doubts are what keeps a reading from being the one that was meant, for people:
// what is printed on standard output shows nothing of it.
func doubts(name string, t *parser.Tree, src string) (out []string) {
	if base := filepath.Base(name); base == pack.ManifestName || base == pack.AgentsName {
		out = append(out, "no capability file, but read as one")
	}
	switch at := analysis.BadByte(src); {
	case analysis.WideText(src):
		return append(out, "UTF-16, which no reader of packs takes: save it as UTF-8")
	case at >= 0:
		line, _ := t.Position(at, text.UTF8)
		out = append(out, fmt.Sprintf("line %d: not UTF-8, or a NUL byte", line+1))
	}
	for i := range 2 {
		it, ok := t.AtIndex(i)
		if !ok || it.Kind() != parser.Frontmatter {
			continue
		}
		fm := pack.ParseFrontmatter(it.Block)
		switch {
		case it.Unclosed():
			out = append(out, "the frontmatter is never closed by a `---` line")
		case fm.Err != nil:
			line, _ := t.Position(it.Offset+fm.Err.Rel.Start, text.UTF8)
			out = append(out, fmt.Sprintf("line %d: %s; it is shown as empty", line+1, shownLine(fm.Err.Message)))
		}
	}
	return out
}

func readSource(name string, stdin io.Reader) (string, error) {
	if name == "-" {
		b, err := io.ReadAll(io.LimitReader(stdin, pack.MaxFile+1))
		if err == nil && len(b) > pack.MaxFile {
			err = pack.ErrTooLarge
		}
		return string(b), err
	}
	st, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !st.Mode().IsRegular() {
		return "", &fs.PathError{Op: "parse", Path: name, Err: errors.New("not a regular file")}
	}
	if st.Size() > pack.MaxFile {
		return "", &fs.PathError{Op: "parse", Path: name, Err: pack.ErrTooLarge}
	}
	b, err := os.ReadFile(name)
	return string(b), err
}

func readerOf(reader, name string) (parser.Format, error) {
	switch reader {
	case "v0.4":
		return parser.V04, nil
	case "v0.3":
		return parser.V03, nil
	case "auto":
	default:
		return 0, usagef("unknown reader %q, expected auto, v0.4 or v0.3", reader)
	}
	t, ok := batch.Around(name)
	if name == "-" || !ok {
		return parser.V04, nil
	}
	m := pack.ReadFile(os.DirFS(t.Dir), pack.ManifestName)
	return pack.New(t.Display, []*pack.File{m}).Format.Reader(), nil
}

type parsedFile struct {
	Blocks      []parsedBlock  `json:"blocks"`
	Legend      []parsedEntry  `json:"legend"`
	Frontmatter map[string]any `json:"frontmatter"`
	Stray       []parsedStray  `json:"stray"`
}

type parsedBlock struct {
	Type        string            `json:"type"`
	Written     string            `json:"written"`
	Facets      []string          `json:"facets"`
	Content     string            `json:"content"`
	Reason      *string           `json:"reason"`
	StartLine   int               `json:"start_line"`
	EndLine     int               `json:"end_line"`
	StartOffset int               `json:"start_offset"`
	EndOffset   int               `json:"end_offset"`
	Resolved    map[string]string `json:"resolved"`
}

type parsedEntry struct {
	Code  string `json:"code"`
	Title string `json:"title"`
	URL   string `json:"url"`
}

type parsedStray struct {
	StartLine int `json:"start_line"`
	EndLine   int `json:"end_line"`
}

func parsed(t *parser.Tree) parsedFile {
	out := parsedFile{Blocks: []parsedBlock{}, Legend: []parsedEntry{}, Frontmatter: map[string]any{}, Stray: []parsedStray{}}
	for it := range t.All() {
		switch it.Kind() {
		case parser.Frontmatter:
			fm := pack.ParseFrontmatter(it.Block)
			out.Frontmatter = entries(fm.Entries)
		case parser.Legend:
			if it.Misplaced() {
				out.stray(it, it.Start(), it.End())
				break
			}
			es, _ := it.LegendEntries()
			for _, e := range es {
				out.Legend = append(out.Legend, parsedEntry{e.Code, e.Title, e.URL})
			}
		case parser.Primitive:
			out.Blocks = append(out.Blocks, block(it))
			if r := it.Tail(); r.Start < r.End {
				out.stray(it, r.Start, it.End())
			}
		case parser.Loose, parser.Malformed:
			out.stray(it, it.Start(), it.End())
		}
	}
	return out
}

// lineAt is the 1-based line of an offset in the block.
func lineAt(it parser.Item, offset int) int {
	return it.Line + 1 + strings.Count(unify(it.Text()[:offset]), "\n")
}

func unify(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
}

func (f *parsedFile) stray(it parser.Item, start, end int) {
	f.Stray = append(f.Stray, parsedStray{lineAt(it, start), lineAt(it, end)})
}

func block(it parser.Item) parsedBlock {
	b := parsedBlock{
		Type: it.Type().String(), Written: it.Written(), Facets: []string{}, Content: it.Content(),
		StartLine: it.Line + 1, EndLine: lineAt(it, it.PrimitiveEnd()),
		StartOffset: it.Offset + it.Start(), EndOffset: it.Offset + it.PrimitiveEnd(), Resolved: it.Resolved(),
	}
	if it.Type() == parser.Unknown {
		b.Type = b.Written
	}
	for _, t := range it.Facets() {
		b.Facets = append(b.Facets, t.Text)
	}
	if it.HasReason() {
		r := it.Reason()
		b.Reason = &r
	}
	return b
}

func entries(es []pack.Entry) map[string]any {
	m := map[string]any{}
	for _, e := range es {
		switch e.Kind {
		case pack.Mapping:
			m[e.Key] = entries(e.Children)
		case pack.Sequence:
			m[e.Key] = sequence(e.Items)
		default:
			m[e.Key] = scalar(&e)
		}
	}
	return m
}

func sequence(items []pack.Entry) []any {
	out := []any{}
	for i := range items {
		out = append(out, scalar(&items[i]))
	}
	return out
}

// scalar is a value as JSON: numbers and truth values as such, all else as text.
func scalar(e *pack.Entry) any {
	switch {
	case e.Kind == pack.Null:
		return nil
	case e.Quoted:
	case e.Value == "true" || e.Value == "false":
		return e.Value == "true"
	default:
		if n, err := strconv.Atoi(e.Value); err == nil && strconv.Itoa(n) == e.Value {
			return n
		}
	}
	return e.Value
}

// text is the form for people: one paragraph a primitive, as visible text and
// without live credentials.
func (f *parsedFile) text(w io.Writer) error {
	var b strings.Builder
	for _, p := range f.Blocks {
		fmt.Fprintf(&b, "%d-%d %s", p.StartLine, p.EndLine, oneLine(p.Type))
		for _, k := range []string{"force", "scope", "stability", "valence", "illustrates"} {
			if v := p.Resolved[k]; v != "" {
				fmt.Fprintf(&b, " %s=%s", k, shownLine(v))
			}
		}
		b.WriteByte('\n')
		shownLines(&b, "    ", p.Content)
		if p.Reason != nil {
			shownLines(&b, "    > ", *p.Reason)
		}
	}
	for _, e := range f.Legend {
		fmt.Fprintf(&b, "source %s: %s", shownLine(e.Code), shownLine(e.Title))
		if e.URL != "" {
			b.WriteString(" " + shownLine(e.URL))
		}
		b.WriteByte('\n')
	}
	for _, s := range f.Stray {
		fmt.Fprintf(&b, "%d-%d belongs to no primitive\n", s.StartLine, s.EndLine)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func shownLine(s string) string { return oneLine(credential.MaskText(s)) }

func shownLines(b *strings.Builder, indent, s string) {
	for line := range strings.SplitSeq(credential.MaskText(s), "\n") {
		b.WriteString(indent)
		b.WriteString(oneLine(line))
		b.WriteByte('\n')
	}
}
