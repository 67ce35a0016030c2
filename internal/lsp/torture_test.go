package lsp_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/amp-toolchain/amp/internal/lsp"
	"github.com/amp-toolchain/amp/internal/lsptest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// start runs a server in this process and returns a client and its log.
func start(t testing.TB, opts lsp.Options) (*lsptest.Client, *logBuffer) {
	t.Helper()
	log := &logBuffer{}
	opts.Log = log
	c := lsptest.Start(t, func(in io.ReadCloser, out io.WriteCloser) int {
		return lsp.Serve(context.Background(), in, out, opts)
	})
	return c, log
}

type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

const hoverParams = `{"textDocument":{"uri":"file:///nowhere.md"},"position":{"line":0,"character":0}}`

// alive fails the test unless the server answers a hover.
func alive(t *testing.T, c *lsptest.Client) {
	t.Helper()
	if _, err := c.Call("textDocument/hover", json.RawMessage(hoverParams)); err != nil {
		t.Fatalf("the server no longer answers: %v", err)
	}
}

func TestHostileMessagesLeaveTheServerAlive(t *testing.T) {
	note := func(method, params string) string {
		if params == "" {
			return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q}`, method)
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params)
	}
	call := func(id, method, params string) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":%s}`, id, method, params)
	}
	tests := []struct {
		name string
		body string
		// code and id of the one reply expected; code 0 means none
		code int
		id   string
	}{
		{name: "unknown notification", body: note("$/foo", "{}")},
		{name: "unknown notification without dollar", body: note("amp/foo", "[1]")},
		{name: "initialized without params", body: note("initialized", "")},
		{name: "initialized with null", body: note("initialized", "null")},
		{name: "initialized with an array", body: note("initialized", "[]")},
		{name: "didChange without params", body: note("textDocument/didChange", "")},
		{name: "didChange with a number", body: note("textDocument/didChange", "7")},
		{name: "didChange with wrong types", body: note("textDocument/didChange", `{"textDocument":{"uri":3,"version":"x"},"contentChanges":{}}`)},
		{name: "didChange with a version past int32", body: note("textDocument/didChange", `{"textDocument":{"uri":"file:///a","version":4294967296},"contentChanges":[]}`)},
		{name: "didChange with a null version", body: note("textDocument/didChange", `{"textDocument":{"uri":"file:///a","version":null},"contentChanges":[]}`)},
		{name: "didOpen with broken JSON inside", body: note("textDocument/didOpen", `{"textDocument":,,}`)},
		{name: "cancel without an id", body: note("$/cancelRequest", "{}")},
		{name: "cancel with null params", body: note("$/cancelRequest", "null")},
		{name: "cancel with an id past int32", body: note("$/cancelRequest", `{"id":9007199254740991}`)},
		{name: "cancel with an id past int64", body: note("$/cancelRequest", `{"id":92233720368547758079}`)},
		{name: "cancel with an object", body: note("$/cancelRequest", `{"id":{}}`)},
		{name: "watched files that are none", body: note("workspace/didChangeWatchedFiles", `{"changes":[]}`)},
		{name: "watched files that are no files", body: note("workspace/didChangeWatchedFiles", `{"changes":[{"uri":"untitled:x","type":3}]}`)},
		{name: "renamed files that are no files", body: note("workspace/didRenameFiles", `{"files":[{"oldUri":"untitled:x","newUri":"vscode-vfs://github/x"}]}`)},
		{name: "deleted files that are none", body: note("workspace/didDeleteFiles", `{"files":[]}`)},
		{name: "folders that are no folders", body: note("workspace/didChangeWorkspaceFolders", `{"event":{"added":[{"uri":"untitled:x"},{"uri":""},{"uri":"file://host/share"}],"removed":[{"uri":"file:///gone"}]}}`)},
		{name: "a document of a scheme with a path", body: note("textDocument/didOpen", `{"textDocument":{"uri":"untitled:/x/memory/y.md","languageId":"amp","version":1,"text":"[goal must] x"}}`)},
		{name: "setTrace with nonsense", body: note("$/setTrace", `{"value":"loud"}`)},
		{name: "a notification handler that panics", body: note("test/panic", "{}")},
		{name: "a notification handler that fails", body: note("test/error", "{}")},
		{name: "a response to no call", body: `{"jsonrpc":"2.0","id":77,"result":null}`},
		{name: "a response with a string id", body: `{"jsonrpc":"2.0","id":"x","result":null}`},
		{name: "an error response to no call", body: `{"jsonrpc":"2.0","id":-5,"error":{"code":1,"message":"x"}}`},
		{name: "a call with a null id", body: call("null", "textDocument/hover", hoverParams)},

		{name: "not JSON", body: `{"jsonrpc":"2.0",`, code: -32700, id: "null"},
		{name: "not an object", body: `"hello"`, code: -32700, id: "null"},
		{name: "empty object", body: `{}`, code: -32600, id: "null"},
		{name: "white space only", body: `   `, code: -32700, id: "null"},
		{name: "bytes behind the message", body: call("1", "textDocument/hover", hoverParams) + "x", code: -32700, id: "null"},
		{name: "no version", body: `{"id":1,"method":"textDocument/hover"}`, code: -32600, id: "null"},
		{name: "another version", body: `{"jsonrpc":"1.0","id":1,"method":"textDocument/hover"}`, code: -32600, id: "null"},
		{name: "fractional id", body: call("1.5", "textDocument/hover", hoverParams), code: -32600, id: "null"},
		{name: "boolean id", body: call("true", "textDocument/hover", hoverParams), code: -32600, id: "null"},
		{name: "id past int64", body: call("92233720368547758079", "textDocument/hover", hoverParams), code: -32600, id: "null"},
		{name: "method is a number", body: `{"jsonrpc":"2.0","id":1,"method":5}`, code: -32600, id: "null"},
		{name: "NUL bytes", body: "\x00\x00\x00", code: -32700, id: "null"},

		{name: "unknown call", body: call("100001", "amp/nothing", "{}"), code: -32601, id: "100001"},
		{name: "unknown dollar call", body: call("100002", "$/nothing", "{}"), code: -32601, id: "100002"},
		{name: "params of the wrong shape", body: call("100003", "textDocument/hover", `[1]`), code: -32602, id: "100003"},
		{name: "negative position", body: call("100004", "textDocument/hover", `{"textDocument":{"uri":"file:///a"},"position":{"line":-1,"character":0}}`), code: -32602, id: "100004"},
		{name: "params that are not JSON inside", body: call("100005", "textDocument/hover", `{"textDocument":,,}`), code: -32700, id: "100005"},
		{name: "a handler that panics", body: call("100006", "test/panic", "{}"), code: -32603, id: "100006"},
		{name: "a handler that fails", body: call("100007", "test/error", "{}"), code: -32603, id: "100007"},
		{name: "a second initialize", body: call("100008", "initialize", `{"capabilities":{},"processId":null,"rootUri":null}`), code: -32600, id: "100008"},
		{name: "empty batch", body: `[]`, code: -32600, id: "null"},
		{name: "open batch", body: `[{"jsonrpc":"2.0","method":"$/x"}`, code: -32700, id: "null"},
		{name: "deep nesting", body: note("$/x", strings.Repeat("[", 100_000)+strings.Repeat("]", 100_000))},
		// The decoder stops at 10,000 levels, as a stack must.
		{name: "deep nesting in params", body: call("100009", "textDocument/hover", strings.Repeat(`{"a":`, 20_000)+"1"+strings.Repeat("}", 20_000)), code: -32700, id: "100009"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := start(t, lsp.Options{})
			c.Initialize("")
			if err := c.Body(tt.body); err != nil {
				t.Fatal(err)
			}
			if tt.code != 0 {
				got, err := c.Orphans(1)
				if err != nil {
					t.Fatal(err)
				}
				if got[0].Error == nil || got[0].Error.Code != tt.code || string(got[0].ID) != tt.id {
					t.Errorf("reply %s %v, want code %d for id %s", got[0].ID, got[0].Error, tt.code, tt.id)
				}
			}
			alive(t, c)
			if code := c.Shutdown(); code != 0 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

func TestAllHostileMessagesInOneSession(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	bodies := []string{`{`, `[]`, `[1,2]`, `{"jsonrpc":"2.0","method":"$/foo"}`, `{}`, `null`, `{"jsonrpc":"2.0","id":1.5,"method":"x"}`}
	for i := range 700 {
		if err := c.Body(bodies[i%len(bodies)]); err != nil {
			t.Fatal(err)
		}
	}
	alive(t, c)
}

func TestBrokenHeadersEndTheSession(t *testing.T) {
	hover := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":%s}`, hoverParams)
	tests := []struct{ name, raw string }{
		{"no colon", "Content-Length 5\r\n\r\nhello"},
		{"no length", "Content-Type: x\r\n\r\n{}"},
		{"zero", "Content-Length: 0\r\n\r\n"},
		{"negative", "Content-Length: -1\r\n\r\n"},
		{"a word", "Content-Length: ten\r\n\r\n"},
		{"past 2^53", "Content-Length: 99999999999999999\r\n\r\n"},
		{"no header", hover},
		{"an endless line", "X: " + strings.Repeat("a", 1<<20)},
		{"endless fields", strings.Repeat("X: y\r\n", 1000)},
		{"end in the header", "Content-Le"},
		{"end in the body", "Content-Length: 100\r\n\r\n{"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, log := start(t, lsp.Options{})
			c.Initialize("")
			go func() {
				_ = c.Raw(tt.raw) // the server may hang up in the middle
				c.CloseInput()
			}()
			code, err := c.ExitCode()
			if err != nil {
				t.Fatal(err)
			}
			if code != 1 {
				t.Errorf("exit code %d, want 1", code)
			}
			if !strings.Contains(log.String(), "input ended") {
				t.Errorf("the log does not say why: %q", log)
			}
		})
	}
}

func TestFramingVariants(t *testing.T) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":900,"method":"textDocument/hover","params":%s}`, hoverParams)
	tests := []struct{ name, raw string }{
		{"line feeds only", fmt.Sprintf("Content-Length: %d\n\n%s", len(body), body)},
		{"lower case and a content type", fmt.Sprintf("content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%d\r\n\r\n%s", len(body), body)},
		{"white space around the length", fmt.Sprintf("Content-Length:\t %d \r\n\r\n%s", len(body), body)},
		{"pretty printed", lsptest.Frame(strings.ReplaceAll(body, ",", ",\r\n  "))},
		{"a leading byte order is refused, the next is served", lsptest.Frame("\ufeff"+body) + lsptest.Frame(body)},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := start(t, lsp.Options{})
			c.Initialize("")
			if err := c.Raw(tt.raw); err != nil {
				t.Fatal(err)
			}
			for {
				got, err := c.Orphans(1)
				if err != nil {
					t.Fatal(err)
				}
				if string(got[0].ID) == "900" {
					break
				}
			}
			alive(t, c)
		})
	}
}

