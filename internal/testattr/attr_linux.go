// Package testattr sets and reads extended attributes in tests, on Linux.
package testattr

import (
	"encoding/binary"
	"errors"
	"testing"

	"golang.org/x/sys/unix"
)

// ACLName is the attribute that holds a file's POSIX ACL.
const ACLName = "system.posix_acl_access"

// ACL is an ACL with one named user, 4321; a file's mode shows its mask for the group.
func ACL(owner, named, group, mask, other uint16) []byte {
	b := binary.LittleEndian.AppendUint32(nil, 2)
	for _, e := range []struct {
		tag, perm uint16
		id        uint32
	}{{1, owner, ^uint32(0)}, {2, named, 4321}, {4, group, ^uint32(0)}, {16, mask, ^uint32(0)}, {32, other, ^uint32(0)}} {
		b = binary.LittleEndian.AppendUint16(b, e.tag)
		b = binary.LittleEndian.AppendUint16(b, e.perm)
		b = binary.LittleEndian.AppendUint32(b, e.id)
	}
	return b
}

// Set sets an attribute, and skips the test where the file system has none.
func Set(t testing.TB, name, attr string, value []byte) {
	t.Helper()
	if err := unix.Setxattr(name, attr, value, 0); errors.Is(err, unix.ENOTSUP) {
		t.Skipf("the file system has no attribute %s", attr)
	} else if err != nil {
		t.Fatal(err)
	}
}

// Get is the value of an attribute, or the error's text where there is none.
func Get(name, attr string) string {
	b := make([]byte, 1000)
	n, err := unix.Getxattr(name, attr, b)
	if err != nil {
		return err.Error()
	}
	return string(b[:n])
}
