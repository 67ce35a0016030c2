package poison

import (
	"strings"
	"unicode"
)

// Capability is one thing a pack asks an agent to do. It is a summary for
// people, judged or not: reading a file is no offence, but a buyer wants to know
// which.
type Capability struct {
	// Verb is read, run, send, write or remember.
	Verb string
	// Object is what the verb applies to, as written, credentials masked.
	Object string
	Place
	// Negated is set when the pack forbids the act.
	Negated bool
	// Judged is set when a finding of severity warning or error stands in the
	// same unit.
	Judged bool
}

// Capabilities lists, in the order of units, what directives, goals, agents.md,
// loose text and positive demonstrations ask the agent to read, run, send, write
// and remember. Claims and negative demonstrations ask for nothing.
func Capabilities(units []*Unit) []Capability {
	var out []Capability
	for _, u := range units {
		if !canAct(u) || u.negative() || u.Kind == TableCell { // a task that is routed is what the user may ask for
			continue
		}
		judged := false
		for _, h := range unitRules(u, u.Text) {
			judged = judged || h.sev >= Warning
		}
		r := &reader{prose: parseProse(u.Text), mode: orders, kind: u.Kind}
		if u.Kind == Loose || u.Kind == Reason {
			r.mode = documents
		}
		start := len(out)
		if u.Kind == DemoBody {
			out = append(out, demoCapabilities(u)...)
		} else {
			for k := range r.clauses {
				out = append(out, r.capabilities(u, k)...)
			}
		}
		for i := start; i < len(out); i++ {
			out[i].Judged = judged
		}
	}
	return out
}

var capabilityVerbs = map[string]string{
	"read": "read", "open": "read", "load": "read", "fetch": "read", "download": "read", "cat": "read", "consult": "read", "check": "read", "print": "read", "show": "read", "get": "read", "pull": "read", "visit": "read", "quote": "read",
	"run": "run", "execute": "run", "call": "run", "invoke": "run", "start": "run", "launch": "run", "eval": "run", "source": "run", "install": "run", "use": "run", "delete": "run", "remove": "run", "drop": "run",
	"send": "send", "upload": "send", "post": "send", "push": "send", "mail": "send", "email": "send", "forward": "send", "publish": "send", "share": "send", "submit": "send", "attach": "send", "copy": "send", "sync": "send", "mirror": "send", "report": "send",
	"write": "write", "append": "write", "add": "write", "edit": "write", "update": "write", "create": "write", "save": "write", "record": "write", "store": "write", "put": "write", "insert": "write", "set": "write",
	"remember": "remember", "memorise": "remember", "memorize": "remember", "retain": "remember", "persist": "remember",
}

// capabilities reads one clause: each verb with the files, addresses, commands
// and secrets that stand behind it.
func (r *reader) capabilities(u *Unit, k int) []Capability {
	c := &r.clauses[k]
	if c.cond {
		return nil
	}
	var out []Capability
	verb, at := "", -1
	for i := c.from; i < c.to; i++ {
		t := &r.toks[i]
		if v, ok := capabilityVerbs[t.text]; ok && t.kind == word && !t.quoted && !t.code {
			verb, at = v, i
			if v == "remember" {
				out = append(out, r.capability(u, k, v, i, c.to-1))
				verb = ""
			}
			continue
		}
		if t.code {
			s, e := i, i
			for e < c.to && r.toks[e].code {
				e++
			}
			v := "run"
			if e-s == 1 && (t.kind == path || t.kind == fileName || t.kind == url || t.kind == ident) && verb != "" {
				v = verb
			}
			command := commandNames.has(t.text) || e-s > 1 && startsCommand(r.text[t.start:r.toks[e-1].end]) || verb == "run" && strings.ContainsFunc(r.text[t.start:r.toks[e-1].end], unicode.IsLetter)
			if command || verb != "" && v == verb && e-s == 1 && t.kind != word {
				out = append(out, r.capability(u, k, v, s, e-1))
			}
			i = e - 1
			continue
		}
		if verb == "" || at < 0 || i-at > 16 {
			continue
		}
		object := t.kind == url || t.kind == host || t.kind == path || t.kind == fileName || t.kind == variable || t.kind == ident
		if s, _, p := r.material(i); verb != "run" && (s || p && t.width > 1) { // nobody runs a password
			object = true
		}
		if object && strings.ContainsFunc(r.text[t.start:t.end], unicode.IsLetter) { // a price is nothing to run
			v := verb
			if v == "send" && (t.kind == path || t.kind == fileName) && !t.c.has(cSecret) && i > at && r.prepBefore(i) {
				v = "write"
			}
			out = append(out, r.capability(u, k, v, i, i+int(t.width)-1))
			i += int(t.width) - 1
		}
	}
	return out
}

// startsCommand reports code whose first word could be the name of a program: a name
// in small letters or a path, with something behind it, or with signs that only a
// shell has. Titles, keys and samples of text stand in code, too.
func startsCommand(code string) bool {
	if strings.ContainsAny(code, "$|;&<>\\") || strings.Contains(code, " -") || strings.Contains(code, "=") {
		return true
	}
	name, rest, _ := strings.Cut(code, " ")
	if strings.TrimSpace(rest) == "" || !strings.ContainsFunc(name, unicode.IsLower) {
		return false
	}
	for i, c := range []byte(name) {
		switch {
		case 'a' <= c && c <= 'z', c == '/', c == '.', c == '~', c == '$':
		case i > 0 && ('A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '-' || c == '_' || c == '+'):
		default:
			return false
		}
	}
	return true
}

func (r *reader) capability(u *Unit, k int, verb string, i, j int) Capability {
	j = min(max(i, j), len(r.toks)-1)
	s, e := r.toks[i].start, r.toks[j].end
	return Capability{
		Verb: verb, Object: object(r.text[s:e]), Negated: r.polarityAt(k, i) != affirmed,
		Place: Place{Pack: u.Pack, File: u.File, Start: u.Offset + s, End: u.Offset + e},
	}
}

// object is a text fit to be shown: without the quotation marks of show.
func object(s string) string {
	q := show(s)
	return q[1 : len(q)-1]
}

// demoCapabilities lists the commands of a demonstration that is to be imitated.
func demoCapabilities(u *Unit) []Capability {
	var out []Capability
	for _, c := range splitCommands(u.Text) {
		v, args := c.verb()
		// A comment is none, and a sentence can begin with the name of a command.
		raw := strings.TrimSpace(c.raw)
		if !commandNames.has(v) || len(args) == 0 || strings.HasPrefix(raw, "//") || strings.HasPrefix(raw, "/*") || !strings.Contains(raw, v) {
			continue
		}
		verb := "run"
		if netSink(&c) && !c.downloads() {
			verb = "send"
		}
		end := min(c.start+len(c.raw), len(u.Text))
		out = append(out, Capability{Verb: verb, Object: object(u.Text[c.start:end]), Place: Place{Pack: u.Pack, File: u.File, Start: u.Offset + c.start, End: u.Offset + end}})
	}
	return out
}
