// Package diskfs gives a folder on disk as an fs.FS that never leaves it: no
// name reaches outside, and no link is followed, whatever changes meanwhile.
//
// On Linux files are read by plain system calls. The standard library's os.Root
// keeps the same promise, and is used elsewhere; but it registers every file
// with the network poller and asks the kernel twice for its flags, which is half
// of what it costs to lint a thousand small packs.
package diskfs

import "io/fs"

// An FS is an open folder. Close it when done; files that are open stay open.
type FS interface {
	fs.ReadDirFS
	Close() error
}
