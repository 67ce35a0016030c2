package lsp

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestDocumentedMethodsAreThoseOfTheCode compares the table of docs/lsp.md with
// the handlers, and with every method name in the source that is none of them:
// those are what the server sends.
func TestDocumentedMethodsAreThoseOfTheCode(t *testing.T) {
	got := map[string]string{"initialize": "client", "shutdown": "client", "exit": "client"}
	for _, names := range [][]string{slices.Collect(maps.Keys(handlers)), slices.Collect(maps.Keys(listeners))} {
		for _, name := range names {
			if !strings.HasPrefix(name, "test/") {
				got[name] = "client"
			}
		}
	}
	for name := range methodNames(t) {
		if got[name] == "" {
			got[name] = "server"
		}
	}
	want := map[string]string{}
	for _, row := range tableRows(t, filepath.Join("..", "..", "docs", "lsp.md"), "| method | who calls |") {
		for _, name := range codeSpans(row[0]) {
			if want[name] != "" {
				t.Errorf("%s stands twice in the table", name)
			}
			want[name] = strings.TrimSpace(row[1])
		}
	}
	compareTables(t, got, want)
}

func TestDocumentedCommandsAreThoseOfTheCode(t *testing.T) {
	got, want := map[string]string{}, map[string]string{}
	for _, name := range append(slices.Clone(commands), commandShowReport) {
		got[name] = "command"
	}
	for _, row := range tableRows(t, filepath.Join("..", "..", "docs", "lsp-extensions.md"), "| command | argument |") {
		for _, name := range codeSpans(row[0]) {
			want[name] = "command"
		}
	}
	compareTables(t, got, want)
}

func compareTables(t *testing.T, code, docs map[string]string) {
	t.Helper()
	for name, who := range code {
		if docs[name] != who {
			t.Errorf("%s: the code says %q, the documentation %q", name, who, docs[name])
		}
	}
	for name := range docs {
		if code[name] == "" {
			t.Errorf("%s is documented and not in the code", name)
		}
	}
}

// methodNames are the string literals of the package that look like methods.
func methodNames(t *testing.T) map[string]bool {
	t.Helper()
	paths, err := filepath.Glob("*.go")
	if err != nil || len(paths) == 0 {
		t.Fatalf("no source: %v", err)
	}
	names := map[string]bool{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil && looksLikeMethod(s) {
					names[s] = true
				}
			}
			_, isImport := n.(*ast.ImportSpec)
			return !isImport
		})
	}
	return names
}

func looksLikeMethod(s string) bool {
	group, name, ok := strings.Cut(s, "/")
	return ok && name != "" && slices.Contains([]string{"$", "textDocument", "workspace", "window", "client", "telemetry", "amp"}, group) &&
		strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/") == ""
}

// tableRows returns the cells of the Markdown table that starts with a line.
func tableRows(t *testing.T, path, head string) [][]string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(data), "\n"+head)
	if !ok {
		t.Fatalf("%s has no table %s", path, head)
	}
	var rows [][]string
	for _, line := range strings.Split(table, "\n")[2:] {
		if !strings.HasPrefix(line, "|") {
			break
		}
		rows = append(rows, strings.Split(strings.Trim(line, "|"), "|"))
	}
	if len(rows) == 0 {
		t.Fatalf("the table %s is empty", head)
	}
	return rows
}

func codeSpans(cell string) []string {
	var out []string
	for i, part := range strings.Split(cell, "`") {
		if i%2 == 1 {
			out = append(out, part)
		}
	}
	return out
}
