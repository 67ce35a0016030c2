package cache

import (
	"io/fs"
	"syscall"
	"time"
)

// identity is an entry's inode number and the time its content or attributes last
// changed, which no program can set.
func identity(fi fs.FileInfo) (inode uint64, changed time.Time, ok bool) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, time.Time{}, false
	}
	return st.Ino, time.Unix(int64(st.Ctim.Sec), int64(st.Ctim.Nsec)), true
}
