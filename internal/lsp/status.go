package lsp

import (
	"path/filepath"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/internal/session"
)

// packStatus is the amp/packStatus notification; see docs/lsp-extensions.md.
type packStatus struct {
	URI       string `json:"uri"`
	Name      string `json:"name"`
	Pass      int    `json:"pass"`
	Fail      int    `json:"fail"`
	Warn      int    `json:"warn"`
	Signature string `json:"signature"`
}

// status reports the state of a pack, when the client wants that and it has
// changed.
func (p *publisher) status(v *session.View) {
	pass, fail := tally(v)
	now := packStatus{URI: v.URI, Name: v.Pack.Name(), Pass: pass, Fail: fail, Signature: v.Signature().Word}
	if now.Name == "" {
		now.Name = filepath.Base(v.Root)
	}
	if p.packs[v.Root] == now {
		return
	}
	p.packs[v.Root] = now
	p.refresh(refreshLenses)
	if p.client.packStatus {
		p.notifyClient("amp/packStatus", &now)
	}
}

// tally counts primitives as the report of Part 5 does: one with an error has
// failed (R-n).
func tally(v *session.View) (pass, fail int) {
	for _, f := range v.Pack.Capabilities() {
		for _, n := range f.Tree.Summary().Types {
			pass += n
		}
	}
	for _, found := range v.All() {
		last := 0
		for i := range found {
			if d := &found[i]; d.Severity == analysis.Error && d.Unit != 0 && d.Unit != last {
				last = d.Unit
				fail++
			}
		}
	}
	return pass - fail, fail
}
