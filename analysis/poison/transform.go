package poison

import (
	"slices"
	"strings"
)

// The words that call for each transform.
var (
	backwardCues = []string{"revers", "backward", "right to left", "mirror", "end to start", "last to first", "flip"}
	rotationCues = []string{"rot13", "rot 13", "rot-13", "caesar", "shift", "rotate", "thirteen"}
	initialCues  = []string{"first letter", "initial", "acrostic"}
	secondCues   = []string{"every second word", "every other word", "alternate word"}
	thirdCues    = []string{"every third word"}
)

// addCues adds the words of a text that call for a transform to those that other
// units have used. Of long texts nothing else is kept, so none has to be cut.
func addCues(cues, low string) string {
	for _, list := range [][]string{backwardCues, rotationCues, initialCues, secondCues, thirdCues} {
		for _, c := range list {
			if strings.Contains(low, c) && !strings.Contains(cues, c) {
				cues += c + "\n"
			}
		}
	}
	return cues
}

// transforms applies what the order's words call for.
func transforms(text, low string) []string {
	var out []string
	if d, ok := base64Text(strings.Map(noSpace, text)); ok {
		out = append(out, d)
	}
	if d, ok := hexText(strings.Map(noSpace, text)); ok {
		out = append(out, d)
	}
	for _, d := range decodings(text) {
		out = append(out, d.text)
	}
	if containsAny(low, backwardCues) {
		out = append(out, reverse(text), reverseWords(text))
	}
	if containsAny(low, rotationCues) {
		out = append(out, rot13(text))
	}
	if containsAny(low, initialCues) {
		out = append(out, segment(initials(text)))
	}
	if containsAny(low, secondCues) {
		out = append(out, everyNth(text, 2, 0), everyNth(text, 2, 1))
	}
	if containsAny(low, thirdCues) {
		out = append(out, everyNth(text, 3, 0), everyNth(text, 3, 2))
	}
	return out
}

func noSpace(r rune) rune {
	if r == ' ' || r == '\n' || r == '\t' {
		return -1
	}
	return r
}

func reverse(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func reverseWords(s string) string {
	w := strings.Fields(s)
	slices.Reverse(w)
	return strings.Join(w, " ")
}

func rot13(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+13)%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+13)%26
		}
		return r
	}, s)
}

func initials(s string) string {
	var b strings.Builder
	for w := range strings.FieldsSeq(s) {
		for _, r := range w {
			if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
				b.WriteRune(r)
				break
			}
		}
	}
	return strings.ToLower(b.String())
}

func everyNth(s string, n, off int) string {
	var out []string
	for i, w := range strings.Fields(s) {
		if i%n == off {
			out = append(out, w)
		}
	}
	return strings.Join(out, " ")
}

var small = set("the", "to", "a", "of", "all", "and", "in", "at", "keys", "them", "it", "your", "file", "host", "me", "my", "you", "rule", "rules", "old", "env", "dot")

// maxSpelled is how many letters are cut into words.
const maxSpelled = 64 << 10

// segment cuts a run of letters into words the vocabulary knows.
func segment(s string) string {
	n := len(s)
	if n == 0 || n > maxSpelled {
		return s
	}
	cost := make([]int, n+1)
	back := make([]int, n+1)
	for i := 1; i <= n; i++ {
		cost[i] = cost[i-1] + 10
		back[i] = i - 1
		for l := 1; l <= 14 && l <= i; l++ {
			w := s[i-l : i]
			if lex().words[w] == 0 && !small.has(w) || l == 1 && w != "a" {
				continue
			}
			if c := cost[i-l] + 1 + max(0, 4-l); c < cost[i] {
				cost[i], back[i] = c, i-l
			}
		}
	}
	var words []string
	for i := n; i > 0; i = back[i] {
		words = append(words, s[back[i]:i])
	}
	slices.Reverse(words)
	return strings.Join(words, " ")
}

var cipherCues = []string{"rot13", "rot 13", "rot-13", "thirteen", "caesar", "cipher", "backward", "revers", "right to left", "mirror", "base64", "base 64", "hex", "ascii", "character code", "code point"}

// mayDecode reports whether a text, read backwards or by rot13, has the words of a
// payload.
func mayDecode(text string) bool {
	for _, t := range [...]string{text, reverse(text), rot13(text)} {
		if s := hot().sweep(t, false); s.loud || gateCommands(s.heat, s.sym) || s.sym&sHigh != 0 {
			return true
		}
	}
	return false
}

// forwards reports a text whose articles stand in front of their nouns: read from
// its end it would say nothing that it was meant to.
func forwards(s string) bool {
	words := strings.Fields(lowerASCII(s))
	n := 0
	for i, w := range words {
		switch w {
		case "the", "a", "an":
			if i+1 == len(words) {
				return false
			}
			switch words[i+1] {
			case "the", "a", "an", "to", "of", "at", "in", "on", "and", "with", "from", "for", "is", "has", "that", "by", "then", "it", "into":
				return false
			}
			n++
		}
	}
	return n > 0
}

// ciphered: a text that is a payload once the transform applied that the pack
// itself speaks of.
func (p *pool) ciphered(found []Finding) []Finding {
	if len(p.cueUnits) == 0 {
		return nil
	}
	var out []Finding
	for i := range len(p.defs) + len(p.spare) {
		var d *definition
		if i < len(p.defs) {
			d = &p.defs[i]
		} else if d = &p.spare[i-len(p.defs)]; p.bySlot != nil {
			break // they have been entered
		}
		if d.path || len(d.literal) < 10 {
			continue
		}
		if _, plain := payload(d.literal); plain {
			continue
		}
		for _, t := range transforms(d.literal, p.cues) {
			rule, ok := payload(t)
			if !ok || forwards(d.literal) && t == reverseWords(d.literal) {
				continue
			}
			f := p.finding(d.unit, d.start, d.end, Error, "decoded as the pack says, this is text of the kind "+rule+": "+show(t), nil)
			for _, u := range p.cueUnits {
				if u != d.unit && len(f.Related) < 4 {
					f.Related = append(f.Related, place(u, 0, len(u.Text), "speaks of the encoding"))
				}
			}
			for _, u := range p.units {
				if u != d.unit && canAct(u) && len(f.Related) < 6 {
					if m, ok := findName(&reader{prose: parseProse(u.Text)}, d); ok {
						f.Related = append(f.Related, place(u, m.start, m.end, "uses it"))
					}
				}
			}
			if len(f.Related) == 0 {
				f.Related = append(f.Related, place(d.unit, 0, len(d.unit.Text), "speaks of the encoding"))
			}
			if !covered(found, f) {
				out = append(out, f)
			}
			break
		}
	}
	return out
}
