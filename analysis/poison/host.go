package poison

import "strings"

// Words that can name the host of an agent and its rules, and mean machines,
// operators of a language and settings of programs in technical text.

// otherHost reports that the word for the agent's host at j means something else:
// a machine on a network, an operator of a language, the alignment of text, or a
// thing shown above.
func (r *reader) otherHost(k, j int) bool {
	t := &r.toks[j]
	if t.kind != word {
		return false
	}
	if t.width > 1 {
		e := j + int(t.width)
		// "the above URL" is one thing, "the above" all that was said.
		return t.text == "the" && r.toks[e-1].text == "above" && e < r.clauses[k].to && r.toks[e].kind == word && !saidAbove.has(r.toks[e].text) && !r.toks[e].c.has(cRules|cHost|cNeg|cObey|cBe|cModal|cCond|cSelf) && !stopWords.has(r.toks[e].text) && !strings.HasSuffix(r.toks[e].text, "ly")
	}
	prev, next := "", ""
	if j > 0 {
		prev = r.toks[j-1].text
	}
	if j+1 < len(r.toks) {
		next = r.toks[j+1].text
	}
	switch t.text {
	case "host", "hosts":
		return t.code || networkOf.has(prev) || networkParts.has(next) || prev == "," && next == "," || r.amongNetwork(k, j)
	case "operator", "operators":
		return t.code || codeOperators.has(prev) || codeOperatorParts.has(next) || t.text == "operators" && prev != "the" && prev != "your" && prev != "our" && prev != "all" && prev != "any" && prev != "human" && prev != "its" && prev != "their"
	case "alignment":
		return prev != "your" && prev != "its" && prev != "safety" && prev != "model" && prev != "model's" && prev != "the" && prev != "their" || networkParts.has(next) || alignmentOf.has(next)
	}
	return false
}

// saidAbove are words for all that was said above.
var saidAbove = set("text", "context", "conversation", "content", "contents", "guidance", "notes", "document", "section", "sections", "page", "pages", "paragraph", "paragraphs", "line", "lines", "information", "dialogue", "chat", "words")

var (
	networkOf         = set("remote", "virtual", "target", "local", "registry", "proxy", "bastion", "docker", "destination", "origin", "database", "db", "server", "smtp", "http", "ssh", "each", "another", "git", "bare", "build", "jump", "container", "default", "single", "specific", "given", "same", "different")
	networkParts      = set("name", "names", "header", "headers", "port", "ports", "key", "keys", "argument", "arguments", "option", "options", "parameter", "address", "addresses", "system", "systems", "machine", "machines", "part", "portion", "component", "entry", "entries", "filter", "matching", "triple", "architecture", "compiler", "os", "platform", "field", "property", "value", "variable", "operating")
	networkWords      = set("port", "ports", "hostname", "ip", "dns", "socket", "sockets", "tcp", "udp", "http", "https", "url", "urls", "server", "servers", "client", "clients", "network", "networks", "header", "address", "addresses", "connection", "connections", "connect", "request", "requests", "registry", "ssh", "tls", "certificate", "certificates", "proxy", "localhost", "domain", "protocol", "container", "kernel", "cross", "compiler", "mount", "router", "firewall")
	codeOperators     = set("query", "comparison", "arithmetic", "logical", "boolean", "assignment", "set", "binary", "unary", "equality", "ternary", "bitwise", "relational", "string", "regexp", "regex", "spread", "walrus", "concatenation", "pipe", "shift", "json", "an", "match", "matching", "in", "conditional", "mathematical", "postfix", "prefix", "infix", "overloaded", "built")
	codeOperatorParts = set("class", "classes", "family", "families", "precedence", "overloading", "symbol", "symbols", "expression", "expressions", "name", "names", "function", "functions", "node", "module", "token", "characters", "form")
	alignmentOf       = set("rendering", "padding", "restrictions", "requirements", "requirement", "byte", "bytes", "argument", "parameter", "option", "value", "values", "attribute", "of", "character", "in")
)

// amongNetwork reports two words of networks in the clause of a host: then it is a
// machine there. Whose rules, prompt or instructions they are no machine has.
func (r *reader) amongNetwork(k, j int) bool {
	n := 0
	for m := r.clauses[k].from; m < r.clauses[k].to; m++ {
		if m == j {
			continue
		}
		t := &r.toks[m]
		if t.c.has(cSelf) && r.selfRef(m) || t.c.has(cRules) && m > j && m-j < 4 {
			return false
		}
		if networkWords.has(t.text) {
			n++
		}
	}
	return n > 1
}

// thingRules are words for rules that programs have too, thingPrior those that tell
// nothing about whose they are: "any existing configuration", "these commands".
var (
	thingRules = set("command", "commands", "message", "messages", "configuration", "configurations", "setting", "settings", "memory", "convention", "conventions", "protocol", "protocols", "order", "preference", "preferences", "requirement", "requirements")
	thingPrior = set("these", "those", "any", "all", "every", "existing", "other", "given", "default", "initial", "current", "original", "old", "usual", "normal", "native", "remaining", "built", "builtin", "opening", "session", "previously", "standing", "whatever")
)

// theirs reports whose the rules at j are, when somebody's who may command.
func (r *reader) theirs(k, j int) bool {
	for m := j + 1; m < min(j+5, r.clauses[k].to); m++ {
		if t := &r.toks[m]; t.kind == word && t.c.has(cUser|cHost|cVendor) && !r.otherHost(k, m) {
			return true
		}
	}
	return false
}

// codeRules tell of rules that programs follow.
var codeRules = set("firewall", "udev", "routing", "iptables", "nftables", "rewrite", "make", "makefile", "selinux", "apparmor", "egress", "ingress", "forwarding", "iam", "nat", "dns", "views", "triggers", "level", "inference", "grammar", "scoping", "precedence", "escaping", "quoting", "mapping")
