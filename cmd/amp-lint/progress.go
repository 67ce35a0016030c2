package main

import (
	"time"

	"github.com/schollz/progressbar/v3"
)

// patience is how long a run may take before it shows its progress.
const patience = time.Second

// A progress is a bar on a terminal, for runs that take long.
type progress struct {
	start time.Time
	total int
	n     int
	w     streams
	bar   *progressbar.ProgressBar
	off   bool
}

func newProgress(w streams, total int, quiet bool) *progress {
	return &progress{start: time.Now(), total: total, w: w, off: quiet || !isTerminal(w.err)}
}

func (p *progress) step() {
	p.n++
	if p.off {
		return
	}
	if p.bar == nil {
		if time.Since(p.start) < patience {
			return
		}
		p.bar = progressbar.NewOptions(p.total, progressbar.OptionSetWriter(p.w.err), progressbar.OptionSetDescription("packs"),
			progressbar.OptionShowCount(), progressbar.OptionThrottle(100*time.Millisecond), progressbar.OptionClearOnFinish())
	}
	_ = p.bar.Set(p.n) // a bar that can't be drawn is no reason to stop
}

func (p *progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}
