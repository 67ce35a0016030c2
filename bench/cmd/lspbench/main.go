// Command lspbench drives built language servers over standard input and output
// and prints Markdown tables: how long a keystroke takes to become diagnostics,
// beside rumdl on the same files and edits and yaml-language-server on YAML files
// of the same sizes, in the same run; how long servers take to start and to open a
// file; and what a long session does to memory.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/amp-toolchain/amp/bench/packs"
)

type options struct {
	amp, rumdl, yaml string
	keys             int
	budget           time.Duration
	memoryEdits      int
}

func main() {
	var o options
	flag.StringVar(&o.amp, "amp-lsp", "amp-lsp", "the server")
	flag.StringVar(&o.rumdl, "rumdl", "", "rumdl, run as `rumdl server`; empty leaves its rows out")
	flag.StringVar(&o.yaml, "yaml", "", "yaml-language-server, run with --stdio; empty leaves its rows out")
	flag.IntVar(&o.keys, "keys", 200, "keystrokes for each row")
	flag.DurationVar(&o.budget, "budget", 60*time.Second, "longest time for one row; slow servers get fewer keystrokes")
	flag.IntVar(&o.memoryEdits, "memory-edits", 100_000, "edits of the memory row, 0 leaves it out")
	flag.Parse()
	if err := run(&o); err != nil {
		fmt.Fprintln(os.Stderr, "lspbench:", err)
		os.Exit(1)
	}
}

