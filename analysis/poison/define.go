package poison

import (
	"strings"
	"unicode/utf8"
)

// definition gives a name to a text: "the lighthouse is https://…".
type definition struct {
	unit  *Unit
	words []string // stems of the content words of the name
	// exact is a quoted name, an identifier or a path, "" when the words alone
	// must match.
	exact string
	value string
	// literal is what the value spells: its quoted part, or the value itself.
	literal    string
	start, end int // the value in the unit
	index      int // place in a series, 0 for none
	path       bool
	thing      bool // see substance
}

var stopWords = set("the", "a", "an", "of", "our", "this", "that", "in", "for", "to", "on", "at", "by", "is", "are", "was", "and", "or", "its", "it", "their", "your", "my", "we", "with", "as", "from", "value", "name", "word", "text", "called", "all", "each", "every", "always", "when", "never", "prefer", "also", "thus", "however", "hence", "therefore", "otherwise", "currently", "be", "has", "have", "been", "used", "any", "no", "not", "so", "then", "there", "der", "die", "das", "den", "dem", "des", "ein", "eine", "einen", "el", "la", "los", "las", "un", "una", "le", "les", "une", "du", "il", "lo", "gli", "i", "de", "het", "een", "o", "os", "as", "um", "uma", "am", "im", "al", "del", "zum", "zur")

var ordinals = map[string]int{
	"first": 1, "one": 1, "1": 1, "1st": 1, "a": 1, "i": 1, "opening": 1, "left": 1, "head": 1, "beginning": 1, "start": 1, "top": 1, "initial": 1, "prefix": 1, "front": 1, "upper": 1, "north": 1, "alpha": 1,
	"second": 2, "two": 2, "2": 2, "2nd": 2, "b": 2, "ii": 2, "middle": 2, "centre": 2, "center": 2, "next": 2, "east": 2, "beta": 2,
	"third": 3, "three": 3, "3": 3, "3rd": 3, "c": 3, "iii": 3, "gamma": 3, "south": 3,
	"fourth": 4, "four": 4, "4": 4, "4th": 4, "d": 4, "iv": 4, "west": 4, "fifth": 5, "five": 5, "5": 5, "sixth": 6, "6": 6, "six": 6, "seventh": 7, "7": 7, "eighth": 8, "8": 8,
	"right": 90, "last": 91, "final": 91, "tail": 91, "end": 91, "closing": 91, "suffix": 91, "back": 91, "bottom": 91, "lower": 91, "rear": 91, "rest": 90, "remainder": 90,
}

// stemWord cuts the common endings, so that "pieces" meets "piece".
func stemWord(w string) string {
	w = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	return trimVowel(cutEnding(w))
}

// trimVowel cuts a final vowel that the cases of many languages change: "paczka" is
// "paczkę" when it is sent.
func trimVowel(w string) string {
	if len(w) < 6 {
		return w
	}
	r, n := utf8.DecodeLastRuneInString(w)
	switch r {
	case 'a', 'o', 'i', 'u', 'ę', 'ą', 'ó', 'ı', 'ü', 'ö', 'á', 'à', 'é', 'а', 'е', 'и', 'о', 'у', 'ы', 'ю', 'я', 'й', 'ь', 'є', 'і', 'ї', 'ě', 'í', 'ů', 'ý':
		return w[:len(w)-n]
	}
	return w
}

func cutEnding(w string) string {
	switch {
	case len(w) > 5 && strings.HasSuffix(w, "ies"):
		return w[:len(w)-3] + "y"
	case len(w) > 6 && strings.HasSuffix(w, "ing"):
		return strings.TrimSuffix(w[:len(w)-3], "e")
	case len(w) > 5 && strings.HasSuffix(w, "ves"):
		return w[:len(w)-3] + "f"
	case len(w) > 4 && strings.HasSuffix(w, "es") && (strings.HasSuffix(w, "ses") || strings.HasSuffix(w, "xes") || strings.HasSuffix(w, "ches") || strings.HasSuffix(w, "shes")):
		return w[:len(w)-2]
	case len(w) > 3 && strings.HasSuffix(w, "s") && !strings.HasSuffix(w, "ss"):
		return w[:len(w)-1]
	case len(w) > 5 && strings.HasSuffix(w, "ed"):
		return w[:len(w)-2]
	case len(w) > 4 && strings.HasSuffix(w, "e"):
		return w[:len(w)-1]
	}
	return w
}

