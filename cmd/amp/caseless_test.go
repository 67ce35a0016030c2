package main

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// caseless mounts a file system that does not tell upper from lower case.
type caseless struct {
	name  string
	mount func(t *testing.T, image, dir string) error
}

func execute(name string, args ...string) error {
	out, err := exec.Command(name, args...).CombinedOutput()
	if err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, bytes.TrimSpace(out))
	}
	return nil
}

var caselessDisks = []caseless{
	{"vfat", func(_ *testing.T, image, dir string) error {
		if err := execute("mkfs.vfat", image); err != nil {
			return err
		}
		return execute("mount", "-t", "vfat", "-o", "loop", image, dir)
	}},
	{"ext4 with casefold", func(_ *testing.T, image, dir string) error {
		if err := execute("mkfs.ext4", "-q", "-O", "casefold", image); err != nil {
			return err
		}
		if err := execute("mount", "-o", "loop", image, dir); err != nil {
			return err
		}
		return execute("chattr", "+F", dir)
	}},
	{"exFAT in user space", func(t *testing.T, image, dir string) error {
		if err := execute("mkfs.exfat", image); err != nil {
			return err
		}
		out, err := exec.Command("losetup", "-f", "--show", image).Output()
		if err != nil {
			return err
		}
		loop := strings.TrimSpace(string(out))
		t.Cleanup(func() { _ = execute("losetup", "-d", loop) })
		return execute("mount.exfat-fuse", loop, dir)
	}},
}

// tree maps every name to the file's bytes, or to "folder".
func tree(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
		if err != nil || p == root {
			return err
		}
		rel, _ := filepath.Rel(root, p)
		if d.IsDir() {
			out[rel] = "folder"
			return nil
		}
		data, err := os.ReadFile(p)
		out[rel] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// TestOnDisksThatDoNotTellTheCasesApart installs and uninstalls where files and folders
// of the user's have the names that amp uses, in other letters. Such disks mostly have
// no modes, links and attributes either.
func TestOnDisksThatDoNotTellTheCasesApart(t *testing.T) {
	slow(t)
	pack := newPack(t, t.TempDir(), "ferry")
	for _, d := range caselessDisks {
		t.Run(d.name, func(t *testing.T) {
			image, dir := filepath.Join(t.TempDir(), "image"), t.TempDir()
			if err := os.WriteFile(image, nil, 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(image, 64<<20); err != nil {
				t.Fatal(err)
			}
			if err := d.mount(t, image, dir); err != nil {
				t.Skipf("cannot be mounted here: %v", err)
			}
			t.Cleanup(func() {
				if err := execute("umount", dir); err != nil {
					t.Log(err)
				}
			})
			for _, c := range []struct {
				name   string
				files  map[string]string // a name that ends in / is a folder
				agents []string
			}{
				{"nothing", nil, []string{"claude-code", "codex", "cursor", "windsurf"}},
				{"folders of amp", map[string]string{".AMP/.META/": "", ".AMP/.Backups/": ""}, []string{"claude-code"}},
				{"rules files", map[string]string{"claude.md": "mine", "Agents.MD": "mine\r\n"}, []string{"claude-code", "codex"}},
				{"a rule and its folders", map[string]string{".Cursor/RULES/AMP-FERRY.MDC": "mine\n", ".Windsurf/": ""}, []string{"cursor", "windsurf"}},
			} {
				project, home := filepath.Join(dir, "project"), filepath.Join(dir, "home")
				for _, p := range []string{project, home} {
					if err := os.MkdirAll(p, 0o755); err != nil {
						t.Fatal(err)
					}
				}
				for name, text := range c.files {
					p := filepath.Join(project, name)
					if strings.HasSuffix(name, "/") {
						if err := os.MkdirAll(p, 0o755); err != nil {
							t.Fatal(err)
						}
						continue
					}
					writeFiles(t, project, map[string]string{name: text})
				}
				before := tree(t, project)
				args := []string{"install", "--from-path", pack}
				for _, a := range c.agents {
					args = append(args, "--agent", a)
				}
				for _, args := range [][]string{args, args, {"inspect", "ferry"}, {"uninstall", "ferry"}} {
					if out, err := process(project, home, args...).CombinedOutput(); err != nil {
						t.Fatalf("%s: %v: %v: %s", c.name, args, err, out)
					}
				}
				if d := diffOf(before, tree(t, project)); d != "" {
					t.Errorf("%s: not as before:\n%s", c.name, d)
				}
				os.RemoveAll(project)
			}
			caselessSigning(t, filepath.Join(dir, "signing"), pack)
			caselessWiki(t, filepath.Join(dir, "filing"), pack)
		})
	}
}

func caselessSigning(t *testing.T, dir, pack string) {
	if err := os.CopyFS(filepath.Join(dir, "pack"), os.DirFS(pack)); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"keygen", "--out", "k"}, {"sign", "pack", "--key", "k"}, {"verify", "pack", "--public-key", "k.pub"}} {
		if out, err := process(dir, dir, args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	if err := os.Rename(filepath.Join(dir, "pack/manifest.json"), filepath.Join(dir, "pack/Manifest.JSON")); err != nil {
		t.Fatal(err)
	}
	out, err := process(dir, dir, "sign", "pack", "--key", "k", "--force").CombinedOutput()
	if err == nil || !strings.Contains(string(out), "must be called manifest.json") {
		t.Errorf("signed a pack whose manifest is called otherwise: %v: %s", err, out)
	}
}

func caselessWiki(t *testing.T, dir, pack string) {
	writeFiles(t, dir, map[string]string{"wiki/INDEX.md": "# Mine\r\nno end"})
	if err := os.MkdirAll(filepath.Join(dir, "wiki/Packs/FERRY"), 0o755); err != nil {
		t.Fatal(err)
	}
	before := tree(t, dir)
	for _, args := range [][]string{{"unpack", pack, "--wiki", "wiki", "--yes"}, {"unpack", pack, "--wiki", "wiki", "--remove", "--yes"}} {
		if out, err := process(dir, dir, args...).CombinedOutput(); err != nil {
			t.Errorf("%v: %v: %s", args, err, out)
		}
	}
	if d := diffOf(before, tree(t, dir)); d != "" {
		t.Errorf("the wiki is not as before:\n%s", d)
	}
}
