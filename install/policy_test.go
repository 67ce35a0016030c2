package install

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/sign"
)

func TestPoliciesOnSignatures(t *testing.T) {
	alice, bob := newKey(t), newKey(t)
	signed := func(key sign.PrivateKey) func(*world) string {
		return func(w *world) string {
			p := w.pack("ferry", nil)
			signPack(t, p, key)
			return p
		}
	}
	tamperedPack := func(w *world) string {
		p := signed(alice)(w)
		write(t, filepath.Join(p, "memory/operating-principles.md"), "changed")
		return p
	}
	stripped := func(from, to string) func(*world) string {
		return func(w *world) string {
			p := signed(alice)(w)
			name := filepath.Join(p, "manifest.json")
			text, err := os.ReadFile(name)
			if err != nil || !strings.Contains(string(text), from) {
				t.Fatalf("%v, no %s in %s", err, from, text)
			}
			write(t, name, strings.Replace(string(text), from, to, 1))
			return p
		}
	}
	bare := func(w *world) string { // as the npm CLI signs: no key inside
		p := w.pack("ferry", nil)
		if _, err := sign.Sign(p, alice, sign.Options{Scheme: sign.JSONB, NoEmbed: true}); err != nil {
			t.Fatal(err)
		}
		return p
	}
	plain := func(w *world) string { return w.pack("ferry", nil) }
	knows := func(keys ...sign.PrivateKey) (out []sign.PublicKey) {
		for _, k := range keys {
			out = append(out, k.Public())
		}
		return out
	}
	cases := []struct {
		name   string
		before func(*world) string // installed first, may be nil
		pack   func(*world) string
		pol    Policy
		status string // "" = refused
		part   string // of the error or of the warnings
	}{
		{"unsigned", nil, plain, Policy{}, "unsigned", "pack is not signed"},
		{"unsigned, signed demanded", nil, plain, Policy{RequireSigned: true}, "", "Pack is not signed"},
		{"unsigned, trusted demanded", nil, plain, Policy{RequireTrust: true}, "", "Pack is not signed"},
		{"unsigned, key given", nil, plain, Policy{Given: knows(alice)}, "", "must be signed with the given key " + alice.Public().Fingerprint()},
		{"signature emptied, key given", nil, stripped(`"signature": `, `"signature": "", "was": `), Policy{Given: knows(alice)}, "", "must be signed with the given key"},
		{"signature null, key given", nil, stripped(`"signature": `, `"signature": null, "was": `), Policy{Given: knows(alice)}, "", "must be signed with the given key"},
		{"signature renamed, key given", nil, stripped(`"signature": `, `"was": `), Policy{Given: knows(alice)}, "", "must be signed with the given key"},
		{"signed false, key given", nil, stripped(`"signed": true`, `"signed": false`), Policy{Given: knows(alice)}, "", "must be signed with the given key"},
		{"signed renamed, key given", nil, stripped(`"signed": `, `"was": `), Policy{Given: knows(alice)}, "", "must be signed with the given key"},
		{"unsigned, key given, tampered allowed", nil, plain, Policy{Given: knows(alice), AllowTampered: true}, "", "must be signed with the given key"},
		{"other key given, signer trusted", nil, signed(alice), Policy{Given: knows(bob), Known: knows(alice)}, "", "does not hold"},
		{"trusted", nil, signed(alice), Policy{Known: knows(bob, alice)}, "trusted", ""},
		{"given", nil, signed(alice), Policy{Given: knows(alice), RequireTrust: true}, "trusted", ""},
		{"other key given", nil, signed(alice), Policy{Given: knows(bob)}, "", "does not hold"},
		{"unknown signer", nil, signed(alice), Policy{Known: knows(bob)}, "untrusted", alice.Public().Fingerprint()},
		{"unknown signer, trusted demanded", nil, signed(alice), Policy{RequireTrust: true}, "", "which you do not trust"},
		{"tampered", nil, tamperedPack, Policy{}, "", "--allow-tampered"},
		{"tampered and trusted", nil, tamperedPack, Policy{Known: knows(alice)}, "", "--allow-tampered"},
		{"tampered, allowed", nil, tamperedPack, Policy{AllowTampered: true}, "tampered", "does not hold"},
		{"tampered, allowed, trusted demanded", nil, tamperedPack, Policy{AllowTampered: true, RequireTrust: true}, "", "does not hold"},
		{"no key to check with", nil, bare, Policy{}, "unchecked", "not checked"},
		{"no key, but trusted", nil, bare, Policy{Known: knows(alice)}, "trusted", ""},
		{"no key, trusted demanded", nil, bare, Policy{RequireTrust: true}, "", "none of the keys you trust"},
		{"same signer again", signed(alice), signed(alice), Policy{}, "untrusted", "not one you trust"},
		{"other signer", signed(alice), signed(bob), Policy{}, "", "--accept-new-key"},
		{"other signer, though trusted", signed(alice), signed(bob), Policy{Known: knows(bob)}, "", "--accept-new-key"},
		{"other signer, accepted", signed(alice), signed(bob), Policy{AcceptNewKey: true}, "untrusted", "the signer changed"},
		{"signature dropped", signed(alice), plain, Policy{}, "", "this one is unsigned"},
		{"pinned key checks a pack without key", signed(alice), bare, Policy{}, "untrusted", ""},
		{"no pin after an unsigned pack", plain, signed(bob), Policy{}, "untrusted", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			if c.before != nil {
				w.mustInstall(c.before(w), Project, "claude-code")
			}
			before := w.snapshot()
			r, err := Install(Request{Where: w.Where, Pack: c.pack(w), Scope: Project, Agents: []string{"claude-code"}, Policy: c.pol, Now: testTime})
			if c.status == "" {
				wantError(t, err, c.part)
				w.expectUnchanged(before)
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if r.Signature.Status != c.status || !strings.Contains(strings.Join(r.Warnings, "\n"), c.part) {
				t.Errorf("status %s, warnings %q", r.Signature.Status, r.Warnings)
			}
		})
	}
}

