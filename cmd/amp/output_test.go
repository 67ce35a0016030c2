package main

import (
	"encoding/json"
	"io"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/internal/fsx"
)

func TestParsedJSONHoldsNoCharacterThatDoesNotShow(t *testing.T) {
	scratch(t)
	content := "The \u0085 \u009b31m \x7f \u202e \u2066 \u200b \U000e0041 ferry has <two> decks."
	writeFiles(t, ".", map[string]string{"x.md": "[claim] " + content + "\n"})
	out := want(t, 0, "", "parse", "--format", "json", "x.md")
	for _, r := range out {
		if r != '\n' && !fsx.Visible(r) {
			t.Errorf("%U is printed as it is", r)
		}
	}
	var v parsedFile
	if err := json.Unmarshal([]byte(out), &v); err != nil || len(v.Blocks) != 1 || v.Blocks[0].Content != content {
		t.Errorf("%v: %+v", err, v.Blocks)
	}
}

func TestOutputThatCannotBeWrittenSaysNothingOfTheSignature(t *testing.T) {
	_, project := scratch(t)
	want(t, 0, "", "keygen", "--out", "a.key")
	signed, unsigned := newPack(t, project, "ferry"), newPack(t, project, "barge")
	want(t, 0, "", "sign", signed, "--key", "a.key")
	for _, args := range [][]string{
		{"verify", signed}, // 3 where it can be written
		{"verify", signed, "--json"},
		{"verify", signed, "--public-key", "a.pub"},
		{"verify", unsigned, "--json"},
		{"verify", unsigned, "--lint"},
	} {
		var stderr strings.Builder
		if code := run(args, &fullDisk{}, &stderr); code != exitUsage || !strings.Contains(stderr.String(), "could not be written") {
			t.Errorf("amp %q: exit %d: %s", args, code, stderr.String())
		}
	}
	if code := run([]string{"verify", unsigned}, &fullDisk{}, io.Discard); code != exitFailed { // all of it is on stderr
		t.Errorf("exit %d", code)
	}
}

func TestDamagedTrustStoreIsNamedWithoutTermsOfTheProgram(t *testing.T) {
	home, _ := scratch(t)
	for _, text := range []string{`{"version": "1"}`, `{"version": 1, "keys": {}}`, `[]`, `{"version": 1, "keys": [{"label": 3}]}`} {
		writeFiles(t, home, map[string]string{".amp/trusted.json": text})
		code, _, stderr := amp("trust", "list")
		if code != 1 || !strings.Contains(stderr, "damaged") || strings.Contains(stderr, "Go ") || strings.Contains(stderr, "struct") {
			t.Errorf("%s: exit %d: %s", text, code, stderr)
		}
	}
}
