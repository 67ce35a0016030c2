package main

import (
	"crypto/sha256"
	"fmt"
	"unsafe"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
	"github.com/amp-toolchain/amp/sign"
)

// The linter reads a pack by itself, so somebody who changes a file between its
// reading and that of the installer could show it other bytes than those that are
// installed. It therefore remembers the sum of what it read of each file.

// read remembers what was judged of a file that was loaded.
func (sum *lintSummary) read(f *pack.File) {
	if f.Err == nil && f.Regular() {
		sum.saw(f.Path, sha256.Sum256(unsafe.Slice(unsafe.StringData(f.Text), len(f.Text)))) // which only reads
	}
}

func (sum *lintSummary) saw(name string, s [32]byte) {
	if sum.seen == nil {
		sum.seen = map[string][32]byte{}
	}
	if was, ok := sum.seen[name]; ok && was != s {
		sum.changed = name
	}
	sum.seen[name] = s
}

// same makes sure that every file of a hashed pack is the one that was judged. A
// file that could not be judged is a finding that blocks, and passes here.
func (sum *lintSummary) same(p *sign.Pack) error {
	changed := func(name string) error {
		return fmt.Errorf("%s changed while the pack was read, try again when nothing writes to it", fsx.Printable(name))
	}
	if sum.changed != "" {
		return changed(sum.changed)
	}
	check := func(name string, s [32]byte) error {
		was, ok := sum.seen[name]
		if ok && was == s || !ok && sum.unseen[name] {
			return nil
		}
		return changed(name)
	}
	if err := check(sign.ManifestName, sha256.Sum256(p.Raw)); err != nil {
		return err
	}
	for i := range p.Files {
		if err := check(p.Files[i].Path, p.Files[i].Sum); err != nil {
			return err
		}
	}
	return nil
}
