// Package testpack turns txtar fixtures into packs for tests.
package testpack

import (
	"bytes"
	"io/fs"
	"regexp"
	"strconv"
	"strings"
	"testing/fstest"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/pack"
)

// FS makes a file system of the files of an archive below prefix.
func FS(a *txtar.Archive, prefix string) fstest.MapFS {
	m := fstest.MapFS{}
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, prefix); ok {
			m[name] = &fstest.MapFile{Data: f.Data, Mode: 0o644}
		}
	}
	return m
}

// Load makes a pack of a file system.
func Load(fsys fs.FS) (*pack.Pack, error) { return pack.Load(fsys, "pack") }

var (
	repeat = regexp.MustCompile(`\\rep\{(\d+):([^}]*)\}`)
	hex    = regexp.MustCompile(`\\x\{([0-9A-Fa-f]{2})\}`)
)

// Encode applies the byte operations of a conformance case.
func Encode(data []byte, ops []string) []byte {
	for _, op := range ops {
		switch op {
		case "unquote":
			data = repeat.ReplaceAllFunc(data, func(m []byte) []byte {
				g := repeat.FindSubmatch(m)
				n, _ := strconv.Atoi(string(g[1]))
				return bytes.Repeat(g[2], n)
			})
			data = hex.ReplaceAllFunc(data, func(m []byte) []byte {
				n, _ := strconv.ParseUint(string(hex.FindSubmatch(m)[1]), 16, 8)
				return []byte{byte(n)}
			})
		case "crlf":
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r\n"))
		case "cr":
			data = bytes.ReplaceAll(data, []byte("\n"), []byte("\r"))
		case "bom":
			data = append([]byte("\xef\xbb\xbf"), data...)
		case "no-final-newline":
			data = bytes.TrimRight(data, "\n")
		default:
			panic("unknown encode op " + op)
		}
	}
	return data
}
