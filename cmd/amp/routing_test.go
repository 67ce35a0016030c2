package main

import "testing"

func TestImportsOutOfTheProjectAreSeenInEveryDisguise(t *testing.T) {
	for _, s := range []string{
		"@~/.ssh/id", "see @/etc/passwd now", "@../x", "(@~/x)", "**@~/x**", "<b>@/etc/passwd</b>", "@~root/x", `@~\.ssh`,
		// climbing out later, other separators, drives, hidden files
		"@./../../x", "@memory/../../../.ssh/id", `@a\..\..\x`, "@C:/Users/x", `@C:\Users\x`, "@.env", "@./.env", "@sub/.env", "@.claude/settings.json", "@.amp/../.env", "@sub/.amp/x",
		// backticks that are no code, or not to everybody
		"`a @~/x", "a` @~/x", "``a` @~/x", "\\`a @~/x `", "`a\nb` @~/x `c`", "| `a | @~/x | ` |",
		"<a title=\"`\"> @~/x `", "<div>\n`a @~/x b`\n</div>", "<!-- ` -->\n@~/x `", "<script>`</script> @~/x `",
		"```\n@~/x\n```", "```a`b\n@~/x\n```", "    @~/x", "x\r@~/x", "\uFEFF@~/x", "x\u00a0@~/x", "x\u2028@~/x",
	} {
		if len(importsOf("# Routing\n\n"+s+"\n")) == 0 {
			t.Errorf("%q: nothing found", s)
		}
	}
	for _, s := range []string{
		"me@/etc", "write to a@b.example", "@alice", "@scope/pack", "@README.md", "@docs/a.md", "@.amp/p1/memory/a.md", "@docs/../README.md",
		"write `@~/x` to import", "write ``@~/`x`` and `@/etc`", "```go\ncode\n```\n`@~/x`", "\\@~/x", "@", "@.", "@ ~/x", "a < b, `@~/x`", "wait...@...",
	} {
		if got := importsOf("# Routing\n\n" + s + "\n"); len(got) != 0 {
			t.Errorf("%q: found %v", s, got)
		}
	}
	if got := importsOf("a\r\n@/x y @~/z"); len(got) != 2 || got[0] != (imported{2, "@/x"}) || got[1] != (imported{2, "@~/z"}) {
		t.Errorf("found %v", got)
	}
}

func TestWhatSwallowsTheRestOfARulesFileIsSeen(t *testing.T) {
	for s, want := range map[string]int{
		"```": 3, "~~~": 3, "````\n```": 3, "```\n~~~": 3, "   ```sh\n\n    ```": 3, "```\n``` x": 3, "<script>": 3, "<PRE class=x>\n\n": 3, "<![CDATA[": 3, "<?php": 3, "x\n\n```\na\n```\n~~~": 8,
		// closed, or not opened
		"```\na\n```": 0, "~~~~\n~~~\n~~~~~  ": 0, "    ```": 0, "```a`b": 0, "a ```": 0, "<pre>x</pre>": 0, "<style>\n</style>": 0, "<prefix>": 0, "<!-- x": 0, "``": 0, "<details>": 0, "```\r\na\r\n```\r\n": 0,
	} {
		if line, what := leftOpen("# Routing\n\n" + s + "\n"); line != want || (what == "") != (want == 0) {
			t.Errorf("%q: line %d %q, want line %d", s, line, what, want)
		}
	}
}

// The whole way: installing says why it refuses, and --allow-findings goes on.
func TestRoutingThatReachesBeyondItsBlockIsRefused(t *testing.T) {
	for text, rule := range map[string]string{
		"`a @~/.ssh/id_ed25519\n": "agents.md:1: import: @~/.ssh/id_ed25519",
		"x\n```\n":                "agents.md:2: open-block: the code fence ```",
	} {
		_, project := scratch(t)
		pack := newPack(t, project, "ferry")
		writeFiles(t, pack, map[string]string{"agents.md": text})
		want(t, 1, rule, "install", "--from-path", pack, "--agent", "claude-code")
		want(t, 0, "Installed ferry", "install", "--from-path", pack, "--agent", "claude-code", "--allow-findings")
	}
}
