package diskfs

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

type linuxFS struct{ dir int }

// works is set once openat2 has been seen to work.
var works atomic.Bool

// Open opens the folder at dir. On kernels without openat2 (before 5.6) it falls
// back to os.Root.
func Open(dir string) (FS, error) {
	fd, err := retry(func() (int, error) { return unix.Open(dir, unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0) })
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	l := linuxFS{fd}
	if works.Load() {
		return l, nil
	}
	probe, err := l.open(".", unix.O_PATH)
	if err == nil {
		unix.Close(probe)
		works.Store(true)
		return l, nil
	}
	unix.Close(fd)
	if !errors.Is(err, unix.ENOSYS) && !errors.Is(err, unix.EPERM) {
		return nil, &fs.PathError{Op: "open", Path: dir, Err: err}
	}
	r, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	return rooted{r.FS(), r}, nil
}

type rooted struct {
	fs.FS
	root *os.Root
}

func (r rooted) ReadDir(name string) ([]fs.DirEntry, error) { return fs.ReadDir(r.FS, name) }
func (r rooted) Close() error                               { return r.root.Close() }

func (l linuxFS) Close() error { return unix.Close(l.dir) }

// open resolves below the folder and through no link. O_NONBLOCK keeps a pipe
// that took a file's place from blocking us; with O_DIRECTORY none is opened.
func (l linuxFS) open(name string, flags uint64) (int, error) {
	how := unix.OpenHow{
		Flags:   flags | unix.O_CLOEXEC | unix.O_NOFOLLOW,
		Resolve: unix.RESOLVE_BENEATH | unix.RESOLVE_NO_SYMLINKS | unix.RESOLVE_NO_MAGICLINKS,
	}
	if flags&(unix.O_PATH|unix.O_DIRECTORY) == 0 {
		how.Flags |= unix.O_NONBLOCK | unix.O_NOCTTY
	}
	return retry(func() (int, error) { return unix.Openat2(l.dir, name, &how) })
}

func retry(f func() (int, error)) (int, error) {
	for {
		n, err := f()
		if err != unix.EINTR && err != unix.EAGAIN {
			return n, err
		}
	}
}

func (l linuxFS) Open(name string) (fs.File, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrInvalid}
	}
	fd, err := l.open(name, unix.O_RDONLY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f := &file{fd: fd, info: info{name: path.Base(name)}}
	if err := unix.Fstat(fd, &f.info.st); err != nil {
		unix.Close(fd)
		return nil, &fs.PathError{Op: "stat", Path: name, Err: err}
	}
	if f.info.IsDir() {
		return &folder{os.NewFile(uintptr(fd), name), l, name}, nil
	}
	return f, nil
}

// ReadDir lists a folder in name order.
func (l linuxFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if !fs.ValidPath(name) {
		return nil, &fs.PathError{Op: "readdir", Path: name, Err: fs.ErrInvalid}
	}
	fd, err := l.open(name, unix.O_RDONLY|unix.O_DIRECTORY)
	if err != nil {
		return nil, &fs.PathError{Op: "open", Path: name, Err: err}
	}
	f := os.NewFile(uintptr(fd), name)
	defer f.Close()
	entries, err := f.ReadDir(-1)
	sortEntries(entries)
	return l.wrap(name, entries), err
}

// folder is an open folder whose entries are asked about below the root, not by
// their path from the current folder.
type folder struct {
	*os.File
	fsys linuxFS
	name string
}

func (f *folder) ReadDir(n int) ([]fs.DirEntry, error) {
	entries, err := f.File.ReadDir(n)
	return f.fsys.wrap(f.name, entries), err
}

func (l linuxFS) wrap(dir string, entries []fs.DirEntry) []fs.DirEntry {
	for i, e := range entries {
		entries[i] = entry{e, l, path.Join(dir, e.Name())}
	}
	return entries
}

type entry struct {
	fs.DirEntry
	fsys linuxFS
	path string
}

// Info looks the entry up when it is asked for; most callers never do.
func (e entry) Info() (fs.FileInfo, error) {
	fd, err := e.fsys.open(e.path, unix.O_PATH)
	if err != nil {
		return nil, &fs.PathError{Op: "stat", Path: e.path, Err: err}
	}
	defer unix.Close(fd)
	i := &info{name: path.Base(e.path)}
	if err := unix.Fstat(fd, &i.st); err != nil {
		return nil, &fs.PathError{Op: "stat", Path: e.path, Err: err}
	}
	return i, nil
}

type file struct {
	fd   int
	info info
}

func (f *file) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	n, err := retry(func() (int, error) { return unix.Read(f.fd, b) })
	if err != nil {
		return 0, &fs.PathError{Op: "read", Path: f.info.name, Err: err}
	}
	if n == 0 {
		return 0, io.EOF
	}
	return n, nil
}

func (f *file) Close() error { return unix.Close(f.fd) }

func (f *file) Stat() (fs.FileInfo, error) { return &f.info, nil }

type info struct {
	name string
	st   unix.Stat_t
}

func (i *info) Name() string       { return i.name }
func (i *info) Size() int64        { return i.st.Size }
func (i *info) ModTime() time.Time { return time.Unix(i.st.Mtim.Unix()) }
func (i *info) IsDir() bool        { return i.Mode().IsDir() }
func (i *info) Sys() any           { return &i.st }

func (i *info) Mode() fs.FileMode {
	m := fs.FileMode(i.st.Mode & 0o777)
	switch i.st.Mode & unix.S_IFMT {
	case unix.S_IFDIR:
		m |= fs.ModeDir
	case unix.S_IFLNK:
		m |= fs.ModeSymlink
	case unix.S_IFIFO:
		m |= fs.ModeNamedPipe
	case unix.S_IFSOCK:
		m |= fs.ModeSocket
	case unix.S_IFBLK:
		m |= fs.ModeDevice
	case unix.S_IFCHR:
		m |= fs.ModeDevice | fs.ModeCharDevice
	}
	return m
}
