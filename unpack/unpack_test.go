package unpack

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/amp-toolchain/amp/internal/fsx"
	"github.com/amp-toolchain/amp/pack"
)

const copyVoice = "packs/ferry/copy-voice.md"

// TestGolden holds whole runs to the bytes in testdata; UPDATE_GOLDEN=1 writes them.
func TestGolden(t *testing.T) {
	names, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(names) < 3 {
		t.Fatalf("%d golden files: %v", len(names), err)
	}
	for _, name := range names {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			in, before := map[string]string{"memory/operating-principles.md": "", "memory/copy-voice.md": ""}, map[string]string{}
			var given []txtar.File
			want := map[string]string{}
			for _, f := range a.Files {
				switch top, rest, _ := strings.Cut(f.Name, "/"); top {
				case "pack":
					in[rest] = string(f.Data)
				case "wiki":
					before[rest] = string(f.Data)
				case "want":
					want[rest] = string(f.Data)
					continue
				}
				given = append(given, f)
			}
			w := newWorld(t, before)
			w.run(Request{Pack: ferry(t, in)})
			got := w.files()
			if os.Getenv("UPDATE_GOLDEN") != "" {
				a.Files = given
				for _, k := range sortedKeys(got) {
					if got[k] != before[k] {
						a.Files = append(a.Files, txtar.File{Name: "want/" + k, Data: []byte(got[k])})
					}
				}
				if err := os.WriteFile(name, txtar.Format(a), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			for k, v := range before {
				if _, ok := want[k]; !ok {
					want[k] = v
				}
			}
			if d := differ(want, got); d != "" {
				t.Error(d)
			}
			w.takeOut("ferry")
			if d := differ(before, w.files()); d != "" {
				t.Errorf("taken out again, the wiki is not what it was:\n%s", d)
			}
		})
	}
}

