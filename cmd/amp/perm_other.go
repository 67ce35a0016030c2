//go:build !windows

package main

// permissionsMatter says that mode bits tell who can read a file.
const permissionsMatter = true
