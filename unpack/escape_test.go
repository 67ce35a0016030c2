package unpack

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestTextOfAPackIsNoMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"plain, words. 3.5 x-y a_b":      "plain, words. 3.5 x-y a_b",
		"[[Home]] and ![[x]]":            `\[\[Home]] and !\[\[x]]`,
		"<!-- amp-unpack:end -->":        `\<\!-- amp-unpack:end -->`,
		"<b>bold</b> <https://x.org>":    `\<b>bold\</b> \<https://x.org>`,
		"# heading":                      `\# heading`,
		"a #tag and C#":                  `a \#tag and C#`,
		"![x](https://e.org/p.png)":      `!\[x](https://e.org/p.png)`,
		"- item":                         `\- item`,
		"> quote":                        `\> quote`,
		"12. item":                       `12\. item`,
		"12) item":                       `12\) item`,
		"0.1.0":                          "0.1.0",
		"`go test` is code":              "`go test` is code",
		"`[[x]]` is none":                "\\`\\[\\[x]]\\` is none",
		"`<!-- x -->`":                   "\\`\\<\\!-- x -->\\`",
		"`$= dv.pages()`":                "\\`\\$= dv.pages()\\`",
		"a ` b":                          "a \\` b",
		"``a ` b``":                      "``a ` b``",
		"``a ` b":                        "\\`\\`a \\` b",
		"```":                            "\\`\\`\\`",
		"*a* __b__ a_b_c":                `\*a\* \_\_b\_\_ a_b_c`,
		`a\*b C:\dir \`:                  `a\\\*b C:\dir \\`,
		"&lt; R&D &#60; a & b":           `\&lt; R&D \&#60; a & b`,
		"%%hidden%% ==mark== ~~strike~~": `\%\%hidden\%\% \=\=mark\=\= \~\~strike\~\~`,
		"~a~ ~/x":                        `\~a\~ \~/x`,
		"$1 and $2":                      `\$1 and \$2`,
		"{{ x }} {% y %}":                `{\{ x }} {\% y %}`,
		"end ^block":                     `end \^block`,
		"::: note":                       `\::: note`,
		"  spaces  ":                     "spaces",
	} {
		if got := escape(in); got != want {
			t.Errorf("escape(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzNoTextForgesMarks writes arbitrary text wherever text of a pack goes and
// looks for marks, headings and items that are not ours.
func FuzzNoTextForgesMarks(f *testing.F) {
	for _, s := range []string{
		"x", startMark, endMark, "a\n" + endMark + "\n## Notes\nmine", "- [[packs/ferry/x]] <!-- amp-unpack: ferry -->",
		"```\n" + endMark, "~~~", "{", "}", "<!--", "-->\n" + startMark, "`" + startMark + "`", "\ufeff" + startMark, "\r" + endMark + "\r", "\u2028" + endMark,
		"---\n" + endMark, "<!-- amp:begin @x/y -->", "    " + startMark, "`````", "<! -- amp", "<!--\tAMP-unpack:end-->",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if !utf8.ValidString(s) || strings.Contains(s, "\x00") {
			return // such files are left out
		}
		one := strings.NewReplacer("\n", " ", "\r", " ").Replace(s)
		body := strings.ReplaceAll(strings.ReplaceAll(s, "\r", "\n"), "\n}\n", "\n }\n")
		text := "---\ntype: cluster\napplies_to: " + one + "\n---\n\nsources:\n  C: " + one + "\n    " + one + "\n\n" +
			"[claim] " + one + "\n  > " + one + "\n  > [C]\n\n[goal] {\n" + body + "\n}\n\n[demo mixed, illustrates: " + strings.NewReplacer("]", "", ",", "").Replace(one) + "] {\n" + body + "\n}\n  > " + one + "\n"
		w := newWorld(t, nil)
		p := ferry(t, map[string]string{"memory/copy-voice.md": text, "agents.md": "# x\n\n## Always load\n- copy-voice.md — " + one + "\n\n| a | b |\n|---|---|\n| " + one + " | copy-voice.md |\n"})
		w.run(Request{Pack: p})
		for name, page := range w.files() {
			for _, comment := range []string{startMark, endMark} {
				if n := strings.Count(page, comment); strings.HasPrefix(name, "packs/") && n != 1 {
					t.Errorf("%s holds %q %d times:\n%s", name, comment, n, page)
				}
			}
			items := 0
			lines, open := split(page)
			if open {
				t.Errorf("%s ends inside a block:\n%s", name, page)
			}
			for _, l := range lines {
				if _, ok := l.item(); ok {
					items++
				}
			}
			if want := map[bool]int{true: 1}[name == "index.md"]; items != want {
				t.Errorf("%s has %d items of ours, want %d:\n%s", name, items, want, page)
			}
			if strings.HasPrefix(name, "packs/") {
				if q, err := readPage(page); err != nil || q.edited() {
					t.Errorf("%s cannot be read again: %v\n%s", name, err, page)
				}
			}
		}
		if w.plan(Request{Pack: p}).Changes() {
			t.Error("a second run changes something")
		}
		w.takeOut("ferry")
		if got := w.files(); len(got) != 0 {
			t.Errorf("removal leaves %q", got)
		}
	})
}

func TestFencedBodiesAreTheirOwnLetters(t *testing.T) {
	for _, body := range []string{"one", "a\n\n  b\n", "```\ncode\n```", "~~~~\n``````", " \n}", "<!-- a comment of HTML -->"} {
		out := fenced(body)
		lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
		fence := strings.TrimSuffix(lines[0], "text")
		if lines[len(lines)-1] != fence {
			t.Fatalf("%q", out)
		}
		var back []string
		for _, l := range lines[1 : len(lines)-1] {
			if strings.HasPrefix(strings.TrimSpace(l), strings.TrimSpace(fence)) {
				t.Errorf("the body closes its fence: %q", out)
			}
			back = append(back, strings.TrimPrefix(l, indent))
		}
		if got := strings.Join(back, "\n"); got != body {
			t.Errorf("%q came back as %q", body, got)
		}
	}
	if out := fenced("x <!-- amp-unpack:end --> <!--amp:begin <!-- a"); strings.Contains(out, endMark) || !strings.Contains(out, `<\!-- amp-unpack:end --> <\!--amp:begin <!-- a`) {
		t.Error(out)
	}
}
