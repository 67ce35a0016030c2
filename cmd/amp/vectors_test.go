package main

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// The interop vectors are described in sign/testdata/vectors/README.md.
const vectorDir = "../../sign/testdata/vectors"

type vectorFile struct {
	Path    string `json:"path"`
	PathHex string `json:"path_hex"`
	Type    string `json:"type"`
	Base64  string `json:"base64"`
	Target  string `json:"target"`
	Mode    string `json:"mode"`
}

type vector struct {
	Scheme    *string           `json:"scheme"`
	PublicKey string            `json:"public_key"`
	KeyFile   string            `json:"public_key_file"`
	GivenAs   string            `json:"public_key_given_as"`
	Valid     map[string]*bool  `json:"valid"`
	ByAlice   map[string]string `json:"signature_by_alice"`
	Expect    struct {
		Verify  string `json:"verify"`
		Prefer  string `json:"prefer"`
		Install string `json:"install"`
		Warn    string `json:"warn"`
	} `json:"expect"`
}

func readJSON(t *testing.T, name string, v any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

// lay writes a vector's pack to a folder.
func lay(t *testing.T, name, root string) {
	t.Helper()
	var list []vectorFile
	file := filepath.Join(vectorDir, name, "files.json")
	var wrapped struct{ Files []vectorFile }
	if data, err := os.ReadFile(file); err == nil && bytes.HasPrefix(bytes.TrimSpace(data), []byte("[")) {
		readJSON(t, file, &list)
	} else {
		readJSON(t, file, &wrapped)
		list = wrapped.Files
	}
	for _, f := range list {
		rel := f.Path
		if f.PathHex != "" {
			b, err := hex.DecodeString(f.PathHex)
			if err != nil {
				t.Fatal(err)
			}
			rel = string(b)
		}
		data, err := base64.StdEncoding.DecodeString(f.Base64)
		if err != nil {
			t.Fatal(err)
		}
		p := filepath.Join(root, rel)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		switch f.Type {
		case "dir":
			err = os.MkdirAll(p, 0o755)
		case "symlink":
			target := f.Target
			if target == "" {
				target = string(data)
			}
			err = os.Symlink(target, p)
		default:
			mode := uint64(0o644)
			if f.Mode != "" {
				mode, err = strconv.ParseUint(f.Mode, 8, 32)
			}
			if err == nil {
				err = os.WriteFile(p, data, os.FileMode(mode))
			}
			if err == nil {
				err = os.Chmod(p, os.FileMode(mode))
			}
		}
		if err != nil {
			t.Fatal(err)
		}
	}
}

// amp runs the program in this process.
func amp(args ...string) (code int, stdout, stderr string) {
	var out, errs bytes.Buffer
	code = run(args, &out, &errs)
	return code, out.String(), errs.String()
}

// scratch gives the test an own home and project folder and changes to the
// project.
func scratch(t *testing.T) (home, project string) {
	t.Helper()
	root := t.TempDir()
	home, project = filepath.Join(root, "home"), filepath.Join(root, "project")
	for _, d := range []string{home, project} {
		if err := os.Mkdir(d, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("HOME", home)
	t.Setenv("USERPROFILE", home)
	t.Setenv(envPublic, "")
	t.Setenv(envPrivate, "")
	t.Chdir(project)
	return home, project
}

func TestVectors(t *testing.T) {
	abs, err := filepath.Abs(vectorDir)
	if err != nil {
		t.Fatal(err)
	}
	entries, err := filepath.Glob(filepath.Join(abs, "*", "expected.json"))
	if err != nil || len(entries) < 40 {
		t.Fatalf("%d vectors found: %v", len(entries), err)
	}
	var private map[string]string
	readJSON(t, filepath.Join(abs, "keys", "private.json"), &private)
	alice, err := hex.DecodeString(private["alice.key"])
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		name := filepath.Base(filepath.Dir(e))
		t.Run(name, func(t *testing.T) {
			var v vector
			readJSON(t, e, &v)
			dir := filepath.Dir(e)
			pack := filepath.Join(t.TempDir(), "pack")
			lay(t, name, pack) // before the folder changes
			signed := map[string]string{}
			for _, scheme := range []string{"spec", "jsonb"} {
				signed[scheme] = filepath.Join(t.TempDir(), "pack")
				lay(t, name, signed[scheme])
			}
			_, project := scratch(t)
			checkVerify(t, &v, abs, pack)
			checkPayload(t, &v, dir, pack)
			checkSign(t, &v, alice, signed)
			checkInstall(t, &v, pack, project)
		})
	}
}

func checkVerify(t *testing.T, v *vector, abs, pack string) {
	keyFile := filepath.Join(t.TempDir(), "key.pub")
	key := []byte(v.PublicKey)
	if v.KeyFile != "" {
		if data, err := os.ReadFile(filepath.Join(abs, v.KeyFile)); err == nil {
			key = data
		}
	}
	if err := os.WriteFile(keyFile, key, 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"verify", pack, "--public-key", keyFile}
	if v.GivenAs == envPublic {
		t.Setenv(envPublic, string(key))
		args = args[:2]
	}
	code, stdout, stderr := amp(args...)
	os.Unsetenv(envPublic)
	want := v.Expect.Verify
	if strings.HasPrefix(want, "either") && v.Expect.Prefer != "" {
		want = v.Expect.Prefer
	}
	switch want {
	case "valid":
		if code != 0 || !strings.Contains(stdout, "Signature VALID") {
			t.Errorf("verify: want valid, exit %d: %s", code, stderr)
		}
		if v.Scheme != nil && !strings.Contains(stdout, "payload: "+*v.Scheme) {
			t.Errorf("verify does not name the %s payload: %s", *v.Scheme, stdout)
		}
		if v.Expect.Warn != "" && !strings.Contains(stderr, "do not cover file names") {
			t.Errorf("verify does not warn that %s", v.Expect.Warn)
		}
	case "invalid":
		if code != 1 || !strings.Contains(stderr, "INVALID") {
			t.Errorf("verify: want invalid, exit %d: %s", code, stderr)
		}
	case "unsigned":
		if code != 1 || !strings.Contains(stderr, "NOT signed") || strings.Contains(stderr, "INVALID") {
			t.Errorf("verify: want unsigned, exit %d: %s", code, stderr)
		}
	default: // error, reject
		if code == 0 || strings.TrimSpace(stderr) == "" || strings.Count(strings.TrimSpace(stderr), "\n") > 0 {
			t.Errorf("verify: want one line of refusal, exit %d: %s", code, stderr)
		}
	}
}

func checkPayload(t *testing.T, v *vector, dir, pack string) {
	for _, scheme := range []string{"spec", "jsonb"} {
		want, err := os.ReadFile(filepath.Join(dir, "payload."+scheme+".bin"))
		if err != nil || strings.HasPrefix(v.Expect.Verify, "either") || v.Expect.Verify == "reject" {
			continue
		}
		if _, got, stderr := amp("payload", "--scheme", scheme, pack); got != string(want) {
			t.Errorf("%s payload differs: %s\ngot  %q\nwant %q", scheme, stderr, got, want)
		}
	}
}

func checkSign(t *testing.T, v *vector, alice []byte, packs map[string]string) {
	keyFile := filepath.Join(t.TempDir(), "alice.key")
	if err := os.WriteFile(keyFile, alice, 0o600); err != nil {
		t.Fatal(err)
	}
	for scheme, want := range v.ByAlice {
		if want == "" || strings.HasPrefix(v.Expect.Verify, "either") || v.Expect.Verify == "reject" {
			continue
		}
		code, _, stderr := amp("sign", packs[scheme], "--scheme", scheme, "--key", keyFile, "--no-embed-key")
		var m struct{ Signature string }
		readJSON(t, filepath.Join(packs[scheme], "manifest.json"), &m)
		if code != 0 || m.Signature != want {
			t.Errorf("sign %s: exit %d, signature %s, want %s: %s", scheme, code, m.Signature, want, stderr)
		}
	}
}

func checkInstall(t *testing.T, v *vector, pack, project string) {
	rules := filepath.Join(project, "CLAUDE.md")
	if err := os.WriteFile(rules, []byte("# Mine\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"install", "--from-path", pack, "--agent", "claude-code"}
	if strings.Contains(v.Expect.Install, "user scope") {
		args = append(args, "--scope", "user")
	}
	code, _, stderr := amp(args...)
	_, statErr := os.Stat(filepath.Join(project, ".amp"))
	text, err := os.ReadFile(rules)
	if err != nil {
		t.Fatal(err)
	}
	switch {
	case v.Expect.Install == "accept":
		if code != 0 || statErr != nil || !bytes.Contains(text, []byte("<!-- amp:begin @local/")) {
			t.Errorf("install: want accepted, exit %d: %s", code, stderr)
		}
	case strings.HasPrefix(v.Expect.Install, "reject"):
		if code == 0 || statErr == nil || string(text) != "# Mine\n" {
			t.Errorf("install: want refused with nothing written, exit %d, CLAUDE.md %q", code, text)
		}
	case v.Expect.Install == "warn-or-reject":
		if stderr == "" {
			t.Error("install: neither a warning nor a refusal")
		}
	}
}
