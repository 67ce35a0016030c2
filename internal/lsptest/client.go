// Package lsptest drives a language server as a client would, at the level of
// bytes. It shares no code with the server: it frames, encodes and decodes with
// the standard library alone, so an encoding error cannot cancel out.
package lsptest

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Timeout bounds every wait. It is generous because tests share a busy machine;
// a wait that succeeds ends at once.
const Timeout = 20 * time.Second

// Message is any JSON-RPC message.
type Message struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Params json.RawMessage `json:"params"`
	Result json.RawMessage `json:"result"`
	Error  *Error          `json:"error"`
}

// Error is a JSON-RPC error.
type Error struct {
	Code    int             `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data"`
}

func (e *Error) Error() string { return fmt.Sprintf("%d: %s", e.Code, e.Message) }

// Reply answers a call of the server.
type Reply func(params json.RawMessage) (result any, err *Error)

// Client is one connection to a server.
type Client struct {
	t   testing.TB
	out io.WriteCloser

	writeMu sync.Mutex

	mu      sync.Mutex
	next    int
	waiting map[string]chan *Message
	replies map[string]Reply
	notes   []*Message // notifications not yet awaited
	orphans []*Message // responses to no call, null ids among them
	batches []json.RawMessage
	latest  map[string]json.RawMessage // last published diagnostics by URI
	changed chan struct{}              // closed and replaced at each arrival
	readErr error

	gate gate

	exit chan int
}

