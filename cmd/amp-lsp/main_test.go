package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/amp-toolchain/amp/internal/lsptest"
)

// TestMain lets the test binary be the server, so that process tests run what
// was compiled with the tests' flags (-race among them).
func TestMain(m *testing.M) {
	if os.Getenv("AMP_LSP_TEST_SERVER") == "1" {
		main()
	}
	if os.Getenv("AMP_LSP_TEST_PARENT") == "1" {
		parent()
	}
	os.Exit(m.Run())
}

// parent starts a server that outlives its pipe's writer, says who it is, and
// waits to be killed.
func parent() {
	cmd := exec.Command(os.Args[0], "-clientProcessId", fmt.Sprint(os.Getpid()))
	cmd.Env = append(os.Environ(), "AMP_LSP_TEST_PARENT=", "AMP_LSP_TEST_SERVER=1")
	in, err := cmd.StdinPipe()
	if err != nil {
		panic(err)
	}
	_ = in
	cmd.Stdout = io.Discard
	if err := cmd.Start(); err != nil {
		panic(err)
	}
	fmt.Println(cmd.Process.Pid)
	time.Sleep(time.Minute)
	os.Exit(0)
}

func server(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "AMP_LSP_TEST_SERVER=1")
	return cmd
}

func TestExitCodesOfTheProcess(t *testing.T) {
	tests := []struct {
		name string
		run  func(p *lsptest.Process)
		code int
	}{
		{"shutdown and exit", func(p *lsptest.Process) {
			p.Initialize("")
			p.MustCall("shutdown", nil, nil)
			p.Notify("exit", nil)
		}, 0},
		{"exit without shutdown", func(p *lsptest.Process) { p.Initialize(""); p.Notify("exit", nil) }, 1},
		{"exit at once", func(p *lsptest.Process) { p.Notify("exit", nil) }, 1},
		{"end of input", func(p *lsptest.Process) { p.Initialize(""); p.CloseInput() }, 1},
		{"end of input after shutdown", func(p *lsptest.Process) {
			p.Initialize("")
			p.MustCall("shutdown", nil, nil)
			p.CloseInput()
		}, 0},
		{"broken header", func(p *lsptest.Process) { p.Initialize(""); _ = p.Raw("nonsense\r\n\r\n") }, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p := lsptest.Exec(t, server(t))
			tt.run(p)
			code, err := p.ExitCode()
			if err != nil {
				t.Fatal(err)
			}
			if code != tt.code {
				t.Errorf("exit code %d, want %d\n%s", code, tt.code, p.Stderr())
			}
		})
	}
}

func TestClientThatStopsReadingThenEnds(t *testing.T) {
	p := lsptest.Exec(t, server(t))
	p.Initialize("")
	p.Pause()
	for range 5000 {
		p.Go("textDocument/hover", json.RawMessage(`{"textDocument":{"uri":"file:///x"},"position":{"line":0,"character":0}}`))
	}
	p.CloseInput()
	if _, err := p.ExitCode(); err != nil {
		t.Fatalf("the server hangs on a client that does not read: %v", err)
	}
}

func TestServerEndsWithAKilledClient(t *testing.T) {
	if testing.Short() {
		t.Skip("waits for the ten seconds between two looks at the parent")
	}
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), "AMP_LSP_TEST_PARENT=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	var pid int
	if _, err := fmt.Fscan(out, &pid); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	for deadline := time.Now().Add(lsptest.Timeout); alive(pid); time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("the server (process %d) outlives its client", pid)
		}
	}
}

func TestArguments(t *testing.T) {
	tests := []struct {
		args []string
		code int
		out  string
	}{
		{[]string{"--version"}, 0, "amp-lsp "},
		{[]string{"--help"}, 0, ""},
		{[]string{"--nonsense"}, 2, ""},
		{[]string{"file.md"}, 2, ""},
		{[]string{"--log", filepath.Join("no", "such", "folder", "log")}, 2, ""},
	}
	for _, tt := range tests {
		var stdout, stderr bytes.Buffer
		code := run(tt.args, io.NopCloser(strings.NewReader("")), &stdout, &stderr)
		if code != tt.code || !strings.HasPrefix(stdout.String(), tt.out) {
			t.Errorf("%v: code %d, output %q, errors %q", tt.args, code, stdout.String(), stderr.String())
		}
	}
}

func TestLogGoesToAFileAndHoldsNoCredentials(t *testing.T) {
	file := filepath.Join(t.TempDir(), "log")
	p := lsptest.Exec(t, server(t, "--log", file, "--verbose"))
	p.Initialize("")
	secret := "sk-abcdefghijklmnopqrstuvwx"
	p.Notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": "untitled:" + secret, "languageId": "amp", "version": 1, "text": "[claim] The key is " + secret}})
	p.Notify(secret, nil)
	if code := p.Shutdown(); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(data, []byte("initialize")) {
		t.Errorf("the log is empty: %s", data)
	}
	if bytes.Contains(data, []byte(secret)) || strings.Contains(p.Stderr(), secret) {
		t.Errorf("the log holds the credential: %s %s", data, p.Stderr())
	}
}
