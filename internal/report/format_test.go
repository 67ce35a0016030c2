package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/analysis"
	"github.com/amp-toolchain/amp/analysis/rules"
	"github.com/amp-toolchain/amp/internal/batch"
	"github.com/amp-toolchain/amp/internal/capability"
	"github.com/amp-toolchain/amp/internal/report"
	"github.com/amp-toolchain/amp/internal/sigstate"
)

var update = flag.Bool("update", false, "write the golden outputs instead of comparing them")

// secret is put together here so that no scanner stops at this file.
const secret = "sk-" + "4fQ9zLw2Xc7VbN8mKj3HtR6y"

const golden = "testdata/formats.txtar"

// lintArchive lints the files of an archive below `pack/`, with %SECRET% for a
// credential, as seen from the folder above.
func lintArchive(t *testing.T, a *txtar.Archive) *report.Report {
	t.Helper()
	dir := t.TempDir()
	for _, f := range a.Files {
		if !strings.HasPrefix(f.Name, "pack/") {
			continue
		}
		p := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, bytes.ReplaceAll(f.Data, []byte("%SECRET%"), []byte(secret)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	t.Chdir(dir)
	targets, errs := batch.Discover([]string{"pack"}, nil)
	if len(errs) > 0 {
		t.Fatal(errs)
	}
	results := batch.Lint(targets, batch.Options{Runner: analysis.NewRunner(rules.All())})
	r := report.New(results,
		[]batch.PathError{{Path: "gone", Err: errors.New("no such file or directory")}})
	for i := range results {
		r.Audits = append(r.Audits, report.Audit{
			Root: results[i].Display, Title: results[i].Pack.Manifest.Text("title"), Signer: sigstate.Describe(results[i].Dir, nil), Asks: capability.Of(results[i].Pack),
		})
	}
	r.Sort()
	return r
}

func render(t *testing.T, r *report.Report, format string) string {
	t.Helper()
	var b bytes.Buffer
	if err := report.Write(&b, format, r, report.Options{Version: "1.2.3", Exit: 3}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFormatsAreGolden(t *testing.T) {
	file, err := filepath.Abs(golden)
	if err != nil {
		t.Fatal(err)
	}
	a, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	r := lintArchive(t, a)
	want := map[string]string{}
	kept := a.Files[:0:0]
	for _, f := range a.Files {
		if name, ok := strings.CutPrefix(f.Name, "out/"); ok {
			want[name] = string(f.Data)
			continue
		}
		kept = append(kept, f)
	}
	a.Files = kept
	for _, name := range report.Formats() {
		got := render(t, r, name)
		a.Files = append(a.Files, txtar.File{Name: "out/" + name, Data: []byte(got)})
		if !*update && got != want[name] {
			t.Errorf("%s differs (go test ./internal/report -update shows how):\n%s", name, got)
		}
	}
	if *update {
		if err := os.WriteFile(file, txtar.Format(a), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// reports are the golden pack and all conformance cases.
func reports(t *testing.T) map[string]*report.Report {
	t.Helper()
	names, err := filepath.Glob("../../analysis/testdata/conformance/*.txtar")
	if err != nil || len(names) < 100 {
		t.Fatalf("%d cases, %v", len(names), err)
	}
	names = append(names, golden)
	out := map[string]*report.Report{}
	for i := range names {
		if names[i], err = filepath.Abs(names[i]); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range names {
		a, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		out[filepath.Base(name)] = lintArchive(t, a)
	}
	return out
}

func TestSARIFIsValidAgainstItsSchema(t *testing.T) {
	src, err := os.Open("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	defer src.Close()
	doc, err := jsonschema.UnmarshalJSON(src)
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("sarif.json", doc); err != nil {
		t.Fatal(err)
	}
	schema := c.MustCompile("sarif.json")
	results, fixes, related := 0, 0, 0
	all := reports(t)
	for name, r := range all {
		out := render(t, r, "sarif")
		v, err := jsonschema.UnmarshalJSON(strings.NewReader(out))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(v); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		results += strings.Count(out, `"ruleId"`)
		fixes += strings.Count(out, `"artifactChanges"`)
		related += strings.Count(out, `"relatedLocations"`)
		if strings.Contains(out, `"snippet"`) {
			t.Errorf("%s has a snippet", name)
		}
	}
	if results < 150 || fixes < 50 || related == 0 {
		t.Errorf("only %d results, %d fixes, %d related: the test has lost its subject", results, fixes, related)
	}
	// The schema is alive: a wrong level is refused.
	bad := strings.Replace(render(t, all["formats.txtar"], "sarif"), `"level": "error"`, `"level": "fatal"`, 1)
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(bad))
	if err != nil {
		t.Fatal(err)
	}
	if schema.Validate(v) == nil {
		t.Error("a wrong level is valid")
	}
}

func TestEveryFormatReadsBackAndHidesCredentials(t *testing.T) {
	for name, r := range reports(t) {
		for _, format := range report.Formats() {
			out := render(t, r, format)
			if strings.Contains(out, secret) {
				t.Errorf("%s, %s shows the credential", name, format)
			}
			var err error
			switch format {
			case "json", "sarif", "gitlab", "rdjson":
				err = json.Unmarshal([]byte(out), new(any))
			case "jsonl":
				for line := range strings.Lines(out) {
					if err = json.Unmarshal([]byte(line), new(any)); err != nil {
						break
					}
				}
				if n := strings.Count(out, "\n"); err == nil && n != len(r.Findings)+len(r.Errors)+1 {
					err = fmt.Errorf("%d lines for %d findings", n, len(r.Findings))
				}
			case "junit", "checkstyle":
				d := xml.NewDecoder(strings.NewReader(out))
				for err == nil {
					_, err = d.Token()
				}
				if errors.Is(err, io.EOF) {
					err = nil
				}
			case "concise":
				if n := strings.Count(out, "\n"); n != len(r.Findings) {
					err = fmt.Errorf("%d lines for %d findings", n, len(r.Findings))
				}
			case "github":
				for line := range strings.Lines(out) {
					if !strings.HasPrefix(line, "::") {
						err = fmt.Errorf("a line that is no command: %q", line)
					}
				}
			}
			if err != nil {
				t.Errorf("%s, %s: %v", name, format, err)
			}
		}
	}
}

func TestSARIFPathsAreURIs(t *testing.T) {
	r := &report.Report{Errors: []batch.PathError{
		{Path: "a b/c#d%.md", Err: errors.New("x")},
		{Path: "/abs/ü.md", Err: errors.New("x")},
		{Path: "C:/w/x.md", Err: errors.New("x")},
		{Path: "odd:name/x.md", Err: errors.New("x")},
	}}
	out := render(t, r, "sarif")
	for _, want := range []string{`"uri": "a%20b/c%23d%25.md"`, `"uri": "file:///abs/%C3%BC.md"`, `"uri": "file:///C:/w/x.md"`, `"uri": "./odd:name/x.md"`} {
		if !strings.Contains(out, want) {
			t.Errorf("%s is missing in\n%s", want, out)
		}
	}
}

func TestStatistics(t *testing.T) {
	a, err := txtar.ParseFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	r := lintArchive(t, a)
	var b bytes.Buffer
	if err := report.Statistics(&b, r, true); err != nil {
		t.Fatal(err)
	}
	var stats []struct{ Count int }
	if err := json.Unmarshal(b.Bytes(), &stats); err != nil {
		t.Fatal(err)
	}
	sum := 0
	for i, s := range stats {
		sum += s.Count
		if i > 0 && s.Count > stats[i-1].Count {
			t.Error("not sorted by count")
		}
	}
	if sum != len(r.Findings) {
		t.Errorf("%d counted, %d found", sum, len(r.Findings))
	}
}

func TestAnErrorIsListedOnce(t *testing.T) {
	e := func(path, msg string) batch.PathError { return batch.PathError{Path: path, Err: errors.New(msg)} }
	r := report.New([]batch.Result{{Errs: []batch.PathError{e("p/memory", "permission denied"), e("p/memory", "other")}}},
		[]batch.PathError{e("q", "permission denied"), e("p/memory", "permission denied")})
	r.Sort()
	var b bytes.Buffer
	if err := report.JSON(&b, r); err != nil {
		t.Fatal(err)
	}
	if got := strings.Count(b.String(), `"path": "p/memory"`); got != 2 || len(r.Errors) != 3 {
		t.Errorf("p/memory is listed %d times: %v", got, r.Errors)
	}
}