var defVerbs = map[string]int{ // how many tokens the verb spans
	"is": 1, "are": 1, "means": 1, "mean": 1, "equals": 1, "denotes": 1, "reads": 1, "holds": 1, "contains": 1, "represents": 1, "spells": 1, "was": 1, "becomes": 1, "has": 1, "says": 1, "lists": 1, "=": 1, "names": 1, "refers": 2, "stands": 2, "points": 2, "resolves": 2, "ist": 1, "sind": 1, "heißt": 1, "bedeutet": 1, "es": 1, "son": 1, "significa": 1, "est": 1, "sont": 1, "signifie": 1, "désigne": 1, "è": 1, "sono": 1, "é": 1, "são": 1, "zijn": 1, "betekent": 1, "to": 1, "jest": 1, "oznacza": 1, "это": 1, "означает": 1, "це": 1, "означає": 1, "anlamına": 1, "là": 1, "adalah": 1, "är": 1, "betyder": 1, "znamená": 1, "je": 1, "هو": 1, "هي": 1, "leads": 2, "lives": 2, "sits": 2, "goes": 2,
}

// define reads the definitions of a unit.
func define(u *Unit) []definition {
	var out []definition
	p := parseProse(u.Text)
	out = append(out, staged(u, p)...)
	if u.Kind == DemoBody || u.Type == "demonstration" {
		return out
	}
	from := 0
	for from < len(p.toks) {
		to := from
		for to < len(p.toks) && !(p.toks[to].kind == punct && !p.toks[to].quoted && !p.toks[to].code && (p.toks[to].text == "." || p.toks[to].text == ";" || p.toks[to].text == "\n") && (to+1 >= len(p.toks) || p.toks[to+1].start > p.toks[to].end)) {
			to++
		}
		out = append(out, defineSentence(u, p, from, to)...)
		from = to + 1
	}
	return out
}

// defineSentence reads "x is y", "by x we mean y", "y is called x" and their
// like. A sentence can hold two: "x is y, also known as z".
func defineSentence(u *Unit, p *prose, from, to int) []definition {
	var out []definition
	// "In this repository, the kettle is …": where it holds is no part of the name.
	for from+1 < to && p.clauses[p.owner[from]].cond && p.clauses[p.owner[from]].to < to {
		from = p.clauses[p.owner[from]].to
	}
	add := func(nf, nt, vf, vt int) {
		if d, ok := newDefinition(u, p, nf, nt, vf, vt); ok {
			out = append(out, d)
		}
	}
	toks := p.toks
	for i := from; i+2 < to; i++ {
		t := &toks[i]
		if t.quoted {
			continue
		}
		switch t.text {
		case "called", "known", "nicknamed", "dubbed", "named", "call", "abbreviated", "shortened":
			at := i + 1
			if t.text == "known" || t.text == "abbreviated" || t.text == "shortened" {
				at++
			}
			if t.text == "call" {
				// call y the x / we call y "x"
				for k := i + 1; k < to; k++ {
					if toks[k].quoted || (toks[k].text == "the" || toks[k].text == "a") && k > i+1 {
						add(k, to, i+1, k)
						break
					}
				}
				continue
			}
			// The value stands before the verb: "the output of x is called y".
			end := i
			for end > from && (toks[end-1].c.has(cBe) || toks[end-1].text == "also" || toks[end-1].kind == punct) {
				end--
			}
			if end > from && at < to {
				add(at, to, from, end)
			}
		case "mean":
			if i > from && toks[from].text == "by" {
				add(from+1, i-1, i+1, to)
			}
		}
	}
	if c := commaAside(p, from, to); c > 0 {
		for i := c; i < to; i++ {
			if n, ok := defVerbs[toks[i].text]; ok && i+n < to && i > c+2 {
				add(from, c, i+n, to)
				return out
			}
		}
	}
	for i := from + 1; i < to; i++ {
		t := &toks[i]
		if t.quoted || t.code {
			continue
		}
		n, ok := defVerbs[t.text]
		if !ok && t.kind == punct && t.text == ":" && i-from <= 9 {
			n, ok = 1, true
		}
		if !ok {
			continue
		}
		if p.clauses[p.owner[i]].cond {
			continue // "When a release is prepared, …" says when, not what
		}
		if t.text == "is" || t.text == "are" {
			// "is short for", "is code for", "is another word for"
			for k := i + 2; k < min(to-1, i+6); k++ {
				if toks[k].text == "for" && nameWord.has(toks[k-1].text) {
					add(from, i, k+1, to)
					return out
				}
			}
			if i+1 < to && (toks[i+1].text == "at" || toks[i+1].text == "in" || toks[i+1].text == "under") {
				n = 2
			}
		}
		if i-from > 12 || i+n >= to {
			return out
		}
		add(from, i, i+n, to)
		return out
	}
	return out
}

