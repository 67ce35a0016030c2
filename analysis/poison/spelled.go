package poison

import "strings"

func spellCue(low string) bool {
	return containsAny(low, []string{"first word", "opening word", "leading word", "starting word", "initial word", "last word", "final word", "closing word", "first letter", "initial letter", "initials", "acrostic", "leading letter", "opening letter", "first character", "capital letter", "second word", "third word", "last letter", "final letter"})
}

// refCue: "the second source", "the third rule of": positions count over units
// that nothing else would ask for.
func refCue(low string) bool {
	return containsAny(low, []string{"first source", "second source", "third source", "fourth source", "last source", "first entry", "second entry", "third entry", "first rule", "second rule", "third rule", "last rule", "first claim", "second claim", "third claim", "last claim", "first fact", "second fact", "first directive", "second directive", "opening rule", "opening line", "first item", "second item", "third item", "first example", "second example", "first line of", "second line of"})
}

// spell: the order reads first words, initials or the like out of other units.
func (p *pool) spell(u *Unit, r *reader) (Finding, bool) {
	low := lowerASCII(u.Text)
	type reading struct {
		cue []string
		get func(string) string
		sep string
	}
	firstWord := func(s string) string { return nth(s, 0) }
	lastWord := func(s string) string { f := strings.Fields(s); return strings.Trim(nthOf(f, len(f)-1), ".,;:!?\"'") }
	readings := []reading{
		{[]string{"first word", "opening word", "leading word", "starting word", "initial word"}, firstWord, " "},
		{[]string{"last word", "final word", "closing word"}, lastWord, " "},
		{[]string{"first letter", "initial letter", "initials", "acrostic", "leading letter", "opening letter", "first character", "capital letter"}, func(s string) string { return initials(firstWord(s)) }, ""},
		{[]string{"second word"}, func(s string) string { return nth(s, 1) }, " "},
		{[]string{"third word"}, func(s string) string { return nth(s, 2) }, " "},
		{[]string{"last letter", "final letter"}, func(s string) string {
			w := lastWord(s)
			if w == "" {
				return ""
			}
			return w[len(w)-1:]
		}, ""},
	}
	for _, rd := range readings {
		if !containsAny(low, rd.cue) || r.negatedOrder() || !r.all.has(cObey|cExec|cRead|cDecode|cJoin) {
			continue
		}
		var sources []*Unit
		for _, s := range p.units {
			if s == u || s.Kind != Content && s.Kind != Loose && s.Kind != Reason && s.Kind != Legend && s.Kind != TableCell || s.Text == "" {
				continue
			}
			if !p.inScope(low, s) {
				continue
			}
			sources = append(sources, s)
		}
		if len(sources) < 2 {
			continue
		}
		var words []string
		for _, s := range sources {
			words = append(words, rd.get(s.Text))
		}
		text := strings.Join(words, rd.sep)
		if len(text) > maxSpelled {
			p.limit(u, 0, len(u.Text), "an order reads more out of other units than the analysis does")
			text = strings.ToValidUTF8(text[:maxSpelled], "")
		}
		cands := []string{text, reverseWords(text)}
		if rd.sep == "" {
			cands = []string{segment(strings.ToLower(text))}
		}
		msg, sev := "", Error
		for _, c := range cands {
			if rule, ok := payload(c); ok {
				msg = "the words it reads out of other units make text of the kind " + rule + ": " + show(c)
				break
			}
			if rule, ok := actionFacts(c, 1); ok {
				msg = "the words it reads out of other units make text of the kind " + rule + ": " + show(c)
				break
			}
		}
		if msg == "" {
			if !r.obeyed() {
				continue
			}
			msg, sev = "reads an order out of words that other units hide: "+show(cands[0]), Warning
		}
		f := Finding{Rule: "fragment-assembly", Severity: sev, Place: place(u, 0, len(u.Text), msg)}
		for i, s := range sources {
			if i == 16 {
				break
			}
			f.Related = append(f.Related, place(s, 0, min(len(s.Text), 24), "gives "+show(words[i])))
		}
		return f, true
	}
	return Finding{}, false
}

// inScope limits a reading to the file or the kind of unit the order names.
func (p *pool) inScope(low string, s *Unit) bool {
	name := lowerASCII(s.File[strings.LastIndexByte(s.File, '/')+1:])
	if strings.Contains(low, ".md") {
		return strings.Contains(low, name)
	}
	if stem := strings.TrimSuffix(name, ".md"); strings.Contains(low, strings.ReplaceAll(stem, "-", " ")) {
		return true
	}
	switch {
	case strings.Contains(low, "claim") || strings.Contains(low, "fact"):
		return s.Type == "claim"
	case strings.Contains(low, "legend") || strings.Contains(low, "source"):
		return s.Kind == Legend
	case strings.Contains(low, "reason"):
		return s.Kind == Reason
	case strings.Contains(low, "directive") || strings.Contains(low, "rule"):
		return s.Type == "directive"
	}
	return s.Kind == Content
}

func nth(s string, i int) string { return strings.Trim(nthOf(strings.Fields(s), i), ".,;:!?\"'") }

func nthOf(f []string, i int) string {
	if i < 0 || i >= len(f) {
		return ""
	}
	return f[i]
}

// obeyed reports that the order has something followed or run. "The following
// characters" follow nothing.
func (r *reader) obeyed() bool {
	for i := range r.toks {
		switch r.toks[i].text {
		case "obey", "follow", "execute", "run", "obeys", "follows", "runs", "executes", "running", "executing", "obeying":
			return true
		}
	}
	return containsAny(lowerASCII(r.text), []string{"carry out", "carry it out", "carry them out", "do what", "act on", "treat as", "treat it as"})
}