func run(o *options) error {
	work, err := os.MkdirTemp("", "lspbench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(work)
	if work, err = filepath.EvalSymlinks(work); err != nil {
		return err
	}
	if err := keystrokes(o, work); err != nil {
		return err
	}
	if err := startup(o, work); err != nil {
		return err
	}
	if o.memoryEdits > 0 {
		return session(o, work)
	}
	return nil
}

// sizes are those of the edited file, in bytes.
var sizes = []struct {
	name  string
	bytes int
}{{"10 KB", 10_000}, {"256 KB", 256_000}, {"10 MB", 10_000_000}}

type row struct {
	server, size string
	n            int
	p50, p99     time.Duration
	findings     int
	note         string
}

func keystrokes(o *options, work string) error {
	fmt.Println("One keystroke in the middle of a file, didChange to publishDiagnostics:")
	fmt.Println()
	fmt.Println("| server | file | findings | keystrokes | p50 | p99 | |")
	fmt.Println("|---|---|---|---|---|---|---|")
	p50 := map[string]time.Duration{}
	for _, size := range sizes {
		dir := filepath.Join(work, fmt.Sprint("pack", size.bytes))
		if err := packs.Write(dir, packs.Single(1, size.bytes)); err != nil {
			return err
		}
		file := filepath.Join(dir, "memory", "product-context.md")
		servers := []struct {
			name    string
			command []string
			file    string
		}{{"amp-lsp", []string{o.amp}, file}}
		if o.rumdl != "" {
			servers = append(servers, struct {
				name    string
				command []string
				file    string
			}{"rumdl server", []string{o.rumdl, "server"}, file})
		}
		if o.yaml != "" {
			yaml := filepath.Join(work, fmt.Sprint("yaml", size.bytes), "data.yaml")
			if err := writeYAML(yaml, size.bytes); err != nil {
				return err
			}
			servers = append(servers, struct {
				name    string
				command []string
				file    string
			}{"yaml-language-server", []string{o.yaml, "--stdio"}, yaml})
		}
		for _, s := range servers {
			r, err := typeInto(o, s.command, s.file)
			if err != nil {
				r.note = err.Error()
			}
			if s.name == "amp-lsp" && err != nil {
				return err
			}
			p50[s.name+size.name] = r.p50
			if own := p50["amp-lsp"+size.name]; s.name != "amp-lsp" && r.p50 > 0 {
				r.note = strings.TrimSpace(fmt.Sprintf("%.0fx %s", float64(r.p50)/float64(own), r.note))
			}
			fmt.Printf("| %s | %s | %d | %d | %s | %s | %s |\n", s.name, size.name, r.findings, r.n, show(r.p50), show(r.p99), r.note)
		}
	}
	small, large := p50["amp-lsp"+sizes[0].name], p50["amp-lsp"+sizes[2].name]
	fmt.Printf("\namp-lsp: the p50 at %s is %.1fx that at %s.\n\n", sizes[2].name, float64(large)/float64(small), sizes[0].name)
	return nil
}

// typeInto types letters into a sentence in the middle of a file, and deletes
// them, one at a time.
func typeInto(o *options, command []string, file string) (row, error) {
	var r row
	data, err := os.ReadFile(file)
	if err != nil {
		return r, err
	}
	c, err := start(command)
	if err != nil {
		return r, err
	}
	defer c.stop()
	began := time.Now()
	root := filepath.Dir(file)
	if filepath.Base(root) == "memory" {
		root = filepath.Dir(root)
	}
	if _, err := c.initialize(root, began); err != nil {
		return r, err
	}
	d := &document{c: c, uri: fileURI(file), text: string(data)}
	first, _, err := d.open(o.budget)
	if err != nil {
		return r, err
	}
	r.findings = first.count
	time.Sleep(300 * time.Millisecond) // what opening starts in the background
	c.drain()

	d.place(len(d.text) / 2)
	var took []time.Duration
	for deadline := time.Now().Add(o.budget); len(took) < o.keys && time.Now().Before(deadline); {
		begin, err := d.key(len(took)%2 == 0)
		if err != nil {
			return r, err
		}
		p, err := c.await(d.uri, d.version, o.budget)
		if err != nil {
			return r, err
		}
		took = append(took, p.at.Sub(begin))
		r.findings = p.count
		time.Sleep(time.Millisecond)
	}
	slices.Sort(took)
	r.n, r.p50, r.p99 = len(took), took[len(took)/2], took[len(took)*99/100]
	return r, nil
}

// document is an open document with a cursor.
type document struct {
	c          *client
	uri, text  string
	version    int
	line, char int
	offset     int
}

// open opens the document and waits for its first diagnostics; took is the time
// between, without the making of the message.
func (d *document) open(timeout time.Duration) (p published, took time.Duration, err error) {
	d.version = 1
	language := "markdown"
	if strings.HasSuffix(d.uri, ".yaml") {
		language = "yaml"
	}
	body, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "method": "textDocument/didOpen", "params": map[string]any{
		"textDocument": map[string]any{"uri": d.uri, "languageId": language, "version": 1, "text": d.text},
	}})
	if err != nil {
		return p, 0, err
	}
	begin := time.Now()
	if err := d.c.write(body); err != nil {
		return p, 0, err
	}
	p, err = d.c.await(d.uri, 1, timeout)
	return p, p.at.Sub(begin), err
}

// place puts the cursor behind a letter of the content near an offset. The
// generated texts are ASCII there, so bytes and UTF-16 units agree.
func (d *document) place(near int) {
	at := near
	for at < len(d.text)-1 && !(d.text[at] == '\n' && (d.text[at+1] == '[' || d.text[at+1] == 'k')) {
		at++
	}
	start := at + 1
	end := start + strings.IndexByte(d.text[start:], '\n')
	d.line = strings.Count(d.text[:start], "\n")
	d.char = end - start - 3
	d.offset = start + d.char
}

// key types a letter, or deletes it, and returns when the change was sent.
func (d *document) key(insert bool) (time.Time, error) {
	d.version++
	rng := map[string]any{"start": map[string]int{"line": d.line, "character": d.char}, "end": map[string]int{"line": d.line, "character": d.char}}
	text := "x"
	if !insert {
		rng["end"] = map[string]int{"line": d.line, "character": d.char + 1}
		text = ""
	}
	change := map[string]any{"range": rng, "text": text}
	if d.c.syncAll {
		if insert {
			d.text = d.text[:d.offset] + "x" + d.text[d.offset:]
		} else {
			d.text = d.text[:d.offset] + d.text[d.offset+1:]
		}
		change = map[string]any{"text": d.text}
	}
	params := map[string]any{
		"textDocument": map[string]any{"uri": d.uri, "version": d.version}, "contentChanges": []any{change},
	}
	begin := time.Now()
	return begin, d.c.notify("textDocument/didChange", params)
}

