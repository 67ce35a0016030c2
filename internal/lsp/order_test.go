package lsp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/amp-toolchain/amp/internal/lsp"
	"github.com/amp-toolchain/amp/internal/lsptest"
	"github.com/amp-toolchain/amp/internal/session"
)

// heldServer starts a server on a folder, with a mutex that holds up the reading
// of packs while a test has it.
func heldServer(t *testing.T, dir string) (*lsptest.Editor, *sync.Mutex) {
	t.Helper()
	var disk sync.Mutex
	c, _ := start(t, lsp.Options{Session: session.Env{Policy: func(string) session.Rules {
		disk.Lock() // read with every pack
		defer disk.Unlock()
		return session.Rules{}
	}}})
	c.Initialize("", lsptest.FileURI(dir))
	return lsptest.NewEditor(t, c, "utf-16"), &disk
}

// synced waits until the server has read everything that was sent.
func synced(t *testing.T, c *lsptest.Client) {
	t.Helper()
	if _, err := c.Call("amp/nothing", nil); lsptest.Code(err) != -32601 {
		t.Fatalf("got %v", err)
	}
}

// ask asks for something that quotes the first word of the document's first tag.
func ask(e *lsptest.Editor, method string, b *lsptest.Buffer) *lsptest.Pending {
	return e.Go(method, map[string]any{
		"textDocument": map[string]string{"uri": b.URI}, "position": lsptest.Position{Line: 0, Character: 8},
		"context": map[string]any{"diagnostics": []any{}}, "range": lsptest.Range{End: lsptest.Position{Line: 1}},
	})
}

// TestRequestsThatWaitForTheDiskAreAnsweredFromTheirOwnText holds up the disk, so
// that every request is still waiting when all later edits have been made.
func TestRequestsThatWaitForTheDiskAreAnsweredFromTheirOwnText(t *testing.T) {
	methods := []string{"textDocument/diagnostic", "textDocument/hover", "textDocument/codeAction"}
	tests := []struct {
		name    string
		prepare func(t *testing.T, e *lsptest.Editor, disk *sync.Mutex, dir string) *lsptest.Buffer // ends with the disk held up
		after   func(e *lsptest.Editor, b *lsptest.Buffer)
	}{
		{"files that are said to have changed", func(_ *testing.T, e *lsptest.Editor, disk *sync.Mutex, dir string) *lsptest.Buffer {
			b := e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[claim v0] It is so.\n")
			e.Diagnostics(b)
			disk.Lock()
			e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": lsptest.FileURI(filepath.Join(dir, ".amp-lint.yaml")), "type": 1}}})
			return b
		}, nil},
		{"a pack that is not known yet", func(_ *testing.T, e *lsptest.Editor, disk *sync.Mutex, dir string) *lsptest.Buffer {
			disk.Lock()
			return e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[claim v0] It is so.\n")
		}, nil},
		{"a document that is closed before it is answered", func(_ *testing.T, e *lsptest.Editor, disk *sync.Mutex, dir string) *lsptest.Buffer {
			disk.Lock()
			return e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[claim v0] It is so.\n")
		}, func(e *lsptest.Editor, b *lsptest.Buffer) { e.CloseDoc(b) }},
		{"a document that is opened anew before it is answered", func(_ *testing.T, e *lsptest.Editor, disk *sync.Mutex, dir string) *lsptest.Buffer {
			disk.Lock()
			return e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[claim v0] It is so.\n")
		}, func(e *lsptest.Editor, b *lsptest.Buffer) {
			e.CloseDoc(b)
			e.Open(b.URI, "[claim other] It is so.\n")
		}},
		{"another file of the pack that changes before it is answered", func(_ *testing.T, e *lsptest.Editor, disk *sync.Mutex, dir string) *lsptest.Buffer {
			disk.Lock()
			return e.Open(lsptest.FileURI(filepath.Join(dir, "memory", "copy-voice.md")), "[claim v0] It is so.\n")
		}, func(e *lsptest.Editor, b *lsptest.Buffer) {
			e.Open(strings.Replace(b.URI, "memory/copy-voice.md", "manifest.json", 1), "{}")
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := writePack(t)
			e, disk := heldServer(t, dir)
			b := tt.prepare(t, e, disk, dir)
			var pending []*lsptest.Pending
			for i := range 20 {
				if i > 0 {
					e.ReplaceWord(b, fmt.Sprintf("v%d]", i-1), fmt.Sprintf("v%d]", i))
				}
				for _, m := range methods {
					pending = append(pending, ask(e, m, b))
				}
			}
			if tt.after != nil {
				tt.after(e, b)
			}
			synced(t, e.Client)
			disk.Unlock()
			for i, p := range pending {
				result, err := p.Wait()
				if err != nil {
					t.Fatalf("%s %d: %v", methods[i%len(methods)], i, err)
				}
				if want := fmt.Sprintf("got v%d", i/len(methods)); !strings.Contains(string(result), want+`"`) && !strings.Contains(string(result), want+`\n`) {
					t.Fatalf("%s was answered from another version than v%d: %s", methods[i%len(methods)], i/len(methods), result)
				}
			}
		})
	}
}