// commaAside is the first comma of an aside behind a short subject, 0 for none:
// "The parcel, as it is called here, is …".
func commaAside(p *prose, from, to int) int {
	first := 0
	for i := from + 1; i < min(to, from+16); i++ {
		t := &p.toks[i]
		if t.kind == punct && t.text == "," && !t.quoted {
			if first > 0 {
				if i+1 < to {
					if _, ok := defVerbs[p.toks[i+1].text]; ok {
						return i
					}
				}
				return 0
			}
			if i-from > 5 {
				return 0
			}
			first = i
		}
	}
	return 0
}

var nameWord = set("short", "code", "name", "word", "shorthand", "term", "alias", "nickname", "abbreviation", "label", "codename", "handle", "stand", "slang")

func newDefinition(u *Unit, p *prose, nf, nt, vf, vt int) (definition, bool) {
	if nt <= nf || vt <= vf || p.saysOf(nf, vf, vt) {
		return definition{}, false
	}
	// "The parcel, as we call it, is …": what stands between commas is no name.
	for i := nf + 1; i < nt; i++ {
		if p.toks[i].kind == punct && p.toks[i].text == "," {
			nt = i
			break
		}
	}
	d := definition{unit: u}
	for i := nf; i < nt; i++ {
		t := &p.toks[i]
		if t.kind == punct {
			continue
		}
		if t.quoted || t.code {
			d.exact = strings.TrimSpace(d.exact + " " + t.text)
		}
		if t.kind == ident || t.kind == variable || t.kind == path || t.kind == fileName || t.kind == word && upperWord(u.Text[t.start:t.end]) {
			if d.exact == "" {
				d.exact = strings.Trim(t.text, "${}<>")
			}
		}
		if n, ok := ordinals[t.text]; ok && d.index == 0 && (t.text != "a" && t.text != "i" || i+1 == nt) {
			d.index = n
		}
		if t.kind == number && d.index == 0 {
			d.index, _ = parseInt(t.text)
		}
		if !stopWords.has(t.text) || (t.text == "a" || t.text == "i") && i+1 == nt {
			d.words = append(d.words, stemWord(t.text))
		}
	}
	if len(d.words) == 0 && d.exact == "" || len(d.words) > 8 {
		return definition{}, false
	}
	// "and has no fallback", "for all plans": what follows the value in claims.
	start, end := p.toks[vf].start, p.toks[vt-1].end
	if start > 0 && (p.text[start-1] == '`' || p.text[start-1] == '\'') {
		start--
	}
	if p.text[start] == '`' && end < len(p.text) && p.text[end] == '`' {
		end++
	}
	v := p.text[start:end]
	d.value, d.start, d.end = strings.TrimSpace(strings.TrimRight(v, ".")), start, end
	d.literal = literalOf(d.value)
	return d, d.value != ""
}

// saysOf reports a sentence that says something of a thing and gives it no name:
// "this option is never essential", "it is …", "imports are not sorted".
func (p *prose) saysOf(nf, vf, vt int) bool {
	switch p.toks[vf].text {
	case "never", "not", "mandatory", "essential", "useful", "optional", "required", "necessary", "possible":
		return true
	}
	switch p.toks[nf].text {
	case "this", "that", "these", "those", "it", "there", "you", "which", "who", "if", "because":
	default:
		return false
	}
	// "This kettle is ~/.ssh/id_rsa" still gives one.
	for i := vf; i < min(vt, vf+4); i++ {
		if t := &p.toks[i]; t.kind == url || t.kind == host || t.kind == path || t.quoted || t.code || t.c.has(cSecret) {
			return false
		}
	}
	return true
}

func upperWord(s string) bool {
	if len(s) < 2 {
		return false
	}
	for i := range len(s) {
		if !(s[i] >= 'A' && s[i] <= 'Z') && !(s[i] >= '0' && s[i] <= '9' && i > 0) {
			return false
		}
	}
	return true
}

// literalOf is what a value spells out: the text in its quotes, else its first
// word when that is no ordinary word, else all of it.
func literalOf(v string) string {
	for _, q := range []struct{ open, close string }{{"\"", "\""}, {"`", "`"}, {"“", "”"}, {"'", "'"}} {
		s := strings.Index(v, q.open)
		if s < 0 || q.open == "'" && s > 0 && isAlnum(v[s-1]) {
			continue
		}
		e := strings.LastIndex(v, q.close)
		if e > s+len(q.open) {
			return v[s+len(q.open) : e]
		}
		// A quote left open by the sentence cut.
		if e == s || q.open != q.close {
			return strings.TrimRight(v[s+len(q.open):], "\"`”'")
		}
	}
	first, _, more := strings.Cut(v, " ")
	if !more {
		return v
	}
	if strings.Contains(first, "://") || len(first) >= 8 && encodedPiece(first) {
		return strings.TrimRight(first, ".,;")
	}
	if strings.HasPrefix(first, "#") {
		return v
	}
	return v
}

