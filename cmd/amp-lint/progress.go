package main

import (
	"fmt"
	"time"
)

const (
	// patience is how long a run may take before it shows its progress.
	patience = time.Second
	// redraw is how often at most it is shown anew.
	redraw = 100 * time.Millisecond
	width  = 30
)

// A progress is a bar on a terminal, for runs that take long. The libraries for
// it bring an HTTP client along, which would be half of the time to start.
type progress struct {
	w        streams
	total, n int
	next     time.Time
	on       bool // allowed
	shown    bool
}

func newProgress(w streams, total int, quiet bool) *progress {
	return &progress{w: w, total: total, next: time.Now().Add(patience), on: !quiet && isTerminal(w.err)}
}

func (p *progress) step() {
	p.n++
	if !p.on {
		return
	}
	if now := time.Now(); now.After(p.next) {
		p.next, p.shown = now.Add(redraw), true
		fmt.Fprint(p.w.err, "\r"+bar(p.n, p.total))
	}
}

func bar(n, total int) string {
	full := width * n / max(total, 1)
	return fmt.Sprintf("[%-*s] %d of %d packs", width, "=============================="[:full], n, total)
}

// done takes the bar away.
func (p *progress) done() {
	if p.shown {
		fmt.Fprint(p.w.err, "\r\x1b[K")
	}
}
