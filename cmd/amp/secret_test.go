package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// everyUse calls use with every command line that puts value into one argument or
// one flag of one command.
func everyUse(value string, use func(args []string)) {
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		use(append(path[:len(path):len(path)], value))
		use(append(path[:len(path):len(path)], "--", value))
		use(append(path[:len(path):len(path)], "x", value))
		use(append(path[:len(path):len(path)], "--json", value))
		c.Flags().VisitAll(func(f *pflag.Flag) {
			use(append(path[:len(path):len(path)], "nowhere", "--"+f.Name+"="+value))
			use(append(path[:len(path):len(path)], "--"+f.Name, value))
		})
		use(append(path[:len(path):len(path)], "--"+value))
		use(append(path[:len(path):len(path)], "-"+value))
		for _, sub := range c.Commands() {
			walk(sub, append(path[:len(path):len(path)], sub.Name()))
		}
	}
	walk(newRootCmd(), nil)
}

func TestNoArgumentShowsASecretInAnError(t *testing.T) {
	scratch(t)
	t.Setenv("PATH", "") // nothing is run
	want(t, 0, "", "keygen", "--out", "a.key")
	read, err := os.ReadFile("a.key")
	if err != nil {
		t.Fatal(err)
	}
	pem := strings.TrimSpace(string(read))
	body := strings.Split(pem, "\n")[1]
	token := "sk-" + strings.Repeat("a1B2", 6)
	for name, c := range map[string]struct{ value, secret string }{
		"PEM":                 {pem, body},
		"PEM on one line":     {strings.ReplaceAll(pem, "\n", `\n`), body},
		"PEM with CRLF":       {strings.ReplaceAll(pem, "\n", "\r\n"), body},
		"PEM without its end": {pem[:strings.Index(pem, "-----END")], body},
		"body alone":          {body, body},
		"credential":          {token, token[4:]},
		"credential in path":  {"dir/" + token, token[4:]},
	} {
		t.Run(name, func(t *testing.T) {
			n := 0
			everyUse(c.value, func(args []string) {
				t.Chdir(t.TempDir())
				n++
				if code, stdout, stderr := amp(args...); code != 0 && strings.Contains(stdout+stderr, c.secret) {
					t.Errorf("amp %.60q: %s", args, strings.ReplaceAll(stdout+stderr, c.secret, "<secret>"))
				}
			})
			if n < 100 {
				t.Errorf("only %d command lines", n)
			}
		})
	}
	for _, args := range [][]string{append([]string{"sign", "nowhere", "--key"}, strings.Fields(pem)...), {"verify", "--json", pem}} {
		if code, stdout, stderr := amp(args...); code != exitUsage || strings.Contains(stdout+stderr, body) || !strings.Contains(stderr, "private key") {
			t.Errorf("amp %.20q: exit %d", args, code)
		}
	}
}

func TestPublicKeyTextIsAnArgument(t *testing.T) {
	scratch(t)
	want(t, 0, "", "keygen", "--out", "a.key")
	text, err := os.ReadFile("a.pub")
	if err != nil {
		t.Fatal(err)
	}
	want(t, 0, "Trusted SHA256:", "trust", "add", string(text), "--label", "a")
	want(t, 0, "Trusted SHA256:", "trust", "add", "--label", "b", "--", string(text))
	want(t, 0, "Trusted SHA256:", "trust", "add", strings.ReplaceAll(string(text), "\n", `\n`))
}

func TestEmptyValueOfAFlagIsNoDefault(t *testing.T) {
	_, project := scratch(t)
	pack := newPack(t, project, "ferry")
	want(t, 0, "", "keygen")
	want(t, 0, "", "sign", pack)
	before, _ := os.ReadFile(filepath.Join(pack, "manifest.json"))
	for _, args := range [][]string{
		{"install", "--from-path", pack, "--agent", "codex", "--public-key", ""},
		{"install", "--from-path", pack, "--agent", "codex", "--public-key="},
		{"verify", pack, "--public-key", ""},
		{"verify", pack, "--json", "--public-key="},
		{"sign", pack, "--key", ""},
		{"trust", "add", pack, "--label", ""},
	} {
		want(t, exitUsage, "needs a value", args...)
	}
	if _, err := os.Stat(".amp"); err == nil {
		t.Error("the refused install wrote .amp")
	}
	if after, _ := os.ReadFile(filepath.Join(pack, "manifest.json")); string(after) != string(before) {
		t.Error("the refused sign wrote the manifest")
	}
}

func TestInstallSaysWhatTheKeyInTheEnvironmentCountsFor(t *testing.T) {
	_, project := scratch(t)
	for _, k := range []string{"a", "b"} {
		want(t, 0, "", "keygen", "--out", k+".key")
	}
	pack := newPack(t, project, "ferry")
	want(t, 0, "", "sign", pack, "--key", "a.key")
	b, _ := os.ReadFile("b.pub")
	t.Setenv(envPublic, string(b))
	want(t, 0, "the pack is not signed with the key in AMP_PUBLIC_KEY", "install", "--from-path", pack, "--agent", "codex")
	want(t, 0, "AMP_PUBLIC_KEY was not used", "install", "--from-path", pack, "--agent", "codex", "--public-key", "a.pub")
	a, _ := os.ReadFile("a.pub")
	t.Setenv(envPublic, string(a))
	_, _, stderr := amp("install", "--from-path", pack, "--agent", "codex", "--require-trusted")
	if strings.Contains(stderr, envPublic) {
		t.Error(stderr)
	}
}
