package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A finding is one diagnostic of a pack. Paths are relative to the pack.
type finding struct {
	Rule     string
	Severity string
	Path     string
	Related  []string // paths
	Message  string
	Said     string // all of the diagnostic that people see: JSON without paths, links and fixes
}

// counts reports whether a finding is one that people are stopped by.
func (f *finding) counts() bool {
	return security(f.Rule) && (f.Severity == "error" || f.Severity == "warning")
}

// places are the files that a finding points to.
func (f *finding) places() []string { return append([]string{f.Path}, f.Related...) }

// perRun keeps the command line within what every system allows.
const perRun = 200

// lint lays the packs out in folders of their own and returns the findings of
// each.
func lint(program string, packs []map[string]string) ([][]finding, error) {
	if strings.ContainsRune(program, filepath.Separator) {
		abs, err := filepath.Abs(program)
		if err != nil {
			return nil, err
		}
		program = abs
	}
	dir, err := os.MkdirTemp("", "eval")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	var names []string
	for i, p := range packs {
		name := strconv.Itoa(i)
		names = append(names, name)
		for rel, text := range p {
			file := filepath.Join(dir, name, filepath.FromSlash(rel))
			if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
				return nil, err
			}
			if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
				return nil, err
			}
		}
	}
	out := make([][]finding, len(packs))
	for chunk := range slices.Chunk(names, perRun) {
		if err := lintChunk(program, dir, chunk, out); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func lintChunk(program, dir string, names []string, out [][]finding) error {
	cmd := exec.Command(program, append([]string{"--format", "json"}, names...)...)
	cmd.Dir = dir
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	data, err := cmd.Output()
	// 1 means findings; above that something was not judged and would count as missed.
	if exit := (*exec.ExitError)(nil); err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return fmt.Errorf("amp-lint: %w\n%s", err, strings.TrimSpace(stderr.String()))
	}
	return parseReport(data, out)
}

func parseReport(data []byte, out [][]finding) error {
	var report struct {
		Version     int
		Diagnostics []map[string]json.RawMessage
	}
	if err := json.Unmarshal(data, &report); err != nil {
		return fmt.Errorf("amp-lint printed no JSON: %w", err)
	}
	if report.Version != 1 {
		return fmt.Errorf("amp-lint's report has version %d, expected 1", report.Version)
	}
	for _, members := range report.Diagnostics {
		i, f, err := parseFinding(members)
		if err != nil {
			return err
		}
		if i < 0 || i >= len(out) {
			return fmt.Errorf("amp-lint reports on a pack that was not given: %s", f.Path)
		}
		out[i] = append(out[i], f)
	}
	return nil
}

func parseFinding(members map[string]json.RawMessage) (pack int, f finding, err error) {
	whole, err := json.Marshal(members)
	if err != nil {
		return 0, f, err
	}
	var d struct {
		Path, Rule, Severity, Message string
		Related                       []struct{ Path string }
	}
	if err := json.Unmarshal(whole, &d); err != nil {
		return 0, f, err
	}
	for _, m := range []string{"path", "pack", "unit", "doc_url", "fixes"} {
		delete(members, m)
	}
	said, err := json.Marshal(members)
	if err != nil {
		return 0, f, err
	}
	first, rel, _ := strings.Cut(d.Path, "/")
	pack, err = strconv.Atoi(first)
	if err != nil {
		return 0, f, fmt.Errorf("amp-lint reports on a pack that was not given: %s", d.Path)
	}
	f = finding{Rule: d.Rule, Severity: d.Severity, Path: rel, Message: d.Message, Said: string(said)}
	for _, r := range d.Related {
		_, rel, _ := strings.Cut(r.Path, "/")
		f.Related = append(f.Related, rel)
	}
	return pack, f, nil
}
