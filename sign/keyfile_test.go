package sign

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/fsx"
)

// folder maps the names in a folder to their contents.
func folder(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		out[e.Name()] = string(text)
	}
	return out
}

func sameFolder(a, b map[string]string) bool {
	if len(a) != len(b) {
		return false
	}
	for n, text := range a {
		if b[n] != text {
			return false
		}
	}
	return true
}

var errDisk = errors.New("the disk is full")

// TestAFailedKeygenLeavesTheOldPair lets each change of the disk fail in turn, once or
// from then on. Where it cannot be undone, the error says what there is.
func TestAFailedKeygenLeavesTheOldPair(t *testing.T) {
	for _, forever := range []bool{false, true} {
		for _, had := range []string{"pair", "private key", "public key", "nothing"} {
			points := 0
			for at := 1; ; at++ {
				dir := t.TempDir()
				name := filepath.Join(dir, "signing.key")
				if had != "nothing" {
					if _, err := Keygen(name, false); err != nil {
						t.Fatal(err)
					}
				}
				switch had {
				case "private key":
					os.Remove(PublicName(name))
				case "public key":
					os.Remove(name)
				}
				before := folder(t, dir)
				n := 0
				remove := fsx.SetGate(func(fsx.Op) error {
					if n++; n == at || forever && n > at {
						return errDisk
					}
					return nil
				})
				k, err := Keygen(name, had != "nothing")
				remove()
				if n < at {
					break
				}
				points++
				after := folder(t, dir)
				delete(after, ".amp-keygen.lock")
				switch {
				case err == nil: // only clearing up failed
					if text := after["signing.key"]; text == "" || after["signing.pub"] != string(k.Key.PEM()) {
						t.Errorf("%s, failing at %d: success, but the folder has %v", had, at, after)
					}
				case !errors.Is(err, errDisk):
					t.Errorf("%s, failing at %d: %v", had, at, err)
				case !sameFolder(before, after) && !forever:
					t.Errorf("%s, failing at %d (%v): the folder is\n%v\nand was\n%v", had, at, err, after, before)
				case before["signing.key"] != after["signing.key"] && !strings.Contains(err.Error(), "signing.key is a new key"),
					before["signing.pub"] != after["signing.pub"] && !strings.Contains(err.Error(), map[bool]string{true: "signing.pub is missing", false: "signing.pub belongs to it"}[after["signing.pub"] == ""]):
					t.Errorf("%s, failing from %d on: the error does not say what the keys are now: %v", had, at, err)
				}
				// The next one mends it and clears up.
				if _, err := Keygen(name, false); err != nil && !errors.Is(err, ErrKeyExists) {
					t.Errorf("%s, failing at %d: the next keygen says %v", had, at, err)
				}
				for n := range folder(t, dir) {
					if fsx.IsTemp(n) {
						t.Errorf("%s, failing at %d: the next keygen leaves %s", had, at, n)
					}
				}
			}
			if points < 8 {
				t.Errorf("only %d points of failure", points)
			}
		}
	}
}

// TestKeygenRemovesTheKeysOfKilledRuns: a whole private key under a hidden name would
// stay for ever; what other programs' temporary files hold is theirs.
func TestKeygenRemovesTheKeysOfKilledRuns(t *testing.T) {
	dir := t.TempDir()
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	other := fsx.TempName("CLAUDE.md")
	left := []string{fsx.TempName("signing.key"), fsx.TempName("other.key"), fsx.TempName("signing.pub")}
	for _, n := range left {
		if err := os.WriteFile(filepath.Join(dir, n), key.PEM(), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, other), []byte("# Rules\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Keygen(filepath.Join(dir, "signing.key"), false); err != nil {
		t.Fatal(err)
	}
	after := folder(t, dir)
	for _, n := range left {
		if _, ok := after[n]; ok {
			t.Errorf("%s is left", n)
		}
	}
	if after[other] == "" {
		t.Error("the temporary file of another program is gone")
	}
}

// TestKeysGoThroughNoLinks: neither may a link lead the private key or the trusted
// keys elsewhere, nor is a folder changed that was there.
func TestKeysGoThroughNoLinks(t *testing.T) {
	for _, linked := range []string{".amp", ".amp/keys"} {
		home, elsewhere := t.TempDir(), t.TempDir()
		if err := os.MkdirAll(filepath.Join(elsewhere, "keys"), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(home, filepath.Dir(linked)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(elsewhere, filepath.Join(home, linked)); err != nil {
			t.Skipf("no links here: %v", err)
		}
		before, err := os.Stat(elsewhere)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := KeygenHome(home, true); err == nil || !strings.Contains(err.Error(), filepath.Join(home, linked)+" is a symbolic link") || !strings.Contains(err.Error(), "--out") {
			t.Errorf("%s: keygen: %v", linked, err)
		}
		if linked == ".amp" {
			key, err := Generate()
			if err != nil {
				t.Fatal(err)
			}
			if err := NewTrustStore(filepath.Join(home, ".amp")).Add(key.Public(), "x", time.Now()); err == nil || !strings.Contains(err.Error(), "is a symbolic link") {
				t.Errorf("trust: %v", err)
			}
		}
		after, err := os.Stat(elsewhere)
		if err != nil || after.Mode() != before.Mode() || len(folder(t, filepath.Join(elsewhere, "keys"))) > 0 {
			t.Errorf("%s: the folder behind the link was changed: %v, %v", linked, after.Mode(), err)
		}
		if entries, _ := os.ReadDir(elsewhere); len(entries) != 1 {
			t.Errorf("%s: something was written behind the link", linked)
		}
	}
}

func TestAKeysFolderThatIsTooOpenIsNotChanged(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("mode bits say nothing on Windows")
	}
	for mode, want := range map[os.FileMode]string{0o700: "", 0o755: "warning", 0o777: "error", 0o770: "error"} {
		home := t.TempDir()
		dir := filepath.Join(home, ".amp", "keys")
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.Chmod(dir, mode); err != nil {
			t.Fatal(err)
		}
		k, err := KeygenHome(home, false)
		got := ""
		switch {
		case err != nil && strings.Contains(err.Error(), "chmod 700"):
			got = "error"
		case err != nil:
			t.Fatal(err)
		case k.Warning != "":
			got = "warning"
		}
		if fi, err := os.Stat(dir); err != nil || fi.Mode().Perm() != mode || got != want {
			t.Errorf("mode %o: %s, want %s; it is %v now, %v", mode, got, want, fi.Mode(), err)
		}
	}
}
