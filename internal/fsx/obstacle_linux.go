package fsx

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"syscall"

	"golang.org/x/sys/unix"
)

// Obstacle says why the system would not let a file be replaced, made or removed, in
// words that follow its name, and is "" when nothing shows that. The folders above
// it need not exist. Who has several files to change asks for all of them before
// changing the first one.
func Obstacle(root *os.Root, name string) string {
	dir := path.Dir(name)
	for dir != "." {
		if _, err := root.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			break
		}
		dir = path.Dir(dir)
	}
	d, err := openDirFile(root, dir)
	if err != nil {
		return "" // whoever changes it gets a better error
	}
	defer d.Close()
	fd := int(d.Fd())
	shown := "its folder"
	switch {
	case dir == path.Dir(name):
	case dir == ".":
		shown = "the folder above it"
	default:
		shown = "the folder " + Printable(dir)
	}
	if flag := fixed(fd, ""); flag != "" {
		return fmt.Sprintf("%s is %s", shown, flag)
	}
	flags := unix.AT_EACCESS
	if os.Getuid() == os.Geteuid() && os.Getgid() == os.Getegid() {
		flags = 0 // which kernels without faccessat2 know too
	}
	if err := unix.Faccessat(fd, ".", unix.W_OK|unix.X_OK, flags); refused(err) || errors.Is(err, unix.EROFS) {
		return fmt.Sprintf("%s cannot be written to (%v)", shown, err)
	}
	if dir != path.Dir(name) {
		return ""
	}
	if flag := fixed(fd, path.Base(name)); flag != "" {
		return "it is " + flag
	}
	folder, ferr := d.Stat()
	file, err := root.Lstat(name)
	if ferr == nil && err == nil && folder.Mode()&fs.ModeSticky != 0 && os.Geteuid() != 0 && !Ours(folder) && !Ours(file) {
		return "it belongs to somebody else, in a folder with the sticky bit"
	}
	return ""
}

// fixed names the flag that keeps a file below an open folder, or the folder itself,
// from being replaced, "" when it has none or the file system has no flags.
func fixed(fd int, name string) string {
	flags := unix.AT_SYMLINK_NOFOLLOW
	if name == "" {
		flags |= unix.AT_EMPTY_PATH
	}
	var st unix.Statx_t
	if err := unix.Statx(fd, name, flags, 0, &st); err != nil && !errors.Is(err, syscall.ENOENT) {
		return ""
	}
	switch {
	case st.Attributes&unix.STATX_ATTR_IMMUTABLE != 0:
		return "immutable (chattr -i changes that)"
	case st.Attributes&unix.STATX_ATTR_APPEND != 0:
		return "append-only (chattr -a changes that)"
	}
	return ""
}
