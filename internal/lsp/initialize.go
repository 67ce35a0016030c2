package lsp

import (
	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/parser/text"
)

// clientInfo is what initialize said about the client. It does not change.
type clientInfo struct {
	name     string
	encoding text.Encoding
	caps     protocol.ClientCapabilities
	folders  []protocol.WorkspaceFolder
}

// initialize runs on the reader: the next message must see its outcome.
func (s *Server) initialize(params []byte) (any, error) {
	p, err := decodeInitialize(params)
	if err != nil {
		return nil, err
	}
	s.client = clientInfo{
		name:     p.ClientInfo.Name,
		encoding: negotiate(p.Capabilities.General),
		caps:     p.Capabilities,
	}
	if level, ok := parseTrace(p.Trace); ok {
		s.traceLevel.Store(int32(level))
	}
	if p.ProcessID != nil && *p.ProcessID > 0 && s.opts.Parent == 0 {
		s.parent <- int(*p.ProcessID)
	}
	s.phase.Store(running)
	s.log.Info("initialize", "client", s.client.name)
	return &protocol.InitializeResult{
		Capabilities: s.capabilities(),
		ServerInfo:   protocol.ServerInfo{Name: "amp-lsp", Version: protocol.NewOptional(s.opts.Version)},
	}, nil
}

// negotiate picks the position encoding: utf-8 when the client offers it, as
// nothing has to be counted then, otherwise the client's first known one.
func negotiate(general *protocol.GeneralClientCapabilities) text.Encoding {
	if general == nil {
		return text.UTF16
	}
	for _, kind := range general.PositionEncodings {
		if kind == protocol.PositionEncodingKindUTF8 {
			return text.UTF8
		}
	}
	for _, kind := range general.PositionEncodings {
		switch kind {
		case protocol.PositionEncodingKindUTF16:
			return text.UTF16
		case protocol.PositionEncodingKindUTF32:
			return text.UTF32
		}
	}
	return text.UTF16
}

func encodingKind(e text.Encoding) protocol.PositionEncodingKind {
	switch e {
	case text.UTF8:
		return protocol.PositionEncodingKindUTF8
	case text.UTF32:
		return protocol.PositionEncodingKindUTF32
	default:
		return protocol.PositionEncodingKindUTF16
	}
}
