package poison

import (
	"strings"
	"sync"
)

// concept is a set of meanings a word can have.
type concept uint64

const (
	cOverride  concept = 1 << iota // ignore, void, outrank
	cRules                         // instructions, rules, prompt
	cHost                          // CLAUDE.md, system prompt, guardrails
	cPrior                         // earlier, existing, your
	cStyle                         // what an author may rule over: style, lint, drafts
	cObey                          // follow, obey, carry out
	cSelf                          // this pack, this file
	cOnly                          // only, solely
	cConceal                       // hide, omit, silently
	cDisclose                      // mention, tell, report
	cUser                          // user, operator, reviewer
	cOutsider                      // customer, public
	cRecord                        // summary, log, transcript
	cAct                           // step, command, upload (as nouns)
	cPersist                       // rc files, hooks, cron, agent memory
	cWrite                         // append, add, install
	cRemember                      // remember, carry over
	cForever                       // every future session, after removal
	cProtect                       // ask, confirm, review, back up
	cSkip                          // skip, disable, without
	cDestroy                       // delete, overwrite, force-push
	cRisky                         // production, shell command, payment
	cExec                          // run, execute, eval
	cShell                         // bash, interpreter
	cFetch                         // fetch, download, open
	cURL                           // a URL, host or mail address
	cSecret                        // credentials and where they live
	cPrivate                       // conversations, customer rows, source
	cSend                          // send, upload, mail
	cNet                           // endpoint, webhook, server
	cRead                          // read, print, collect
	cSink                          // answer, pull request, commit
	cVendor                        // Anthropic, OpenAI, platform
	cAuthority                     // official, root, clearance
	cJoin                          // join, concatenate
	cDecode                        // decode, reverse, base64
	cNeg                           // never, not, avoid
	cExcept                        // except, unless
	cMention                       // says, asks, claims
	cEvery                         // every, all
	cAlso                          // also, as well, first
	cRegistry                      // registry, index, mirror
	cModal                         // must, should, has to
	cBe                            // is, are, has
	cInstead                       // over, instead of, rather than
	cTrigger                       // codeword, days, installed
	cScanner                       // scanner, linter, reviewer
	cCleared                       // false positive, safe, vetted
	cGranted                       // approved, consented, agreed
	cFalsify                       // deny, pretend, lie
	cGuard                         // sandbox, TLS, prompts, hooks
	cTool                          // git, npm, MCP server
	cPart                          // part, half, piece
	cShield                        // reject, flag, detect: what follows is a mention
	cAttack                        // attack, injection, untrusted
	cCond                          // when, if, after
	cThat                          // that, which, who
	cPronoun                       // it, this, them
	cRef                           // example, template, snippet, note
	cValue                         // value, stands for, means
)

func (c concept) has(x concept) bool { return c&x != 0 }

// phrase is the rest of a term of several words.
type phrase struct {
	rest []string
	c    concept
}

type lexicon struct {
	words   map[string]concept
	phrases map[string][]phrase
	// entries joins both for one look-up.
	entries map[string]entry
}

type entry struct {
	c       concept
	phrases []phrase
}

// lex is built when it is first needed: programs that never judge a pack do
// not pay for it.
var lex = sync.OnceValue(buildLexicon)

func buildLexicon() *lexicon {
	l := &lexicon{words: map[string]concept{}, phrases: map[string][]phrase{}}
	add := func(term string, c concept) {
		parts := strings.Fields(term)
		if len(parts) == 1 {
			l.words[term] |= c
			return
		}
		l.phrases[parts[0]] = append(l.phrases[parts[0]], phrase{parts[1:], c})
	}
	for c, list := range verbs {
		for term := range strings.SplitSeq(list, ",") {
			parts := strings.Fields(term)
			if len(parts) == 0 {
				continue
			}
			for _, f := range inflect(parts[0]) {
				parts[0] = f
				add(strings.Join(parts, " "), c)
			}
		}
	}
	for c, list := range nouns {
		for term := range strings.SplitSeq(list, ",") {
			parts := strings.Fields(term)
			if len(parts) == 0 {
				continue
			}
			add(strings.Join(parts, " "), c)
			parts[len(parts)-1] = plural(parts[len(parts)-1])
			add(strings.Join(parts, " "), c)
		}
	}
	for c, list := range fixed {
		for term := range strings.SplitSeq(list, ",") {
			if term = strings.Join(strings.Fields(term), " "); term != "" {
				add(term, c)
			}
		}
	}
	for w, ps := range l.phrases {
		// Longest phrase first.
		for i := 1; i < len(ps); i++ {
			for k := i; k > 0 && len(ps[k].rest) > len(ps[k-1].rest); k-- {
				ps[k], ps[k-1] = ps[k-1], ps[k]
			}
		}
		l.phrases[w] = ps
	}
	l.entries = make(map[string]entry, len(l.words)+len(l.phrases))
	for w, c := range l.words {
		l.entries[w] = entry{c, l.phrases[w]}
	}
	for w, ps := range l.phrases {
		l.entries[w] = entry{l.words[w], ps}
	}
	return l
}

// inflect returns the finite forms of an English verb. It generates a form too
// many rather than one too few.
func inflect(base string) []string {
	n := len(base)
	if n < 2 {
		return []string{base}
	}
	if strings.HasSuffix(base, "=") {
		return []string{base[:n-1]}
	}
	last, prev := base[n-1], base[n-2]
	vowel := func(c byte) bool { return strings.IndexByte("aeiou", c) >= 0 }
	switch {
	case last == 'e':
		return []string{base, base + "s", base + "d", base[:n-1] + "ing"}
	case last == 'y' && !vowel(prev):
		return []string{base, base[:n-1] + "ies", base[:n-1] + "ied", base + "ing"}
	case strings.HasSuffix(base, "s") || strings.HasSuffix(base, "sh") || strings.HasSuffix(base, "ch") || last == 'x' || last == 'z':
		return []string{base, base + "es", base + "ed", base + "ing"}
	}
	out := []string{base, base + "s", base + "ed", base + "ing"}
	if n >= 3 && vowel(prev) && !vowel(base[n-3]) && !vowel(last) && last != 'w' && last != 'y' {
		out = append(out, base+base[n-1:]+"ed", base+base[n-1:]+"ing")
	}
	return out
}

func plural(n string) string {
	switch {
	case strings.HasSuffix(n, "y") && len(n) > 1 && strings.IndexByte("aeiou", n[len(n)-2]) < 0:
		return n[:len(n)-1] + "ies"
	case strings.HasSuffix(n, "s") || strings.HasSuffix(n, "x") || strings.HasSuffix(n, "ch") || strings.HasSuffix(n, "sh"):
		return n + "es"
	}
	return n + "s"
}
