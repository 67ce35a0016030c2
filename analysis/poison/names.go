package poison

import (
	"slices"
	"strings"
)

// keyLen letters are what [stemWord] leaves of every form of a word: "copies"
// and "copy" share three.
const keyLen = 3

// keySet holds the first letters of the words of names.
type keySet struct {
	bits [1 << 11]uint32
	n    int
}

func keyHash(s string) uint32 {
	h := uint32(2166136261)
	for i := 0; i < len(s) && i < keyLen; i++ {
		f := fold[s[i]]
		if s[i] >= 0x80 {
			f = s[i]
		}
		h = (h ^ uint32(f)) * 16777619
	}
	return h ^ h>>16
}

// addName enters the longest word of a name, and of what it is called exactly:
// nothing can use the name without them.
func (k *keySet) addName(d *definition) {
	k.add(d.words...)
	if d.exact != "" {
		k.add(d.exact)
	}
}

func (k *keySet) add(words ...string) {
	best, plain := "", ""
	for _, w := range words {
		for p := range strings.FieldsFuncSeq(w, func(r rune) bool { return r < 0x80 && fold[byte(r)] == 0 }) {
			if len(p) > len(best) && !everyday.has(p) {
				best = p
			}
			if len(p) > len(plain) {
				plain = p
			}
		}
	}
	if best == "" {
		best = plain
	}
	if best == "" {
		return
	}
	h := keyHash(best)
	k.bits[h>>5&(1<<11-1)] |= 1 << (h & 31)
	k.n++
}

// in reports whether a text has a word that starts like one of the names.
func (k *keySet) in(s string) bool {
	if k.n == 0 {
		return false
	}
	for i := 0; i < len(s); {
		for i < len(s) && fold[s[i]] == 0 && s[i] < 0x80 {
			i++
		}
		w := i
		for i < len(s) && (fold[s[i]] != 0 || s[i] >= 0x80) {
			i++
		}
		if i > w {
			if h := keyHash(s[w:i]); k.bits[h>>5&(1<<11-1)]&(1<<(h&31)) != 0 {
				return true
			}
		}
	}
	return false
}

// mention is a use of a definition's name in an acting unit.
type mention struct {
	def        int
	start, end int // bytes of the name in the unit
	at         int // token
}

// mentions finds the definitions whose names the unit uses.
func (p *pool) mentions(u *Unit, r *reader) []mention {
	if len(p.bySlot) == 0 && !p.names.in(u.Text) {
		return nil
	}
	if len(p.stamps) < len(p.defs) {
		p.stamps = append(p.stamps, make([]int, len(p.defs)-len(p.stamps))...)
	}
	p.stamp++
	var ids []int
	for i := range r.toks {
		t := &r.toks[i]
		if t.kind == punct {
			continue
		}
		bare := t.text
		if t.kind == variable {
			bare = strings.Trim(t.text, "${}<>")
		}
		stem := stemWord(bare)
		for k, key := range [...]string{bare, stem, t.text, bare, stem} {
			list := p.byWord[key]
			if k > 2 {
				if t.kind != variable {
					break
				}
				list = p.bySlot[key]
			}
			for _, d := range list {
				if p.stamps[d] != p.stamp {
					p.stamps[d] = p.stamp
					ids = append(ids, d)
				}
			}
		}
	}
	var out []mention
	slices.Sort(ids)
	if len(ids) > maxMentions {
		ids = p.complete(r, ids)
	}
	if len(ids) > maxMentions {
		p.limit(u, 0, len(u.Text), "one order uses more names than the analysis follows")
		ids = ids[:maxMentions]
	}
	for _, d := range ids {
		def := &p.defs[d]
		if def.unit == u || def.unit.Kind == u.Kind && def.unit.Offset == u.Offset && def.unit.File == u.File && def.unit.Pack == u.Pack {
			continue
		}
		for from := 0; from < len(r.toks); {
			m, ok := findNameFrom(r, def, from)
			if !ok {
				break
			}
			m.def = d
			out = append(out, m)
			for from < len(r.toks) && r.toks[from].start < m.end {
				from++
			}
		}
	}
	slices.SortFunc(out, func(a, b mention) int {
		if a.start != b.start {
			return a.start - b.start
		}
		return a.def - b.def
	})
	return out
}

// complete keeps the definitions all of whose words the unit uses: of many that
// share one word, few do.
func (p *pool) complete(r *reader, ids []int) []int {
	has := map[string]bool{}
	for i := range r.toks {
		has[stemWord(strings.Trim(r.toks[i].text, "${}<>"))] = true
	}
	return slices.DeleteFunc(ids, func(id int) bool {
		d := &p.defs[id]
		return !d.path && d.exact == "" && slices.ContainsFunc(d.words, func(w string) bool { return !has[w] })
	})
}

