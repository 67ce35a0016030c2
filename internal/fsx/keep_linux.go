package fsx

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io/fs"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

const aclName = "system.posix_acl_access"

// ofContent are the attributes that say something of the old content.
var ofContent = map[string]bool{"security.ima": true, "security.evm": true}

// keepAttrs gives a new file the extended attributes of the one at name. same says
// that everybody whom its mode and ACL let in or keep out is treated as by the old
// file, once the mode is set; else common are the rights that all of them had.
func (f *File) keepAttrs(root *os.Root, name string, mode fs.FileMode, group bool, lost Lost) (common fs.FileMode, same bool, err error) {
	old, _, err := openPlain(root, name, os.O_RDONLY)
	if refused(err) {
		lost.tell("its attributes cannot be read (%v)", unwrapped(err))
		return 0, false, nil
	}
	if err != nil {
		return 0, false, err
	}
	defer old.Close()
	from, to := int(old.Fd()), int(f.f.Fd())
	names, err := listAttrs(from)
	if err != nil && !refused(err) {
		return 0, false, &fs.PathError{Op: "listxattr", Path: name, Err: err}
	}
	same = group
	common = mode >> 3 & mode & 7
	if refused(err) && !errors.Is(err, errors.ErrUnsupported) {
		lost.tell("its attributes cannot be read (%v)", err)
		common, same = 0, false
	}
	acl := false
	for _, attr := range names {
		if ofContent[attr] {
			continue
		}
		value, err := getAttr(from, attr)
		if errors.Is(err, unix.ENODATA) {
			continue
		}
		if attr == aclName && err == nil {
			common &= commonRights(value)
			if !group { // it would speak of another group
				lost.tell("its ACL cannot be kept")
				continue
			}
			acl = true
		}
		if err == nil {
			err = f.setAttr(to, attr, value)
		}
		if err == nil {
			continue
		}
		if !refused(err) {
			return 0, false, &fs.PathError{Op: "setxattr " + Printable(attr), Path: name, Err: err}
		}
		lost.tell("its attribute %s cannot be kept (%v)", Printable(attr), err)
		if strings.HasPrefix(attr, "system.") { // an ACL, of whatever kind
			same, acl = false, false
			if attr != aclName {
				common = 0
			}
		}
	}
	if acl {
		return common, same, nil
	}
	// The folder may have given the new file an ACL that the old one does not have.
	switch err := unix.Fremovexattr(to, aclName); {
	case err == nil, errors.Is(err, unix.ENODATA), errors.Is(err, errors.ErrUnsupported):
	case refused(err):
		lost.tell("it has the ACL of its folder now (%v)", err)
		common, same = 0, false
	default:
		return 0, false, &fs.PathError{Op: "removexattr", Path: name, Err: err}
	}
	return common, same, nil
}

func (f *File) setAttr(fd int, attr string, value []byte) error {
	if now, err := getAttr(fd, attr); err == nil && bytes.Equal(now, value) {
		return nil
	}
	if err := pass("setxattr", f.name); err != nil {
		return err
	}
	return unix.Fsetxattr(fd, attr, value, 0)
}

func listAttrs(fd int) ([]string, error) {
	text, err := growing(func(b []byte) (int, error) { return unix.Flistxattr(fd, b) })
	if len(text) == 0 {
		return nil, err
	}
	return strings.Split(strings.TrimSuffix(string(text), "\x00"), "\x00"), err
}

func getAttr(fd int, attr string) ([]byte, error) {
	return growing(func(b []byte) (int, error) { return unix.Fgetxattr(fd, attr, b) })
}

// growing calls a reader with a buffer that is large enough.
func growing(read func([]byte) (int, error)) ([]byte, error) {
	for {
		n, err := read(nil)
		if err != nil || n == 0 {
			return nil, err
		}
		b := make([]byte, n)
		n, err = read(b)
		if errors.Is(err, unix.ERANGE) {
			continue // it grew in between
		}
		return b[:max(n, 0)], err
	}
}

// commonRights returns the rights (rwx) that an ACL, in the form of its attribute,
// gives to everybody but the owner.
func commonRights(acl []byte) fs.FileMode {
	const user, groupObj, group, mask, other = 2, 4, 8, 16, 32
	if len(acl) < 4 || (len(acl)-4)%8 != 0 || binary.LittleEndian.Uint32(acl) != 2 {
		return 0
	}
	masked, others, bound := fs.FileMode(7), fs.FileMode(0), fs.FileMode(7)
	for e := acl[4:]; len(e) > 0; e = e[8:] {
		perm := fs.FileMode(binary.LittleEndian.Uint16(e[2:])) & 7
		switch binary.LittleEndian.Uint16(e) {
		case user, groupObj, group:
			masked &= perm
		case mask:
			bound = perm
		case other:
			others = perm
		}
	}
	return masked & bound & others
}

// exchange lets two names of one folder change places in one step.
func exchange(root *os.Root, a, b string) error { return renameWith(root, a, b, unix.RENAME_EXCHANGE) }

func renameNoReplace(root *os.Root, from, to string) error {
	return renameWith(root, from, to, unix.RENAME_NOREPLACE)
}

func renameWith(root *os.Root, from, to string, flags uint) error {
	a, err := openDirFile(root, path.Dir(from))
	if err != nil {
		return err
	}
	defer a.Close()
	b, err := openDirFile(root, path.Dir(to))
	if err != nil {
		return err
	}
	defer b.Close()
	err = unix.Renameat2(int(a.Fd()), path.Base(from), int(b.Fd()), path.Base(to), flags)
	switch {
	case err == nil:
		return nil
	case errors.Is(err, unix.EINVAL), errors.Is(err, unix.ENOSYS), errors.Is(err, unix.ENOTSUP):
		return errors.ErrUnsupported // by the kernel or by this file system
	}
	return &os.LinkError{Op: "rename", Old: from, New: to, Err: err}
}

func unwrapped(err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return pe.Err
	}
	return err
}
