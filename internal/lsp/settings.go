package lsp

import (
	"context"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"
)

// section is the name under which clients keep our settings.
const section = "amp"

// settings are what the user has set in the client. They concern what is shown;
// how packs are judged stands in configuration files that every tool reads.
type settings struct {
	InlayHints struct {
		// Defaults shows the defaults of facets that are left out.
		Defaults bool `json:"defaults"`
	} `json:"inlayHints"`
	CodeLens struct {
		Enabled *bool `json:"enabled"`
	} `json:"codeLens"`
}

// startOptions are the initialization options; see docs/lsp-extensions.md.
type startOptions struct {
	PackStatus bool           `json:"packStatus"`
	Signing    *bool          `json:"signing"`
	Settings   jsontext.Value `json:"settings"`
}

// readStartOptions never fails: a client may send anything, or null.
func readStartOptions(raw jsontext.Value) startOptions {
	var o startOptions
	if len(raw) == 0 || json.Unmarshal(raw, &o, lenient) != nil {
		return startOptions{}
	}
	return o
}

// applySettings takes settings over. Null and nonsense leave the defaults.
func (s *Server) applySettings(raw jsontext.Value) {
	var next settings
	if len(raw) > 0 && raw.Kind() == '{' {
		if err := json.Unmarshal(raw, &next, lenient); err != nil {
			s.log.Warn("settings not understood; using the defaults")
			next = settings{}
		}
	}
	s.settings.Store(&next)
	s.refresh(refreshHints | refreshLenses)
}

// pullSettings asks the client for the settings, when it can be asked.
func (s *Server) pullSettings(ctx context.Context) {
	if !s.client.configuration {
		return
	}
	// One after the other: each asks anew, so the last answer is the newest.
	s.settingsMu.Lock()
	defer s.settingsMu.Unlock()
	name := section
	var values []protocol.LSPAny
	err := s.callClient(ctx, "workspace/configuration", &protocol.ConfigurationParams{Items: []protocol.ConfigurationItem{{Section: &name}}}, &values)
	if err != nil {
		s.log.Debug("no settings", "error", err.Error())
		return
	}
	if len(values) > 0 {
		s.applySettings(values[0])
	}
}

// pullAgain asks for the settings anew. What comes while the client has not
// answered is answered by one more question, not by one each.
func (s *Server) pullAgain() {
	if s.pulls.Add(1) > 1 {
		return
	}
	s.spawn(func(ctx context.Context) {
		for ctx.Err() == nil {
			n := s.pulls.Load()
			s.pullSettings(ctx)
			if s.pulls.CompareAndSwap(n, 0) {
				return
			}
		}
	})
}

func didChangeConfiguration(s *Server, params []byte) error {
	if s.client.configuration {
		s.pullAgain()
		return nil
	}
	raw := member(params, "settings")
	if own := member(raw, section); own != nil {
		raw = own
	}
	s.applySettings(raw)
	return nil
}
