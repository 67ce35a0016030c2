// Package session holds the state of an editing session: the files of every
// pack as they are on disk, the unsaved buffers over them, and the findings.
//
// # Snapshots
//
// All state is in one immutable [Snapshot]. A change builds the next one under
// one mutex and swaps a pointer; readers take the pointer and keep it as long as
// they like. Nothing in a snapshot is ever written again, except memos, which
// are pure functions of what they hang on.
//
// # Disk
//
// Changes of buffers never touch the disk: they run on the reader of the
// connection. Everything that does is work for [Session.Run], which finds packs,
// reads them, and looks again when told that something may have changed. A
// document that has just been opened is Pending until Run has found out which
// pack it belongs to; [Session.Settled] waits for that.
package session
