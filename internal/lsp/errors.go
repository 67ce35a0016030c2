package lsp

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"
)

// Error codes of LSP 3.17 that the libraries do not name.
const (
	codeServerCancelled jsonrpc2.Code = -32802
	codeRequestFailed   jsonrpc2.Code = -32803
)

var (
	errNotInitialized = jsonrpc2.NewError(jsonrpc2.ServerNotInitialized, "initialize has not been called")
	errShutDown       = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "the server has been shut down")
	errInitializeTwo  = jsonrpc2.NewError(jsonrpc2.InvalidRequest, "initialize has already been called")
	errBusy           = jsonrpc2.NewError(codeServerCancelled, "too many requests in flight; try again")
	errCancelled      = jsonrpc2.NewError(protocol.CodeRequestCancelled, "cancelled")
)

// failed is a request that is understood but cannot be done, with a reason for
// the user.
func failed(format string, args ...any) error {
	return jsonrpc2.Errorf(codeRequestFailed, format, args...)
}

// invalidParams is a request whose parameters make no sense.
func invalidParams(format string, args ...any) error {
	return jsonrpc2.Errorf(jsonrpc2.InvalidParams, format, args...)
}

// wireError gives err the code that LSP has for it. The library would send code
// 0 for a cancelled context, and -32700 for parameters of the wrong type.
func wireError(err error) error {
	var coded *jsonrpc2.Error
	switch {
	case err == nil:
		return nil
	case errors.As(err, &coded):
		return coded
	case errors.Is(err, context.Canceled):
		return errCancelled
	case errors.Is(err, context.DeadlineExceeded):
		return jsonrpc2.NewError(codeRequestFailed, "timed out")
	default:
		return jsonrpc2.NewError(jsonrpc2.InternalError, err.Error())
	}
}

// decode reads params into v: -32700 when they are not JSON, -32602 when they
// are JSON of the wrong shape. Decoder messages quote the input, so they are
// not passed on.
func decode(params []byte, v any) error {
	if len(params) == 0 {
		params = []byte("{}")
	}
	err := protocol.Unmarshal(params, v)
	if err == nil {
		return nil
	}
	if !jsontext.Value(params).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return jsonrpc2.NewError(jsonrpc2.ParseError, "the params are not JSON")
	}
	return invalidParams("the params do not fit %s", typeName(v))
}

func typeName(v any) string {
	name := fmt.Sprintf("%T", v)
	if i := bytes.LastIndexByte([]byte(name), '.'); i >= 0 {
		name = name[i+1:]
	}
	return name
}

func bytesReader(b []byte) io.Reader { return bytes.NewReader(b) }