func TestRefusedByApproveWritesNothing(t *testing.T) {
	w := newWorld(t)
	before := w.snapshot()
	_, err := Install(Request{
		Where: w.Where, Pack: w.pack("ferry", nil), Scope: Project, Agents: []string{"codex", "openclaw"}, Now: testTime,
		Approve: func(*sign.Pack) error { return errSentinel },
	})
	if !errors.Is(err, errSentinel) {
		t.Error(err)
	}
	w.expectUnchanged(before)
}

func TestFailureInOneScopeUndoesTheOther(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Home, ".openclaw/workspace/AGENTS.md"), "mine")
	rules := filepath.Join(w.Dir, "CLAUDE.md")
	write(t, rules, "mine")
	old := time.Unix(1_600_000_000, 12345)
	if err := os.Chtimes(rules, old, old); err != nil {
		t.Fatal(err)
	}
	was, err := os.Stat(rules)
	if err != nil {
		t.Fatal(err)
	}
	before := w.snapshot()
	remove := fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "rename" && op.Path == ".openclaw/workspace/AGENTS.md" {
			return errSentinel
		}
		return nil
	})
	_, err = w.install(w.pack("ferry", nil), Project, "claude-code", "openclaw")
	remove()
	if !errors.Is(err, errSentinel) {
		t.Error(err)
	}
	w.expectUnchanged(before)
	if now, err := os.Stat(rules); err != nil || !os.SameFile(was, now) || !now.ModTime().Equal(was.ModTime()) {
		t.Errorf("CLAUDE.md is another file than before: %v", err)
	}
}

// TestWhatCannotBeChangedIsToldBeforeTheFirstChange: of several rules files the last
// one is in the way.
func TestWhatCannotBeChangedIsToldBeforeTheFirstChange(t *testing.T) {
	for _, installed := range []bool{false, true} {
		w := newWorld(t)
		write(t, filepath.Join(w.Dir, "CLAUDE.md"), "mine")
		write(t, filepath.Join(w.Dir, ".windsurfrules"), "mine")
		if installed {
			w.mustInstall(w.pack("ferry", nil), Project, "claude-code", "windsurf")
		}
		if err := os.Chmod(filepath.Join(w.Dir, ".windsurfrules"), 0o444); err != nil {
			t.Fatal(err)
		}
		before := w.snapshot()
		remove := fsx.SetGate(func(op fsx.Op) error {
			if !strings.HasPrefix(op.Path, "..amp") && !strings.HasPrefix(op.Path, ".amp") && op.Path != "." {
				t.Errorf("%s %s", op.Name, op.Path)
			}
			return nil
		})
		var err error
		if installed {
			err = w.uninstall("ferry", Project)
		} else {
			_, err = w.install(w.pack("ferry", nil), Project, "claude-code", "windsurf")
		}
		remove()
		wantError(t, err, "read-only")
		w.expectUnchanged(before)
	}
}
