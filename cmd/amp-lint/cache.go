package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/amp-toolchain/amp/internal"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/cache"
)

// openCache opens the cache where it was asked for. One that can't be opened is a
// note, not an error: it only saves time.
func (j *job) openCache() *batch.Cache {
	if !j.cache && j.cacheDir == "" || j.specOnly {
		return nil
	}
	dir := j.cacheDir
	if dir == "" {
		user, err := os.UserCacheDir()
		if err != nil {
			j.note(j.w, "no cache: %v", err)
			return nil
		}
		dir = filepath.Join(user, "amp-lint")
	}
	s, err := cache.Open(dir)
	if err != nil {
		j.say(fmt.Sprintf("no cache: %v", err)) // --quiet or not: the next run will be as slow
		return nil
	}
	return &batch.Cache{Store: s, Tool: toolID() + " " + strings.Join(j.enabled, ",")}
}

func closeCache(c *batch.Cache) {
	c.Store.Prune(cache.MaxEntries)
	_ = c.Store.Close()
}

// toolID names this very program: two builds of one version may judge otherwise.
func toolID() string {
	id := "amp-lint " + internal.Version
	exe, err := os.Executable()
	if err != nil {
		return id
	}
	st, err := os.Stat(exe)
	if err != nil {
		return id
	}
	return fmt.Sprintf("%s %d %d", id, st.Size(), st.ModTime().UnixNano())
}
