// Package session holds the state of one editing session.
package session

import "sync/atomic"

// Env is what a session needs from outside.
type Env struct{}

// Snapshot is the immutable state of a session at one moment.
type Snapshot struct{}

// Session is the mutable state.
type Session struct{ snap atomic.Pointer[Snapshot] }

// New returns an empty session.
func New(Env) *Session {
	s := &Session{}
	s.snap.Store(&Snapshot{})
	return s
}

// Snapshot returns the current state.
func (s *Session) Snapshot() *Snapshot { return s.snap.Load() }
