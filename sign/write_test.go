package sign

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// TestMain puts the scratch folders into memory where that is possible: what is
// tested does not depend on the disk, and syncing one is slow.
func TestMain(m *testing.M) {
	if dir, err := os.MkdirTemp("/dev/shm", "amp-test-"); err == nil {
		os.Setenv("TMPDIR", dir)
		code := m.Run()
		os.RemoveAll(dir)
		os.Exit(code)
	}
	os.Exit(m.Run())
}

func makePack(t testing.TB, files map[string]string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pack")
	all := map[string]string{"manifest.json": `{"name": "ferry"}`, "agents.md": "# R\n", "memory/a.md": "a"}
	for k, v := range files {
		all[k] = v
	}
	for name, text := range all {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// state tells what a pack claims and whether that holds: unsigned, valid:<key>,
// or broken.
func state(t testing.TB, dir string, keys ...PrivateKey) string {
	t.Helper()
	p, err := Open(dir)
	if err != nil {
		return "broken: " + err.Error()
	}
	defer p.Close()
	if err := p.Hash(); err != nil {
		return "broken: " + err.Error()
	}
	if !p.Signed() {
		return "unsigned"
	}
	for i, k := range keys {
		if m, err := p.Verify(k.Public()); err == nil && m != nil {
			return fmt.Sprintf("valid:%d:%s", i, m.Scheme)
		}
	}
	return "broken: the signature does not hold"
}

func keys(t testing.TB, n int) []PrivateKey {
	t.Helper()
	var out []PrivateKey
	for range n {
		k, err := Generate()
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, k)
	}
	return out
}

func TestSignKeepsEveryOtherByteOfTheManifest(t *testing.T) {
	sig := strings.Repeat("A", 86)
	cases := []struct{ name, in, want string }{
		{"empty object", `{}`, `{"signed": true, "signature": "SIG"}`},
		{"space in an empty object", "{ \n }", "{\"signed\": true, \"signature\": \"SIG\" \n }"},
		{"compact", `{"a":1}`, `{"a":1,"signed":true,"signature":"SIG"}`},
		{"one line", `{ "a": 1, "b": [1, 2] }`, `{ "a": 1, "b": [1, 2], "signed": true, "signature": "SIG" }`},
		{"indented", "{\n  \"a\": 1\n}\n", "{\n  \"a\": 1,\n  \"signed\": true,\n  \"signature\": \"SIG\"\n}\n"},
		{"tabs and CRLF", "{\r\n\t\"a\" : {\"b\": 1}\r\n}\r\n", "{\r\n\t\"a\" : {\"b\": 1},\r\n\t\"signed\" : true,\r\n\t\"signature\" : \"SIG\"\r\n}\r\n"},
		{"present", `{"signed":false,"a":1.0,"signature":""}`, `{"signed":true,"a":1.0,"signature":"SIG"}`},
		{"in the middle, odd spacing", `{"signature" :  "old" ,"x":"\u00e9","signed"   : null}`, `{"signature" :  "SIG" ,"x":"\u00e9","signed"   : true}`},
		{"one present", "{\n  \"signed\": false,\n  \"a\": 1e2\n}", "{\n  \"signed\": true,\n  \"a\": 1e2,\n  \"signature\": \"SIG\"\n}"},
		{"values of other types", `{"signed":{"x":[]},"signature":[1,{"signed":2}]}`, `{"signed":true,"signature":"SIG"}`},
		{"inner members stay", `{"a":{"signed":false,"signature":"x"}}`, `{"a":{"signed":false,"signature":"x"},"signed":true,"signature":"SIG"}`},
		{"escaped name", `{"sign\u0065d":false,"signature":""}`, `{"sign\u0065d":true,"signature":"SIG"}`},
		{"comma in the last value", `{"a": "x, y"}`, `{"a": "x, y","signed": true,"signature": "SIG"}`},
	}
	for _, c := range cases {
		tree, err := parseManifest([]byte(c.in))
		if err != nil {
			t.Fatal(c.name, err)
		}
		if got := string(withSignature([]byte(c.in), tree, true, sig)); got != strings.ReplaceAll(c.want, "SIG", sig) {
			t.Errorf("%s:\n%q\nbecame %q\nwant   %q", c.name, c.in, got, c.want)
		}
	}
}

func TestSigningDoesNotChangeWhatIsSigned(t *testing.T) {
	g := gen{rand.New(rand.NewPCG(3, 3))}
	for range 500 {
		doc := g.space() + g.object(3) + g.space()
		tree, err := parseManifest([]byte(doc))
		if err != nil {
			t.Fatal(err)
		}
		out := withSignature([]byte(doc), tree, true, "x")
		after, err := parseManifest(out)
		if err != nil {
			t.Fatalf("%q became %q: %v", doc, out, err)
		}
		for _, s := range []Scheme{Spec, JSONB} {
			if a, b := (&Pack{Tree: tree}).Payload(s), (&Pack{Tree: after}).Payload(s); string(a) != string(b) {
				t.Fatalf("%q: signing changed the %s payload to %q", doc, s, b)
			}
		}
		if again := withSignature(out, after, true, "x"); string(again) != string(out) {
			t.Fatalf("signing again changed %q to %q", out, again)
		}
	}
}

func TestSignAndVerifyRoundTrip(t *testing.T) {
	k := keys(t, 2)
	for _, scheme := range []Scheme{Spec, JSONB} {
		for _, noEmbed := range []bool{false, true} {
			dir := makePack(t, nil)
			if _, err := Sign(dir, k[0], Options{Scheme: scheme, NoEmbed: noEmbed}); err != nil {
				t.Fatal(err)
			}
			if got := state(t, dir, k...); got != "valid:0:"+string(scheme) {
				t.Errorf("%s, no embed %v: %s", scheme, noEmbed, got)
			}
			_, err := os.Stat(filepath.Join(dir, EmbeddedName))
			if (err != nil) != noEmbed {
				t.Errorf("no embed %v: signing.pub: %v", noEmbed, err)
			}
			entries, _ := os.ReadDir(filepath.Dir(dir))
			if len(entries) != 1 {
				t.Errorf("left beside the pack: %v", entries)
			}
		}
	}
}

func TestSigningAgainWritesNothing(t *testing.T) {
	k := keys(t, 1)[0]
	dir := makePack(t, nil)
	for range 2 {
		if _, err := Sign(dir, k, Options{Scheme: Spec}); err != nil {
			t.Fatal(err)
		}
	}
	remove := fsx.SetGate(func(op fsx.Op) error {
		if !strings.Contains(op.Path, ".amp-sign") && op.Path != "lock" {
			t.Errorf("%s %s", op.Name, op.Path)
		}
		return nil
	})
	defer remove()
	if _, err := Sign(dir, k, Options{Scheme: Spec}); err != nil {
		t.Fatal(err)
	}
}

func TestStaleShippedKeyIsReported(t *testing.T) {
	k := keys(t, 2)
	dir := makePack(t, nil)
	if _, err := Sign(dir, k[0], Options{Scheme: Spec}); err != nil {
		t.Fatal(err)
	}
	res, err := Sign(dir, k[1], Options{Scheme: Spec, NoEmbed: true})
	if err != nil || !res.StaleKey {
		t.Errorf("%+v, %v", res, err)
	}
	if got := state(t, dir, k...); got != "valid:1:spec" {
		t.Error(got)
	}
}

var errDead = errors.New("killed")

// TestSignKilledAnywhere kills signing before each change of the disk. The pack
// must then hold its old signature, the new one, or none and say so.
func TestSignKilledAnywhere(t *testing.T) {
	k := keys(t, 2)
	setups := map[string]func(string) error{
		"unsigned":       func(string) error { return nil },
		"signed by npm":  func(d string) error { _, err := Sign(d, k[0], Options{Scheme: JSONB, NoEmbed: true}); return err },
		"same key":       func(d string) error { _, err := Sign(d, k[1], Options{Scheme: JSONB}); return err },
		"other key":      func(d string) error { _, err := Sign(d, k[0], Options{Scheme: Spec}); return err },
		"changed since":  func(d string) error { _, err := Sign(d, k[1], Options{Scheme: Spec}); return err },
		"parent is bare": func(string) error { return nil },
	}
	points := 0
	for name, setup := range setups {
		for at := 1; ; at++ {
			dir := makePack(t, nil)
			if err := setup(dir); err != nil {
				t.Fatal(err)
			}
			if name == "changed since" {
				if err := os.WriteFile(filepath.Join(dir, "memory/a.md"), []byte("new"), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			before := state(t, dir, k...)
			n := 0
			remove := fsx.SetGate(func(op fsx.Op) error {
				if name == "parent is bare" && op.Name == "mkdir" {
					return os.ErrPermission
				}
				if n++; n >= at {
					return errDead
				}
				return nil
			})
			_, _ = Sign(dir, k[1], Options{Scheme: Spec})
			remove()
			if n < at {
				break
			}
			points++
			now := state(t, dir, k...)
			temporary, _ := filepath.Glob(filepath.Join(dir, ".*.amp-tmp-*"))
			if now != before && now != "valid:1:spec" && now != "unsigned" {
				t.Errorf("%s, killed at change %d: %s became %s", name, at, before, now)
			}
			if len(temporary) > 0 && name != "parent is bare" {
				t.Errorf("%s, killed at change %d: %v is left inside the pack", name, at, temporary)
			}
			if _, err := Sign(dir, k[1], Options{Scheme: Spec}); err != nil {
				t.Errorf("%s, killed at change %d: signing again: %v", name, at, err)
			} else if got := state(t, dir, k...); got != "valid:1:spec" {
				t.Errorf("%s, killed at change %d: signed again it is %s", name, at, got)
			}
			if entries, _ := os.ReadDir(filepath.Dir(dir)); len(entries) != 1 {
				t.Errorf("%s, killed at change %d: after signing again there is %v beside the pack", name, at, entries)
			}
		}
	}
	if points < 40 {
		t.Errorf("only %d kill points", points)
	}
	t.Logf("%d kill points, 0 torn states", points)
}

// TestSignFailingAnywhere lets one change of the disk fail: signing succeeds all
// the same or leaves the pack as it was.
func TestSignFailingAnywhere(t *testing.T) {
	k := keys(t, 2)
	for at := 1; ; at++ {
		dir := makePack(t, nil)
		if _, err := Sign(dir, k[0], Options{Scheme: Spec}); err != nil {
			t.Fatal(err)
		}
		n := 0
		remove := fsx.SetGate(func(fsx.Op) error {
			if n++; n == at {
				return errDead
			}
			return nil
		})
		_, err := Sign(dir, k[1], Options{Scheme: Spec})
		remove()
		if n < at {
			break
		}
		want := "valid:1:spec"
		if err != nil {
			want = "valid:0:spec"
		}
		if got := state(t, dir, k...); got != want {
			t.Errorf("change %d failed with %v: %s, want %s", at, err, got, want)
		}
	}
}

// TestKeygenKilledAnywhere kills keygen before each change of the disk. A private
// key that was there is still somewhere, and the two files never belong to
// different keys.
func TestKeygenKilledAnywhere(t *testing.T) {
	points := 0
	for _, force := range []bool{false, true} {
		for at := 1; ; at++ {
			name := filepath.Join(t.TempDir(), "keys", "signing.key")
			var old PublicKey
			if force {
				k, err := Keygen(name, false)
				if err != nil {
					t.Fatal(err)
				}
				old = k.Key
			}
			n := 0
			remove := fsx.SetGate(func(fsx.Op) error {
				if n++; n >= at {
					return errDead
				}
				return nil
			})
			_, _ = Keygen(name, force)
			remove()
			if n < at {
				break
			}
			points++
			checkPair(t, name, at, old)
			if _, err := Keygen(name, false); err != nil && !errors.Is(err, ErrKeyExists) {
				t.Errorf("killed at %d: the next keygen says %v", at, err)
			}
			if _, err := os.Stat(PublicName(name)); err != nil {
				t.Errorf("killed at %d: after the next keygen there is no public key", at)
			}
			checkPair(t, name, at, old)
		}
	}
	t.Logf("%d kill points, 0 torn states", points)
}

func checkPair(t *testing.T, name string, at int, old PublicKey) {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		if !old.IsZero() {
			t.Errorf("killed at %d: there is no private key any more", at)
		}
		return
	}
	key, err := ParsePrivate(text)
	if err != nil {
		t.Errorf("killed at %d: the private key is torn: %v", at, err)
		return
	}
	if fi, _ := os.Stat(name); runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("killed at %d: the private key has mode %o", at, fi.Mode().Perm())
	}
	if pub, err := os.ReadFile(PublicName(name)); err == nil {
		if p, err := ParsePublic(pub); err != nil || !p.Equal(key.Public()) {
			t.Errorf("killed at %d: the public key belongs to another private key (%v)", at, err)
		}
	}
	if old.IsZero() || key.Public().Equal(old) {
		return
	}
	backup, err := os.ReadFile(name + ".bak")
	if err == nil {
		key, err = ParsePrivate(backup)
	}
	if err != nil || !key.Public().Equal(old) {
		t.Errorf("killed at %d: the old private key is lost: %v", at, err)
	}
}

func TestKeygenNeverMixesUpItsFiles(t *testing.T) {
	for private, public := range map[string]string{"x": "x.pub", "x.key": "x.pub", "x.pub": "x.pub.pub", ".key": ".pub", "a.key.key": "a.key.pub", "x.KEY": "x.KEY.pub"} {
		dir := t.TempDir()
		k, err := Keygen(filepath.Join(dir, private), false)
		if err != nil {
			t.Fatal(err)
		}
		if k.Public != filepath.Join(dir, public) {
			t.Errorf("%s: public key in %s", private, k.Public)
		}
		checkPair(t, k.Private, 0, PublicKey{})
		if _, err := Keygen(k.Private, false); !errors.Is(err, ErrKeyExists) {
			t.Errorf("%s: a second keygen says %v", private, err)
		}
	}
}

func TestKeygenLeavesForeignPublicKeysAlone(t *testing.T) {
	name := filepath.Join(t.TempDir(), "x.key")
	if err := os.WriteFile(PublicName(name), []byte("somebody's key"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Keygen(name, false); !errors.Is(err, ErrKeyExists) {
		t.Error(err)
	}
	if text, _ := os.ReadFile(PublicName(name)); string(text) != "somebody's key" {
		t.Error("it was replaced")
	}
}

func TestPacksThatHaveNoPayload(t *testing.T) {
	for name, c := range map[string]struct {
		files map[string]string
		part  string
	}{
		"duplicate":   {map[string]string{"manifest.json": "{\n  \"a\": 1,\n  \"a\": 2\n}"}, `manifest.json:3:3: duplicate member "a"`},
		"escaped dup": {map[string]string{"manifest.json": `{"a":1,"\u0061":2}`}, `manifest.json:1:8: duplicate`},
		"not UTF-8":   {map[string]string{"manifest.json": "{\"a\":\n\"\xc3\x28\"}"}, "manifest.json:2:2: manifest.json is not UTF-8"},
		"surrogates":  {map[string]string{"manifest.json": "{\"a\":\"\xed\xa0\x80\"}"}, "not UTF-8"},
		"too deep":    {map[string]string{"manifest.json": `{"a":` + strings.Repeat("[", 20_000)}, "nested deeper"},
		"scalar":      {map[string]string{"manifest.json": `"x"`}, "holds string, expected an object"},
	} {
		dir := makePack(t, c.files)
		if p, err := Open(dir); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v", name, err)
			if err == nil {
				p.Close()
			}
		}
	}
	if runtime.GOOS != "linux" {
		t.Skip("only Linux stores file names that are not UTF-8")
	}
	dir := makePack(t, map[string]string{"memory/\xff.md": "x"})
	if _, err := Open(dir); err == nil || !strings.Contains(err.Error(), "is not UTF-8") {
		t.Error(err)
	}
}

func TestTrustStoreKeepsAndFindsKeys(t *testing.T) {
	store := NewTrustStore(filepath.Join(t.TempDir(), ".amp"))
	k := keys(t, 2)
	if list, err := store.List(); len(list) != 0 || err != nil {
		t.Errorf("%v, %v", list, err)
	}
	now := time.Date(2026, 5, 2, 10, 0, 0, 0, time.UTC)
	for i, label := range []string{"alice", "bob"} {
		if err := store.Add(k[i].Public(), label, now); err != nil {
			t.Fatal(err)
		}
	}
	if err := store.Add(k[0].Public(), "bob", now); err == nil {
		t.Error("two keys share a label")
	}
	if err := store.Add(k[0].Public(), "Alice B.", now); err != nil {
		t.Error(err)
	}
	list, err := store.List()
	if err != nil || len(list) != 2 || list[0].Label != "Alice B." || !list[0].Key.Equal(k[0].Public()) {
		t.Errorf("%v, %v", list, err)
	}
	if fi, err := os.Stat(store.Path()); err != nil || runtime.GOOS != "windows" && fi.Mode().Perm() != 0o600 {
		t.Errorf("%v %v", fi.Mode(), err)
	}
	if _, err := store.Remove("nobody"); err == nil {
		t.Error("removed a key that is not there")
	}
	for _, which := range []string{"bob", k[0].Public().Fingerprint()} {
		if _, err := store.Remove(which); err != nil {
			t.Error(err)
		}
	}
	if list, _ := store.List(); len(list) != 0 {
		t.Errorf("left: %v", list)
	}
}

func TestDamagedTrustStoreIsAnError(t *testing.T) {
	k := keys(t, 2)
	good := fmt.Sprintf(`{"version":1,"keys":[{"fingerprint":%q,"label":"a","publicKey":%q}]}`, k[0].Public().Fingerprint(), k[0].Public().PEM())
	for name, c := range map[string]struct{ text, part string }{
		"not JSON":          {"{", "damaged"},
		"later version":     {`{"version":2,"keys":[]}`, "version 2"},
		"key does not fit":  {strings.Replace(good, k[0].Public().Fingerprint(), k[1].Public().Fingerprint(), 1), "does not have the fingerprint"},
		"key is no key":     {`{"version":1,"keys":[{"label":"a","publicKey":"x"}]}`, "no PEM block"},
		"empty is not JSON": {"", "damaged"},
	} {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, TrustName), []byte(c.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := NewTrustStore(dir).List(); err == nil || !strings.Contains(err.Error(), c.part) {
			t.Errorf("%s: %v", name, err)
		}
		if err := NewTrustStore(dir).Add(k[1].Public(), "b", time.Now()); err == nil {
			t.Errorf("%s: a damaged store was written over", name)
		}
	}
}

func FuzzManifest(f *testing.F) {
	f.Add([]byte(`{"name":"x","signed":true,"signature":"AAAA","__proto__":{"1":-0}}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		tree, err := parseManifest(raw)
		if err != nil {
			return
		}
		p := &Pack{Raw: raw, Tree: tree}
		p.Signed()
		p.NameNotes()
		_, _ = p.Verify()
		again, err := parseManifest(p.Payload(Spec))
		if err != nil {
			t.Fatalf("the payload of %q is no JSON: %v", raw, err)
		}
		if a, b := p.Payload(Spec), (&Pack{Tree: again}).Payload(Spec); string(a) != string(b) {
			t.Fatalf("the payload is not stable: %q, %q", a, b)
		}
	})
}

// In a folder that all may write, somebody else may have made the folder for
// temporary files, and could swap what is in it.
func TestAForeignStagingFolderIsNotUsed(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("only root may give folders away")
	}
	dir := makePack(t, nil)
	stage := filepath.Join(filepath.Dir(dir), ".pack.amp-sign")
	if err := os.Mkdir(stage, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(stage, 1234, 1234); err != nil {
		t.Fatal(err)
	}
	used := false
	remove := fsx.SetGate(func(op fsx.Op) error {
		used = used || op.Name == "create" && strings.Contains(op.Path, ".amp-sign")
		return nil
	})
	defer remove()
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Sign(dir, key, Options{Scheme: Spec}); err != nil {
		t.Fatal(err)
	}
	if used {
		t.Error("a temporary file was made in it")
	}
	p, err := Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if err := p.Hash(); err != nil {
		t.Fatal(err)
	}
	if m, err := p.Verify(key.Public()); err != nil || m == nil {
		t.Errorf("the pack does not verify: %v", err)
	}
}

// Where undoing fails as well, the pack must not be left with the old signature and
// the new key.
func TestSignFailingTwiceLeavesNoBrokenSignature(t *testing.T) {
	ks := keys(t, 2)
	points := 0
	for k := 1; ; k++ {
		dir := makePack(t, nil)
		if _, err := Sign(dir, ks[0], Options{Scheme: Spec}); err != nil {
			t.Fatal(err)
		}
		n, renames := 0, 0
		remove := fsx.SetGate(func(op fsx.Op) error {
			if op.Name != "rename" {
				return nil
			}
			if renames++; renames >= k {
				if n++; n <= 2 {
					return errors.New("broken disk")
				}
			}
			return nil
		})
		_, err := Sign(dir, ks[1], Options{Scheme: Spec})
		remove()
		if renames < k {
			break
		}
		points++
		if got := state(t, dir, ks...); err == nil || strings.HasPrefix(got, "broken") {
			t.Errorf("renames from %d on fail twice: %v, %s", k, err, got)
		}
	}
	if points < 3 {
		t.Errorf("only %d renames", points)
	}
}
