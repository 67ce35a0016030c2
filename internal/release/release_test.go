package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestTheSameSourceElsewhereGivesTheSameBytes builds for this platform, from here
// and from a copy in another folder.
func TestTheSameSourceElsewhereGivesTheSameBytes(t *testing.T) {
	if os.Getenv("AMP_RELEASE") == "" {
		t.Skip("builds all programs twice, a minute of CPU time: scripts/slow/60-release.sh runs it")
	}
	t.Setenv("SOURCE_DATE_EPOCH", "1790000000")
	platform := []string{runtime.GOOS + "/" + runtime.GOARCH}
	here, there := filepath.Join(t.TempDir(), "dist"), filepath.Join(t.TempDir(), "dist")
	elsewhere := filepath.Join(t.TempDir(), "some where else")
	for _, name := range []string{"go.mod", "go.sum", "LICENSE", "README.md", "doc.go"} {
		src, err := os.ReadFile(filepath.Join("../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(elsewhere, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(elsewhere, name), src, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	top, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range top {
		switch e.Name() {
		case ".git", "bench", "bin", "docs", "editors", "examples", "dist":
			continue // other modules, and nothing that is built in
		}
		if e.IsDir() {
			if err := os.CopyFS(filepath.Join(elsewhere, e.Name()), os.DirFS(filepath.Join("../..", e.Name()))); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := release("../..", here, platform); err != nil {
		t.Fatal(err)
	}
	if err := release(elsewhere, there, platform); err != nil {
		t.Fatal(err)
	}
	names, err := os.ReadDir(here)
	if err != nil || len(names) != 3 {
		t.Fatalf("%v, %v", names, err)
	}
	for _, n := range names {
		a, err1 := os.ReadFile(filepath.Join(here, n.Name()))
		b, err2 := os.ReadFile(filepath.Join(there, n.Name()))
		if err := errors.Join(err1, err2); err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(a, b) {
			t.Errorf("%s differs", n.Name())
		}
	}
	if err := release("../..", here, platform); err == nil {
		t.Error("a release was written over another")
	}
	if sums, err := exec.LookPath("sha256sum"); err == nil {
		cmd := exec.Command(sums, "-c", "--strict", "SHA256SUMS")
		cmd.Dir = here
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
	}
	checkMaterials(t, here)
	if runtime.GOOS == "windows" {
		return
	}
	bin := unpack(t, here)
	wd, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range programs {
		src, err := os.ReadFile(filepath.Join(bin, name))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(src, []byte(filepath.Dir(filepath.Dir(wd))+"/")) {
			t.Errorf("%s tells where it was built", name)
		}
	}
	out, err := exec.Command(filepath.Join(bin, "amp-lint"), "--version").Output()
	if err != nil || !strings.HasPrefix(string(out), "amp-lint version ") {
		t.Errorf("%q, %v", out, err)
	}
}

func checkMaterials(t *testing.T, dist string) {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dist, "*.cdx.json"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	src, err := os.ReadFile(names[0])
	if err != nil {
		t.Fatal(err)
	}
	var b bom
	if err := json.Unmarshal(src, &b); err != nil {
		t.Fatal(err)
	}
	mod, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	cobra := false
	for _, c := range b.Components {
		cobra = cobra || c.Name == "github.com/spf13/cobra"
		if c.Name != "std" && (!strings.Contains(string(mod), c.Name+" "+c.Version+" h1:") || len(c.Hashes) != 1) {
			t.Errorf("%s %s is not pinned", c.Name, c.Version)
		}
	}
	if !cobra || len(b.Serial) != len("urn:uuid:")+36 {
		t.Errorf("incomplete: %s", src)
	}
}

func unpack(t *testing.T, dist string) string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dist, "*.tar.gz"))
	if err != nil || len(names) != 1 {
		t.Fatal(names, err)
	}
	f, err := os.Open(names[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	gz, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for r := tar.NewReader(gz); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return dir
		}
		if err != nil {
			t.Fatal(err)
		}
		data, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, h.Name), data, h.FileInfo().Mode()); err != nil {
			t.Fatal(err)
		}
	}
}

// TestArchivesHoldNothingOfTheMachine: neither the files' own times nor their owner.
func TestArchivesHoldNothingOfTheMachine(t *testing.T) {
	dir := t.TempDir()
	name := filepath.Join(dir, "x")
	var got [2][2][]byte
	for i := range got {
		if err := os.WriteFile(name, []byte("x"), os.FileMode(0o600+i)); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(name, time.Time{}, time.Unix(int64(1e9*(i+1)), 0)); err != nil {
			t.Fatal(err)
		}
		for k, write := range []func(string, []file, time.Time) error{tarball, zipped} {
			out := filepath.Join(dir, fmt.Sprint("out", k))
			if err := write(out, []file{{"x", name, 0o755}}, time.Unix(1790000000, 0)); err != nil {
				t.Fatal(err)
			}
			var err error
			if got[i][k], err = os.ReadFile(out); err != nil {
				t.Fatal(err)
			}
		}
	}
	for k := range 2 {
		if !bytes.Equal(got[0][k], got[1][k]) {
			t.Errorf("archive %d differs", k)
		}
	}
	z, err := zip.NewReader(bytes.NewReader(got[0][1]), int64(len(got[0][1])))
	if err != nil || len(z.File) != 1 || z.File[0].Mode() != 0o755 {
		t.Errorf("%v, %v", z, err)
	}
}
