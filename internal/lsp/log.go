package lsp

import (
	"io"
	"log/slog"

	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/analysis/credential"
)

// newLogger logs to w as text. Every string is passed through mask, which
// blanks credential values: a log may be pasted into a bug report.
func newLogger(w io.Writer, level slog.Level, mask func(string) string) *slog.Logger {
	return slog.New(slog.NewTextHandler(w, &slog.HandlerOptions{
		Level: level,
		ReplaceAttr: func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindString {
				a.Value = slog.StringValue(mask(a.Value.String()))
			}
			return a
		},
	}))
}

// maskCredentials blanks what looks like a live credential.
func maskCredentials(s string) string { return credential.MaskText(s) }

// traceLevel is the value of $/setTrace.
type traceLevel int32

const (
	traceOff traceLevel = iota
	traceMessages
	traceVerbose
)

func parseTrace(v protocol.TraceValue) (traceLevel, bool) {
	switch v {
	case protocol.TraceValueOff, "":
		return traceOff, true
	case protocol.TraceValueMessages:
		return traceMessages, true
	case protocol.TraceValueVerbose:
		return traceVerbose, true
	default:
		return traceOff, false
	}
}

// trace reports one step to the client when it has asked for that. It names
// methods and ids, never contents: a document may hold a credential.
func (s *Server) trace(what, method, detail string) {
	level := traceLevel(s.traceLevel.Load())
	if level == traceOff {
		return
	}
	params := protocol.LogTraceParams{Message: what + " " + logName(method)}
	if level == traceVerbose && detail != "" {
		params.Verbose = &detail
	}
	s.notifyClient("$/logTrace", &params)
}

func setTrace(s *Server, params []byte) error {
	var p protocol.SetTraceParams
	if err := decode(params, &p); err != nil {
		return err
	}
	level, ok := parseTrace(p.Value)
	if !ok {
		return invalidParams("unknown trace value")
	}
	s.traceLevel.Store(int32(level))
	return nil
}
