//go:build !unix

package sign

func isCrossDevice(error) bool { return false }