// writeYAML writes a YAML file of about size bytes.
func writeYAML(path string, size int) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var b strings.Builder
	for i := 0; b.Len() < size; i++ {
		fmt.Fprintf(&b, "key%d:\n  title: a plain value of no interest, number %d\n  tags: [one, two, three]\n", i, i)
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

func show(d time.Duration) string {
	switch {
	case d == 0:
		return "–"
	case d < time.Millisecond:
		return fmt.Sprintf("%.2f ms", float64(d)/1e6)
	default:
		return fmt.Sprintf("%.1f ms", float64(d)/1e6)
	}
}

// startup measures how long a server takes to answer initialize, and to open a
// file of 1 MB.
func startup(o *options, work string) error {
	dir := filepath.Join(work, "startup")
	if err := packs.Write(dir, packs.Single(1, 1_000_000)); err != nil {
		return err
	}
	file := filepath.Join(dir, "memory", "product-context.md")
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	fmt.Println("| server | start of the process to initialize | initialize | open 1 MB to first diagnostics |")
	fmt.Println("|---|---|---|---|")
	for _, s := range []struct {
		name    string
		command []string
	}{{"amp-lsp", []string{o.amp}}, {"rumdl server", []string{o.rumdl, "server"}}} {
		if s.command[0] == "" {
			continue
		}
		var starts, inits, opens []time.Duration
		for range 7 {
			took, err := initializeWarm(s.command, dir)
			if err != nil {
				return err
			}
			inits = append(inits, took)
			began := time.Now()
			c, err := start(s.command)
			if err != nil {
				return err
			}
			init, err := c.initialize(dir, began)
			if err != nil {
				return err
			}
			time.Sleep(500 * time.Millisecond) // the client shows its window
			d := &document{c: c, uri: fileURI(file), text: string(data)}
			_, opened, err := d.open(o.budget)
			if err != nil {
				return err
			}
			starts, opens = append(starts, init), append(opens, opened)
			c.stop()
		}
		slices.Sort(starts)
		slices.Sort(inits)
		slices.Sort(opens)
		fmt.Printf("| %s | %s | %s | %s |\n", s.name, show(starts[3]), show(inits[3]), show(opens[3]))
	}
	fmt.Println()
	return nil
}

// initializeWarm measures initialize alone, on a process that is up.
func initializeWarm(command []string, dir string) (time.Duration, error) {
	c, err := start(command)
	if err != nil {
		return 0, err
	}
	defer c.stop()
	time.Sleep(500 * time.Millisecond)
	return c.initialize(dir, time.Now())
}

// session types a long time into a file of 1 MB.
func session(o *options, work string) error {
	dir := filepath.Join(work, "startup")
	file := filepath.Join(dir, "memory", "product-context.md")
	data, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	c, err := start([]string{o.amp})
	if err != nil {
		return err
	}
	defer c.stop()
	if _, err := c.initialize(dir, time.Now()); err != nil {
		return err
	}
	d := &document{c: c, uri: fileURI(file), text: string(data)}
	if _, _, err := d.open(o.budget); err != nil {
		return err
	}
	var early, late int
	lines := strings.Count(d.text, "\n")
	for i := range o.memoryEdits {
		if i%2 == 0 {
			// Another place each time, so that the whole file gets edited.
			d.line = (i * 7919) % lines
			d.char = 0
		}
		if _, err := d.key(i%2 == 0); err != nil {
			return err
		}
		if i%100 == 99 {
			if _, err := c.await(d.uri, d.version, o.budget); err != nil {
				return err
			}
		}
		if i == 999 {
			time.Sleep(time.Second)
			early = c.memory()
		}
	}
	time.Sleep(time.Second)
	late = c.memory()
	fmt.Printf("Memory with a file of 1 MB open: %d MB after 1,000 edits, %d MB after %d (%.2fx).\n", early>>20, late>>20, o.memoryEdits, float64(late)/float64(max(1, early)))
	return nil
}