// ordinalRefs resolves "the second source listed in content-strategy.md", "the
// first rule of copy-voice.md".
func (p *pool) ordinalRefs(u *Unit, r *reader) []mention {
	var out []mention
	for i := 0; i+1 < len(r.toks); i++ {
		n, ok := ordinals[r.toks[i].text]
		if !ok || r.toks[i].text == "a" || r.toks[i].text == "i" {
			continue
		}
		kind := refNouns[stemWord(r.toks[i+1].text)]
		if kind == 0 {
			continue
		}
		file, end := "", i+1
		for j := i + 2; j < min(len(r.toks), i+10); j++ {
			if r.toks[j].kind == fileName {
				file, end = r.toks[j].text, j
				break
			}
		}
		k := 0
		var last, hit *Unit
		for _, s := range p.units {
			if s == u || file != "" && lowerASCII(s.File[strings.LastIndexByte(s.File, '/')+1:]) != file {
				continue
			}
			switch kind {
			case 1:
				if s.Kind != Legend {
					continue
				}
				// The url belongs to the title before it.
				if strings.Contains(s.Text, "://") && last != nil {
					if k == n {
						hit = s
					}
					continue
				}
			case 2:
				if s.Kind != Content && s.Kind != DemoBody {
					continue
				}
			case 3:
				if s.Kind != DemoBody && s.Type != "demonstration" {
					continue
				}
			}
			k++
			last = s
			if k == n || n >= 90 {
				hit = s
			}
		}
		if hit == nil {
			continue
		}
		p.defs = append(p.defs, definition{unit: hit, value: strings.TrimSpace(hit.Text), literal: strings.TrimSpace(hit.Text), end: len(hit.Text), path: true, thing: substance(hit, hit.Text)})
		out = append(out, mention{def: len(p.defs) - 1, start: r.toks[i].start, end: r.toks[end].end, at: i})
	}
	return out
}

var refNouns = map[string]int{"sourc": 1, "source": 1, "entry": 1, "legend": 1, "rul": 2, "rule": 2, "claim": 2, "fact": 2, "directiv": 2, "directive": 2, "line": 2, "item": 2, "note": 2, "exampl": 3, "example": 3, "demo": 3, "demonstration": 3, "sampl": 3, "sample": 3}

// findName finds the name of a definition in r: the exact name, or all its
// words close to each other.
func findName(r *reader, d *definition) (mention, bool) { return findNameFrom(r, d, 0) }

func findNameFrom(r *reader, d *definition, from int) (mention, bool) {
	if d.exact != "" && (d.path || !strings.Contains(d.exact, " ")) {
		for i := from; i < len(r.toks); i++ {
			t := strings.Trim(r.toks[i].text, "${}<>`'\" ")
			if t == d.exact || d.path && strings.HasSuffix(t, "/"+d.exact) {
				return mention{start: r.toks[i].start, end: r.toks[i].end, at: i}, true
			}
		}
	}
	if d.path || len(d.words) == 0 {
		return mention{}, false
	}
	if len(d.words) == 1 {
		// A slot of a template may have any name.
		for i := from; i < len(r.toks); i++ {
			if t := &r.toks[i]; t.kind == variable && stemWord(strings.Trim(t.text, "${}<> ")) == d.words[0] {
				return mention{start: t.start, end: t.end, at: i}, true
			}
		}
	}
	// Words of a single-word name must not be everyday words.
	if len(d.words) == 1 && d.exact == "" && (len(d.words[0]) < 3 || everyday.has(d.words[0])) {
		return mention{}, false
	}
	best := mention{start: -1}
	for i := from; i < len(r.toks); i++ {
		if stemWord(r.toks[i].text) != d.words[0] && !contains(d.words, stemWord(r.toks[i].text)) {
			continue
		}
		left := len(d.words)
		seen := map[string]bool{}
		first, last := i, i
		for j := i; j < min(len(r.toks), i+2*len(d.words)+6); j++ {
			t := &r.toks[j]
			if t.kind == punct && (t.text == "." || t.text == ";") {
				break
			}
			w := stemWord(t.text)
			if contains(d.words, w) && !seen[w] {
				seen[w] = true
				left--
				last = j
			}
			if left == 0 {
				break
			}
		}
		distinct := map[string]bool{}
		for _, w := range d.words {
			distinct[w] = true
		}
		if len(seen) == len(distinct) {
			// The first place, as tight as it can be read there.
			if best.start >= 0 && r.toks[first].start > best.end {
				break
			}
			if best.start < 0 || last-first < r.tokDistance(best) {
				best = mention{start: r.toks[first].start, end: r.toks[last].end, at: first}
			}
		}
	}
	return best, best.start >= 0
}

func (r *reader) tokDistance(m mention) int {
	n := 0
	for i := range r.toks {
		if r.toks[i].start >= m.start && r.toks[i].end <= m.end {
			n++
		}
	}
	return n - 1
}

func contains(list []string, w string) bool { return slices.Contains(list, w) }

// everyday words are no names by themselves.
var everyday = set("plan", "team", "user", "file", "task", "app", "rule", "page", "product", "goal", "list", "step", "test", "project", "agent", "code", "work", "time", "day", "week", "price", "customer", "pack", "system", "build", "release", "branch", "draft", "post", "email", "mail", "tool", "data", "line", "voice", "tone", "copy", "brand", "word", "note", "report", "answer", "question", "session", "number", "result", "it", "they", "we", "he", "she", "that", "this", "one", "style", "format", "review", "commit", "change", "issue", "ticket", "version", "api", "url", "link", "company", "office")
