package lsp

import (
	"context"
	"sync"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
)

// inflight is the set of calls that have not been answered, so that they can be
// cancelled by id. It takes ids of any size (the library's
// cancel handler decodes them as 32-bit numbers) and ids used twice at once.
type inflight struct {
	mu    sync.Mutex
	calls map[jsonrpc2.ID][]*inflightCall
	n     int
}

type inflightCall struct{ cancel context.CancelFunc }

// add registers a call. It runs on the reader, so that a cancel sent right
// after the call finds it.
func (f *inflight) add(ctx context.Context, id jsonrpc2.ID) (context.Context, *inflightCall) {
	ctx, cancel := context.WithCancel(ctx)
	c := &inflightCall{cancel: cancel}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.calls == nil {
		f.calls = map[jsonrpc2.ID][]*inflightCall{}
	}
	f.calls[id] = append(f.calls[id], c)
	f.n++
	return ctx, c
}

// done forgets a call.
func (f *inflight) done(id jsonrpc2.ID, c *inflightCall) {
	c.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	same := f.calls[id]
	for i := range same {
		if same[i] == c {
			same[i] = same[len(same)-1]
			same = same[:len(same)-1]
			break
		}
	}
	if len(same) == 0 {
		delete(f.calls, id)
	} else {
		f.calls[id] = same
	}
	f.n--
}

// cancel cancels every call with the id; an unknown id is ignored, as the call
// may just have been answered.
func (f *inflight) cancel(id jsonrpc2.ID) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, c := range f.calls[id] {
		c.cancel()
	}
}

// cancelAll cancels every call.
func (f *inflight) cancelAll() {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, same := range f.calls {
		for _, c := range same {
			c.cancel()
		}
	}
}

// len returns the number of calls in flight.
func (f *inflight) len() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.n
}

// cancelID reads the id of $/cancelRequest params. ok is false when there is
// none that a call could have had.
func cancelID(params []byte) (id jsonrpc2.ID, ok bool) {
	raw := member(params, "id")
	if raw == nil {
		return id, false
	}
	switch raw.Kind() {
	case '"':
		text, err := jsontext.AppendUnquote(nil, raw)
		if err != nil {
			return id, false
		}
		return jsonrpc2.NewStringID(string(text)), true
	case '0':
		view, err := jsonrpc2.ScanMessageView([]byte(`{"jsonrpc":"2.0","method":"","id":` + string(raw) + `}`))
		if err != nil {
			return id, false
		}
		return view.ID.ID()
	default:
		return id, false
	}
}

// member returns the raw value of a top-level member of a JSON object, or nil.
func member(object []byte, name string) jsontext.Value {
	dec := jsontext.NewDecoder(bytesReader(object), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return nil
	}
	for dec.PeekKind() != '}' {
		key, err := dec.ReadToken()
		if err != nil {
			return nil
		}
		found := key.String() == name
		value, err := dec.ReadValue()
		if err != nil {
			return nil
		}
		if found {
			return value.Clone()
		}
	}
	return nil
}
