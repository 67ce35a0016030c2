package main

import (
	"errors"
	"os"
	"path"
	"path/filepath"
	"strings"

	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/config"
	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/pack"
)

// toStdout is the name that stands for standard output.
const toStdout = "-"

// readOutputs checks what --output was given.
func (s *settings) readOutputs() error {
	seen := map[string]string{}
	for _, spec := range s.options.outputs {
		format, file, ok := strings.Cut(spec, "=")
		switch {
		case !ok || file == "":
			return usage("--output takes FORMAT=FILE, got %q", spec)
		case !report.Known(format):
			return usage("unknown format %q in --output, expected one of %s%s", format, strings.Join(report.Formats(), ", "), config.Suggest(format, report.Formats()))
		}
		name := filepath.Clean(file)
		if file != toStdout {
			if abs, err := filepath.Abs(file); err == nil {
				name = abs
			}
		}
		if other, twice := seen[name]; twice {
			return usage("--output %s=%s and --output %s=%s write to one file", other, file, format, file)
		}
		seen[name] = format
		s.outputs = append(s.outputs, output{format, file})
	}
	return nil
}

// spare keeps reports and baselines from being written over what is judged.
func (j *job) spare() error {
	files := map[string]string{}
	for _, out := range j.outputs {
		if out.file != toStdout {
			files[out.file] = "--output"
		}
	}
	if j.updateBase && j.options.baseline != "" {
		files[j.options.baseline] = "--baseline"
	}
	for file, flag := range files {
		if rel, ok := j.inPack(file); ok {
			return usage("%s %s would overwrite %s of a pack that is judged", flag, file, rel)
		}
	}
	return nil
}

// inPack reports whether a file is one that makes up a pack among the targets.
func (j *job) inPack(file string) (rel string, ok bool) {
	dir := resolved(filepath.Dir(file))
	for _, t := range j.targets {
		rel, inside := config.Within(resolved(t.Dir), filepath.Join(dir, filepath.Base(file)))
		if !inside {
			continue
		}
		switch low := strings.ToLower(rel); {
		case low == pack.ManifestName, low == pack.AgentsName, low == "signing.pub", path.Dir(low) == pack.MemoryDir:
			return rel, true
		}
	}
	return "", false
}

// resolved is a folder without links on the way to it, as far as it is there.
func resolved(dir string) string {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	return dir
}

// writeOutputs writes the reports besides the one on standard output. One that
// can't be written keeps none of the others from being.
func (j *job) writeOutputs(r *report.Report, o report.Options) error {
	var errs []error
	for _, out := range j.outputs {
		if out.file == toStdout {
			errs = append(errs, report.Write(j.w.out, out.format, r, o))
			continue
		}
		errs = append(errs, writeFile(out, r, o))
	}
	return errors.Join(errs...)
}

func writeFile(out output, r *report.Report, o report.Options) error {
	var b buffer
	if err := report.Write(&b, out.format, r, o); err != nil {
		return err
	}
	if err := fsx.WriteFile(out.file, b.Bytes(), 0o644); err != nil {
		e := pathError(out.file, err)
		if st, statErr := os.Stat(out.file); statErr == nil && st.IsDir() {
			e = &batch.PathError{Path: out.file, Err: errors.New("is a folder")}
		}
		return e
	}
	return nil
}