// Start runs serve against a new client, over pipes in memory. serve returns
// the exit code.
func Start(t testing.TB, serve func(in io.ReadCloser, out io.WriteCloser) int) *Client {
	t.Helper()
	serverIn, clientOut := io.Pipe()
	clientIn, serverOut := io.Pipe()
	c := newClient(t, clientOut, clientIn)
	go func() {
		code := serve(serverIn, serverOut)
		_ = serverIn.Close()
		_ = serverOut.Close()
		c.exit <- code
	}()
	t.Cleanup(func() {
		c.Resume()
		_ = clientOut.Close()
		_ = clientIn.Close()
		if _, err := c.ExitCode(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func newClient(t testing.TB, out io.WriteCloser, in io.Reader) *Client {
	c := &Client{
		t:       t,
		out:     out,
		waiting: map[string]chan *Message{},
		replies: map[string]Reply{},
		latest:  map[string]json.RawMessage{},
		changed: make(chan struct{}),
		exit:    make(chan int, 1),
	}
	c.gate.in = in
	c.gate.open.L = &c.gate.mu
	go c.read(bufio.NewReader(&c.gate))
	return c
}

// Pause stops reading what the server sends, as a hung client does; a read that
// has begun still ends.
func (c *Client) Pause() { c.gate.set(true) }

// Resume reads on.
func (c *Client) Resume() { c.gate.set(false) }

// gate is a reader that can be held up.
type gate struct {
	in     io.Reader
	mu     sync.Mutex
	open   sync.Cond
	closed bool
}

func (g *gate) set(closed bool) {
	g.mu.Lock()
	g.closed = closed
	g.mu.Unlock()
	g.open.Broadcast()
}

func (g *gate) Read(p []byte) (int, error) {
	g.mu.Lock()
	for g.closed {
		g.open.Wait()
	}
	g.mu.Unlock()
	return g.in.Read(p)
}

func (c *Client) read(in *bufio.Reader) {
	for {
		body, err := readFrame(in)
		if err != nil {
			c.mu.Lock()
			c.readErr = err
			for id, ch := range c.waiting {
				close(ch)
				delete(c.waiting, id)
			}
			c.signal()
			c.mu.Unlock()
			return
		}
		c.arrived(body)
	}
}

func readFrame(in *bufio.Reader) ([]byte, error) {
	length := -1
	for {
		line, err := in.ReadString('\n')
		if err != nil {
			return nil, err
		}
		if !strings.HasSuffix(line, "\r\n") {
			return nil, fmt.Errorf("header line %q does not end in CRLF", line)
		}
		line = strings.TrimSuffix(line, "\r\n")
		if line == "" {
			break
		}
		name, value, ok := strings.Cut(line, ": ")
		if !ok || name != "Content-Length" {
			return nil, fmt.Errorf("unexpected header %q", line)
		}
		if length, err = strconv.Atoi(value); err != nil {
			return nil, err
		}
	}
	if length < 0 {
		return nil, errors.New("no Content-Length")
	}
	body := make([]byte, length)
	_, err := io.ReadFull(in, body)
	return body, err
}

func (c *Client) arrived(body []byte) {
	c.mu.Lock()
	defer c.mu.Unlock()
	defer c.signal()
	if bytes.HasPrefix(body, []byte("[")) {
		c.batches = append(c.batches, body)
		return
	}
	var m Message
	if err := json.Unmarshal(body, &m); err != nil {
		c.t.Errorf("the server sent %q: %v", body, err)
		return
	}
	switch {
	case m.Method != "" && m.ID != nil:
		reply := c.replies[m.Method]
		go c.answer(&m, reply)
	case m.Method == "textDocument/publishDiagnostics":
		var p struct{ URI string }
		if err := json.Unmarshal(m.Params, &p); err != nil {
			c.t.Errorf("%s: %v", m.Method, err)
		}
		c.latest[p.URI] = m.Params
		c.notes = append(c.notes, &m)
	case m.Method != "":
		c.notes = append(c.notes, &m)
	default:
		ch, ok := c.waiting[string(m.ID)]
		if !ok {
			c.orphans = append(c.orphans, &m)
			return
		}
		delete(c.waiting, string(m.ID))
		ch <- &m
	}
}

// signal wakes every Await. The caller holds mu.
func (c *Client) signal() {
	close(c.changed)
	c.changed = make(chan struct{})
}

func (c *Client) answer(m *Message, reply Reply) {
	response := map[string]any{"jsonrpc": "2.0", "id": m.ID}
	if reply == nil {
		response["error"] = Error{Code: -32601, Message: "the test client does not know " + m.Method}
	} else if result, err := reply(m.Params); err != nil {
		response["error"] = err
	} else {
		response["result"] = result
	}
	c.send(response)
}

// On sets the answer to a call of the server; set it before the call.
func (c *Client) On(method string, reply Reply) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.replies[method] = reply
}

// Frame puts a header before a body.
func Frame(body string) string {
	return "Content-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
}

// Raw writes bytes as they are. It fails the test only when the write blocks
// for too long; a server may have hung up.
func (c *Client) Raw(data string) error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	done := make(chan error, 1)
	go func() {
		_, err := io.WriteString(c.out, data)
		done <- err
	}()
	select {
	case err := <-done:
		return err
	case <-time.After(Timeout):
		c.t.Error("the server has stopped reading")
		return errors.New("blocked")
	}
}

// Body sends one message given as JSON text.
func (c *Client) Body(body string) error { return c.Raw(Frame(body)) }

func (c *Client) send(v any) {
	body, err := json.Marshal(v)
	if err != nil {
		c.t.Error(err)
		return
	}
	_ = c.Body(string(body))
}

// Notify sends a notification. params may be json.RawMessage.
func (c *Client) Notify(method string, params any) {
	c.send(map[string]any{"jsonrpc": "2.0", "method": method, "params": params})
}

// Pending is a call that has been sent.
type Pending struct {
	c    *Client
	ID   string // JSON text
	name string
	ch   chan *Message
}

// Go sends a call without waiting for its reply.
func (c *Client) Go(method string, params any) *Pending {
	c.mu.Lock()
	c.next++
	id := strconv.Itoa(c.next)
	c.mu.Unlock()
	return c.GoID(id, method, params)
}

// GoID sends a call with a given id, as JSON text.
func (c *Client) GoID(id, method string, params any) *Pending {
	ch := make(chan *Message, 1)
	c.mu.Lock()
	if c.readErr != nil {
		close(ch)
	} else {
		c.waiting[id] = ch
	}
	c.mu.Unlock()
	c.send(map[string]any{"jsonrpc": "2.0", "id": json.RawMessage(id), "method": method, "params": params})
	return &Pending{c: c, ID: id, name: method, ch: ch}
}

// Wait returns the result. The error is an *Error, or says that none came.
func (p *Pending) Wait() (json.RawMessage, error) {
	select {
	case m, ok := <-p.ch:
		if !ok {
			return nil, fmt.Errorf("%s: the connection ended", p.name)
		}
		if m.Error != nil {
			return nil, m.Error
		}
		return m.Result, nil
	case <-time.After(Timeout):
		return nil, fmt.Errorf("%s: no reply", p.name)
	}
}

// Cancel sends $/cancelRequest for the call.
func (p *Pending) Cancel() {
	p.c.Notify("$/cancelRequest", map[string]any{"id": json.RawMessage(p.ID)})
}

// Call calls and waits.
func (c *Client) Call(method string, params any) (json.RawMessage, error) {
	return c.Go(method, params).Wait()
}

// MustCall calls, fails the test on an error, and decodes the result into into
// unless that is nil.
func (c *Client) MustCall(method string, params, into any) {
	c.t.Helper()
	result, err := c.Call(method, params)
	if err != nil {
		c.t.Fatalf("%s: %v", method, err)
	}
	if into == nil {
		return
	}
	if err := json.Unmarshal(result, into); err != nil {
		c.t.Fatalf("%s: %v in %s", method, err, result)
	}
}

// Code returns the code of a JSON-RPC error, 0 for any other error.
func Code(err error) int {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return 0
}

// Await returns the first notification not yet awaited that matches, and
// removes it and all of the method before it.
func (c *Client) Await(method string, match func(params json.RawMessage) bool) (json.RawMessage, error) {
	deadline := time.After(Timeout)
	seen := 0
	for {
		c.mu.Lock()
		for i, m := range c.notes {
			if m.Method == method && (match == nil || match(m.Params)) {
				kept := c.notes[:0:0]
				for j, n := range c.notes {
					if j > i || n.Method != method {
						kept = append(kept, n)
					}
				}
				c.notes = kept
				c.mu.Unlock()
				return m.Params, nil
			}
		}
		seen = len(c.notes)
		changed, readErr := c.changed, c.readErr
		c.mu.Unlock()
		if readErr != nil {
			return nil, fmt.Errorf("%s: %w", method, readErr)
		}
		select {
		case <-changed:
		case <-deadline:
			return nil, fmt.Errorf("%s: not received (%d other notifications)", method, seen)
		}
	}
}

// Orphans returns n responses that answer no call of this client, such as those
// with a null id.
func (c *Client) Orphans(n int) ([]*Message, error) {
	var got []*Message
	err := c.until(func() bool {
		if len(c.orphans) < n {
			return false
		}
		got = c.orphans[:n]
		c.orphans = c.orphans[n:]
		return true
	})
	return got, err
}

// Batch returns the next batch of replies.
func (c *Client) Batch() (json.RawMessage, error) {
	var got json.RawMessage
	err := c.until(func() bool {
		if len(c.batches) == 0 {
			return false
		}
		got = c.batches[0]
		c.batches = c.batches[1:]
		return true
	})
	return got, err
}

// until waits for a condition that is checked with mu held.
func (c *Client) until(ok func() bool) error {
	deadline := time.After(Timeout)
	for {
		c.mu.Lock()
		if ok() {
			c.mu.Unlock()
			return nil
		}
		changed, readErr := c.changed, c.readErr
		c.mu.Unlock()
		if readErr != nil {
			return readErr
		}
		select {
		case <-changed:
		case <-deadline:
			return errors.New("timed out")
		}
	}
}

// Notes returns the params of the notifications of a method that have arrived
// and have not been awaited.
func (c *Client) Notes(method string) []json.RawMessage {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []json.RawMessage
	for _, m := range c.notes {
		if m.Method == method {
			all = append(all, m.Params)
		}
	}
	return all
}

// CloseInput closes the server's input, as a client that ends does.
func (c *Client) CloseInput() { _ = c.out.Close() }

// ExitCode waits for the server to end.
func (c *Client) ExitCode() (int, error) {
	select {
	case code := <-c.exit:
		c.exit <- code
		return code, nil
	case <-time.After(Timeout):
		return 0, errors.New("the server did not end")
	}
}

// Initialize calls initialize with the given capabilities (JSON text, "" for
// none) and workspace folder URIs, and sends initialized.
func (c *Client) Initialize(capabilities string, folders ...string) json.RawMessage {
	c.t.Helper()
	if capabilities == "" {
		capabilities = "{}"
	}
	list := []map[string]string{}
	for _, uri := range folders {
		list = append(list, map[string]string{"uri": uri, "name": uri[strings.LastIndexByte(uri, '/')+1:]})
	}
	params := map[string]any{
		"processId": nil, "rootUri": nil,
		"capabilities": json.RawMessage(capabilities), "workspaceFolders": list,
	}
	var result json.RawMessage
	c.MustCall("initialize", params, &result)
	c.Notify("initialized", struct{}{})
	return result
}

// Shutdown ends the session in the proper order and returns the exit code.
func (c *Client) Shutdown() int {
	c.t.Helper()
	c.MustCall("shutdown", nil, nil)
	c.Notify("exit", nil)
	code, err := c.ExitCode()
	if err != nil {
		c.t.Fatal(err)
	}
	return code
}
