package lsp

import (
	"context"
	"time"
)

// Kinds of results that a client may be asked to fetch again, as a bit set.
const (
	refreshDiagnostics uint32 = 1 << iota
	refreshLenses
	refreshHints
	refreshTokens
	refreshReports
)

// refreshPause gathers the refreshes of one burst of changes: each makes the
// client ask for everything it shows.
const refreshPause = 150 * time.Millisecond

// refresh asks the client, soon, to fetch results of a kind again. Kinds that the
// client cannot refresh are dropped.
func (s *Server) refresh(kinds uint32) {
	kinds &= s.client.refreshable
	if kinds == 0 {
		return
	}
	s.refreshKinds.Or(kinds)
	select {
	case s.refreshWake <- struct{}{}:
	default:
	}
}

func (s *Server) refreshLoop(ctx context.Context) {
	for {
		select {
		case <-s.refreshWake:
		case <-ctx.Done():
			return
		}
		select {
		case <-time.After(refreshPause):
		case <-ctx.Done():
			return
		}
		kinds := s.refreshKinds.Swap(0)
		for _, k := range []struct {
			kind   uint32
			method string
		}{
			{refreshDiagnostics, "workspace/diagnostic/refresh"},
			{refreshLenses, "workspace/codeLens/refresh"},
			{refreshHints, "workspace/inlayHint/refresh"},
			{refreshTokens, "workspace/semanticTokens/refresh"},
		} {
			if kinds&k.kind == 0 {
				continue
			}
			if err := s.callClient(ctx, k.method, nil, nil); err != nil {
				s.log.Debug("refresh refused", "method", k.method, "error", err.Error())
			}
		}
		if kinds&refreshReports != 0 {
			s.refreshVirtual(ctx)
		}
	}
}
