package sign

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/testattr"
)

func TestSigningKeepsModeAndAttributesOfTheManifest(t *testing.T) {
	dir := makePack(t, nil)
	name := filepath.Join(dir, ManifestName)
	if err := os.Chmod(name, 0o2640); err != nil {
		t.Fatal(err)
	}
	testattr.Set(t, name, "user.note", []byte("mine"))
	key, err := Generate()
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.Stat(name)
	res, err := Sign(dir, key, Options{Scheme: Spec})
	if err != nil || len(res.Warnings) > 0 {
		t.Fatalf("%v, warnings %q", err, res.Warnings)
	}
	after, _ := os.Stat(name)
	if note := testattr.Get(name, "user.note"); note != "mine" || after.Mode() != before.Mode() {
		t.Errorf("note %q, mode %v, want %v", note, after.Mode(), before.Mode())
	}
	defer fsx.SetGate(func(op fsx.Op) error {
		if op.Name == "setxattr" {
			return unix.EPERM
		}
		return nil
	})()
	if key, err = Generate(); err != nil {
		t.Fatal(err)
	}
	res, err = Sign(dir, key, Options{Scheme: Spec})
	if err != nil || len(res.Warnings) != 1 || !strings.HasPrefix(res.Warnings[0], "manifest.json: its attribute user.note cannot be kept") {
		t.Errorf("%v, warnings %q", err, res.Warnings)
	}
}

func TestASecondNameOfTheManifestIsTold(t *testing.T) {
	dir := makePack(t, nil)
	if err := os.Link(filepath.Join(dir, ManifestName), filepath.Join(t.TempDir(), "other")); err != nil {
		t.Skipf("the file system has no hard links: %v", err)
	}
	res, err := Sign(dir, keys(t, 1)[0], Options{Scheme: Spec})
	if err != nil || len(res.Warnings) != 1 || !strings.Contains(res.Warnings[0], "manifest.json: it has other names (hard links)") {
		t.Errorf("%v, warnings %q", err, res.Warnings)
	}
}

// An editor saves the manifest while the pack is signed.
func TestAManifestThatChangesMeanwhileIsKept(t *testing.T) {
	for _, embed := range []bool{true, false} {
		dir := makePack(t, nil)
		name := filepath.Join(dir, ManifestName)
		remove := fsx.SetGate(func(op fsx.Op) error {
			if op.Name == "rename" && filepath.Base(op.Path) == ManifestName {
				return os.WriteFile(name, []byte(`{"name": "saved"}`), 0o644)
			}
			return nil
		})
		_, err := Sign(dir, keys(t, 1)[0], Options{Scheme: Spec, NoEmbed: !embed})
		remove()
		text, _ := os.ReadFile(name)
		_, perr := os.Stat(filepath.Join(dir, EmbeddedName))
		if !errors.Is(err, fsx.ErrChanged) || !strings.Contains(err.Error(), "manifest.json") || string(text) != `{"name": "saved"}` || perr == nil {
			t.Errorf("embed %v: %v, the manifest is %s, signing.pub: %v", embed, err, text, perr)
		}
	}
}
