// Package lsp is the wire side of the language server: framing, dispatch,
// lifecycle and the conversion between plain feature results (package ide) and
// the types of the Language Server Protocol. It is the only package, besides
// its command, that knows the protocol library.
//
// # Order
//
// The library's own server wraps every message in a goroutine, so edits could
// overtake each other. Here the handler runs inline on the reader, in wire
// order: notifications change the session there and then, and a request takes
// its immutable snapshot before jsonrpc2.Async lets the reader go on. A request
// therefore sees exactly the edits that were sent before it, however many
// arrive while it runs.
//
// # Staying alive
//
// The library ends the connection when a notification handler returns an error
// or panics, and when a frame is not JSON. Neither leaves this package: see
// [Stream] for frames and Server.handle for handlers. The reader never waits
// for a slot, for a reply to be read, or for the client.
package lsp
