package lsp

import (
	"context"
	"os"
	"path/filepath"
	"time"

	"github.com/fsnotify/fsnotify"
	"github.com/go-json-experiment/json/jsontext"
	"go.lsp.dev/protocol"

	"github.com/amp-toolchain/amp/pack"
)

// watched are the patterns of what belongs to a pack, and of what tells how it
// is linted.
var watched = []protocol.Pattern{
	"**/{manifest.json,agents.md,signing.pub}",
	"**/memory",
	"**/memory/*",
	"**/.amp-lint.{yaml,yml}",
}

// register asks the client, after the handshake, for what can only be asked for
// then: file events, changes of the settings, and the settings themselves. A
// client that cannot watch files gets a watcher of our own.
func (s *Server) register(ctx context.Context) {
	var regs []protocol.Registration
	add := func(id, method string, options any) {
		raw, err := protocol.Marshal(options)
		if err != nil {
			s.log.Error("registration not encoded", "method", method, "error", err.Error())
			return
		}
		regs = append(regs, protocol.Registration{ID: id, Method: method, RegisterOptions: jsontext.Value(raw)})
	}
	if s.client.watchFiles {
		options := protocol.DidChangeWatchedFilesRegistrationOptions{}
		for _, p := range watched {
			options.Watchers = append(options.Watchers, protocol.FileSystemWatcher{GlobPattern: p})
		}
		add("amp-watch", "workspace/didChangeWatchedFiles", &options)
	}
	if s.client.registerConfiguration {
		add("amp-configuration", "workspace/didChangeConfiguration", &protocol.DidChangeConfigurationRegistrationOptions{
			Section: protocol.String(section),
		})
	}
	if len(regs) > 0 {
		if err := s.callClient(ctx, "client/registerCapability", &protocol.RegistrationParams{Registrations: regs}, nil); err != nil {
			s.log.Warn("the client refused to register; watching files ourselves", "error", err.Error())
			s.client.watchFilesFailed.Store(true)
		}
		s.session.TouchAll()
	}
	s.pullSettings(ctx)
	if !s.client.watchFiles || s.client.watchFilesFailed.Load() {
		s.watchDisk(ctx)
	}
}

// settle gathers the events of one save, which editors write in several steps.
const settle = 30 * time.Millisecond

// watchDisk watches the folders of the packs that are known, and the folders
// above, where packs may appear or go.
func (s *Server) watchDisk(ctx context.Context) {
	w, err := fsnotify.NewWatcher()
	if err != nil {
		s.log.Warn("cannot watch files; changes outside of the editor are noticed when a file is opened or saved", "error", err.Error())
		return
	}
	defer w.Close()
	dirs := map[string]bool{}
	pending := map[string]bool{}
	var fire <-chan time.Time
	for {
		snap, changed := s.session.Changed()
		want := map[string]bool{}
		for _, f := range s.session.Folders() {
			want[f.Path] = true
		}
		for _, v := range snap.Views() {
			want[v.Root] = true
			if memory := filepath.Join(v.Root, pack.MemoryDir); isDir(memory) {
				want[memory] = true
			}
		}
		for dir := range want {
			if !dirs[dir] && w.Add(dir) == nil {
				dirs[dir] = true
				s.session.Noticed(dir)
			}
		}
		for dir := range dirs {
			if !want[dir] {
				_ = w.Remove(dir)
				delete(dirs, dir)
			}
		}
	events:
		for {
			select {
			case <-ctx.Done():
				return
			case <-changed:
				break events
			case e, ok := <-w.Events:
				if !ok {
					return
				}
				if e.Op == fsnotify.Chmod {
					continue
				}
				pending[e.Name] = true
				if dirs[e.Name] && e.Has(fsnotify.Remove|fsnotify.Rename) {
					delete(dirs, e.Name)
				}
				if fire == nil {
					fire = time.After(settle)
				}
			case err := <-w.Errors:
				s.log.Warn("watching files failed", "error", err)
			case <-fire:
				fire = nil
				for p := range pending {
					s.session.Noticed(p)
				}
				clear(pending)
			}
		}
	}
}

func isDir(path string) bool {
	st, err := os.Lstat(path)
	return err == nil && st.IsDir()
}
