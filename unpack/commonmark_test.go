package unpack

import (
	"bytes"
	"html"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/extension"
	rawHTML "github.com/yuin/goldmark/renderer/html"
)

// FuzzTextShowsAsItsLetters renders what escape writes, in all the places where it
// stands, by a full reader of CommonMark and its common extensions: the page shows
// the letters of the pack, and no element but those that are ours.
func FuzzTextShowsAsItsLetters(f *testing.F) {
	md := goldmark.New(
		goldmark.WithExtensions(extension.Table, extension.Strikethrough, extension.TaskList, extension.DefinitionList, extension.Footnote),
		goldmark.WithRendererOptions(rawHTML.WithUnsafe()),
	)
	for _, s := range []string{
		"a", "*a* [b](c)", "`a` ``b``", "<b>", "&lt;", "\\*", "# a", "- a", "1. a", "[ ] x", "| a | b |", ": a", "~a~ ~~b~~", "_a_ __b__", "![a](b)",
		"[^1]", "[a]: b", "\t a", "***", "---", "===", "a_b_c _d_", "`a\\`", "\\`a`", "`` ` ``", "a\\", "&#35; x", "a ` <b> ` c", "a`b``c`d", "!~!",
		"<!-- x -->", "<?php ?>", "<https://a.example>", "a  ", "+ a", "> a", "```", "~~~", "{{ a }}", "12) a", "&amp", "a]", "`[[a]]`", "a_“b”_c", "a_—_",
	} {
		f.Add(s, "plain")
		f.Add("plain", s)
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, content, reason string) {
		if !utf8.ValidString(content+reason) || strings.ContainsAny(content+reason, "\n\r") {
			return // neither gets here
		}
		a, b := escape(content), escape(reason)
		if a == "" || b == "" {
			return
		}
		page := "- **must** " + a + " *(org)* — " + b + "\n  " + b + "\n- " + a + "\n\n### " + a + "\n"
		var out bytes.Buffer
		if err := md.Convert([]byte(page), &out); err != nil {
			t.Fatal(err)
		}
		shown, tags := plain(out.String())
		for tag, n := range tags {
			want, ours := map[string]int{"ul": 1, "li": 2, "strong": 1, "em": 1, "h3": 1, "code": n}[tag]
			if !ours || n != want {
				t.Errorf("%d times <%s> in %q:\n%s", n, tag, page, out.String())
			}
		}
		want := "must " + content + "(org) — " + reason + reason + content + content
		if letters(shown) != letters(visible(want)) {
			t.Errorf("%q shows as %q, want %q", page, shown, want)
		}
	})
}

// plain takes HTML apart into its text and its elements.
func plain(s string) (text string, tags map[string]int) {
	tags = map[string]int{}
	var b strings.Builder
	for {
		before, rest, ok := strings.Cut(s, "<")
		b.WriteString(html.UnescapeString(before))
		if !ok {
			return b.String(), tags
		}
		tag, after, _ := strings.Cut(rest, ">")
		if name, _, _ := strings.Cut(tag, " "); !strings.HasPrefix(name, "/") {
			tags[name]++
		}
		s = after
	}
}

// letters leaves out white space, and the backticks that make code of code spans.
func letters(s string) string {
	return strings.Join(strings.Fields(strings.ReplaceAll(s, "`", "")), "")
}
