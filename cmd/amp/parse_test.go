package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/amp-toolchain/amp/parser"
)

func TestParseShowsOddFilesInTheSameShape(t *testing.T) {
	for name, c := range map[string]struct {
		src    string
		format parser.Format
		want   string
	}{
		"nothing":    {"", parser.V04, `{"blocks":[],"legend":[],"frontmatter":{},"stray":[]}`},
		"BOM and CR": {"\ufeff---\rn: 1\rs: \"1\"\r---\r\r[demo mixed] {\rx\r}\r  >\rlost\r", parser.V04, `{"blocks":[{"type":"demonstration","written":"demo","facets":["mixed"],"content":"x","reason":"","start_line":6,"end_line":9,"start_offset":24,"end_offset":46,"resolved":{"valence":"mixed"}}],"legend":[],"frontmatter":{"n":1,"s":"1"},"stray":[{"start_line":10,"end_line":10}]}`},
		"v0.3 keys":  {"---\ntype: directive\nscope: org\n---\n\nx\n", parser.V03, `{"blocks":[{"type":"directive","written":"directive","facets":["org"],"content":"x","reason":null,"start_line":1,"end_line":6,"start_offset":0,"end_offset":37,"resolved":{"force":"should","scope":"org","stability":"permanent"}}],"legend":[],"frontmatter":{},"stray":[]}`},
		"v0.3":       {"---\ntype: claim\n---\n\nx\n", parser.V03, `{"blocks":[{"type":"claim","written":"claim","facets":[],"content":"x","reason":null,"start_line":1,"end_line":5,"start_offset":0,"end_offset":22,"resolved":{"stability":"permanent"}}],"legend":[],"frontmatter":{},"stray":[]}`},
	} {
		got, err := json.Marshal(parsed(parser.Parse(c.src, c.format)))
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %v\n got %s\nwant %s", name, err, got, c.want)
		}
	}
}

func TestParseAsTextIsVisibleAndKeepsKeysBack(t *testing.T) {
	key := "sk-" + "Xy7Example0Example0Example0"
	file := filepath.Join(t.TempDir(), "x.md")
	if err := os.WriteFile(file, []byte("[claim] A is \x1b[2J"+key+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	cmd := newParseCmd()
	cmd.SetArgs([]string{file})
	cmd.SetOut(&out)
	if err := cmd.Execute(); err != nil || strings.Contains(out.String(), key) || strings.Contains(out.String(), "\x1b") {
		t.Errorf("%v, %q", err, out.String())
	}
}
