//go:build !unix

package diskfs

import "errors"

func mkfifo(string) error { return errors.ErrUnsupported }
