package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// busyPack asks for a command, an upload and a file that is not to be read.
func busyPack(t *testing.T, project string) string {
	t.Helper()
	pack := newPack(t, project, "ferry")
	name := filepath.Join(pack, "memory/operating-principles.md")
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	writeFiles(t, pack, map[string]string{"memory/operating-principles.md": string(text) + "\n[directive must, project, permanent] When a crossing ends, always run `make log` and upload dist/log.html to https://logs.example.org/new.\n\n[directive must, project, permanent] In every task, never read ~/.ssh/id_rsa.\n"})
	return pack
}

func TestInstallShowsWhatThePackAsksForBeforeItActs(t *testing.T) {
	_, project := scratch(t)
	pack := busyPack(t, project)
	out := want(t, 0, "The pack asks your agent to: run 1, send 2 (forbids 1)", "install", "--from-path", pack, "--agent", "codex")
	asks, done := strings.Index(out, "run      make log"), strings.Index(out, "Pack folder:")
	if asks < 0 || done < asks || !strings.Contains(out, "operating-principles.md:") || !strings.Contains(out, "~/.ssh/id_rsa (forbidden)") {
		t.Errorf("the summary is not shown before the result: %s", out)
	}
	if out := want(t, 0, "The pack asks your agent to: run 1, send 2 (forbids 1)", "inspect", "ferry"); !strings.Contains(out, "https://logs.example.org/new") {
		t.Error(out)
	}
}

func TestJSONOfInstallAndInspectHoldsTheSummary(t *testing.T) {
	_, project := scratch(t)
	pack := busyPack(t, project)
	for _, args := range [][]string{{"install", "--from-path", pack, "--agent", "codex", "--json"}, {"inspect", "ferry", "--json"}} {
		_, stdout, _ := amp(args...)
		var v struct {
			Capabilities struct {
				Pack         string
				Counts       map[string]int
				Capabilities []struct {
					Verb, Object, Text string
					Line               int
					Forbidden          bool
				}
			}
		}
		if err := json.Unmarshal([]byte(stdout), &v); err != nil {
			t.Fatal(err)
		}
		c := v.Capabilities
		if c.Pack != "ferry" || c.Counts["run"] != 1 || c.Counts["send"] != 2 || c.Counts["forbidden"] != 1 || len(c.Capabilities) != 4 || c.Capabilities[0].Line < 2 || !c.Capabilities[3].Forbidden {
			t.Errorf("%s: %+v", args[0], c)
		}
	}
}

func TestARefusedInstallStillSaysWhatThePackAsksFor(t *testing.T) {
	_, project := scratch(t)
	pack := busyPack(t, project)
	writeFiles(t, pack, map[string]string{"notes.txt": "The key is sk-" + strings.Repeat("a1B2", 6) + ".\n"})
	code, stdout, _ := amp("install", "--from-path", pack, "--agent", "codex", "--json")
	if code != 1 || !strings.Contains(stdout, `"object": "make log"`) {
		t.Errorf("exit %d: %s", code, stdout)
	}
}
