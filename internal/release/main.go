// Command release builds what is published: an archive of the three programs for
// each platform, a bill of materials and checksums. The same commit and the same
// Go give the same bytes, on whatever machine and in whatever folder.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/internal"
)

var (
	programs  = []string{"amp", "amp-lint", "amp-lsp"}
	platforms = []string{"linux/amd64", "linux/arm64", "darwin/amd64", "darwin/arm64", "windows/amd64", "windows/arm64"}
)

func main() {
	src := flag.String("src", ".", "the module's folder")
	out := flag.String("out", "dist", "folder to write to; must be empty or absent")
	only := flag.String("platforms", strings.Join(platforms, ","), "GOOS/GOARCH, comma-separated")
	flag.Parse()
	if err := release(*src, *out, strings.Split(*only, ",")); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

func release(src, out string, platforms []string) error {
	if entries, err := os.ReadDir(out); err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty", out)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	tmp, err := os.MkdirTemp("", "release")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	when, err := commitTime(src)
	if err != nil {
		return err
	}
	var built []string
	for _, p := range platforms {
		goos, goarch, ok := strings.Cut(p, "/")
		if !ok {
			return fmt.Errorf("%q is no GOOS/GOARCH", p)
		}
		dir := filepath.Join(tmp, goos+"-"+goarch)
		var files []file
		for _, name := range programs {
			if goos == "windows" {
				name += ".exe"
			}
			path := filepath.Join(dir, name)
			if err := build(src, path, strings.TrimSuffix(name, ".exe"), goos, goarch); err != nil {
				return err
			}
			built = append(built, path)
			files = append(files, file{name, path, 0o755})
		}
		for _, name := range []string{"LICENSE", "README.md"} {
			files = append(files, file{name, filepath.Join(src, name), 0o644})
		}
		base := fmt.Sprintf("amp-%s-%s-%s", internal.Version, goos, goarch)
		write := tarball
		if goos == "windows" {
			write, base = zipped, base+".zip"
		} else {
			base += ".tar.gz"
		}
		if err := write(filepath.Join(out, base), files, when); err != nil {
			return err
		}
		fmt.Println(base)
	}
	if err := materials(filepath.Join(out, "amp-"+internal.Version+".cdx.json"), built, when); err != nil {
		return err
	}
	return checksums(out)
}

// build makes one program, with nothing in it of where, when and by whom.
func build(src, path, name, goos, goarch string) error {
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags", "-s -w -buildid=", "-o", path, "./cmd/"+name)
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "GOOS="+goos, "GOARCH="+goarch, "CGO_ENABLED=0", "GOFLAGS=-mod=readonly", "GOAMD64=v1", "GOARM64=v8.0", "GOEXPERIMENT=", "GOWORK=off",
		"GOTOOLCHAIN="+runtime.Version())
	if msg, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("%s for %s/%s: %w\n%s", name, goos, goarch, err, msg)
	}
	return nil
}

// commitTime is the time that archives carry: SOURCE_DATE_EPOCH (reproducible-builds.org)
// or that of the commit.
func commitTime(src string) (time.Time, error) {
	s := os.Getenv("SOURCE_DATE_EPOCH")
	if s == "" {
		cmd := exec.Command("git", "log", "-1", "--format=%ct")
		cmd.Dir = src
		out, err := cmd.Output()
		if err != nil {
			return time.Time{}, fmt.Errorf("no commit to take the time from; set SOURCE_DATE_EPOCH: %w", err)
		}
		s = strings.TrimSpace(string(out))
	}
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH: %w", err)
	}
	return time.Unix(n, 0).UTC(), nil
}