func TestMessageInManyPieces(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	raw := lsptest.Frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":900,"method":"textDocument/hover","params":%s}`, hoverParams))
	for i := range raw {
		if err := c.Raw(raw[i : i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := c.Orphans(1); err != nil {
		t.Fatal(err)
	}
}

func TestOversizeBodyIsSkippedInStep(t *testing.T) {
	if testing.Short() {
		t.Skip("sends 65 MiB")
	}
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	if err := c.Body(strings.Repeat(" ", 65<<20)); err != nil {
		t.Fatal(err)
	}
	got, err := c.Orphans(1)
	if err != nil {
		t.Fatal(err)
	}
	if got[0].Error == nil || got[0].Error.Code != -32600 {
		t.Errorf("reply %+v, want -32600", got[0])
	}
	alive(t, c)
}

func TestDeclaredLengthAllocatesNothing(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	if err := c.Raw("Content-Length: 67000000\r\n\r\n{"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(50 * time.Millisecond)
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 4<<20 {
		t.Errorf("a header alone allocated %d bytes", grown)
	}
}

func TestCancelByIDsOfEverySize(t *testing.T) {
	for _, id := range []string{"5", "4294967296", "9007199254740991", "-3", `"abc"`, `"\u0061 \"q\""`} {
		t.Run(id, func(t *testing.T) {
			c, _ := start(t, lsp.Options{})
			c.Initialize("")
			call := c.GoID(id, "test/block", struct{}{})
			if id == `"\u0061 \"q\""` {
				// The reply spells the id in its canonical form.
				call.Cancel()
				call = c.GoID(`"a \"q\" 2"`, "test/block", struct{}{})
			}
			call.Cancel()
			if _, err := call.Wait(); lsptest.Code(err) != -32800 {
				t.Errorf("got %v, want -32800", err)
			}
			alive(t, c)
		})
	}
}

func TestDuplicateIDsAreBothAnswered(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	body := `{"jsonrpc":"2.0","id":"same","method":"test/block"}`
	_ = c.Body(body)
	_ = c.Body(body)
	c.Notify("$/cancelRequest", map[string]any{"id": "same"})
	got, err := c.Orphans(2)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range got {
		if m.Error == nil || m.Error.Code != -32800 {
			t.Errorf("reply %+v, want -32800", m)
		}
	}
}

func TestBatches(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	_ = c.Body(fmt.Sprintf(`[{"jsonrpc":"2.0","id":1001,"method":"textDocument/hover","params":%s},{"jsonrpc":"2.0","method":"$/x"},7,{"jsonrpc":"2.0","id":1002,"method":"none"}]`, hoverParams))
	raw, err := c.Batch()
	if err != nil {
		t.Fatal(err)
	}
	var replies []lsptest.Message
	if err := json.Unmarshal(raw, &replies); err != nil {
		t.Fatal(err)
	}
	if len(replies) != 3 {
		t.Fatalf("%d replies, want 3: %s", len(replies), raw)
	}
	_ = c.Body(`[{"jsonrpc":"2.0","method":"$/x"},{"jsonrpc":"2.0","method":"$/y"}]`)
	alive(t, c)
}

func TestLifecycle(t *testing.T) {
	t.Run("call before initialize", func(t *testing.T) {
		c, _ := start(t, lsp.Options{})
		if _, err := c.Call("textDocument/hover", json.RawMessage(hoverParams)); lsptest.Code(err) != -32002 {
			t.Errorf("got %v, want -32002", err)
		}
		if _, err := c.Call("shutdown", nil); lsptest.Code(err) != -32002 {
			t.Errorf("shutdown: got %v, want -32002", err)
		}
		c.Notify("textDocument/didOpen", map[string]any{})
		c.Initialize("")
		alive(t, c)
	})
	t.Run("initialize that cannot be read may be repeated", func(t *testing.T) {
		c, _ := start(t, lsp.Options{})
		if _, err := c.Call("initialize", []int{1}); lsptest.Code(err) != -32602 {
			t.Errorf("got %v, want -32602", err)
		}
		c.Initialize("")
		alive(t, c)
	})
	t.Run("initialize with odd members", func(t *testing.T) {
		c, _ := start(t, lsp.Options{})
		params := `{"processId":"x","rootUri":null,"workspaceFolders":null,"unknown":1,"capabilities":{"general":{"positionEncodings":["utf-8"]},"textDocument":{"hover":7},"workspace":[]}}`
		var result struct {
			Capabilities struct{ PositionEncoding string }
		}
		c.MustCall("initialize", json.RawMessage(params), &result)
		if result.Capabilities.PositionEncoding != "utf-8" {
			t.Errorf("encoding %q: a good capability was lost with the bad one", result.Capabilities.PositionEncoding)
		}
	})
	t.Run("call after shutdown", func(t *testing.T) {
		c, _ := start(t, lsp.Options{})
		c.Initialize("")
		c.MustCall("shutdown", nil, nil)
		if _, err := c.Call("textDocument/hover", json.RawMessage(hoverParams)); lsptest.Code(err) != -32600 {
			t.Errorf("got %v, want -32600", err)
		}
		c.Notify("exit", nil)
		if code, err := c.ExitCode(); err != nil || code != 0 {
			t.Errorf("exit code %d, %v", code, err)
		}
	})
	exits := []struct {
		name string
		run  func(c *lsptest.Client)
		code int
	}{
		{"exit at once", func(c *lsptest.Client) { c.Notify("exit", nil) }, 1},
		{"exit before shutdown", func(c *lsptest.Client) { c.Initialize(""); c.Notify("exit", nil) }, 1},
		{"exit twice", func(c *lsptest.Client) { c.Initialize(""); c.Notify("exit", nil); c.Notify("exit", nil) }, 1},
		{"end of input at once", func(c *lsptest.Client) { c.CloseInput() }, 1},
		{"end of input in a session", func(c *lsptest.Client) { c.Initialize(""); c.CloseInput() }, 1},
		{"end of input after shutdown", func(c *lsptest.Client) { c.Initialize(""); c.MustCall("shutdown", nil, nil); c.CloseInput() }, 0},
		{"exit with a call in flight", func(c *lsptest.Client) {
			c.Initialize("")
			c.Go("test/block", nil)
			c.Notify("exit", nil)
		}, 1},
	}
	for _, tt := range exits {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := start(t, lsp.Options{})
			tt.run(c)
			code, err := c.ExitCode()
			if err != nil {
				t.Fatal(err)
			}
			if code != tt.code {
				t.Errorf("exit code %d, want %d", code, tt.code)
			}
		})
	}
}

func TestPipedSessionGetsItsReplies(t *testing.T) {
	c, log := start(t, lsp.Options{})
	c.Initialize("")
	calls := make([]*lsptest.Pending, 50)
	for i := range calls {
		calls[i] = c.Go("textDocument/hover", json.RawMessage(hoverParams))
	}
	c.CloseInput()
	for i, call := range calls {
		if _, err := call.Wait(); err != nil {
			t.Fatalf("call %d of a script that ends its input: %v\n%s", i, err, log)
		}
	}
}

func TestFloodWithoutReading(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	c.Pause()
	const n = 20_000
	calls := make([]*lsptest.Pending, n)
	for i := range calls {
		calls[i] = c.Go("textDocument/hover", json.RawMessage(hoverParams))
	}
	if g := runtime.NumGoroutine(); g > lsp.MaxQueued+200 {
		t.Errorf("%d goroutines", g)
	}
	c.Resume()
	for i, call := range calls {
		if _, err := call.Wait(); err != nil && lsptest.Code(err) != -32802 {
			t.Fatalf("call %d: %v", i, err)
		}
	}
	alive(t, c)
}

func TestFloodOfBlockedCallsIsRefused(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	calls := make([]*lsptest.Pending, lsp.MaxQueued+100)
	for i := range calls {
		calls[i] = c.Go("test/block", nil)
	}
	refused := 0
	for _, call := range calls[lsp.MaxQueued:] {
		if _, err := call.Wait(); lsptest.Code(err) == -32802 {
			refused++
		}
	}
	if refused != 100 {
		t.Errorf("%d calls refused with ServerCancelled, want 100", refused)
	}
	for _, call := range calls[:lsp.MaxQueued] {
		call.Cancel()
	}
	for i, call := range calls[:lsp.MaxQueued] {
		if _, err := call.Wait(); lsptest.Code(err) != -32800 {
			t.Fatalf("call %d: %v, want -32800", i, err)
		}
	}
	alive(t, c)
}

// TestLogThatNobodyReads fills the log's pipe: the server must go on, and end.
func TestLogThatNobodyReads(t *testing.T) {
	unread, log := io.Pipe()
	c := lsptest.Start(t, func(in io.ReadCloser, out io.WriteCloser) int {
		return lsp.Serve(context.Background(), in, out, lsp.Options{Log: log})
	})
	// The writer is let go when the server has ended without it.
	t.Cleanup(func() { _ = unread.Close() })
	c.Initialize("")
	for range 5000 {
		c.Notify("textDocument/didOpen", map[string]any{"x": 1}) // each is worth a line
	}
	alive(t, c)
	if code := c.Shutdown(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

func TestLogThatIsReadLateSaysWhatIsMissing(t *testing.T) {
	unread, log := io.Pipe()
	c := lsptest.Start(t, func(in io.ReadCloser, out io.WriteCloser) int {
		return lsp.Serve(context.Background(), in, out, lsp.Options{Log: log})
	})
	c.Initialize("")
	for range 5000 {
		c.Notify("textDocument/didOpen", map[string]any{"x": 1})
	}
	alive(t, c)
	var got logBuffer
	read := make(chan struct{})
	go func() {
		_, _ = io.Copy(&got, unread)
		close(read)
	}()
	for deadline := time.Now().Add(lsptest.Timeout); !strings.Contains(got.String(), "lines were dropped"); {
		if time.Now().After(deadline) {
			t.Fatalf("the log does not say that lines are missing: %d bytes", len(got.String()))
		}
		time.Sleep(5 * time.Millisecond)
	}
	if code := c.Shutdown(); code != 0 {
		t.Errorf("exit code %d", code)
	}
	_ = log.Close()
	<-read
}

// TestFloodsKeepNothing sends much that names nothing: what is remembered of it
// must not grow with it.
func TestFloodsKeepNothing(t *testing.T) {
	n := 2000
	if testing.Short() {
		n = 500
	}
	long := strings.Repeat("x", 20_000)
	floods := []struct {
		name string
		send func(c *lsptest.Client, i int)
	}{
		{"diagnostics of documents that are not there", func(c *lsptest.Client, i int) {
			c.Go("textDocument/diagnostic", map[string]any{"textDocument": map[string]string{"uri": fmt.Sprintf("file:///%d%s", i, long)}})
		}},
		{"tokens of documents that are closed at once", func(c *lsptest.Client, i int) {
			document := map[string]any{"uri": fmt.Sprintf("untitled:%d%s", i, long), "languageId": "amp", "version": 1, "text": "[goal must] x\n"}
			c.Notify("textDocument/didOpen", map[string]any{"textDocument": document})
			c.Go("textDocument/semanticTokens/full", map[string]any{"textDocument": document})
			c.Notify("textDocument/didClose", map[string]any{"textDocument": document})
		}},
		{"settings that the client never gives", func(c *lsptest.Client, _ int) {
			for range 10 {
				c.Notify("workspace/didChangeConfiguration", map[string]any{"settings": nil})
			}
		}},
		{"cancelled calls that were never made", func(c *lsptest.Client, i int) {
			c.Notify("$/cancelRequest", map[string]any{"id": long + fmt.Sprint(i)})
		}},
	}
	for _, tt := range floods {
		t.Run(tt.name, func(t *testing.T) {
			c, _ := start(t, lsp.Options{})
			release := make(chan struct{})
			defer close(release)
			c.On("workspace/configuration", func(json.RawMessage) (any, *lsptest.Error) {
				<-release
				return nil, nil
			})
			c.Initialize(`{"workspace":{"configuration":true},"textDocument":{"diagnostic":{}}}`)
			measure := func() (heap uint64, goroutines int) {
				alive(t, c)
				runtime.GC()
				runtime.GC()
				var m runtime.MemStats
				runtime.ReadMemStats(&m)
				return m.HeapAlloc, runtime.NumGoroutine()
			}
			flood := func(from, to int) {
				for i := from; i < to; i++ {
					tt.send(c, i)
				}
				alive(t, c)
			}
			flood(0, 100)
			heap, goroutines := measure()
			flood(100, n)
			deadline := time.Now().Add(lsptest.Timeout)
			for {
				heap2, goroutines2 := measure()
				if heap2 < heap+8<<20 && goroutines2 < goroutines+50 {
					break
				}
				if time.Now().After(deadline) {
					t.Fatalf("%d MB and %d goroutines more", (int64(heap2)-int64(heap))>>20, goroutines2-goroutines)
				}
				time.Sleep(20 * time.Millisecond)
			}
		})
	}
}

func TestParentThatEnds(t *testing.T) {
	c, _ := start(t, lsp.Options{Parent: endedProcess(t), ParentPoll: 10 * time.Millisecond})
	code, err := c.ExitCode()
	if err != nil {
		t.Fatal(err)
	}
	if code != 1 {
		t.Errorf("exit code %d, want 1", code)
	}
}

func TestTraceNamesMethodsOnly(t *testing.T) {
	c, _ := start(t, lsp.Options{})
	c.Initialize("")
	c.Notify("$/setTrace", map[string]string{"value": "verbose"})
	if _, err := c.Call("textDocument/hover", json.RawMessage(`{"textDocument":{"uri":"file:///secret"},"position":{"line":0,"character":0}}`)); err != nil {
		t.Fatal(err)
	}
	params, err := c.Await("$/logTrace", func(p json.RawMessage) bool { return bytes.Contains(p, []byte("textDocument/hover")) })
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(params, []byte("secret")) {
		t.Errorf("the trace shows contents: %s", params)
	}
}