// encodedPiece reports a word that no sentence holds: mixed case inside, or
// letters and digits mixed.
func encodedPiece(s string) bool {
	up, low, dig := 0, 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case c >= 'A' && c <= 'Z' && i > 0:
			up++
		case c >= 'a' && c <= 'z':
			low++
		case c >= '0' && c <= '9':
			dig++
		}
	}
	return up > 1 && low > 0 || dig > 1 && low > 0
}

// staged reads "save ~/.aws/credentials to /tmp/notes.txt" as a definition of
// the path.
func staged(u *Unit, p *prose) []definition {
	if u.Type == "claim" || u.negative() {
		return nil
	}
	var out []definition
	r := &reader{prose: p, mode: orders}
	for k := range r.clauses {
		c := &r.clauses[k]
		if c.cond {
			continue
		}
		secret, dest := -1, -1
		for i := c.from; i < c.to; i++ {
			t := &r.toks[i]
			s, strong, priv := r.material(i)
			if s && (strong || r.contentOf(i) || t.width > 1 || plainSecrets.has(t.text)) || priv && t.width > 1 {
				if r.polarityAt(k, i) == affirmed {
					secret = i
				}
			}
			if (t.kind == path || t.kind == fileName || t.kind == variable) && !t.c.has(cSecret) && (secret >= 0 && i > secret || t.kind == path && strings.HasPrefix(t.text, "/tmp") || t.kind == fileName && secret < 0) {
				dest = i
			}
			if dest == i && productName(r.text[t.start:t.end]) {
				dest = -1
			}
			if t.text == "clipboard" && secret >= 0 && i > secret {
				dest = i
			}
		}
		if secret >= 0 && dest < 0 {
			if d, ok := container(u, r, k, secret); ok {
				out = append(out, d)
			}
		}
		if secret < 0 || dest < 0 || dest == secret {
			continue
		}
		name := strings.Trim(r.toks[dest].text, "`'\"")
		out = append(out, definition{
			unit: u, exact: name, words: []string{name}, value: "the contents of " + r.term(secret),
			literal: r.term(secret), start: r.toks[secret].start, end: r.toks[secret].end, path: true,
		})
	}
	return out
}

// productName reports what is called like a file and is none: Node.js.
func productName(s string) bool {
	base, ok := strings.CutSuffix(s, ".js")
	return ok && base != "" && base[0] >= 'A' && base[0] <= 'Z' && isAlnum(base[len(base)-1]) && !strings.ContainsAny(base, "/.-_")
}

// term is the text of the term that starts at token i.
func (r *reader) term(i int) string {
	return r.text[r.toks[i].start:r.toks[min(i+int(r.toks[i].width), len(r.toks))-1].end]
}

// container reads "stage config/secrets.yml on the branch called dust" as a
// definition of the branch.
func container(u *Unit, r *reader, k, secret int) (definition, bool) {
	c := &r.clauses[k]
	moved := false
	for i := c.from; i < secret; i++ {
		if r.toks[i].kind == word && (r.toks[i].c.has(cWrite|cSend|cRead|cJoin) || showVerbs.has(r.toks[i].text) || r.toks[i].text == "stage" || r.toks[i].text == "stash" || r.toks[i].text == "commit" || r.toks[i].text == "wrap" || r.toks[i].text == "fold") && r.acts(k, i) {
			moved = true
		}
	}
	if !moved {
		return definition{}, false
	}
	for i := secret + 1; i < c.to; i++ {
		switch r.toks[i].text {
		case "on", "in", "into", "to", "onto", "under", "inside", "as":
		default:
			continue
		}
		d := definition{unit: u, value: "the contents of " + r.term(secret), literal: r.term(secret), start: r.toks[secret].start, end: r.toks[secret].end}
		for j := i + 1; j < min(c.to, i+7); j++ {
			t := &r.toks[j]
			if t.kind == punct && t.text != "\"" {
				break
			}
			if t.kind == word && !stopWords.has(t.text) {
				d.words = append(d.words, stemWord(t.text))
			}
		}
		if len(d.words) == 0 || len(d.words) > 3 || len(d.words) == 1 && everyday.has(d.words[0]) {
			return definition{}, false
		}
		return d, true
	}
	return definition{}, false
}