func sortedKeys(m map[string]string) (out []string) {
	for k := range m {
		out = append(out, k)
	}
	for i := range out {
		for j := i; j > 0 && out[j] < out[j-1]; j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func TestSecondRunWritesNothing(t *testing.T) {
	w := newWorld(t, map[string]string{"index.md": "# Mine\r\n\r\nno end", "signs.md": "# Signs\n"})
	if p := w.run(Request{}); !p.Changes() || len(p.Links) != 1 {
		t.Fatalf("%+v", p)
	}
	before := w.state()
	time.Sleep(5 * time.Millisecond) // times of change would show it
	p := w.run(Request{})
	if p.Changes() {
		t.Errorf("changes are planned: %+v", p)
	}
	if d := differ(before, w.state()); d != "" {
		t.Error(d)
	}
}

// Where nothing was edited, taking a pack out gives back every byte, whatever the
// pages end with.
func TestRemovalGivesBackTheBytes(t *testing.T) {
	for i, end := range []string{"", "\n", "\n\n", "\r\n", "\r\n\r\n", "\r", "   ", "\n   ", "\n## Packs", "\n## Packs\n", "\n## Packs\n\n- [[other]]\n\n## More\ntext\n", "\n## See also\n- [[x]]", "\r\n## see also ##\r\n\r\nwords\r\n"} {
		for _, start := range []string{"# Mine", "\ufeff# Mine", "\ufeff", "", "---\ntitle: x\n---\n# Mine", "# Mine\r\n\r\nwords", "# Mine\rwords", "# Mine\rwords\r\n", "# Mine\nwords\r"} {
			files := map[string]string{"index.md": start + end, "signs.md": start + end, "deep/harbour-notices.md": start + end}
			w := newWorld(t, files)
			before := w.files()
			w.run(Request{})
			if d := differ(before, w.files()); !strings.Contains(d, "signs.md") || !strings.Contains(d, "index.md") {
				t.Fatalf("%d %q: nothing was linked: %s", i, start+end, d)
			}
			for name, text := range files {
				// A page without a final line break stays one.
				if now := w.read(name); text != "" && text != "\ufeff" && strings.ContainsAny(text[len(text)-1:], "\r\n") != strings.ContainsAny(now[len(now)-1:], "\r\n") {
					t.Errorf("%q: the final line break of %s changed: %q", text, name, now)
				}
			}
			w.run(Request{Slug: "barge"})
			w.takeOut("ferry")
			w.takeOut("barge")
			if d := differ(before, w.files()); d != "" {
				t.Errorf("%q: %s", start+end, d)
			}
		}
	}
}

func TestUpdateReplacesOnlyWhatStandsBetweenTheMarkers(t *testing.T) {
	w := newWorld(t, nil)
	w.run(Request{})
	mine := strings.ReplaceAll(w.read(copyVoice), "\n", "\r\n")
	mine = "\ufeff" + strings.Replace(mine, startMark, "my words above\r\n"+startMark, 1) + "\r\nmy notes, no end"
	w.write(copyVoice, mine)
	head, rest, _ := strings.Cut(mine, startMark)
	_, tail, _ := strings.Cut(rest, endMark)
	other := w.state()["packs/ferry/operating-principles.md"]
	p := w.run(Request{Pack: ferry(t, map[string]string{"memory/copy-voice.md": fmt.Sprintf(front, "signs") + "[directive may] In signs, always say where.\n"})})
	if actions(p)[copyVoice] != Replace || p.Pages[0].Lines == 0 {
		t.Errorf("%+v", p.Pages)
	}
	got := w.read(copyVoice)
	_, gotRest, _ := strings.Cut(got, "\n")
	_, headRest, _ := strings.Cut(head, "\n")
	if !strings.HasPrefix(gotRest, headRest+startMark+"\r\n# signs\r\n") || !strings.HasSuffix(got, endMark+tail) || !strings.HasPrefix(got, "\ufeff<!-- amp-unpack: ferry copy-voice.md sha256:") {
		t.Errorf("got %q", got)
	}
	if strings.Contains(got, "six words") || !strings.Contains(got, "always say where") || strings.Count(got, "\n") != strings.Count(got, "\r\n") {
		t.Errorf("got %q", got)
	}
	if w.state()["packs/ferry/operating-principles.md"] != other {
		t.Error("a page whose file did not change was written")
	}
}

func TestNewTitlesAndRoutesReachPagesThatNobodyEdited(t *testing.T) {
	w := newWorld(t, nil)
	w.run(Request{})
	edited := strings.Replace(w.read(copyVoice), "six words", "seven words", 1)
	w.write(copyVoice, edited)
	p := w.run(Request{Pack: ferry(t, map[string]string{
		"manifest.json": `{"name": "ferry", "title": "Harbour", "version": "4", "primitive_format": "inline-tag-v0.4"}`,
	})})
	const principles = "packs/ferry/operating-principles.md"
	if got := actions(p); got[copyVoice] != Unchanged || got[principles] != Replace || w.read(copyVoice) != edited {
		t.Errorf("%v", got)
	}
	if s := w.read(principles); !strings.Contains(s, "From the pack **Harbour**, version 4. Always loaded") {
		t.Error(s)
	}
	if s := w.read("index.md"); !strings.Contains(s, "|Harbour]]") {
		t.Error(s)
	}
	// A version alone is no change of the text that came with an earlier one.
	for _, version := range []string{`"5"`, `{"number": 12}`, `"1.0. x"`, "null"} {
		p := w.plan(Request{Pack: ferry(t, map[string]string{
			"manifest.json": `{"name": "ferry", "title": "Harbour", "version": ` + version + `, "primitive_format": "inline-tag-v0.4"}`,
		})})
		if changes := p.Changes(); changes != strings.Contains(version, ". ") {
			t.Errorf("version %s: changes %v, %v", version, changes, actions(p))
		}
	}
}

func TestPagesWithBrokenMarkersAreErrorsOfTheirOwn(t *testing.T) {
	for name, breakIt := range map[string]func(string) string{
		"no start":    func(s string) string { return strings.Replace(s, startMark+"\n", "", 1) },
		"no end":      func(s string) string { return strings.Replace(s, endMark+"\n", "", 1) },
		"two starts":  func(s string) string { return strings.Replace(s, startMark, startMark+"\n"+startMark, 1) },
		"two ends":    func(s string) string { return s + endMark + "\n" },
		"wrong order": func(s string) string { return strings.NewReplacer(startMark, endMark, endMark, startMark).Replace(s) },
	} {
		w := newWorld(t, nil)
		w.run(Request{})
		broken := breakIt(w.read(copyVoice))
		w.write(copyVoice, broken)
		p := w.run(Request{Pack: ferry(t, map[string]string{
			"memory/copy-voice.md":           "[claim] The sign is red.\n",
			"memory/operating-principles.md": "[claim] The ferry is blue.\n",
		})})
		if actions(p)[copyVoice] != Failed || p.Failures() != 1 || !strings.Contains(p.Pages[0].Note, "line ") {
			t.Errorf("%s: %+v", name, p.Pages)
		}
		if w.read(copyVoice) != broken {
			t.Errorf("%s: the page was changed", name)
		}
		if !strings.Contains(w.read("packs/ferry/operating-principles.md"), "ferry is blue") {
			t.Errorf("%s: the other page was not updated", name)
		}
	}
}

func TestPagesOfTheUserAreNotTouched(t *testing.T) {
	for _, text := range []string{"# Mine\n", "", "<!-- amp-unpack: other copy-voice.md sha256:" + strings.Repeat("a", 64) + " -->\n" + startMark + "\n" + endMark + "\n", " <!-- amp-unpack: ferry copy-voice.md sha256:" + strings.Repeat("a", 64) + " -->\n"} {
		w := newWorld(t, map[string]string{copyVoice: text})
		p := w.run(Request{})
		if actions(p)[copyVoice] != Skipped || w.read(copyVoice) != text {
			t.Errorf("%q: %+v, now %q", text, p.Pages, w.read(copyVoice))
		}
		w.takeOut("ferry")
		if w.read(copyVoice) != text {
			t.Errorf("%q: removal changed it", text)
		}
	}
}

func TestPagesOfRemovedFilesGoOnlyWhenAskedAndUnedited(t *testing.T) {
	w := newWorld(t, map[string]string{"index.md": "# Mine\n", "signs.md": "# Signs\n"})
	w.run(Request{})
	gone := ferry(t, map[string]string{"memory/copy-voice.md": ""})
	if p := w.run(Request{Pack: gone}); actions(p)[copyVoice] != Stale || p.Changes() {
		t.Errorf("%+v", p)
	}
	page := w.read(copyVoice)
	w.write(copyVoice, page+"my notes\n")
	if p := w.run(Request{Pack: gone, Prune: true}); actions(p)[copyVoice] != Kept || !strings.Contains(w.read("signs.md"), "[[packs/ferry/copy-voice]]") {
		t.Errorf("%+v", p)
	}
	w.write(copyVoice, page)
	if p := w.run(Request{Pack: gone, Prune: true}); actions(p)[copyVoice] != Removed || len(p.Cleared) != 1 {
		t.Errorf("%+v", p)
	}
	if w.read("signs.md") != "# Signs\n" {
		t.Errorf("signs.md is %q", w.read("signs.md"))
	}
	if _, err := os.Stat(filepath.Join(w.dir, copyVoice)); err == nil {
		t.Error("the page is still there")
	}
}

func TestRemovalKeepsPagesWithNotes(t *testing.T) {
	w := newWorld(t, nil)
	w.run(Request{})
	w.write(copyVoice, w.read(copyVoice)+"mine\n")
	want := w.read(copyVoice)
	if p := w.takeOut("ferry"); actions(p)[copyVoice] != Kept {
		t.Errorf("%+v", p.Pages)
	}
	if got := w.files(); len(got) != 1 || got[copyVoice] != want {
		t.Errorf("left: %v", got)
	}
}

func TestLinksAreThoseAskedForAndThoseFoundByTheirWords(t *testing.T) {
	w := newWorld(t, map[string]string{
		"index.md": "# Signs\n", "signs.md": "# About\n", "b/harbour_notices.md": "", "c.md": "# The Harbour Log\n",
		"d.md": "# Signs and more\n", "e.md": "```\n# Signs\n```\n", "f.md": "Signs are here\n", "packs/x/signs.md": "# Signs\n", ".h/signs.md": "",
	})
	p := w.run(Request{Links: []Link{{Page: "d", File: "copy-voice"}, {Page: "none", File: "copy-voice.md"}, {Page: "d.md", File: "nothing.md"}, {Page: "d.md", File: "copy-voice.md"}}})
	var got []string
	for _, l := range p.Links {
		got = append(got, l.Page+" "+l.File+" "+l.Action)
	}
	want := []string{"d.md copy-voice.md add", "none.md copy-voice.md skip", "d.md nothing.md skip", "b/harbour_notices.md copy-voice.md add", "c.md copy-voice.md add", "signs.md copy-voice.md add"}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("links %q, want %q", got, want)
	}
	if s := w.read("d.md"); s != "# Signs and more\n\n## See also\n<!-- amp-unpack:section 1 -->\n- [[packs/ferry/copy-voice]] <!-- amp-unpack: ferry -->\n" {
		t.Errorf("d.md is %q", s)
	}
}

func TestAtMostFivePagesLinkToAFile(t *testing.T) {
	files := map[string]string{}
	for i := range 7 {
		files[fmt.Sprintf("m%d/signs.md", i)] = "text\n"
	}
	w := newWorld(t, files)
	w.run(Request{})
	w.write("a/signs.md", "earlier in the order\n")
	p := w.run(Request{Links: []Link{{Page: "m6/signs.md", File: "copy-voice.md"}}})
	n := 0
	for _, text := range w.files() {
		n += strings.Count(text, "- [[packs/ferry/copy-voice]]")
	}
	if n != MaxLinks || p.Changes() {
		t.Errorf("%d links, want %d; %+v", n, MaxLinks, p.Links)
	}
}

func TestSkippedFilesAreNamedAndNotWritten(t *testing.T) {
	w := newWorld(t, nil)
	p := w.run(Request{Skip: map[string]string{"memory/operating-principles.md": "line 8 holds a credential"}})
	if got := actions(p)["packs/ferry/operating-principles.md"]; got != Skipped {
		t.Errorf("action %q", got)
	}
	if s := w.read("index.md"); !strings.Contains(s, "[[packs/ferry/copy-voice|") {
		t.Errorf("the index links to a page that is not there: %q", s)
	}
	// All left out: nothing to index.
	w = newWorld(t, nil)
	p = w.plan(Request{Skip: map[string]string{"memory/operating-principles.md": "x", "memory/copy-voice.md": "x"}})
	if p.Changes() {
		t.Errorf("%+v", p)
	}
}

func TestPagesThatCouldNotBeReadAgainAreNotMade(t *testing.T) {
	w := newWorld(t, nil)
	big := "[claim] The ferry is " + strings.Repeat("very ", MaxPage/5) + "blue.\n"
	req := Request{Pack: ferry(t, map[string]string{"memory/copy-voice.md": big})}
	if p := w.run(req); actions(p)[copyVoice] != Skipped || !strings.Contains(p.Pages[0].Note, "larger") {
		t.Errorf("%+v", p.Pages)
	}
	if w.plan(req).Changes() {
		t.Error("the second run changes something")
	}
}

func TestWithheldTextsOfThePackAreNotQuoted(t *testing.T) {
	w := newWorld(t, nil)
	w.run(Request{Withhold: true})
	for name, text := range w.files() {
		for _, part := range []string{"ferry desk", "version 3", "first things first", "Signs and notices"} {
			if strings.Contains(text, part) {
				t.Errorf("%s holds %q", name, part)
			}
		}
	}
}

func TestLinksInTheWikiAreNotFollowed(t *testing.T) {
	outside := t.TempDir()
	for _, name := range []string{"packs", "packs/ferry", "packs/ferry/copy-voice.md", "index.md", "signs.md"} {
		for _, target := range []string{outside, filepath.Join(outside, "f"), "real", "real/f"} {
			w := newWorld(t, map[string]string{"real/f": "inside"})
			if err := os.WriteFile(filepath.Join(outside, "f"), []byte("outside"), 0o644); err != nil {
				t.Fatal(err)
			}
			p := filepath.Join(w.dir, name)
			if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(target, p); err != nil {
				t.Skipf("no symbolic links here: %v", err)
			}
			plan, err := New(w.root, Request{Slug: "ferry", Pack: ferry(t, nil), Links: []Link{{Page: "signs.md", File: "copy-voice.md"}}})
			if err == nil {
				_, err = plan.Apply(w.root)
			}
			if err == nil && plan.Failures() == 0 && name != "signs.md" {
				t.Errorf("%s -> %s went unnoticed", name, target)
			}
			for f, want := range map[string]string{filepath.Join(outside, "f"): "outside", filepath.Join(w.dir, "real/f"): "inside"} {
				if data, _ := os.ReadFile(f); string(data) != want {
					t.Errorf("%s -> %s: %s was written", name, target, f)
				}
			}
			for _, dir := range []string{outside, filepath.Join(w.dir, "real")} {
				if entries, _ := os.ReadDir(dir); len(entries) != 1 {
					t.Errorf("%s -> %s: %d entries in %s", name, target, len(entries), dir)
				}
			}
		}
	}
}

func TestV03PacksAreRead(t *testing.T) {
	w := newWorld(t, nil)
	w.run(Request{Pack: ferry(t, map[string]string{
		"manifest.json":                  `{"name": "ferry", "layout": "semantic-cluster", "agents_file": "agents.md", "capability_files": ["operating-principles.md"]}`,
		"memory/copy-voice.md":           "",
		"memory/operating-principles.md": "---\ntype: cluster\napplies_to: all\n---\n\n---\ntype: directive\nforce: must\nscope: org\nstability: permanent\n---\nIn signs, never shout.\n# not a heading\n\n**Why:** People stop reading.\n\n---\ntype: demo\nvalence: negative\n---\nHALT!\n```\nSTOP\n```\n",
	})})
	got := w.read("packs/ferry/operating-principles.md")
	for _, part := range []string{
		"# all\n", "From the pack **ferry**. Always loaded: first things first.\n",
		"- **must** In signs, never shout.\n  \\# not a heading *(org)* — People stop reading.\n",
		"### Example (negative)\n\n  ````text\n  HALT!\n  ```\n  STOP\n  ```\n  ````\n",
	} {
		if !strings.Contains(got, part) {
			t.Errorf("no %q in %s", part, got)
		}
	}
}

func TestUnknownFormatsAreRefused(t *testing.T) {
	p := ferry(t, map[string]string{"manifest.json": `{"name": "ferry", "primitive_format": "inline-tag-v9"}`})
	if _, err := New(newWorld(t, nil).root, Request{Slug: "ferry", Pack: p}); !errors.Is(err, ErrFormat) {
		t.Errorf("error %v", err)
	}
	if p.Format != pack.FormatOther {
		t.Error("not the format that is meant")
	}
}

// TestKilledAnywhere kills runs before each change of the disk. What is left has no
// link without its page, nothing of the user's is lost, and the next run ends where
// an undisturbed one does.
func TestKilledAnywhere(t *testing.T) {
	mine := map[string]string{"index.md": "# Mine\r\n\r\nno end", "signs.md": "# Signs\n", "harbour-log.md": "words"}
	newer := func() *pack.Pack {
		return ferry(t, map[string]string{"memory/copy-voice.md": "", "memory/signs.md": fmt.Sprintf(front, "signs") + "[claim] The sign is red.\n", "memory/operating-principles.md": "[claim] The ferry is blue.\n"})
	}
	acts := []struct {
		name  string
		setup func(*world)
		run   func(*world) error
	}{
		{"first run", func(*world) {}, func(w *world) error { return w.try(Request{}) }},
		{"update", func(w *world) { w.run(Request{}) }, func(w *world) error { return w.try(Request{Pack: newer(), Prune: true}) }},
		{"removal", func(w *world) { w.run(Request{}) }, func(w *world) error {
			p, err := Removal(w.root, "ferry")
			if err == nil {
				_, err = p.Apply(w.root)
			}
			return err
		}},
	}
	total := 0
	for _, a := range acts {
		w := newWorld(t, mine)
		a.setup(w)
		if err := a.run(w); err != nil {
			t.Fatal(err)
		}
		after := w.files()
		for k := 1; ; k++ {
			w := newWorld(t, mine)
			a.setup(w)
			n := 0
			remove := fsx.SetGate(func(fsx.Op) error {
				if n++; n >= k {
					return errKilled
				}
				return nil
			})
			err := a.run(w)
			remove()
			if n < k {
				if err != nil {
					t.Fatal(err)
				}
				break
			}
			total++
			w.checkLinks(fmt.Sprintf("%s, killed at %d", a.name, k))
			for name, text := range mine {
				if !strings.HasPrefix(w.read(name), text) {
					t.Fatalf("%s, killed at %d: %s is %q", a.name, k, name, w.read(name))
				}
			}
			if err := a.run(w); err != nil {
				t.Fatalf("%s, killed at %d: the next run fails: %v", a.name, k, err)
			}
			if d := differ(after, w.files()); d != "" {
				t.Fatalf("%s, killed at %d: the next run ends elsewhere:\n%s", a.name, k, d)
			}
		}
	}
	if total < 60 {
		t.Errorf("only %d kill points, the gate is not passed", total)
	}
	t.Logf("%d kill points", total)
}

var errKilled = errors.New("killed")

func (w *world) try(req Request) error {
	req.Slug = "ferry"
	if req.Pack == nil {
		req.Pack = ferry(w.t, nil)
	}
	p, err := New(w.root, req)
	if err == nil {
		_, err = p.Apply(w.root)
	}
	return err
}

// checkLinks demands a page for every link of ours.
func (w *world) checkLinks(when string) {
	w.t.Helper()
	files := w.files()
	for name, text := range files {
		lines, _ := split(text)
		for _, l := range lines {
			if it, ok := l.item(); ok {
				if _, exists := files["packs/"+it.slug+"/"+it.stem+".md"]; !exists {
					w.t.Fatalf("%s: %s links to %v, which is not there", when, name, it)
				}
			}
		}
	}
}

func TestPagesThatChangeMeanwhileAreNotOverwritten(t *testing.T) {
	w := newWorld(t, map[string]string{"index.md": "# Mine\n"})
	p := w.plan(Request{})
	w.write("index.md", "# Mine, and more\n")
	if _, err := p.Apply(w.root); !errors.Is(err, fsx.ErrChanged) || !strings.Contains(err.Error(), "index.md") {
		t.Errorf("error %v", err)
	}
	if s := w.read("index.md"); s != "# Mine, and more\n" {
		t.Errorf("index.md is %q", s)
	}
}

func TestTakingLinesOutLosesNoEmptyLineBetweenMixedBreaks(t *testing.T) {
	mine := func(it item) bool { return it.slug == "ferry" }
	ours := "- [[packs/ferry/copy-voice|x]] " + lineMark("ferry")
	for _, c := range [][2]string{
		{"a\r" + ours + "\n\nb", "a\r\n\nb"},
		{"a\r" + ours + "\n\r\nb", "a\r\r\nb"},
		{"a\r" + ours + "\rb", "a\rb"},
		{"a\r\n" + ours + "\r\n\nb", "a\r\n\nb"},
		{ours + "\n\nb", "\nb"},
	} {
		if got := drop(c[0], mine); got != c[1] {
			t.Errorf("%q became %q, want %q", c[0], got, c[1])
		}
	}
}

// randomFolders makes some of the folders that filing also makes, empty ones too, and
// pages of the user's.
func (w *world) randomFolders(rnd *rand.Rand) {
	for _, d := range []string{"packs", "packs/ferry", "packs/barge", "packs/mine", "notes"} {
		if rnd.IntN(3) == 0 {
			if err := os.MkdirAll(filepath.Join(w.dir, d), 0o755); err != nil {
				w.t.Fatal(err)
			}
		}
	}
	for name, text := range map[string]string{"index.md": "# Mine\r\nno end", "packs/mine/a.md": "a", "packs/ferry/mine.md": "b", "harbour-log.md": "words\n"} {
		if rnd.IntN(4) == 0 {
			w.write(name, text)
		}
	}
}

// TestTakingPacksOutGivesBackTheVeryTree files packs and takes them out in any order,
// in wikis with any folders.
func TestTakingPacksOutGivesBackTheVeryTree(t *testing.T) {
	withoutTimes := func(m map[string]string) map[string]string {
		for k, v := range m {
			m[k], _, _ = strings.Cut(v, "\x00")
		}
		return m
	}
	for seed := range uint64(50) {
		rnd := rand.New(rand.NewPCG(seed, 1))
		w := newWorld(t, nil)
		w.randomFolders(rnd)
		before := withoutTimes(w.state())
		in := map[string]bool{}
		var order []string
		for len(order) < 8 {
			slug := []string{"ferry", "barge", "mine"}[rnd.IntN(3)]
			if in[slug] && rnd.IntN(2) == 0 {
				order = append(order, "-"+slug)
				w.takeOut(slug)
				in[slug] = false
			} else {
				order = append(order, slug)
				w.run(Request{Slug: slug})
				in[slug] = true
			}
		}
		for slug, is := range in {
			if is {
				order = append(order, "-"+slug)
				w.takeOut(slug)
			}
		}
		if d := differ(before, withoutTimes(w.state())); d != "" {
			t.Fatalf("seed %d, %q:\n%s", seed, order, d)
		}
	}
}

// Killed anywhere and taken out, nothing of amp stays and nothing of the user's goes.
func TestAKilledRunLeavesNoFolders(t *testing.T) {
	points := 0
	for _, own := range []string{"", "packs", "packs/ferry"} {
		for k := 1; ; k++ {
			w := newWorld(t, map[string]string{"index.md": "# Mine\n"})
			if err := os.MkdirAll(filepath.Join(w.dir, own), 0o755); err != nil {
				t.Fatal(err)
			}
			before := w.state()
			delete(before, "index.md")
			n := 0
			remove := fsx.SetGate(func(fsx.Op) error {
				if n++; n >= k {
					return errKilled
				}
				return nil
			})
			_ = w.try(Request{})
			remove()
			if n < k {
				break
			}
			points++
			w.run(Request{})
			w.takeOut("ferry")
			after := w.state()
			delete(after, "index.md")
			if d := differ(before, after); d != "" {
				t.Fatalf("with %q, killed at %d:\n%s", own, k, d)
			}
		}
	}
	if points < 60 {
		t.Errorf("only %d kill points", points)
	}
}

func TestASecondNameOfAPageIsTold(t *testing.T) {
	w := newWorld(t, map[string]string{"index.md": "# Mine\n"})
	if err := os.Link(filepath.Join(w.dir, "index.md"), filepath.Join(w.dir, "other.md")); err != nil {
		t.Skipf("the file system has no hard links: %v", err)
	}
	p := w.plan(Request{})
	if all := strings.Join(p.Notes, "\n"); !strings.Contains(all, "index.md: it has other names (hard links)") {
		t.Errorf("notes %q", all)
	}
}
