package lsp

import (
	"context"
	"time"
)

// parentPoll is how often the client's process is looked for. A client that is
// killed usually closes its pipe, which is noticed at once; this is for those
// whose pipe a grandchild still holds.
const parentPoll = 10 * time.Second

// watchParent returns a channel that is closed when the client's process is
// known and has ended.
func (s *Server) watchParent(ctx context.Context) <-chan struct{} {
	gone := make(chan struct{})
	s.workers.Go(func() {
		var pid int
		select {
		case pid = <-s.parent:
		case <-ctx.Done():
			return
		}
		tick := time.NewTicker(s.opts.parentPoll())
		defer tick.Stop()
		for processAlive(pid) {
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
		close(gone)
	})
	return gone
}

func (o Options) parentPoll() time.Duration {
	if o.ParentPoll > 0 {
		return o.ParentPoll
	}
	return parentPoll
}
