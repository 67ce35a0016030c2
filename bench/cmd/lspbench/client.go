package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"time"
)

// client is a language client that does as little as one can, so that what is
// measured is the server: it looks into a message only as far as it must.
type client struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	mu   sync.Mutex
	next int

	replies chan message
	diags   chan published
	errs    chan error
	syncAll bool // the server takes whole texts only
}

type message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
	at time.Time
}

// published is a publishDiagnostics notification and when its last byte came.
type published struct {
	uri     string
	version int
	count   int
	at      time.Time
}

func start(command []string) (*client, error) {
	c := &client{cmd: exec.Command(command[0], command[1:]...), replies: make(chan message, 64), diags: make(chan published, 4096), errs: make(chan error, 1)}
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, err
	}
	go c.read(bufio.NewReaderSize(out, 1<<20))
	return c, nil
}

func (c *client) read(in *bufio.Reader) {
	for {
		body, err := frame(in)
		at := time.Now()
		if err != nil {
			c.errs <- err
			return
		}
		if bytes.Contains(body[:min(len(body), 200)], []byte(`"textDocument/publishDiagnostics"`)) {
			var m struct {
				Params struct {
					URI         string            `json:"uri"`
					Version     *int              `json:"version"`
					Diagnostics []json.RawMessage `json:"diagnostics"`
				} `json:"params"`
			}
			if json.Unmarshal(body, &m) == nil {
				p := published{uri: m.Params.URI, version: -1, count: len(m.Params.Diagnostics), at: at}
				if m.Params.Version != nil {
					p.version = *m.Params.Version
				}
				c.diags <- p
			}
			continue
		}
		var m message
		if json.Unmarshal(body, &m) != nil {
			continue
		}
		m.at = at
		switch {
		case m.Method != "" && m.ID != nil:
			c.answer(&m)
		case m.Method == "":
			c.replies <- m
		}
	}
}

// answer gives every call of a server the emptiest answer that it takes.
func (c *client) answer(m *message) {
	result := json.RawMessage("null")
	if m.Method == "workspace/configuration" {
		var p struct{ Items []json.RawMessage }
		_ = json.Unmarshal(m.Params, &p)
		result = json.RawMessage("[" + strings.TrimSuffix(strings.Repeat("null,", len(p.Items)), ",") + "]")
	}
	_ = c.send(map[string]any{"jsonrpc": "2.0", "id": m.ID, "result": result})
}

func frame(in *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		line = strings.TrimSpace(line)
		if line == "" {
			break
		}
		if name, value, ok := strings.Cut(line, ":"); ok && strings.EqualFold(name, "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil {
				return nil, err
			}
		}
	}
	if length < 0 {
		return nil, errors.New("no Content-Length")
	}
	body := make([]byte, length)
	_, err := io.ReadFull(in, body)
	return body, err
}

func (c *client) send(v any) error {
	body, err := json.Marshal(v)
	if err != nil {
		return err
	}
	return c.write(body)
}

func (c *client) write(body []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	buf := append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...)
	_, err := c.in.Write(buf)
	return err
}

func (c *client) notify(method string, params any) error {
	return c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

func (c *client) call(method string, params any, timeout time.Duration) (message, error) {
	c.next++
	if err := c.send(map[string]any{"jsonrpc": "2.0", "id": c.next, "method": method, "params": params}); err != nil {
		return message{}, err
	}
	deadline := time.After(timeout)
	for {
		select {
		case m := <-c.replies:
			if string(m.ID) != strconv.Itoa(c.next) {
				continue
			}
			if m.Error != nil {
				return m, errors.New(m.Error.Message)
			}
			return m, nil
		case err := <-c.errs:
			return message{}, err
		case <-deadline:
			return message{}, fmt.Errorf("%s: no answer in %v", method, timeout)
		}
	}
}

// initialize opens a folder and returns how long the answer took, from the start
// of the process where began says so.
func (c *client) initialize(root string, began time.Time) (time.Duration, error) {
	m, err := c.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": fileURI(root),
		"workspaceFolders": []map[string]string{{"uri": fileURI(root), "name": "bench"}},
		"capabilities": map[string]any{"textDocument": map[string]any{
			"publishDiagnostics": map[string]any{"versionSupport": true}, "synchronization": map[string]any{"didSave": true},
		}},
	}, time.Minute)
	if err != nil {
		return 0, err
	}
	took := m.at.Sub(began)
	var init struct {
		Capabilities struct {
			TextDocumentSync json.RawMessage `json:"textDocumentSync"`
		} `json:"capabilities"`
	}
	if err := json.Unmarshal(m.Result, &init); err != nil {
		return 0, err
	}
	var kind int
	if json.Unmarshal(init.Capabilities.TextDocumentSync, &kind) != nil {
		var options struct{ Change int }
		_ = json.Unmarshal(init.Capabilities.TextDocumentSync, &options)
		kind = options.Change
	}
	c.syncAll = kind == 1
	return took, c.notify("initialized", struct{}{})
}

func fileURI(path string) string { return "file://" + path }

// await returns the first diagnostics of a document that fit a version; servers
// that send no version are taken at their word.
func (c *client) await(uri string, version int, timeout time.Duration) (published, error) {
	deadline := time.After(timeout)
	for {
		select {
		case p := <-c.diags:
			if p.uri == uri && (p.version == version || p.version < 0) {
				return p, nil
			}
		case err := <-c.errs:
			return published{}, err
		case <-deadline:
			return published{}, fmt.Errorf("no diagnostics of version %d in %v", version, timeout)
		}
	}
}

// drain forgets what has come so far.
func (c *client) drain() {
	for {
		select {
		case <-c.diags:
		default:
			return
		}
	}
}

func (c *client) stop() {
	_, _ = c.call("shutdown", nil, 5*time.Second)
	_ = c.notify("exit", nil)
	done := make(chan struct{})
	go func() {
		_ = c.cmd.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-time.After(5 * time.Second):
		_ = c.cmd.Process.Kill()
		<-done
	}
}

// memory is the resident memory of the server, in bytes; 0 where it cannot be
// read.
func (c *client) memory() int {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", c.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(data)) {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			kb, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return kb << 10
		}
	}
	return 0
}
