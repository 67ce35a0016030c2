package credential

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

type labelled struct {
	ID     string   `json:"id"`
	Parts  []string `json:"parts"`
	Expect bool     `json:"expect"`
	Family string   `json:"family"`
	Tier   string   `json:"tier"`
	Note   string   `json:"note"`
}

// readLabelled joins nothing: the parts stay split in the file so that other
// scanners do not report this repository.
func readLabelled(tb testing.TB, name string) []labelled {
	tb.Helper()
	f, err := os.Open(name)
	if err != nil {
		tb.Fatal(err)
	}
	defer f.Close()
	var rows []labelled
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var r labelled
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			tb.Fatal(err)
		}
		rows = append(rows, r)
	}
	if err := sc.Err(); err != nil {
		tb.Fatal(err)
	}
	return rows
}

func scanAll(text string) []Hit {
	var hits []Hit
	Scan(text, func(h Hit) bool {
		hits = append(hits, h)
		return true
	})
	return hits
}

func TestLabelledTextsAreJudgedRight(t *testing.T) {
	rows := readLabelled(t, "testdata/labelled.jsonl")
	tp, fp, fn := 0, 0, 0
	for _, r := range rows {
		text := strings.Join(r.Parts, "")
		hits := scanAll(text)
		if r.Tier == "spec" && len(hits) == 0 {
			t.Errorf("%s %s: the specification names this pattern and it was not found (%s)", r.ID, r.Family, r.Note)
		}
		for _, h := range hits {
			if r.Tier == "checksum" && h.Severity != Info {
				t.Errorf("%s: a wrong checksum must be info, got severity %d", r.ID, h.Severity)
			}
		}
		if r.Tier != "core" {
			continue
		}
		switch found := len(hits) > 0; {
		case found && r.Expect:
			tp++
		case found:
			fp++
			t.Errorf("%s %s: false alarm %q (%s)", r.ID, r.Family, hits[0].Message, r.Note)
		case r.Expect:
			fn++
			t.Errorf("%s %s: missed (%s)", r.ID, r.Family, r.Note)
		}
	}
	t.Logf("core recall %d/%d, %d false alarms", tp, tp+fn, fp)
}

// A message may hold a family's public prefix and nothing else of a value.
func TestMessagesNeverEchoAValue(t *testing.T) {
	for _, r := range readLabelled(t, "testdata/labelled.jsonl") {
		text := strings.Join(r.Parts, "")
		for _, h := range scanAll(text) {
			value := text[h.Start:h.End]
			body := strings.TrimPrefix(value, h.Prefix)
			for i := 0; i+8 <= len(body); i++ {
				if strings.Contains(h.Message, body[i:i+8]) {
					t.Errorf("%s: message repeats part of the value", r.ID)
					break
				}
			}
			if masked := Mask(text, []Hit{h}); len(masked) != len(text) || strings.Contains(masked, value) {
				t.Errorf("%s: mask leaves the value", r.ID)
			}
		}
	}
}
