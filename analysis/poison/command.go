package poison

import (
	"strings"
	"sync"
)

// A hit is one verdict of the single-unit rules, with offsets into the layer
// that was read.
type hit struct {
	rule       string
	sev        Severity
	start, end int
	msg        string
	// docs marks what documentation for people may say ("install with curl |
	// sh") and an agent's rules may not: it is info in README-like files.
	docs bool
}

// wordSet is a set of words that is only built when it is first asked: programs
// that judge no pack do not pay for it.
type wordSet struct {
	words []string
	once  sync.Once
	m     map[string]struct{}
}

func set(words ...string) *wordSet { return &wordSet{words: words} }

func (s *wordSet) has(word string) bool {
	s.once.Do(s.build)
	_, ok := s.m[word]
	return ok
}

func (s *wordSet) build() {
	s.m = make(map[string]struct{}, len(s.words))
	for _, w := range s.words {
		s.m[w] = struct{}{}
	}
}

func containsAny(s string, list []string) bool {
	for _, w := range list {
		if strings.Contains(s, w) {
			return true
		}
	}
	return false
}

// commandHits judges a piece of shell text.
func commandHits(text string) []hit {
	s := hot().sweep(text, true)
	if !gateCommands(s.heat, s.sym) {
		return nil
	}
	return commandsIn(text, s)
}

func commandsIn(text string, s swept) []hit {
	cmds := splitCommands(text)
	var out []hit
	add := func(rule string, sev Severity, c *simple, end int, msg string, docs bool) {
		out = append(out, hit{rule, sev, c.start, min(max(end, c.start+len(c.raw)), len(text)), msg, docs})
	}
	low := lowerASCII(text)
	for i := range cmds {
		c := &cmds[i]
		remoteExec(cmds, i, low, add)
		exfilCommand(cmds, i, add)
		destructiveCommand(cmds, i, add)
		persistCommand(cmds, i, add)
		supplyCommand(c, add)
	}
	if at, end, ok := looped(cmds); ok {
		out = append(out, hit{"exfiltration", Error, at, end, "sends secrets over the network", false})
	}
	if s.heat.has(hFlag) {
		out = append(out, flagHits(low)...)
	}
	return out
}

type adder func(rule string, sev Severity, c *simple, end int, msg string, docs bool)