// TestFindingsAcrossFilesAreThoseOfTheRequestsPlace asks for the findings of one
// file, which depend on another one that is edited before the answer is made.
func TestFindingsAcrossFilesAreThoseOfTheRequestsPlace(t *testing.T) {
	dir := writePack(t)
	e, disk := heldServer(t, dir)
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	m := e.OpenFile(filepath.Join(dir, "manifest.json"))
	e.Diagnostics(b)
	e.Diagnostics(m)
	disk.Lock()
	e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": lsptest.FileURI(filepath.Join(dir, ".amp-lint.yaml")), "type": 1}}})
	clean := ask(e, "textDocument/diagnostic", m)
	e.Replace(b, len(b.Text), len(b.Text), "\n[claim] The house is old.\n")
	wrong := ask(e, "textDocument/diagnostic", m)
	e.Replace(b, len(b.Text)-len("\n[claim] The house is old.\n"), len(b.Text), "")
	synced(t, e.Client)
	disk.Unlock()
	for i, want := range []bool{false, true} {
		result, err := []*lsptest.Pending{clean, wrong}[i].Wait()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(string(result), "count-mismatch"); got != want {
			t.Errorf("request %d: a wrong count is reported: %v, want %v: %s", i, got, want, result)
		}
	}
	// What the present looks like is not touched by answers about the past.
	e.AwaitDiagnostics(m.URI, lsptest.Lacks("count-mismatch"))
	compareWithFresh(t, e, dir, []*lsptest.Buffer{b, m, e.OpenFile(filepath.Join(dir, "agents.md")), e.OpenFile(filepath.Join(dir, "memory", "operating-principles.md"))})
}

func TestFilesThatChangedBeforeARequestAreReadForIt(t *testing.T) {
	dir := writePack(t)
	e, disk := heldServer(t, dir)
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	e.Diagnostics(b)
	path := filepath.Join(dir, "manifest.json")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(strings.Replace(string(data), `"claim": 0`, `"claim": 4`, 1)), 0o644); err != nil {
		t.Fatal(err)
	}
	disk.Lock()
	e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{
		{"uri": lsptest.FileURI(path), "type": 2}, {"uri": lsptest.FileURI(filepath.Join(dir, ".amp-lint.yaml")), "type": 1},
	}})
	p := e.Go("textDocument/diagnostic", map[string]any{"textDocument": map[string]string{"uri": lsptest.FileURI(path)}})
	e.Replace(b, 0, 0, " ")
	synced(t, e.Client)
	disk.Unlock()
	result, err := p.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(result), "count-mismatch") {
		t.Errorf("answered without the file that had changed: %s", result)
	}
}

// TestRequestsThatWaitHoldUpNobody lets more requests wait than may compute at
// once.
func TestRequestsThatWaitHoldUpNobody(t *testing.T) {
	dir := writePack(t)
	e, disk := heldServer(t, dir)
	disk.Lock()
	b := e.OpenFile(filepath.Join(dir, "memory", "copy-voice.md"))
	var pending []*lsptest.Pending
	for range 4 * max(2, runtime.GOMAXPROCS(0)) {
		pending = append(pending, ask(e, "textDocument/hover", b))
	}
	_, err := e.Call("test/work", map[string]any{"milliseconds": 0})
	disk.Unlock()
	if err != nil {
		t.Errorf("a request that needs no disk: %v", err)
	}
	for _, p := range pending {
		if _, err := p.Wait(); err != nil {
			t.Error(err)
		}
	}
}

// TestPackKeepsItsNameWhicheverFileIsOpenedFirst opens a pack through a link and
// directly. Its closed files are named as the workspace folder names them.
func TestPackKeepsItsNameWhicheverFileIsOpenedFirst(t *testing.T) {
	for _, order := range []string{"link first", "link last", "link alone", "folder is the link"} {
		t.Run(order, func(t *testing.T) {
			dir := writePack(t)
			link := dir + "-link"
			if err := os.Symlink(dir, link); err != nil {
				t.Skipf("links cannot be made here: %v", err)
			}
			t.Cleanup(func() { _ = os.Remove(link) })
			folder := dir
			if order == "folder is the link" {
				folder = link
			}
			e, disk := heldServer(t, folder)
			direct, linked := filepath.Join(dir, "memory", "copy-voice.md"), filepath.Join(link, "memory", "copy-voice.md")
			data, err := os.ReadFile(direct)
			if err != nil {
				t.Fatal(err)
			}
			text := string(data) + "\n[claim] The house is old.\n"
			disk.Lock()
			switch order {
			case "link first":
				e.Open(lsptest.FileURI(linked), text)
				e.Open(lsptest.FileURI(direct), text)
			case "link last":
				e.Open(lsptest.FileURI(direct), text)
				e.Open(lsptest.FileURI(linked), text)
			case "link alone":
				e.Open(lsptest.FileURI(linked), text)
			default:
				e.Open(lsptest.FileURI(direct), text)
			}
			synced(t, e.Client)
			disk.Unlock()
			e.AwaitDiagnostics(lsptest.FileURI(filepath.Join(folder, "manifest.json")), lsptest.Has("count-mismatch"))
		})
	}
}

// TestPathOfManyFoldersThatAreMissing opens a file below more missing folders
// than anybody has. Looking for its pack must take no time that is noticed.
func TestPathOfManyFoldersThatAreMissing(t *testing.T) {
	dir := writePack(t)
	e := open(t, "", dir)
	for _, folders := range []int{1_900, 16_000, 200_000} {
		b := e.Open(lsptest.FileURI(dir)+strings.Repeat("/a", folders)+"/memory/x.md", "[goal] Sing.\n")
		if _, err := ask(e, "textDocument/diagnostic", b).Wait(); err != nil {
			t.Fatalf("%d folders: %v", folders, err)
		}
		e.Notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []map[string]any{{"uri": b.URI, "type": 1}}})
		e.CloseDoc(b)
		if _, err := ask(e, "textDocument/diagnostic", b).Wait(); err != nil {
			t.Fatalf("%d folders, closed: %v", folders, err)
		}
	}
}
